//! What a classification comes to.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Failure, FailureKind, ModelChange, ModelId, Prompt, ReasoningUse, StopReason, Usage};

/// The classifier's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The action may run.
    Allow {
        /// On what ground.
        tier: AllowTier,
        /// The model's reason, or a fixed one for the fast stage.
        reason: String,
    },
    /// The model judged that the action must not run.
    Block {
        /// On what ground.
        tier: BlockTier,
        /// The model's reason.
        reason: String,
        /// The rule that the reason cites, such as `H3`, if it exists in the list of that tier.
        rule_id: Option<String>,
    },
    /// The model leaves it to the user.
    Abstain {
        /// The model's reason.
        reason: String,
    },
    /// There was no usable answer. Not a judgement of the action.
    Failed {
        /// What kind of failure.
        kind: FailureKind,
        /// For people: one line.
        message: String,
    },
}

/// Grounds of an allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AllowTier {
    /// An allow exception covers a soft-denied action.
    Allow,
    /// The user asked for exactly this.
    ExplicitIntent,
    /// No rule speaks against it.
    None,
}

/// Grounds of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockTier {
    /// A hard-deny rule.
    HardDeny,
    /// A soft-deny rule that nothing overrides.
    SoftDeny,
    /// The model names no rule.
    None,
}

/// Which question was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// One digit: clearly fine, or look closer.
    Fast,
    /// The closer look.
    Detailed,
}

/// One request and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// Which question.
    pub stage: Stage,
    /// Counted from 1 within the stage.
    pub attempt: u32,
    /// Who was asked.
    pub model: ModelId,
    /// What reasoning was asked for.
    pub reasoning: ReasoningUse,
    /// From sending to the last byte, the failure or the timeout.
    pub duration: Duration,
    /// The reply's text, untrimmed, cut at 16 KiB.
    pub text: Option<String>,
    /// Why the model stopped.
    pub stop: Option<StopReason>,
    /// What it cost.
    pub usage: Usage,
    /// Why the attempt gave no answer, be it the transport's or the parser's reason.
    pub error: Option<Failure>,
}

/// The outcome and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The answer.
    pub outcome: Outcome,
    /// Every request, in order.
    pub attempts: Vec<Attempt>,
    /// What was learned about the models; apply it to the session's [`crate::ModelState`].
    pub changes: Vec<ModelChange>,
    /// What the model was shown.
    pub prompt: Prompt,
}
