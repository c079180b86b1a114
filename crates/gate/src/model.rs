//! The classifier that settings describe: which provider, which address, which key.
//!
//! INVARIANT 1: data goes only where the settings send it. A provider whose entry could not be read is not used, and neither is
//! the preset of its name; a model that lacks its key is left out instead of being tried without one.

use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use portcullis_classifier::openai::{
    CacheField, Key, OpenAi, ProviderSettings, ReasoningField, SettingsError, StructuredOutput, TokenField,
};
use portcullis_classifier::{Classifier, ModelId, Policy, ReasoningLevel, Secret, SecretError, Settings};
use portcullis_config::{ApiKind, EffectiveConfig, Provider, SourcedRule};

/// A provider that needs no entry in the settings.
#[derive(Clone, Copy, Debug)]
pub struct ProviderPreset {
    /// Its name in `provider/model-id`.
    pub name: &'static str,
    /// What it is.
    pub summary: &'static str,
    /// Where it is reached.
    pub base_url: &'static str,
    /// The environment variable that holds its key; `None`: it needs none.
    pub key_variable: Option<&'static str>,
    /// Under which name the output cap is sent.
    pub token_field: TokenField,
    /// How a reasoning level is asked for.
    pub reasoning_field: ReasoningField,
    /// Whether a structured answer may be asked for.
    pub structured_output: StructuredOutput,
    /// Whether the session's cache key is sent.
    pub cache_field: CacheField,
}

/// A server on this machine that speaks the older dialect and rejects what it does not know.
const fn local(name: &'static str, summary: &'static str, base_url: &'static str) -> ProviderPreset {
    ProviderPreset {
        name,
        summary,
        base_url,
        key_variable: None,
        token_field: TokenField::MaxTokens,
        reasoning_field: ReasoningField::Effort,
        structured_output: StructuredOutput::None,
        cache_field: CacheField::None,
    }
}

/// Every preset. Ports are the servers' own defaults.
pub const PROVIDER_PRESETS: &[ProviderPreset] = &[
    ProviderPreset {
        name: "openai",
        summary: "OpenAI",
        base_url: "https://api.openai.com/v1",
        key_variable: Some("OPENAI_API_KEY"),
        token_field: TokenField::MaxCompletionTokens,
        reasoning_field: ReasoningField::Effort,
        structured_output: StructuredOutput::JsonSchema,
        cache_field: CacheField::PromptCacheKey,
    },
    ProviderPreset {
        name: "openrouter",
        summary: "OpenRouter, many vendors behind one address",
        base_url: "https://openrouter.ai/api/v1",
        key_variable: Some("OPENROUTER_API_KEY"),
        token_field: TokenField::MaxTokens,
        reasoning_field: ReasoningField::Object,
        structured_output: StructuredOutput::None,
        cache_field: CacheField::None,
    },
    ProviderPreset {
        name: "groq",
        summary: "Groq",
        base_url: "https://api.groq.com/openai/v1",
        key_variable: Some("GROQ_API_KEY"),
        token_field: TokenField::MaxCompletionTokens,
        reasoning_field: ReasoningField::Effort,
        structured_output: StructuredOutput::None,
        cache_field: CacheField::None,
    },
    local("ollama", "Ollama on this machine", "http://127.0.0.1:11434/v1"),
    local("llama.cpp", "the llama.cpp server on this machine", "http://127.0.0.1:8080/v1"),
    local("vllm", "vLLM on this machine", "http://127.0.0.1:8000/v1"),
    local("lm-studio", "LM Studio on this machine", "http://127.0.0.1:1234/v1"),
];

/// Why a configured model can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelProblem {
    /// The text is no model name.
    #[error("`{text}` is not of the form provider/model-id")]
    Name {
        /// As configured.
        text: String,
    },
    /// Neither a preset nor an entry has this name.
    #[error("no provider is called `{provider}`: add it to `providers` in your settings")]
    UnknownProvider {
        /// The name.
        provider: String,
    },
    /// The entry has errors.
    #[error("the entry of the provider `{provider}` could not be read (`portcullis config check` says why)")]
    Unreadable {
        /// The name.
        provider: String,
    },
    /// The entry names no address.
    #[error("the provider `{provider}` has no `baseUrl`")]
    NoAddress {
        /// The name.
        provider: String,
    },
    /// Not spoken yet.
    #[error("the provider `{provider}` is set to `\"api\": \"{api}\"`, which this version does not speak")]
    Api {
        /// The name.
        provider: String,
        /// The dialect.
        api: ApiKind,
    },
    /// The variable is not set, or its value can't be a key.
    #[error("the variable {variable}, which should hold the key of `{provider}`, {problem}")]
    Key {
        /// The provider.
        provider: String,
        /// Its variable.
        variable: String,
        /// What is wrong with it. Never quotes the key.
        problem: String,
    },
    /// A header's value can't be sent.
    #[error("the header {header} of the provider `{provider}` can't be sent: {source}")]
    Header {
        /// The provider.
        provider: String,
        /// The header.
        header: String,
        /// Why.
        source: SecretError,
    },
    /// The settings can't work.
    #[error(transparent)]
    Settings(#[from] SettingsError),
}

/// The endpoint of each configured model, in order, or why it can't be used. `key` looks a variable up.
pub fn configured_models(
    config: &EffectiveConfig,
    key: &dyn Fn(&str) -> Option<String>,
) -> Vec<(ModelId, Result<ProviderSettings, ModelProblem>)> {
    config
        .auto_mode
        .classifier_model
        .iter()
        .map(|text| (ModelId::new(text.as_str()), endpoint(text, config, key)))
        .collect()
}

/// The classifier of these settings; `None` if no configured model can be used. Nothing is connected to.
pub fn model_classifier(
    config: &EffectiveConfig,
    key: &dyn Fn(&str) -> Option<String>,
    cache_key: Option<String>,
) -> Option<Classifier<OpenAi>> {
    let models: Vec<OpenAi> =
        configured_models(config, key).into_iter().filter_map(|(_, model)| Some(OpenAi::new(model.ok()?))).collect();
    if models.is_empty() {
        return None;
    }
    let auto = &config.auto_mode;
    let texts = |rules: &[SourcedRule]| rules.iter().map(|rule| rule.text.clone()).collect();
    let policy = Policy {
        environment: texts(&auto.environment),
        allow: texts(&auto.allow),
        soft_deny: texts(&auto.soft_deny),
        hard_deny: texts(&auto.hard_deny),
    };
    let settings = Settings {
        fast_max_tokens: auto.fast_classifier_max_tokens,
        timeout: Duration::from_millis(auto.classifier_timeout_ms),
        reasoning: auto.classifier_reasoning_level.map(reasoning),
        user_transcript_tokens: auto.max_user_transcript_tokens,
        tool_transcript_tokens: auto.max_tool_transcript_tokens,
        cache_key,
    };
    Some(Classifier::new(models, policy, settings))
}

fn endpoint(
    text: &str,
    config: &EffectiveConfig,
    key: &dyn Fn(&str) -> Option<String>,
) -> Result<ProviderSettings, ModelProblem> {
    let (name, model) = text.split_once('/').ok_or_else(|| ModelProblem::Name { text: text.to_owned() })?;
    let preset = PROVIDER_PRESETS.iter().find(|preset| preset.name == name);
    let entry = config.providers.get(name);
    let provider = name.to_owned();
    if entry.is_some_and(|entry| !entry.usable) {
        return Err(ModelProblem::Unreadable { provider });
    }
    if entry.is_none() && preset.is_none() {
        return Err(ModelProblem::UnknownProvider { provider });
    }
    if let Some(api @ ApiKind::Anthropic) = entry.and_then(|entry| entry.api) {
        return Err(ModelProblem::Api { provider, api });
    }
    let base_url = entry.and_then(|entry| entry.base_url.as_deref()).or(preset.map(|preset| preset.base_url));
    let base_url = base_url.ok_or_else(|| ModelProblem::NoAddress { provider: provider.clone() })?;
    let key = find_key(name, entry, preset, key)?;
    let mut settings = ProviderSettings::new(name, model, base_url, key);
    if let Some(preset) = preset {
        settings.token_field = preset.token_field;
        settings.reasoning_field = preset.reasoning_field;
        settings.structured_output = preset.structured_output;
        settings.cache_field = preset.cache_field;
    }
    if let Some(entry) = entry {
        if let Some(field) = entry.token_field {
            settings.token_field = match field {
                portcullis_config::TokenField::MaxCompletionTokens => TokenField::MaxCompletionTokens,
                portcullis_config::TokenField::MaxTokens => TokenField::MaxTokens,
            };
        }
        settings.allow_insecure_http = entry.allow_insecure_http;
        settings.headers = headers(name, entry)?;
    }
    settings.check()?;
    Ok(settings)
}

fn find_key(
    provider: &str,
    entry: Option<&Provider>,
    preset: Option<&ProviderPreset>,
    key: &dyn Fn(&str) -> Option<String>,
) -> Result<Key, ModelProblem> {
    let named = entry.and_then(|entry| entry.key_variable.as_deref());
    let Some(variable) = named.or(preset.and_then(|preset| preset.key_variable)) else { return Ok(Key::NotNeeded) };
    let wrong =
        |problem: String| ModelProblem::Key { provider: provider.to_owned(), variable: variable.to_owned(), problem };
    let text = key(variable).ok_or_else(|| wrong("is not set".to_owned()))?;
    Secret::new(&text).map(Key::Bearer).map_err(|error| wrong(format!("can't be used: {error}")))
}

fn headers(provider: &str, entry: &Provider) -> Result<Vec<(String, Secret)>, ModelProblem> {
    let row = |(header, value): (&String, &String)| match Secret::new(value) {
        Ok(secret) => Ok((header.clone(), secret)),
        Err(source) => Err(ModelProblem::Header { provider: provider.to_owned(), header: header.clone(), source }),
    };
    entry.headers.iter().map(row).collect()
}

const fn reasoning(level: portcullis_config::ReasoningLevel) -> ReasoningLevel {
    match level {
        portcullis_config::ReasoningLevel::Low => ReasoningLevel::Low,
        portcullis_config::ReasoningLevel::Medium => ReasoningLevel::Medium,
        portcullis_config::ReasoningLevel::High => ReasoningLevel::High,
        portcullis_config::ReasoningLevel::Xhigh => ReasoningLevel::Xhigh,
        portcullis_config::ReasoningLevel::Max => ReasoningLevel::Max,
    }
}

/// Runs a future to its end on this thread, without a runtime.
///
/// A local decision never waits for anything, so one poll is all it takes; a future that does wait is polled again after a
/// pause. What needs tokio's timers or sockets must bring its own runtime.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => std::thread::sleep(Duration::from_millis(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use portcullis_config::{Layer, LayerContent, LayerInput, Profile, load};

    use super::*;

    fn config(text: &str) -> EffectiveConfig {
        load(&vec![LayerInput {
            layer: Layer::Global,
            profile: Profile::Native,
            file: None,
            content: LayerContent::Text(text.to_owned()),
            trusted: true,
        }])
        .config
    }

    fn key(name: &str) -> Option<String> {
        (name == "OPENAI_API_KEY" || name == "MY_KEY").then(|| "sk-test\n".to_owned())
    }

    #[test]
    fn each_model_has_an_endpoint_or_a_reason() {
        let rows = [
            (r#"{"autoMode": {"classifierModel": "openai/m"}}"#, Ok("https://api.openai.com/v1"), "preset"),
            (
                r#"{"autoMode": {"classifierModel": "ollama/org/m:7b"}}"#,
                Ok("http://127.0.0.1:11434/v1"),
                "no key needed",
            ),
            (r#"{"autoMode": {"classifierModel": "groq/m"}}"#, Err("GROQ_API_KEY"), "no key"),
            (r#"{"autoMode": {"classifierModel": "nowhere/m"}}"#, Err("no provider is called"), "unknown"),
            (
                r#"{"autoMode": {"classifierModel": "own/m"}, "providers": {"own": {"baseUrl": "https://x.example/v1/", "keyVariable": "MY_KEY"}}}"#,
                Ok("https://x.example/v1"),
                "an entry of one's own",
            ),
            (
                r#"{"autoMode": {"classifierModel": "own/m"}, "providers": {"own": {"keyVariable": "MY_KEY"}}}"#,
                Err("no `baseUrl`"),
                "no address",
            ),
            (
                r#"{"autoMode": {"classifierModel": "openai/m"}, "providers": {"openai": {"baseUrl": "ftp://x"}}}"#,
                Err("could not be read"),
                "a broken entry must not fall back to the preset",
            ),
            (
                r#"{"autoMode": {"classifierModel": "own/m"}, "providers": {"own": {"baseUrl": "http://10.0.0.1/v1"}}}"#,
                Err("allowInsecureHttp"),
                "in the clear to another machine",
            ),
            (
                r#"{"autoMode": {"classifierModel": "own/m"}, "providers": {"own": {"baseUrl": "https://x.example", "api": "anthropic"}}}"#,
                Err("does not speak"),
                "another dialect",
            ),
        ];
        for (text, expected, why) in rows {
            let models = configured_models(&config(text), &key);
            let [(_, model)] = models.as_slice() else { panic!("{why}: {models:?}") };
            match (model, expected) {
                (Ok(settings), Ok(url)) => assert_eq!(settings.base_url, url, "{why}"),
                (Err(problem), Err(part)) => assert!(problem.to_string().contains(part), "{why}: {problem}"),
                (got, wanted) => panic!("{why}: {got:?}, wanted {wanted:?}"),
            }
        }
    }

    #[test]
    fn a_model_that_can_not_be_used_is_left_out() {
        let both = config(r#"{"autoMode": {"classifierModel": ["groq/a", "ollama/b"]}}"#);
        let classifier = model_classifier(&both, &key, None).unwrap();
        assert_eq!(classifier.models(), [ModelId::new("ollama/b")]);
        let none = config(r#"{"autoMode": {"classifierModel": "groq/a"}}"#);
        assert!(model_classifier(&none, &key, None).is_none());
        assert!(model_classifier(&EffectiveConfig::default(), &key, None).is_none());
    }

    #[test]
    fn presets_can_work_and_never_send_keys_in_the_clear() {
        for preset in PROVIDER_PRESETS {
            let key =
                if preset.key_variable.is_some() { Key::Bearer(Secret::new("k").unwrap()) } else { Key::NotNeeded };
            let settings = ProviderSettings::new(preset.name, "m", preset.base_url, key);
            assert!(settings.check().is_ok(), "{}", preset.name);
            assert!(preset.key_variable.is_none() || preset.base_url.starts_with("https://"), "{}", preset.name);
        }
    }

    #[test]
    fn a_future_that_waits_is_polled_to_its_end() {
        let mut polls = 0;
        let future = std::future::poll_fn(|_| {
            polls += 1;
            if polls < 3 { Poll::Pending } else { Poll::Ready(7) }
        });
        assert_eq!(block_on(future), 7);
    }
}
