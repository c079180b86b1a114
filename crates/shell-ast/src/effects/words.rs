//! What a word can turn out to be when bash expands it.

use std::borrow::Cow;

use crate::analysis::{Part, Word};

/// Variables that a caller can fill in, since every session has them and they hold one absolute path.
const KNOWN_PATHS: &[&str] = &["HOME", "PWD", "TMPDIR"];

/// A word seen as leading literal text and the rest.
pub(super) struct Shape<'a> {
    /// The leading literal text.
    pub head: Cow<'a, str>,
    /// What follows it; empty for a literal word.
    pub tail: &'a [Part],
    /// Word splitting could make several words of it.
    pub splits: bool,
}

/// Whether a word before `--` could be an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dash {
    /// Never.
    No,
    /// A file of that name would make it one: `*.rs` can expand to `-x.rs`.
    IfNamedSo,
    /// Nothing is known about its beginning.
    Maybe,
}

impl<'a> Shape<'a> {
    pub(super) fn of(word: &'a Word) -> Self {
        let cut = word.parts.iter().position(|part| !matches!(part, Part::Text(_))).unwrap_or(word.parts.len());
        let (texts, tail) = word.parts.split_at_checked(cut).unwrap_or((&word.parts, &[]));
        let head = match texts {
            [] => Cow::Borrowed(""),
            [Part::Text(text)] => Cow::Borrowed(text.as_str()),
            more => Cow::Owned(more.iter().filter_map(text_of).collect()),
        };
        Self { head, tail, splits: splits(word, tail) }
    }

    /// The value, if it is fully literal.
    pub(super) fn literal(&self) -> Option<&str> {
        self.tail.is_empty().then_some(&*self.head)
    }

    /// Whether it could begin with a dash although its literal head does not tell.
    pub(super) fn dash(&self) -> Dash {
        if self.splits {
            return Dash::Maybe;
        }
        if self.head.starts_with('-') {
            return Dash::Maybe;
        }
        if self.head.is_empty() { dash(self.tail) } else { Dash::No }
    }
}

fn text_of(part: &Part) -> Option<&str> {
    match part {
        Part::Text(text) => Some(text),
        Part::Glob(_) | Part::Tilde(_) | Part::Var { .. } | Part::Choice(_) | Part::Dynamic { .. } => None,
    }
}

fn dash(parts: &[Part]) -> Dash {
    let mut parts = parts.iter().skip_while(|part| matches!(part, Part::Text(text) if text.is_empty()));
    match parts.next() {
        // One level is enough: the values of a choice are words, not choices of choices.
        Some(Part::Choice(values)) => {
            let all = values.iter().map(|value| dash_of_value(value));
            all.fold(Dash::No, |worst, one| if worst == Dash::Maybe || one == Dash::No { worst } else { one })
        }
        Some(part) => dash_of_first(part, parts.next()),
        None => Dash::No,
    }
}

fn dash_of_value(value: &[Part]) -> Dash {
    match value.first() {
        Some(Part::Text(text)) if text.is_empty() => Dash::Maybe,
        Some(part) => dash_of_first(part, value.get(1)),
        None => Dash::Maybe,
    }
}

fn dash_of_first(first: &Part, second: Option<&Part>) -> Dash {
    match first {
        Part::Text(text) if text.starts_with('-') => Dash::Maybe,
        Part::Text(_) | Part::Tilde(_) => Dash::No,
        Part::Glob(_) => Dash::IfNamedSo,
        // HOME and PWD are never empty; another one may be, and then what follows it comes first.
        Part::Var { name, .. } if name == "HOME" || name == "PWD" => Dash::No,
        Part::Var { name, .. } if is_known_path(name) => match second {
            Some(Part::Text(text)) if text.starts_with('/') => Dash::No,
            Some(_) | None => Dash::Maybe,
        },
        Part::Var { .. } | Part::Dynamic { .. } | Part::Choice(_) => Dash::Maybe,
    }
}

/// A variable that callers fill in.
pub(super) fn is_known_path(name: &str) -> bool {
    KNOWN_PATHS.contains(&name)
}

/// bash splits the results of unquoted expansions (manual, "Word Splitting"). `$HOME` and its like are taken for one
/// word: a home directory with blanks would break every script there is.
fn splits(word: &Word, tail: &[Part]) -> bool {
    tail.iter().any(|part| match part {
        Part::Var { name, quoted } => !quoted && !is_known_path(name),
        Part::Dynamic { quoted } => !quoted,
        // The value of a loop variable: a choice does not say whether it was quoted, the source text does.
        Part::Choice(values) => !is_quoted(&word.raw) && values.iter().any(|value| may_split(value)),
        Part::Text(_) | Part::Glob(_) | Part::Tilde(_) => false,
    })
}

/// Every expansion in the text stands in one pair of double quotes, or there is none.
fn is_quoted(raw: &str) -> bool {
    let mut inside = false;
    let mut escaped = false;
    for byte in raw.bytes() {
        if escaped {
            escaped = false;
            continue;
        }
        match byte {
            b'\\' => escaped = true,
            b'"' => inside = !inside,
            // A quote inside double quotes is text; outside, it may hide what follows: not worth telling apart.
            b'\'' | b'$' | b'`' if !inside => return false,
            _ => {}
        }
    }
    true
}

fn may_split(value: &[Part]) -> bool {
    value.iter().any(|part| match part {
        Part::Text(text) => text.bytes().any(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'*' | b'?' | b'[')),
        // A file name can hold blanks.
        Part::Glob(_) | Part::Var { .. } | Part::Dynamic { .. } | Part::Choice(_) => true,
        Part::Tilde(_) => false,
    })
}

/// The word names a set of files that the script tells: text, globs, tildes, known variables, choices of these.
pub(super) fn is_known(word: &Word) -> bool {
    known(&word.parts, 4)
}

fn known(parts: &[Part], depth: u8) -> bool {
    parts.iter().all(|part| match part {
        Part::Text(_) | Part::Glob(_) | Part::Tilde(_) => true,
        Part::Var { name, .. } => is_known_path(name),
        Part::Choice(values) => match depth.checked_sub(1) {
            Some(depth) => values.iter().all(|value| known(value, depth)),
            None => false,
        },
        Part::Dynamic { .. } => false,
    })
}

/// The word may stand for more than one name: a glob outside of quotes.
pub(super) fn is_many(word: &Word) -> bool {
    fn many(parts: &[Part]) -> bool {
        parts.iter().any(|part| match part {
            Part::Glob(_) => true,
            Part::Choice(values) => values.iter().flatten().any(|part| matches!(part, Part::Glob(_) | Part::Choice(_))),
            Part::Text(_) | Part::Tilde(_) | Part::Var { .. } | Part::Dynamic { .. } => false,
        })
    }
    many(&word.parts)
}

/// The word, or one of its values, could begin with `prefix`.
pub(super) fn may_begin_with(word: &Word, prefix: &str) -> bool {
    let fits = |text: &str| text.starts_with(prefix);
    match word.parts.first() {
        Some(Part::Choice(values)) => values.iter().any(|value| match value.first() {
            Some(Part::Text(text)) => fits(text) || (prefix.starts_with(text.as_str()) && value.len() > 1),
            Some(Part::Choice(_)) => true,
            Some(Part::Glob(_) | Part::Tilde(_) | Part::Var { .. } | Part::Dynamic { .. }) | None => false,
        }),
        Some(Part::Text(_) | Part::Glob(_) | Part::Tilde(_) | Part::Var { .. } | Part::Dynamic { .. }) | None => {
            let head = word.literal_prefix();
            fits(&head) || (head.len() > 1 && prefix.starts_with(&head) && word.literal().is_none())
        }
    }
}

/// `{}` of `find -exec`, which the analysis marks as a value that it does not know.
pub(super) fn is_found(word: &Word) -> bool {
    word.raw == "{}" && matches!(word.parts.as_slice(), [Part::Dynamic { .. }])
}

/// `<(…)`, `>(…)`: a name below /dev/fd; what runs behind it is in the list of commands.
pub(super) fn is_process(word: &Word) -> bool {
    // One pair of parentheses around it all: nothing else stands beside it.
    let mut depth = 0_usize;
    let closes_early = word.raw.char_indices().any(|(at, letter)| {
        match letter {
            '(' => depth = depth.saturating_add(1),
            ')' => depth = depth.saturating_sub(1),
            _ => return false,
        }
        depth == 0 && at.saturating_add(1) < word.raw.len()
    });
    (word.raw.starts_with("<(") || word.raw.starts_with(">("))
        && word.raw.ends_with(')')
        && !closes_early
        && matches!(word.parts.as_slice(), [Part::Dynamic { .. }])
}

/// A word for a piece of literal text.
pub(super) fn text_word(text: &str) -> Word {
    Word { raw: text.to_owned(), parts: vec![Part::Text(text.to_owned())], span: crate::Span::default() }
}

/// The word as a program reads it that expands wildcards itself: those that were quoted for the shell are active too.
pub(super) fn pattern_word(word: &Word) -> Word {
    let parts = word.parts.iter().flat_map(|part| match part {
        Part::Text(text) => text
            .split_inclusive(['*', '?', '['])
            .flat_map(|piece| {
                let text = piece.trim_end_matches(['*', '?', '[']);
                let wildcard = piece.get(text.len()..).unwrap_or_default();
                [Part::Text(text.to_owned()), Part::Glob(wildcard.to_owned())]
            })
            .filter(|part| !matches!(part, Part::Text(text) | Part::Glob(text) if text.is_empty()))
            .collect(),
        Part::Glob(_) | Part::Tilde(_) | Part::Var { .. } | Part::Choice(_) | Part::Dynamic { .. } => {
            vec![part.clone()]
        }
    });
    Word { parts: parts.collect(), ..word.clone() }
}

/// The word without its first `len` bytes of literal text: the value in `--file=value`.
pub(super) fn suffix(word: &Word, shape: &Shape<'_>, len: usize) -> Word {
    let rest = shape.head.get(len..).unwrap_or_default();
    let mut parts = Vec::with_capacity(shape.tail.len().saturating_add(1));
    if !rest.is_empty() || shape.tail.is_empty() {
        parts.push(Part::Text(rest.to_owned()));
    }
    parts.extend_from_slice(shape.tail);
    Word { raw: word.raw.clone(), parts, span: word.span }
}
