//! What the classifier is shown of a call besides the call itself.

use portcullis_classifier::{ActionError, ActionJson, Case, Evidence};
use portcullis_shell_ast::{Analysis, Effects};

use crate::facts::CallFacts;
use crate::stages::Context;

/// Most commands that are listed; the action itself is always shown whole.
const LISTED: usize = 100;

/// The case for one call.
pub(crate) fn case(context: &Context<'_>, facts: &CallFacts, why: &str) -> Result<Case, ActionError> {
    // INVARIANT 5: the exact action, untruncated; what can't be shown whole is an error, and the gate denies.
    let mut case = Case::new(ActionJson::new(context.call.tool.as_str(), &context.call.input)?);
    why.clone_into(&mut case.route_reason);
    if let Some(conversation) = &context.session.conversation {
        case.transcript = conversation.entries();
        case.instructions = conversation.instructions();
    }
    let mut evidence = Evidence::default().with("working directory", [facts.base.cwd.to_string_lossy().into_owned()]);
    if let (Some(analysis), Some(effects)) = (&facts.analysis, &facts.effects) {
        evidence = shell(evidence, analysis, effects);
    }
    evidence = evidence.with("resolved paths", facts.resolved());
    if let Some(situation) = context.situation {
        evidence = evidence
            .with("protected paths that are changed", situation.protected.clone())
            .with(
                "sensitive paths that are touched",
                situation.sensitive.iter().map(|(path, why)| format!("{path}: {why}")),
            )
            .with(
                "denied paths that may be touched",
                situation.denied.iter().map(|(path, by)| format!("{path} ({by})")),
            );
    }
    case.evidence = evidence;
    Ok(case)
}

fn shell(evidence: Evidence, analysis: &Analysis, effects: &Effects) -> Evidence {
    let commands = analysis.commands.iter().zip(&effects.commands).take(LISTED).map(|(command, effect)| {
        let words: Vec<&str> = command.words.iter().map(|word| word.raw.as_str()).collect();
        format!("{} — {}", words.join(" "), effect.reason)
    });
    let opaque = analysis.opaque.iter().take(LISTED).map(|opaque| opaque.detail.clone());
    let more = analysis.commands.len().saturating_sub(LISTED);
    let left_out = (more > 0).then(|| format!("{more} more commands, which the action shows"));
    let commands = commands.chain(left_out);
    evidence.with("commands that the analysis found", commands).with("parts that it can't see into", opaque)
}
