//! Inside a directory
use crate::{Base, ResolvedPath};
/// Whether `path` is one of `directories` or below one.
pub fn inside(path: &ResolvedPath, directories: &[ResolvedPath]) -> bool {
    directories
        .iter()
        .any(|directory| path.resolved.starts_with(&directory.resolved))
}
/// Why `cwd` is no working tree.
pub fn working_tree_problem(_cwd: &ResolvedPath, _base: &Base) -> Option<String> {
    None
}
