//! From the syntax tree to the public [`Analysis`]: every command, where it stands, and what can't be known.

mod arith;
mod brace;
mod builtins;
mod checks;
mod compound;
mod cwd;
mod facts;
mod known;
mod list;
mod quote;
mod script;
mod simple;
mod unquoted;
pub(crate) mod visit;
mod words;

pub(crate) use quote::render;
pub(crate) use visit::Node;

use crate::analysis::{
    Analysis, Construct, Context, Limit, Opaque, OpaqueKind, Origin, ParseOutcome, PipePosition, Place,
};
use crate::syntax::{self, ast};
use crate::{Limits, Span, brush};
use cwd::Dir;
use facts::{FactStack, Facts};
use known::Values;

/// Analyses a whole script, second opinion included.
pub(crate) fn analyze(script: &str, limits: &Limits) -> Analysis {
    let mut walker = Walker::new(limits);
    // A UTF-8 byte is at least a third of a UTF-16 unit, so most lengths need no counting.
    if script.len() > limits.max_len && script.encode_utf16().count() > limits.max_len {
        walker.limit(Limit::Size, Span::new(0, script.len()), "the script is longer than the limit");
        return walker.out;
    }
    let parsed = syntax::parse(script, limits);
    // The parser has its own budget of the same size; a script that just fits there is still looked at from its start.
    for limit in &parsed.limits {
        walker.limit(*limit, Span::new(0, script.len()), "the script is nested too deep or too large");
    }
    if let Some(error) = parsed.error {
        walker.opaque(error.span, OpaqueKind::Syntax, &error.message);
        walker.out.parse = ParseOutcome::Error { message: error.message, span: error.span };
    }
    walker.text = Text { source: script.to_owned(), at: None };
    walker.facts.push(Facts::of(&parsed.list));
    walker.list(&parsed.list);
    let Walker { mut out, nested, .. } = walker;
    out.second = brush::second_opinion(script, &parsed.list, &nested, &out);
    out
}

/// The text that is being walked.
#[derive(Debug, Default)]
struct Text {
    source: String,
    /// For a script inside a word: the word's place in the outermost source.
    at: Option<Span>,
}

/// A literal script that was found inside another, for the second parser.
#[derive(Debug)]
pub(crate) struct Nested {
    pub(crate) source: String,
    pub(crate) list: ast::List,
    pub(crate) whole: bool,
}

/// The state of a walk.
struct Walker<'l> {
    limits: &'l Limits,
    out: Analysis,
    work: usize,
    text: Text,
    facts: FactStack,
    values: Values,
    dir: Dir,
    context: Vec<Context>,
    pipe: PipePosition,
    origin: Origin,
    remote: bool,
    depth: usize,
    /// The word that is being expanded, for marks inside it.
    here: Span,
    /// What the pipe into the current stage carries, if that is literal.
    stdin: Option<String>,
    nested: Vec<Nested>,
}

/// State to go back to when a part of the script ends.
struct Mark {
    values: usize,
    dir: Option<Dir>,
}

impl<'l> Walker<'l> {
    fn new(limits: &'l Limits) -> Self {
        Self {
            limits,
            out: Analysis::default(),
            work: 0,
            text: Text::default(),
            facts: FactStack::default(),
            values: Values::default(),
            dir: Dir::default(),
            context: Vec::new(),
            pipe: PipePosition::Alone,
            origin: Origin::Direct,
            remote: false,
            depth: 0,
            here: Span::default(),
            stdin: None,
            nested: Vec::new(),
        }
    }

    /// Counts work; `false` once the budget is spent, after which nothing more is added.
    fn charge(&mut self, units: usize) -> bool {
        self.work = self.work.saturating_add(units);
        let within = self.work <= self.limits.max_work;
        if !within {
            self.limit(Limit::Work, Span::default(), "more commands and words than the limit");
        }
        within
    }

    fn limit(&mut self, limit: Limit, span: Span, detail: &str) {
        if !self.out.limits.contains(&limit) {
            self.out.limits.push(limit);
            self.opaque(span, OpaqueKind::Limit, detail);
        }
    }

    fn opaque(&mut self, span: Span, kind: OpaqueKind, detail: impl Into<String>) {
        self.opaque_at(self.span(span), kind, detail);
    }

    /// [`Self::opaque`] for a span of the outermost source.
    fn opaque_at(&mut self, span: Span, kind: OpaqueKind, detail: impl Into<String>) {
        // One entry a place and kind; more would only lengthen what people read (and memory) without changing a verdict.
        let known = self.out.opaque.iter().rev().take(4).any(|seen| seen.span == span && seen.kind == kind);
        if !known {
            self.out.opaque.push(Opaque { span, kind, detail: detail.into() });
        }
    }

    /// A place in the walked text as a place in the outermost source.
    fn span(&self, span: Span) -> Span {
        self.text.at.unwrap_or(span)
    }

    fn place(&self) -> Place {
        Place { context: self.context.clone(), pipe: self.pipe }
    }

    fn construct(&mut self, construct: Construct) {
        self.out.constructs.insert(construct);
    }

    fn skeleton(&mut self, text: &str) {
        self.out.skeleton.push_str(text);
    }

    /// Runs `walk` with one more enclosing context; a pipeline inside has positions of its own.
    fn within(&mut self, context: Context, walk: impl FnOnce(&mut Self)) {
        let pipe = std::mem::take(&mut self.pipe);
        let stdin = self.stdin.take();
        self.context.push(context);
        walk(self);
        self.context.pop();
        self.pipe = pipe;
        self.stdin = stdin;
    }

    fn enter(&self) -> Mark {
        // Without a `cd` anywhere the directory never changes, and need not be copied.
        Mark { values: self.values.mark(), dir: self.facts.moves().then(|| self.dir.clone()) }
    }

    /// A subshell ends: it changed nothing outside.
    fn leave_subshell(&mut self, mark: Mark) {
        self.values.roll_back(mark.values);
        if let Some(dir) = mark.dir {
            self.dir = dir;
        }
    }

    /// Code ends that may not have run.
    fn leave_branch(&mut self, mark: Mark) {
        self.values.roll_back(mark.values);
        if let Some(dir) = mark.dir.filter(|dir| *dir != self.dir) {
            let after = std::mem::take(&mut self.dir);
            self.dir = dir.join(after);
        }
    }
}
