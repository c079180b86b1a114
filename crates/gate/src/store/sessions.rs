//! One JSON file a session.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::files;
use crate::state::{SessionState, StateError, StateStore};

/// Longest id that is written out: 80 bytes are at most 240 characters, and file names have 255 (limits.h(0p), NAME_MAX).
const LONGEST_ID: usize = 80;

/// Session state in `<state dir>/sessions`. Without a directory nothing is remembered.
#[derive(Clone, Debug)]
pub struct FsState {
    directory: Option<PathBuf>,
}

impl FsState {
    /// State below `state_dir`; nothing is made until something is written.
    pub fn new(state_dir: Option<&Path>) -> Self {
        Self { directory: state_dir.map(|directory| directory.join("sessions")) }
    }

    /// The ids of the sessions that have state, latest change first.
    pub fn sessions(&self) -> Vec<String> {
        let Some(entries) = self.directory.as_ref().and_then(|directory| fs::read_dir(directory).ok()) else {
            return Vec::new();
        };
        let mut found: Vec<(SystemTime, String)> = entries
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let session = decode(name.strip_suffix(".json")?)?;
                Some((entry.metadata().ok()?.modified().ok()?, session))
            })
            .collect();
        found.sort_by(|a, b| b.cmp(a));
        found.into_iter().map(|(_, session)| session).collect()
    }

    /// Forgets a session. What is not there needs no forgetting.
    pub fn remove(&self, session: &str) -> Result<(), StateError> {
        let Some(path) = self.path(session) else { return Ok(()) };
        let Some(_lock) = self.locked(&path)? else { return Err(StateError::Busy) };
        match fs::remove_file(&path) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(source) => Err(failed(&path, source)),
        }
    }

    fn path(&self, session: &str) -> Option<PathBuf> {
        self.directory.as_ref().map(|directory| directory.join(format!("{}.json", encode(session))))
    }

    fn locked(&self, path: &Path) -> Result<Option<fs::File>, StateError> {
        if let Some(directory) = &self.directory {
            files::private_directory(directory).map_err(|source| failed(directory, source))?;
        }
        files::lock(&path.with_extension("lock")).map_err(|source| failed(path, source))
    }
}

impl StateStore for FsState {
    fn update(&self, session: &str, change: &mut dyn FnMut(&mut SessionState)) -> Result<(), StateError> {
        let Some(path) = self.path(session) else { return Ok(()) };
        let Some(_lock) = self.locked(&path)? else { return Err(StateError::Busy) };
        let mut state = load(&path)?;
        change(&mut state);
        let text = serde_json::to_string(&state).map_err(|error| failed(&path, io::Error::other(error)))?;
        files::replace(&path, &text).map_err(|source| failed(&path, source))
    }

    fn read(&self, session: &str) -> Result<SessionState, StateError> {
        match self.path(session) {
            Some(path) => load(&path),
            None => Ok(SessionState::default()),
        }
    }
}

/// Reads a state. One that makes no sense is set aside under another name, for a person to look at, and begins anew: without
/// its session allows, so it never allows more.
fn load(path: &Path) -> Result<SessionState, StateError> {
    let text = match files::read(path) {
        Ok(Some(text)) => text,
        Ok(None) => return Ok(SessionState::default()),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => String::new(),
        Err(source) => return Err(failed(path, source)),
    };
    if let Ok(state) = serde_json::from_str(&text) {
        return Ok(state);
    }
    tracing::warn!(path = %path.display(), "session state makes no sense; set aside and begun anew");
    fs::rename(path, path.with_extension("corrupt")).map_err(|source| failed(path, source))?;
    Ok(SessionState::default())
}

fn failed(path: &Path, source: io::Error) -> StateError {
    StateError::Io { path: path.display().to_string(), source }
}

/// A file name for any session id: letters, digits, `-` and `_` stay, other bytes become `%XX`. An id too long for a file
/// name is written as its hash, so that no two sessions share one state.
fn encode(session: &str) -> String {
    if session.len() > LONGEST_ID {
        return portcullis_classifier::session_cache_key(&[session]);
    }
    let mut name = String::new();
    for byte in session.bytes() {
        if byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_' {
            name.push(char::from(byte));
        } else {
            name.push('%');
            let digit = |value: u8| char::from_digit(u32::from(value), 16).map(|digit| digit.to_ascii_uppercase());
            name.extend([byte >> 4, byte & 15].into_iter().filter_map(digit));
        }
    }
    name
}

/// The id of a file name.
fn decode(name: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_session_id_is_one_plain_file_name() {
        for id in ["4f1c-ab", "../../etc/passwd", "a/b", "", "a.b", "ü", "%2F"] {
            let name = encode(id);
            assert!(!name.contains(['/', '.', '\\']), "{id} -> {name}");
            assert_eq!(decode(&name).as_deref(), Some(id));
        }
    }

    #[test]
    fn long_session_ids_that_start_alike_are_two_sessions() {
        let (one, two) = (format!("{}1", "x".repeat(500)), format!("{}2", "x".repeat(500)));
        assert_ne!(encode(&one), encode(&two));
        assert!(encode(&one).len() < 250);
    }

    #[test]
    fn parallel_updates_lose_no_count() {
        let directory = tempfile::tempdir().unwrap();
        let state = FsState::new(Some(directory.path()));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..25 {
                        state.update("s", &mut |state| state.checked_actions += 1).unwrap();
                    }
                });
            }
        });
        assert_eq!(state.read("s").unwrap().checked_actions, 200);
        assert_eq!(state.sessions(), ["s"]);
        state.remove("s").unwrap();
        assert_eq!(state.read("s").unwrap(), SessionState::default());
    }

    #[test]
    fn state_that_makes_no_sense_is_set_aside_and_forgets_its_allows() {
        let directory = tempfile::tempdir().unwrap();
        let state = FsState::new(Some(directory.path()));
        for junk in ["", "{", "7", "\u{0}", "{\"sessionAllows\": \"all\"}"] {
            fs::create_dir_all(directory.path().join("sessions")).unwrap();
            fs::write(directory.path().join("sessions/s.json"), junk).unwrap();
            assert_eq!(state.read("s").unwrap(), SessionState::default(), "{junk}");
            assert_eq!(fs::read_to_string(directory.path().join("sessions/s.corrupt")).unwrap(), junk);
        }
    }

    #[test]
    #[cfg(unix)]
    fn state_is_for_its_owner_only() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().join("portcullis");
        FsState::new(Some(&root)).update("s", &mut |_| ()).unwrap();
        let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(root.join("sessions")), 0o700);
        assert_eq!(mode(root.join("sessions/s.json")), 0o600);
    }
}
