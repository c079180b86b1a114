//! Our own protocol, for agents without an adapter: one JSON object in, one out (`schemas/request.schema.json`,
//! `schemas/decision.schema.json`).
//!
//! In: `{"tool", "input", "cwd", "session"?, "mode"?, "canAsk"?}`. Out: the object of `check --json`. Exit status as every
//! host understands it: 0, or 2 with a reason on stderr for a deny.

use portcullis_gate::{Decision, Verdict};
use serde_json::Value;

use super::{Event, Host, HostProblem, Wiring};
use crate::{
    process::{Answer, EXIT_BLOCK},
    render,
    request::{self, Unsaid},
};

/// The documented protocol of our own.
pub(crate) struct Generic;

impl Host for Generic {
    fn id(&self) -> &'static str {
        "generic"
    }

    fn parse(&self, input: &Value) -> Result<Event, HostProblem> {
        Ok(Event::ToolCall(Box::new(request::parse(input, None, Unsaid::Nobody)?)))
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
