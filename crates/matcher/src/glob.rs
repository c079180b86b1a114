//! Wildcards over text: `*` is any text, and nothing else is special (in some patterns `?` is one character).
//!
//! A pattern is cut at its stars once. Matching takes the first piece as a prefix, the last as a suffix and finds the
//! others leftmost, one after the other: the leftmost place leaves most room for the rest, so no choice is ever taken
//! back, and the work is linear in the text (`str::find` is the two-way algorithm).

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// Longest text, in UTF-16 code units, that a pattern is tried on.
pub(crate) const MAX_SUBJECT: usize = 1_048_576;

/// Most character comparisons for pieces with `?`, which can't use the two-way search.
const MAX_WORK: usize = 1 << 24;

/// Which way an answer that can't be worked out has to fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Deny and ask rules: in doubt they match, and case does not count.
    Tighten,
    /// Allow rules: in doubt they don't match.
    Loosen,
}

/// What `?` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// Itself.
    Literal,
    /// Exactly one character.
    One,
}

/// Lower case, without allocation where the text is lower-case ASCII.
pub(crate) fn fold(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase()) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.chars().flat_map(char::to_lowercase).collect())
    }
}

/// A file name by which any file system may know a file, for rules that tighten: Unicode's normal form, without case, and
/// without the code points that HFS+ leaves out of comparisons (the list is the one git guards `.git` with).
///
/// Upper case first: `ſ` and the Kelvin sign have no lower case of their own, but APFS and NTFS compare them as `s` and `k`.
pub(crate) fn fold_name(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase()) {
        return Cow::Borrowed(text);
    }
    let kept = text.nfd().filter(
        |c| !matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}'),
    );
    Cow::Owned(kept.flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfc().collect())
}

/// More than [`MAX_SUBJECT`] UTF-16 code units.
pub(crate) fn is_overlong(text: &str) -> bool {
    // A UTF-8 text has at least as many bytes as UTF-16 code units.
    text.len() > MAX_SUBJECT && text.encode_utf16().count() > MAX_SUBJECT
}

/// A compiled wildcard pattern. Callers fold the pattern and the text alike where case does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wild {
    first: Piece,
    /// The pieces that follow each star; empty for a pattern without stars.
    rest: Vec<Piece>,
    /// Characters in pieces with `?`.
    slow: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Plain(String),
    /// `None` is any one character.
    Holes(Vec<Option<char>>),
}

impl Wild {
    pub(crate) fn new(pattern: &str, question: Question) -> Self {
        let mut pieces = pattern.split('*').map(|text| Piece::new(text, question));
        let first = pieces.next().unwrap_or(Piece::Plain(String::new()));
        let mut rest: Vec<Piece> = pieces.collect();
        // `a**b` is `a*b`.
        if let Some(last) = rest.pop() {
            rest.retain(|piece| !piece.is_empty());
            rest.push(last);
        }
        let slow = std::iter::once(&first)
            .chain(&rest)
            .map(|piece| match piece {
                Piece::Plain(_) => 0,
                Piece::Holes(chars) => chars.len(),
            })
            .fold(0usize, usize::saturating_add);
        Self { first, rest, slow }
    }

    /// A single `*`.
    pub(crate) fn is_everything(&self) -> bool {
        self.first.is_empty() && matches!(self.rest.as_slice(), [last] if last.is_empty())
    }

    /// The literal text before the first star; shorter if it has a `?`.
    pub(crate) fn prefix(&self) -> &str {
        match &self.first {
            Piece::Plain(text) => text,
            Piece::Holes(_) => "",
        }
    }

    pub(crate) fn has_star(&self) -> bool {
        !self.rest.is_empty()
    }

    /// Whether a text that begins with `start` could match.
    fn may_continue(&self, start: &str) -> bool {
        match &self.first {
            Piece::Plain(text) => text.starts_with(start) || (self.has_star() && start.starts_with(text.as_str())),
            Piece::Holes(_) => true,
        }
    }

    pub(crate) fn is_match(&self, text: &str, side: Side) -> bool {
        if self.slow > 0 && self.slow.saturating_mul(text.len()) > MAX_WORK {
            return side == Side::Tighten;
        }
        let Some((last, middle)) = self.rest.split_last() else {
            return self.first.strip_prefix(text).is_some_and(str::is_empty);
        };
        let Some(text) = self.first.strip_prefix(text) else { return false };
        let Some(mut text) = last.strip_suffix(text) else { return false };
        for piece in middle {
            let Some(after) = piece.find(text) else { return false };
            text = after;
        }
        true
    }
}

impl Piece {
    fn new(text: &str, question: Question) -> Self {
        if question == Question::One && text.contains('?') {
            Self::Holes(text.chars().map(|c| (c != '?').then_some(c)).collect())
        } else {
            Self::Plain(text.to_owned())
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::Plain(text) => text.is_empty(),
            Self::Holes(chars) => chars.is_empty(),
        }
    }

    fn strip_prefix<'t>(&self, text: &'t str) -> Option<&'t str> {
        match self {
            Self::Plain(piece) => text.strip_prefix(piece.as_str()),
            Self::Holes(wanted) => {
                let mut chars = text.chars();
                for want in wanted {
                    let got = chars.next()?;
                    if want.is_some_and(|want| want != got) {
                        return None;
                    }
                }
                Some(chars.as_str())
            }
        }
    }

    fn strip_suffix<'t>(&self, text: &'t str) -> Option<&'t str> {
        match self {
            Self::Plain(piece) => text.strip_suffix(piece.as_str()),
            Self::Holes(wanted) => {
                let mut chars = text.chars();
                for want in wanted.iter().rev() {
                    let got = chars.next_back()?;
                    if want.is_some_and(|want| want != got) {
                        return None;
                    }
                }
                Some(chars.as_str())
            }
        }
    }

    /// What follows the leftmost place where the piece stands.
    fn find<'t>(&self, text: &'t str) -> Option<&'t str> {
        match self {
            Self::Plain(piece) => {
                let at = text.find(piece.as_str())?;
                text.get(at.saturating_add(piece.len())..)
            }
            Self::Holes(_) => {
                text.char_indices().find_map(|(at, _)| text.get(at..).and_then(|tail| self.strip_prefix(tail)))
            }
        }
    }
}

/// A wildcard pattern whose last ` *` also stands for no arguments at all: `git push *` matches `git push`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextPattern {
    main: Wild,
    bare: Option<Wild>,
}

impl TextPattern {
    pub(crate) fn new(pattern: &str, question: Question) -> Self {
        let bare = pattern.strip_suffix(" *").filter(|bare| !bare.trim().is_empty());
        Self { main: Wild::new(pattern, question), bare: bare.map(|bare| Wild::new(bare, question)) }
    }

    pub(crate) fn main(&self) -> &Wild {
        &self.main
    }

    /// Whether a text that begins with `start` could match.
    pub(crate) fn may_continue(&self, start: &str) -> bool {
        self.main.may_continue(start) || self.bare.as_ref().is_some_and(|bare| bare.may_continue(start))
    }

    pub(crate) fn is_match(&self, text: &str, side: Side) -> bool {
        self.main.is_match(text, side) || self.bare.as_ref().is_some_and(|bare| bare.is_match(text, side))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Question, Side, TextPattern, Wild, fold};

    /// The definition, with backtracking.
    fn reference(pattern: &[char], text: &[char], question: Question) -> bool {
        match pattern.split_first() {
            None => text.is_empty(),
            Some(('*', rest)) => (0..=text.len()).any(|skip| reference(rest, &text[skip..], question)),
            Some(('?', rest)) if question == Question::One => !text.is_empty() && reference(rest, &text[1..], question),
            Some((c, rest)) => text.first() == Some(c) && reference(rest, &text[1..], question),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn wildcards_match_as_the_backtracking_definition_says(
            pattern in "[ab?*é]{0,8}", text in "[abé]{0,10}", one in any::<bool>()
        ) {
            let question = if one { Question::One } else { Question::Literal };
            let p: Vec<char> = pattern.chars().collect();
            let t: Vec<char> = text.chars().collect();
            let wild = Wild::new(&pattern, question);
            for side in [Side::Tighten, Side::Loosen] {
                prop_assert_eq!(wild.is_match(&text, side), reference(&p, &t, question));
            }
        }
    }

    #[test]
    fn a_trailing_blank_star_also_stands_for_no_arguments() {
        let rows = [
            ("git push *", "git push", true),
            ("git push *", "git push origin", true),
            ("git push *", "git pushy", false),
            ("git push*", "git pushy", true),
            (" *", "", false),
            ("*", "", true),
        ];
        for (pattern, text, expected) in rows {
            let pattern_ = TextPattern::new(pattern, Question::Literal);
            assert_eq!(pattern_.is_match(text, Side::Loosen), expected, "{pattern:?} {text:?}");
        }
    }

    #[test]
    fn too_much_work_falls_to_the_safe_side() {
        let wild = Wild::new(&format!("*{}b*", "a?".repeat(1000)), Question::One);
        let text = "a".repeat(1_000_000);
        assert!(wild.is_match(&text, Side::Tighten));
        assert!(!wild.is_match(&text, Side::Loosen));
    }

    #[test]
    fn folding_reaches_beyond_ascii() {
        assert_eq!(fold("git"), "git");
        assert_eq!(fold("GIT É"), "git é");
    }
}
