//! The decision of Portcullis: may this tool call run?
//!
//! A host hands in a [`ToolCall`] and a [`Session`]; [`Gate::decide`] answers with a [`Decision`]: allow, deny, ask or pass, with the
//! stage and rule that decided and a [trace](Decision::trace) of every stage that looked.
//!
//! # The path of one decision
//!
//! First the facts, once: the shell command is analysed and its effects are worked out, and every path, of file tools and of the
//! shell, is resolved as the kernel would. What can't be understood (a missing command, a link loop, half a patch) is denied.
//!
//! Then the stages look, in the order of [`Stage`], which is the order of authority. What restricts comes first: the user's deny
//! rules, ask rules, the [floor](floor_rules) of things that are never done, denied paths. Only then may something allow: the mode,
//! the working directory, allow rules, the proof that a call only reads. A matched ask rule closes all of these for the call: from
//! there only denials and the classifier speak, and at last a person, who so is never asked in vain. What is still open goes to
//! the mode table, which lets it run, asks, denies, or sends it to the classifier.
//!
//! Three habits keep the gate closed when something breaks. An error is a denial, never a skipped stage. Settings that could not be
//! read whole make the policy [degraded](Policy::degraded): nothing is allowed without a person, because the lost line may have been
//! a denial. And what remembers or logs (the [`StateStore`], the [`DecisionLog`]) is told after the decision, so that it can't
//! change one.
//!
//! A person is asked at the gate's own terminal, through a [`Prompter`] ([`Person::AskNow`]), or by a host that is told
//! [`Verdict::Ask`] ([`Person::HostAsks`]). With neither ([`Person::Absent`]) a question is a denial.
//!
//! Everything around comes in through [`Ports`]: files, clock, people, state, log and model. So a decision can be tested without a
//! process around it, and nothing here reads the environment.
//!
//! # Adding to it
//!
//! A stage is one file under `stages/` and one row of its list; a floor rule is one row under `floor/`; the mode table, the
//! bookkeeping tools and every sentence are data in `modes.rs` and `messages.rs`. Tables under `tests/data/` say what must hold.

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
