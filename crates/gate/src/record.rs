//! What is remembered and logged of a decision. INVARIANT 8: nothing here changes a verdict.

use std::cell::LazyCell;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::ops::Deref;

use portcullis_classifier::{Attempt, BlockTier, FailureKind, Outcome as ModelOutcome, Verdict as ModelVerdict};
use portcullis_matcher::ToolCall;
use serde_json::json;

use crate::log::{ClassifierEntry, DecisionEntry, LogEntry, MessageBody, MessageEntry};
use crate::redact::redact;
use crate::state::{Denial, SessionAllow, SessionState};
use crate::{Decision, Policy, Ports, Session, Stage, Verdict};

/// Longest summary of a call in the log, in characters (seed 000).
const SUMMARY: usize = 6_000;

/// Longest summary of a call in a denial.
const ACTION: usize = 300;

/// What happened.
pub(crate) struct Outcome<'a> {
    pub(crate) decision: &'a Decision,
    pub(crate) session_allow: Option<SessionAllow>,
    pub(crate) approved: bool,
}

/// A random id of 8 hex digits.
pub(crate) fn decision_id() -> String {
    let random = RandomState::new().build_hasher().finish();
    format!("{:08x}", random & 0xffff_ffff)
}

/// The call's subject, for people: the command, or the input.
pub(crate) fn summary(call: &ToolCall) -> String {
    let text = match call.command() {
        Ok(Some(command)) => command,
        Ok(None) | Err(_) => call.canonical_input(),
    };
    redact(&cut(&text, SUMMARY))
}

/// Updates the session and writes the log.
pub(crate) fn write(ports: &Ports<'_>, policy: &Policy, call: &ToolCall, session: &Session, outcome: &Outcome<'_>) {
    let decision = outcome.decision;
    // The gate's own inspection tool changes nothing, and a gate that is off does not look (seed 000).
    if decision.verdict == Verdict::Pass || decision.stage == Stage::Inspect {
        return;
    }
    events(decision);
    let now = ports.clock.now().to_string();
    // Only denials and the log quote the call; a written file would be serialised at every allow.
    let summary = LazyCell::new(|| summary(call));
    if let Some(id) = &session.id {
        let limits = policy.config().auto_mode.pause;
        let update = ports.state.update(id, &mut |state| remember(state, call, outcome, &now, &summary, limits));
        if let Err(error) = update {
            tracing::warn!(%error, "session state was not updated");
        }
    }
    ports.log.write(&entries(policy, call, session, decision, &now, &summary));
}

/// Events under the names of seed 002. Safe metadata only: no command, no path, no model text.
fn events(decision: &Decision) {
    let (stage, id) = (decision.stage.id(), decision.id.as_str());
    let verdict = decision.classifier.as_ref().and_then(|used| used.verdict.as_ref());
    for attempt in verdict.iter().flat_map(|verdict| &verdict.attempts) {
        let (model, number) = (attempt.model.as_str(), attempt.attempt);
        if number > 1 {
            tracing::info!(name: "auto_mode.retry", id, model, number);
        }
        match attempt.error.as_ref().map(|error| error.kind) {
            None => {}
            Some(FailureKind::NoModel | FailureKind::Auth) => {
                tracing::warn!(name: "auto_mode.setup_failure", id, model, number);
            }
            Some(FailureKind::Malformed | FailureKind::Truncated) => {
                tracing::warn!(name: "auto_mode.parse_failure", id, model, number);
            }
            Some(kind) => tracing::warn!(name: "auto_mode.http_failure", id, model, number, %kind),
        }
    }
    let lost = matches!(verdict.map(|verdict| &verdict.outcome), Some(ModelOutcome::Failed { .. }));
    match decision.verdict {
        Verdict::Ask if lost => tracing::warn!(name: "auto_mode.fallback_ask", id, stage),
        Verdict::Deny if lost => tracing::warn!(name: "auto_mode.fallback_deny", id, stage),
        Verdict::Allow => tracing::info!(name: "auto_mode.allowed", id, stage),
        Verdict::Deny => tracing::info!(name: "auto_mode.denied", id, stage),
        Verdict::Ask => tracing::info!(name: "auto_mode.ask", id, stage),
        Verdict::Pass | Verdict::Undecided => {}
    }
}

fn remember(
    state: &mut SessionState,
    call: &ToolCall,
    outcome: &Outcome<'_>,
    now: &str,
    summary: &dyn Deref<Target = String>,
    limits: portcullis_config::Pause,
) {
    let decision = outcome.decision;
    state.checked_actions = state.checked_actions.saturating_add(1);
    state.last_decision = Some(decision.verdict.name().to_owned());
    state.last_reason = Some(decision.reason.clone());
    if outcome.approved {
        state.pause.resume();
    }
    if let Some(allow) = &outcome.session_allow {
        state.allow(allow.clone());
    }
    if decision.verdict == Verdict::Deny {
        state.blocked_actions = state.blocked_actions.saturating_add(1);
        state.push_denial(Denial {
            timestamp: now.to_owned(),
            tool_name: call.host_tool.clone(),
            reason: decision.reason.clone(),
            action: cut(summary, ACTION),
            kind: decision.stage.id().to_owned(),
        });
    }
    let Some(verdict) = decision.classifier.as_ref().and_then(|used| used.verdict.as_ref()) else { return };
    for change in &verdict.changes {
        if state.models.apply(change) {
            tracing::info!(?change, "a classifier model was pinned or set aside");
        }
    }
    match &verdict.outcome {
        ModelOutcome::Allow { .. } => {
            state.classifier_allowed = state.classifier_allowed.saturating_add(1);
            state.pause.allowed();
        }
        ModelOutcome::Block { tier: BlockTier::HardDeny | BlockTier::SoftDeny | BlockTier::None, .. } => {
            state.classifier_denied = state.classifier_denied.saturating_add(1);
            if !outcome.approved && state.pause.blocked(limits) {
                tracing::warn!("repeated blocks paused automatic decisions");
            }
        }
        // No judgement of the call: neither counts.
        ModelOutcome::Abstain { .. } | ModelOutcome::Failed { .. } => {}
    }
}

/// The lines of one decision: usage, then the exchange, then the decision (the order of seed 000).
fn entries(
    policy: &Policy,
    call: &ToolCall,
    session: &Session,
    decision: &Decision,
    now: &str,
    summary: &dyn Deref<Target = String>,
) -> Vec<LogEntry> {
    let log = policy.config().auto_mode.log;
    if !log.enabled {
        return Vec::new();
    }
    let verdict = decision.classifier.as_ref().and_then(|used| used.verdict.as_ref());
    let attempts = verdict.map(|verdict| verdict.attempts.as_slice()).unwrap_or_default();
    let mut entries: Vec<LogEntry> = attempts
        .iter()
        .filter(|attempt| attempt.text.is_some())
        .map(|attempt| {
            LogEntry::Message(MessageEntry {
                timestamp: now.to_owned(),
                decision_id: decision.id.clone(),
                session_id: session.id.clone(),
                message: MessageBody {
                    role: "assistant",
                    model: attempt.model.as_str().to_owned(),
                    usage: attempt.usage,
                },
            })
        })
        .collect();
    if let Some(verdict) = verdict.filter(|_| log.classifier_io) {
        entries.push(LogEntry::Classifier(exchange(verdict, decision, now)));
    }
    let spent = attempts.iter().map(|attempt| attempt.duration).sum::<std::time::Duration>();
    entries.push(LogEntry::Decision(DecisionEntry {
        ts: now.to_owned(),
        decision_id: decision.id.clone(),
        session_id: session.id.clone(),
        cwd: call.cwd.clone(),
        tool: call.tool.as_str().to_owned(),
        summary: summary.to_string(),
        kind: decision.stage.id(),
        outcome: decision.verdict.name(),
        reason: decision.reason.clone(),
        rule: decision.rule.as_ref().map(|rule| rule.text.clone()),
        floor: decision.floor,
        classifier_model: attempts.last().map(|attempt| attempt.model.as_str().to_owned()),
        reasoning: attempts.last().map(|attempt| attempt.reasoning),
        duration_ms: attempts.last().map(|_| u64::try_from(spent.as_millis()).unwrap_or(u64::MAX)),
    }));
    entries
}

fn exchange(verdict: &ModelVerdict, decision: &Decision, now: &str) -> ClassifierEntry {
    let attempt = |attempt: &Attempt| {
        json!({"stage": attempt.stage, "attempt": attempt.attempt, "model": attempt.model.as_str(), "text": attempt.text,
            "stop": attempt.stop, "usage": attempt.usage, "durationMs": u64::try_from(attempt.duration.as_millis()).ok(),
            "error": attempt.error.as_ref().map(ToString::to_string)})
    };
    ClassifierEntry {
        ts: now.to_owned(),
        decision_id: decision.id.clone(),
        prompt: json!(verdict.prompt),
        attempts: verdict.attempts.iter().map(attempt).collect(),
        outcome: decision.reason.clone(),
    }
}

/// At most `limit` characters, with a mark where more was.
fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
    }
}
