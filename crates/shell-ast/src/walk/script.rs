//! Scripts inside scripts: `bash -c '…'`, `eval`, here-documents to a shell, `echo … | sh`.

use super::facts::Facts;
use super::known::Known;
use super::{Nested, Text, Walker};
use crate::Span;
use crate::analysis::{Command, Context, Limit, OpaqueKind, Origin, Part, RedirectOp, Word};
use crate::dispatch::{Dialect, How, Run};
use crate::syntax;

/// Whose variables and directory a nested script changes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Process {
    /// The shell's own (`eval`).
    Own,
    /// A child's.
    Child,
    /// The shell's own, at some later time (`trap`, an alias).
    Later,
}

impl Walker<'_> {
    /// A dispatcher's script, from its words or from standard input.
    pub(super) fn run_script(&mut self, by: usize, run: Run, stdin: Option<&str>) {
        let Some(parent) = self.out.commands.get(by) else { return };
        let span = parent.span;
        match run.how {
            How::Script { dialect, args } => {
                let remote = std::mem::replace(&mut self.remote, parent.remote || run.remote);
                self.words_as_script(by, &run.words, dialect, Process::Child, &args);
                self.remote = remote;
            }
            How::Stdin { dialect } => match stdin {
                Some(text) => {
                    let remote = std::mem::replace(&mut self.remote, parent.remote || run.remote);
                    self.script(by, text, span, dialect, Process::Child, &[]);
                    self.remote = remote;
                }
                None => self.opaque_at(
                    span,
                    OpaqueKind::DynamicScript,
                    "the script comes from standard input, which is not literal",
                ),
            },
            How::Hidden { detail } => self.opaque_at(span, OpaqueKind::DynamicScript, detail),
            How::Command | How::CommandAndMore | How::Unknown { .. } => {}
        }
    }

    /// The words, joined by blanks, as a script (`eval`, `bash -c`). What is not literal becomes a parameter, so that
    /// deny rules still see the rest.
    pub(super) fn words_as_script(
        &mut self,
        by: usize,
        words: &[Word],
        dialect: Dialect,
        process: Process,
        args: &[Option<String>],
    ) {
        let (Some(first), Some(last)) = (words.first(), words.last()) else { return };
        let span = first.span.join(last.span);
        let mut text = String::new();
        let mut literal = true;
        for (index, word) in words.iter().enumerate() {
            if index > 0 {
                text.push(' ');
            }
            for part in &word.parts {
                match part {
                    Part::Text(part) => text.push_str(part),
                    Part::Glob(part) => {
                        literal = false;
                        text.push_str(part);
                    }
                    Part::Tilde(user) => {
                        text.push('~');
                        text.push_str(user);
                    }
                    Part::Var { .. } | Part::Choice(_) | Part::Dynamic { .. } => {
                        literal = false;
                        text.push_str("${_}");
                    }
                }
            }
        }
        if !literal {
            self.opaque_at(span, OpaqueKind::DynamicScript, "the script that is run is not literal");
        }
        self.script(by, &text, span, dialect, process, args);
    }

    /// Walks a literal script that the command at `by` runs.
    pub(super) fn script(
        &mut self,
        by: usize,
        text: &str,
        span: Span,
        dialect: Dialect,
        process: Process,
        args: &[Option<String>],
    ) {
        let depth = self.depth.saturating_add(1).max(self.context.len());
        if depth >= self.limits.max_depth {
            return self.limit(Limit::Depth, span, "scripts nested deeper than the limit");
        }
        if !self.charge(1) {
            return;
        }
        let parsed = syntax::parse_at_depth(text, self.limits, depth);
        self.work = self.work.saturating_add(parsed.work);
        for limit in &parsed.limits {
            self.limit(*limit, span, "a nested script is nested too deep or too large");
        }
        if let Some(error) = &parsed.error {
            self.opaque_at(span, OpaqueKind::Syntax, format!("in the nested script: {}", error.message));
        }
        if let Some(doubt) = dialect.doubt(text) {
            self.opaque_at(span, OpaqueKind::DynamicScript, doubt);
        }
        let whole = parsed.error.is_none();
        let around = std::mem::replace(&mut self.text, Text { source: text.to_owned(), at: Some(span) });
        let origin = std::mem::replace(&mut self.origin, Origin::Script { by });
        let outer_depth = std::mem::replace(&mut self.depth, depth);
        let here = std::mem::take(&mut self.here);
        self.facts.push(Facts::of(&parsed.list));
        let mark = self.enter();
        let context = std::mem::take(&mut self.context);
        self.context =
            self.out.commands.get(by).map_or_else(|| context.clone(), |command| command.place.context.clone());
        // A child sees only exported variables, which nobody here knows.
        let values = (process == Process::Child).then(|| std::mem::take(&mut self.values));
        if process == Process::Later && self.facts.moves() {
            self.dir = std::mem::take(&mut self.dir).or_anywhere();
        }
        for (index, value) in args.iter().enumerate().take(10) {
            let known = value.clone().map(|value| Known::Value(vec![Part::Text(value)]));
            self.values.set(&index.to_string(), known);
        }
        self.skeleton("@(");
        self.detached(|walker| walker.within(Context::NestedScript, |walker| walker.list(&parsed.list)));
        self.skeleton(")");
        if let Some(values) = values {
            self.values = values;
        }
        match process {
            Process::Own => {}
            Process::Child | Process::Later => {
                self.leave_subshell(super::Mark { values: mark.values.min(self.values.mark()), dir: mark.dir });
            }
        }
        self.facts.pop();
        self.context = context;
        self.here = here;
        self.depth = outer_depth;
        self.origin = origin;
        self.text = around;
        self.nested.push(Nested { source: text.to_owned(), list: parsed.list, whole });
    }
}

/// What a command reads on standard input, if that is literal: its last redirect of descriptor 0, else the pipe.
pub(super) fn standard_input(command: &Command, pipe: Option<&str>) -> Option<String> {
    let input = command.redirects.iter().rev().find(|redirect| {
        redirect.fd == Some(0) || (redirect.fd.is_none() && redirect.fd_var.is_none() && reads(redirect.op))
    });
    match input {
        Some(redirect) => redirect.body.clone(),
        None => pipe.map(str::to_owned),
    }
}

fn reads(op: RedirectOp) -> bool {
    match op {
        RedirectOp::Read
        | RedirectOp::ReadWrite
        | RedirectOp::DupInput
        | RedirectOp::HereDoc
        | RedirectOp::HereString => true,
        RedirectOp::Write
        | RedirectOp::Append
        | RedirectOp::Clobber
        | RedirectOp::DupOutput
        | RedirectOp::WriteBoth
        | RedirectOp::AppendBoth => false,
    }
}

/// What `echo`, `printf` or `cat <<E` writes to the pipe, if that is literal to the last byte.
pub(super) fn literal_output(command: &Command) -> Option<String> {
    let words: Option<Vec<String>> = command.words.iter().map(Word::literal).collect();
    let words = words?;
    let (name, args) = words.split_first()?;
    match name.as_str() {
        "cat" => {
            let [redirect] = command.redirects.as_slice() else { return None };
            let plain = args.is_empty() || args == ["-"];
            (plain && redirect.fd.is_none_or(|fd| fd == 0)).then(|| redirect.body.clone()).flatten()
        }
        "echo" if command.redirects.is_empty() => echo(args),
        "printf" if command.redirects.is_empty() => printf(args),
        _ => None,
    }
}

fn echo(args: &[String]) -> Option<String> {
    let is_option = |arg: &&String| {
        arg.strip_prefix('-').is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| matches!(c, 'n' | 'e' | 'E')))
    };
    let options: Vec<&String> = args.iter().take_while(is_option).collect();
    let text = args.get(options.len()..).unwrap_or_default().join(" ");
    let end = if options.iter().any(|option| option.contains('n')) { "" } else { "\n" };
    // `xpg_echo` could be on, and `sh -c echo` decodes: a backslash is literal only for plain bash.
    if text.contains('\\') {
        return None;
    }
    Some(text + end)
}

fn printf(args: &[String]) -> Option<String> {
    let (format, args) = match args {
        [dashes, rest @ ..] if dashes == "--" => rest.split_first()?,
        _ => args.split_first()?,
    };
    if format.starts_with('-') {
        return None;
    }
    let mut args = args.iter();
    let mut out = String::new();
    loop {
        let before = args.len();
        let mut chars = format.chars();
        while let Some(c) = chars.next() {
            match c {
                '%' => match chars.next()? {
                    '%' => out.push('%'),
                    's' => out.push_str(args.next().map_or("", String::as_str)),
                    _ => return None,
                },
                '\\' => match chars.next()? {
                    'n' => out.push('\n'),
                    't' => out.push('\t'),
                    '\\' => out.push('\\'),
                    _ => return None,
                },
                c => out.push(c),
            }
        }
        // The format is used again while it takes arguments.
        if args.len() == 0 || args.len() == before {
            return Some(out);
        }
    }
}
