//! Reads words as a program's option parser would.

use std::borrow::Cow;

use super::spec::{Act, Operands, Order, Row, Usage};
use super::words::{Dash, Shape, is_found, is_process, suffix};
use crate::analysis::Word;

/// What an option parser makes of words.
#[derive(Default)]
pub(super) struct Parsed<'a> {
    /// Options of the table, in order.
    pub options: Vec<Seen<'a>>,
    /// Operands, in order.
    pub operands: Vec<&'a Word>,
    /// How many words were looked at: fewer than given where [`Stop::AtOperand`] ended it.
    pub used: usize,
    /// The first word that spoils the proof, and why.
    pub doubt: Option<String>,
}

/// One option.
pub(super) struct Seen<'a> {
    /// Its row; `None` for an option that changes nothing.
    pub row: Option<&'static Row>,
    /// Its name as the table spells it, with dashes, without value marks.
    pub name: Cow<'a, str>,
    /// Its value.
    pub value: Option<Cow<'a, Word>>,
}

/// Where parsing ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// After the last word.
    AtEnd,
    /// Before the first operand: what follows is a subcommand.
    AtOperand,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Arity {
    None,
    Required,
    Optional,
    /// Two words follow; the second is the value (`jq --arg name value`).
    Two,
}

/// One token of the notation.
struct Token {
    names: &'static str,
    long: bool,
    arity: Arity,
}

/// An option found in a table.
#[derive(Clone, Copy)]
struct Found {
    row: Option<&'static Row>,
    arity: Arity,
    /// Its full name, for long options.
    name: &'static str,
}

fn tokens(list: &'static str) -> impl Iterator<Item = Token> {
    list.split_ascii_whitespace().filter_map(|token| {
        let (body, arity) = if let Some(body) = token.strip_suffix("==") {
            (body, Arity::Two)
        } else if let Some(body) = token.strip_suffix('=') {
            (body, Arity::Required)
        } else if let Some(body) = token.strip_suffix('?') {
            (body, Arity::Optional)
        } else {
            (token, Arity::None)
        };
        match body.strip_prefix("--") {
            Some(names) if !names.is_empty() => Some(Token { names, long: true, arity }),
            _ => body.strip_prefix('-').map(|names| Token { names, long: false, arity }),
        }
    })
}

fn tables(usage: &Usage) -> impl Iterator<Item = (Option<&'static Row>, Token)> {
    let rows: &'static [Row] = usage.rows;
    rows.iter()
        .flat_map(|row| tokens(row.spell).map(move |token| (Some(row), token)))
        .chain(tokens(usage.options).map(|token| (None, token)))
}

fn find_short(usage: &Usage, letter: char) -> Option<Found> {
    tables(usage).find(|(_, token)| !token.long && token.names.contains(letter)).map(|(row, token)| Found {
        row,
        arity: token.arity,
        name: "",
    })
}

/// An exact name wins; else the one name that begins so (GNU getopt_long). Two are ambiguous.
fn find_long(usage: &Usage, name: &str) -> Option<Found> {
    let mut abbreviated = None;
    let mut count = 0_usize;
    for (row, token) in tables(usage).filter(|(_, token)| token.long) {
        if token.names == name {
            return Some(Found { row, arity: token.arity, name: token.names });
        }
        if !name.is_empty() && token.names.starts_with(name) {
            count = count.saturating_add(1);
            abbreviated = Some(Found { row, arity: token.arity, name: token.names });
        }
    }
    if count == 1 { abbreviated } else { None }
}

/// A word of a single-dash grammar: exact names only.
fn find_single(usage: &Usage, name: &str) -> Option<Found> {
    tables(usage).find(|(_, token)| token.names == name).map(|(row, token)| Found {
        row,
        arity: token.arity,
        name: token.names,
    })
}

struct Reader<'a, 'u> {
    usage: &'u Usage,
    words: &'a [Word],
    next: usize,
    out: Parsed<'a>,
}

/// Parses `words` (without the command name) by the options of `usage`.
pub(super) fn parse<'a>(usage: &Usage, words: &'a [Word], stop: Stop) -> Parsed<'a> {
    let mut reader = Reader { usage, words, next: 0, out: Parsed::default() };
    reader.run(stop);
    reader.out.used = reader.next.min(words.len());
    reader.out
}

impl<'a> Reader<'a, '_> {
    fn run(&mut self, stop: Stop) {
        let dangerous = self.usage.has_dangerous_option();
        while let Some(word) = self.words.get(self.next) {
            let shape = Shape::of(word);
            if shape.head.starts_with('-') && (shape.head.len() > 1 || !shape.tail.is_empty()) {
                self.next = self.next.saturating_add(1);
                if shape.literal() == Some("--") {
                    self.rest();
                    return;
                }
                if shape.splits && (dangerous || !self.text_only()) {
                    self.doubt(format!("`{}` could expand to further options", word.raw));
                }
                self.option(word, &shape);
                continue;
            }
            match shape.dash() {
                // What `find -exec` and `fd -x` put there begins like their start points, which are never options.
                _ if is_found(word) || is_process(word) => {}
                Dash::No => {}
                Dash::IfNamedSo if !dangerous => {}
                Dash::IfNamedSo => self.doubt(format!("`{}` could expand to a file name that is an option", word.raw)),
                // An option of unknown name and value could at least read another file, if there is one that does.
                Dash::Maybe if !dangerous && self.usage.rows.iter().all(|row| row.act == Act::Stops) => {}
                Dash::Maybe => self.doubt(format!("`{}` could turn out to be an option", word.raw)),
            }
            if stop == Stop::AtOperand {
                return;
            }
            self.next = self.next.saturating_add(1);
            self.out.operands.push(word);
            if self.usage.order == Order::Posix {
                self.rest();
                return;
            }
        }
    }

    fn text_only(&self) -> bool {
        matches!(self.usage.operands, Operands::Text)
    }

    fn rest(&mut self) {
        let rest = self.words.get(self.next..).unwrap_or_default();
        self.out.operands.extend(rest);
        self.next = self.words.len();
    }

    fn doubt(&mut self, why: String) {
        if self.usage.order != Order::Lenient && self.out.doubt.is_none() {
            self.out.doubt = Some(why);
        }
    }

    fn unknown(&mut self, word: &Word) {
        self.doubt(format!("option `{}` is not in its table", word.raw));
    }

    fn option(&mut self, word: &'a Word, shape: &Shape<'a>) {
        if self.usage.order == Order::SingleDash {
            let start = if shape.head.starts_with("--") { 2 } else { 1 };
            self.long(word, shape, start);
        } else if shape.head.starts_with("--") {
            self.long(word, shape, 2);
        } else {
            self.cluster(word, shape);
        }
    }

    fn long(&mut self, word: &'a Word, shape: &Shape<'a>, start: usize) {
        let body = shape.head.get(start..).unwrap_or_default();
        let (name, has_value) = body.split_once('=').map_or((body, false), |(name, _)| (name, true));
        if !has_value && !shape.tail.is_empty() {
            return self.unknown(word);
        }
        let found = if self.usage.order == Order::SingleDash {
            find_single(self.usage, name)
        } else {
            find_long(self.usage, name)
        };
        let Some(found) = found else {
            return self.unknown(word);
        };
        let value_at = start.saturating_add(name.len()).saturating_add(1);
        let value = match (found.arity, has_value) {
            // Go's boolean flags take `-json=true`; elsewhere it is an error, which changes nothing.
            (Arity::None, true) if self.usage.order != Order::SingleDash => {
                return self.unknown(word);
            }
            (Arity::None | Arity::Optional, false) => None,
            (Arity::Two, true) => return self.unknown(word),
            (Arity::Two, false) => match (self.take(), self.take()) {
                (Some(_), Some(value)) => Some(Cow::Borrowed(value)),
                _ => return self.doubt(format!("option `{}` lacks its values", word.raw)),
            },
            (_, true) => Some(Cow::Owned(suffix(word, shape, value_at))),
            (Arity::Required, false) => match self.take() {
                Some(value) => Some(Cow::Borrowed(value)),
                None => return self.doubt(format!("option `{}` lacks its value", word.raw)),
            },
        };
        self.out.options.push(Seen { row: found.row, name: Cow::Owned(format!("--{}", found.name)), value });
    }

    fn take(&mut self) -> Option<&'a Word> {
        let word = self.words.get(self.next)?;
        self.next = self.next.saturating_add(1);
        if Shape::of(word).splits {
            self.doubt(format!("`{}` could expand to further words", word.raw));
        }
        Some(word)
    }

    fn cluster(&mut self, word: &'a Word, shape: &Shape<'a>) {
        let head = &*shape.head;
        let mut letters = head.char_indices().skip(1).peekable();
        if letters.peek().is_none() {
            return self.unknown(word);
        }
        while let Some((at, letter)) = letters.next() {
            if letter.is_ascii_digit()
                && find_short(self.usage, '#').is_some()
                && find_short(self.usage, letter).is_none()
            {
                while letters.next_if(|(_, digit)| digit.is_ascii_digit()).is_some() {}
                continue;
            }
            let Some(found) = find_short(self.usage, letter).filter(|_| letter != '#') else {
                if self.usage.order == Order::Lenient {
                    continue;
                }
                return self.unknown(word);
            };
            let rest_at = at.saturating_add(letter.len_utf8());
            let attached = rest_at < head.len() || !shape.tail.is_empty();
            let value = match found.arity {
                Arity::None => None,
                Arity::Two => return self.unknown(word),
                Arity::Optional if !attached => None,
                Arity::Required if !attached => match self.take() {
                    Some(value) => Some(Cow::Borrowed(value)),
                    None => return self.doubt(format!("option `{}` lacks its value", word.raw)),
                },
                Arity::Required | Arity::Optional => Some(Cow::Owned(suffix(word, shape, rest_at))),
            };
            let ends = value.is_some();
            self.out.options.push(Seen { row: found.row, name: Cow::Owned(format!("-{letter}")), value });
            if ends {
                return;
            }
        }
        if !shape.tail.is_empty() {
            self.unknown(word);
        }
    }
}

impl Parsed<'_> {
    /// An option of one of these names was given.
    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|seen| names.contains(&&*seen.name))
    }

    /// The literal value of the last option of one of these names.
    pub(super) fn value(&self, names: &[&str]) -> Option<&Word> {
        self.options.iter().rev().find(|seen| names.contains(&&*seen.name)).and_then(|seen| seen.value.as_deref())
    }
}
