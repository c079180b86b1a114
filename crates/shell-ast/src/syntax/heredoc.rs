//! Here-documents: the delimiter after `<<`, and the bodies after the next newline.

use super::{
    ast::{HereBody, RedirectTarget, Word, WordPart},
    cursor::{Parser, Pending, is_meta},
    live::Live,
    quote::Parts,
};
use crate::Span;

/// Bash 5.2 gives up (`HEREDOC_MAX`) when more wait for their bodies.
const MOST_PENDING: usize = 16;

impl<'a> Parser<'a> {
    /// After `<<` or `<<-`: reads the delimiter and queues the body.
    pub(super) fn here_doc(&mut self, strip_tabs: bool) -> RedirectTarget {
        self.here_docs = self.here_docs.saturating_add(1);
        if self.pending.len() >= MOST_PENDING {
            self.fail("too many here-documents on a line");
        }
        self.blank();
        self.refuse_descriptor();
        let (delimiter, quoted) = self.delimiter();
        let body = HereBody::default();
        self.pending.push(Pending { delimiter: delimiter.clone(), quoted, strip_tabs, body: body.clone() });
        RedirectTarget::HereDoc { delimiter, quoted, body }
    }

    /// The word after quote removal, which is all that bash does to it (bash manual, "Here Documents").
    fn delimiter(&mut self) -> (String, bool) {
        let start = self.pos;
        let mut out = String::new();
        let mut quoted = false;
        while let Some(byte) = self.peek() {
            let mut parts = Parts::default();
            match byte {
                b'\'' => self.single_quoted(&mut parts),
                b'"' => self.delimiter_quotes(&mut parts),
                b'\\' => parts.quoted(self.escaped_char().unwrap_or("\\")),
                b'$' => match self.second() {
                    Some(b'\'') => {
                        self.bump();
                        self.peek();
                        self.ansi_c(&mut parts);
                    }
                    Some(b'"') => {
                        self.bump();
                        self.peek();
                        self.delimiter_quotes(&mut parts);
                    }
                    Some(b'(' | b'{' | b'[') => self.fail("an expansion in a here-document delimiter"),
                    Some(b'$') => {
                        // `$$` is one token of bash's lexer, so that the quote in `$$'x'` is an ordinary one.
                        self.bump();
                        self.peek();
                        self.bump();
                        parts.bare("$$");
                    }
                    Some(_) | None => {
                        self.bump();
                        parts.bare("$");
                    }
                },
                b'`' => self.fail("an expansion in a here-document delimiter"),
                b'<' | b'>' if self.second() == Some(b'(') => self.fail("an expansion in a here-document delimiter"),
                _ if is_meta(byte) => break,
                _ => {
                    let from = self.pos;
                    let mut at = from;
                    while self.byte(at).is_some_and(|b| !is_meta(b) && !matches!(b, b'\'' | b'"' | b'\\' | b'$' | b'`'))
                    {
                        at = at.saturating_add(1);
                    }
                    parts.bare(self.text(from, at));
                    self.jump(at);
                }
            }
            for part in parts.finish() {
                match part {
                    WordPart::Unquoted(text) => out.push_str(&text),
                    WordPart::Quoted(text) => {
                        quoted = true;
                        out.push_str(&text);
                    }
                    WordPart::DoubleQuoted(_)
                    | WordPart::Param(_)
                    | WordPart::CommandSub(_)
                    | WordPart::Arith(_)
                    | WordPart::ProcessSub { .. }
                    | WordPart::ArrayLiteral(_) => self.fail("an expansion in a here-document delimiter"),
                }
            }
        }
        if self.pos == start {
            self.fail("a here-document without delimiter");
        }
        if out.chars().any(|c| c.is_control() && c != '\r') {
            self.fail("a control character in a here-document delimiter");
        }
        (out, quoted)
    }

    /// `"…"` in a delimiter: a backslash goes only before `$`, backquote, `"` and `\`.
    fn delimiter_quotes(&mut self, parts: &mut Parts) {
        self.bump();
        parts.quoted("");
        loop {
            match self.peek() {
                None => {
                    self.fail("no closing \"");
                    return;
                }
                Some(b'"') => {
                    self.bump();
                    return;
                }
                Some(b'`') => self.fail("an expansion in a here-document delimiter"),
                Some(b'$') if matches!(self.second(), Some(b'(' | b'{' | b'[')) => {
                    self.fail("an expansion in a here-document delimiter");
                }
                Some(b'\\') => {
                    let text = self.escaped_char().unwrap_or_default();
                    if !matches!(text, "$" | "`" | "\"" | "\\") {
                        parts.quoted("\\");
                    }
                    parts.quoted(text);
                }
                Some(_) => {
                    let width = self.text(self.pos, self.end).chars().next().map_or(1, char::len_utf8);
                    let from = self.pos;
                    self.jump(from.saturating_add(width));
                    parts.quoted(self.text(from, self.pos));
                }
            }
        }
    }

    /// Right after a newline: the bodies of all queued here-documents, in order.
    pub(super) fn here_doc_bodies(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            self.here_doc_body(&pending);
        }
    }

    /// At the end of the text, where bash gives the documents still queued an empty body, with a warning.
    pub(super) fn end_of_text_here_docs(&mut self) {
        if self.error.is_none() && self.pos >= self.end {
            self.here_doc_bodies();
        }
    }

    fn here_doc_body(&mut self, pending: &Pending) {
        let start = self.pos;
        let mut joined = false;
        let mut stripped = false;
        let mut lines = String::new();
        let (end, terminated) = loop {
            let line_start = self.pos;
            if line_start >= self.end {
                break (line_start, false);
            }
            let (line, next, had_newline, continued) = self.logical_line(pending.quoted);
            let mut text = line.as_ref();
            if pending.strip_tabs {
                text = text.trim_start_matches('\t');
                stripped |= text.len() != line.len();
            }
            if text == pending.delimiter {
                self.jump(next);
                break (line_start, true);
            }
            if let Some(rest) = text.strip_prefix(pending.delimiter.as_str())
                && self.in_paren_sub
                && rest.contains(')')
            {
                // Bash 5.2 ends the document there and goes on in the middle of the line.
                if continued {
                    self.fail("a continued line that ends a here-document in a substitution");
                }
                self.jump(next.saturating_sub(usize::from(had_newline)).saturating_sub(rest.len()));
                break (line_start, true);
            }
            joined |= continued;
            lines.push_str(text);
            if had_newline {
                lines.push('\n');
            }
            self.jump(next);
        };
        let after = self.mark();
        let span = self.fixed.unwrap_or(Span::new(start, end));
        let word = self.here_doc_word(pending, &lines, joined || stripped, span, (start, end));
        self.reset(after);
        pending.body.fill(word, terminated);
    }

    /// One line, continuation lines joined unless `literal`; where the next one starts; whether it ended in a newline;
    /// whether lines were joined.
    fn logical_line(&self, literal: bool) -> (std::borrow::Cow<'a, str>, usize, bool, bool) {
        let mut from = self.pos;
        let mut joined = String::new();
        let mut continued = false;
        let mut at = from;
        let (end, newline) = loop {
            match self.byte(at) {
                None => break (self.end, false),
                Some(b'\n') => break (at, true),
                Some(b'\\') if !literal => {
                    if self.byte(at.saturating_add(1)) == Some(b'\n') {
                        joined.push_str(self.text(from, at));
                        from = at.saturating_add(2);
                        continued = true;
                    }
                    at = at.saturating_add(2);
                }
                Some(_) => at = at.saturating_add(1),
            }
        };
        let next = end.saturating_add(usize::from(newline));
        if continued {
            joined.push_str(self.text(from, end));
            (joined.into(), next, newline, true)
        } else {
            (self.text(from, end).into(), next, newline, false)
        }
    }

    /// The body as a word. `changed`: its text is not a slice of the source.
    fn here_doc_word(
        &mut self,
        pending: &Pending,
        lines: &str,
        changed: bool,
        span: Span,
        (start, end): (usize, usize),
    ) -> Word {
        let mut parts = Parts::default();
        if pending.quoted || !lines.contains(['$', '`', '\\']) {
            parts.quoted(lines);
            return Word { parts: parts.finish(), span };
        }
        if !self.enter() {
            return Word { parts: parts.finish(), span };
        }
        self.count();
        let inside = std::mem::replace(&mut self.in_paren_sub, false);
        if changed {
            self.sub(lines, span, |child| child.live(Live::HereDoc, &mut parts));
        } else {
            self.within(end, |parser| {
                parser.jump(start);
                parser.live(Live::HereDoc, &mut parts);
            });
        }
        self.in_paren_sub = inside;
        self.leave();
        Word { parts: parts.finish(), span }
    }
}
