//! The steps of the pipeline, one file each, and their order.

mod allow;
mod ask;
mod deny;
mod enabled;
mod floor;
mod input;
mod inside;
mod inspect;
mod mode;
mod path_gate;
mod read_only;
mod residual;

pub(crate) use path_gate::denied_in_shell;

use portcullis_config::Mode;
use portcullis_matcher::{Facts, ToolCall};

use crate::facts::CallFacts;
use crate::situation::Situation;
use crate::{Policy, Ports, Route, RuleRef, Session, SessionState, Stage};

/// What a stage may look at.
pub(crate) struct Context<'a> {
    pub(crate) policy: &'a Policy,
    pub(crate) ports: &'a Ports<'a>,
    pub(crate) session: &'a Session,
    pub(crate) state: &'a SessionState,
    pub(crate) call: &'a ToolCall,
    pub(crate) mode: Mode,
    /// `Err`: the call can't be understood.
    pub(crate) facts: Result<&'a CallFacts, &'a str>,
    pub(crate) situation: Option<&'a Situation>,
}

/// What a stage found.
#[derive(Debug)]
pub(crate) enum Found {
    /// It has nothing to say; the trace leaves it out.
    Silent,
    /// It looked and passes the call on.
    Next(String),
    /// The gate is off.
    Off(String),
    /// Let it run.
    Allow(Grounds),
    /// Stop it.
    Deny(Grounds, &'static str),
    /// Stop it, or ask where the settings want that and a person is there (`onFloor`).
    Floor(Grounds),
    /// An ask rule: a person has to agree before anything may allow.
    AskRule(RuleRef),
    /// The mode wants a person.
    Person(String),
    /// The classifier is to decide.
    Classify(Route, String),
}

/// Why a stage decided.
#[derive(Debug, Default)]
pub(crate) struct Grounds {
    pub(crate) reason: String,
    pub(crate) rule: Option<RuleRef>,
    pub(crate) floor: Option<&'static str>,
}

impl Grounds {
    pub(crate) fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), ..Self::default() }
    }
}

/// One row of the pipeline.
pub(crate) struct Step {
    pub(crate) stage: Stage,
    pub(crate) look: fn(&Context<'_>) -> Found,
}

/// The order of the pipeline (spec 60-gate). The first stage that decides ends it; [`Stage::Pause`] and [`Stage::Classifier`]
/// follow where the last row sends a call there.
pub(crate) const STEPS: &[Step] = &[
    Step { stage: Stage::Enabled, look: enabled::enabled },
    Step { stage: Stage::Cancelled, look: enabled::cancelled },
    Step { stage: Stage::Input, look: input::look },
    Step { stage: Stage::Deny, look: deny::look },
    Step { stage: Stage::Ask, look: ask::look },
    Step { stage: Stage::Floor, look: floor::look },
    Step { stage: Stage::Inspect, look: inspect::look },
    Step { stage: Stage::PathGate, look: path_gate::look },
    Step { stage: Stage::Mode, look: mode::look },
    Step { stage: Stage::InsideWorkingDirectory, look: inside::look },
    Step { stage: Stage::Allow, look: allow::look },
    Step { stage: Stage::ReadOnly, look: read_only::look },
    Step { stage: Stage::Residual, look: residual::look },
];

/// The facts in the matcher's form, and what goes with them.
pub(crate) fn with_matcher_facts<T>(context: &Context<'_>, facts: &CallFacts, look: impl FnOnce(&Facts<'_>) -> T) -> T {
    let cwd = facts.base.cwd.to_string_lossy();
    let root = context.session.settings_root.as_deref().unwrap_or(&cwd);
    look(&Facts {
        call: context.call,
        analysis: facts.analysis.as_ref(),
        effects: facts.effects.as_ref(),
        paths: &facts.path_facts,
        shell_paths: &facts.shell_paths,
        home: context.session.home.as_deref(),
        cwd: &cwd,
        settings_root: Some(root),
    })
}
