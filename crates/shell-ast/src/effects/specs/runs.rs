//! Programs that run code or a shell. What a dispatcher runs is judged by itself where the analysis knows it.

use crate::effects::judge::Judge;
use crate::effects::spec::{Entry, Form};
use crate::effects::{AccessMode, EffectKind};

const CODE: EffectKind = EffectKind::ExecutesCode;
const SYSTEM: EffectKind = EffectKind::ChangesSystem;
const RUNS: &str = "runs code";
const BUILDS: &str = "builds or tests, which runs code of the project";
const UNKNOWN_COMMAND: &str = "runs a command that is not known";

/// `bash FILE`, `sh -s`: the script is a file or the input.
fn shell(judge: &mut Judge<'_>) {
    let asks = judge.words.len() == 1
        && judge.words.first().and_then(crate::analysis::Word::literal).as_deref() == Some("--version");
    if asks {
        return judge.raise(EffectKind::ReadOnly, "prints its version");
    }
    judge.raise(CODE, "runs a script that the analysis does not hold");
    let file = judge.words.iter().find(|word| !word.literal_prefix().starts_with(['-', '+']));
    if let Some(file) = file {
        judge.touch(AccessMode::Read, file, false);
    }
}

const PRIVILEGE: &str = "runs with other rights";
const APART: &str = "leaves a process that outlives the call";

/// In order of their names.
pub(super) const PROGRAMS: &[Entry] = &[
    ("ansible", Form::Always(CODE, RUNS)),
    ("ansible-playbook", Form::Always(CODE, RUNS)),
    ("ash", Form::Special(shell)),
    ("bash", Form::Special(shell)),
    ("bunx", Form::Always(CODE, RUNS)),
    ("busybox", Form::Always(CODE, UNKNOWN_COMMAND)),
    ("chroot", Form::Always(SYSTEM, "runs under another root directory")),
    ("claude", Form::Always(CODE, "starts another agent")),
    ("codex", Form::Always(CODE, "starts another agent")),
    ("corepack", Form::Always(CODE, RUNS)),
    ("csh", Form::Special(shell)),
    ("ctest", Form::Always(CODE, BUILDS)),
    ("dash", Form::Special(shell)),
    ("doas", Form::Always(SYSTEM, PRIVILEGE)),
    ("entr", Form::Always(CODE, UNKNOWN_COMMAND)),
    ("expect", Form::Always(CODE, RUNS)),
    ("fish", Form::Special(shell)),
    ("flock", Form::Always(CODE, UNKNOWN_COMMAND)),
    ("gdb", Form::Always(CODE, RUNS)),
    ("gemini", Form::Always(CODE, "starts another agent")),
    ("ionice", Form::Always(CODE, UNKNOWN_COMMAND)),
    ("jest", Form::Always(CODE, BUILDS)),
    ("just", Form::Always(CODE, BUILDS)),
    ("ksh", Form::Special(shell)),
    ("lldb", Form::Always(CODE, RUNS)),
    ("meson", Form::Always(CODE, BUILDS)),
    ("nice", Form::Always(CODE, UNKNOWN_COMMAND)),
    ("ninja", Form::Always(CODE, BUILDS)),
    ("nohup", Form::Always(CODE, APART)),
    ("npx", Form::Always(CODE, RUNS)),
    ("nsenter", Form::Always(SYSTEM, "runs in other namespaces")),
    ("osascript", Form::Always(CODE, RUNS)),
    ("parallel", Form::Always(CODE, UNKNOWN_COMMAND)),
    ("pipx", Form::Always(CODE, RUNS)),
    ("pkexec", Form::Always(SYSTEM, PRIVILEGE)),
    ("pnpx", Form::Always(CODE, RUNS)),
    ("pre-commit", Form::Always(CODE, BUILDS)),
    ("pwsh", Form::Special(shell)),
    ("pytest", Form::Always(CODE, BUILDS)),
    ("rake", Form::Always(CODE, BUILDS)),
    ("rspec", Form::Always(CODE, BUILDS)),
    ("screen", Form::Always(CODE, APART)),
    ("script", Form::Always(CODE, UNKNOWN_COMMAND)),
    ("setsid", Form::Always(CODE, APART)),
    ("sh", Form::Special(shell)),
    ("sqlite3", Form::Always(CODE, "its commands can write files and run programs")),
    ("stdbuf", Form::Always(CODE, UNKNOWN_COMMAND)),
    ("strace", Form::Always(CODE, UNKNOWN_COMMAND)),
    ("su", Form::Always(SYSTEM, "runs as another user")),
    ("sudo", Form::Always(SYSTEM, PRIVILEGE)),
    ("tclsh", Form::Special(shell)),
    ("tcsh", Form::Special(shell)),
    ("time", Form::Always(CODE, UNKNOWN_COMMAND)),
    ("timeout", Form::Always(CODE, UNKNOWN_COMMAND)),
    ("tmux", Form::Always(CODE, APART)),
    ("tox", Form::Always(CODE, BUILDS)),
    ("tsx", Form::Always(CODE, RUNS)),
    ("unshare", Form::Always(SYSTEM, "runs in other namespaces")),
    ("uvx", Form::Always(CODE, RUNS)),
    ("vitest", Form::Always(CODE, BUILDS)),
    ("watch", Form::Always(CODE, UNKNOWN_COMMAND)),
    ("xargs", Form::Always(CODE, UNKNOWN_COMMAND)),
    ("zsh", Form::Special(shell)),
];
