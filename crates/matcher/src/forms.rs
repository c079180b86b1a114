//! The texts of a command that patterns are matched against.

use portcullis_shell_ast::{Command, Part, Redirect, RedirectOp, Word};

use crate::argv::is_plain;
use crate::glob::fold;
use crate::globals;

/// Most texts of one command; a variable with a known set of values multiplies them.
const MAX_FORMS: usize = 32;

/// Every text by which a deny or ask rule may know the command, folded, without repetition.
pub(crate) fn tighten(command: &Command) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let raw: Vec<&str> = command.words.iter().map(|word| word.raw.as_str()).collect();
    add_all(&raw, &mut out);
    for values in choices(command) {
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        add_all(&values, &mut out);
    }
    let plain = out.clone();
    if !command.redirects.is_empty() {
        let spaced: Vec<String> = command.redirects.iter().map(|r| redirect(r, " ")).collect();
        let tight: Vec<String> = command.redirects.iter().map(|r| redirect(r, "")).collect();
        for text in &plain {
            add(format!("{text} {}", spaced.join(" ")), &mut out);
            add(format!("{text} {}", tight.join(" ")), &mut out);
        }
        if plain.is_empty() {
            add(spaced.join(" "), &mut out);
            add(tight.join(" "), &mut out);
        }
    }
    if !command.assignments.is_empty() {
        let names = assignments(command);
        for text in &plain {
            add(format!("{names} {text}"), &mut out);
        }
        if plain.is_empty() {
            add(names, &mut out);
        }
    }
    out
}

fn add(text: String, out: &mut Vec<String>) {
    let text = match fold(&text) {
        std::borrow::Cow::Borrowed(_) => text,
        std::borrow::Cow::Owned(folded) => folded,
    };
    if out.len() < MAX_FORMS && !out.contains(&text) {
        out.push(text);
    }
}

/// The words as they are, without the program's directory, and without global options.
fn add_all(words: &[&str], out: &mut Vec<String>) {
    let Some((first, rest)) = words.split_first() else { return };
    add(words.join(" "), out);
    let unslashed = first.strip_prefix('\\').unwrap_or(first);
    let name = unslashed.rsplit(['/', '\\']).next().unwrap_or(unslashed);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let join = |rest: &[&str]| {
        let mut text = name.to_owned();
        for word in rest {
            text.push(' ');
            text.push_str(word);
        }
        text
    };
    if name != *first {
        add(join(rest), out);
    }
    let skip = globals::leading(&fold(name), rest);
    if skip > 0 {
        add(join(rest.get(skip..).unwrap_or_default()), out);
    }
}

/// The unquoted values of the words, one list for each value of a variable with known values.
fn choices(command: &Command) -> Vec<Vec<String>> {
    let mut lists: Vec<Vec<String>> = vec![Vec::new()];
    for word in &command.words {
        let values = values(word);
        let mut next = Vec::new();
        for list in &lists {
            for value in &values {
                if next.len() < MAX_FORMS {
                    let mut list = list.clone();
                    list.push(value.clone());
                    next.push(list);
                }
            }
        }
        lists = next;
    }
    lists
}

fn values(word: &Word) -> Vec<String> {
    let mut texts = vec![String::new()];
    for part in &word.parts {
        let pieces: Vec<String> = match part {
            Part::Text(text) | Part::Glob(text) => vec![text.clone()],
            Part::Tilde(name) => vec![format!("~{name}")],
            Part::Var { name, .. } => vec![format!("${name}")],
            Part::Choice(values) => values.iter().map(|parts| flat(parts)).collect(),
            Part::Dynamic { .. } => return vec![word.raw.clone()],
        };
        let mut next = Vec::new();
        for text in &texts {
            for piece in &pieces {
                if next.len() < MAX_FORMS {
                    next.push(format!("{text}{piece}"));
                }
            }
        }
        texts = next;
    }
    texts
}

/// The text of a choice's value; nested choices are written as `*`.
fn flat(parts: &[Part]) -> String {
    let mut out = String::new();
    for part in parts {
        match part {
            Part::Text(text) | Part::Glob(text) => out.push_str(text),
            Part::Tilde(name) => {
                out.push('~');
                out.push_str(name);
            }
            Part::Var { name, .. } => {
                out.push('$');
                out.push_str(name);
            }
            Part::Choice(_) | Part::Dynamic { .. } => out.push('*'),
        }
    }
    out
}

fn assignments(command: &Command) -> String {
    let texts: Vec<String> = command
        .assignments
        .iter()
        .map(|assignment| {
            let value = assignment.value.as_ref().map_or("", |value| value.raw.as_str());
            format!("{}{}={value}", assignment.name, if assignment.append { "+" } else { "" })
        })
        .collect();
    texts.join(" ")
}

fn redirect(redirect: &Redirect, blank: &str) -> String {
    let fd = match (&redirect.fd_var, redirect.fd) {
        (Some(name), _) => format!("{{{name}}}"),
        (None, Some(fd)) => fd.to_string(),
        (None, None) => String::new(),
    };
    let op = operator(redirect.op);
    // `2>&1` is never written with a blank.
    let blank = if matches!(redirect.op, RedirectOp::DupInput | RedirectOp::DupOutput) { "" } else { blank };
    let target = redirect.target.literal().unwrap_or_else(|| redirect.target.raw.clone());
    format!("{fd}{op}{blank}{target}")
}

/// The operator as written.
pub(crate) const fn operator(op: RedirectOp) -> &'static str {
    match op {
        RedirectOp::Read => "<",
        RedirectOp::Write => ">",
        RedirectOp::Append => ">>",
        RedirectOp::Clobber => ">|",
        RedirectOp::ReadWrite => "<>",
        RedirectOp::DupInput => "<&",
        RedirectOp::DupOutput => ">&",
        RedirectOp::WriteBoth => "&>",
        RedirectOp::AppendBoth => "&>>",
        RedirectOp::HereDoc => "<<",
        RedirectOp::HereString => "<<<",
    }
}

/// The text that allow rules are matched against: one blank between words, quotes as written or, where a word needs none,
/// without.
#[derive(Clone, Debug, Default)]
pub(crate) struct AllowText {
    /// Quotes as written.
    pub(crate) raw: String,
    /// No needless quotes.
    pub(crate) plain: String,
    /// Places of the words in `raw` whose value is not known: start, end, index of the word.
    pub(crate) dynamic: Vec<(usize, usize, usize)>,
}

impl AllowText {
    pub(crate) fn new(command: &Command) -> Self {
        let mut text = Self::default();
        for (index, word) in command.words.iter().enumerate() {
            if index > 0 {
                text.raw.push(' ');
                text.plain.push(' ');
            }
            let start = text.raw.len();
            text.raw.push_str(&word.raw);
            if word.is_dynamic() {
                text.dynamic.push((start, text.raw.len(), index));
            }
            match word.literal() {
                Some(value) if is_plain(&value) => text.plain.push_str(&value),
                _ => text.plain.push_str(&word.raw),
            }
        }
        text
    }
}

/// Blanks outside quotes as one blank each.
pub(crate) fn single_blanks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut quote = None;
    let mut chars = text.trim().chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None | Some('"'), '\\') => {
                out.push(c);
                out.extend(chars.next());
            }
            (None, ' ' | '\t') => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            (None, '\'' | '"') => {
                quote = Some(c);
                out.push(c);
            }
            (Some(open), c) => {
                if c == open {
                    quote = None;
                }
                out.push(c);
            }
            (None, c) => out.push(c),
        }
    }
    out
}
