//! Text in which quotes are (mostly) plain but expansions are live: `"…"`, here-document bodies, arithmetic, subscripts,
//! and operands of `"${…}"`.

use super::{
    cursor::Parser,
    quote::{Backquote, Parts},
};

/// What kind of live text, which decides where it ends and what a quote means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Live {
    /// Inside `"…"`.
    Double,
    /// A here-document body with unquoted delimiter.
    HereDoc,
    /// Inside `'…'` in one of the modes below: bash pairs the quotes but still expands between them.
    Region,
    /// Operand of `"${x:-…}"`.
    Operand,
    /// Pattern operand of `"${x#…}"`: here `'…'` does quote.
    PatternOperand,
    /// First part of `"${x/…/…}"`.
    ReplacePattern,
    /// `((…))`: up to the `)` that was not opened inside.
    Arith,
    /// `for ((…;`: up to `;` or that `)`.
    ArithFor,
    /// `$[…]` and `a[…]`: up to the `]` that was not opened inside.
    Bracket,
    /// `${a[…]}`, which a `}` would end first.
    BraceBracket,
}

impl Live {
    pub(super) const fn pairs_quotes(self) -> bool {
        match self {
            Self::Double | Self::HereDoc | Self::Region => false,
            Self::Operand
            | Self::PatternOperand
            | Self::ReplacePattern
            | Self::Arith
            | Self::ArithFor
            | Self::Bracket
            | Self::BraceBracket => true,
        }
    }
}

impl Parser<'_> {
    pub(super) fn live(&mut self, mode: Live, parts: &mut Parts) {
        let mut open = 0usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'\\' => self.live_escape(mode, parts),
                b'`' => {
                    let context = if mode == Live::Double { Backquote::Double } else { Backquote::Unsure };
                    self.backquoted(parts, context);
                }
                b'$' => self.dollar(parts, Some(mode)),
                b'"' if mode == Live::Double => return,
                b'"' if mode.pairs_quotes() => self.double_quoted(parts),
                b'\'' if matches!(mode, Live::PatternOperand | Live::ReplacePattern) => self.single_quoted(parts),
                b'\'' if mode.pairs_quotes() => self.quote_region(parts),
                b'<' | b'>' if self.unsure_process_sub(mode) => self.fail("<( or >( in this place"),
                _ => match step(mode, byte, open) {
                    Step::End => return,
                    Step::Refuse => self.fail("a character that bash reads otherwise in this place"),
                    Step::Open => {
                        open = open.saturating_add(1);
                        self.live_run(parts);
                    }
                    Step::Close => {
                        open = open.saturating_sub(1);
                        self.live_run(parts);
                    }
                    Step::Text => self.live_run(parts),
                },
            }
        }
    }

    fn unsure_process_sub(&mut self, mode: Live) -> bool {
        let reads = match mode {
            Live::Operand | Live::PatternOperand | Live::ReplacePattern | Live::Bracket | Live::BraceBracket => true,
            Live::Double | Live::HereDoc | Live::Region | Live::Arith | Live::ArithFor => false,
        };
        reads && self.second() == Some(b'(')
    }

    /// One byte that may be special, and the plain text after it.
    fn live_run(&mut self, parts: &mut Parts) {
        let start = self.pos;
        let mut at = start;
        loop {
            at = at.saturating_add(1);
            match self.byte(at) {
                Some(byte) if !is_special(byte) => {}
                Some(_) | None => break,
            }
        }
        parts.quoted(self.text(start, at));
        self.jump(at);
    }

    fn live_escape(&mut self, mode: Live, parts: &mut Parts) {
        let next = self.byte(self.pos.saturating_add(1));
        let escapes = match next {
            Some(b'$' | b'`' | b'\\') => true,
            Some(b'"') => mode != Live::HereDoc,
            Some(b'}') => matches!(mode, Live::Operand | Live::PatternOperand | Live::ReplacePattern),
            Some(_) | None => false,
        };
        // The character after a backslash never opens or closes anything, also where the backslash stays.
        let text = self.escaped_char().unwrap_or_default();
        if !escapes {
            parts.quoted("\\");
        }
        parts.quoted(text);
    }

    /// `'…'` where bash pairs the quotes but expands between them.
    fn quote_region(&mut self, parts: &mut Parts) {
        self.bump();
        let Some(close) = self.find(b'\'') else {
            self.fail("no closing '");
            return;
        };
        parts.quoted("'");
        self.within(close, |parser| parser.live(Live::Region, parts));
        self.bump();
        parts.quoted("'");
    }
}

enum Step {
    Text,
    Open,
    Close,
    End,
    /// Bash and we might read it differently.
    Refuse,
}

const fn step(mode: Live, byte: u8, open: usize) -> Step {
    match (mode, byte) {
        (Live::Operand | Live::PatternOperand | Live::ReplacePattern, b'}') | (Live::ReplacePattern, b'/') => Step::End,
        (Live::Arith | Live::ArithFor, b'(') | (Live::Bracket | Live::BraceBracket, b'[') => Step::Open,
        (Live::Arith | Live::ArithFor, b')') | (Live::Bracket | Live::BraceBracket, b']') => {
            if open == 0 {
                Step::End
            } else {
                Step::Close
            }
        }
        (Live::ArithFor, b';') => {
            if open == 0 {
                Step::End
            } else {
                Step::Refuse
            }
        }
        (Live::BraceBracket, b'}') | (Live::Bracket | Live::BraceBracket, b'\n') => Step::Refuse,
        _ => Step::Text,
    }
}

const fn is_special(byte: u8) -> bool {
    matches!(
        byte,
        b'\\' | b'`' | b'$' | b'"' | b'\'' | b'<' | b'>' | b'}' | b'/' | b'(' | b')' | b'[' | b']' | b';' | b'\n'
    )
}
