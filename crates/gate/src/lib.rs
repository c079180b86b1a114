//! The decision pipeline of the Portcullis permission gate: modes, floor, stages, state, log.
//!
//! [`Gate::decide`] takes a tool call and a session and gives a [`Decision`]. The path of a decision: the call's facts are worked
//! out once (paths resolved through links, bash analysed, effects proven), then the stages look at them in a fixed order, and
//! the first that decides ends it. Deny rules, ask rules, the floor and the denied paths come before every tier that allows; what
//! is left goes to the classifier or to a person. Each stage that looked leaves a line in the [`Decision::trace`].
//!
//! Everything around comes in through [`Ports`]: files, clock, people, state, log and model. So a decision can be tested without
//! a process, and nothing here reads the environment. What goes wrong inside is a denial or a question, never an allow; what goes
//! wrong in state or log changes no verdict.

mod decision;
mod evidence;
mod facts;
mod floor;
mod gate;
mod log;
mod messages;
mod model;
mod modes;
mod original;
mod policy;
mod ports;
mod record;
mod redact;
mod rules;
mod secrets;
mod session;
mod situation;
mod stages;
mod state;
mod store;
mod words;

pub use decision::{ClassifierUse, Decision, Route, RuleRef, Stage, TraceStep, Verdict};
pub use floor::{FloorRule, floor_rules};
pub use gate::Gate;
pub use log::{ClassifierEntry, DecisionEntry, DecisionLog, LogEntry, MessageBody, MessageEntry, NoLog};
pub use model::{ModelProblem, PROVIDER_PRESETS, ProviderPreset, block_on, configured_models, model_classifier};
pub use modes::{CycleStops, next_mode};
pub use policy::Policy;
pub use ports::{
    Answer, Classifiers, Clock, NoClassifier, NoPrompter, Ports, Prompter, Question, Ready, SessionAllowOffer,
    SystemClock,
};
pub use session::{Conversation, Person, Reach, Session, ToolOrigin, Turn};
pub use state::{
    Denial, MemoryState, NoState, PauseState, RECENT_DENIALS, SessionAllow, SessionState, StateError, StateStore,
};
pub use store::{FsLog, FsState, TrustError, TrustStore};

pub use portcullis_classifier::{
    BoxFuture, Case, Classify, Entry, Instructions, ModelState, Verdict as ModelVerdict, session_cache_key,
};
pub use portcullis_config::{EffectiveConfig, Mode};
pub use portcullis_matcher::{List, Rule, RuleError, ToolCall, ToolName};
pub use portcullis_paths::{Base, FileSystem, MemoryFs, RealFs, resolve};
pub use portcullis_shell_ast as shell_ast;
