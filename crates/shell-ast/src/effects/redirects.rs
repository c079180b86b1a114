//! What redirects do.

use super::judge::Judge;
use super::words::{is_known, may_begin_with};
use super::{Access, AccessMode, EffectKind, assignments, secrets};
use crate::analysis::{Analysis, Redirect, RedirectOp, Word};

/// Targets that open no file: bash manual "Redirections" for `/dev/fd`, `/dev/stdout` …; null(4).
const NO_FILE: &[&str] = &["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/zero"];

/// bash opens a connection for these (manual, "Redirections").
const SOCKETS: &[&str] = &["/dev/tcp/", "/dev/udp/"];

/// What one redirect does.
enum Outcome<'a> {
    Nothing,
    Touches(AccessMode, &'a Word),
    Unknown(AccessMode),
    Connects,
    UnknownText,
}

fn outcome(redirect: &Redirect) -> Outcome<'_> {
    let mode = match redirect.op {
        RedirectOp::HereDoc => {
            return if redirect.body.is_some() { Outcome::Nothing } else { Outcome::UnknownText };
        }
        RedirectOp::HereString | RedirectOp::DupInput | RedirectOp::DupOutput => {
            return Outcome::Nothing;
        }
        RedirectOp::Read => AccessMode::Read,
        RedirectOp::Write
        | RedirectOp::Append
        | RedirectOp::Clobber
        | RedirectOp::ReadWrite
        | RedirectOp::WriteBoth
        | RedirectOp::AppendBoth => AccessMode::Write,
    };
    let target = &redirect.target;
    if SOCKETS.iter().any(|prefix| may_begin_with(target, prefix)) {
        return Outcome::Connects;
    }
    if target.literal().is_some_and(|name| is_no_file(&name)) {
        return Outcome::Nothing;
    }
    if is_known(target) { Outcome::Touches(mode, target) } else { Outcome::Unknown(mode) }
}

/// Opening it touches no file.
pub(super) fn is_no_file(name: &str) -> bool {
    NO_FILE.contains(&name)
        || name
            .strip_prefix("/dev/fd/")
            .is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The redirects of a simple command.
pub(super) fn judge(judge: &mut Judge<'_>) {
    let redirects = &judge.command.redirects;
    for redirect in redirects {
        if let Some(reason) = redirect.fd_var.as_deref().and_then(assignments::danger) {
            judge.raise(EffectKind::Unknown, format!("{{…}}> assigns a variable: {reason}"));
        }
        if secrets::in_word(&redirect.target) {
            judge.secret("a secret-like variable is passed on");
        }
        match outcome(redirect) {
            Outcome::Nothing => {}
            Outcome::Touches(mode, word) => {
                judge.access(mode, word.clone(), false);
                if mode.changes() {
                    judge.raise(EffectKind::WritesFiles, format!("writes `{}`", word.raw));
                }
            }
            Outcome::Unknown(mode) => {
                judge.unknown_access(mode, false);
                let kind = if mode.changes() { EffectKind::WritesFiles } else { EffectKind::Unknown };
                judge.raise(kind, format!("which file `{}` names is not known", redirect.target.raw));
            }
            Outcome::Connects => judge.raise(EffectKind::Network, "bash connects to a host for /dev/tcp and /dev/udp"),
            // Its expansions are out of reach here; it might print a secret.
            Outcome::UnknownText => judge.raise(EffectKind::Unknown, "the text of the here-document is not literal"),
        }
    }
}

/// The redirects of compound commands: their accesses, and the first reason against a read-only verdict.
pub(super) fn compound(analysis: &Analysis) -> (Vec<Access>, Option<String>) {
    let mut accesses = Vec::new();
    let mut why_not = None;
    for scoped in &analysis.compound_redirects {
        let (redirect, cwd) = (&scoped.redirect, &scoped.cwd);
        let mut push = |mode, path| {
            accesses.push(Access { mode, path, cwd: cwd.clone(), recursive: false });
        };
        let reason = match outcome(redirect) {
            Outcome::Nothing => None,
            Outcome::Touches(mode, word) => {
                push(mode, Some(word.clone()));
                mode.changes().then(|| format!("writes `{}`", word.raw))
            }
            Outcome::Unknown(mode) => {
                push(mode, None);
                Some(format!("which file `{}` names is not known", redirect.target.raw))
            }
            Outcome::Connects => Some("bash connects to a host for /dev/tcp and /dev/udp".to_owned()),
            Outcome::UnknownText => Some("the text of a here-document is not literal".to_owned()),
        };
        let name = redirect.fd_var.as_deref().and_then(assignments::danger).map(str::to_owned);
        let secret = secrets::in_word(&redirect.target).then(|| "a secret-like variable is passed on".to_owned());
        why_not = why_not.or(reason).or(name).or(secret);
    }
    (accesses, why_not)
}
