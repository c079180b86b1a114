//! The prompt: one stable prefix, then the action, the evidence, and the stage instruction last.

mod clip;
mod context;
mod escape;
mod evidence;
mod stages;
mod system;

pub(crate) use clip::{json_clipped, middle_cut, tokens, units};
use escape::{Scope, escape_json};
pub(crate) use escape::{is_hidden, json_inside};
pub(crate) use stages::{decision_shape, instruction};

use crate::{Case, Message, Policy, Stage};

/// What the model is shown in one classification. Both stages share all of it; only the stage instruction differs.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Prompt {
    system: String,
    context: String,
    action: String,
    evidence: String,
}

/// Budgets for the two kinds of transcript entries, in approximate tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Budgets {
    pub(crate) user: u32,
    pub(crate) tool: u32,
}

impl Prompt {
    pub(crate) fn new(system: &str, case: &Case, budgets: Budgets) -> Self {
        Self {
            system: system.to_owned(),
            context: context::context_text(&case.instructions, &case.transcript, budgets),
            action: case.action.as_str().to_owned(),
            evidence: evidence::evidence_text(&case.evidence, &case.route_reason),
        }
    }

    /// The policy semantics and rules.
    pub fn system(&self) -> &str {
        &self.system
    }

    /// Project instructions and transcript.
    pub fn context(&self) -> &str {
        &self.context
    }

    /// The exact action.
    pub fn action(&self) -> &str {
        &self.action
    }

    /// The findings of the analysis and why the call was routed here.
    pub fn evidence(&self) -> &str {
        &self.evidence
    }

    /// The instruction that closes the request of `stage`.
    pub fn instruction(stage: Stage) -> &'static str {
        instruction(stage)
    }

    pub(crate) fn messages(&self, stage: Stage) -> Vec<Message> {
        [self.context.as_str(), &self.action, &self.evidence, instruction(stage)].map(Message::new).into()
    }

    /// Approximate tokens of the whole request, without the answer: bytes ÷ 4, which errs to the high side for most scripts.
    pub(crate) fn approximate_tokens(&self, stage: Stage) -> usize {
        [self.system.as_str(), &self.context, &self.action, &self.evidence, instruction(stage)]
            .into_iter()
            .fold(0_usize, |sum, text| sum.saturating_add(text.len().div_ceil(4)))
    }
}

/// The system text for a policy.
pub(crate) fn system_text(policy: &Policy) -> String {
    system::system_text(policy)
}

/// Escapes what could pose as structure in the action's JSON.
pub(crate) fn escape_action_json(json: &str) -> String {
    escape_json(json, Scope::Action)
}

/// Escapes everything that could pose as structure in JSON between our delimiters.
pub(crate) fn escape_fenced_json(json: &str) -> String {
    escape_json(json, Scope::Fenced)
}
