//! What the gate answers.

use std::fmt;

use portcullis_config::RuleSource;
use portcullis_matcher::List;
use serde::Serialize;

/// The answer to a tool call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Let it run.
    Allow,
    /// Stop it.
    Deny,
    /// A person has to be asked by the host.
    Ask,
    /// The gate is off: the host behaves as it would without us.
    Pass,
    /// Only with [`crate::Reach::LocalOnly`]: a model would have been called.
    Undecided,
}

impl Verdict {
    /// The word in logs and output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Pass => "pass",
            Self::Undecided => "undecided",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The steps of the pipeline, in the order in which they look at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Is the gate on?
    Enabled,
    /// Was the turn cancelled?
    Cancelled,
    /// Can the call be understood at all?
    Input,
    /// `permissions.deny`
    Deny,
    /// `permissions.ask`
    Ask,
    /// Denials that nothing overrides.
    Floor,
    /// The gate's own read-only tool.
    Inspect,
    /// Denied paths and scopes that could reach one.
    PathGate,
    /// What the permission mode says by itself.
    Mode,
    /// File tools inside the working directory.
    InsideWorkingDirectory,
    /// `permissions.allow` and the session's own allows.
    Allow,
    /// What is proven to read only.
    ReadOnly,
    /// What the mode says of everything that is still open.
    Residual,
    /// Repeated blocks have paused the classifier.
    Pause,
    /// The model.
    Classifier,
}

impl Stage {
    /// The stable id in traces, logs and output.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Enabled => "enabled",
            Self::Cancelled => "cancelled",
            Self::Input => "input",
            Self::Deny => "permissions.deny",
            Self::Ask => "permissions.ask",
            Self::Floor => "floor",
            Self::Inspect => "inspect",
            Self::PathGate => "path-gate",
            Self::Mode => "mode",
            Self::InsideWorkingDirectory => "inside-working-directory",
            Self::Allow => "permissions.allow",
            Self::ReadOnly => "read-only",
            Self::Residual => "residual",
            Self::Pause => "pause",
            Self::Classifier => "classifier",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A permission rule and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleRef {
    /// Its list.
    pub list: List,
    /// Its text.
    pub text: String,
    /// Where it stands; `None` for an allow of the session.
    pub source: Option<RuleSource>,
    /// What it matched, for people.
    pub detail: String,
}

/// What one stage found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// Which one.
    pub stage: Stage,
    /// What it decided; `None`: it passed the call on.
    pub verdict: Option<Verdict>,
    /// One line for people.
    pub detail: String,
}

/// How the classifier was used.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassifierUse {
    /// Why the call was sent.
    pub route: Route,
    /// Its whole answer, with every request; `None` where there was no model to ask.
    pub verdict: Option<portcullis_classifier::Verdict>,
}

/// Why a call reaches the classifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Route {
    /// A person accepted an ask rule's question, or will be asked.
    AskRule,
    /// It changes a protected path.
    ProtectedPath,
    /// It hands a task to another agent.
    Delegation,
    /// It reads a path that may hold secrets.
    SensitivePath,
    /// It touches a denied path from the shell (`deniedPathsInShell: classify`).
    DeniedPath,
    /// Nothing decided it.
    Residual,
}

/// The gate's answer with everything that led to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Links the entries of the log.
    pub id: String,
    /// The answer.
    pub verdict: Verdict,
    /// The stage that decided.
    pub stage: Stage,
    /// Why, for people: one or two sentences.
    pub reason: String,
    /// What the model is told, where the call does not simply run.
    pub message_for_model: Option<String>,
    /// The permission rule that decided.
    pub rule: Option<RuleRef>,
    /// The floor rule that was hit.
    pub floor: Option<&'static str>,
    /// The classifier's part.
    pub classifier: Option<ClassifierUse>,
    /// Every stage that looked, in order.
    pub trace: Vec<TraceStep>,
    /// No model was called.
    pub local: bool,
    /// Why local allows were off, if they were.
    pub degraded: Option<String>,
    /// The resolved paths that were decided on, in the order of the call's arguments.
    pub paths: Vec<String>,
}
