//! Arithmetic: `$((…))`, `$[…]`, `((…))` and subscripts. Not evaluated; only what it can run is kept.

use super::{
    ast::{Arith, Word, WordPart},
    cursor::{Parser, is_name_byte},
    live::Live,
    quote::Parts,
};

impl Parser<'_> {
    /// At the first parenthesis of `((`. `None` if the parentheses do not close as `))`: then the position is back at
    /// `open`, the place is remembered, and the text is nested subshells.
    pub(super) fn arithmetic(&mut self, open: usize, mode: Live) -> Option<Arith> {
        if self.subshells.contains(&open) {
            return None;
        }
        let mark = self.mark();
        self.bump();
        self.peek();
        self.bump();
        let arith = self.arith_text(mode);
        let close = self.pos;
        if !self.eat(b')') {
            self.fail("no closing ))");
            return Some(arith);
        }
        if self.eat(b')') {
            self.check_pair(&arith.word, open, close);
            return Some(arith);
        }
        match self.peek() {
            None => {
                self.fail("no closing )");
                return Some(arith);
            }
            // Bash 5.2 refuses `((a)<newline>)`, as a command.
            Some(b'\n') => {
                self.fail("a newline after the ) of ((");
                return Some(arith);
            }
            Some(_) => {}
        }
        self.reset(mark);
        self.subshells.insert(open);
        None
    }

    /// If expansions or quotes stand inside, bash's own search for the end, which counts brackets without understanding
    /// them, must come to the same place as ours.
    fn check_pair(&mut self, word: &Word, open: usize, close: usize) {
        let plain =
            word.parts.iter().all(|part| matches!(part, WordPart::Quoted(text) if !text.contains(['\'', '\\'])));
        let inner = open.saturating_add(1);
        if !plain && self.error.is_none() && self.plain_pair_from_next(inner, b'(', b')') != Some(close) {
            self.fail("(( that can be read in two ways");
        }
    }

    /// A `((` that was read a second time as subshells: bash works on text here that its first reading changed.
    pub(super) fn check_rewound(&mut self, open: usize, here_docs_before: usize) {
        let text = self.text(open, self.pos);
        if self.here_docs != here_docs_before || text.contains("\\\n") || text.contains("$'") {
            self.fail("(( that is nested subshells with text that bash changes");
        }
    }

    /// Arithmetic text up to what ends `mode`.
    pub(super) fn arith_text(&mut self, mode: Live) -> Arith {
        let word = if self.enter() {
            let word = self.live_word(mode);
            self.leave();
            word
        } else {
            Word::default()
        };
        let mut names = Vec::new();
        read_names(&word.parts, &mut names);
        names.sort_unstable();
        names.dedup();
        Arith { word, names }
    }

    /// A word of live text. The caller has counted its level.
    pub(super) fn live_word(&mut self, mode: Live) -> Word {
        let start = self.pos;
        let mut parts = Parts::default();
        self.count();
        self.live(mode, &mut parts);
        Word { parts: parts.finish(), span: self.fixed.unwrap_or_else(|| crate::Span::new(start, self.pos)) }
    }

    /// `$[…]`, at the bracket: the old form of `$((…))`.
    pub(super) fn dollar_bracket(&mut self, parts: &mut Parts) {
        let open = self.pos;
        self.bump();
        let arith = self.arith_text(Live::Bracket);
        let close = self.pos;
        if !self.eat(b']') {
            self.fail("no closing ]");
        } else if self.plain_pair(open, b'[', b']') != Some(close) {
            self.fail("$[ that can be read in two ways");
        }
        parts.add(WordPart::Arith(arith));
    }

    /// The place of the bracket that closes the one at `from`, found by counting: quotes are skipped, nothing else is
    /// understood.
    pub(super) fn plain_pair(&mut self, from: usize, open: u8, close: u8) -> Option<usize> {
        let mut depth = 0usize;
        let mut quote = None;
        let mut at = from;
        let found = loop {
            let byte = self.byte(at)?;
            match (byte, quote) {
                (b'\\', quote) if quote != Some(b'\'') => at = at.saturating_add(1),
                (byte, Some(quoting)) if byte == quoting => quote = None,
                (b'\'' | b'"' | b'`', None) => quote = Some(byte),
                (byte, None) if byte == open => depth = depth.saturating_add(1),
                (byte, None) if byte == close => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        break at;
                    }
                }
                _ => {}
            }
            at = at.saturating_add(1);
        };
        #[cfg(test)]
        self.step(found.saturating_sub(from));
        Some(found)
    }

    /// [`Parser::plain_pair`] from the first `open` at or after `from` (line continuations may stand before it).
    fn plain_pair_from_next(&mut self, from: usize, open: u8, close: u8) -> Option<usize> {
        let mut at = from;
        while self.byte(at)? != open {
            at = at.saturating_add(1);
        }
        self.plain_pair(at, open, close)
    }
}

/// Identifiers in the text that `$` does not precede: arithmetic evaluates their values as expressions again.
fn read_names(parts: &[WordPart], names: &mut Vec<String>) {
    for part in parts {
        match part {
            WordPart::Unquoted(text) | WordPart::Quoted(text) => {
                // Digits lead numbers such as `0x1f` and `16#ff`, whose letters are no names.
                for token in text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '#' | '@'))) {
                    let name: String = token.bytes().take_while(|&byte| is_name_byte(byte)).map(char::from).collect();
                    if name.bytes().next().is_some_and(|byte| !byte.is_ascii_digit()) {
                        names.push(name);
                    }
                }
            }
            WordPart::DoubleQuoted(inner) => read_names(inner, names),
            WordPart::Param(_)
            | WordPart::CommandSub(_)
            | WordPart::Arith(_)
            | WordPart::ProcessSub { .. }
            | WordPart::ArrayLiteral(_) => {}
        }
    }
}
