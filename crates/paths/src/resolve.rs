//! Where a path leads: the kernel's own walk, done through [`FileSystem`].

use std::collections::{BTreeMap, VecDeque};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use crate::expand;
use crate::fs::{FileSystem, Node, NodeKind};
use crate::text;

/// The kernel's own limit on links in one walk (path_resolution(7)).
const MAX_LINKS: usize = 40;
/// `PATH_MAX` of Linux, in bytes.
const MAX_PATH: usize = 4096;
/// `NAME_MAX` of every common file system, in bytes.
const MAX_NAME: usize = 255;

/// Where paths are resolved from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Base {
    /// Absolute working directory.
    pub cwd: PathBuf,
    /// Home directory; `None` if unknown (then `~` is an error).
    pub home: Option<PathBuf>,
    /// Home directories of other users by name, for `~user`. One that is not here is an error.
    pub users: BTreeMap<String, PathBuf>,
}

impl Base {
    /// A base with no other users.
    pub fn new(cwd: impl Into<PathBuf>, home: Option<&str>) -> Self {
        Self { cwd: cwd.into(), home: home.map(PathBuf::from), users: BTreeMap::new() }
    }

    /// The home directory as a folded spelling, unless it is unknown or the root itself.
    pub(crate) fn folded_home(&self) -> Option<String> {
        let home = self.home.as_ref()?.to_string_lossy();
        let plain = if cfg!(windows) { text::without_drive(&home) } else { home.into_owned() };
        Some(text::fold_case(&text::fold_segments(&plain))).filter(|home| !home.is_empty())
    }
}

/// A path in every form that a rule may be written for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedPath {
    /// As the caller wrote it.
    pub typed: String,
    /// Absolute, home expanded, `.` and `..` folded by text only.
    pub absolute: PathBuf,
    /// Where the kernel ends up: every link followed, `..` after the links before it; for a path that does not exist yet the
    /// longest existing prefix followed, then the rest. This is what is decided on.
    pub resolved: PathBuf,
    /// What is at `resolved`.
    pub node: Option<Node>,
}

/// Why a path could not be resolved. Every one denies.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// holds a NUL byte
    #[error("the path holds a NUL byte")]
    Nul,
    /// more than 40 links, or a loop
    #[error("the path goes through a loop of symbolic links")]
    LinkLoop,
    /// longer than 4096 bytes, or a component longer than 255
    #[error("the path is too long")]
    TooLong,
    /// `~user` of an unknown user, or `~` with no home
    #[error("the home directory of `~{user}` is not known")]
    UnknownHome {
        /// the name after `~`
        user: String,
    },
    /// the path is empty
    #[error("the path is empty")]
    Empty,
    /// a `file:` URL that names no local file
    #[error("`{url}` names no file of this machine")]
    NotLocal {
        /// the URL
        url: String,
    },
    /// a link of `/proc` that leads to whatever another process, or the tool to come, has open
    #[error("`{path}` leads to a file of another process, which can't be told beforehand")]
    OtherProcess {
        /// where
        path: String,
    },
    /// the file system answered with an error other than "not there"
    #[error("`{path}` can't be examined: {message}")]
    Io {
        /// where
        path: String,
        /// the system's words
        message: String,
    },
}

/// Resolves `typed` from `base`.
///
/// A leading `@` (how hosts mark a mention), a `file://` URL, `~`, `~user`, `$HOME` and `${HOME}` are expanded; then every
/// component is walked in order. A link is followed before a `..` after it applies, as path_resolution(7) says, and a dangling
/// link leads to where a write would land. In a tail that does not exist, `..` is folded by text.
///
/// What was resolved can change before the tool uses it; no gate outside the kernel can close that window. Show
/// [`ResolvedPath::resolved`] with the verdict.
pub fn resolve(fs: &dyn FileSystem, typed: &str, base: &Base) -> Result<ResolvedPath, ResolveError> {
    let expanded = expand::expand(typed, base)?;
    resolve_expanded(fs, typed, &base.cwd.join(expanded), base)
}

/// Resolves an absolute path in which nothing is left to expand.
pub(crate) fn resolve_expanded(
    fs: &dyn FileSystem,
    typed: &str,
    joined: &Path,
    base: &Base,
) -> Result<ResolvedPath, ResolveError> {
    check_length(joined)?;
    let mut walk = Walk { fs, base, at: PathBuf::new(), node: None, todo: VecDeque::new(), links: 0 };
    walk.push(joined);
    walk.run()?;
    Ok(ResolvedPath { typed: typed.to_owned(), absolute: text::fold_dots(joined), node: walk.node, resolved: walk.at })
}

fn check_length(path: &Path) -> Result<(), ResolveError> {
    let bytes = path.as_os_str().as_encoded_bytes();
    if bytes.contains(&0) {
        return Err(ResolveError::Nul);
    }
    let long_name = path.iter().any(|name| name.len() > MAX_NAME);
    if bytes.len() > MAX_PATH || long_name { Err(ResolveError::TooLong) } else { Ok(()) }
}

struct Walk<'a> {
    fs: &'a dyn FileSystem,
    base: &'a Base,
    /// Where the walk is: links all followed.
    at: PathBuf,
    node: Option<Node>,
    todo: VecDeque<Step>,
    links: usize,
}

enum Step {
    Root(OsString),
    Up,
    Name(OsString),
}

impl Walk<'_> {
    /// Puts the components of `path` before what is still to do.
    fn push(&mut self, path: &Path) {
        for component in path.components().rev() {
            match component {
                Component::CurDir => {}
                Component::ParentDir => self.todo.push_front(Step::Up),
                Component::Normal(name) => self.todo.push_front(Step::Name(name.to_owned())),
                Component::RootDir | Component::Prefix(_) => {
                    self.todo.push_front(Step::Root(component.as_os_str().to_owned()));
                }
            }
        }
    }

    fn run(&mut self) -> Result<(), ResolveError> {
        while let Some(step) = self.todo.pop_front() {
            match step {
                // A prefix replaces what was there; a root after it keeps the drive.
                Step::Root(root) => self.at.push(root),
                Step::Up => {
                    self.at.pop();
                }
                Step::Name(name) => self.enter(&name)?,
            }
        }
        self.node = self.look(&self.at.clone())?;
        Ok(())
    }

    fn enter(&mut self, name: &OsString) -> Result<(), ResolveError> {
        let next = self.at.join(name);
        match process_link(&next)? {
            Some(ProcessLink::Root) => {
                self.at = PathBuf::from("/");
                return Ok(());
            }
            Some(ProcessLink::Cwd) => {
                let cwd = self.base.cwd.clone();
                return self.follow(&cwd);
            }
            Some(ProcessLink::Is(place)) => {
                self.at = PathBuf::from(place);
                return Ok(());
            }
            None => {}
        }
        if self.look(&next)?.is_none_or(|node| node.kind != NodeKind::Link) {
            self.at = next;
            return Ok(());
        }
        let target = self.fs.read_link(&next).map_err(|error| io_error(&next, &error))?;
        self.follow(&target)
    }

    fn follow(&mut self, target: &Path) -> Result<(), ResolveError> {
        self.links = self.links.saturating_add(1);
        if self.links > MAX_LINKS {
            return Err(ResolveError::LinkLoop);
        }
        self.push(target);
        Ok(())
    }

    fn look(&self, path: &Path) -> Result<Option<Node>, ResolveError> {
        self.fs.node(path).map_err(|error| io_error(path, &error))
    }
}

fn io_error(path: &Path, error: &std::io::Error) -> ResolveError {
    ResolveError::Io { path: path.to_string_lossy().into_owned(), message: error.to_string() }
}

enum ProcessLink {
    /// the root of the process that asks
    Root,
    /// its working directory
    Cwd,
    /// a place to stay at without following it
    Is(&'static str),
}

/// The magic links of proc(5). `self` is the process that runs the tool, not the gate, so they are never read from disk: root and
/// cwd are known, the standard streams are harmless, and the rest can't be told.
fn process_link(path: &Path) -> Result<Option<ProcessLink>, ResolveError> {
    let Some(text) = path.to_str() else {
        return Ok(None);
    };
    let known = match text {
        "/proc/self" => Some("/proc/self"),
        "/proc/thread-self" => Some("/proc/thread-self"),
        "/dev/fd" => Some("/dev/fd"),
        "/dev/stdin" => Some("/dev/stdin"),
        "/dev/stdout" => Some("/dev/stdout"),
        "/dev/stderr" => Some("/dev/stderr"),
        _ => None,
    };
    if let Some(place) = known {
        return Ok(Some(ProcessLink::Is(place)));
    }
    let unknown = || Err(ResolveError::OtherProcess { path: text.to_owned() });
    if let Some(descriptor) = text.strip_prefix("/dev/fd/") {
        return match standard_stream(descriptor) {
            Some(stream) => Ok(Some(ProcessLink::Is(stream))),
            None => unknown(),
        };
    }
    let Some(rest) = text.strip_prefix("/proc/") else {
        return Ok(None);
    };
    let mut names = rest.split('/');
    let process = names.next().unwrap_or_default();
    let own = matches!(process, "self" | "thread-self");
    if !own && !process.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(None);
    }
    let mut names: Vec<&str> = names.collect();
    // A thread's own files: /proc/<pid>/task/<tid>/…
    if matches!(names.as_slice(), ["task", _, _, ..]) {
        names.drain(..2);
    }
    match names.as_slice() {
        ["root"] if own => Ok(Some(ProcessLink::Root)),
        ["cwd"] if own => Ok(Some(ProcessLink::Cwd)),
        ["fd", descriptor] if own => match standard_stream(descriptor) {
            Some(stream) => Ok(Some(ProcessLink::Is(stream))),
            None => unknown(),
        },
        ["root" | "cwd" | "exe"] | ["fd" | "map_files", _] => unknown(),
        _ => Ok(None),
    }
}

fn standard_stream(descriptor: &str) -> Option<&'static str> {
    match descriptor {
        "0" => Some("/dev/stdin"),
        "1" => Some("/dev/stdout"),
        "2" => Some("/dev/stderr"),
        _ => None,
    }
}
