//! Where a model is and how its endpoint wants to be spoken to.

use std::net::IpAddr;

use http::{HeaderName, HeaderValue};
use reqwest::Url;

use crate::{ReasoningLevel, Secret};

/// How the endpoint is authenticated to.
#[derive(Clone, Debug)]
pub enum Key {
    /// A key is needed and there is none: every request fails with [`crate::FailureKind::NoModel`].
    Missing,
    /// None is needed, as with a local server.
    NotNeeded,
    /// `Authorization: Bearer …`.
    Bearer(Secret),
    /// The key in a header of the endpoint's own, such as Azure's `api-key`.
    Header(String, Secret),
}

/// Which field caps the generated tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TokenField {
    /// `max_completion_tokens`: OpenAI and most others.
    #[default]
    MaxCompletionTokens,
    /// `max_tokens`: servers that know only the older name.
    MaxTokens,
}

/// How a reasoning level is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReasoningField {
    /// Not at all.
    None,
    /// `reasoning_effort`: OpenAI and most others.
    #[default]
    Effort,
    /// `reasoning: {effort}`: OpenRouter.
    Object,
}

/// Whether a structured answer may be asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StructuredOutput {
    /// Not: the endpoint may reject the field.
    #[default]
    None,
    /// `response_format: {type: json_object}`.
    JsonObject,
    /// `response_format: {type: json_schema}`.
    JsonSchema,
}

/// Whether the session's cache key is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheField {
    /// Not: the endpoint may reject the field.
    #[default]
    None,
    /// `prompt_cache_key`.
    PromptCacheKey,
}

/// One endpoint and one of its models. Its `Debug` shows no key.
#[derive(Clone, Debug)]
pub struct ProviderSettings {
    /// The provider's name in [`crate::ModelId`]s.
    pub provider: String,
    /// The model's name at the endpoint. May hold slashes.
    pub model: String,
    /// For example `https://api.openai.com/v1`; `/chat/completions` is added.
    pub base_url: String,
    /// Authentication.
    pub key: Key,
    /// Further headers. Their values are treated as secrets.
    pub headers: Vec<(String, Secret)>,
    /// Allows `http://` beyond this machine. Keys and prompts then travel in the clear.
    pub allow_insecure_http: bool,
    /// An HTTP, HTTPS or SOCKS proxy for all requests. Proxy variables of the environment are never used.
    pub proxy: Option<String>,
    /// See [`TokenField`].
    pub token_field: TokenField,
    /// See [`ReasoningField`].
    pub reasoning_field: ReasoningField,
    /// The reasoning levels that the model takes, lowest first; empty for a model without.
    pub reasoning_levels: Vec<ReasoningLevel>,
    /// See [`StructuredOutput`].
    pub structured_output: StructuredOutput,
    /// See [`CacheField`].
    pub cache_field: CacheField,
    /// The model's context window in tokens, if known.
    pub context_window: Option<u32>,
}

/// Settings that can't work. Never quotes a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// No key.
    #[error("no API key for {provider}")]
    NoKey {
        /// The provider's name.
        provider: String,
    },
    /// Not a URL, or not one that requests can be sent to.
    #[error("the base URL of {provider} can't be used: {problem}")]
    BaseUrl {
        /// The provider's name.
        provider: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// No header can have this name.
    #[error("`{name}` is not a header name that {provider} can be sent")]
    Header {
        /// The provider's name.
        provider: String,
        /// The name.
        name: String,
    },
    /// Not a proxy URL.
    #[error("the proxy URL of {provider} can't be used")]
    Proxy {
        /// The provider's name.
        provider: String,
    },
    /// The TLS client can't be built on this machine.
    #[error("the TLS client can't be built: {problem}")]
    Tls {
        /// What the TLS library says.
        problem: String,
    },
}

impl ProviderSettings {
    /// Settings with nothing special about them.
    pub fn new(provider: impl Into<String>, model: impl Into<String>, base_url: impl Into<String>, key: Key) -> Self {
        Self {
            provider: provider.into(),
            model: model.into(),
            base_url: base_url.into(),
            key,
            headers: Vec::new(),
            allow_insecure_http: false,
            proxy: None,
            token_field: TokenField::default(),
            reasoning_field: ReasoningField::default(),
            reasoning_levels: ReasoningLevel::ALL.to_vec(),
            structured_output: StructuredOutput::default(),
            cache_field: CacheField::default(),
            context_window: None,
        }
    }

    /// Whether the settings can work, without connecting anywhere.
    pub fn check(&self) -> Result<(), SettingsError> {
        self.checked_base()?;
        self.header_rows()?;
        Ok(())
    }

    /// The base URL without a final slash: the client appends a path that starts with one.
    pub(super) fn checked_base(&self) -> Result<String, SettingsError> {
        let wrong = |problem| SettingsError::BaseUrl { provider: self.provider.clone(), problem };
        let url = Url::parse(self.base_url.trim()).map_err(|_| wrong("it is not an absolute URL"))?;
        let host = url.host_str().ok_or_else(|| wrong("it has no host"))?;
        match url.scheme() {
            "https" => {}
            "http" if is_loopback(host) || self.allow_insecure_http => {}
            "http" => return Err(wrong("http:// beyond this machine needs allowInsecureHttp")),
            _ => return Err(wrong("it is neither https:// nor http://")),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(wrong("it holds a user name or password"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(wrong("it holds a query or fragment"));
        }
        Ok(url.as_str().trim_end_matches('/').to_owned())
    }

    /// All headers that authenticate or were configured, ready to send.
    pub(super) fn header_rows(&self) -> Result<Vec<(HeaderName, HeaderValue)>, SettingsError> {
        let own = match &self.key {
            Key::Missing => {
                return Err(SettingsError::NoKey { provider: self.provider.clone() });
            }
            Key::NotNeeded => None,
            Key::Bearer(secret) => Some(("authorization", format!("Bearer {}", secret.expose()))),
            Key::Header(name, secret) => Some((name.as_str(), secret.expose().to_owned())),
        };
        let further = self.headers.iter().map(|(name, secret)| (name.as_str(), secret.expose().to_owned()));
        own.into_iter().chain(further).map(|(name, value)| self.header_row(name, &value)).collect()
    }

    fn header_row(&self, name: &str, value: &str) -> Result<(HeaderName, HeaderValue), SettingsError> {
        let wrong = || SettingsError::Header { provider: self.provider.clone(), name: name.to_owned() };
        let header: HeaderName = name.trim().parse().map_err(|_| wrong())?;
        // Those that frame the message are the client's.
        if matches!(header.as_str(), "content-length" | "transfer-encoding" | "host" | "connection" | "content-type") {
            return Err(wrong());
        }
        let mut value = HeaderValue::from_str(value).map_err(|_| wrong())?;
        value.set_sensitive(true);
        Ok((header, value))
    }

    /// Everything that must not show up in a message.
    pub(super) fn secrets(&self) -> impl Iterator<Item = &str> {
        let own = match &self.key {
            Key::Missing | Key::NotNeeded => None,
            Key::Bearer(secret) | Key::Header(_, secret) => Some(secret),
        };
        own.into_iter().chain(self.headers.iter().map(|(_, secret)| secret)).map(Secret::expose)
    }
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(base_url: &str) -> ProviderSettings {
        ProviderSettings::new("p", "m", base_url, Key::NotNeeded)
    }

    #[test]
    fn base_urls_are_checked() {
        for (url, base) in [
            ("https://api.example.com/v1", Some("https://api.example.com/v1")),
            (" https://api.example.com/v1/ ", Some("https://api.example.com/v1")),
            ("http://localhost:11434/v1", Some("http://localhost:11434/v1")),
            ("http://127.0.0.1:8080", Some("http://127.0.0.1:8080")),
            ("http://[::1]:8080/v1", Some("http://[::1]:8080/v1")),
            ("http://127.0.0.1.evil.example/v1", None),
            ("http://localhost.evil.example/v1", None),
            ("http://192.168.1.5/v1", None),
            ("http://api.example.com/v1", None),
            ("https://user:pass@api.example.com/v1", None),
            ("https://api.example.com/v1?key=1", None),
            ("https://api.example.com/v1#x", None),
            ("file:///etc/passwd", None),
            ("ftp://localhost/", None),
            ("api.example.com/v1", None),
            ("", None),
        ] {
            assert_eq!(settings(url).checked_base().ok().as_deref(), base, "{url}");
        }
        let insecure = ProviderSettings { allow_insecure_http: true, ..settings("http://192.168.1.5/v1") };
        assert!(insecure.check().is_ok(), "the user may say so");
    }

    #[test]
    fn framing_headers_can_not_be_set() {
        for (name, good) in [
            ("X-Title", true),
            ("api-key", true),
            ("Content-Length", false),
            ("host", false),
            ("bad name", false),
            ("", false),
        ] {
            let headers = vec![(name.to_owned(), Secret::new("v").unwrap())];
            assert_eq!(ProviderSettings { headers, ..settings("https://x.example") }.check().is_ok(), good, "{name}");
        }
    }

    #[test]
    fn a_missing_key_is_said() {
        let error = ProviderSettings { key: Key::Missing, ..settings("https://x.example") }.check().unwrap_err();
        assert_eq!(error.to_string(), "no API key for p");
    }
}
