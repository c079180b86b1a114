//! Path resolution through symlinks, and the denied, protected, sensitive and floor path tables.

use std::path::{Path, PathBuf};

/// The questions that resolution asks of a file system. Implemented by [`RealFs`] and, for tests, [`MemoryFs`].
pub trait FileSystem: Send + Sync {
    /// What is at `path`, not following a final link. `Ok(None)`: nothing is there (also when a parent is missing or a file).
    fn node(&self, path: &Path) -> std::io::Result<Option<Node>>;
    /// The text of the link at `path`.
    fn read_link(&self, path: &Path) -> std::io::Result<PathBuf>;
    /// Whether names in the directory `path` are compared without case.
    fn folds_case(&self, path: &Path) -> bool;
}

/// What is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Kind.
    pub kind: NodeKind,
    /// Device and inode, where the platform has them: the same pair is the same file (hard links).
    pub identity: Option<(u64, u64)>,
    /// Number of names the file has.
    pub links: u64,
}

/// Kinds of file-system nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// regular file
    File,
    /// directory
    Directory,
    /// symbolic link
    Link,
    /// device, pipe, socket
    Other,
}

/// The real file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealFs;

/// Where paths are resolved from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// Absolute working directory.
    pub cwd: PathBuf,
    /// Home directory; `None` if unknown (then `~` is an error).
    pub home: Option<PathBuf>,
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
pub fn resolve(fs: &dyn FileSystem, typed: &str, base: &Base) -> Result<ResolvedPath, ResolveError> {
    let _ = (fs, typed, base);
    Err(ResolveError::Empty)
}
