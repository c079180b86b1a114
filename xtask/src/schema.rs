//! Writes or checks `schemas/`.

use std::fs;

use crate::sh::{self, Problem};

/// What to do with the files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Replace what differs.
    Write,
    /// Fail if anything differs.
    Check,
}

/// Brings `schemas/` in line with the Rust types, or says what is out of line.
pub(crate) fn run(mode: Mode) -> Result<(), Problem> {
    let directory = sh::root().join("schemas");
    let mut stale = Vec::new();
    for (name, text) in schemas() {
        let path = directory.join(name);
        if fs::read_to_string(&path).ok().as_deref() == Some(text.as_str()) {
            continue;
        }
        match mode {
            Mode::Check => stale.push(name),
            Mode::Write => {
                fs::create_dir_all(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
                fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
                sh::say(&format!("wrote {}", path.display()));
            }
        }
    }
    if stale.is_empty() {
        Ok(())
    } else {
        Err(format!("out of date: schemas/{}. Run `cargo xtask schema` and commit", stale.join(", schemas/")))
    }
}

fn schemas() -> Vec<(&'static str, String)> {
    portcullis_config::schema::files()
}
