//! `explain`: one decision with everything that led to it.

use portcullis_gate::{
    Decision, RealFs, ToolCall, Verdict, resolve,
    shell_ast::{Access, Cwd, analyze, effects},
};
use serde_json::{Value, json};

use crate::{
    ambient::Ambient,
    args::ExplainArgs,
    commands::{Failure, Output, call},
    compose::{self, Setup},
    render::{self, Paint, Tone, plain},
};

/// Decides and shows why. Answers the exit status.
pub(crate) fn run(args: &ExplainArgs, ambient: &Ambient, out: &mut Output, paint: Paint) -> Result<u8, Failure> {
    let request = call::request(&args.call, ambient)?;
    let tool_call = ToolCall::new(&request.call.tool, request.call.input.clone(), &request.call.cwd);
    let setup = compose::setup(ambient, Some(std::path::Path::new(&request.call.cwd)));
    let decision = compose::decide_with(request, &setup, ambient);
    if args.call.json {
        out.line(&as_json(&decision, &tool_call).to_string());
    } else {
        show(&decision, &tool_call, &setup, out, paint);
    }
    Ok(render::exit_status(decision.verdict))
}

fn as_json(decision: &Decision, call: &ToolCall) -> Value {
    let mut object = render::decision_json(decision, None);
    if let Value::Object(members) = &mut object {
        members.insert("tool".to_owned(), json!(call.tool.as_str()));
        members.insert("trace".to_owned(), render::trace_json(decision));
        if let Ok(Some(command)) = call.command() {
            let analysis = analyze(&command);
            let found = effects(&analysis);
            members.insert("shell".to_owned(), render::analysis_json(&analysis, &found));
        }
    }
    object
}

fn show(decision: &Decision, call: &ToolCall, setup: &Setup, out: &mut Output, paint: Paint) {
    out.line(&render::verdict_line(decision, paint));
    if let Some(message) = &decision.message_for_model {
        out.line(&format!("\n{}\n  {}", paint.apply(Tone::Strong, "what the agent is told"), plain(message)));
    }
    out.line(&format!("\n{}", paint.apply(Tone::Strong, "the call")));
    out.line(&format!("  tool       {} (as `{}`)", plain(call.tool.as_str()), plain(&call.host_tool)));
    out.line(&format!("  directory  {}", plain(&call.cwd)));
    for path in &decision.paths {
        out.line(&format!("  path       {}", plain(path)));
    }
    if let Ok(Some(command)) = call.command() {
        out.line(&format!("\n{}", paint.apply(Tone::Strong, "the command")));
        let analysis = analyze(&command);
        let found = effects(&analysis);
        let target = |access: &Access| resolved(access, setup);
        for line in render::analysis_lines(&command, &analysis, &found, &target, paint) {
            out.line(&format!("  {line}"));
        }
    }
    trace(decision, out, paint);
    if let Some(rule) = &decision.rule {
        out.line(&format!("\n{}", paint.apply(Tone::Strong, "the rule that decided")));
        out.line(&format!(
            "  {} {}  {}",
            render::list_name(rule.list),
            plain(&rule.text),
            plain(&render::rule_place(rule))
        ));
        if !rule.detail.is_empty() {
            out.line(&format!("  {}", plain(&rule.detail)));
        }
    }
    for finding in setup.policy.diagnostics() {
        out.line(&paint.apply(Tone::Caution, &plain(&finding.message)));
    }
    if let Some(why) = &decision.degraded {
        out.line(&paint.apply(Tone::Bad, &format!("\nDEGRADED: {}", plain(why))));
    }
}

fn trace(decision: &Decision, out: &mut Output, paint: Paint) {
    out.line(&format!("\n{}", paint.apply(Tone::Strong, "stages, in order")));
    for step in &decision.trace {
        let word = step.verdict.map_or("next", Verdict::name);
        let padded = format!("{word:<9}");
        let word = paint.apply(step.verdict.map_or(Tone::Quiet, render::tone), &padded);
        out.line(&format!("  {:<24} {word} {}", step.stage.id(), plain(&step.detail)));
    }
}

/// Where a plain operand leads. What depends on expansions or on `cd` is left as typed.
fn resolved(access: &Access, setup: &Setup) -> Option<String> {
    let word = access.path.as_ref().filter(|_| access.cwd == Cwd::Start)?;
    // The shell expands an unquoted tilde itself; our resolver does the same for the text.
    let text = word.literal().or_else(|| word.raw.starts_with('~').then(|| word.raw.clone()))?;
    let path = resolve(&RealFs, &text, &setup.base).ok()?;
    Some(path.resolved.to_string_lossy().into_owned())
}
