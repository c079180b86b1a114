//! Text that bash would evaluate although it looks like data: arithmetic, subscripts, names.

use super::Walker;
use super::arith::{always_integer, is_integer, names};
use super::facts::literal;
use super::known::Known;
use crate::Span;
use crate::analysis::{OpaqueKind, Part, Word};
use crate::syntax::ast::{self, Arith, ParamKind, WordPart};

impl Walker<'_> {
    /// An arithmetic expression: walks what it runs and marks what it may evaluate.
    pub(super) fn arithmetic(&mut self, expression: &Arith) {
        self.effects_of(&expression.word);
        if expression.word.parts.iter().any(|part| self.evaluates(part)) {
            self.arithmetic_opaque(expression.word.span);
            return;
        }
        let text = literal(&expression.word);
        let assigned: Vec<&str> = text.iter().flat_map(|text| super::arith::assigned_first(text)).collect();
        let unknown = expression.names.iter().any(|name| {
            !(self.is_integer_name(name) || assigned.contains(&name.as_str()) && self.facts.only_integers(name))
        });
        if unknown {
            self.arithmetic_opaque(expression.word.span);
        }
    }

    /// A word that bash evaluates as arithmetic (a side of `-eq`, an offset).
    pub(super) fn check_arithmetic_word(&mut self, word: &ast::Word) {
        let text_names = |part: &WordPart| match part {
            WordPart::Unquoted(text) | WordPart::Quoted(text) => names(text).map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        let evaluates = word
            .parts
            .iter()
            .any(|part| self.evaluates(part) || text_names(part).iter().any(|name| !self.is_integer_name(name)));
        if evaluates {
            self.arithmetic_opaque(word.span);
        }
    }

    /// A subscript in `${a[…]}`.
    pub(super) fn check_subscript(&mut self, subscript: &ast::Word) {
        match literal(subscript).as_deref() {
            Some("@" | "*") => {}
            Some(text) if is_integer(text) => {}
            Some(_) | None => self.check_arithmetic_word(subscript),
        }
    }

    /// A word that bash takes for a variable name, subscript included (`[[ -v name ]]`).
    pub(super) fn check_name_word(&mut self, word: &ast::Word) {
        let harmless = literal(word).is_some_and(|text| self.harmless_name(&text));
        if !harmless {
            self.arithmetic_opaque(word.span);
        }
    }

    /// The same for an operand of a builtin.
    pub(super) fn check_name_operand(&mut self, word: &Word) {
        let prefix = word.literal_prefix();
        let name = prefix.split_once('=').map(|(name, _)| name);
        let harmless = match (name, word.literal()) {
            (Some(name), _) => self.harmless_name(name),
            (None, Some(text)) => self.harmless_name(&text),
            (None, None) => false,
        };
        if !harmless {
            self.arithmetic_opaque_at(word.span);
        }
    }

    fn harmless_name(&self, text: &str) -> bool {
        match text.split_once('[') {
            None => true,
            Some((_, subscript)) => {
                !subscript.contains(['$', '`', '(']) && names(subscript).all(|name| self.is_integer_name(name))
            }
        }
    }

    /// A word of `let`, `declare -i` …
    pub(super) fn check_arithmetic_operand(&mut self, word: &Word) {
        let harmless = word.parts.iter().all(|part| match part {
            Part::Text(text) => {
                !text.contains(['$', '`']) && {
                    let assigned: Vec<&str> = super::arith::assigned_first(text).collect();
                    names(text).all(|name| {
                        self.is_integer_name(name) || (assigned.contains(&name) && self.facts.only_integers(name))
                    })
                }
            }
            Part::Var { name, .. } => self.is_integer_name(name),
            Part::Glob(_) => true,
            Part::Tilde(_) | Part::Choice(_) | Part::Dynamic { .. } => false,
        });
        if !harmless {
            self.arithmetic_opaque_at(word.span);
        }
    }

    /// The name holds an integer whatever the environment says.
    pub(super) fn is_integer_name(&self, name: &str) -> bool {
        if always_integer(name) {
            return !self.facts.touched(name) || self.facts.only_integers(name);
        }
        match self.values.get(name) {
            Some(Known::Integer) => true,
            Some(Known::Value(parts)) => {
                matches!(parts.as_slice(), [Part::Text(text)] if is_integer(text))
            }
            Some(Known::Choice(values)) => {
                values.iter().all(|value| matches!(value.as_slice(), [Part::Text(text)] if is_integer(text)))
            }
            None => false,
        }
    }

    /// Whether a part of arithmetic text could put code into it.
    fn evaluates(&self, part: &WordPart) -> bool {
        match part {
            WordPart::Unquoted(_) | WordPart::Quoted(_) | WordPart::Arith(_) => false,
            WordPart::DoubleQuoted(inner) => inner.iter().any(|part| self.evaluates(part)),
            WordPart::Param(param) => match param.kind {
                ParamKind::Length => false,
                ParamKind::Plain if param.subscript.is_none() => !self.is_integer_name(&param.name),
                _ => true,
            },
            WordPart::CommandSub(_) | WordPart::ProcessSub { .. } | WordPart::ArrayLiteral(_) => true,
        }
    }

    fn arithmetic_opaque(&mut self, span: Span) {
        self.opaque(span, OpaqueKind::Arithmetic, "bash evaluates this value as arithmetic, subscripts included");
    }

    /// For a word whose span is already that of the outermost source.
    fn arithmetic_opaque_at(&mut self, span: Span) {
        self.opaque_at(
            span,
            OpaqueKind::Arithmetic,
            "bash takes this for a variable name or arithmetic, subscripts included",
        );
    }
}
