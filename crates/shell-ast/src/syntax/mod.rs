//! Bash syntax: lexer, parser and tree.

pub(crate) mod ast;

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
    let _ = (limits, depth);
    Parsed {
        error: Some(SyntaxError { message: "parser not complete".into(), span: Span::new(0, source.len()) }),
        ..Parsed::default()
    }
}
