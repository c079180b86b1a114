//! Our own protocol, for agents without an adapter: one JSON object in, one out (`schemas/request.schema.json`,
//! `schemas/decision.schema.json`).
//!
//! In: `{"tool", "input", "cwd"?, "session"?, "mode"?, "canAsk"?}`. Out: the object of `check --json`. Exit status as every
//! host understands it: 0, or 2 with a reason on stderr for a deny.

use portcullis_gate::{Decision, Verdict};
use serde_json::Value;

use super::{CallEvent, Event, Host, HostProblem, Wiring, text};
use crate::{
    process::{Answer, EXIT_BLOCK},
    render,
};

/// The documented protocol of our own.
pub(crate) struct Generic;

impl Host for Generic {
    fn id(&self) -> &'static str {
        "generic"
    }

    fn parse(&self, input: &Value) -> Result<Event, HostProblem> {
        if !input.is_object() {
            return Err(HostProblem::NotAnObject);
        }
        let mode = match input.get("mode") {
            None | Some(Value::Null) => None,
            Some(_) => Some(text(input, "mode")?.parse().map_err(|_| HostProblem::Missing { key: "mode" })?),
        };
        Ok(Event::ToolCall(Box::new(CallEvent {
            tool: text(input, "tool")?.to_owned(),
            input: input.get("input").cloned().unwrap_or(Value::Null),
            cwd: text(input, "cwd")?.to_owned(),
            session: input.get("session").and_then(Value::as_str).map(str::to_owned),
            mode,
            can_ask: input.get("canAsk").and_then(Value::as_bool).unwrap_or(false),
        })))
    }

    fn answer(&self, decision: &Decision) -> Answer {
        let stdout = render::decision_json(decision, None).to_string();
        match decision.verdict {
            Verdict::Deny | Verdict::Undecided => {
                Answer { stdout, stderr: render::host_reason(decision), status: EXIT_BLOCK }
            }
            Verdict::Allow | Verdict::Ask | Verdict::Pass => Answer { stdout, stderr: String::new(), status: 0 },
        }
    }

    fn wiring(&self) -> Option<&'static dyn Wiring> {
        None
    }
}
