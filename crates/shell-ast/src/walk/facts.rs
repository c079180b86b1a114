//! What a script does to its variables, functions and directory, gathered before the walk.
//!
//! A value is propagated only if nothing anywhere in the script could change it, so order and control flow need no
//! analysis of their own: one assignment on the straight path, and no other way to touch the name.

use std::collections::{HashMap, HashSet};

use super::arith;
use super::visit::{self, Node};
use crate::syntax::ast::{AssignValue, List, ParamKind, Simple, Word, WordPart};

/// How a script touches one name.
#[derive(Clone, Copy, Debug, Default)]
struct Touch {
    /// Plain scalar assignments.
    assigned: u32,
    /// Assignments of something else than an integer literal or an arithmetic expansion.
    not_integer: bool,
    /// `for` loops over it.
    loops: u32,
    /// `read`, `unset`, `declare`, `${x:=}`, a loop inside a loop over the same name …
    other: bool,
    /// Named in arithmetic, which may assign it (always an integer).
    arithmetic: bool,
}

/// The facts of one script text.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    names: HashMap<String, Touch>,
    functions: HashSet<String>,
    /// Something may touch any name: `eval`.
    wild: bool,
    /// `cd`, `pushd` or `popd` anywhere, or something wild.
    moves: bool,
    moves_in_function: bool,
}

/// Builtins whose operands are variable names (bash manual, "Bash Builtins").
const TOUCHING: &[&str] = &[
    "read",
    "mapfile",
    "readarray",
    "printf",
    "getopts",
    "unset",
    "export",
    "declare",
    "typeset",
    "local",
    "readonly",
    "let",
    "wait",
];

/// Builtins that run literal text in this shell. Others (`source`, `trap` …) always leave an opaque mark, so that being
/// wrong about a value after them costs nothing.
const WILD: &[&str] = &["eval"];

/// Variables that bash computes: an assignment does not decide what they hold (bash manual, "Bash Variables").
const COMPUTED: &[&str] = &[
    "_",
    "RANDOM",
    "SRANDOM",
    "SECONDS",
    "LINENO",
    "EPOCHSECONDS",
    "EPOCHREALTIME",
    "BASHPID",
    "PPID",
    "UID",
    "EUID",
    "GROUPS",
    "DIRSTACK",
    "FUNCNAME",
    "HISTCMD",
    "PWD",
    "OLDPWD",
    "OPTIND",
    "OPTARG",
    "REPLY",
    "SHELLOPTS",
    "BASHOPTS",
    "PIPESTATUS",
    "BASH_COMMAND",
    "BASH_SUBSHELL",
    "COMP_WORDBREAKS",
];

/// The value of a tree word without any expansion, glob or brace.
pub(crate) fn literal(word: &Word) -> Option<String> {
    fn add(parts: &[WordPart], out: &mut String) -> Option<()> {
        for part in parts {
            match part {
                WordPart::Unquoted(text) | WordPart::Quoted(text) => out.push_str(text),
                WordPart::DoubleQuoted(inner) => add(inner, out)?,
                WordPart::Param(_)
                | WordPart::CommandSub(_)
                | WordPart::Arith(_)
                | WordPart::ProcessSub { .. }
                | WordPart::ArrayLiteral(_) => return None,
            }
        }
        Some(())
    }
    let mut out = String::new();
    add(&word.parts, &mut out)?;
    Some(out)
}

/// The literal text before the first expansion.
fn literal_prefix(word: &Word) -> String {
    let mut out = String::new();
    for part in &word.parts {
        match part {
            WordPart::Unquoted(text) | WordPart::Quoted(text) => out.push_str(text),
            WordPart::DoubleQuoted(inner) => {
                let inner = Word { parts: inner.clone(), span: word.span };
                match literal(&inner) {
                    Some(text) => out.push_str(&text),
                    None => break,
                }
            }
            WordPart::Param(_)
            | WordPart::CommandSub(_)
            | WordPart::Arith(_)
            | WordPart::ProcessSub { .. }
            | WordPart::ArrayLiteral(_) => break,
        }
    }
    out
}

/// Whether a word is an integer whatever its expansions hold: digits, or nothing but an arithmetic expansion.
fn is_integer(word: &Word) -> bool {
    match word.parts.as_slice() {
        [WordPart::Arith(_)] => true,
        [WordPart::DoubleQuoted(inner)] => matches!(inner.as_slice(), [WordPart::Arith(_)]),
        [WordPart::Param(param)] => param.kind == ParamKind::Plain && arith::always_integer(&param.name),
        _ => literal(word).is_some_and(|text| arith::is_integer(&text)),
    }
}

impl Facts {
    /// Gathers the facts of a script.
    pub(crate) fn of(list: &List) -> Self {
        let mut facts = Self::default();
        let mut loops: Vec<&str> = Vec::new();
        let mut functions = 0_usize;
        visit::list(list, &mut |node| match node {
            Node::Simple(simple) => facts.simple(simple, functions > 0),
            Node::Assignment(assignment) => {
                let touch = facts.touch(&assignment.name);
                match &assignment.value {
                    AssignValue::Scalar(value) if assignment.subscript.is_none() && !assignment.append => {
                        touch.assigned = touch.assigned.saturating_add(1);
                        touch.not_integer |= !is_integer(value);
                    }
                    AssignValue::Scalar(_) | AssignValue::Array(_) => touch.other = true,
                }
            }
            Node::Redirect(redirect) => {
                if let Some(name) = &redirect.fd_var {
                    facts.touch(name).other = true;
                }
            }
            Node::Loop { name, words } => {
                let integers = words.is_some_and(|words| words.iter().all(is_counter));
                let nested = loops.contains(&name);
                let touch = facts.touch(name);
                touch.loops = touch.loops.saturating_add(1);
                touch.not_integer |= !integers;
                touch.other |= nested;
                loops.push(name);
            }
            Node::LeaveLoop => {
                loops.pop();
            }
            Node::Param(param) => {
                if param.kind == ParamKind::Assign {
                    facts.touch(&param.name).other = true;
                }
                // Indirection with `:=`-like operands and `${x@P}` may assign what the text does not name.
                facts.wild |= matches!(param.kind, ParamKind::TransformPrompt | ParamKind::Unknown)
                    || (param.kind == ParamKind::Indirect && !param.operands.is_empty());
            }
            Node::Arith(expression) => {
                for name in &expression.names {
                    facts.touch(name).arithmetic = true;
                }
            }
            Node::Function { name } => {
                functions = functions.saturating_add(1);
                if let Some(name) = literal(name) {
                    facts.functions.insert(name);
                }
            }
            Node::LeaveFunction => functions = functions.saturating_sub(1),
            Node::Coproc(name) => facts.touch(name.unwrap_or("COPROC")).other = true,
        });
        facts.moves |= facts.wild;
        facts.moves_in_function |= facts.wild;
        facts
    }

    /// Looked up only, never listed: the order of the map shows nowhere.
    fn touch(&mut self, name: &str) -> &mut Touch {
        self.names.entry(name.to_owned()).or_default()
    }

    fn simple(&mut self, simple: &Simple, in_function: bool) {
        let mut words = simple.words.iter().peekable();
        // `command -p read x`, `builtin read x`: the operands are names just the same.
        let name = loop {
            let Some(word) = words.next() else { return };
            match literal(word) {
                // A name that is not literal makes the analysis opaque whatever the values are, so nothing is lost by
                // going on with them, and deny rules see more.
                None => return,
                Some(name) if matches!(name.as_str(), "command" | "builtin") => {
                    while words.peek().is_some_and(|next| literal_prefix(next).starts_with('-')) {
                        words.next();
                    }
                }
                Some(name) => break name,
            }
        };
        if matches!(name.as_str(), "cd" | "pushd" | "popd") {
            self.moves = true;
            self.moves_in_function |= in_function;
        }
        self.wild |= WILD.contains(&name.as_str());
        if name == "alias" {
            for word in words {
                if let Some((alias, _)) = literal_prefix(word).split_once('=') {
                    self.functions.insert(alias.to_owned());
                }
            }
            return;
        }
        if !TOUCHING.contains(&name.as_str()) {
            return;
        }
        for word in words {
            let prefix = literal_prefix(word);
            if name == "let" {
                for name in arith::names(&prefix) {
                    self.touch(name).arithmetic = true;
                }
                continue;
            }
            // A name that only an expansion gives makes the analysis opaque (see `checks`).
            let end = prefix.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(prefix.len());
            let (target, rest) = prefix.split_at_checked(end).unwrap_or((&prefix, ""));
            if target.is_empty() {
                continue;
            }
            let touch = self.touch(target);
            match (name.as_str(), rest.strip_prefix('=')) {
                ("export" | "readonly", Some(value)) => {
                    touch.assigned = touch.assigned.saturating_add(1);
                    touch.not_integer |= literal(word).is_none() || !arith::is_integer(value);
                }
                // `export X` alone changes no value.
                ("export", None) if rest.is_empty() => {}
                _ => touch.other = true,
            }
        }
    }

    fn get(&self, name: &str) -> Touch {
        self.names.get(name).copied().unwrap_or_default()
    }
}

/// `{1..5}` and integers: what counting loops iterate over.
fn is_counter(word: &Word) -> bool {
    literal(word).is_some_and(|text| {
        arith::is_integer(&text)
            || text
                .strip_prefix('{')
                .and_then(|text| text.strip_suffix('}'))
                .is_some_and(|range| range.split("..").all(arith::is_integer))
    })
}

/// The facts of a script and of the scripts around it (`eval` inside a script shares its variables).
#[derive(Debug, Default)]
pub(crate) struct FactStack(Vec<Facts>);

impl FactStack {
    pub(crate) fn push(&mut self, facts: Facts) {
        self.0.push(facts);
    }

    pub(crate) fn pop(&mut self) {
        self.0.pop();
    }

    fn sum(&self, name: &str) -> Touch {
        self.0.iter().map(|facts| facts.get(name)).fold(Touch::default(), |all, one| Touch {
            assigned: all.assigned.saturating_add(one.assigned),
            not_integer: all.not_integer || one.not_integer,
            loops: all.loops.saturating_add(one.loops),
            other: all.other || one.other,
            arithmetic: all.arithmetic || one.arithmetic,
        })
    }

    /// Something may change any name.
    pub(crate) fn wild(&self) -> bool {
        self.0.iter().any(|facts| facts.wild)
    }

    /// One assignment in the whole script, and nothing else touches it.
    pub(crate) fn assigned_once(&self, name: &str) -> bool {
        let touch = self.sum(name);
        touch.assigned == 1
            && touch.loops == 0
            && !touch.other
            && !touch.arithmetic
            && !self.wild()
            && !COMPUTED.contains(&name)
    }

    /// Only `for` loops set it, none inside another over the same name.
    pub(crate) fn only_loops(&self, name: &str) -> bool {
        let touch = self.sum(name);
        touch.assigned == 0 && !touch.other && !touch.arithmetic && !self.wild() && !COMPUTED.contains(&name)
    }

    /// Whatever sets it sets an integer.
    pub(crate) fn only_integers(&self, name: &str) -> bool {
        let touch = self.sum(name);
        !touch.other && !touch.not_integer && !self.wild()
    }

    /// The script changes it somewhere, as far as its own text tells.
    pub(crate) fn touched(&self, name: &str) -> bool {
        let touch = self.sum(name);
        touch.assigned > 0 || touch.loops > 0 || touch.other || touch.arithmetic
    }

    /// It is defined as a function or alias somewhere in the script.
    pub(crate) fn defined(&self, name: &str) -> bool {
        self.0.iter().any(|facts| facts.functions.contains(name))
    }

    /// The script may change its directory somewhere.
    pub(crate) fn moves(&self) -> bool {
        self.0.iter().any(|facts| facts.moves)
    }

    /// A call of one of its functions may change the directory.
    pub(crate) fn calls_move(&self) -> bool {
        self.0.iter().any(|facts| facts.moves_in_function)
    }
}

impl FactStack {
    /// Whether one of the lists changes the directory of the shell, or could.
    pub(crate) fn may_move(&self, lists: &[&List]) -> bool {
        if !self.moves() {
            return false;
        }
        let mut moves = false;
        for list in lists {
            visit::list(list, &mut |node| {
                if let Node::Simple(simple) = node {
                    // The name may follow `command -p`, `builtin`, `time` …: any of the first words will do.
                    moves |= simple.words.iter().take(4).any(|word| match literal(word) {
                        None => true,
                        Some(name) => {
                            matches!(name.as_str(), "cd" | "pushd" | "popd")
                                || WILD.contains(&name.as_str())
                                || (self.calls_move() && self.defined(&name))
                        }
                    });
                }
            });
        }
        moves
    }
}
