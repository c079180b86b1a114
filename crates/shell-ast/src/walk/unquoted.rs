//! Unquoted text: tilde prefixes and globs (bash manual, "Tilde Expansion", "Pattern Matching").

use super::Walker;
use crate::analysis::Part;

impl Walker<'_> {
    /// Unquoted text: tilde prefix and globs.
    pub(super) fn bare(&mut self, text: &str, at: At, value: bool, parts: &mut Vec<Part>) {
        let At { first, more, closes } = at;
        // A tilde is also active after the `=` of an assignment-like word (`dd of=~/x`; bash manual, "Tilde
        // Expansion"), and in an assigned value after each colon, where only the rest of a list stands.
        let after = if first { assignment_prefix(text) } else { None };
        let (head, tail) = after.and_then(|at| text.split_at_checked(at)).unwrap_or(("", text));
        if !head.is_empty() {
            globs(head, closes, parts);
        }
        let tail = match (first, self.tilde(tail, more)) {
            (true, Some((part, tail))) => {
                push(part, parts);
                tail
            }
            (_, _) => tail,
        };
        if value {
            push(Part::Text(tail.to_owned()), parts);
        } else {
            globs(tail, closes, parts);
        }
    }

    /// The tilde prefix at the start of `text`.
    fn tilde<'t>(&mut self, text: &'t str, more: bool) -> Option<(Part, &'t str)> {
        let rest = text.strip_prefix('~')?;
        let (user, tail) = match rest.find(['/', ':']) {
            Some(at) => rest.split_at_checked(at)?,
            // Quoted text or an expansion follows: no tilde prefix.
            None if more => return None,
            None => (rest, ""),
        };
        let plain = user.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-+.".contains(&byte));
        if !plain {
            return None;
        }
        let changed = user.is_empty() && !self.still_outside("HOME");
        let part = if changed { Part::Dynamic { quoted: true } } else { Part::Tilde(user.to_owned()) };
        Some((part, tail))
    }
}

/// Unquoted text with its globs.
fn globs(text: &str, closes: bool, parts: &mut Vec<Part>) {
    let last = text.rfind(']');
    let mut plain = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '*' | '?' => {
                push(Part::Text(std::mem::take(&mut plain)), parts);
                push(Part::Glob(c.to_string()), parts);
            }
            '[' => {
                if let Some(set) =
                    bracket(last.filter(|last| *last > at).and_then(|_| text.get(at..)).unwrap_or_default())
                {
                    push(Part::Text(std::mem::take(&mut plain)), parts);
                    push(Part::Glob(set.to_owned()), parts);
                    let skip = set.chars().count().saturating_sub(2);
                    let _ = chars.nth(skip);
                } else if closes {
                    // The set holds quoted text or an expansion: some characters, not known which.
                    push(Part::Text(std::mem::take(&mut plain)), parts);
                    push(Part::Dynamic { quoted: false }, parts);
                } else {
                    plain.push(c);
                }
            }
            _ => plain.push(c),
        }
    }
    push(Part::Text(plain), parts);
}

/// Where a piece stands in its word.
#[derive(Clone, Copy)]
pub(super) struct At {
    first: bool,
    /// Other pieces follow.
    more: bool,
    /// One of them holds an unquoted closing bracket.
    closes: bool,
}

impl At {
    pub(super) fn of(index: usize, count: usize, last_close: Option<usize>) -> Self {
        Self {
            first: index == 0,
            more: index.saturating_add(1) < count,
            closes: last_close.is_some_and(|last| last > index),
        }
    }
}

/// The bracket expression at the start of `text`.
fn bracket(text: &str) -> Option<&str> {
    let skip = if text.starts_with("[!") || text.starts_with("[^") { 2 } else { 1 };
    let inside = text.get(skip..)?;
    // A closing bracket right after the opening one stands for itself.
    let first = inside.chars().next().map_or(0, char::len_utf8);
    let close = inside.get(first..)?.find(']')?;
    text.get(..skip.saturating_add(first).saturating_add(close).saturating_add(1))
}

/// Where the value starts in `name=value`.
fn assignment_prefix(text: &str) -> Option<usize> {
    let (name, value) = text.split_once('=')?;
    let name = name.strip_suffix('+').unwrap_or(name);
    let valid = !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (valid && value.starts_with('~')).then(|| text.len().saturating_sub(value.len()))
}

/// Adds a part, joining neighbouring text.
pub(super) fn push(part: Part, parts: &mut Vec<Part>) {
    match (parts.last_mut(), part) {
        (_, Part::Text(text)) if text.is_empty() => {}
        (Some(Part::Text(before)), Part::Text(text)) => before.push_str(&text),
        (_, part) => parts.push(part),
    }
}
