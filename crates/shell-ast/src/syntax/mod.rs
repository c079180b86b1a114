//! Bash syntax: lexer, parser and tree.

mod ansi;
mod arith;
pub(crate) mod ast;
mod bare;
mod command;
mod compound;
mod cond;
mod cursor;
mod expand;
mod heredoc;
mod live;
mod param;
mod quote;
mod redirect;
mod reserved;
mod simple;
#[cfg(test)]
mod tests;

use crate::{Limit, Limits, Span};

/// What [`parse`] made of a script.
#[derive(Debug, Default)]
pub(crate) struct Parsed {
    /// Everything found, up to the error if there is one.
    pub(crate) list: ast::List,
    /// Why bash would refuse the rest, or why we do not understand it.
    pub(crate) error: Option<SyntaxError>,
    /// Limits that were reached; each also gives an error.
    pub(crate) limits: Vec<Limit>,
    /// Commands and words counted, to hold against [`Limits::max_work`] over several nested scripts.
    pub(crate) work: usize,
    /// Steps of the lexer, which the growth tests count instead of time.
    #[cfg(test)]
    pub(crate) steps: usize,
}

/// The first place that is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub(crate) message: String,
    pub(crate) span: Span,
}

/// Parses `source` as `bash -c` would read it.
pub(crate) fn parse(source: &str, limits: &Limits) -> Parsed {
    parse_at_depth(source, limits, 0)
}

/// [`parse`] for a script that stands `depth` levels deep in another (`eval`, `bash -c`).
pub(crate) fn parse_at_depth(source: &str, limits: &Limits, depth: usize) -> Parsed {
    // The seeds' unit is UTF-16 code units, of which a text never has more than bytes.
    if source.len() > limits.max_len && source.encode_utf16().count() > limits.max_len {
        return Parsed {
            error: Some(SyntaxError { message: "script too long".to_owned(), span: Span::new(0, source.len()) }),
            limits: vec![Limit::Size],
            ..Parsed::default()
        };
    }
    cursor::Parser::new(source, limits, depth).script()
}
