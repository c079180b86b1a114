//! The classifier, made only when a call needs it: a TLS client costs more than a whole local decision.

use std::{env, sync::OnceLock};

use portcullis_config::EffectiveConfig;
use portcullis_gate::{
    BoxFuture, Case, Classifiers, Classify, ModelState, ModelVerdict, model_classifier, session_cache_key,
};
use tokio::runtime::{Builder, Runtime};

/// The configured models.
pub(crate) struct Models<'a> {
    config: &'a EffectiveConfig,
    cache_key: Option<String>,
    made: OnceLock<Option<Blocking>>,
}

impl<'a> Models<'a> {
    /// Nothing is made yet.
    pub(crate) fn new(config: &'a EffectiveConfig, session: Option<&str>, cwd: &str) -> Self {
        let cache_key = session.map(|session| session_cache_key(&[session, cwd]));
        Self { config, cache_key, made: OnceLock::new() }
    }
}

impl Classifiers for Models<'_> {
    fn classifier(&self) -> Option<&dyn Classify> {
        let made = self.made.get_or_init(|| {
            let inner = model_classifier(self.config, &key, self.cache_key.clone())?;
            // Without a runtime no model can be reached, which is the same as there being none: never an allow.
            let runtime = Builder::new_current_thread().enable_all().build().ok()?;
            Some(Blocking { inner: Box::new(inner), runtime })
        });
        made.as_ref().map(|blocking| blocking as &dyn Classify)
    }
}

/// The one place where a provider's key is read: only variables that our own configuration or a preset names.
pub(crate) fn key(name: &str) -> Option<String> {
    env::var(name).ok()
}

/// Runs the classifier on a runtime of its own inside the first poll, so that a local decision pays for no runtime.
struct Blocking {
    inner: Box<dyn Classify>,
    runtime: Runtime,
}

impl Classify for Blocking {
    fn classify<'a>(&'a self, case: &'a Case, state: &'a ModelState) -> BoxFuture<'a, ModelVerdict> {
        Box::pin(async move { self.runtime.block_on(self.inner.classify(case, state)) })
    }
}
