//! Builtins of the shell (bash manual, "Shell Builtin Commands").

use crate::effects::spec::{Entry, Form, Operands, Order, Usage};
use crate::effects::{AccessMode, EffectKind, builtins};

const TEXT: Usage = Usage::safe("", Operands::Text);
const CD: Usage = Usage::safe("-LPe@n", Operands::Files(AccessMode::Inspect));
const TYPE: Usage = Usage::safe(
    "-afptPs --skip-alias --skip-functions -i --all --read-alias --tty-only --skip-dot --skip-tilde --show-dot --show-tilde",
    Operands::Text,
);
const JOBS: Usage = Usage::safe("-lnprs", Operands::Text);
const ULIMIT: Usage = Usage::safe("-aHSbcdefiklmnpqrstuvxPRT", Operands::None);
const UMASK: Usage = Usage::safe("-pS", Operands::Text);
const DIRS: Usage = Usage::safe("-lpv#", Operands::None);
/// Without `-p NAME`, which evaluates a subscript in the name.
const WAIT: Usage = Usage::safe("-fn", Operands::Text).order(Order::Posix);

const CODE: EffectKind = EffectKind::ExecutesCode;
const MEANING: &str = "changes what later commands mean";

/// In order of their names.
pub(super) const PROGRAMS: &[Entry] = &[
    (".", Form::Always(CODE, "runs a file in this shell")),
    (":", Form::Special(builtins::prints)),
    ("[", Form::Special(builtins::test)),
    ("alias", Form::Always(EffectKind::Unknown, MEANING)),
    ("bg", Form::Always(EffectKind::ChangesSystem, "resumes a job")),
    ("bind", Form::Always(EffectKind::Unknown, "`-x` binds a command to a key")),
    ("break", Form::Simple(&TEXT)),
    ("builtin", Form::Always(EffectKind::Unknown, "runs a builtin that is not known")),
    ("caller", Form::Simple(&TEXT)),
    ("cd", Form::Simple(&CD)),
    ("command", Form::Special(builtins::command)),
    ("complete", Form::Always(EffectKind::Unknown, "`-C` runs a command")),
    ("continue", Form::Simple(&TEXT)),
    ("declare", Form::Special(builtins::declare)),
    ("dirs", Form::Simple(&DIRS)),
    ("disown", Form::Always(EffectKind::ChangesSystem, "lets a job outlive the shell")),
    ("echo", Form::Special(builtins::prints)),
    ("enable", Form::Always(EffectKind::Unknown, "`-f` loads code")),
    ("eval", Form::Always(CODE, "runs its arguments as a script")),
    ("exec", Form::Always(EffectKind::Unknown, "replaces the shell, or redirects everything that follows")),
    ("exit", Form::Simple(&TEXT)),
    ("export", Form::Special(builtins::declare)),
    ("false", Form::Special(builtins::prints)),
    ("fc", Form::Always(CODE, "runs lines of the history")),
    ("fg", Form::Always(EffectKind::ChangesSystem, "resumes a job")),
    ("getopts", Form::Special(builtins::getopts)),
    ("hash", Form::Always(EffectKind::Unknown, "`-p` changes what a name means")),
    ("history", Form::Always(EffectKind::WritesFiles, "reads, writes or changes the history, which is a file")),
    ("jobs", Form::Simple(&JOBS)),
    ("let", Form::Always(EffectKind::Unknown, "evaluates arithmetic, which can run code")),
    ("local", Form::Special(builtins::declare)),
    ("mapfile", Form::Special(builtins::mapfile)),
    ("popd", Form::Simple(&CD)),
    ("printf", Form::Special(builtins::printf)),
    ("pushd", Form::Simple(&CD)),
    ("read", Form::Special(builtins::read)),
    ("readarray", Form::Special(builtins::mapfile)),
    ("readonly", Form::Special(builtins::declare)),
    ("return", Form::Simple(&TEXT)),
    ("set", Form::Special(builtins::set)),
    ("shift", Form::Simple(&TEXT)),
    ("shopt", Form::Special(builtins::shopt)),
    ("source", Form::Always(CODE, "runs a file in this shell")),
    ("test", Form::Special(builtins::test)),
    ("times", Form::Simple(&TEXT)),
    ("trap", Form::Always(EffectKind::Unknown, "runs its argument later")),
    ("true", Form::Special(builtins::prints)),
    ("type", Form::Simple(&TYPE)),
    ("typeset", Form::Special(builtins::declare)),
    ("ulimit", Form::Simple(&ULIMIT)),
    ("umask", Form::Simple(&UMASK)),
    ("unalias", Form::Always(EffectKind::Unknown, MEANING)),
    ("unset", Form::Special(builtins::unset)),
    ("wait", Form::Simple(&WAIT)),
    ("which", Form::Simple(&TYPE)),
];
