//! `${…}` (bash manual, "Shell Parameter Expansion").

use super::{
    ast::{ParamExpansion, ParamKind, Word, WordPart},
    bare::Bare,
    cursor::{Parser, is_name_byte},
    live::Live,
    quote::Parts,
};

impl Parser<'_> {
    /// At the brace.
    pub(super) fn braced(&mut self, parts: &mut Parts, live: Option<Live>) {
        let open = self.pos;
        self.bump();
        if !self.enter() {
            return;
        }
        let quoted = live.is_some();
        let expansion = match self.peek() {
            Some(b' ' | b'\t' | b'\n' | b'|') => self.command_braces(open),
            Some(_) | None => self.parameter(quoted),
        };
        if !self.eat(b'}') {
            self.fail("no closing }");
        }
        self.leave();
        parts.add(WordPart::Param(Box::new(expansion)));
    }

    /// `${ list; }` and `${| list; }`: commands in bash 5.3, a bad substitution at run time before. We find the commands
    /// and call the expansion unknown; where the two versions would not end it at the same place, it is an error.
    fn command_braces(&mut self, open: usize) -> ParamExpansion {
        let Some(close) = self.plain_pair(open, b'{', b'}') else {
            self.fail("no closing }");
            return ParamExpansion::unknown();
        };
        self.eat(b'|');
        let start = self.pos;
        let pending = std::mem::take(&mut self.pending);
        let list = self.within(close, Self::list);
        if !self.pending.is_empty() {
            self.fail("a here-document that its substitution ends before");
        }
        self.pending = pending;
        let text = self.text(start, self.pos).trim_end_matches([' ', '\t']);
        if self.pos != close || !(text.is_empty() || text.ends_with([';', '&', '\n'])) {
            self.fail("${ that can be read in two ways");
        }
        let word = Word { parts: vec![WordPart::CommandSub(list)], span: self.span(start) };
        ParamExpansion { operands: vec![word], ..ParamExpansion::unknown() }
    }

    fn parameter(&mut self, quoted: bool) -> ParamExpansion {
        let prefix = self.prefix();
        let name = self.parameter_name();
        let mut expansion = ParamExpansion { name, ..ParamExpansion::unknown() };
        if expansion.name.is_empty() {
            // Not understood, but what stands inside is still read.
            expansion.operands.push(self.operand(quoted, Live::Operand));
            return expansion;
        }
        if self.peek() == Some(b'[') {
            expansion.subscript = Some(self.subscript(Live::BraceBracket));
        }
        let kind = self.operator(&mut expansion, quoted);
        expansion.kind = match (prefix, kind) {
            (Prefix::Length, ParamKind::Plain) => ParamKind::Length,
            (Prefix::Length, _) => ParamKind::Unknown,
            (Prefix::None, kind) | (Prefix::Indirect, kind @ (ParamKind::TransformPrompt | ParamKind::Unknown)) => kind,
            (Prefix::Indirect, _) => ParamKind::Indirect,
        };
        expansion
    }

    /// A leading `#` or `!` that is an operator and not the parameter of that name.
    fn prefix(&mut self) -> Prefix {
        let Some(byte @ (b'#' | b'!')) = self.peek() else { return Prefix::None };
        let mark = self.mark();
        self.bump();
        let prefix = if byte == b'#' { Prefix::Length } else { Prefix::Indirect };
        match self.peek() {
            Some(next) if is_name_byte(next) => return prefix,
            // `${#@}`, `${!#}`: an operator only if nothing follows; `${#-x}` is `$#` with a default.
            Some(b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') if self.second() == Some(b'}') => return prefix,
            Some(_) | None => {}
        }
        self.reset(mark);
        Prefix::None
    }

    fn parameter_name(&mut self) -> String {
        match self.peek() {
            Some(b'0'..=b'9') => {
                let mut digits = String::new();
                while let Some(byte @ b'0'..=b'9') = self.peek() {
                    digits.push(char::from(byte));
                    self.bump();
                }
                digits
            }
            Some(byte @ (b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')) => {
                self.bump();
                char::from(byte).to_string()
            }
            Some(_) | None => self.name(),
        }
    }

    /// What follows the parameter, up to the closing brace.
    fn operator(&mut self, expansion: &mut ParamExpansion, quoted: bool) -> ParamKind {
        let Some(byte) = self.peek() else { return ParamKind::Unknown };
        if byte == b'}' {
            return ParamKind::Plain;
        }
        if !matches!(byte, b':' | b'-' | b'=' | b'?' | b'+' | b'#' | b'%' | b'^' | b',' | b'~' | b'/' | b'@' | b'*') {
            // Not an operator, maybe a quote that pairs: part of what is not understood.
            expansion.operands.push(self.operand(quoted, Live::Operand));
            return ParamKind::Unknown;
        }
        self.bump();
        let (kind, mode) = match byte {
            b':' => {
                let Some(next @ (b'-' | b'=' | b'?' | b'+')) = self.peek() else {
                    // Arithmetic in every context: quotes are paired but expanded.
                    expansion.operands.push(self.operand(true, Live::Operand));
                    return ParamKind::Slice;
                };
                self.bump();
                (default_kind(next), Live::Operand)
            }
            b'-' | b'=' | b'?' | b'+' => (default_kind(byte), Live::Operand),
            b'#' | b'%' => {
                self.eat(byte);
                (ParamKind::Trim, Live::PatternOperand)
            }
            b'^' | b',' | b'~' => {
                self.eat(byte);
                (ParamKind::Case, Live::PatternOperand)
            }
            b'/' => {
                self.replacement(expansion, quoted);
                return ParamKind::Replace;
            }
            b'@' => return self.transformation(expansion, quoted),
            // `${!prefix*}`
            b'*' if self.peek() == Some(b'}') => return ParamKind::Indirect,
            _ => (ParamKind::Unknown, Live::Operand),
        };
        expansion.operands.push(self.operand(quoted, mode));
        kind
    }

    fn replacement(&mut self, expansion: &mut ParamExpansion, quoted: bool) {
        if let Some(b'/' | b'#' | b'%') = self.peek() {
            self.bump();
        }
        let pattern = if quoted { self.live_word(Live::ReplacePattern) } else { self.word(Bare::ReplacePattern) };
        expansion.operands.push(pattern);
        if self.eat(b'/') {
            // Single quotes quote here too (tested with 5.2: `"${x/a/'$(cmd)'}"` runs nothing).
            expansion.operands.push(self.operand(quoted, Live::PatternOperand));
        }
    }

    /// After `@`.
    fn transformation(&mut self, expansion: &mut ParamExpansion, quoted: bool) -> ParamKind {
        match self.peek() {
            // `${!prefix@}`
            Some(b'}') => return ParamKind::Indirect,
            Some(letter) if self.second() == Some(b'}') => {
                let kind = match letter {
                    b'P' => Some(ParamKind::TransformPrompt),
                    b'Q' | b'E' | b'A' | b'a' | b'K' | b'k' | b'U' | b'u' | b'L' => Some(ParamKind::Transform),
                    _ => None,
                };
                if let Some(kind) = kind {
                    self.bump();
                    return kind;
                }
            }
            Some(_) | None => {}
        }
        expansion.operands.push(self.operand(quoted, Live::Operand));
        ParamKind::Unknown
    }

    fn operand(&mut self, quoted: bool, mode: Live) -> Word {
        if quoted { self.live_word(mode) } else { self.word(Bare::Operand) }
    }

    /// `[…]`, at the bracket.
    pub(super) fn subscript(&mut self, mode: Live) -> Word {
        self.bump();
        if !self.enter() {
            return Word::default();
        }
        let word = self.live_word(mode);
        self.leave();
        if !self.eat(b']') {
            self.fail("no closing ]");
        }
        word
    }
}

impl ParamExpansion {
    const fn unknown() -> Self {
        Self { name: String::new(), subscript: None, kind: ParamKind::Unknown, operands: Vec::new() }
    }
}

#[derive(Clone, Copy)]
enum Prefix {
    None,
    Length,
    Indirect,
}

const fn default_kind(operator: u8) -> ParamKind {
    match operator {
        b'-' => ParamKind::Default,
        b'=' => ParamKind::Assign,
        b'?' => ParamKind::Error,
        _ => ParamKind::Alternate,
    }
}
