//! Directories whose recursive deletion can't be undone.

use crate::glob;
use crate::resolve::{Base, ResolvedPath};
use crate::text::{HOME_PARENTS, after_home, below, fold_case, fold_segments, spellings};
use crate::wildcard::{Set, Token, intersects};

/// What a recursive change would destroy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// `/`, or a drive
    Filesystem,
    /// a home directory, the user's or another's, itself
    Home,
    /// a directory of the system
    System,
}

/// System directories: these and everything below (seed-details §1.2 H).
const DEEP: &[&str] = &[
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/private",
    "/proc",
    "/run",
    "/sbin",
    "/sys",
    "/system",
    "/usr",
    "/var",
    "/windows",
    "/nix/store",
];
/// Directories that are roots themselves while what is below belongs to someone.
const SHALLOW: &[&str] = &[
    "/home",
    "/users",
    "/var/home",
    "/usr/home",
    "/root",
    "/opt",
    "/srv",
    "/library",
    "/applications",
    "/mnt",
    "/media",
    "/volumes",
    "/nix",
    "/snap",
    "/program files",
    "/program files (x86)",
    "/programdata",
];
/// Scratch space below a system directory: what is in it is fair game, it itself is not.
const SCRATCH: &[&str] =
    &["/var/tmp", "/private/tmp", "/private/var/tmp", "/private/var/folders", "/var/folders", "/dev/shm", "/run/user"];

/// What `path` is the root of, for recursive deletion and recursive changes of mode or owner. What is below the user's home is
/// nobody's root, also where the home is below `/var`.
pub fn root_kind(path: &ResolvedPath, base: &Base) -> Option<Root> {
    let home = base.folded_home();
    spellings(path, base).iter().find_map(|spelling| kind(spelling, home.as_deref()))
}

fn kind(path: &str, home: Option<&str>) -> Option<Root> {
    if path.is_empty() {
        return Some(Root::Filesystem);
    }
    if let Some(rest) = home.and_then(|home| below(path, home)) {
        return rest.is_empty().then_some(Root::Home);
    }
    // Whatever holds the home goes with it.
    if home.is_some_and(|home| below(home, path).is_some()) {
        return Some(Root::System);
    }
    if SHALLOW.contains(&path) {
        return Some(Root::System);
    }
    if let Some(rest) = after_home(path, None).next() {
        return rest.is_empty().then_some(Root::Home);
    }
    let scratch = SCRATCH.iter().any(|scratch| below(path, scratch).is_some_and(|rest| rest.len() > 1));
    (!scratch && DEEP.iter().any(|root| below(path, root).is_some())).then_some(Root::System)
}

/// What an operand with wildcards could name the root of: `/*` and `/e*` reach system directories, `~/*` empties the home.
pub fn glob_hits_root(absolute_glob: &str, base: &Base) -> Option<Root> {
    let home = base.folded_home();
    let home = home.as_deref();
    let text = fold_case(&fold_segments(absolute_glob));
    let (parent, last) = text.rsplit_once('/').unwrap_or(("", &text));
    let fixed = |text: &str| !text.contains(['*', '?', '[', '\\', '(']);
    if last.chars().all(|c| matches!(c, '*' | '?' | '.' | '[' | ']' | '!' | '^')) && fixed(parent) {
        // Everything in a directory: as good as the directory.
        return kind(parent, home);
    }
    let fixed_directory =
        text.find(['*', '?', '[', '(']).and_then(|at| text.get(..at)).map_or(text.as_str(), directory_of);
    // Below the home, in another's home or in scratch space, nothing more can be a root.
    let harmless = |at: &str| !at.is_empty() && kind(at, home).is_none() && !holds_root(at, home);
    if harmless(fixed_directory)
        || home.is_some_and(|home| below(fixed_directory, home).is_some())
        || is_scratch(fixed_directory)
    {
        return None;
    }
    let operand = glob::tokens(absolute_glob);
    let meets = |root: &str, tail: &[Token]| {
        let mut tokens: Vec<Token> = root.chars().map(Token::One).collect();
        tokens.extend_from_slice(tail);
        intersects(&operand, &tokens)
    };
    let any_below = [Token::Skip(2), Token::One('/'), Token::Many(Set::All)];
    if home.is_some_and(|home| meets(home, &[])) {
        return Some(Root::Home);
    }
    let homes = || HOME_PARENTS.iter().any(|parent| meets(parent, &[Token::One('/'), Token::Many(Set::NotSlash)]));
    if SHALLOW.iter().any(|root| meets(root, &[])) || DEEP.iter().any(|root| meets(root, &any_below)) {
        return Some(Root::System);
    }
    homes().then_some(Root::Home)
}

fn directory_of(text: &str) -> &str {
    text.rsplit_once('/').map_or("", |(directory, _)| directory)
}

fn is_scratch(path: &str) -> bool {
    SCRATCH.iter().any(|scratch| below(path, scratch).is_some())
}

fn holds_root(path: &str, home: Option<&str>) -> bool {
    let inside = |root: &str| below(root, path).is_some();
    home.is_some_and(inside) || HOME_PARENTS.iter().chain(SHALLOW).chain(DEEP).any(|root| inside(root))
}
