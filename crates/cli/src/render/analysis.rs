//! The analysis of a bash command as a tree, for `explain`.

use portcullis_gate::shell_ast::{
    Access, Analysis, Command, CommandEffect, Context, Cwd, Effects, Origin, ParseOutcome, Redirect, SecondOpinion,
    Word,
};
use serde::Serialize;
use serde_json::{Value, json};

use super::{Paint, Tone, clip, plain};

/// Longest piece of a command that is shown.
const TEXT: usize = 160;
/// Deepest indentation: a chain of dispatchers is longer only in an attack.
const DEPTH: usize = 16;

/// Where an access leads: the resolved path, or why there is none.
pub(crate) type Resolve<'a> = dyn Fn(&Access) -> Option<String> + 'a;

/// The tree, line by line.
pub(crate) fn analysis_lines(
    script: &str,
    analysis: &Analysis,
    effects: &Effects,
    resolve: &Resolve<'_>,
    paint: Paint,
) -> Vec<String> {
    let mut lines = vec![format!("skeleton  {}", plain(&clip(&analysis.skeleton, TEXT)))];
    let depths = depths(&analysis.commands);
    for ((command, effect), depth) in analysis.commands.iter().zip(&effects.commands).zip(depths) {
        command_lines(&mut lines, command, effect, depth, resolve, paint);
    }
    if let SecondOpinion::Differs { extra, .. } = &analysis.second {
        for (command, effect) in extra.iter().zip(&effects.extra) {
            lines.push(paint.apply(Tone::Caution, "found by the second parser only:"));
            command_lines(&mut lines, command, effect, 1, resolve, paint);
        }
    }
    for access in &effects.compound {
        lines.push(access_line(access, "", resolve));
    }
    for opaque in &analysis.opaque {
        let text = script.get(opaque.span.start..opaque.span.end).unwrap_or_default();
        let shown = plain(&clip(text, TEXT));
        lines.push(format!(
            "{}  `{shown}`  {}: {}",
            paint.apply(Tone::Bad, "opaque"),
            id(&opaque.kind),
            plain(&opaque.detail)
        ));
    }
    lines.extend(verdict_lines(analysis, effects, paint));
    lines
}

/// What the whole comes to.
fn verdict_lines(analysis: &Analysis, effects: &Effects, paint: Paint) -> Vec<String> {
    let mut lines = Vec::new();
    if let ParseOutcome::Error { message, span } = &analysis.parse {
        lines.push(format!("{}  at byte {}: {}", paint.apply(Tone::Bad, "syntax"), span.start, plain(message)));
    }
    for limit in &analysis.limits {
        lines.push(format!("{}  {}", paint.apply(Tone::Bad, "limit"), id(limit)));
    }
    lines.push(match &analysis.second {
        SecondOpinion::Agreed => "second parser  found the same commands".to_owned(),
        SecondOpinion::Differs { why, .. } => {
            format!("second parser  {}: {}", paint.apply(Tone::Bad, "differs"), plain(&clip(why, TEXT)))
        }
        SecondOpinion::Outside { why } => {
            format!("second parser  not asked, since it is not safe on this text: {}", plain(why))
        }
        SecondOpinion::NotAsked => "second parser  not asked: nothing could be allowed locally anyway".to_owned(),
    });
    lines.push(match &effects.why_not {
        None if analysis.is_whole() => format!("proof  {}", paint.apply(Tone::Good, "reads only")),
        None => format!("proof  {}", paint.apply(Tone::Caution, "not whole, so nothing is proven")),
        Some(why) => format!("proof  {}: {}", paint.apply(Tone::Caution, "not read-only"), plain(&clip(why, TEXT))),
    });
    lines
}

fn command_lines(
    lines: &mut Vec<String>,
    command: &Command,
    effect: &CommandEffect,
    depth: usize,
    resolve: &Resolve<'_>,
    paint: Paint,
) {
    let indent = "  ".repeat(depth.min(DEPTH));
    let text = plain(&clip(&text(command), TEXT));
    let kind = id(&effect.kind);
    let tone = if effect.is_read_only() { Tone::Good } else { Tone::Caution };
    let place = place(command);
    lines.push(format!("{indent}- {}{place}", paint.apply(Tone::Strong, &text)));
    lines.push(format!("{indent}    {}: {}", paint.apply(tone, &kind), plain(&effect.reason)));
    for access in &effect.accesses {
        lines.push(access_line(access, &indent, resolve));
    }
    for need in &effect.needs {
        lines.push(format!("{indent}    read-only only if the project's configuration runs nothing: {}", id(need)));
    }
    if effect.reads_secrets {
        lines.push(format!("{indent}    prints what may be secret"));
    }
}

fn access_line(access: &Access, indent: &str, resolve: &Resolve<'_>) -> String {
    let typed = access.path.as_ref().map_or("(a file that can't be told)", |word| word.raw.as_str());
    let below = if access.recursive { " and all below" } else { "" };
    let target = resolve(access).filter(|path| path != typed).map(|path| format!(" -> {}", plain(&path)));
    format!("{indent}    {} {}{}{below}", id(&access.mode), plain(&clip(typed, TEXT)), target.unwrap_or_default())
}

/// A command's own text: what it assigns, its words, its redirects.
fn text(command: &Command) -> String {
    let assignments = command.assignments.iter().map(|assignment| {
        let value = assignment.value.as_ref().map_or("(…)", |word: &Word| word.raw.as_str());
        format!("{}{}{value}", assignment.name, if assignment.append { "+=" } else { "=" })
    });
    let words = command.words.iter().map(|word| word.raw.clone());
    let redirects = command.redirects.iter().map(redirect);
    assignments.chain(words).chain(redirects).collect::<Vec<_>>().join(" ")
}

fn redirect(redirect: &Redirect) -> String {
    use portcullis_gate::shell_ast::RedirectOp as Op;
    let op = match redirect.op {
        Op::Read => "<",
        Op::Write => ">",
        Op::Append => ">>",
        Op::Clobber => ">|",
        Op::ReadWrite => "<>",
        Op::DupInput => "<&",
        Op::DupOutput => ">&",
        Op::WriteBoth => "&>",
        Op::AppendBoth => "&>>",
        Op::HereDoc => "<<",
        Op::HereString => "<<<",
    };
    let descriptor =
        redirect.fd.map(|fd| fd.to_string()).or_else(|| redirect.fd_var.as_ref().map(|name| format!("{{{name}}}")));
    format!("{}{op}{}", descriptor.unwrap_or_default(), redirect.target.raw)
}

/// In what it stands and where it runs, if that is anything but the plain top level.
fn place(command: &Command) -> String {
    let mut notes: Vec<String> = command.place.context.iter().map(|context: &Context| id(context)).collect();
    if command.remote {
        notes.push("on another machine".to_owned());
    }
    if command.dispatches {
        notes.push("only runs the commands below".to_owned());
    }
    match &command.cwd {
        Cwd::Start => {}
        Cwd::Moved(words) => {
            let to: Vec<&str> = words.iter().map(|word| word.raw.as_str()).collect();
            notes.push(format!("in {}", plain(&to.join(", then "))));
        }
        Cwd::Unknown => notes.push("in a directory that can't be told".to_owned()),
    }
    if notes.is_empty() { String::new() } else { format!("  ({})", notes.join("; ")) }
}

/// How deep each command stands below the dispatchers that run it. A dispatcher comes before its commands.
fn depths(commands: &[Command]) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(commands.len());
    for command in commands {
        let above = match command.origin {
            Origin::Direct => None,
            Origin::Dispatch { by } | Origin::Script { by } => Some(by),
        };
        let depth = above.map_or(0, |by| depths.get(by).copied().unwrap_or_default().saturating_add(1));
        depths.push(depth);
    }
    depths
}

/// The stable id of a value, as in JSON, with blanks for underscores.
fn id(value: &impl Serialize) -> String {
    let text = serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned));
    text.unwrap_or_default().replace('_', " ")
}

/// The same for programs.
pub(crate) fn analysis_json(analysis: &Analysis, effects: &Effects) -> Value {
    json!({"analysis": analysis, "effects": effects, "whole": analysis.is_whole()})
}
