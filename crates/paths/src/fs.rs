//! The narrow view of a file system that this crate needs, and the real one.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The questions that resolution asks of a file system. Implemented by [`RealFs`] and, for tests, [`MemoryFs`](crate::MemoryFs).
///
/// Nothing is ever listed or written. An error means "can't tell"; every caller in this crate takes that as the answer that
/// denies.
pub trait FileSystem: Send + Sync {
    /// What is at `path`, not following a final link. `Ok(None)`: nothing is there (also when a parent is missing or a file).
    fn node(&self, path: &Path) -> io::Result<Option<Node>>;
    /// The text of the link at `path`.
    fn read_link(&self, path: &Path) -> io::Result<PathBuf>;
    /// Whether names in the directory `path` are compared without case.
    fn folds_case(&self, path: &Path) -> bool;
    /// The first `limit` bytes of the regular file at `path`, links followed. `Ok(None)`: nothing is there. Anything that is not a
    /// regular file (a directory, a pipe, a device) is an error, so that a read never blocks.
    fn read(&self, path: &Path, limit: usize) -> io::Result<Option<Vec<u8>>>;
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
    /// Whether anyone may execute it. Always true where the platform has no such bit.
    pub executable: bool,
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

impl FileSystem for RealFs {
    fn node(&self, path: &Path) -> io::Result<Option<Node>> {
        match fs::symlink_metadata(path) {
            Ok(metadata) => Ok(Some(node_of(&metadata))),
            Err(error) => absent(error),
        }
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        fs::read_link(path)
    }

    /// Folds where the same directory also answers to its name in the other case. A name without letters tells nothing: then the
    /// platform's custom counts (macOS and Windows fold).
    fn folds_case(&self, path: &Path) -> bool {
        let custom = cfg!(any(target_os = "macos", target_os = "windows"));
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            return custom;
        };
        let swapped: String = name.chars().map(swap_case).collect();
        if swapped == name {
            return custom;
        }
        let same = |other: &Path| Some(fs::canonicalize(path).ok()? == fs::canonicalize(other).ok()?);
        same(&path.with_file_name(swapped)).unwrap_or(false)
    }

    fn read(&self, path: &Path, limit: usize) -> io::Result<Option<Vec<u8>>> {
        // Asked before opening: opening a pipe would wait for a writer.
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => {}
            Ok(_) => {
                return Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file"));
            }
            Err(error) => return absent(error),
        }
        let file = match fs::File::open(path) {
            Ok(file) => file,
            Err(error) => return absent(error),
        };
        let mut bytes = Vec::new();
        file.take(u64::try_from(limit).unwrap_or(u64::MAX)).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }
}

fn absent<T>(error: io::Error) -> io::Result<Option<T>> {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Ok(None),
        _ => Err(error),
    }
}

fn swap_case(c: char) -> char {
    if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
}

fn node_of(metadata: &Metadata) -> Node {
    let kind = if metadata.is_symlink() {
        NodeKind::Link
    } else if metadata.is_dir() {
        NodeKind::Directory
    } else if metadata.is_file() {
        NodeKind::File
    } else {
        NodeKind::Other
    };
    platform_node(kind, metadata)
}

#[cfg(unix)]
fn platform_node(kind: NodeKind, metadata: &Metadata) -> Node {
    use std::os::unix::fs::MetadataExt;
    Node {
        kind,
        identity: Some((metadata.dev(), metadata.ino())),
        links: metadata.nlink(),
        executable: metadata.mode() & 0o111 != 0,
    }
}

#[cfg(not(unix))]
fn platform_node(kind: NodeKind, _metadata: &Metadata) -> Node {
    Node { kind, identity: None, links: 1, executable: true }
}
