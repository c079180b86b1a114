//! Why there was no usable answer.

use std::{fmt, str::FromStr, time::Duration};

use serde::{Deserialize, Serialize};

/// The kinds of failure. Each is "no answer", none is a judgement of the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum FailureKind {
    /// No model is configured and usable, or its endpoint or key is missing or unusable.
    NoModel,
    /// The provider refused the key (401, 403).
    Auth,
    /// No whole answer within the budget.
    Timeout,
    /// The caller gave up.
    Cancelled,
    /// The connection failed, or broke before the whole answer was there.
    Transport,
    /// The provider answered with this status.
    Http(u16),
    /// The provider asked to slow down, or a quota is used up (429).
    RateLimited,
    /// The prompt does not fit the model's context window.
    ContextOverflow,
    /// The answer was cut off by the token cap.
    Truncated,
    /// The answer was not of the required form.
    Malformed,
}

impl FailureKind {
    /// A stable id for logs and tests: `no_model`, `timeout`, … , with the status for `http`: `http(500)`.
    pub fn id(self) -> String {
        self.to_string()
    }

    /// Whether the model is of no use for the rest of the session: no key, refused, not found, or it rejects the request's shape.
    ///
    /// Timeouts, rate limits and server faults pass; an overflow or a bad answer is about this call, not about the model.
    pub fn model_is_unusable(self) -> bool {
        match self {
            Self::NoModel | Self::Auth | Self::Http(400 | 402 | 404 | 405 | 410 | 415 | 422) => true,
            Self::Timeout
            | Self::Cancelled
            | Self::Transport
            | Self::Http(_)
            | Self::RateLimited
            | Self::ContextOverflow
            | Self::Truncated
            | Self::Malformed => false,
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::NoModel => "no_model",
            Self::Auth => "auth",
            Self::Timeout => "timeout",
            Self::Cancelled => "cancelled",
            Self::Transport => "transport",
            Self::Http(status) => return write!(f, "http({status})"),
            Self::RateLimited => "rate_limited",
            Self::ContextOverflow => "context_overflow",
            Self::Truncated => "truncated",
            Self::Malformed => "malformed",
        };
        f.write_str(name)
    }
}

/// A text that names no failure kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a failure kind; known are no_model, auth, timeout, cancelled, transport, http(STATUS), rate_limited, context_overflow, truncated, malformed"
)]
pub struct ParseFailureKindError(String);

impl FromStr for FailureKind {
    type Err = ParseFailureKindError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let status = text.strip_prefix("http(").and_then(|rest| rest.strip_suffix(')'));
        Ok(match (text, status.map(str::parse)) {
            ("no_model", _) => Self::NoModel,
            ("auth", _) => Self::Auth,
            ("timeout", _) => Self::Timeout,
            ("cancelled", _) => Self::Cancelled,
            ("transport", _) => Self::Transport,
            ("rate_limited", _) => Self::RateLimited,
            ("context_overflow", _) => Self::ContextOverflow,
            ("truncated", _) => Self::Truncated,
            ("malformed", _) => Self::Malformed,
            (_, Some(Ok(status))) => Self::Http(status),
            _ => return Err(ParseFailureKindError(text.to_owned())),
        })
    }
}

impl From<FailureKind> for String {
    fn from(kind: FailureKind) -> Self {
        kind.to_string()
    }
}

impl TryFrom<String> for FailureKind {
    type Error = ParseFailureKindError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

/// One failed attempt. Holds no secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// What kind it is.
    pub kind: FailureKind,
    /// For people: one line, bounded.
    pub message: String,
    /// How long the provider asked to wait.
    pub retry_after: Option<Duration>,
    /// The provider's id of the request, for its support.
    pub request_id: Option<String>,
}

impl Failure {
    /// A failure with no further details.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), retry_after: None, request_id: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_reads_back_from_its_id() {
        for kind in [
            FailureKind::NoModel,
            FailureKind::Auth,
            FailureKind::Timeout,
            FailureKind::Cancelled,
            FailureKind::Transport,
            FailureKind::Http(529),
            FailureKind::RateLimited,
            FailureKind::ContextOverflow,
            FailureKind::Truncated,
            FailureKind::Malformed,
        ] {
            assert_eq!(kind.id().parse(), Ok(kind));
        }
        for wrong in ["", "http", "http()", "http(70000)", "http(5", "Timeout"] {
            assert!(wrong.parse::<FailureKind>().is_err(), "{wrong}");
        }
    }
}
