//! A file system made of a table, for tests of this crate and of its dependents.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::fs::{FileSystem, Node, NodeKind};

/// A file system in memory. Parents of what is added come into being on their own.
///
/// ```
/// use portcullis_paths::{Base, MemoryFs, resolve};
/// let fs = MemoryFs::new().file("/home/dev/.ssh/id_rsa").link("/home/dev/proj/keys", "../.ssh");
/// let base = Base::new("/home/dev/proj", Some("/home/dev"));
/// let path = resolve(&fs, "keys/id_rsa", &base).unwrap();
/// assert_eq!(path.resolved.to_str(), Some("/home/dev/.ssh/id_rsa"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemoryFs {
    entries: BTreeMap<PathBuf, Entry>,
    folds: bool,
    inodes: u64,
}

#[derive(Clone, Debug)]
enum Entry {
    Directory,
    File { inode: u64, content: Vec<u8>, executable: bool },
    Link(PathBuf),
    Forbidden,
}

impl MemoryFs {
    /// An empty root directory.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an empty file.
    #[must_use]
    pub fn file(self, path: impl AsRef<Path>) -> Self {
        self.file_with(path, "")
    }

    /// Adds a file with this content.
    #[must_use]
    pub fn file_with(self, path: impl AsRef<Path>, content: impl Into<Vec<u8>>) -> Self {
        self.add_file(path.as_ref(), content.into(), false)
    }

    /// Adds an executable file with this content.
    #[must_use]
    pub fn program(self, path: impl AsRef<Path>, content: impl Into<Vec<u8>>) -> Self {
        self.add_file(path.as_ref(), content.into(), true)
    }

    /// Adds a directory.
    #[must_use]
    pub fn dir(mut self, path: impl AsRef<Path>) -> Self {
        self.put(path.as_ref(), Entry::Directory);
        self
    }

    /// Adds a symbolic link with this text.
    #[must_use]
    pub fn link(mut self, path: impl AsRef<Path>, target: impl Into<PathBuf>) -> Self {
        self.put(path.as_ref(), Entry::Link(target.into()));
        self
    }

    /// Adds a second name of a file that exists. Nothing happens if `existing` is no file.
    #[must_use]
    pub fn hard_link(mut self, path: impl AsRef<Path>, existing: impl AsRef<Path>) -> Self {
        if let Some(entry @ Entry::File { .. }) = self.entries.get(&self.key(existing.as_ref())).cloned() {
            self.put(path.as_ref(), entry);
        }
        self
    }

    /// Adds a node that answers every question with "permission denied".
    #[must_use]
    pub fn forbidden(mut self, path: impl AsRef<Path>) -> Self {
        self.put(path.as_ref(), Entry::Forbidden);
        self
    }

    /// Makes names compare without case. Call it before adding anything.
    #[must_use]
    pub fn fold_case(mut self) -> Self {
        self.folds = true;
        self
    }

    fn add_file(mut self, path: &Path, content: Vec<u8>, executable: bool) -> Self {
        self.inodes = self.inodes.saturating_add(1);
        let inode = self.inodes;
        self.put(path, Entry::File { inode, content, executable });
        self
    }

    fn put(&mut self, path: &Path, entry: Entry) {
        for parent in path.ancestors().skip(1) {
            let key = self.key(parent);
            self.entries.entry(key).or_insert(Entry::Directory);
        }
        let key = self.key(path);
        self.entries.insert(key, entry);
    }

    fn key(&self, path: &Path) -> PathBuf {
        if self.folds { PathBuf::from(path.to_string_lossy().to_lowercase()) } else { path.to_path_buf() }
    }

    /// The entry at `path`, links in its parents followed as the kernel does; `follow` says whether the last one is too.
    fn find(&self, path: &Path, follow: Follow) -> io::Result<Option<&Entry>> {
        let mut path = path.to_path_buf();
        // Each round replaces one link, so 41 rounds are 40 links.
        for _ in 0..41 {
            match self.step(&path, follow)? {
                Step::Found(entry) => return Ok(entry),
                Step::Again(next) => path = next,
            }
        }
        Err(io::Error::other("too many links"))
    }

    fn step(&self, path: &Path, follow: Follow) -> io::Result<Step<'_>> {
        let parents: Vec<&Path> = path.ancestors().collect();
        for prefix in parents.iter().rev() {
            let last = *prefix == path;
            match self.entries.get(&self.key(prefix)) {
                None => return Ok(Step::Found(None)),
                Some(Entry::Forbidden) => return Err(ErrorKind::PermissionDenied.into()),
                Some(Entry::Link(target)) if !last || follow == Follow::Yes => {
                    let rest = path.strip_prefix(prefix).unwrap_or(Path::new(""));
                    let target = prefix.parent().unwrap_or(Path::new("/")).join(target).join(rest);
                    return Ok(Step::Again(crate::text::fold_dots(&target)));
                }
                Some(Entry::File { .. } | Entry::Link(_)) if !last => return Ok(Step::Found(None)),
                Some(_) => {}
            }
        }
        Ok(Step::Found(self.entries.get(&self.key(path))))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Follow {
    Yes,
    No,
}

enum Step<'a> {
    Found(Option<&'a Entry>),
    Again(PathBuf),
}

impl FileSystem for MemoryFs {
    fn node(&self, path: &Path) -> io::Result<Option<Node>> {
        let node = |kind, identity, links, executable| Some(Node { kind, identity, links, executable });
        Ok(match self.find(path, Follow::No)? {
            None if path == Path::new("/") => node(NodeKind::Directory, None, 1, true),
            None => None,
            Some(Entry::Directory) => {
                // Device 2: the numbers of directories are no numbers of files.
                let key = self.key(path);
                let inode = self.entries.keys().position(|other| *other == key);
                let identity = inode.and_then(|inode| Some((2, u64::try_from(inode).ok()?)));
                node(NodeKind::Directory, identity, 1, true)
            }
            Some(Entry::Link(_)) => node(NodeKind::Link, None, 1, true),
            Some(Entry::Forbidden) => return Err(ErrorKind::PermissionDenied.into()),
            Some(Entry::File { inode, executable, .. }) => {
                let same = |entry: &&Entry| matches!(entry, Entry::File { inode: other, .. } if other == inode);
                let links = self.entries.values().filter(same).count();
                node(NodeKind::File, Some((1, *inode)), u64::try_from(links).unwrap_or(u64::MAX), *executable)
            }
        })
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        match self.find(path, Follow::No)? {
            Some(Entry::Link(target)) => Ok(target.clone()),
            _ => Err(ErrorKind::InvalidInput.into()),
        }
    }

    fn folds_case(&self, _path: &Path) -> bool {
        self.folds
    }

    fn read(&self, path: &Path, limit: usize) -> io::Result<Option<Vec<u8>>> {
        match self.find(path, Follow::Yes)? {
            None => Ok(None),
            Some(Entry::File { content, .. }) => Ok(Some(content.iter().copied().take(limit).collect())),
            Some(_) => Err(ErrorKind::InvalidInput.into()),
        }
    }
}
