//! A model classifier for agent tool calls: given one exact action and the evidence around it, answer whether it may run.
//!
//! Two halves with a narrow line between them:
//!
//! - A [`Transport`] carries one [`Request`] to one model and brings one [`Reply`] back. [`openai::OpenAi`] speaks to any
//!   OpenAI-compatible endpoint; [`scripted::Scripted`] answers from a script, for tests, evals and demos.
//! - A [`Classifier`] writes the prompt, runs the stages, parses the answers strictly and turns them into an [`Outcome`]. It is
//!   generic over the transport and knows nothing of HTTP, of configuration files, or of the gate that asks.
//!
//! Three decisions shape everything here:
//!
//! 1. **Only a well-formed *allow* allows.** Errors, timeouts, refusals, cut-off or decorated replies are [`Outcome::Failed`],
//!    never an allow, and never a judgement of the call either: a caller can tell "the model said no" from "there was no answer".
//! 2. **Content can't pose as structure.** Everything that an agent, a repository or a person wrote reaches the model as one-line
//!    JSON strings or as prefixed lines inside a fence, with `<` escaped, so that no content can close its fence, start a message
//!    or imitate another speaker. The action under judgement travels whole, in a message of its own.
//! 3. **Nothing ambient.** No environment variable, proxy setting or file chooses the endpoint or the key. Time is tokio's, so the
//!    caller's runtime bounds every request and tests run on a paused clock. Dropping a future cancels its request.
//!
//! ```
//! # use portcullis_classifier::{*, scripted::Scripted};
//! # use serde_json::json;
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
//! # runtime.block_on(async {
//! let model = Scripted::from_jsonl("demo/model", r#"{"text": "0"}"#).unwrap();
//! let classifier = Classifier::new(vec![model], Policy::default(), Settings::default());
//! let action = ActionJson::new("bash", &json!({"command": "npm test"})).unwrap();
//! let verdict = classifier.classify(&Case::new(action), &ModelState::default()).await;
//! assert!(matches!(verdict.outcome, Outcome::Allow { .. }));
//! # });
//! ```

mod action;
mod case;
mod classifier;
mod failure;
mod model;
pub mod openai;
mod outcome;
mod policy;
mod prompt;
mod protocol;
mod reasoning;
pub mod scripted;
mod secret;
mod text;
mod transcript;
mod transport;

pub use action::{ActionError, ActionJson};
pub use case::{Case, Entry, Evidence, Instructions, Section};
pub use classifier::{Classifier, Classify, Settings};
pub use failure::{Failure, FailureKind, ParseFailureKindError};
pub use model::{ModelChange, ModelId, ModelState, SetAside, session_cache_key};
pub use outcome::{AllowTier, Attempt, BlockTier, Outcome, Stage, Verdict};
pub use policy::Policy;
pub use prompt::Prompt;
pub use reasoning::{ReasoningLevel, ReasoningUse};
pub use secret::{Secret, SecretError};
pub use transport::{BoxFuture, JsonShape, Message, Reply, Request, StopReason, Transport, Usage};
