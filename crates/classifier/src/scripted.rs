//! A transport that answers from a script: for tests, evals and demos.
//!
//! A script is JSON lines, one reply a line, used in order. Blank lines and lines that start with `#` are skipped.
//!
//! ```text
//! {"text": "1"}
//! {"text": "{\"decision\":\"allow\",\"tier\":\"none\",\"reason\":\"a test run\"}", "delayMs": 30, "usage": {"input": 900, "output": 20}}
//! {"text": "{\"decision\":", "stop": "length"}
//! {"failure": "http(529)", "message": "overloaded"}
//! ```
//!
//! A script that has run out fails, so it can never allow by accident.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use serde::Deserialize;

use crate::{BoxFuture, Failure, FailureKind, ModelId, ReasoningLevel, Reply, Request, StopReason, Transport, Usage};

/// Answers from a script and remembers what it was asked.
#[derive(Debug)]
pub struct Scripted {
    id: ModelId,
    context_window: Option<u32>,
    reasoning_levels: Vec<ReasoningLevel>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    script: VecDeque<Step>,
    requests: Vec<Request>,
}

/// One scripted answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// How long the answer takes.
    pub delay: Duration,
    /// The answer.
    pub result: Result<Reply, Failure>,
}

impl Step {
    /// A reply that ended by itself.
    pub fn text(text: impl Into<String>) -> Self {
        Self::stopped(text, StopReason::Stop)
    }

    /// A reply with this stop reason.
    pub fn stopped(text: impl Into<String>, stop: StopReason) -> Self {
        Self { delay: Duration::ZERO, result: Ok(Reply { text: text.into(), stop, usage: Usage::default() }) }
    }

    /// A failure.
    pub fn failure(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { delay: Duration::ZERO, result: Err(Failure::new(kind, message)) }
    }

    /// The same answer, later.
    #[must_use]
    pub fn after(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }
}

/// A script line that can't be read.
#[derive(Debug, thiserror::Error)]
#[error("script line {line}: {problem}")]
pub struct ScriptError {
    line: usize,
    problem: String,
}

/// One line of a script.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Row {
    text: Option<String>,
    stop: Option<String>,
    #[serde(default)]
    usage: Usage,
    failure: Option<FailureKind>,
    message: Option<String>,
    #[serde(default)]
    delay_ms: u64,
}

impl Row {
    fn into_step(self) -> Result<Step, &'static str> {
        let result = match (self.text, self.failure) {
            (Some(text), None) if self.message.is_none() => {
                let stop = match self.stop.as_deref() {
                    None | Some("stop") => StopReason::Stop,
                    Some("length") => StopReason::Length,
                    Some("refusal") => StopReason::Refusal,
                    Some(other) => StopReason::Other(other.to_owned()),
                };
                Ok(Reply { text, stop, usage: self.usage })
            }
            (None, Some(kind)) if self.stop.is_none() => {
                Err(Failure::new(kind, self.message.unwrap_or_else(|| "scripted failure".to_owned())))
            }
            _ => {
                return Err("a line holds either `text` (with `stop`, `usage`) or `failure` (with `message`)");
            }
        };
        Ok(Step { delay: Duration::from_millis(self.delay_ms), result })
    }
}

impl Scripted {
    /// A transport that gives these answers in order.
    pub fn new(id: &str, steps: impl IntoIterator<Item = Step>) -> Self {
        let state = State { script: steps.into_iter().collect(), requests: Vec::new() };
        Self { id: ModelId::new(id), context_window: None, reasoning_levels: Vec::new(), state: Mutex::new(state) }
    }

    /// Reads a script of JSON lines.
    pub fn from_jsonl(id: &str, text: &str) -> Result<Self, ScriptError> {
        let rows = (1_usize..)
            .zip(text.lines())
            .filter(|(_, row)| !row.trim().is_empty() && !row.trim_start().starts_with('#'));
        let steps: Result<Vec<Step>, ScriptError> = rows
            .map(|(line, row)| {
                let row: Row =
                    serde_json::from_str(row).map_err(|error| ScriptError { line, problem: error.to_string() })?;
                row.into_step().map_err(|problem| ScriptError { line, problem: problem.to_owned() })
            })
            .collect();
        Ok(Self::new(id, steps?))
    }

    /// With a known context window, in tokens.
    #[must_use]
    pub fn with_context_window(self, tokens: u32) -> Self {
        Self { context_window: Some(tokens), ..self }
    }

    /// With these reasoning levels, lowest first.
    #[must_use]
    pub fn with_reasoning_levels(self, levels: &[ReasoningLevel]) -> Self {
        Self { reasoning_levels: levels.to_vec(), ..self }
    }

    /// What it was asked so far, in order.
    pub fn requests(&self) -> Vec<Request> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).requests.clone()
    }

    fn next(&self, request: Request) -> Step {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.requests.push(request);
        state
            .script
            .pop_front()
            .unwrap_or_else(|| Step::failure(FailureKind::Transport, "the script has no further reply"))
    }
}

impl Transport for Scripted {
    fn send(&self, request: Request) -> BoxFuture<'_, Result<Reply, Failure>> {
        Box::pin(async move {
            let step = self.next(request);
            if !step.delay.is_zero() {
                tokio::time::sleep(step.delay).await;
            }
            step.result
        })
    }

    fn id(&self) -> ModelId {
        self.id.clone()
    }

    fn reasoning_levels(&self) -> &[ReasoningLevel] {
        &self.reasoning_levels
    }

    fn context_window(&self) -> Option<u32> {
        self.context_window
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_script_line_is_named() {
        for (script, line) in [
            ("{}", 1),
            ("# ok\n\n{\"text\":\"0\"}\n{\"text\":\"0\",\"failure\":\"timeout\"}", 4),
            ("{\"failure\":\"nope\"}", 1),
            ("{\"text\":\"0\",\"typo\":1}", 1),
            ("{\"failure\":\"timeout\",\"stop\":\"length\"}", 1),
            ("0", 1),
        ] {
            let error = Scripted::from_jsonl("s/m", script).unwrap_err().to_string();
            assert!(error.starts_with(&format!("script line {line}: ")), "{script}: {error}");
        }
    }
}
