//! Changing a settings file.

use std::{fs, io, path::Path};

use portcullis_config::edit::{BackupPolicy, EditError, Written, write_atomically};

use crate::commands::Failure;

/// A settings file's text; `None` if there is none. A mark or comments in it stay as they are.
pub(crate) fn read(path: &Path) -> Result<Option<String>, Failure> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::failed(format!("{}: {error}", path.display()))),
    }
}

/// Reads, changes and replaces a file; one that is as it should be is left alone.
pub(crate) fn edit(
    path: &Path,
    backup: &BackupPolicy,
    change: impl FnOnce(&str) -> Result<String, EditError>,
) -> Result<Option<Written>, Failure> {
    let old = read(path)?;
    let base = old.as_deref().filter(|text| !text.trim().is_empty()).unwrap_or("{}\n");
    let new = change(base).map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?;
    if old.as_deref() == Some(new.as_str()) {
        return Ok(None);
    }
    write_atomically(path, old.as_deref(), &new, backup).map(Some).map_err(Failure::failed)
}
