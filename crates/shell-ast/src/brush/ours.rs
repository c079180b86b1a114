//! The commands of our tree, flattened for the comparison, and what the envelope asks about.

use super::{Flat, Token};
use crate::RedirectOp;
use crate::syntax::ast::{List, Redirect, RedirectTarget, Simple, Word, WordPart};
use crate::walk::{Node, visit};

/// Our side of the comparison.
#[derive(Debug, Default)]
pub(super) struct Ours {
    pub(super) commands: Vec<Flat>,
    /// `((…))` and `$((…))`.
    pub(super) arithmetic: usize,
    pub(super) here_docs: Vec<HereDoc>,
    pub(super) here_strings: usize,
    pub(super) fd_variables: usize,
}

/// A here-document's place.
#[derive(Debug)]
pub(super) struct HereDoc {
    /// The redirect as written.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) terminated: bool,
}

pub(super) fn commands(source: &str, list: &List) -> Ours {
    let mut ours = Ours::default();
    visit::list(list, &mut |node| match node {
        Node::Simple(simple) => ours.commands.push(flat(simple)),
        Node::Redirect(redirect) => ours.redirect(redirect),
        Node::Arith(expression) => {
            // The three parts of `for ((…))` share one pair of parentheses, and so do subscripts and offsets.
            let text = source.get(..expression.word.span.start).unwrap_or_default();
            ours.arithmetic = ours.arithmetic.saturating_add(usize::from(text.ends_with("((")));
        }
        Node::Assignment(_)
        | Node::Loop { .. }
        | Node::LeaveLoop
        | Node::Param(_)
        | Node::Function { .. }
        | Node::LeaveFunction
        | Node::Coproc(_) => {}
    });
    ours
}

impl Ours {
    fn redirect(&mut self, redirect: &Redirect) {
        self.fd_variables = self.fd_variables.saturating_add(usize::from(redirect.fd_var.is_some()));
        match &redirect.target {
            RedirectTarget::HereDoc { body, .. } => self.here_docs.push(HereDoc {
                start: redirect.span.start,
                end: redirect.span.end,
                terminated: body.terminated(),
            }),
            RedirectTarget::Word(_) if redirect.op == RedirectOp::HereString => {
                self.here_strings = self.here_strings.saturating_add(1);
            }
            RedirectTarget::Word(_) => {}
        }
    }
}

fn flat(simple: &Simple) -> Flat {
    let mut tokens: Vec<Token> =
        simple.assignments.iter().map(|assignment| Token::Assignment(assignment.name.clone())).collect();
    tokens.extend(simple.words.iter().map(token));
    for redirect in &simple.redirects {
        tokens.push(Token::Redirect(redirect.op.text()));
        match &redirect.target {
            RedirectTarget::Word(word) => tokens.push(token(word)),
            RedirectTarget::HereDoc { .. } => {}
        }
    }
    Flat(tokens)
}

fn token(word: &Word) -> Token {
    let mut text = String::new();
    if add(&word.parts, &mut text) { Token::Word(text) } else { Token::Any }
}

fn add(parts: &[WordPart], text: &mut String) -> bool {
    parts.iter().all(|part| match part {
        WordPart::Unquoted(part) | WordPart::Quoted(part) => {
            text.push_str(part);
            true
        }
        WordPart::DoubleQuoted(inner) => add(inner, text),
        WordPart::Param(_)
        | WordPart::CommandSub(_)
        | WordPart::Arith(_)
        | WordPart::ProcessSub { .. }
        | WordPart::ArrayLiteral(_) => false,
    })
}
