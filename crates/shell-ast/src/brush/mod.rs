//! The second opinion: brush-parser reads the same text, and its commands are compared with ours.
//!
//! Measured (spec/brush.md): brush-parser 0.4.0 accepts scripts in which bash runs a command that its tree does not
//! hold, and some inputs of a few bytes hang it or exhaust memory. So it is only asked inside an [`envelope`] in which
//! neither was seen, its panics are caught, and its answer can only take a local allow away, never give one.

mod envelope;
mod ours;
mod theirs;

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::Span;
use crate::analysis::{Analysis, Command, Context, ParseOutcome, Part, Place, SecondOpinion, Word};
use crate::syntax::ast::List;
use crate::walk::Nested;

/// A command as both parsers can describe it: assignments, words, redirects.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Flat(Vec<Token>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Token {
    /// A word's value after quote removal.
    Word(String),
    /// A word with an expansion, or text that the parsers decode differently: matches any.
    Any,
    /// `name=`
    Assignment(String),
    /// A redirect's operator.
    Redirect(&'static str),
}

/// What brush-parser makes of the script and of every literal script inside it.
pub(crate) fn second_opinion(script: &str, list: &List, nested: &[Nested], analysis: &Analysis) -> SecondOpinion {
    if analysis.parse != ParseOutcome::Ok || !analysis.limits.is_empty() || nested.iter().any(|text| !text.whole) {
        // Already without a local allow, and outside the envelope: brush-parser is only safe on complete scripts.
        return SecondOpinion::NotAsked;
    }
    let texts = std::iter::once((script, list)).chain(nested.iter().map(|text| (text.source.as_str(), &text.list)));
    let mut budget = envelope::MAX_BYTES;
    let mut verdict = SecondOpinion::Agreed;
    let mut extra = Vec::new();
    for (source, list) in texts {
        budget = match budget.checked_sub(source.len()) {
            Some(left) => left,
            None => return outside("more text than the second parser is asked about", extra),
        };
        let ours = ours::commands(source, list);
        if let Some(row) = envelope::refusal(source, &ours) {
            return outside(row.reason, extra);
        }
        // The parser is asked about untrusted text; a panic there is a difference, not ours to pass on.
        let theirs = catch_unwind(AssertUnwindSafe(|| theirs::commands(source)))
            .unwrap_or_else(|_| Err("brush-parser panicked".to_owned()));
        let why = match theirs {
            Err(why) => Some(why),
            Ok(theirs) => compare(ours.commands, theirs, Span::new(0, script.len()), &mut extra),
        };
        if let Some(why) = why {
            verdict = SecondOpinion::Differs { why, extra: Vec::new() };
        }
    }
    match verdict {
        SecondOpinion::Differs { why, .. } => SecondOpinion::Differs { why, extra },
        other => other,
    }
}

fn outside(why: &str, extra: Vec<Command>) -> SecondOpinion {
    // What an earlier text already gave stays visible to deny rules.
    if extra.is_empty() {
        SecondOpinion::Outside { why: why.to_owned() }
    } else {
        SecondOpinion::Differs { why: why.to_owned(), extra }
    }
}

/// Commands that are left over on either side; `None` if there are none.
fn compare(mut ours: Vec<Flat>, mut theirs: Vec<Flat>, whole: Span, extra: &mut Vec<Command>) -> Option<String> {
    if ours == theirs {
        return None;
    }
    ours.sort_unstable();
    theirs.sort_unstable();
    let (mut only_ours, mut only_theirs) = (Vec::new(), Vec::new());
    let (mut left, mut right) = (ours.into_iter().peekable(), theirs.into_iter().peekable());
    loop {
        match (left.peek(), right.peek()) {
            (Some(a), Some(b)) if a == b => {
                left.next();
                right.next();
            }
            (Some(a), Some(b)) if a < b => only_ours.extend(left.next()),
            (Some(_), None) => only_ours.extend(left.next()),
            (_, Some(_)) => only_theirs.extend(right.next()),
            (None, None) => break,
        }
    }
    // What is left may still be equal but for words that only one side can tell.
    only_theirs.retain(|theirs| {
        let found = only_ours.iter().take(256).position(|ours| matches(ours, theirs));
        if let Some(found) = found {
            only_ours.swap_remove(found);
        }
        found.is_none()
    });
    let why = match (only_ours.first(), only_theirs.first()) {
        (None, None) => return None,
        (Some(ours), _) => format!("brush-parser does not find `{}`", ours.text()),
        (None, Some(theirs)) => format!("only brush-parser finds `{}`", theirs.text()),
    };
    extra.extend(only_theirs.iter().map(|flat| flat.command(whole)));
    Some(why)
}

fn matches(ours: &Flat, theirs: &Flat) -> bool {
    ours.0.len() == theirs.0.len()
        && ours
            .0
            .iter()
            .zip(&theirs.0)
            .all(|(a, b)| a == b || matches!((a, b), (Token::Any, Token::Word(_)) | (Token::Word(_), Token::Any)))
}

impl Flat {
    fn text(&self) -> String {
        let tokens: Vec<&str> = self
            .0
            .iter()
            .map(|token| match token {
                Token::Word(text) => text.as_str(),
                Token::Any => "…",
                Token::Assignment(name) => name.as_str(),
                Token::Redirect(op) => op,
            })
            .collect();
        tokens.join(" ")
    }

    /// A command for deny rules, which look at what either parser found.
    fn command(&self, span: Span) -> Command {
        let words = self
            .0
            .iter()
            .filter_map(|token| match token {
                Token::Word(text) => {
                    let parts = vec![Part::Text(text.clone())];
                    Some(Word { raw: crate::walk::render(&parts), parts, span })
                }
                Token::Any => Some(Word { raw: "$(…)".into(), parts: vec![Part::Dynamic { quoted: false }], span }),
                Token::Assignment(_) | Token::Redirect(_) => None,
            })
            .collect();
        let place = Place { context: vec![Context::NestedScript], ..Place::default() };
        Command { words, place, span, ..Command::default() }
    }
}
