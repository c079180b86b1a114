//! Judges one command by its spec.

use std::borrow::Cow;

use super::options::{Parsed, Stop, parse};
use super::spec::{Act, Form, Operands, Row, Tree, Usage};
use super::words::{is_found, is_known, is_known_path, is_many, is_process, text_word};
use super::{Access, AccessMode, CommandEffect, EffectKind, Need, assignments, dispatch, redirects, secrets, specs};
use crate::analysis::{Analysis, Command, Cwd, Part, PipePosition, Word};

/// One command under judgement.
pub(super) struct Judge<'a> {
    /// The whole script.
    pub analysis: &'a Analysis,
    /// The command.
    pub command: &'a Command,
    /// Its words after its name.
    pub words: &'a [Word],
    effect: CommandEffect,
}

/// What `command` does.
pub(super) fn command(analysis: &Analysis, command: &Command) -> CommandEffect {
    let words = command.words.get(1..).unwrap_or_default();
    let mut judge = Judge {
        analysis,
        command,
        words,
        effect: CommandEffect {
            kind: EffectKind::ReadOnly,
            reason: String::new(),
            accesses: Vec::new(),
            reads_secrets: false,
            needs: Vec::new(),
            cwd: command.cwd.clone(),
        },
    };
    judge.run();
    judge.place();
    judge.effect
}

impl<'a> Judge<'a> {
    fn run(&mut self) {
        if self.command.remote {
            // Its paths, redirects aside, are another machine's.
            self.raise(EffectKind::Network, "runs on another machine or in a container");
            redirects::judge(self);
            return;
        }
        assignments::judge(self);
        redirects::judge(self);
        secrets::judge(self);
        let Some(name) = self.command.words.first() else {
            self.raise(EffectKind::ReadOnly, "only assigns or redirects");
            return;
        };
        let Some(name) = name.literal() else {
            self.raise(EffectKind::Unknown, "the name of the command is not known");
            return;
        };
        if self.command.shadowed {
            // The body of a function is in the list and judged there; that the call means it, the analysis knows.
            self.raise(EffectKind::Unknown, "a function or alias of that name was defined");
            return;
        }
        let Some(name) = program(&name) else {
            self.raise(EffectKind::ExecutesCode, format!("`{name}` is a file named by its path, not a known program"));
            return;
        };
        if dispatch::judge(self, name) {
            return;
        }
        match specs::find(name) {
            Some(form) => self.form(form),
            None => self.raise(EffectKind::Unknown, format!("nothing is known of `{name}`")),
        }
    }

    /// In a directory that is not known, relative paths and the project's configuration are not known.
    fn place(&mut self) {
        if self.command.cwd != Cwd::Unknown || self.effect.kind != EffectKind::ReadOnly {
            return;
        }
        let relative = self.effect.accesses.iter().any(|access| access.path.as_ref().is_none_or(is_relative));
        if relative || !self.effect.needs.is_empty() {
            self.raise(EffectKind::Unknown, "the directory it runs in is not known");
        }
    }

    fn form(&mut self, form: Form) {
        match form {
            Form::Simple(usage) => self.usage(usage, self.words),
            Form::Tree(tree) => self.tree(tree),
            Form::Special(judge) => judge(self),
            Form::Always(kind, reason) => {
                self.raise(kind, reason);
            }
        }
    }

    /// Judges by a tree of subcommands.
    pub(super) fn tree(&mut self, tree: &'static Tree) {
        let mut at = 0_usize;
        let mut path: Vec<String> = Vec::new();
        // No program of the tables nests subcommands deeper than three.
        while path.len() < 4 {
            let rest = self.words.get(at..).unwrap_or_default();
            let globals = parse(tree.globals, rest, Stop::AtOperand);
            self.options(&globals);
            at = at.saturating_add(globals.used);
            if self.stops(&globals) {
                return;
            }
            let Some(word) = self.words.get(at) else {
                let bare = if path.is_empty() { "without a subcommand it prints its help" } else { tree.other.1 };
                let kind = if path.is_empty() { EffectKind::ReadOnly } else { tree.other.0 };
                return self.raise(kind, bare);
            };
            let Some(literal) = word.literal() else {
                return self.raise(EffectKind::Unknown, format!("the subcommand `{}` is not known", word.raw));
            };
            at = at.saturating_add(1);
            path.push(literal);
            let mut deeper = false;
            for sub in tree.subs {
                match fits(sub.paths, &path) {
                    Fit::Whole => {
                        return self.usage(&sub.usage, self.words.get(at..).unwrap_or_default());
                    }
                    Fit::Part => deeper = true,
                    Fit::No => {}
                }
            }
            if !deeper {
                break;
            }
        }
        self.raise(tree.other.0, tree.other.1);
    }

    /// Judges `words` by `usage`.
    pub(super) fn usage(&mut self, usage: &Usage, words: &'a [Word]) {
        let parsed = parse(usage, words, Stop::AtEnd);
        self.options(&parsed);
        if self.stops(&parsed) {
            return;
        }
        self.raise(usage.kind, usage.reason);
        for need in usage.needs {
            self.need(*need);
        }
        self.operands(usage, &parsed);
        if let Some(check) = usage.check {
            check(self, &parsed);
        }
    }

    fn stops(&mut self, parsed: &Parsed<'_>) -> bool {
        // `--help` ends a program only if it is reached: GNU programs act on options in order.
        let first = parsed.options.first().and_then(|seen| seen.row);
        let stops = first.is_some_and(|row| row.act == Act::Stops) && parsed.doubt.is_none();
        if stops {
            self.raise(EffectKind::ReadOnly, "prints its help or version");
        }
        stops
    }

    /// The effects of options.
    pub(super) fn options(&mut self, parsed: &Parsed<'_>) {
        if let Some(doubt) = &parsed.doubt {
            self.raise(EffectKind::Unknown, doubt.clone());
        }
        for seen in &parsed.options {
            let Some(row) = seen.row else { continue };
            match row.act {
                Act::Path(mode) => {
                    if let Some(value) = seen.value.as_deref() {
                        self.touch(mode, value, false);
                    }
                    if mode.changes() {
                        self.raise(EffectKind::WritesFiles, told(&seen.name, row));
                    }
                }
                Act::PatternFile => {
                    if let Some(value) = seen.value.as_deref() {
                        self.touch(AccessMode::Read, value, false);
                    }
                }
                Act::Has(kind) => self.raise(kind, told(&seen.name, row)),
                Act::Edits => self.raise(EffectKind::WritesFiles, told(&seen.name, row)),
                Act::Secret => self.secret(row.reason),
                Act::Target | Act::Pattern | Act::Recursive | Act::Stops => {}
            }
        }
    }

    fn operands(&mut self, usage: &Usage, parsed: &Parsed<'_>) {
        let acts = |act: Act| parsed.options.iter().any(|seen| seen.row.is_some_and(|row| row.act == act));
        let recursive = usage.recursive || acts(Act::Recursive);
        let edits = acts(Act::Edits);
        let pattern_given = acts(Act::Pattern) || acts(Act::PatternFile);
        let mode = |mode: AccessMode| if edits { AccessMode::Write } else { mode };
        let operands = parsed.operands.as_slice();
        match usage.operands {
            Operands::None => {
                if let Some(word) = operands.first() {
                    self.raise(EffectKind::Unknown, format!("the operand `{}` is not in its table", word.raw));
                }
            }
            Operands::Text => {}
            Operands::FilesOrCwd(access) if operands.is_empty() => {
                self.access(mode(access), text_word("."), recursive);
            }
            Operands::Files(access) | Operands::FilesOrCwd(access) => self.files(mode(access), operands, recursive),
            Operands::TextThen(access) => {
                let skip = usize::from(!pattern_given);
                self.files(mode(access), operands.get(skip..).unwrap_or_default(), recursive);
                self.first_is_one(operands, skip, usage);
            }
            Operands::PatternThenCwd(access) => {
                let skip = usize::from(!pattern_given);
                let files = operands.get(skip..).unwrap_or_default();
                self.first_is_one(operands, skip, usage);
                // rg and its like search a pipe if there is one; `grep -r` does not look.
                if files.is_empty() && recursive && !(usage.recursive && self.reads_pipe()) {
                    self.access(mode(access), text_word("."), recursive);
                }
                self.files(mode(access), files, recursive);
            }
            Operands::SourcesThen { source, dest } => self.sources(parsed, source, dest, recursive),
            Operands::InputOutput => self.input_output(operands),
        }
    }

    /// A glob in the place of a pattern: its first name is the pattern, the others are files.
    fn first_is_one(&mut self, operands: &[&Word], skip: usize, usage: &Usage) {
        if let (1, Some(word)) = (skip, operands.first())
            && usage.kind == EffectKind::ReadOnly
            && (is_many(word) || super::words::Shape::of(word).splits)
        {
            self.access(AccessMode::Read, (*word).clone(), false);
            self.raise(EffectKind::Unknown, format!("`{}` could expand to several words", word.raw));
        }
    }

    fn files(&mut self, mode: AccessMode, operands: &[&Word], recursive: bool) {
        for word in operands {
            self.touch(mode, word, recursive);
        }
    }

    fn sources(&mut self, parsed: &Parsed<'_>, source: AccessMode, dest: AccessMode, recursive: bool) {
        let target = parsed.options.iter().find(|seen| seen.row.is_some_and(|row| row.act == Act::Target));
        let operands = parsed.operands.as_slice();
        if let Some(target) = target {
            self.files(source, operands, recursive);
            if let Some(value) = target.value.as_deref() {
                self.touch(dest, value, recursive);
            }
        } else if let Some((last, before)) = operands.split_last() {
            self.files(source, before, recursive);
            self.touch(dest, last, recursive);
        }
    }

    fn input_output(&mut self, operands: &[&Word]) {
        if let Some(word) = operands.iter().find(|word| is_many(word)) {
            self.raise(EffectKind::WritesFiles, format!("the second name that `{}` expands to is written", word.raw));
        }
        if let Some(input) = operands.first() {
            self.touch(AccessMode::Read, input, false);
        }
        if let Some(output) = operands.get(1) {
            self.touch(AccessMode::Write, output, false);
            self.raise(EffectKind::WritesFiles, "its second operand is written");
        }
    }

    /// Records an access by an operand; an operand of unknown value spoils a read-only verdict.
    pub(super) fn touch(&mut self, mode: AccessMode, word: &Word, recursive: bool) {
        // `-` is standard input or output by convention of every program in the tables that takes files.
        if word.literal().as_deref() == Some("-") || is_process(word) {
            return;
        }
        if is_found(word) {
            dispatch::found(self, mode, recursive);
            return;
        }
        if is_known(word) {
            self.access(mode, word.clone(), recursive);
            return;
        }
        self.unknown_access(mode, recursive);
        self.raise(EffectKind::Unknown, format!("which file `{}` names is not known", word.raw));
    }

    /// Records an access to a file that can't be told.
    pub(super) fn unknown_access(&mut self, mode: AccessMode, recursive: bool) {
        self.effect.accesses.push(Access { mode, path: None, cwd: self.command.cwd.clone(), recursive });
    }

    /// Records an access.
    pub(super) fn access(&mut self, mode: AccessMode, path: Word, recursive: bool) {
        let cwd = self.command.cwd.clone();
        self.effect.accesses.push(Access { mode, path: Some(path), cwd, recursive });
    }

    /// Records an effect; the strongest one and its reason stay.
    pub(super) fn raise(&mut self, kind: EffectKind, reason: impl Into<Cow<'static, str>>) {
        if kind > self.effect.kind || self.effect.reason.is_empty() {
            self.effect.kind = kind;
            self.effect.reason = reason.into().into_owned();
        }
    }

    /// It prints secrets.
    pub(super) fn secret(&mut self, reason: &'static str) {
        self.effect.reads_secrets = true;
        if self.effect.kind == EffectKind::ReadOnly {
            reason.clone_into(&mut self.effect.reason);
        }
    }

    /// Records a need.
    pub(super) fn need(&mut self, need: Need) {
        if !self.effect.needs.contains(&need) {
            self.effect.needs.push(need);
        }
    }

    /// Its standard input is a pipe.
    pub(super) fn reads_pipe(&self) -> bool {
        matches!(self.command.place.pipe, PipePosition::Middle | PipePosition::Last)
    }
}

/// Why an option decided, with its source.
fn told(name: &str, row: &Row) -> String {
    format!("`{name}`: {} ({})", row.reason, row.source)
}

fn is_relative(path: &Word) -> bool {
    match path.parts.first() {
        Some(Part::Text(text)) => !text.starts_with('/'),
        Some(Part::Tilde(_)) => false,
        Some(Part::Var { name, .. }) => name == "PWD" || !is_known_path(name),
        Some(Part::Glob(_) | Part::Choice(_) | Part::Dynamic { .. }) | None => true,
    }
}

/// The name of a known program: bare, or in a directory where the system keeps its programs.
fn program(name: &str) -> Option<&str> {
    const DIRS: &[&str] =
        &["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/sbin", "/usr/sbin", "/usr/local/sbin"];
    match name.rsplit_once('/') {
        None => Some(name),
        Some((dir, base)) => DIRS.contains(&dir).then_some(base),
    }
}

enum Fit {
    Whole,
    Part,
    No,
}

fn fits(paths: &str, path: &[String]) -> Fit {
    let mut part = false;
    for candidate in paths.split('|') {
        let mut words = candidate.split_ascii_whitespace();
        let mut all = true;
        for have in path {
            match words.next() {
                Some("*") => {}
                Some(word) if word == have => {}
                Some(_) | None => all = false,
            }
        }
        if all {
            if words.next().is_none() {
                return Fit::Whole;
            }
            part = true;
        }
    }
    if part { Fit::Part } else { Fit::No }
}
