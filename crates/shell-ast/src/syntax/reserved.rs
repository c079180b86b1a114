//! Reserved words, recognised unquoted where a command may start.

use super::cursor::{Parser, is_meta};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reserved {
    Bang,
    BraceClose,
    BraceOpen,
    Case,
    Cond,
    CondClose,
    Coproc,
    Do,
    Done,
    Elif,
    Else,
    Esac,
    Fi,
    For,
    Function,
    If,
    In,
    Select,
    Then,
    Time,
    Until,
    While,
}

impl Reserved {
    /// Ends a list instead of starting a command.
    pub(super) const fn closes(self) -> bool {
        match self {
            Self::BraceClose | Self::Do | Self::Done | Self::Elif | Self::Else | Self::Esac | Self::Fi | Self::Then => {
                true
            }
            Self::Bang
            | Self::BraceOpen
            | Self::Case
            | Self::Cond
            | Self::CondClose
            | Self::Coproc
            | Self::For
            | Self::Function
            | Self::If
            | Self::In
            | Self::Select
            | Self::Time
            | Self::Until
            | Self::While => false,
        }
    }

    /// Starts a compound command.
    pub(super) const fn opens(self) -> bool {
        match self {
            Self::BraceOpen
            | Self::Case
            | Self::Cond
            | Self::For
            | Self::If
            | Self::Select
            | Self::Until
            | Self::While => true,
            Self::Bang
            | Self::BraceClose
            | Self::CondClose
            | Self::Coproc
            | Self::Do
            | Self::Done
            | Self::Elif
            | Self::Else
            | Self::Esac
            | Self::Fi
            | Self::Function
            | Self::In
            | Self::Then
            | Self::Time => false,
        }
    }

    fn of(text: &[u8]) -> Option<Self> {
        Some(match text {
            b"!" => Self::Bang,
            b"}" => Self::BraceClose,
            b"{" => Self::BraceOpen,
            b"case" => Self::Case,
            b"[[" => Self::Cond,
            b"]]" => Self::CondClose,
            b"coproc" => Self::Coproc,
            b"do" => Self::Do,
            b"done" => Self::Done,
            b"elif" => Self::Elif,
            b"else" => Self::Else,
            b"esac" => Self::Esac,
            b"fi" => Self::Fi,
            b"for" => Self::For,
            b"function" => Self::Function,
            b"if" => Self::If,
            b"in" => Self::In,
            b"select" => Self::Select,
            b"then" => Self::Then,
            b"time" => Self::Time,
            b"until" => Self::Until,
            b"while" => Self::While,
            _ => return None,
        })
    }
}

impl Parser<'_> {
    /// The reserved word here, not consumed.
    pub(super) fn reserved(&mut self) -> Option<Reserved> {
        let mark = self.mark();
        let found = self.take_reserved();
        self.reset(mark);
        found
    }

    /// Consumes `word` if it stands here.
    pub(super) fn eat_reserved(&mut self, word: Reserved) -> bool {
        let mark = self.mark();
        let found = self.take_reserved() == Some(word);
        if !found {
            self.reset(mark);
        }
        found
    }

    /// Consumes `in` if it stands here.
    pub(super) fn eat_in(&mut self) -> bool {
        self.eat_plain(b"in")
    }

    /// Consumes the unquoted word `text` if it stands here, whole.
    pub(super) fn eat_plain(&mut self, text: &[u8]) -> bool {
        let mark = self.mark();
        let found = text.iter().all(|&byte| self.eat(byte)) && self.at_word_end();
        if !found {
            self.reset(mark);
        }
        found
    }

    /// An error unless `word` stands here.
    pub(super) fn expect_reserved(&mut self, word: Reserved) {
        if !self.eat_reserved(word) {
            self.fail(match word {
                Reserved::BraceClose => "expected }",
                Reserved::Do => "expected do",
                Reserved::Done => "expected done",
                Reserved::Esac => "expected esac",
                Reserved::Fi => "expected fi",
                Reserved::Then => "expected then",
                Reserved::Bang
                | Reserved::BraceOpen
                | Reserved::Case
                | Reserved::Cond
                | Reserved::CondClose
                | Reserved::Coproc
                | Reserved::Elif
                | Reserved::Else
                | Reserved::For
                | Reserved::Function
                | Reserved::If
                | Reserved::In
                | Reserved::Select
                | Reserved::Time
                | Reserved::Until
                | Reserved::While => "unexpected token",
            });
        }
    }

    fn take_reserved(&mut self) -> Option<Reserved> {
        let mut text = [0u8; 8];
        let mut length = 0usize;
        while let Some(byte @ (b'a'..=b'z' | b'!' | b'{' | b'}' | b'[' | b']')) = self.peek() {
            *text.get_mut(length)? = byte;
            length = length.saturating_add(1);
            self.bump();
        }
        let found = Reserved::of(text.get(..length)?)?;
        self.at_word_end().then_some(found)
    }

    pub(super) fn at_word_end(&mut self) -> bool {
        match self.peek() {
            None => true,
            Some(b'<' | b'>') => self.second() != Some(b'('),
            Some(byte) => is_meta(byte),
        }
    }
}
