//! Roots
use crate::{Base, ResolvedPath};
/// What a recursive change would destroy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// `/` or a drive
    Filesystem,
    /// a home directory
    Home,
    /// a directory of the system
    System,
}
/// Kind.
pub fn root_kind(_path: &ResolvedPath, _base: &Base) -> Option<Root> {
    None
}
/// Kind of a glob.
pub fn glob_hits_root(_absolute_glob: &str, _base: &Base) -> Option<Root> {
    None
}
