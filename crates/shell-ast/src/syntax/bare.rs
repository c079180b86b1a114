//! Unquoted text: words, patterns, regular expressions, and operands of `${…}` outside double quotes.

use super::{
    ast::{Word, WordPart},
    cursor::{Parser, is_meta},
    live::Live,
    quote::{Backquote, Parts},
};

/// What kind of unquoted text, which decides where it ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bare {
    /// An ordinary word: up to a metacharacter.
    Word,
    /// The right side of `==` in `[[ ]]`, where bash reads extended globs even with `extglob` off.
    Pattern,
    /// The right side of `=~`: `|` is text, parentheses hold anything.
    Regex,
    /// Operand of `${x:-…}`: up to `}`.
    Operand,
    /// Pattern of `${x/…/…}`: up to `/` or `}`.
    ReplacePattern,
}

impl Parser<'_> {
    /// A word, maybe empty (no parts).
    pub(super) fn word(&mut self, mode: Bare) -> Word {
        let start = self.pos;
        self.word_after(Parts::default(), start, mode)
    }

    /// The rest of a word of which `parts` are read already.
    pub(super) fn word_after(&mut self, mut parts: Parts, start: usize, mode: Bare) -> Word {
        self.count();
        self.bare(mode, &mut parts);
        let parts = parts.finish();
        let span = if parts.is_empty() {
            self.fixed.unwrap_or_else(|| crate::Span::new(start, start))
        } else {
            self.span(start)
        };
        Word { parts, span }
    }

    fn bare(&mut self, mode: Bare, parts: &mut Parts) {
        let mut group = Group::default();
        let mut before = 0;
        while let Some(byte) = self.peek() {
            match byte {
                b'\'' => self.single_quoted(parts),
                b'"' => self.double_quoted(parts),
                b'`' => self.backquoted(parts, Backquote::Bare),
                b'\\' => parts.quoted(self.escaped_char().unwrap_or("\\")),
                b'$' => self.dollar(parts, None),
                b'<' | b'>' if self.second() == Some(b'(') => self.process_sub(parts, byte == b'>'),
                _ if self.ends(mode, byte, before, &mut group) => break,
                _ => {
                    before = self.run(parts, byte);
                    continue;
                }
            }
            before = 0;
        }
        if group.open > 0 {
            self.fail("no closing )");
        }
    }

    /// Whether unquoted `byte` ends the text.
    fn ends(&mut self, mode: Bare, byte: u8, before: u8, group: &mut Group) -> bool {
        match mode {
            Bare::Word => is_meta(byte),
            Bare::Operand => byte == b'}',
            Bare::ReplacePattern => matches!(byte, b'}' | b'/'),
            Bare::Pattern | Bare::Regex => {
                let opens = mode == Bare::Regex || matches!(before, b'?' | b'*' | b'+' | b'@' | b'!');
                match byte {
                    b'(' if group.open > 0 || opens => {
                        if group.open == 0 {
                            group.start = self.pos;
                        }
                        group.open = group.open.saturating_add(1);
                        false
                    }
                    b')' if group.open > 0 => {
                        group.open = group.open.saturating_sub(1);
                        if group.open == 0 && self.plain_pair(group.start, b'(', b')') != Some(self.pos) {
                            self.fail("parentheses that can be read in two ways");
                        }
                        false
                    }
                    b'|' if mode == Bare::Regex => false,
                    _ => group.open == 0 && is_meta(byte),
                }
            }
        }
    }

    /// Takes `first` and the plain text after it; returns the last byte.
    fn run(&mut self, parts: &mut Parts, first: u8) -> u8 {
        let start = self.pos;
        let mut at = start;
        let mut last = first;
        loop {
            at = at.saturating_add(1);
            match self.byte(at) {
                Some(byte) if !is_special(byte) => last = byte,
                Some(_) | None => break,
            }
        }
        parts.bare(self.text(start, at));
        self.jump(at);
        last
    }

    /// `"…"`, at its opening quote.
    pub(super) fn double_quoted(&mut self, parts: &mut Parts) {
        self.bump();
        if !self.enter() {
            return;
        }
        let mut inner = Parts::default();
        self.live(Live::Double, &mut inner);
        if !self.eat(b'"') {
            self.fail("no closing \"");
        }
        self.leave();
        parts.add(WordPart::DoubleQuoted(inner.finish()));
    }
}

#[derive(Default)]
struct Group {
    open: usize,
    start: usize,
}

const fn is_special(byte: u8) -> bool {
    is_meta(byte) || matches!(byte, b'\'' | b'"' | b'`' | b'\\' | b'$' | b'}' | b'/')
}
