//! Any OpenAI-compatible chat-completions endpoint: OpenAI, OpenRouter, Ollama, the llama.cpp server, vLLM, LM Studio, Groq …
//!
//! Built on `async-openai` with everything that it does by itself turned off or replaced:
//!
//! - its configuration reads `OPENAI_*` variables, which a project could set: ours holds only what [`ProviderSettings`] says;
//! - its client retries three times and obeys `Retry-After` without a cap: ours makes one attempt;
//! - its error path loses the status and headers and logs whole bodies: ours reads the body itself, at most 1 MiB, and reports the
//!   status, `Retry-After` and the request id, with keys struck out;
//! - its response types reject what half of the compatible servers send: ours read the few fields they need from plain JSON;
//! - reqwest follows redirects and ambient proxies: ours does neither, unless a proxy is configured.
//!
//! The TLS client is built at the first request: that costs about 4 ms, more than a whole decision without a model.

mod client;
mod failures;
mod reply;
mod settings;
mod wire;

use std::sync::OnceLock;

use crate::{BoxFuture, Failure, FailureKind, ModelId, ReasoningLevel, Reply, Request, Transport};
use client::Connection;
pub use settings::{CacheField, Key, ProviderSettings, ReasoningField, SettingsError, StructuredOutput, TokenField};

/// One model behind an OpenAI-compatible endpoint.
#[derive(Debug)]
pub struct OpenAi {
    settings: ProviderSettings,
    connection: OnceLock<Result<Connection, SettingsError>>,
}

impl OpenAi {
    /// Takes the settings as they are and does nothing yet. Settings that can't work make every request fail with
    /// [`FailureKind::NoModel`]; [`ProviderSettings::check`] tells beforehand.
    pub fn new(settings: ProviderSettings) -> Self {
        Self { settings, connection: OnceLock::new() }
    }

    async fn send_once(&self, request: Request) -> Result<Reply, Failure> {
        let connection = self
            .connection
            .get_or_init(|| Connection::new(&self.settings))
            .as_ref()
            .map_err(|error| Failure::new(FailureKind::NoModel, error.to_string()))?;
        let body = wire::body(&self.settings, &request);
        connection.post(&body).await.and_then(|value| reply::read(&value, &self.settings))
    }
}

impl Transport for OpenAi {
    fn send(&self, request: Request) -> BoxFuture<'_, Result<Reply, Failure>> {
        Box::pin(self.send_once(request))
    }

    fn id(&self) -> ModelId {
        ModelId::new(format!("{}/{}", self.settings.provider, self.settings.model))
    }

    fn reasoning_levels(&self) -> &[ReasoningLevel] {
        match self.settings.reasoning_field {
            ReasoningField::None => &[],
            ReasoningField::Effort | ReasoningField::Object => &self.settings.reasoning_levels,
        }
    }

    fn context_window(&self) -> Option<u32> {
        self.settings.context_window
    }
}
