//! deniedPaths
use crate::{Base, FileSystem, ResolvedPath};
/// One compiled pattern.
#[derive(Clone, Debug)]
pub struct PathPattern {}
/// What is wrong with a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternProblem {
    /// Its place in the list.
    pub index: usize,
    /// Its text.
    pub pattern: String,
    /// What is wrong.
    pub message: String,
    /// The likely fix.
    pub hint: Option<String>,
}
/// The compiled list.
#[derive(Clone, Debug, Default)]
pub struct DeniedPaths {}
impl DeniedPaths {
    /// Compiles.
    pub fn compile(
        _patterns: &[String],
        _base: &Base,
        _fs: &dyn FileSystem,
    ) -> (Self, Vec<PatternProblem>) {
        (Self {}, Vec::new())
    }
    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        true
    }
    /// The pattern that denies `path`.
    pub fn matches(&self, _path: &ResolvedPath) -> Option<&str> {
        None
    }
    /// The pattern that could deny something below `scope`.
    pub fn scope_may_contain(&self, _scope: &ResolvedPath) -> Option<&str> {
        None
    }
    /// The pattern that could deny something the operand glob names.
    pub fn glob_may_match(&self, _absolute_glob: &str) -> Option<&str> {
        None
    }
}
