//! The response body, read leniently in form and strictly in meaning.

use serde_json::Value;

use super::{ProviderSettings, failures};
use crate::{Failure, FailureKind, Reply, StopReason, Usage};

/// Reads a successful response.
///
/// Unknown, missing and oddly typed fields that carry no decision are passed over. What decides must be there exactly once: one
/// choice, its visible text, and why it ended.
pub(super) fn read(json: &Value, settings: &ProviderSettings) -> Result<Reply, Failure> {
    if json.get("error").is_some_and(|error| !error.is_null()) {
        return Err(failures::from_error_body(json, settings));
    }
    let malformed = |problem: &str| Failure::new(FailureKind::Malformed, format!("the endpoint's answer {problem}"));
    let choices = json.get("choices").and_then(Value::as_array).ok_or_else(|| malformed("has no choices"))?;
    let [choice] = choices.as_slice() else {
        return Err(malformed("does not hold exactly one choice"));
    };
    let message = choice.get("message").ok_or_else(|| malformed("has no message"))?;
    let text = text_of(message.get("content").unwrap_or(&Value::Null))
        .ok_or_else(|| malformed("has content of an unknown form"))?;
    let stop = stop_of(choice, message);
    Ok(Reply { text, stop, usage: usage_of(json.get("usage").unwrap_or(&Value::Null)) })
}

/// The visible text: a string, or the text parts of a list. Reasoning fields beside it are never looked at.
fn text_of(content: &Value) -> Option<String> {
    match content {
        Value::Null => Some(String::new()),
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => parts.iter().map(part_text).collect(),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

/// A text part's text, nothing for a reasoning part; any other part makes the content unknown.
fn part_text(part: &Value) -> Option<&str> {
    match part.get("type").and_then(Value::as_str)? {
        "text" => part.get("text").and_then(Value::as_str),
        "thinking" | "reasoning" => Some(""),
        _ => None,
    }
}

fn stop_of(choice: &Value, message: &Value) -> StopReason {
    let said = |name: &str| message.get(name).is_some_and(|value| value.as_str().is_some_and(|text| !text.is_empty()));
    if said("refusal") {
        return StopReason::Refusal;
    }
    if message.get("tool_calls").and_then(Value::as_array).is_some_and(|calls| !calls.is_empty()) {
        return StopReason::Other("tool_calls".to_owned());
    }
    match choice.get("finish_reason").and_then(Value::as_str) {
        // Servers built on text-generation-inference name the model's own end of text.
        Some("stop" | "eos" | "eos_token") => StopReason::Stop,
        Some("length" | "max_tokens") => StopReason::Length,
        Some("content_filter" | "refusal") => StopReason::Refusal,
        Some(other) => StopReason::Other(other.chars().take(64).collect()),
        None => StopReason::Other("missing".to_owned()),
    }
}

fn usage_of(usage: &Value) -> Usage {
    let number = |pointer: &str| usage.pointer(pointer).and_then(Value::as_u64).unwrap_or(0);
    Usage {
        input: number("/prompt_tokens"),
        output: number("/completion_tokens"),
        cache_read: number("/prompt_tokens_details/cached_tokens"),
        cache_write: number("/prompt_tokens_details/cache_write_tokens"),
        cost: usage.get("cost").and_then(Value::as_f64),
    }
}
