//! The syntax tree: what bash's grammar makes of the text, before any meaning is given to it.
//!
//! Crate-private on purpose. Users get an [`crate::Analysis`]; the tree may change as bash is understood better.

use crate::Span;

/// A list of and-or lists: a whole script, a group's body, a condition …
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct List {
    pub(crate) items: Vec<ListItem>,
}

/// One and-or list and what ends it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ListItem {
    pub(crate) and_or: AndOr,
    /// `;`, newline, end of input (all [`Terminator::Sequence`]) or `&`.
    pub(crate) terminator: Terminator,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Terminator {
    Sequence,
    Background,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AndOr {
    pub(crate) first: Pipeline,
    pub(crate) rest: Vec<(AndOrOp, Pipeline)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AndOrOp {
    And,
    Or,
}

/// `[time [-p] [--]] [!] stage | stage |& stage`, the prefixes in any order and number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pipeline {
    pub(crate) timed: bool,
    pub(crate) negated: bool,
    /// May be empty: bash accepts a bare `time` and a bare `!`.
    pub(crate) stages: Vec<Stage>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stage {
    pub(crate) command: Command,
    /// The operator after this stage; `None` for the last.
    pub(crate) pipe: Option<PipeOp>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PipeOp {
    /// `|`
    Stdout,
    /// `|&`
    Both,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Command {
    Simple(Simple),
    Compound {
        kind: Compound,
        redirects: Vec<Redirect>,
        span: Span,
    },
    /// `name() body`, `function name [()] body`. `body` is always a compound command (with its redirects).
    Function {
        name: Word,
        body: Box<Command>,
        span: Span,
    },
    /// `coproc [NAME] command`.
    Coproc {
        name: Option<String>,
        body: Box<Command>,
        span: Span,
    },
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Simple {
    /// Leading `name=value`, `name+=value`, `name[sub]=value`, `name=(…)`, in order.
    pub(crate) assignments: Vec<Assignment>,
    /// Words after the assignments, in order. Assignment-like arguments of `declare`/`export`/`local`/`readonly`/`typeset`
    /// stay words, with [`WordPart::ArrayLiteral`] where they hold `=(…)`.
    pub(crate) words: Vec<Word>,
    pub(crate) redirects: Vec<Redirect>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Assignment {
    pub(crate) name: String,
    pub(crate) subscript: Option<Word>,
    pub(crate) append: bool,
    pub(crate) value: AssignValue,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AssignValue {
    Scalar(Word),
    /// `(a b [k]=v)`: each element's optional subscript and value.
    Array(Vec<(Option<Word>, Word)>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Compound {
    /// `( list )`
    Subshell(List),
    /// `{ list; }`
    Group(List),
    If {
        clauses: Vec<(List, List)>,
        otherwise: Option<List>,
    },
    While {
        condition: List,
        body: List,
    },
    Until {
        condition: List,
        body: List,
    },
    /// `words` is `None` for `for x; do` (the positional parameters).
    For {
        name: String,
        words: Option<Vec<Word>>,
        body: List,
    },
    /// `for ((init; test; step))`
    ForArith {
        init: Arith,
        test: Arith,
        step: Arith,
        body: List,
    },
    Select {
        name: String,
        words: Option<Vec<Word>>,
        body: List,
    },
    Case {
        subject: Word,
        arms: Vec<CaseArm>,
    },
    /// `(( expr ))`
    Arith(Arith),
    /// `[[ … ]]`, flattened: every operand in order; operators as [`CondItem::Op`].
    Cond(Vec<CondItem>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CaseArm {
    pub(crate) patterns: Vec<Word>,
    pub(crate) body: List,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CondItem {
    /// `-f`, `-v`, `==`, `=~`, `-eq`, `&&`, `||`, `!`, `(`, `)` …
    Op(String),
    Operand(Word),
}

/// An arithmetic expression. Not evaluated; only what it can run matters.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Arith {
    /// The text as a word in double-quote-like context: its parts hold every expansion inside.
    pub(crate) word: Word,
    /// Variable names that arithmetic would evaluate recursively (`(( x ))` runs `$(cmd)` in the value of `x` when it
    /// holds a subscript such as `a[$(cmd)]`). Bash manual, "Shell Arithmetic".
    pub(crate) names: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Word {
    pub(crate) parts: Vec<WordPart>,
    /// Span of the raw text, quotes included.
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum WordPart {
    /// Unquoted text: globs, braces, `=` and a leading `~` are active. Line continuations already removed.
    Unquoted(String),
    /// Text that is data whatever it holds: `'…'`, `\c`, decoded `$'…'`, literal text inside `"…"`.
    Quoted(String),
    /// `"…"` or `$"…"`, its inner parts ([`WordPart::Quoted`] and expansions).
    DoubleQuoted(Vec<WordPart>),
    /// `$x`, `${…}`
    Param(Box<ParamExpansion>),
    /// `$(…)`, `` `…` ``, `${ …; }`, `${| …; }`
    CommandSub(List),
    /// `$((…))`, `$[…]`
    Arith(Arith),
    /// `<(…)` or `>(…)`
    ProcessSub { output: bool, list: List },
    /// `=( … )` in an argument of a declaration builtin.
    ArrayLiteral(Vec<(Option<Word>, Word)>),
}

/// `${name…}`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ParamExpansion {
    /// `HOME`, `1`, `@`, `?`, `!` …; empty if the text was not understood (then `kind` is [`ParamKind::Unknown`]).
    pub(crate) name: String,
    pub(crate) subscript: Option<Word>,
    pub(crate) kind: ParamKind,
    /// Every operand word: defaults, patterns, replacements, offsets.
    pub(crate) operands: Vec<Word>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParamKind {
    /// `$x`, `${x}`
    Plain,
    /// `${#x}`
    Length,
    /// `${!x}`, `${!x*}`, `${!a[@]}`
    Indirect,
    /// `:-`, `-`
    Default,
    /// `:=`, `=`
    Assign,
    /// `:?`, `?`
    Error,
    /// `:+`, `+`
    Alternate,
    /// `#`, `##`, `%`, `%%`
    Trim,
    /// `/`, `//`, `/#`, `/%`
    Replace,
    /// `^`, `^^`, `,`, `,,`, `~`, `~~`
    Case,
    /// `:offset[:length]`: the operands are arithmetic
    Slice,
    /// `@Q`, `@E`, `@A`, `@a`, `@K`, `@k`, `@U`, `@u`, `@L`
    Transform,
    /// `@P`: the value is expanded as a prompt and may run commands
    TransformPrompt,
    /// not understood: opaque
    Unknown,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Redirect {
    /// `2>`: 2. `{var}>`: none, with `fd_var`.
    pub(crate) fd: Option<u32>,
    pub(crate) fd_var: Option<String>,
    pub(crate) op: crate::RedirectOp,
    pub(crate) target: RedirectTarget,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RedirectTarget {
    /// A file name, a descriptor, or the string of `<<<`.
    Word(Word),
    HereDoc {
        /// The delimiter after quote removal.
        delimiter: String,
        /// Quoted delimiter: the body is literal.
        quoted: bool,
        /// Filled when the lexer reaches the next newline, as in bash, which is after the redirect was built.
        body: HereBody,
    },
}

/// The body of a here-document.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct HereBody(std::rc::Rc<std::cell::OnceCell<(Word, bool)>>);

impl HereBody {
    /// One [`WordPart::Quoted`] if the delimiter was quoted, else text and expansions; tabs of `<<-` stripped.
    /// `None` only if an error stopped the parser before the body: treat it as unknown.
    pub(crate) fn word(&self) -> Option<&Word> {
        self.0.get().map(|(word, _)| word)
    }

    /// The delimiter line was found; bash warns and takes the rest of the input if not.
    pub(crate) fn terminated(&self) -> bool {
        self.0.get().is_some_and(|(_, terminated)| *terminated)
    }

    /// Fills the body, once.
    pub(super) fn fill(&self, word: Word, terminated: bool) {
        // A body is queued once and read once; a second fill would be a parser bug and must not replace the first.
        let _ = self.0.set((word, terminated));
    }
}
