//! Who asks, and under which circumstances.

use std::fmt;
use std::sync::Arc;

use portcullis_classifier::{Entry, Instructions};
use portcullis_config::Mode;

/// Whether and how a person can be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Person {
    /// Nobody: what needs a person is denied.
    #[default]
    Absent,
    /// The gate asks now, through its [`crate::Prompter`].
    AskNow,
    /// The host asks when the gate answers [`crate::Verdict::Ask`].
    HostAsks,
}

/// Whether the turn that the call belongs to still runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turn {
    /// It does.
    #[default]
    Running,
    /// The user cancelled it.
    Cancelled,
}

/// How far a decision may reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// A model may be called.
    #[default]
    Full,
    /// Nothing leaves the machine: what would need a model is [`crate::Verdict::Undecided`].
    LocalOnly,
}

/// Whether the call is for the gate's own inspection tool. The host verifies where the tool comes from; its name proves nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToolOrigin {
    /// Any tool.
    #[default]
    Other,
    /// The host has verified that the gate itself provides this tool, and that it is the read-only inspection tool.
    GateInspect,
}

/// The conversation, fetched only where a model is asked.
pub trait Conversation: Send + Sync {
    /// What the user typed and which tools the agent called, oldest first. Nothing that a program put in the user's mouth.
    fn entries(&self) -> Vec<Entry>;
    /// Project instruction files that the agent has loaded.
    fn instructions(&self) -> Vec<Instructions>;
}

/// A session of a host, as far as one decision needs it.
#[derive(Clone, Default)]
pub struct Session {
    /// The host's id of the session. `None`: nothing is remembered.
    pub id: Option<String>,
    /// The user's home directory.
    pub home: Option<String>,
    /// The permission mode that the host reports; `None`: the configured one.
    pub mode: Option<Mode>,
    /// Whether a person can be asked.
    pub person: Person,
    /// Whether the turn still runs.
    pub turn: Turn,
    /// How far the decision may reach.
    pub reach: Reach,
    /// Whose tool is called.
    pub tool_origin: ToolOrigin,
    /// The one file that plan mode may write.
    pub plan_file: Option<String>,
    /// The session's memory directory.
    pub memory_dir: Option<String>,
    /// The session's scratch directory.
    pub scratchpad: Option<String>,
    /// Directories that count like the working directory.
    pub additional_directories: Vec<String>,
    /// The directory that `Edit(/src/**)` starts from; `None`: the working directory.
    pub settings_root: Option<String>,
    /// The command as the agent wrote it, where the host wraps it before running (`cd worktree && …`). Permission rules match
    /// this one too; the floor, the path gate and the classifier see what runs.
    pub original_command: Option<String>,
    /// The conversation.
    pub conversation: Option<Arc<dyn Conversation>>,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("id", &self.id)
            .field("mode", &self.mode)
            .field("person", &self.person)
            .field("turn", &self.turn)
            .field("reach", &self.reach)
            .finish_non_exhaustive()
    }
}
