//! Project config
use crate::{Base, FileSystem};
use std::path::Path;
/// Why a read-only git command in `dir` could run a program.
pub fn git_config_runs_code(_fs: &dyn FileSystem, _dir: &Path) -> Option<String> {
    None
}
/// Why a cargo command in `dir` could run a program of the project's choice.
pub fn cargo_config_runs_code(_fs: &dyn FileSystem, _dir: &Path, _base: &Base) -> Option<String> {
    None
}
/// Why an npm command in `dir` could run a program of the project's choice.
pub fn npm_config_runs_code(_fs: &dyn FileSystem, _dir: &Path, _base: &Base) -> Option<String> {
    None
}
