//! The decision log: JSON lines, one write a line.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::files;
use crate::log::{DecisionLog, LogEntry};

/// When the log is moved aside as `decisions.1.jsonl`, in bytes. One older log is kept.
const ROTATE_AT: u64 = 16 * 1024 * 1024;

/// The log in `<state dir>/log/decisions.jsonl`.
#[derive(Clone, Debug)]
pub struct FsLog {
    path: Option<PathBuf>,
    wanted: portcullis_config::Log,
}

impl FsLog {
    /// A log below `state_dir` that writes what `wanted` says; nothing without a directory.
    pub fn new(state_dir: Option<&Path>, wanted: portcullis_config::Log) -> Self {
        Self { path: state_dir.map(Self::path_below), wanted }
    }

    /// Where the log of `state_dir` is.
    pub fn path_below(state_dir: &Path) -> PathBuf {
        state_dir.join("log").join("decisions.jsonl")
    }
}

impl DecisionLog for FsLog {
    fn write(&self, entries: &[LogEntry]) {
        let Some(path) = self.path.as_ref().filter(|_| self.wanted.enabled) else { return };
        let mut wanted = entries
            .iter()
            .filter(|entry| match entry {
                LogEntry::Decision(_) | LogEntry::Message(_) => true,
                LogEntry::Classifier(_) => self.wanted.classifier_io,
            })
            .filter_map(|entry| serde_json::to_string(entry).ok())
            .peekable();
        if wanted.peek().is_none() || path.parent().is_none_or(|parent| files::private_directory(parent).is_err()) {
            return;
        }
        rotate(path);
        let Ok(mut file) = files::private_file().create(true).append(true).open(path) else { return };
        for mut line in wanted {
            line.push('\n');
            // One write a line: with O_APPEND the lines of parallel processes don't mix (POSIX write(2)). A line that can't be
            // written is lost, no more.
            drop(file.write(line.as_bytes()));
        }
    }
}

/// Moves a full log aside. Two processes may both see it full; the second rename then moves a nearly empty log, which loses
/// older lines at worst.
fn rotate(path: &Path) {
    let full = fs::metadata(path).is_ok_and(|metadata| metadata.len() >= ROTATE_AT);
    let lock = path.with_extension("lock");
    if full
        && let Ok(Some(_lock)) = files::lock(&lock)
        && fs::metadata(path).is_ok_and(|metadata| metadata.len() >= ROTATE_AT)
    {
        drop(fs::rename(path, path.with_extension("1.jsonl")));
    }
}
