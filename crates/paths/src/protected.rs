//! Protected
use crate::{Base, ResolvedPath};
/// The list.
#[derive(Clone, Debug, Default)]
pub struct ProtectedPaths {}
impl ProtectedPaths {
    /// Built in.
    pub const DEFAULTS: &'static [&'static str] = &[];
    /// New.
    pub fn new(_entries: &[String]) -> Self {
        Self {}
    }
    /// The entry that protects `path`.
    pub fn matches(&self, _path: &ResolvedPath, _base: &Base) -> Option<&str> {
        None
    }
}
