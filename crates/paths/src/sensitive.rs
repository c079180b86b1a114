//! Sensitive
use crate::{Base, ResolvedPath};
/// A row.
#[derive(Debug)]
pub struct SensitiveRow {
    /// Stable id.
    pub id: &'static str,
    /// Why.
    pub reason: &'static str,
}
/// The row of `path`.
pub fn sensitive(_path: &ResolvedPath, _base: &Base) -> Option<&'static SensitiveRow> {
    None
}
/// The row that a name of the glob may have.
pub fn glob_may_be_sensitive(_absolute_glob: &str, _base: &Base) -> Option<&'static SensitiveRow> {
    None
}
