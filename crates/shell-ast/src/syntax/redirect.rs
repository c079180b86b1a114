//! Redirects (bash manual, "Redirections").

use super::{
    ast::{Redirect, RedirectTarget, Word, WordPart},
    bare::Bare,
    cursor::Parser,
};
use crate::RedirectOp;

impl Parser<'_> {
    /// All redirects here, as after a compound command.
    pub(super) fn redirects(&mut self) -> Vec<Redirect> {
        let mut redirects = Vec::new();
        loop {
            self.blank();
            match self.redirect() {
                Some(redirect) => redirects.push(redirect),
                None => return redirects,
            }
        }
    }

    /// A redirect, if one starts here; else nothing is consumed.
    pub(super) fn redirect(&mut self) -> Option<Redirect> {
        let mark = self.mark();
        let start = self.pos;
        let (fd, fd_var) = match self.peek()? {
            b'0'..=b'9' => (Some(self.descriptor()?), None),
            b'{' => (None, Some(self.descriptor_variable()?)),
            b'<' | b'>' | b'&' => (None, None),
            _ => return None,
        };
        let Some((op, strip_tabs)) = self.redirect_operator() else {
            self.reset(mark);
            return None;
        };
        let target = if op == RedirectOp::HereDoc {
            self.here_doc(strip_tabs)
        } else {
            self.blank();
            // In `>1>f` bash reads the `1` as the descriptor of the second redirect; not after `>&` and `<&`.
            let number =
                matches!(op, RedirectOp::DupInput | RedirectOp::DupOutput) && matches!(self.peek(), Some(b'0'..=b'9'));
            if !number {
                self.refuse_descriptor();
            }
            let word = self.word(Bare::Word);
            if word.parts.is_empty() {
                self.fail("a redirect without target");
            }
            RedirectTarget::Word(word)
        };
        let op = match &target {
            RedirectTarget::Word(word) if op == RedirectOp::DupOutput && !is_descriptor(word) => RedirectOp::WriteBoth,
            RedirectTarget::Word(_) | RedirectTarget::HereDoc { .. } => op,
        };
        Some(Redirect { fd, fd_var, op, target, span: self.span(start) })
    }

    /// An error if a descriptor (`1>`, `{x}>`) stands where a word must.
    pub(super) fn refuse_descriptor(&mut self) {
        let found = match self.peek() {
            Some(b'0'..=b'9') => self.descriptor().is_some(),
            Some(b'{') => self.descriptor_variable().is_some(),
            Some(_) | None => false,
        };
        if found {
            self.fail("a descriptor where a word must stand");
        }
    }

    /// Digits right before `<` or `>`. A number too large for an `int` is a word, as in bash.
    fn descriptor(&mut self) -> Option<u32> {
        let mark = self.mark();
        let mut value = Some(0i32);
        while let Some(byte @ b'0'..=b'9') = self.peek() {
            let digit = i32::from(byte.saturating_sub(b'0'));
            value = value.and_then(|value| value.checked_mul(10)?.checked_add(digit));
            self.bump();
        }
        let angle = matches!(self.peek(), Some(b'<' | b'>')) && self.second() != Some(b'(');
        let fd = value.and_then(|value| u32::try_from(value).ok()).filter(|_| angle);
        if fd.is_none() {
            self.reset(mark);
        }
        fd
    }

    /// `{name}` right before `<` or `>`.
    fn descriptor_variable(&mut self) -> Option<String> {
        let mark = self.mark();
        self.bump();
        let name = self.name();
        let subscript = !name.is_empty() && self.peek() == Some(b'[');
        if subscript {
            // `{a[1]}>f` is one too; a plain `{a[1]}` stays a word.
            while self.peek().is_some_and(|byte| !matches!(byte, b'}' | b'\n' | b' ')) {
                self.bump();
            }
        }
        let found = !name.is_empty()
            && self.eat(b'}')
            && matches!(self.peek(), Some(b'<' | b'>'))
            && self.second() != Some(b'(');
        if found && subscript {
            self.fail("a redirect to an array element");
        }
        if found {
            Some(name)
        } else {
            self.reset(mark);
            None
        }
    }

    fn redirect_operator(&mut self) -> Option<(RedirectOp, bool)> {
        match (self.peek()?, self.second()) {
            (b'<' | b'>', Some(b'(')) => None,
            (b'<', _) => {
                self.bump();
                Some(self.input_operator())
            }
            (b'>', _) => {
                self.bump();
                let op = match self.peek() {
                    Some(b'>') => RedirectOp::Append,
                    Some(b'|') => RedirectOp::Clobber,
                    Some(b'&') => RedirectOp::DupOutput,
                    Some(_) | None => return Some((RedirectOp::Write, false)),
                };
                self.bump();
                Some((op, false))
            }
            (b'&', Some(b'>')) => {
                self.bump();
                self.peek();
                self.bump();
                let op = if self.eat(b'>') { RedirectOp::AppendBoth } else { RedirectOp::WriteBoth };
                Some((op, false))
            }
            _ => None,
        }
    }

    /// After `<`.
    fn input_operator(&mut self) -> (RedirectOp, bool) {
        match self.peek() {
            Some(b'>') => {
                self.bump();
                (RedirectOp::ReadWrite, false)
            }
            Some(b'&') => {
                self.bump();
                (RedirectOp::DupInput, false)
            }
            Some(b'<') => {
                self.bump();
                if self.eat(b'<') { (RedirectOp::HereString, false) } else { (RedirectOp::HereDoc, self.eat(b'-')) }
            }
            Some(_) | None => (RedirectOp::Read, false),
        }
    }
}

/// `2`, `-` or `2-` after `>&`; anything else names a file.
fn is_descriptor(word: &Word) -> bool {
    match word.parts.as_slice() {
        [WordPart::Unquoted(text)] => {
            let digits = text.strip_suffix('-').unwrap_or(text);
            digits.bytes().all(|byte| byte.is_ascii_digit())
        }
        _ => false,
    }
}
