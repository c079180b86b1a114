//! Floor targets
use crate::{Base, FileSystem, ResolvedPath};
use std::path::PathBuf;
/// A row.
#[derive(Debug)]
pub struct FloorRow {
    /// Stable id.
    pub id: &'static str,
    /// Why.
    pub reason: &'static str,
}
/// A floor file that was hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FloorHit {
    /// Stable id.
    pub id: &'static str,
    /// Why.
    pub reason: &'static str,
}
/// The gate's own files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ControlFiles {
    /// Files, absolute.
    pub files: Vec<PathBuf>,
    /// Directories, absolute: everything below counts.
    pub directories: Vec<PathBuf>,
    /// Other names; filled by `located`.
    pub aliases: Vec<PathBuf>,
    /// (device, inode) of those that exist; filled by `located`.
    pub identities: Vec<(u64, u64)>,
}
impl ControlFiles {
    /// Looks at the disk: where links lead from the control files and from the floor files of `base`'s home, and which inodes they are.
    #[must_use]
    pub fn located(self, _fs: &dyn FileSystem, _base: &Base) -> Self {
        self
    }
}
/// Whether changing `path` changes a floor file.
pub fn floor_target(
    _path: &ResolvedPath,
    _base: &Base,
    _control: &ControlFiles,
) -> Option<FloorHit> {
    None
}
/// Whether deleting or moving the directory takes a floor file with it.
pub fn floor_tree(_path: &ResolvedPath, _base: &Base, _control: &ControlFiles) -> Option<FloorHit> {
    None
}
