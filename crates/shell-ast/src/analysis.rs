//! What [`crate::analyze`] returns: plain values that can be serialised, compared and inspected.

use std::collections::BTreeSet;

use serde::Serialize;

pub use crate::redirect::{Redirect, RedirectOp, ScopedRedirect};
pub use crate::word::{Assignment, Part, Word};

use crate::Span;

/// Everything that bash could run from a script, or a mark where that can't be known.
///
/// INVARIANT 3 (overview): every command bash could run is in [`Analysis::commands`] (or in the extra commands of
/// [`SecondOpinion::Differs`]), or its span lies under an entry of [`Analysis::opaque`].
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Analysis {
    /// Every simple command, in order of appearance, however deep it stands. A dispatcher (`sudo x`, `bash -c '…'`) comes
    /// right before the commands that it runs.
    pub commands: Vec<Command>,
    /// Redirects of compound commands (`{ …; } > f`, `done >> f`), which belong to no single command.
    pub compound_redirects: Vec<ScopedRedirect>,
    /// The canonical skeleton: operators and nesting with `C` for each command, e.g. `C&&C|C;{C;C}`. Two scripts whose
    /// skeletons are equal have the same number of commands in the same structure.
    pub skeleton: String,
    /// What can't be known. Non-empty: no local allow.
    pub opaque: Vec<Opaque>,
    /// Grammar constructs that were seen; some may never be allowed by a rule.
    pub constructs: BTreeSet<Construct>,
    /// Whether the text is a complete bash script.
    pub parse: ParseOutcome,
    /// Limits that were reached. Non-empty: no local allow.
    pub limits: Vec<Limit>,
    /// What brush-parser made of the same text.
    pub second: SecondOpinion,
}

/// One simple command.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Command {
    /// The words after brace expansion and substitution of known literal variables; the first is the command name.
    /// Empty for a command that only assigns or redirects.
    pub words: Vec<Word>,
    /// Leading assignments.
    pub assignments: Vec<Assignment>,
    /// Its own redirects, in order.
    pub redirects: Vec<Redirect>,
    /// Where it stands.
    pub place: Place,
    /// The working directory it runs in.
    pub cwd: Cwd,
    /// Its text in the source.
    pub span: Span,
    /// How it was reached.
    pub origin: Origin,
    /// It runs on another machine or in a container (`ssh`, `docker exec`): its paths are not ours.
    pub remote: bool,
    /// It is a dispatcher (`sudo`, `env`, `bash -c`, `xargs`, `find -exec` …) of which every command it runs is known and
    /// follows in the list, so that it has no other effect than theirs.
    pub dispatches: bool,
    /// The name was defined as a function or alias earlier in the script; the body is in the list too.
    pub shadowed: bool,
}

/// How a command was reached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// It stands in the script itself.
    #[default]
    Direct,
    /// It is the argument of the dispatcher `commands[by]` (`sudo rm x`: `rm x`).
    Dispatch {
        /// Index in [`Analysis::commands`].
        by: usize,
    },
    /// It stands in a literal script that `commands[by]` runs (`bash -c '…'`, `eval`, `trap`, a here-document to `sh`).
    Script {
        /// Index in [`Analysis::commands`].
        by: usize,
    },
}

/// Where a command stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Place {
    /// What encloses it, outermost first. Empty: a top-level foreground list or plain pipeline.
    pub context: Vec<Context>,
    /// Position in its pipeline.
    pub pipe: PipePosition,
}

impl Place {
    /// In a top-level foreground list or a plain pipeline, where a single-command allow rule may cover it.
    pub fn is_plain(&self) -> bool {
        self.context.is_empty()
    }
}

/// What encloses a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Context {
    /// `{ …; }`
    Group,
    /// `( … )`
    Subshell,
    /// a function's body
    Function,
    /// the condition of `if`, `while`, `until`
    Condition,
    /// a branch of `if`
    Branch,
    /// the body of a loop or `select`
    Loop,
    /// an arm of `case`
    CaseArm,
    /// followed by `&`
    Background,
    /// after `!`
    Negated,
    /// `coproc`
    Coproc,
    /// `$(…)`, backquotes
    CommandSubstitution,
    /// `<(…)`, `>(…)`
    ProcessSubstitution,
    /// a literal script run by another command
    NestedScript,
    /// the argument of a dispatcher
    Dispatched,
}

/// Position in a pipeline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PipePosition {
    /// not in a pipeline
    #[default]
    Alone,
    /// the first stage: its output goes on
    First,
    /// reads from the one before and writes to the one after
    Middle,
    /// the last stage: its input comes from the one before
    Last,
}

/// The working directory of a command, as far as `cd`, `pushd`, `git -C`-free analysis can follow it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cwd {
    /// The directory the script was started in.
    #[default]
    Start,
    /// After these `cd` operands, in order, each relative to the one before.
    Moved(Vec<Word>),
    /// Not known (`cd "$x"`, `cd` in a branch …): relative paths are unknown.
    Unknown,
}

/// A part of the script that can't be known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Opaque {
    /// Where.
    pub span: Span,
    /// Why.
    pub kind: OpaqueKind,
    /// One sentence for people.
    pub detail: String,
}

/// Why a part can't be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OpaqueKind {
    /// the command name comes from an expansion, a glob or an empty word
    DynamicCommand,
    /// the script of `eval`, `bash -c`, `source` … is not literal
    DynamicScript,
    /// a dispatcher has an option outside its spec
    UnknownDispatch,
    /// a variable name, subscript or arithmetic text that bash would evaluate as code
    Arithmetic,
    /// `${x@P}`, `PS4`, `PROMPT_COMMAND`, `BASH_ENV` …
    CodeVariable,
    /// an alias, function, `hash -p` or `enable -f` that changes what a name means
    Shadowed,
    /// text that is not a complete bash script
    Syntax,
    /// an expansion that was not understood
    Expansion,
    /// deeper or larger than the limits
    Limit,
}

/// A grammar construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Construct {
    /// `&`
    Background,
    /// `{ }`
    Group,
    /// `( )`
    Subshell,
    /// `if`
    If,
    /// `for`, `while`, `until`, `select`
    Loop,
    /// `case`
    Case,
    /// a function definition
    Function,
    /// `coproc`
    Coproc,
    /// `[[ ]]`
    Cond,
    /// `(( ))`
    Arith,
    /// `<<`
    HereDoc,
    /// `<<<`
    HereString,
    /// `$( )`, backquotes
    CommandSubstitution,
    /// `<( )`, `>( )`
    ProcessSubstitution,
    /// an assignment without a command
    Assignment,
    /// a command that runs another (`sudo`, `xargs`, `bash -c` …)
    Dispatch,
}

/// Whether the text is a complete script.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ParseOutcome {
    /// Complete.
    #[default]
    Ok,
    /// bash would refuse it, or it holds what we do not understand. What was found before the place is still reported.
    Error {
        /// What was expected.
        message: String,
        /// Where.
        span: Span,
    },
}

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// The script is longer than [`crate::Limits::max_len`].
    Size,
    /// Nested deeper than [`crate::Limits::max_depth`].
    Depth,
    /// More commands, words or nested scripts than [`crate::Limits::max_work`].
    Work,
}

/// What brush-parser, the independent second parser, made of the text.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SecondOpinion {
    /// It found the same commands with the same words.
    Agreed,
    /// It found other commands. Those that ours lacks are in `extra`; deny, ask and floor look at them too.
    Differs {
        /// What differs, for the trace.
        why: String,
        /// Commands that only brush-parser found.
        extra: Vec<Command>,
    },
    /// The text is outside the envelope in which brush-parser is safe to call, so it was not asked.
    Outside {
        /// The first reason.
        why: String,
    },
    /// It was not asked because the first analysis already can't take a local allow.
    #[default]
    NotAsked,
}

impl Analysis {
    /// Nothing stands against a local allow: complete, nothing opaque, no limit reached, both parsers agree.
    pub fn is_whole(&self) -> bool {
        self.parse == ParseOutcome::Ok
            && self.opaque.is_empty()
            && self.limits.is_empty()
            && self.second == SecondOpinion::Agreed
    }

    /// Every command either parser found, ours first. Deny, ask and floor look at these.
    pub fn union(&self) -> impl Iterator<Item = &Command> {
        let extra: &[Command] = match &self.second {
            SecondOpinion::Differs { extra, .. } => extra,
            SecondOpinion::Agreed | SecondOpinion::Outside { .. } | SecondOpinion::NotAsked => &[],
        };
        self.commands.iter().chain(extra)
    }

    /// Every redirect with the directory its target is relative to.
    pub fn redirects(&self) -> impl Iterator<Item = (&Redirect, &Cwd)> {
        self.union()
            .flat_map(|command| command.redirects.iter().map(move |redirect| (redirect, &command.cwd)))
            .chain(self.compound_redirects.iter().map(|scoped| (&scoped.redirect, &scoped.cwd)))
    }
}
