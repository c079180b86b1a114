//! Commands that run other commands: which words, in which shell, where.
//!
//! Specs are data, one file a family. A spec is read the way the program reads its own options (getopt: clusters,
//! joined values, unique abbreviations of long options, `--`); an option outside the spec makes the dispatch unknown.

mod arguments;
mod engine;
mod env;
mod git;
mod observe;
mod privilege;
mod process;
mod remote;
mod search;
mod shells;
mod spec;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::analysis::{Assignment, Part, Word};
pub(crate) use shells::Dialect;
use spec::Spec;

/// The families, in the order of look-up.
const FAMILIES: &[&[Spec]] = &[arguments::SPECS, process::SPECS, observe::SPECS, privilege::SPECS, remote::SPECS];

/// What a command runs.
#[derive(Debug, Default)]
pub(crate) struct Dispatch {
    pub(crate) runs: Vec<Run>,
    /// Running them is all it does.
    pub(crate) pure: bool,
}

/// One thing that is run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) how: How,
    /// The command's words; for scripts the words that make the text.
    pub(crate) words: Vec<Word>,
    /// `NAME=value` operands (`env`, `sudo`).
    pub(crate) assignments: Vec<Assignment>,
    pub(crate) directory: Directory,
    /// It runs elsewhere: on another machine, in a container.
    pub(crate) remote: bool,
}

/// How [`Run::words`] are run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// As a program and its arguments.
    Command,
    /// The same, with unknown arguments added.
    CommandAndMore,
    /// As a script: the words joined by blanks. The positional parameters are in [`How::Script::args`].
    Script { dialect: Dialect, args: Vec<Text> },
    /// The script is standard input.
    Stdin { dialect: Dialect },
    /// Code that is not in the text.
    Hidden { detail: String },
    /// The options are not understood; the words are only a candidate.
    Unknown { detail: String },
}

/// A literal positional parameter; `None` if it is not literal.
pub(crate) type Text = Option<String>;

/// Where it runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Directory {
    /// Where the dispatcher runs.
    #[default]
    Same,
    /// `env -C dir`
    Changed(Word),
    /// `find -execdir`
    Unknown,
}

impl Run {
    fn new(how: How, words: Vec<Word>) -> Self {
        Self { how, words, assignments: Vec::new(), directory: Directory::Same, remote: false }
    }

    fn script(words: Vec<Word>) -> Self {
        Self::new(How::Script { dialect: Dialect::Posix, args: Vec::new() }, words)
    }

    fn hidden(detail: impl Into<String>) -> Self {
        Self::new(How::Hidden { detail: detail.into() }, Vec::new())
    }

    fn unknown(detail: impl Into<String>, rest: &[Word]) -> Self {
        Self::new(How::Unknown { detail: detail.into() }, rest.to_vec())
    }
}

/// What the command `words` runs, or `None` if it is no dispatcher.
pub(crate) fn dispatch(words: &[Word]) -> Option<Dispatch> {
    let name = words.first()?.literal()?;
    let base = base_name(&name);
    if let Some(dialect) = Dialect::of(base) {
        return Some(shells::dispatch(dialect, words));
    }
    match base {
        "find" | "gfind" => return search::find(words),
        "fd" | "fdfind" => return search::fd(words),
        "git" => return git::dispatch(words),
        "env" | "genv" => {
            if let Some(split) = env::split(words) {
                return Some(split);
            }
        }
        _ => {}
    }
    BY_NAME.get(base)?.iter().find_map(|spec| engine::run(spec, words))
}

/// The specs of each name, in the order of [`FAMILIES`].
static BY_NAME: LazyLock<BTreeMap<&str, Vec<&Spec>>> = LazyLock::new(|| {
    let mut specs: BTreeMap<&str, Vec<&Spec>> = BTreeMap::new();
    for spec in FAMILIES.iter().flat_map(|family| family.iter()) {
        for name in spec.names {
            specs.entry(name).or_default().push(spec);
        }
    }
    specs
});

/// The name without its directory.
pub(crate) fn base_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// A word that is exactly one word when bash is done with it.
fn is_single(word: &Word) -> bool {
    word.parts.iter().all(|part| match part {
        Part::Text(_) | Part::Tilde(_) | Part::Choice(_) => true,
        Part::Var { quoted, .. } | Part::Dynamic { quoted } => *quoted,
        Part::Glob(_) => false,
    })
}

/// `NAME=value`: the name and the value's word.
pub(crate) fn assignment(word: &Word) -> Option<Assignment> {
    let Some(Part::Text(text)) = word.parts.first() else { return None };
    let (name, value) = text.split_once('=')?;
    let (name, append) = name.strip_suffix('+').map_or((name, false), |name| (name, true));
    let valid = !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !valid {
        return None;
    }
    let mut parts = vec![Part::Text(value.to_owned())];
    parts.extend(word.parts.iter().skip(1).cloned());
    let raw = word.raw.split_once('=').map_or_else(String::new, |(_, raw)| raw.to_owned());
    let value = Word { raw, parts, span: word.span };
    Some(Assignment { name: name.to_owned(), value: Some(value), append, span: word.span })
}

/// A word from literal text.
fn text_word(text: &str, like: &Word) -> Word {
    Word { raw: text.to_owned(), parts: vec![Part::Text(text.to_owned())], span: like.span }
}
