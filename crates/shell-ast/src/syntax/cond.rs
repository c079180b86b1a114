//! `[[ … ]]` (bash manual, "Conditional Constructs"), read flat: no recursion, parentheses are counted.

use super::{
    ast::{CondItem, Word, WordPart},
    bare::Bare,
    cursor::Parser,
};

const UNARY: &[u8] = b"abcdefghknoprstuvwxzGLNORS";
const BINARY: [&str; 13] = ["=", "==", "!=", "-nt", "-ot", "-ef", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "=~"];

impl Parser<'_> {
    /// After `[[`.
    pub(super) fn cond(&mut self) -> Vec<CondItem> {
        let mut items = Vec::new();
        let mut open = 0usize;
        loop {
            self.term(&mut items, &mut open);
            if !self.connective(&mut items, &mut open) {
                break;
            }
        }
        for _ in 0..open {
            self.leave();
        }
        if open > 0 {
            self.fail("no closing ) in [[");
        }
        items
    }

    /// Opening parentheses, `!`, and one test.
    fn term(&mut self, items: &mut Vec<CondItem>, open: &mut usize) {
        loop {
            self.newlines();
            if self.peek() == Some(b'(') {
                if !self.enter() {
                    return;
                }
                *open = open.saturating_add(1);
                self.bump();
                items.push(op("("));
            } else if self.peek() == Some(b'!') && self.eat_plain(b"!") {
                items.push(op("!"));
            } else {
                break;
            }
        }
        let first = self.cond_operand(Bare::Word);
        if let Some(test) = unary(&first) {
            items.push(op(test));
            self.blank();
            let operand = self.cond_operand(Bare::Word);
            items.push(CondItem::Operand(operand));
            self.newlines();
            return;
        }
        items.push(CondItem::Operand(first));
        self.blank();
        let operator = self.binary();
        if let Some(operator) = operator {
            let mode = match operator.as_str() {
                "=~" => Bare::Regex,
                "=" | "==" | "!=" => Bare::Pattern,
                _ => Bare::Word,
            };
            items.push(CondItem::Op(operator));
            self.blank();
            let operand = self.cond_operand(mode);
            items.push(CondItem::Operand(operand));
            self.newlines();
        }
    }

    /// `&&`, `||` (then another term follows: `true`), closing parentheses, or `]]`.
    fn connective(&mut self, items: &mut Vec<CondItem>, open: &mut usize) -> bool {
        loop {
            self.blank();
            match self.peek() {
                Some(b')') if *open > 0 => {
                    self.bump();
                    self.leave();
                    *open = open.saturating_sub(1);
                    items.push(op(")"));
                    self.newlines();
                }
                Some(byte @ (b'&' | b'|')) if self.second() == Some(byte) => {
                    self.bump();
                    self.peek();
                    self.bump();
                    items.push(op(if byte == b'&' { "&&" } else { "||" }));
                    return true;
                }
                Some(b']') if *open == 0 && self.eat_plain(b"]]") => return false,
                Some(_) | None => {
                    self.fail("expected ]]");
                    return false;
                }
            }
        }
    }

    fn cond_operand(&mut self, mode: Bare) -> Word {
        self.refuse_descriptor();
        let word = self.word(mode);
        let closes = matches!(word.parts.as_slice(), [WordPart::Unquoted(text)] if text == "]]");
        if word.parts.is_empty() || closes {
            self.fail("expected an operand in [[");
        }
        word
    }

    /// A binary operator, consumed.
    fn binary(&mut self) -> Option<String> {
        if let Some(byte @ (b'<' | b'>')) = self.peek() {
            if self.second() == Some(b'(') {
                self.fail("a substitution where [[ needs an operator");
                return None;
            }
            self.bump();
            return Some(char::from(byte).to_string());
        }
        BINARY.iter().find(|text| self.eat_plain(text.as_bytes())).map(|&text| text.to_owned())
    }
}

fn op(text: &str) -> CondItem {
    CondItem::Op(text.to_owned())
}

/// `-f` and its like.
fn unary(word: &Word) -> Option<&str> {
    match word.parts.as_slice() {
        [WordPart::Unquoted(text)] => match text.as_bytes() {
            [b'-', letter] if UNARY.contains(letter) => Some(text),
            _ => None,
        },
        _ => None,
    }
}
