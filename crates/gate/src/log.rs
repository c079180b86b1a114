//! The decision log's entries.

use portcullis_classifier::Usage;
use serde::Serialize;

/// Where entries go. What fails is the log's own business: no verdict depends on it.
pub trait DecisionLog: Send + Sync {
    /// Writes the entries of one decision, in order, each as one line.
    fn write(&self, entries: &[LogEntry]);
}

/// Writes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLog;

impl DecisionLog for NoLog {
    fn write(&self, _entries: &[LogEntry]) {}
}

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum LogEntry {
    /// A decision.
    Decision(DecisionEntry),
    /// One reply of the classifier, in the shape that ccusage reads.
    Message(MessageEntry),
    /// What the classifier was sent and answered (`log.classifierIo`).
    Classifier(ClassifierEntry),
}

/// A decision.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DecisionEntry {
    /// When, RFC 3339.
    pub ts: String,
    /// Links the entries of one decision.
    pub decision_id: String,
    /// The session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The working directory.
    pub cwd: String,
    /// Canonical tool name.
    pub tool: String,
    /// The call's subject, at most 6,000 characters, secrets redacted.
    pub summary: String,
    /// The stage that decided.
    pub kind: &'static str,
    /// The verdict.
    pub outcome: &'static str,
    /// Why.
    pub reason: String,
    /// The rule that decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The floor rule that was hit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor: Option<&'static str>,
    /// The model that answered last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classifier_model: Option<String>,
    /// What reasoning it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<portcullis_classifier::ReasoningUse>,
    /// Time spent in classifier requests, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
}

/// One classifier reply.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageEntry {
    /// When, RFC 3339.
    pub timestamp: String,
    /// Links the entries of one decision.
    pub decision_id: String,
    /// The session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The reply.
    pub message: MessageBody,
}

/// The part of a reply that usage counters read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MessageBody {
    /// Always `assistant`.
    pub role: &'static str,
    /// The model.
    pub model: String,
    /// Tokens.
    pub usage: Usage,
}

/// The classifier's prompt and replies.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ClassifierEntry {
    /// When, RFC 3339.
    pub ts: String,
    /// Links the entries of one decision.
    pub decision_id: String,
    /// What the model was shown.
    pub prompt: serde_json::Value,
    /// What came back, attempt by attempt.
    pub attempts: Vec<serde_json::Value>,
    /// What it came to.
    pub outcome: String,
}
