//! A wrapped command's original: permission rules see it beside what runs.

use portcullis_matcher::{Facts, Hit, ToolCall};
use serde_json::json;

use crate::facts::CallFacts;
use crate::stages::{Context, with_matcher_facts};

/// Looks at the original command, if the host gave one.
pub(crate) fn with_original(context: &Context<'_>, look: impl FnOnce(&Facts<'_>) -> Option<Hit>) -> Option<Hit> {
    let original = context.session.original_command.as_deref()?;
    // Only a command that can be understood can be matched; the one that runs was looked at already.
    let call = ToolCall::new(&context.call.host_tool, json!({ "command": original }), &context.call.cwd);
    let facts = CallFacts::gather(&call, context.session.home.as_deref(), context.ports.fs).ok()?;
    let context = Context { call: &call, ..*context };
    with_matcher_facts(&context, &facts, look)
}

/// The same for allow rules: the original's allow counts only if what runs is the original behind a `cd` to a literal directory.
pub(crate) fn with_original_for_allow(
    context: &Context<'_>,
    look: impl FnOnce(&Facts<'_>) -> Option<Hit>,
) -> Option<Hit> {
    let original = context.session.original_command.as_deref()?;
    let facts = context.facts.ok()?;
    let wrapped = facts.command.as_deref()?;
    let head = wrapped.strip_suffix(original)?;
    let analysis = portcullis_shell_ast::analyze(head.trim_end().strip_suffix("&&")?);
    let [command] = analysis.commands.as_slice() else { return None };
    let is_cd = command.words.first().and_then(portcullis_shell_ast::Word::literal).as_deref() == Some("cd");
    let literal = command.words.iter().all(|word| word.literal().is_some()) && command.words.len() <= 3;
    (analysis.is_whole() && is_cd && literal).then(|| with_original(context, look)).flatten()
}
