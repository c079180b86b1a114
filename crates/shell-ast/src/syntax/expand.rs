//! Expansions that start with `$`, `<(` and `>(`: what follows decides which one it is.

use super::{
    ast::{List, ParamExpansion, ParamKind, WordPart},
    cursor::{Parser, is_name_byte},
    live::Live,
    quote::Parts,
};

impl Parser<'_> {
    /// At a `$`. `live` is the mode of the text around it, `None` in unquoted text.
    pub(super) fn dollar(&mut self, parts: &mut Parts, live: Option<Live>) {
        let start = self.pos;
        self.bump();
        match self.peek() {
            Some(b'(') => self.dollar_paren(parts, start),
            Some(b'{') => self.braced(parts, live),
            Some(b'[') => self.dollar_bracket(parts),
            Some(b'\'') if live.is_none() => self.ansi_c(parts),
            Some(b'"') if live.is_none() => self.double_quoted(parts),
            Some(b'\'' | b'"') if live.is_some_and(Live::pairs_quotes) => {
                self.fail("$' or $\" where bash versions differ");
            }
            Some(b'$') => {
                self.bump();
                // Bash's lexer and its expansion disagree about `$$(`: one pairs the parenthesis, the other does not.
                if self.peek().is_some_and(|next| {
                    matches!(next, b'(' | b'{' | b'[') && live.is_some()
                        || matches!(next, b'\'' | b'"') && live.is_some_and(Live::pairs_quotes)
                }) {
                    self.fail("$$ before a bracket or quote");
                }
                parts.add(plain("$".to_owned()));
            }
            Some(byte @ (b'@' | b'*' | b'#' | b'?' | b'-' | b'!' | b'0'..=b'9')) => {
                self.bump();
                parts.add(plain(char::from(byte).to_string()));
            }
            Some(byte) if is_name_byte(byte) => {
                let name = self.name();
                parts.add(plain(name));
            }
            Some(_) | None => {
                if live.is_some() {
                    parts.quoted("$");
                } else {
                    parts.bare("$");
                }
            }
        }
    }

    /// `$(…)` or `$((…))`, at the parenthesis. Bash takes it for arithmetic if the text between the outer parentheses is
    /// itself one balanced pair of parentheses.
    fn dollar_paren(&mut self, parts: &mut Parts, start: usize) {
        let open = self.pos;
        let doubled = self.second() == Some(b'(');
        if doubled && let Some(arith) = self.arithmetic(open, Live::Arith) {
            parts.add(WordPart::Arith(arith));
            return;
        }
        let before = self.here_docs;
        let list = self.paren_list();
        if doubled {
            self.check_rewound(open, before);
            if self.error.is_none() && self.plain_pair(open, b'(', b')') != Some(self.last.saturating_sub(1)) {
                self.pos = start;
                self.fail("$(( that can be read in two ways");
            }
        }
        parts.add(WordPart::CommandSub(list));
    }

    /// `<(…)` or `>(…)`, at the angle.
    pub(super) fn process_sub(&mut self, parts: &mut Parts, output: bool) {
        self.bump();
        self.peek();
        let list = self.paren_list();
        parts.add(WordPart::ProcessSub { output, list });
    }

    /// A list in parentheses of a substitution, at the opening one. Here-documents outside wait until it is over.
    fn paren_list(&mut self) -> List {
        self.bump();
        if !self.enter() {
            return List::default();
        }
        let pending = std::mem::take(&mut self.pending);
        let inside = std::mem::replace(&mut self.in_paren_sub, true);
        let list = self.list();
        if !self.eat(b')') {
            self.fail("no closing )");
        }
        if !self.pending.is_empty() {
            self.fail("a here-document that its substitution ends before");
        }
        self.pending = pending;
        self.in_paren_sub = inside;
        self.leave();
        list
    }
}

pub(super) fn plain(name: String) -> WordPart {
    WordPart::Param(Box::new(ParamExpansion { name, subscript: None, kind: ParamKind::Plain, operands: Vec::new() }))
}
