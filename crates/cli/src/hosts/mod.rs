//! Hosts: the agents that ask. One file a host, one row in [`HOSTS`].
//!
//! A host adapter does three things: reads the host's JSON into an [`Event`], says a verdict in the host's own words, and
//! knows the shape of the host's settings for `install`. Protocol facts, with what real clients were seen to do, are cited
//! as `spec/hosts.md`; what matters most is in `docs/hosts.md`.

mod claude_code;
mod claude_transcript;
mod generic;

use std::{fmt, sync::Arc};

use portcullis_gate::{Conversation, Decision, Mode};
use serde_json::Value;

use crate::process::Answer;

/// Every host, in the order in which `--help` and `doctor` list them.
pub(crate) const HOSTS: &[&dyn Host] = &[&claude_code::ClaudeCode, &generic::Generic];

/// The host of that name.
pub(crate) fn find(name: &str) -> Option<&'static dyn Host> {
    HOSTS.iter().copied().find(|host| host.id() == name)
}

/// Their names, for messages.
pub(crate) fn names() -> String {
    HOSTS.iter().map(|host| host.id()).collect::<Vec<_>>().join(", ")
}

/// One agent program.
pub(crate) trait Host: Sync {
    /// Name on the command line.
    fn id(&self) -> &'static str;
    /// Reads one hook input.
    fn parse(&self, input: &Value) -> Result<Event, HostProblem>;
    /// The answer to a tool call. `Ask` only reaches hosts that can ask.
    fn answer(&self, decision: &Decision) -> Answer;
    /// The host's settings, where our hook can be installed.
    fn wiring(&self) -> Option<&'static dyn Wiring>;
}

/// How a host's settings file takes our hook.
pub(crate) trait Wiring: Sync {
    /// Path below the home directory.
    fn settings(&self) -> &'static [&'static str];
    /// Seconds after which the host gives up on the hook (and lets the tool run).
    fn timeout_seconds(&self) -> u64;
    /// Where the hook entries stand: keys from the root to the array that holds ours.
    fn array(&self) -> &'static [&'static str];
    /// Our entry for `program`.
    fn entry(&self, program: &str) -> Value;
    /// The key of an element's list of hooks.
    fn hooks_key(&self) -> &'static str;
    /// Whether one hook of an element is ours: the program that it runs.
    fn program_of(&self, hook: &Value) -> Option<String>;
    /// Why an element does not stand for every tool, if so.
    fn covers_everything(&self, element: &Value) -> Option<String>;
    /// A settings object in which the host does not call hooks at all, and why.
    fn disabled(&self, settings: &Value) -> Option<String>;
    /// A hook input that must be denied, for `doctor`.
    fn canary(&self, cwd: &str) -> Value;
}

/// What a host tells or asks.
#[derive(Debug)]
pub(crate) enum Event {
    /// A tool call is about to run.
    ToolCall(Box<CallEvent>),
    /// Nothing that is ours to answer (a session started …): exit 0, no output.
    Ignored,
}

/// A tool call, as every host tells it.
pub(crate) struct CallEvent {
    /// The host's name for the tool.
    pub(crate) tool: String,
    /// Its input.
    pub(crate) input: Value,
    /// Working directory of the session.
    pub(crate) cwd: String,
    /// Session id, if the host has one.
    pub(crate) session: Option<String>,
    /// The host's own permission mode, if it tells one that we know.
    pub(crate) mode: Option<Mode>,
    /// The host can put a question to a person.
    pub(crate) can_ask: bool,
    /// What was said so far, read only where a model is asked.
    pub(crate) conversation: Option<Arc<dyn Conversation>>,
}

impl fmt::Debug for CallEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallEvent").field("tool", &self.tool).field("cwd", &self.cwd).finish_non_exhaustive()
    }
}

/// Why a hook input can't be judged. Every one blocks the tool.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum HostProblem {
    #[error("the input is not a JSON object")]
    NotAnObject,
    #[error("the input has no `{key}` that is a non-blank string")]
    Missing { key: &'static str },
    #[error("`{key}` of the input is neither true nor false")]
    NotBoolean { key: &'static str },
    #[error("`{name}` is not a permission mode. Known: {known}", known = Mode::WORDS.join(", "))]
    UnknownMode { name: String },
    #[error(
        "the hook event `{name}` is not known to Portcullis, so it can't be told whether a tool waits for the answer"
    )]
    UnknownEvent { name: String },
}

/// A member of `object` that must be a non-blank string.
pub(crate) fn text<'a>(object: &'a Value, key: &'static str) -> Result<&'a str, HostProblem> {
    object.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty()).ok_or(HostProblem::Missing { key })
}
