//! `protectedPaths`: files that steer tools, so that a change to one never takes a local allow.

use crate::expand::expand_home;
use crate::resolve::{Base, ResolvedPath};
use crate::text::{below, fold_case, fold_segments, spellings};

/// Directories that agents are meant to work in although they lie in a protected one: the entry and what may follow it.
const EXCEPTIONS: &[(&str, &str)] = &[("/.claude", "/worktrees"), ("/.onecode", "/plans")];

/// The compiled list. An entry is one name (`.git`) or some (`.config/git`) and covers a file or directory of that name anywhere,
/// and everything below; one that begins with `/` or `~` stands for that place only. Case never counts.
///
/// ```
/// use portcullis_paths::{Base, MemoryFs, ProtectedPaths, resolve};
/// let base = Base::new("/proj", None);
/// let path = resolve(&MemoryFs::new(), "pkg/.git/hooks/pre-commit", &base).unwrap();
/// let protected = ProtectedPaths::new(&[".git".to_owned()]);
/// assert_eq!(protected.matches(&path, &base), Some(".git"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct ProtectedPaths {
    entries: Vec<String>,
}

impl ProtectedPaths {
    /// Entries as configured, `$defaults` already expanded. Blank ones have no effect.
    pub fn new(entries: &[String]) -> Self {
        Self { entries: entries.iter().filter(|entry| !entry.trim().is_empty()).cloned().collect() }
    }

    /// The first entry that covers `path` in any of its spellings.
    pub fn matches(&self, path: &ResolvedPath, base: &Base) -> Option<&str> {
        let spellings = spellings(path, base);
        let hit = |entry: &&String| spellings.iter().any(|spelling| covers(entry, spelling, base));
        self.entries.iter().find(hit).map(String::as_str)
    }
}

fn covers(entry: &str, path: &str, base: &Base) -> bool {
    let entry = entry.trim().replace('\\', "/");
    let placed = entry.starts_with(['/', '~', '$']).then(|| expand_home(&entry, base));
    match placed {
        Some(Ok(place)) => below(path, &fold_case(&fold_segments(&place))).is_some(),
        // The home isn't known: what follows it is protected everywhere.
        Some(Err(_)) => entry.find('/').and_then(|at| entry.get(at..)).is_none_or(|rest| anywhere(rest, path)),
        None => anywhere(&entry, path),
    }
}

fn anywhere(entry: &str, path: &str) -> bool {
    let entry = fold_case(&fold_segments(entry));
    path.match_indices(entry.as_str()).any(|(at, _)| {
        let after = path.get(at.saturating_add(entry.len())..).unwrap_or_default();
        let whole_name = after.is_empty() || after.starts_with('/');
        let excepted =
            |(of, inner): &(&str, &str)| *of == entry && below(after, inner).is_some_and(|rest| rest.len() > 1);
        whole_name && !EXCEPTIONS.iter().any(excepted)
    })
}
