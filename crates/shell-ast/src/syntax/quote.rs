//! Quotes: `'…'`, `$'…'`, `\c`, backquotes, and the builder that collects the parts of a word.

use super::{
    ast::{List, WordPart},
    cursor::Parser,
};

/// Collects the parts of a word, joining neighbouring text of the same kind.
#[derive(Default)]
pub(super) struct Parts {
    done: Vec<WordPart>,
    text: String,
    /// The kind of `text`: quoted or not. `Some` with empty text is an empty quote, which still makes a word.
    quoted: Option<bool>,
}

impl Parts {
    pub(super) fn bare(&mut self, text: &str) {
        self.push(text, false);
    }

    pub(super) fn quoted(&mut self, text: &str) {
        self.push(text, true);
    }

    fn push(&mut self, text: &str, quoted: bool) {
        if self.quoted != Some(quoted) {
            self.flush();
            self.quoted = Some(quoted);
        }
        self.text.push_str(text);
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        match self.quoted.take() {
            Some(true) => self.done.push(WordPart::Quoted(text)),
            Some(false) => self.done.push(WordPart::Unquoted(text)),
            None => {}
        }
    }

    pub(super) fn add(&mut self, part: WordPart) {
        self.flush();
        self.done.push(part);
    }

    /// A word that starts with unquoted `text` read already.
    pub(super) fn starting(text: String) -> Self {
        Self { done: Vec::new(), quoted: if text.is_empty() { None } else { Some(false) }, text }
    }

    pub(super) fn finish(mut self) -> Vec<WordPart> {
        self.flush();
        self.done
    }
}

impl<'a> Parser<'a> {
    /// `'…'`, at its opening quote. Line continuations are text here.
    pub(super) fn single_quoted(&mut self, parts: &mut Parts) {
        self.bump();
        let Some(close) = self.find(b'\'') else {
            self.fail("no closing '");
            return;
        };
        parts.quoted(self.text(self.pos, close));
        self.jump(close);
        self.bump();
    }

    /// The character after a backslash, taken as it is. At the end of the text the backslash stands for itself.
    pub(super) fn escaped_char(&mut self) -> Option<&'a str> {
        self.bump();
        let start = self.pos;
        let width = self.text(start, self.end).chars().next()?.len_utf8();
        self.jump(start.saturating_add(width));
        Some(self.text(start, start.saturating_add(width)))
    }

    /// `$'…'`, at the quote: decodes it (bash manual, "ANSI-C Quoting").
    pub(super) fn ansi_c(&mut self, parts: &mut Parts) {
        self.bump();
        let start = self.pos;
        let mut at = start;
        loop {
            match self.byte(at) {
                Some(b'\'') => break,
                Some(b'\\') => at = at.saturating_add(2),
                Some(_) => at = at.saturating_add(1),
                None => {
                    self.fail("no closing ' of $'");
                    return;
                }
            }
        }
        let raw = self.text(start, at);
        self.jump(at);
        self.bump();
        match super::ansi::decode(raw) {
            Some(value) => parts.quoted(&value),
            None => self.fail("$'…' with a value that is not known"),
        }
    }

    /// A backquoted command, at the backquote. Its text is unescaped first, then parsed as a script of its own, so its
    /// spans are those of the whole.
    pub(super) fn backquoted(&mut self, parts: &mut Parts, context: Backquote) {
        let start = self.pos;
        self.bump();
        let mut text = String::new();
        let mut from = self.pos;
        let close = loop {
            match self.byte(self.pos) {
                None => {
                    self.fail("no closing `");
                    return;
                }
                Some(b'`') => break self.pos,
                Some(b'\\') => {
                    let next = self.byte(self.pos.saturating_add(1));
                    if next == Some(b'"') && context == Backquote::Unsure {
                        self.fail("\\\" in backquotes in this place");
                        return;
                    }
                    let dropped = match next {
                        Some(b'`' | b'\\' | b'$') => Some(1),
                        Some(b'"') if context == Backquote::Double => Some(1),
                        Some(b'\n') => Some(2),
                        Some(_) | None => None,
                    };
                    let to = self.pos;
                    self.jump(to.saturating_add(2));
                    if let Some(dropped) = dropped {
                        text.push_str(self.text(from, to));
                        from = to.saturating_add(dropped);
                    }
                }
                Some(_) => self.jump(self.pos.saturating_add(1)),
            }
        };
        text.push_str(self.text(from, close));
        self.bump();
        let list = if self.enter() {
            let span = self.span(start);
            let list = self.sub(&text, span, |child: &mut Parser<'_>| child.whole());
            self.leave();
            list
        } else {
            List::default()
        };
        parts.add(WordPart::CommandSub(list));
    }
}

/// Where backquotes stand, which decides about `\"` inside them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Backquote {
    /// `\"` stays.
    Bare,
    /// Inside `"…"`, where `\"` loses its backslash too.
    Double,
    /// Bash differs by place and version.
    Unsure,
}
