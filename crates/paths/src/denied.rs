//! `deniedPaths`: files that no tool may touch, whoever says otherwise.

use std::path::Path;

use crate::expand::expand_home;
use crate::fs::{FileSystem, NodeKind};
use crate::glob;
use crate::resolve::{Base, ResolvedPath, resolve_expanded};
use crate::text::{fold_segments, has_drive, spellings, without_drive};
use crate::wildcard::{Wild, intersects};

/// Longest pattern, in UTF-16 code units (seed 000).
const MAX_UNITS: usize = 4096;

/// One compiled glob of `deniedPaths`.
///
/// `*` is the only wildcard and matches `/` too. A directory covers its contents, with or without a trailing slash or `/**`, and
/// `dir/**` covers `dir` itself. Case never counts: denying `~/.SSH` on a file system that tells it from `~/.ssh` costs little.
#[derive(Clone, Debug)]
pub struct PathPattern {
    text: String,
    index: usize,
    wilds: Vec<Wild>,
    /// The file that a pattern without wildcards names: its hard links are that file.
    identity: Option<(u64, u64)>,
}

/// What is wrong with an entry of `deniedPaths`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternProblem {
    /// Its place in the list.
    pub index: usize,
    /// Its text.
    pub pattern: String,
    /// What is wrong, and whether the entry has an effect all the same.
    pub message: String,
    /// The likely fix.
    pub hint: Option<String>,
}

struct Flaw {
    message: String,
    hint: Option<String>,
}

impl Flaw {
    fn new(message: &str, hint: Option<String>) -> Self {
        Self { message: message.to_owned(), hint }
    }
}

impl PathPattern {
    /// The text as configured.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn compile(index: usize, text: &str, base: &Base, fs: &dyn FileSystem) -> Result<Self, Flaw> {
        if text.encode_utf16().count() > MAX_UNITS {
            return Err(Flaw::new("is longer than 4096 UTF-16 code units and has no effect", None));
        }
        let body = body_of(&absolute_text(text.trim(), base)?);
        let mut pattern = Self { text: text.to_owned(), index, wilds: covering(&body), identity: None };
        pattern.follow_fixed_prefix(&body, base, fs);
        Ok(pattern)
    }

    /// Adds the pattern with the directories before its first star resolved, so that neither spelling gets around it.
    fn follow_fixed_prefix(&mut self, body: &str, base: &Base, fs: &dyn FileSystem) {
        let (fixed, rest) = match body.find('*') {
            None => (body, ""),
            Some(star) => {
                let slash = body.get(..star).and_then(|before| before.rfind('/')).unwrap_or(0);
                body.split_at_checked(slash).unwrap_or((body, ""))
            }
        };
        if fixed.is_empty() {
            return;
        }
        // A prefix that can't be examined keeps its text; what is asked about later fails to resolve the same way.
        let Ok(path) = resolve_expanded(fs, fixed, Path::new(fixed), base) else { return };
        if rest.is_empty() {
            self.identity = path.node.filter(|node| node.kind == NodeKind::File).and_then(|node| node.identity);
        }
        for spelling in spellings(&path, base) {
            for wild in covering(&format!("{spelling}{rest}")) {
                if !self.wilds.contains(&wild) {
                    self.wilds.push(wild);
                }
            }
        }
    }

    fn matches(&self, path: &ResolvedPath, spellings: &[String]) -> bool {
        let by_name = || self.wilds.iter().any(|wild| spellings.iter().any(|spelling| wild.matches(spelling)));
        let by_identity = || {
            let node = path.node.filter(|node| node.links > 1);
            self.identity.is_some() && node.and_then(|node| node.identity) == self.identity
        };
        by_name() || by_identity()
    }

    fn may_be_below(&self, directory: &str) -> bool {
        let prefix = format!("{directory}/");
        self.wilds.iter().any(|wild| wild.may_continue(&prefix))
    }
}

/// The text with its home expanded, or why it can never match.
fn absolute_text(text: &str, base: &Base) -> Result<String, Flaw> {
    if text.is_empty() {
        return Err(Flaw::new("is empty and has no effect", None));
    }
    if text == "$defaults" {
        return Err(Flaw::new("has no effect: there are no built-in denied paths", None));
    }
    if text.starts_with('!') {
        return Err(Flaw::new("has no effect: a denied path has no exceptions", None));
    }
    // A home that isn't known could be anywhere: the rest is then denied in every directory.
    let expanded = match expand_home(text, base) {
        Ok(expanded) => expanded,
        Err(_) => text
            .find(['/', '\\'])
            .and_then(|at| text.get(at..))
            .map_or_else(|| "*".to_owned(), |rest| format!("*{rest}")),
    };
    if has_drive(&expanded) || expanded.starts_with(r"\\") {
        return Ok(without_drive(&expanded));
    }
    let slashed = if cfg!(windows) || text.starts_with(r"~\") { expanded.replace('\\', "/") } else { expanded };
    if slashed.starts_with(['/', '*']) {
        return Ok(slashed);
    }
    let name = slashed.trim_start_matches("./");
    let message = "has no effect: it can never match an absolute path; begin with /, ~, $HOME or *";
    Err(Flaw::new(message, Some(format!("**/{name}"))))
}

/// Without what does not change which files are covered: a trailing slash or `/**`, dots, doubled slashes.
fn body_of(text: &str) -> String {
    let rooted = text.starts_with('/');
    let mut body = fold_segments(text);
    while let Some((before, last)) = body.rsplit_once('/') {
        let stars = !last.is_empty() && last.bytes().all(|byte| byte == b'*');
        if !stars || (before.is_empty() && !rooted) {
            break;
        }
        body.truncate(before.len());
    }
    if rooted { body } else { body.strip_prefix('/').unwrap_or("*").to_owned() }
}

/// The file or directory itself, and everything below it.
fn covering(body: &str) -> Vec<Wild> {
    vec![Wild::new(body), Wild::new(&format!("{body}/*"))]
}

/// The compiled list. Empty by default: there are no built-in denied paths.
///
/// ```
/// use portcullis_paths::{Base, DeniedPaths, MemoryFs, resolve};
/// let fs = MemoryFs::new().file("/home/dev/.ssh/id_rsa").link("/proj/key", "/home/dev/.ssh/id_rsa");
/// let base = Base::new("/proj", Some("/home/dev"));
/// let (denied, problems) = DeniedPaths::compile(&["~/.ssh/**".to_owned()], &base, &fs);
/// assert!(problems.is_empty());
/// let path = resolve(&fs, "key", &base).unwrap();
/// assert_eq!(denied.matches(&path), Some("~/.ssh/**"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct DeniedPaths {
    patterns: Vec<PathPattern>,
    base: Base,
}

impl DeniedPaths {
    /// Compiles the list. An entry that can never match is left out; every oddity is in the problems, in the order of the list.
    pub fn compile(patterns: &[String], base: &Base, fs: &dyn FileSystem) -> (Self, Vec<PatternProblem>) {
        let mut denied = Self { patterns: Vec::new(), base: base.clone() };
        let mut problems = Vec::new();
        for (index, text) in patterns.iter().enumerate() {
            let flaw = match PathPattern::compile(index, text, base, fs) {
                Ok(pattern) => {
                    denied.patterns.push(pattern);
                    doubt(text, base)
                }
                Err(flaw) => Some(flaw),
            };
            let problem = |Flaw { message, hint }| PatternProblem { index, pattern: text.clone(), message, hint };
            problems.extend(flaw.map(problem));
        }
        (denied, problems)
    }

    /// Whether nothing is denied.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// The patterns that have an effect, with their places in the configured list.
    pub fn patterns(&self) -> impl Iterator<Item = (usize, &PathPattern)> {
        self.patterns.iter().map(|pattern| (pattern.index, pattern))
    }

    /// The text of the first pattern that covers `path`, in any of its spellings.
    pub fn matches(&self, path: &ResolvedPath) -> Option<&str> {
        if self.is_empty() {
            return None;
        }
        let spellings = spellings(path, &self.base);
        self.first(|pattern| pattern.matches(path, &spellings))
    }

    /// The text of the first pattern that could cover something at or below `scope`, where a tool is to recurse. For a regular
    /// file this is [`matches`](Self::matches).
    pub fn scope_may_contain(&self, scope: &ResolvedPath) -> Option<&str> {
        let spellings = spellings(scope, &self.base);
        let recurses = scope.node.is_none_or(|node| node.kind != NodeKind::File);
        self.first(|pattern| {
            let below = || spellings.iter().any(|spelling| pattern.may_be_below(spelling));
            pattern.matches(scope, &spellings) || (recurses && below())
        })
    }

    /// The text of the first pattern that covers a name an operand with wildcards could expand to. Names that begin with a dot are
    /// matched only where the operand has the dot (bash without `dotglob`). For a recursive call, append `/**`.
    pub fn glob_may_match(&self, absolute_glob: &str) -> Option<&str> {
        let operand = glob::tokens(absolute_glob);
        self.first(|pattern| pattern.wilds.iter().any(|wild| intersects(&operand, &wild.tokens())))
    }

    fn first(&self, hit: impl Fn(&PathPattern) -> bool) -> Option<&str> {
        self.patterns.iter().find(|pattern| hit(pattern)).map(PathPattern::text)
    }
}

/// What an entry that has an effect may not mean the way it reads.
fn doubt(text: &str, base: &Base) -> Option<Flaw> {
    if expand_home(text, base).is_err() {
        return Some(Flaw::new(
            "names a home directory that is not known; the rest of it is denied in every directory",
            None,
        ));
    }
    let braces = text
        .split_once('{')
        .is_some_and(|(before, rest)| !before.ends_with('$') && rest.contains(',') && rest.contains('}'));
    (braces || text.contains('?')).then(|| {
        let hint = Some("write `*`, or one entry for each name".to_owned());
        Flaw::new("is taken literally where it isn't `*`: `?` and `{a,b}` are no wildcards here", hint)
    })
}
