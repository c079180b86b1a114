//! What a session remembers, and where.

use std::sync::Mutex;

use portcullis_classifier::ModelState;
use serde::{Deserialize, Serialize};

/// How many denials are kept.
pub const RECENT_DENIALS: usize = 12;

/// What one session remembers. Unknown fields of a newer version are ignored, missing ones are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SessionState {
    /// The gate was switched on or off for this session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled_override: Option<bool>,
    /// The permission mode that the user chose for this session, by its name in settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// The last verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_decision: Option<String>,
    /// Its reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_reason: Option<String>,
    /// Calls that the gate has looked at.
    pub checked_actions: u64,
    /// Those that it denied.
    pub blocked_actions: u64,
    /// Those that the classifier allowed.
    pub classifier_allowed: u64,
    /// Those that the classifier blocked.
    pub classifier_denied: u64,
    /// The latest denials, oldest first.
    pub recent_denials: Vec<Denial>,
    /// Calls that the user allowed for this session.
    pub session_allows: Vec<SessionAllow>,
    /// Repeated blocks.
    pub pause: PauseState,
    /// Which classifier models work.
    pub models: ModelState,
}

/// One denial.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Denial {
    /// When, RFC 3339.
    pub timestamp: String,
    /// The tool.
    pub tool_name: String,
    /// Why.
    pub reason: String,
    /// What, shortened, secrets redacted.
    pub action: String,
    /// The stage that denied.
    pub kind: String,
}

/// A call that the user allowed for the session: exactly this one, never a pattern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionAllow {
    /// Canonical tool name.
    pub tool: String,
    /// The command of a shell call; `None`: every call of the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

/// Repeated blocks of the classifier.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PauseState {
    /// Blocks in a row.
    pub consecutive: u32,
    /// Blocks since the last pause.
    pub total: u32,
    /// Classifying is paused until a person approves something.
    pub paused: bool,
}

impl PauseState {
    /// The classifier allowed a call.
    pub fn allowed(&mut self) {
        self.consecutive = 0;
    }

    /// The classifier blocked a call. Failures, timeouts and cancellations are no blocks. Answers whether this one tripped the
    /// pause; the total starts anew then, so that one approval is not used up at once.
    pub fn blocked(&mut self, limits: portcullis_config::Pause) -> bool {
        if self.paused {
            return false;
        }
        self.consecutive = self.consecutive.saturating_add(1);
        self.total = self.total.saturating_add(1);
        let trips = |count: u32, limit: u32| limit > 0 && count >= limit;
        self.paused = trips(self.consecutive, limits.consecutive) || trips(self.total, limits.total);
        if self.paused {
            self.total = 0;
        }
        self.paused
    }

    /// A person approved a call.
    pub fn resume(&mut self) {
        self.paused = false;
        self.consecutive = 0;
    }
}

impl SessionState {
    /// Adds a denial and drops the oldest ones.
    pub fn push_denial(&mut self, denial: Denial) {
        self.recent_denials.push(denial);
        let surplus = self.recent_denials.len().saturating_sub(RECENT_DENIALS);
        self.recent_denials.drain(..surplus);
    }

    /// Allows a call for the session.
    pub fn allow(&mut self, allow: SessionAllow) {
        if !self.session_allows.contains(&allow) {
            self.session_allows.push(allow);
        }
    }
}

/// The state could not be read or written. Never changes a verdict to allow.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// Another process holds the lock.
    #[error("the state of this session is in use by another process")]
    Busy,
    /// The file system's answer.
    #[error("the state at `{path}` can't be used: {source}")]
    Io {
        /// Where.
        path: String,
        /// Why.
        source: std::io::Error,
    },
}

/// Keeps the state of sessions.
///
/// Hooks run as parallel processes: `update` reads, changes and writes under a lock, so that no count is lost. `change` is called
/// at most once, and not at all on an error. A state that can't be understood is set aside and begins anew, which never allows.
pub trait StateStore: Send + Sync {
    /// Changes the state of `session`.
    fn update(&self, session: &str, change: &mut dyn FnMut(&mut SessionState)) -> Result<(), StateError>;
    /// The state of `session`; empty if there is none.
    fn read(&self, session: &str) -> Result<SessionState, StateError>;
}

/// Remembers nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoState;

impl StateStore for NoState {
    fn update(&self, _session: &str, _change: &mut dyn FnMut(&mut SessionState)) -> Result<(), StateError> {
        Ok(())
    }

    fn read(&self, _session: &str) -> Result<SessionState, StateError> {
        Ok(SessionState::default())
    }
}

/// Remembers for the life of the process.
#[derive(Debug, Default)]
pub struct MemoryState(Mutex<std::collections::BTreeMap<String, SessionState>>);

impl StateStore for MemoryState {
    fn update(&self, session: &str, change: &mut dyn FnMut(&mut SessionState)) -> Result<(), StateError> {
        let mut all = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        change(all.entry(session.to_owned()).or_default());
        Ok(())
    }

    fn read(&self, session: &str) -> Result<SessionState, StateError> {
        let all = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(all.get(session).cloned().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pause_trips_on_either_count_and_a_resume_is_not_used_up_at_once() {
        let limits = portcullis_config::Pause { consecutive: 3, total: 5 };
        let mut pause = PauseState::default();
        assert_eq!([pause.blocked(limits), pause.blocked(limits)], [false, false]);
        pause.allowed();
        assert_eq!([pause.blocked(limits), pause.blocked(limits)], [false, false]);
        assert!(pause.blocked(limits), "fifth in total, third in a row");
        assert!(!pause.blocked(limits), "a pause trips once");
        pause.resume();
        assert_eq!([pause.blocked(limits), pause.blocked(limits), pause.blocked(limits)], [false, false, true]);
    }

    #[test]
    fn zero_switches_a_limit_off() {
        let mut pause = PauseState::default();
        assert!((0..100).all(|_| !pause.blocked(portcullis_config::Pause { consecutive: 0, total: 0 })));
    }

    #[test]
    fn only_the_latest_denials_are_kept() {
        let mut state = SessionState::default();
        for at in 0..20 {
            let (tool_name, reason, action, kind) = Default::default();
            state.push_denial(Denial { timestamp: at.to_string(), tool_name, reason, action, kind });
        }
        let kept: Vec<_> = state.recent_denials.iter().map(|denial| denial.timestamp.as_str()).collect();
        assert_eq!((kept.len(), kept.first(), kept.last()), (12, Some(&"8"), Some(&"19")));
    }
}
