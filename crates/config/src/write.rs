//! Replacing a settings file whole, or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::edit::EditError;

/// Whether the old text is kept beside the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackupPolicy {
    /// No copy.
    None,
    /// A copy under the file's name with this suffix, such as `.portcullis-backup`. An earlier copy is kept,
    /// the new one then gets a number.
    Suffix(String),
}

/// What [`write_atomically`] did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The file that was replaced: the target, where the path is a link.
    pub path: PathBuf,
    /// The copy of the old text.
    pub backup: Option<PathBuf>,
}

/// Replaces a file in one step.
///
/// `old` is the text that `new` was made from, `None` for a file that did not exist. If the file says
/// something else by now, nothing is written. A link is followed and stays a link; permissions are kept; a
/// reader sees the old text or the new one, never a part.
pub fn write_atomically(
    path: &Path,
    old: Option<&str>,
    new: &str,
    backup: &BackupPolicy,
) -> Result<Written, EditError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source: io::Error| EditError::Io { path, source }
    };
    let target = follow(path).map_err(failed(path))?;
    let directory = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        Some(_) | None => PathBuf::from("."),
    };
    if old.is_none() {
        fs::create_dir_all(&directory).map_err(failed(&directory))?;
    }
    // In the same directory: a rename replaces in one step only inside one file system.
    let mut fresh =
        tempfile::Builder::new().prefix(".portcullis-").tempfile_in(&directory).map_err(failed(&directory))?;
    fresh.write_all(new.as_bytes()).map_err(failed(&target))?;
    if old.is_some() {
        let permissions = fs::metadata(&target).map_err(failed(&target))?.permissions();
        fresh.as_file().set_permissions(permissions).map_err(failed(&target))?;
    }
    fresh.as_file().sync_all().map_err(failed(&target))?;
    unchanged(&target, old)?;
    let backup = match (backup, old) {
        (BackupPolicy::None, _) | (_, None) => None,
        (BackupPolicy::Suffix(suffix), Some(old)) => Some(keep_copy(&target, suffix, old).map_err(failed(&target))?),
    };
    let placed = match old {
        Some(_) => fresh.persist(&target).map(drop),
        // Another process may have made the file meanwhile; it is not overwritten.
        None => fresh.persist_noclobber(&target).map(drop),
    };
    placed.map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => EditError::Changed { path: target.clone() },
        _ => EditError::Io { path: target.clone(), source: error.error },
    })?;
    Ok(Written { path: target, backup })
}

/// The file behind links, also where the last link points to nothing yet.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut current = path.to_owned();
    // The kernel's own limit (path_resolution(7)).
    for _ in 0..40 {
        match fs::symlink_metadata(&current) {
            Ok(metadata) if metadata.file_type().is_symlink() => {
                let target = fs::read_link(&current)?;
                current = match current.parent() {
                    Some(parent) => parent.join(target),
                    None => target,
                };
            }
            Ok(metadata) if metadata.is_dir() => return Err(io::Error::other("it is a directory")),
            Ok(_) => return Ok(current),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(current),
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many links"))
}

fn unchanged(target: &Path, old: Option<&str>) -> Result<(), EditError> {
    let same = match (fs::read(target), old) {
        (Ok(now), Some(old)) => now == old.as_bytes(),
        (Err(error), None) => error.kind() == io::ErrorKind::NotFound,
        (Ok(_), None) | (Err(_), Some(_)) => false,
    };
    if same { Ok(()) } else { Err(EditError::Changed { path: target.to_owned() }) }
}

fn keep_copy(target: &Path, suffix: &str, old: &str) -> io::Result<PathBuf> {
    let mut last = io::Error::other("too many copies");
    for number in 0..1000_u32 {
        let mut name = target.as_os_str().to_owned();
        name.push(suffix);
        if number > 0 {
            name.push(format!(".{number}"));
        }
        let copy = PathBuf::from(name);
        match fs::OpenOptions::new().write(true).create_new(true).open(&copy) {
            Ok(mut file) => {
                file.set_permissions(fs::metadata(target)?.permissions())?;
                file.write_all(old.as_bytes())?;
                file.sync_all()?;
                return Ok(copy);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
            Err(error) => return Err(error),
        }
    }
    Err(last)
}
