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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::DecisionEntry;

    const ON: portcullis_config::Log = portcullis_config::Log { enabled: true, classifier_io: false };

    fn entry(summary: &str) -> LogEntry {
        LogEntry::Decision(DecisionEntry {
            ts: "1970-01-01T00:00:00Z".to_owned(),
            decision_id: "00000000".to_owned(),
            session_id: None,
            cwd: "/".to_owned(),
            tool: "bash".to_owned(),
            summary: summary.to_owned(),
            kind: "floor",
            outcome: "deny",
            reason: "because".to_owned(),
            rule: None,
            floor: None,
            classifier_model: None,
            reasoning: None,
            duration_ms: None,
        })
    }

    #[test]
    fn lines_of_parallel_writers_stay_whole() {
        let directory = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                let log = FsLog::new(Some(directory.path()), ON);
                scope.spawn(move || (0..25).for_each(|_| log.write(&[entry(&"x".repeat(6_000)), entry("a\nb")])));
            }
        });
        let text = fs::read_to_string(FsLog::path_below(directory.path())).unwrap();
        assert_eq!(text.lines().count(), 8 * 25 * 2);
        for line in text.lines() {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(value["type"], "decision");
        }
    }

    #[test]
    fn a_full_log_is_moved_aside_and_one_older_is_kept() {
        let directory = tempfile::tempdir().unwrap();
        let path = FsLog::path_below(directory.path());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, vec![b'x'; usize::try_from(ROTATE_AT).unwrap()]).unwrap();
        FsLog::new(Some(directory.path()), ON).write(&[entry("new")]);
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1);
        assert_eq!(fs::metadata(path.with_extension("1.jsonl")).unwrap().len(), ROTATE_AT);
    }

    #[test]
    fn a_log_that_is_off_or_can_not_be_written_is_silent() {
        let directory = tempfile::tempdir().unwrap();
        FsLog::new(Some(directory.path()), portcullis_config::Log::default()).write(&[entry("x")]);
        FsLog::new(None, ON).write(&[entry("x")]);
        assert!(!directory.path().join("log").exists());
        fs::write(directory.path().join("log"), "a file where the directory should be").unwrap();
        FsLog::new(Some(directory.path()), ON).write(&[entry("x")]);
    }

    #[test]
    #[cfg(unix)]
    fn the_log_is_for_its_owner_only() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        FsLog::new(Some(directory.path()), ON).write(&[entry("x")]);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let path = FsLog::path_below(directory.path());
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    }
}
