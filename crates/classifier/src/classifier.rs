//! The classifier: models, policy and settings, ready to judge cases.

use std::time::Duration;

use crate::{
    BoxFuture, Case, ModelId, ModelState, Policy, Prompt, ReasoningLevel, Transport, Verdict,
    prompt::{self, Budgets},
    protocol::staged,
};

/// What can be tuned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Token cap of the fast stage, hidden reasoning included. At least 16 by configuration.
    pub fast_max_tokens: u32,
    /// Budget of each request, from connecting to the last byte of the body.
    pub timeout: Duration,
    /// Reasoning to ask for; `None` leaves it to the provider.
    pub reasoning: Option<ReasoningLevel>,
    /// Approximate tokens of user text shown.
    pub user_transcript_tokens: u32,
    /// Approximate tokens of tool calls shown.
    pub tool_transcript_tokens: u32,
    /// The session's cache key, see [`crate::session_cache_key`].
    pub cache_key: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            fast_max_tokens: 512,
            timeout: Duration::from_secs(20),
            reasoning: None,
            user_transcript_tokens: 4_000,
            tool_transcript_tokens: 4_000,
            cache_key: None,
        }
    }
}

/// Judges cases with the first usable of its models. See the crate's documentation.
#[derive(Debug)]
pub struct Classifier<T> {
    models: Vec<T>,
    policy: Policy,
    settings: Settings,
    /// Rendered once: the prefix of every request is the same bytes.
    system: String,
}

/// Judges one case; a trait so that a caller need not name the transport.
pub trait Classify: Send + Sync {
    /// See [`Classifier::classify`].
    fn classify<'a>(&'a self, case: &'a Case, state: &'a ModelState) -> BoxFuture<'a, Verdict>;
}

impl<T: Transport> Classify for Classifier<T> {
    fn classify<'a>(&'a self, case: &'a Case, state: &'a ModelState) -> BoxFuture<'a, Verdict> {
        Box::pin(self.classify(case, state))
    }
}

impl<T: Transport> Classifier<T> {
    /// A classifier that tries `models` in this order.
    pub fn new(models: Vec<T>, policy: Policy, settings: Settings) -> Self {
        let system = prompt::system_text(&policy);
        Self { models, policy, settings, system }
    }

    /// The models, in the order in which they are tried.
    pub fn models(&self) -> Vec<ModelId> {
        self.models.iter().map(Transport::id).collect()
    }

    /// What the model would be shown for a case.
    pub fn prompt(&self, case: &Case) -> Prompt {
        let Settings { user_transcript_tokens: user, tool_transcript_tokens: tool, .. } = self.settings;
        Prompt::new(&self.system, case, Budgets { user, tool })
    }

    /// Judges one case. `state` tells which models this session has pinned or set aside; apply [`Verdict::changes`] to it afterwards.
    ///
    /// Every request has the budget of [`Settings::timeout`]. At most three requests get an answer; a model that proves unusable
    /// costs one more each. Dropping the future cancels the request under way.
    ///
    /// # Panics
    ///
    /// Never by itself, but tokio does where the runtime was built without `enable_time`.
    pub async fn classify(&self, case: &Case, state: &ModelState) -> Verdict {
        staged::run(self, self.prompt(case), state).await
    }

    pub(crate) fn transports(&self) -> &[T] {
        &self.models
    }

    pub(crate) fn policy(&self) -> &Policy {
        &self.policy
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }
}
