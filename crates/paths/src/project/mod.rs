//! Whether a project's own configuration makes a reading command of a tool run a program.
//!
//! `git status` is harmless until `.git/config` names an fsmonitor. Only the repository's or project's own files are judged; what
//! the user configured for themselves is theirs. Each function answers why the command could run a program, and answers so too
//! where it can't tell. `None` is the only all-clear.

mod cargo;
mod git;
mod git_config;
mod keys;
mod npm;

pub use cargo::cargo_config_runs_code;
pub use git::git_config_runs_code;
pub use npm::npm_config_runs_code;

use std::path::Path;

use crate::fs::FileSystem;

/// Longest configuration file that is read, in bytes.
const MAX_CONFIG: usize = 1 << 20;

enum Text {
    Missing,
    Here(String),
    /// Why it could not be read.
    Unknown(String),
}

fn read_text(fs: &dyn FileSystem, path: &Path) -> Text {
    let unknown = |why: &str| Text::Unknown(format!("`{}` {why}", path.display()));
    match fs.read(path, MAX_CONFIG.saturating_add(1)) {
        Ok(None) => Text::Missing,
        Ok(Some(bytes)) if bytes.len() > MAX_CONFIG => unknown("is too long to be checked"),
        Ok(Some(bytes)) => String::from_utf8(bytes).map_or_else(|_| unknown("is not text"), Text::Here),
        Err(_) => unknown("can't be read"),
    }
}
