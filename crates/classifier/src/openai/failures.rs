//! Failures, in one form whatever the endpoint's own.
//!
//! Known error bodies: `{"error":{"message","type","code"}}` with a string code (OpenAI) or a number (OpenRouter, llama.cpp), flat
//! `{"object":"error","message","code"}` (vLLM), `{"error":"text"}` (Ollama), and plain text or HTML from whatever stands between.

use std::{error::Error, fmt, time::Duration};

use async_openai::error::OpenAIError;
use http::HeaderMap;
use serde_json::Value;

use super::ProviderSettings;
use crate::{Failure, FailureKind, text::one_line};

/// Characters of a message that are kept.
const MESSAGE_CHARS: usize = 300;
/// Bytes of an error body that are looked at for a message if it is not JSON.
const PLAIN_BYTES: usize = 2_000;
/// Causes of an error that are named.
const MAX_CAUSES: usize = 5;

/// Carries a failure through the client's error type.
#[derive(Debug)]
pub(super) struct FailureError(pub(super) Failure);

impl fmt::Display for FailureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl Error for FailureError {}

impl From<FailureError> for OpenAIError {
    fn from(error: FailureError) -> Self {
        Self::Boxed(Box::new(error))
    }
}

/// What the client reports. All but our own failures are about requests that it could not build.
pub(super) fn from_client(error: OpenAIError, settings: &ProviderSettings) -> Failure {
    match error {
        OpenAIError::Boxed(inner) => match inner.downcast::<FailureError>() {
            Ok(own) => own.0,
            Err(other) => Failure::new(FailureKind::Transport, clean(&other.to_string(), settings)),
        },
        OpenAIError::Reqwest(error) => from_http(error, settings),
        // Its Display holds the whole body.
        OpenAIError::JSONDeserialize(..) => {
            Failure::new(FailureKind::Malformed, "the endpoint's answer has no usable form")
        }
        other => Failure::new(FailureKind::Transport, clean(&other.to_string(), settings)),
    }
}

/// A request that got no whole answer.
pub(super) fn from_http(error: reqwest::Error, settings: &ProviderSettings) -> Failure {
    let kind = if error.is_timeout() { FailureKind::Timeout } else { FailureKind::Transport };
    Failure::new(kind, clean(&chain(&error.without_url()), settings))
}

/// An answer with a status other than success.
pub(super) fn from_status(status: u16, body: &[u8], settings: &ProviderSettings) -> Failure {
    let json = serde_json::from_slice::<Value>(body).unwrap_or(Value::Null);
    let said = Said::read(&json);
    let message = said
        .message
        .map_or_else(|| String::from_utf8_lossy(body.get(..PLAIN_BYTES).unwrap_or(body)).into_owned(), str::to_owned);
    let kind = kind_of(status, &said);
    let message = if message.trim().is_empty() {
        format!("HTTP status {status}")
    } else {
        format!("HTTP status {status}: {message}")
    };
    Failure::new(kind, clean(&message, settings))
}

/// An error that came with a success status, as OpenRouter's can.
pub(super) fn from_error_body(json: &Value, settings: &ProviderSettings) -> Failure {
    let said = Said::read(json);
    let status = said.status.unwrap_or(500);
    let message = said.message.unwrap_or("the endpoint answered with an error");
    Failure::new(kind_of(status, &said), clean(message, settings))
}

/// What an error body says.
#[derive(Debug, Default)]
struct Said<'a> {
    message: Option<&'a str>,
    code: Option<&'a str>,
    status: Option<u16>,
}

impl<'a> Said<'a> {
    fn read(json: &'a Value) -> Self {
        let error = json.get("error").unwrap_or(json);
        let text = |name: &str| error.get(name).and_then(Value::as_str);
        let number = error.get("code").or_else(|| error.get("status")).and_then(Value::as_u64);
        Self {
            message: error.as_str().or_else(|| text("message")),
            code: text("code").or_else(|| text("type")),
            status: number.and_then(|number| u16::try_from(number).ok()).filter(|status| (400..600).contains(status)),
        }
    }
}

fn kind_of(status: u16, said: &Said<'_>) -> FailureKind {
    if matches!(status, 400 | 413 | 422 | 500) && is_overflow(said) {
        return FailureKind::ContextOverflow;
    }
    if status == 400 && matches!(said.code, Some("content_filter" | "content_policy_violation")) {
        return FailureKind::Malformed;
    }
    match status {
        401 | 403 => FailureKind::Auth,
        413 => FailureKind::ContextOverflow,
        429 => FailureKind::RateLimited,
        status => FailureKind::Http(status),
    }
}

/// Whether the prompt was too long, in the words of OpenAI, vLLM, llama.cpp, Groq and OpenRouter.
fn is_overflow(said: &Said<'_>) -> bool {
    let code = matches!(said.code, Some("context_length_exceeded" | "exceed_context_size_error" | "request_too_large"));
    let words = said.message.unwrap_or_default().to_ascii_lowercase();
    code || ["maximum context length", "context window", "context size", "context length", "prompt is too long"]
        .iter()
        .any(|phrase| words.contains(phrase))
}

/// Adds what the headers say. Only whole seconds of `Retry-After` are understood; a date is left alone.
pub(super) fn with_headers(failure: Failure, headers: &HeaderMap) -> Failure {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let seconds = text("retry-after").and_then(|value| value.trim().parse().ok());
    let request_id = text("x-request-id").or_else(|| text("request-id")).map(|id| one_line(id, 100));
    Failure { retry_after: seconds.map(Duration::from_secs), request_id, ..failure }
}

/// One bounded line with every secret struck out: some endpoints quote the key that they refuse.
fn clean(message: &str, settings: &ProviderSettings) -> String {
    let struck = settings.secrets().fold(message.to_owned(), |text, secret| text.replace(secret, "***"));
    one_line(&struck, MESSAGE_CHARS)
}

/// An error and its causes in one line: reqwest's own text says little without them.
pub(super) fn chain(error: &(dyn Error + 'static)) -> String {
    let mut texts = vec![error.to_string()];
    let mut cause = error.source();
    while let Some(inner) = cause.filter(|_| texts.len() < MAX_CAUSES) {
        texts.push(inner.to_string());
        cause = inner.source();
    }
    texts.join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Secret, openai::Key};

    fn settings() -> ProviderSettings {
        ProviderSettings::new("p", "m", "https://x.example", Key::Bearer(Secret::new("sk-secret").unwrap()))
    }

    #[test]
    fn every_known_error_body_gives_kind_and_message() {
        for (status, body, kind, message) in [
            (
                401,
                r#"{"error":{"message":"Incorrect API key provided: sk-secret","type":"invalid_request_error","code":"invalid_api_key"}}"#,
                FailureKind::Auth,
                "HTTP status 401: Incorrect API key provided: ***",
            ),
            (403, "", FailureKind::Auth, "HTTP status 403"),
            (
                404,
                r#"{"error":"model \"x\" not found"}"#,
                FailureKind::Http(404),
                "HTTP status 404: model \"x\" not found",
            ),
            (
                400,
                r#"{"object":"error","message":"This model's maximum context length is 8192 tokens","code":400}"#,
                FailureKind::ContextOverflow,
                "HTTP status 400: This model's maximum context length is 8192 tokens",
            ),
            (
                400,
                r#"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}"#,
                FailureKind::ContextOverflow,
                "HTTP status 400: the request exceeds the available context size",
            ),
            (
                400,
                r#"{"error":{"message":"filtered","code":"content_filter"}}"#,
                FailureKind::Malformed,
                "HTTP status 400: filtered",
            ),
            (
                400,
                r#"{"error":{"message":"Unsupported parameter: 'max_tokens'"}}"#,
                FailureKind::Http(400),
                "HTTP status 400: Unsupported parameter: 'max_tokens'",
            ),
            (413, "too large", FailureKind::ContextOverflow, "HTTP status 413: too large"),
            (
                429,
                r#"{"error":{"message":"quota","type":"insufficient_quota"}}"#,
                FailureKind::RateLimited,
                "HTTP status 429: quota",
            ),
            (
                502,
                "<html>\n<b>Bad gateway</b>\u{1b}[2J</html>",
                FailureKind::Http(502),
                "HTTP status 502: <html> <b>Bad gateway</b> [2J</html>",
            ),
            (
                529,
                r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
                FailureKind::Http(529),
                "HTTP status 529: Overloaded",
            ),
            (302, "", FailureKind::Http(302), "HTTP status 302"),
        ] {
            let failure = from_status(status, body.as_bytes(), &settings());
            assert_eq!((failure.kind, failure.message.as_str()), (kind, message), "{status} {body}");
        }
    }

    #[test]
    fn an_error_in_a_success_counts_as_the_status_it_names() {
        for (body, kind) in [
            (r#"{"error":{"code":429,"message":"slow down"}}"#, FailureKind::RateLimited),
            (r#"{"error":{"code":401,"message":"x"}}"#, FailureKind::Auth),
            (r#"{"error":{"code":"server_error","message":"x"}}"#, FailureKind::Http(500)),
            (r#"{"error":{"code":200,"message":"x"}}"#, FailureKind::Http(500)),
        ] {
            assert_eq!(from_error_body(&serde_json::from_str(body).unwrap(), &settings()).kind, kind, "{body}");
        }
    }

    #[test]
    fn messages_are_bounded() {
        assert!(
            from_status(500, "x".repeat(100_000).as_bytes(), &settings()).message.chars().count() <= MESSAGE_CHARS + 1
        );
    }
}
