//! Projects whose own files count.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::files;

/// The trust list could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrustError {
    /// No state directory is known.
    #[error("there is no place to remember trust: the home directory is not known")]
    NoPlace,
    /// The directory is not there.
    #[error("`{path}` can't be trusted: {source}")]
    Directory {
        /// The directory.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The list's file.
    #[error("the trust list `{path}` can't be used: {source}")]
    File {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
}

/// Canonical directories that the user trusts, in `<state dir>/trust.json`.
#[derive(Clone, Debug)]
pub struct TrustStore {
    path: Option<PathBuf>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Contents {
    directories: Vec<PathBuf>,
}

impl TrustStore {
    /// The list below `state_dir`.
    pub fn new(state_dir: Option<&Path>) -> Self {
        Self { path: state_dir.map(|directory| directory.join("trust.json")) }
    }

    /// The nearest trusted directory at or above `directory`, by its canonical path: a project that was moved, or made anew
    /// at another place, is not trusted. A list that can't be read trusts nothing.
    pub fn trusted_root(&self, directory: &Path) -> Option<PathBuf> {
        let trusted = self.list();
        if trusted.is_empty() {
            return None;
        }
        let canonical = fs::canonicalize(directory).ok()?;
        canonical.ancestors().find(|ancestor| trusted.iter().any(|path| path == ancestor)).map(Path::to_path_buf)
    }

    /// Every trusted directory.
    pub fn list(&self) -> Vec<PathBuf> {
        let text = self.path.as_ref().and_then(|path| files::read(path).ok().flatten());
        text.and_then(|text| serde_json::from_str::<Contents>(&text).ok()).unwrap_or_default().directories
    }

    /// Trusts `directory`; returns its canonical path.
    pub fn add(&self, directory: &Path) -> Result<PathBuf, TrustError> {
        let canonical = fs::canonicalize(directory)
            .map_err(|source| TrustError::Directory { path: directory.display().to_string(), source })?;
        self.change(|directories| {
            if !directories.contains(&canonical) {
                directories.push(canonical.clone());
            }
        })?;
        Ok(canonical)
    }

    /// Stops trusting `directory`, which may be gone by now. Answers whether it was trusted.
    pub fn remove(&self, directory: &Path) -> Result<bool, TrustError> {
        let canonical = fs::canonicalize(directory).unwrap_or_else(|_| directory.to_path_buf());
        let mut found = false;
        self.change(|directories| {
            let before = directories.len();
            directories.retain(|path| *path != canonical);
            found = directories.len() != before;
        })?;
        Ok(found)
    }

    fn change(&self, change: impl FnOnce(&mut Vec<PathBuf>)) -> Result<(), TrustError> {
        let path = self.path.as_ref().ok_or(TrustError::NoPlace)?;
        let failed = |source: io::Error| TrustError::File { path: path.display().to_string(), source };
        if let Some(parent) = path.parent() {
            files::private_directory(parent).map_err(failed)?;
        }
        let lock = files::lock(&path.with_extension("lock")).map_err(failed)?;
        let _lock = lock.ok_or_else(|| failed(io::Error::other("another process is changing it; try again")))?;
        // A list that makes no sense is not written over: it may hold what the user once said.
        let mut contents: Contents = match files::read(path).map_err(failed)? {
            Some(text) => serde_json::from_str(&text).map_err(|error| failed(io::Error::other(error)))?,
            None => Contents::default(),
        };
        change(&mut contents.directories);
        let text = serde_json::to_string_pretty(&contents).map_err(|error| failed(io::Error::other(error)))?;
        files::replace(path, &text).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trust_is_of_one_canonical_directory_and_what_is_below() {
        let directory = tempfile::tempdir().unwrap();
        let project = directory.path().join("project");
        fs::create_dir_all(project.join("src")).unwrap();
        fs::create_dir_all(directory.path().join("project2")).unwrap();
        let store = TrustStore::new(Some(&directory.path().join("state")));
        assert_eq!(store.trusted_root(&project), None);
        let canonical = store.add(&project).unwrap();
        assert_eq!(store.trusted_root(&project.join("src")), Some(canonical.clone()));
        assert_eq!(store.trusted_root(&directory.path().join("project2")), None, "a name that starts alike");
        fs::rename(&project, directory.path().join("moved")).unwrap();
        assert_eq!(store.trusted_root(&directory.path().join("moved")), None, "moved");
        assert!(store.remove(&canonical).unwrap());
        assert!(store.list().is_empty());
    }

    #[test]
    fn a_broken_list_trusts_nothing_and_is_not_written_over() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("trust.json"), "{ not json").unwrap();
        let store = TrustStore::new(Some(directory.path()));
        assert_eq!(store.trusted_root(directory.path()), None);
        assert!(store.add(directory.path()).is_err());
        assert_eq!(fs::read_to_string(directory.path().join("trust.json")).unwrap(), "{ not json");
    }
}
