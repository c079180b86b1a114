//! Commands that run other commands, and commands that were reached through them.

use super::judge::Judge;
use super::words::{Shape, is_known, text_word};
use super::{AccessMode, EffectKind, assignments, find};
use crate::analysis::{Command, Origin, PipePosition};

/// Dispatchers that are more than a way to run something: name and reason.
const MORE: &[(&str, EffectKind, &str)] = &[
    ("chroot", EffectKind::ChangesSystem, "runs under another root directory"),
    ("doas", EffectKind::ChangesSystem, "runs with other rights"),
    ("docker", EffectKind::ExecutesCode, "runs in a container"),
    ("entr", EffectKind::ExecutesCode, "runs again and again when files change"),
    ("exec", EffectKind::ChangesSystem, "replaces the shell, or redirects everything that follows"),
    ("flock", EffectKind::WritesFiles, "creates its lock file"),
    ("kubectl", EffectKind::ExecutesCode, "runs in a container"),
    ("nohup", EffectKind::WritesFiles, "writes nohup.out when the output is a terminal"),
    ("nsenter", EffectKind::ChangesSystem, "runs in other namespaces"),
    ("parallel", EffectKind::ExecutesCode, "hands its templates to a shell"),
    ("pkexec", EffectKind::ChangesSystem, "runs with other rights"),
    ("podman", EffectKind::ExecutesCode, "runs in a container"),
    ("run0", EffectKind::ChangesSystem, "runs with other rights"),
    ("script", EffectKind::WritesFiles, "writes a typescript"),
    ("setsid", EffectKind::ChangesSystem, "leaves a process that outlives the call"),
    ("ssh", EffectKind::Network, "runs on another machine"),
    ("su", EffectKind::ChangesSystem, "runs as another user"),
    ("sudo", EffectKind::ChangesSystem, "runs with other rights"),
    ("trap", EffectKind::ChangesSystem, "runs later, when a signal comes"),
    ("unshare", EffectKind::ChangesSystem, "runs in other namespaces"),
];

/// Dispatchers that add operands which the script does not tell.
const FEEDERS: &[&str] = &["xargs", "gxargs", "parallel"];

/// The command is a dispatcher of which everything it runs is in the list.
pub(super) fn judge(judge: &mut Judge<'_>, name: &str) -> bool {
    fed(judge);
    if !judge.command.dispatches {
        return false;
    }
    if let Some((_, kind, reason)) = MORE.iter().find(|(known, _, _)| *known == name) {
        judge.raise(*kind, *reason);
        return true;
    }
    // `find … -exec` has tests and actions of its own, `git -c alias…` options.
    if name == "find" || name == "gfind" {
        find::judge(judge);
        return true;
    }
    if matches!(name, "git" | "fd" | "fdfind") {
        return false;
    }
    if name == "env" {
        environment(judge);
    }
    if name == "time" && judge.words.iter().any(|word| word.raw.starts_with("-o") || word.raw.starts_with("--o")) {
        judge.raise(EffectKind::WritesFiles, "`-o`: writes the times to a file");
    }
    judge.raise(EffectKind::ReadOnly, "runs what follows");
    true
}

/// `env NAME=value … command`: the names are judged like assignments in front of a command.
fn environment(judge: &mut Judge<'_>) {
    let mut words = judge.words.iter();
    while let Some(word) = words.next() {
        let head = word.literal_prefix();
        if matches!(head.as_str(), "-u" | "--unset" | "-C" | "--chdir") {
            words.next();
        } else if head.starts_with('-') {
            // The walk knows its options; a name that `-S` sets is in the dispatched command.
            if head.starts_with("-S") || head.starts_with("--s") || head.starts_with("-vS") {
                judge.raise(EffectKind::Unknown, "`-S`: splits a string into words and names to set");
            }
        } else if let Some((name, _)) = head.split_once('=') {
            if let Some(reason) = assignments::not_harmless(name) {
                judge.raise(EffectKind::Unknown, format!("sets `{name}`: {reason}"));
            }
        } else {
            return;
        }
    }
}

/// A command that gets further operands from standard input.
fn fed(judge: &mut Judge<'_>) {
    let Some(by) = dispatcher(judge) else { return };
    let name = by.words.first().and_then(crate::Word::literal).unwrap_or_default();
    let base = name.rsplit('/').next().unwrap_or_default();
    if !FEEDERS.contains(&base) {
        return;
    }
    // Operands that only become text are harmless, whatever they are.
    let mine = judge.command.words.first().and_then(crate::Word::literal).unwrap_or_default();
    if matches!(mine.as_str(), "echo" | "basename" | "dirname") {
        return;
    }
    if fed_by_lister(judge, &mine).is_some() {
        return;
    }
    judge.unknown_access(AccessMode::Read, false);
    judge.raise(EffectKind::Unknown, "its operands come from standard input, so they could be any file or option");
}

/// Programs without a dangerous option that print no content: a file name with blanks, which xargs splits, tells little.
const COUNTING: &[&str] = &["cksum", "du", "ls", "md5sum", "realpath", "sha1sum", "sha256sum", "stat", "wc"];
/// Programs without a dangerous option that print content: only with `xargs -0`, which splits nothing.
const PRINTING: &[&str] = &["cat", "egrep", "fgrep", "grep", "head", "nl", "tail"];

/// `find src -name x -print0 | xargs -0 grep y`: the start points, below which all operands lie.
fn fed_by_lister(judge: &Judge<'_>, mine: &str) -> Option<Vec<crate::Word>> {
    let Origin::Dispatch { by } = judge.command.origin else { return None };
    let xargs = judge.analysis.commands.get(by)?;
    // The stage before, if it is a simple command: those of groups and substitutions have another context.
    let lister = judge.analysis.commands.get(by.checked_sub(1)?)?;
    let piped = matches!(lister.place.pipe, PipePosition::First | PipePosition::Middle)
        && matches!(xargs.place.pipe, PipePosition::Middle | PipePosition::Last)
        && lister.place.context == xargs.place.context
        && lister.origin == xargs.origin
        && lister.redirects.is_empty()
        && !lister.shadowed
        && xargs.redirects.is_empty();
    let whole =
        xargs.words.iter().any(|word| matches!(word.literal().as_deref(), Some("-0" | "--null" | "-0r" | "-r0")));
    if !piped || !(COUNTING.contains(&mine) || (PRINTING.contains(&mine) && whole)) {
        return None;
    }
    let words = lister.words.get(1..)?;
    let literal = |at: usize| words.get(at).and_then(crate::Word::literal).unwrap_or_default();
    match lister.words.first()?.literal()?.as_str() {
        // `-printf` could print any text.
        "find" if !words.iter().any(|word| word.literal_prefix().starts_with("-printf")) && !lister.dispatches => {
            let roots = find::roots(words);
            if roots.is_empty() { Some(vec![text_word(".")]) } else { Some(roots.into_iter().cloned().collect()) }
        }
        "git" if literal(0) == "ls-files" || (literal(0) == "diff" && literal(1) == "--name-only") => {
            (!words.iter().any(|word| word.literal_prefix().starts_with("--f"))).then(|| vec![text_word(".")])
        }
        _ => None,
    }
}

fn dispatcher<'a>(judge: &Judge<'a>) -> Option<&'a Command> {
    match judge.command.origin {
        Origin::Dispatch { by } => judge.analysis.commands.get(by),
        Origin::Direct | Origin::Script { .. } => None,
    }
}

/// `{}`: the files that the dispatcher finds, which lie below its roots.
pub(super) fn found(judge: &mut Judge<'_>, mode: AccessMode, recursive: bool) {
    let mine = judge.command.words.first().and_then(crate::Word::literal).unwrap_or_default();
    let roots: Vec<crate::Word> = fed_by_lister(judge, &mine).unwrap_or_else(|| {
        let by = dispatcher(judge);
        by.map(|by| find::roots(by.words.get(1..).unwrap_or_default()).into_iter().cloned().collect())
            .unwrap_or_default()
    });
    if roots.is_empty() {
        judge.access(mode, text_word("."), true);
    }
    for root in &roots {
        // Names that begin like the root are operands only if the root does not begin with a dash.
        if is_known(root) && Shape::of(root).dash() == super::words::Dash::No {
            judge.access(mode, root.clone(), true);
        } else {
            judge.unknown_access(mode, recursive);
            judge.raise(EffectKind::Unknown, format!("which files are found below `{}` is not known", root.raw));
        }
    }
}
