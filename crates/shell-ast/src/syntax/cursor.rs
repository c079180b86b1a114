//! The parser's state: a position in the text, and an error that sticks.
//!
//! A function that meets what bash would refuse calls [`Parser::fail`], which ends the text at that place. Every loop
//! then runs out by itself and returns what it holds, so that a partial tree survives and no `Result` is threaded through.

use std::collections::BTreeSet;

use super::{Parsed, SyntaxError, ast::HereBody};
use crate::{Limit, Limits, Span};

/// A here-document whose body starts after the next newline.
pub(super) struct Pending {
    pub(super) delimiter: String,
    pub(super) quoted: bool,
    pub(super) strip_tabs: bool,
    pub(super) body: HereBody,
}

pub(super) struct Parser<'a> {
    pub(super) src: &'a str,
    /// Next byte to read.
    pub(super) pos: usize,
    /// One past the last byte that was consumed: where a span ends, line continuations after it left out.
    pub(super) last: usize,
    /// End of the text, or of the part of it that is being read.
    pub(super) end: usize,
    pub(super) limits: &'a Limits,
    pub(super) depth: usize,
    /// INVARIANT: while this is set, `end <= pos`, so nothing more is read.
    pub(super) error: Option<SyntaxError>,
    pub(super) reached: Vec<Limit>,
    pub(super) work: usize,
    pub(super) pending: Vec<Pending>,
    /// Here-documents seen so far.
    pub(super) here_docs: usize,
    /// Inside `$(…)` or `<(…)`, where a `)` may end a here-document's last line.
    pub(super) in_paren_sub: bool,
    /// Text that was unescaped before parsing has the span of the word it came from.
    pub(super) fixed: Option<Span>,
    /// Places of `((` that turned out to be nested subshells. Without this memory nested ones would be tried 2^depth times.
    pub(super) subshells: BTreeSet<usize>,
    #[cfg(test)]
    pub(super) steps: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn new(src: &'a str, limits: &'a Limits, depth: usize) -> Self {
        Self {
            src,
            pos: 0,
            last: 0,
            end: src.len(),
            limits,
            depth,
            error: None,
            reached: Vec::new(),
            work: 0,
            pending: Vec::new(),
            here_docs: 0,
            in_paren_sub: false,
            fixed: None,
            subshells: BTreeSet::new(),
            #[cfg(test)]
            steps: 0,
        }
    }

    /// Parses the whole text as a script.
    pub(super) fn script(mut self) -> Parsed {
        let list = self.whole();
        Parsed {
            list,
            error: self.error,
            limits: self.reached,
            work: self.work,
            #[cfg(test)]
            steps: self.steps,
        }
    }

    /// A list that must reach the end of the text.
    pub(super) fn whole(&mut self) -> super::ast::List {
        let nul = self.src.bytes().position(|byte| byte == 0);
        if let Some(at) = nul {
            self.end = at;
        }
        let list = self.list();
        self.end_of_text_here_docs();
        if nul.is_some() {
            self.fail("NUL byte");
        } else if self.pos < self.end {
            self.fail("unexpected token");
        }
        list
    }

    /// Parses text that is not a slice of the source, such as an unescaped backquoted command. All its spans are `span`.
    pub(super) fn sub<T>(&mut self, text: &str, span: Span, run: impl FnOnce(&mut Parser<'_>) -> T) -> T {
        let mut child = Parser::new(text, self.limits, self.depth);
        child.fixed = Some(self.fixed.unwrap_or(span));
        child.work = self.work;
        let result = run(&mut child);
        self.work = child.work;
        #[cfg(test)]
        self.step(child.steps);
        self.reached.append(&mut child.reached);
        if let Some(error) = child.error {
            self.fail(&error.message);
        }
        result
    }

    /// Records the first error and ends the text here.
    pub(super) fn fail(&mut self, message: &str) {
        self.end = self.pos.min(self.end);
        self.pos = self.end;
        if self.error.is_none() {
            let span = self.fixed.unwrap_or(Span::new(self.pos, self.pos));
            self.error = Some(SyntaxError { message: message.to_owned(), span });
        }
    }

    fn fail_limit(&mut self, limit: Limit, message: &str) {
        if self.error.is_none() && !self.reached.contains(&limit) {
            self.reached.push(limit);
        }
        self.fail(message);
    }

    /// One level deeper; `false` (and an error) at the cap. Each `true` needs one [`Parser::leave`].
    pub(super) fn enter(&mut self) -> bool {
        if self.depth >= self.limits.max_depth {
            self.fail_limit(Limit::Depth, "nested too deep");
            return false;
        }
        self.depth = self.depth.saturating_add(1);
        true
    }

    pub(super) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Counts one command or word.
    pub(super) fn count(&mut self) {
        self.work = self.work.saturating_add(1);
        if self.work > self.limits.max_work {
            self.fail_limit(Limit::Work, "too many commands and words");
        }
    }

    /// Reads only up to `end` while `run` runs.
    pub(super) fn within<T>(&mut self, end: usize, run: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.end;
        self.end = end.min(outer);
        let result = run(self);
        if self.error.is_none() {
            self.end = outer;
        }
        result
    }

    #[cfg(test)]
    pub(super) fn step(&mut self, count: usize) {
        self.steps = self.steps.saturating_add(count);
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        if at < self.end { self.src.as_bytes().get(at).copied() } else { None }
    }

    /// The next byte, line continuations left out.
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            #[cfg(test)]
            self.step(1);
            let byte = self.byte(self.pos)?;
            if byte == b'\\' && self.byte(self.pos.saturating_add(1)) == Some(b'\n') {
                self.pos = self.pos.saturating_add(2);
            } else {
                return Some(byte);
            }
        }
    }

    /// The byte after the next one, line continuations left out.
    pub(super) fn second(&mut self) -> Option<u8> {
        let mark = self.mark();
        self.peek()?;
        self.bump();
        let byte = self.peek();
        self.reset(mark);
        byte
    }

    pub(super) fn bump(&mut self) {
        self.pos = self.pos.saturating_add(1).min(self.end.max(self.pos));
        self.last = self.pos;
    }

    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn mark(&self) -> (usize, usize) {
        (self.pos, self.last)
    }

    pub(super) fn reset(&mut self, mark: (usize, usize)) {
        if self.error.is_none() {
            (self.pos, self.last) = mark;
        }
    }

    /// Moves to `pos`, everything before it consumed.
    pub(super) fn jump(&mut self, pos: usize) {
        #[cfg(test)]
        self.step(pos.saturating_sub(self.pos));
        self.pos = pos.min(self.end);
        self.last = self.pos;
    }

    pub(super) fn text(&self, start: usize, end: usize) -> &'a str {
        self.src.get(start..end.min(self.end)).unwrap_or_default()
    }

    /// First `byte` at or after the position, before the end.
    pub(super) fn find(&self, byte: u8) -> Option<usize> {
        let rest = self.src.as_bytes().get(self.pos..self.end)?;
        rest.iter().position(|&b| b == byte).map(|at| self.pos.saturating_add(at))
    }

    pub(super) fn span(&self, start: usize) -> Span {
        self.fixed.unwrap_or(Span::new(start, self.last))
    }

    /// Where the next token starts, blanks and a comment before it skipped. Does not cross a newline.
    pub(super) fn blank(&mut self) -> usize {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.bump(),
                Some(b'#') => {
                    let to = self.find(b'\n').unwrap_or(self.end);
                    self.jump(to);
                    break;
                }
                Some(_) | None => break,
            }
        }
        self.pos
    }

    /// Skips blanks, comments and newlines; reads the here-documents that a newline makes due.
    pub(super) fn newlines(&mut self) {
        self.blank();
        while self.newline() {
            self.blank();
        }
    }

    /// Consumes one newline token and the here-documents after it.
    pub(super) fn newline(&mut self) -> bool {
        let found = self.eat(b'\n');
        if found && !self.pending.is_empty() {
            self.here_doc_bodies();
        }
        found
    }

    /// A name of letters, digits and underscores, as long as it goes.
    pub(super) fn name(&mut self) -> String {
        let mut name = String::new();
        while let Some(byte) = self.peek() {
            if !is_name_byte(byte) || (name.is_empty() && byte.is_ascii_digit()) {
                break;
            }
            name.push(char::from(byte));
            self.bump();
        }
        name
    }
}

pub(super) const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Bytes that end an unquoted word (bash manual, "Definitions": metacharacter).
pub(super) const fn is_meta(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')
}
