//! The texts of a command that patterns are matched against.

use std::borrow::Cow;

use portcullis_shell_ast::{Command, Part, Redirect, RedirectOp, Word};

use crate::argv::is_plain;
use crate::glob::{Side, TextPattern, fold};
use crate::globals;

/// Most texts of one command; a variable with a known set of values multiplies them.
const MAX_FORMS: usize = 1024;

/// Most bytes that the variables of a whole script may multiply its texts to.
pub(crate) const MAX_BYTES: usize = 1 << 25;

/// The texts by which deny and ask rules may know a command, folded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forms {
    pub(crate) texts: Vec<String>,
    /// The variables have too many values to write all texts down: how those texts begin.
    open: Vec<String>,
}

impl Forms {
    /// `budget` is what is left of [`MAX_BYTES`].
    pub(crate) fn new(command: &Command, budget: &mut usize) -> Self {
        let mut forms = Self::default();
        let raw: Vec<&str> = command.words.iter().map(|word| word.raw.as_str()).collect();
        add_all(&raw, &mut forms.texts);
        let counts: Vec<usize> = command.words.iter().map(count).collect();
        let total = counts.iter().copied().fold(1usize, usize::saturating_mul);
        let length = raw.iter().map(|word| word.len()).fold(64usize, usize::saturating_add);
        // Up to three texts, each with up to six arrangements of redirects and assignments.
        let cost = total.saturating_mul(length).saturating_mul(18);
        if total == 1 || (total <= MAX_FORMS && cost <= *budget) {
            *budget = if total == 1 { *budget } else { budget.saturating_sub(cost) };
            forms.add_choices(command, total);
        } else {
            forms.add_open(command, &counts);
        }
        forms.add_surroundings(command);
        forms
    }

    /// Whether a deny or ask pattern matches one of them, or could.
    pub(crate) fn any(&self, pattern: &TextPattern) -> bool {
        self.texts.iter().any(|text| pattern.is_match(text, Side::Tighten))
            || self.open.iter().any(|start| pattern.may_continue(start))
    }

    /// The unquoted values of the words, one text for each choice of values.
    fn add_choices(&mut self, command: &Command, total: usize) {
        let values: Vec<Vec<String>> = command.words.iter().map(values).collect();
        for number in 0..total {
            let mut rest = number;
            let words: Vec<&str> = values
                .iter()
                .filter_map(|values| {
                    let at = rest.checked_rem(values.len())?;
                    rest = rest.checked_div(values.len())?;
                    values.get(at).map(String::as_str)
                })
                .collect();
            add_all(&words, &mut self.texts);
        }
    }

    /// How the texts begin up to the first word with several values.
    fn add_open(&mut self, command: &Command, counts: &[usize]) {
        let first = counts.iter().position(|count| *count > 1).unwrap_or_default();
        let fixed: Vec<String> = command.words.iter().take(first).flat_map(values).collect();
        let fixed: Vec<&str> = fixed.iter().map(String::as_str).collect();
        let mut starts = Vec::new();
        add_all(&fixed, &mut starts);
        if starts.is_empty() {
            self.open.push(String::new());
        }
        let varied = command.words.get(first).map(Word::literal_prefix).unwrap_or_default();
        let varied = fold(&varied);
        self.open.extend(starts.into_iter().map(|start| format!("{start} {varied}")));
    }

    /// The texts with the redirects after them and the assignments before them.
    fn add_surroundings(&mut self, command: &Command) {
        let after: Vec<String> = if command.redirects.is_empty() {
            Vec::new()
        } else {
            [" ", ""]
                .iter()
                .map(|blank| command.redirects.iter().map(|r| redirect(r, blank)).collect::<Vec<_>>().join(" "))
                .collect()
        };
        let before = assignments(command);
        let plain = self.texts.len();
        for index in 0..plain.max(1) {
            let text = if plain == 0 { String::new() } else { self.texts.get(index).cloned().unwrap_or_default() };
            for after in &after {
                add(join(&[&text, after]), &mut self.texts);
            }
            if !before.is_empty() {
                for after in std::iter::once("").chain(after.iter().map(String::as_str)) {
                    add(join(&[&before, &text, after]), &mut self.texts);
                }
            }
        }
        if !before.is_empty() {
            let open: Vec<String> = self.open.iter().map(|start| fold(&join(&[&before, start])).into_owned()).collect();
            self.open.extend(open);
        }
    }
}

/// The texts that are not empty, with one blank between them.
fn join(texts: &[&str]) -> String {
    texts.iter().filter(|text| !text.is_empty()).copied().collect::<Vec<_>>().join(" ")
}

fn add(text: String, out: &mut Vec<String>) {
    let text = match fold(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(folded) => folded,
    };
    // Most repetitions are among the last few.
    if !out.iter().rev().take(8).any(|other| *other == text) {
        out.push(text);
    }
}

/// The words as they are, without the program's directory, and without global options.
fn add_all(words: &[&str], out: &mut Vec<String>) {
    let Some((first, rest)) = words.split_first() else { return };
    add(words.join(" "), out);
    let unslashed = first.strip_prefix('\\').unwrap_or(first);
    let name = unslashed.rsplit(['/', '\\']).next().unwrap_or(unslashed);
    let stem = name.len().checked_sub(4).and_then(|at| name.split_at_checked(at));
    let name = stem.filter(|(_, end)| end.eq_ignore_ascii_case(".exe")).map_or(name, |(stem, _)| stem);
    let join = |rest: &[&str]| std::iter::once(name).chain(rest.iter().copied()).collect::<Vec<_>>().join(" ");
    if name != *first {
        add(join(rest), out);
    }
    let skip = globals::leading(&fold(name), rest);
    if skip > 0 {
        add(join(rest.get(skip..).unwrap_or_default()), out);
    }
}

/// How many values a word can have.
fn count(word: &Word) -> usize {
    word.parts.iter().fold(1usize, |count, part| match part {
        Part::Choice(values) => count.saturating_mul(values.len().max(1)),
        Part::Text(_) | Part::Glob(_) | Part::Tilde(_) | Part::Var { .. } | Part::Dynamic { .. } => count,
    })
}

/// As many values as [`count`] says, or its raw text alone.
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
        if let [piece] = pieces.as_slice() {
            for text in &mut texts {
                text.push_str(piece);
            }
        } else if !pieces.is_empty() {
            texts = texts.iter().flat_map(|text| pieces.iter().map(move |piece| format!("{text}{piece}"))).collect();
        }
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
    let op = redirect.op.text();
    // `2>&1` is never written with a blank.
    let blank = if matches!(redirect.op, RedirectOp::DupInput | RedirectOp::DupOutput) { "" } else { blank };
    let target = redirect.target.literal().unwrap_or_else(|| redirect.target.raw.clone());
    format!("{fd}{op}{blank}{target}")
}

/// Stands for a word of unknown value: no pattern spells it out, only a wildcard covers it. No script holds a NUL.
const UNKNOWN: &str = "\0";

/// The texts that allow rules are matched against: one blank between words, quotes as written or, where a word needs none,
/// without.
#[derive(Clone, Debug, Default)]
pub(crate) struct AllowText {
    words: Vec<AllowWord>,
    /// The texts with every unknown word masked.
    masked: [String; 2],
}

#[derive(Clone, Debug)]
struct AllowWord {
    /// Quotes as written, and no needless quotes.
    texts: [String; 2],
    dynamic: bool,
}

impl AllowText {
    pub(crate) fn new(command: &Command) -> Self {
        let words = command.words.iter().map(AllowWord::new).collect();
        let mut text = Self { words, masked: [String::new(), String::new()] };
        text.masked = text.build(&[]);
        text
    }

    /// Both texts, in which the words of unknown value that the pattern does not expect are masked.
    pub(crate) fn texts(&self, expected: &[bool]) -> Cow<'_, [String; 2]> {
        if expected.contains(&true) && self.words.iter().any(|word| word.dynamic) {
            Cow::Owned(self.build(expected))
        } else {
            Cow::Borrowed(&self.masked)
        }
    }

    fn build(&self, expected: &[bool]) -> [String; 2] {
        let form = |which: fn(&AllowWord) -> &str| {
            let mut out = String::new();
            for (index, word) in self.words.iter().enumerate() {
                if index > 0 {
                    out.push(' ');
                }
                let known = !word.dynamic || expected.get(index).copied().unwrap_or(false);
                out.push_str(if known { which(word) } else { UNKNOWN });
            }
            out
        };
        [form(|word| &word.texts[0]), form(|word| &word.texts[1])]
    }
}

impl AllowWord {
    fn new(word: &Word) -> Self {
        let plain = word.literal().filter(|value| is_plain(value)).unwrap_or_else(|| word.raw.clone());
        Self { texts: [word.raw.clone(), plain], dynamic: word.is_dynamic() }
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
