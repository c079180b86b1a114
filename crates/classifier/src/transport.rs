//! The line between the classifier and the wire.

use std::{future::Future, pin::Pin, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::{Failure, ModelId, ReasoningLevel};

/// A boxed future, so that traits that return one can be used as trait objects.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Carries one request to one model.
///
/// Called by [`crate::Classifier`], once per attempt. What must hold:
///
/// - `send` makes exactly one attempt. Retrying is the protocol's business, which counts and records every attempt.
/// - Dropping the future cancels the request and closes its connection.
/// - A reply that was not received whole and understood is an `Err`. `Ok` never carries a guess.
/// - No secret appears in the reply or the failure.
/// - The caller bounds the time; an implementation need not.
pub trait Transport: Send + Sync {
    /// Sends `request` and waits for the whole reply.
    fn send(&self, request: Request) -> BoxFuture<'_, Result<Reply, Failure>>;

    /// Which model answers, as `provider/model`.
    fn id(&self) -> ModelId;

    /// The reasoning levels that the model takes, lowest first; empty where it has none.
    fn reasoning_levels(&self) -> &[ReasoningLevel] {
        &[]
    }

    /// The model's context window in tokens, where it is known.
    fn context_window(&self) -> Option<u32> {
        None
    }
}

macro_rules! forward_transport {
    ($($pointer:ty),+) => {$(
        impl<T: Transport + ?Sized> Transport for $pointer {
            fn send(&self, request: Request) -> BoxFuture<'_, Result<Reply, Failure>> {
                (**self).send(request)
            }
            fn id(&self) -> ModelId {
                (**self).id()
            }
            fn reasoning_levels(&self) -> &[ReasoningLevel] {
                (**self).reasoning_levels()
            }
            fn context_window(&self) -> Option<u32> {
                (**self).context_window()
            }
        }
    )+};
}
forward_transport!(&T, Box<T>, Arc<T>);

/// One request: a system text, user messages in order, and what the answer may look like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The policy and its semantics. The same bytes for every call of a session.
    pub system: String,
    /// User messages, in order.
    pub messages: Vec<Message>,
    /// Cap on generated tokens, hidden reasoning included.
    pub max_tokens: u32,
    /// The reasoning level to ask for, already clamped to what the model takes. `None` sends nothing.
    pub reasoning: Option<ReasoningLevel>,
    /// A stable key under which the provider may cache the shared prefix.
    pub cache_key: Option<String>,
    /// The shape of the answer, for providers with structured output. Never relied upon: replies are parsed as strictly without.
    pub json: Option<JsonShape>,
}

/// One user message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its text.
    pub text: String,
}

impl Message {
    /// A message with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }
}

/// The shape of a JSON answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonShape {
    /// A short name, `[a-z_]+`.
    pub name: &'static str,
    /// A JSON Schema for it.
    pub schema: serde_json::Value,
}

/// What came back.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The visible text, untrimmed. Hidden reasoning is never part of it.
    pub text: String,
    /// Why the model stopped.
    pub stop: StopReason,
    /// What it cost.
    pub usage: Usage,
}

/// Why a model stopped. Only [`StopReason::Stop`] may ever authorise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The model ended its answer by itself.
    Stop,
    /// The token cap cut it off.
    Length,
    /// The model or a content filter declined to answer.
    Refusal,
    /// Anything else, under the provider's own name.
    Other(String),
}

/// Tokens and cost, as far as the provider reports them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Usage {
    /// Tokens of the prompt, cached ones included.
    pub input: u64,
    /// Tokens generated, hidden reasoning included.
    pub output: u64,
    /// Prompt tokens read from the provider's cache.
    pub cache_read: u64,
    /// Prompt tokens written to the provider's cache.
    pub cache_write: u64,
    /// Cost in US dollars, if the provider says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}
