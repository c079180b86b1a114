//! Everything this process takes from around it: environment, directories, time limits. Read once, here, and passed on as
//! values; nothing below looks at the environment on its own.

use std::{
    env,
    path::{Path, PathBuf},
};

/// What the process was started with.
#[derive(Clone, Debug)]
pub(crate) struct Ambient {
    /// Home directory, if one is known.
    pub(crate) home: Option<PathBuf>,
    /// Current directory, if it exists.
    pub(crate) cwd: Option<PathBuf>,
    /// Our own configuration directory (`$XDG_CONFIG_HOME/portcullis` or the platform's).
    pub(crate) config_dir: Option<PathBuf>,
    /// Our own state directory (`$XDG_STATE_HOME/portcullis` or the platform's).
    pub(crate) state_dir: Option<PathBuf>,
    /// `PORTCULLIS_SETTINGS_JSON`.
    pub(crate) inline: Inline,
    /// The managed configuration that an administrator owns.
    pub(crate) managed: PathBuf,
    /// Our own program.
    pub(crate) program: Option<PathBuf>,
}

/// The inline settings variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Inline {
    /// Not set.
    Absent,
    /// Its text.
    Text(String),
    /// Set, but not Unicode: it can't be read, which is not the same as not being there.
    Unreadable,
}

impl Ambient {
    /// Reads the environment.
    pub(crate) fn read() -> Self {
        // Falls back to the user database, so that a host that clears HOME does not lose the user's deny rules.
        let home = env::home_dir().filter(|path| path.is_absolute());
        let below_home =
            |parts: &[&str]| home.as_ref().map(|home| parts.iter().fold(home.clone(), |path, part| path.join(part)));
        let config_root = absolute("XDG_CONFIG_HOME").or_else(|| {
            if cfg!(target_os = "macos") {
                below_home(&["Library", "Application Support"])
            } else if cfg!(windows) {
                absolute("APPDATA")
            } else {
                below_home(&[".config"])
            }
        });
        let state_root = absolute("XDG_STATE_HOME").or_else(|| {
            if cfg!(target_os = "macos") {
                below_home(&["Library", "Application Support"])
            } else if cfg!(windows) {
                absolute("LOCALAPPDATA")
            } else {
                below_home(&[".local", "state"])
            }
        });
        let managed = if cfg!(target_os = "macos") {
            "/Library/Application Support/portcullis/config.json"
        } else if cfg!(windows) {
            "C:\\ProgramData\\portcullis\\config.json"
        } else {
            "/etc/portcullis/config.json"
        };
        Self {
            cwd: env::current_dir().ok(),
            config_dir: config_root.map(|root| root.join("portcullis")),
            state_dir: state_root.map(|root| root.join("portcullis")),
            inline: inline(),
            managed: PathBuf::from(managed),
            program: env::current_exe().ok(),
            home,
        }
    }
}

/// A variable that must hold an absolute path to count (XDG Base Directory Specification: "All paths must be absolute").
fn absolute(name: &str) -> Option<PathBuf> {
    env::var_os(name).map(PathBuf::from).filter(|path| Path::is_absolute(path))
}

fn inline() -> Inline {
    match env::var("PORTCULLIS_SETTINGS_JSON") {
        Ok(text) if text.trim().is_empty() => Inline::Absent,
        Ok(text) => Inline::Text(text),
        Err(env::VarError::NotPresent) => Inline::Absent,
        Err(env::VarError::NotUnicode(_)) => Inline::Unreadable,
    }
}
