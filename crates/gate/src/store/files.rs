//! Private directories, locks, and files that are replaced whole.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How long a busy lock is waited for. Hooks of one session run in parallel and hold it for well under a millisecond each, but on
/// a busy machine dozens of them wait for the processor too.
const PATIENCE: Duration = Duration::from_secs(10);

/// Makes `directory` with its parents, for its owner only.
pub(super) fn private_directory(directory: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

/// Options that create files for their owner only.
pub(super) fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Takes the exclusive lock at `path`; it is held until the file is dropped. `None`: still busy after [`PATIENCE`].
pub(super) fn lock(path: &Path) -> io::Result<Option<File>> {
    let file = private_file().create(true).truncate(false).write(true).open(path)?;
    match file.try_lock() {
        Ok(()) => return Ok(Some(file)),
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(error)) => return Err(error),
    }
    // The kernel hands the lock on to the next waiter; trying again and again would lose to newcomers. It knows no time limit, so
    // another thread waits: one that comes too late finds nobody to give the lock to, and lets it go.
    let (sender, receiver) = mpsc::sync_channel(1);
    thread::Builder::new().spawn(move || drop(sender.send(file.lock().map(|()| file))))?;
    match receiver.recv_timeout(PATIENCE) {
        Ok(locked) => locked.map(Some),
        Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Ok(None),
    }
}

/// Replaces `path` whole: a reader sees the old text or the new one. Callers hold the lock, so one temporary name is enough.
/// Not synced to disk: a power cut may lose counts, and the delay would be paid at every call.
pub(super) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let fresh = path.with_extension("new");
    let mut file = private_file().create(true).truncate(true).write(true).open(&fresh)?;
    file.write_all(text.as_bytes())?;
    drop(file);
    fs::rename(&fresh, path)
}

/// Reads a small text file; `None` if it is not there.
pub(super) fn read(path: &Path) -> io::Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
