//! Simple commands and what they run.

use super::Walker;
use super::known::Known;
use super::words::Expanded;
use crate::Span;
use crate::analysis::{
    Assignment, Command, Construct, Context, Cwd, Limit, OpaqueKind, Origin, Part, PipePosition, Redirect, RedirectOp,
    Word,
};
use crate::dispatch::{self, Directory, How, Run};
use crate::syntax::ast::{self, AssignValue, RedirectTarget, Simple};

/// In which process a command runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shell {
    /// In the shell itself: `cd` and assignments have an effect.
    Same,
    /// In a child.
    Child,
}

impl Walker<'_> {
    pub(super) fn simple(&mut self, simple: &Simple) {
        if !self.charge(simple.words.len().saturating_add(1)) {
            return;
        }
        let stdin = self.stdin.take();
        let index = self.out.commands.len();
        // Takes its place before the commands of its substitutions.
        self.out.commands.push(Command::default());
        self.skeleton("C");
        let (cwd, others) = (self.dir.primary.clone(), self.dir.others.clone());
        let assignments: Vec<Assignment> = simple.assignments.iter().map(|found| self.assignment(found)).collect();
        let expanded: Vec<Expanded> = simple.words.iter().map(|word| self.expand(word)).collect();
        let redirects: Vec<Redirect> = simple.redirects.iter().map(|redirect| self.redirect(redirect)).collect();
        let readings = self.readings(expanded, simple.span);
        if simple.words.is_empty() && !assignments.is_empty() {
            self.construct(Construct::Assignment);
            for (tree, assignment) in simple.assignments.iter().zip(&assignments) {
                if tree.subscript.is_none() && !assignment.append {
                    self.learn(assignment);
                }
            }
        }
        let base = Command {
            assignments,
            redirects,
            place: self.place(),
            cwd,
            span: self.span(simple.span),
            origin: self.origin.clone(),
            remote: self.remote,
            ..Command::default()
        };
        let mut slot = Some(index);
        for words in readings {
            let command = Command { words, ..base.clone() };
            let at = if let Some(place) = slot.take().and_then(|index| self.out.commands.get_mut(index)) {
                *place = command;
                index
            } else {
                if !self.charge(command.words.len().saturating_add(1)) {
                    return;
                }
                self.out.commands.push(command);
                self.out.commands.len().saturating_sub(1)
            };
            self.emitted(at, &others, 0, stdin.as_deref(), Shell::Same);
        }
    }

    /// The words, and once more without a first word that may vanish: then the next one is the command.
    fn readings(&mut self, expanded: Vec<Expanded>, span: Span) -> Vec<Vec<Word>> {
        let mut skip = 0_usize;
        for word in &expanded {
            let empty = word.words.is_empty();
            if !word.vanishes && !empty {
                break;
            }
            if !empty {
                skip = skip.saturating_add(1);
            }
        }
        let derived =
            expanded.iter().find(|word| !word.words.is_empty()).is_some_and(|word| word.braced || word.derived);
        let vanished = expanded.first().is_some_and(|word| word.vanishes || word.words.is_empty());
        let words: Vec<Word> = expanded.into_iter().flat_map(|word| word.words).collect();
        if let Some(name) = words.first() {
            if name.literal().is_none() {
                self.opaque(span, OpaqueKind::DynamicCommand, format!("`{}` is not a literal command name", name.raw));
            } else if derived || vanished {
                let detail = format!("the command name comes from an expansion: `{}`", name.raw);
                self.opaque(span, OpaqueKind::DynamicCommand, detail);
            }
        }
        let mut readings = Vec::new();
        for start in 1..=skip.min(8) {
            readings.extend(words.get(start..).filter(|rest| !rest.is_empty()).map(<[Word]>::to_vec));
        }
        readings.insert(0, words);
        readings
    }

    /// A command is in the list: look at what it does to the shell and what it runs.
    pub(super) fn emitted(&mut self, index: usize, others: &[Cwd], nest: usize, stdin: Option<&str>, shell: Shell) {
        let Some(command) = self.out.commands.get_mut(index) else { return };
        // Taken out while we look, so that nothing is copied.
        let words = std::mem::take(&mut command.words);
        let assignments = std::mem::take(&mut command.assignments);
        let size = words.len().saturating_add(super::cwd::Dir::cost(&command.cwd));
        if self.charge(size) {
            self.looked_at(index, &words, &assignments, others, nest, stdin, shell);
        }
        if let Some(command) = self.out.commands.get_mut(index) {
            command.words = words;
            command.assignments = assignments;
        }
        self.repeat(index, others);
    }

    #[expect(clippy::too_many_arguments, reason = "the arguments of `emitted`, which only lends what it took")]
    fn looked_at(
        &mut self,
        index: usize,
        words: &[Word],
        assignments: &[Assignment],
        others: &[Cwd],
        nest: usize,
        stdin: Option<&str>,
        shell: Shell,
    ) {
        let Some(command) = self.out.commands.get(index) else { return };
        let (span, remote) = (command.span, command.remote);
        let stdin = super::script::standard_input(command, stdin);
        let stdin = stdin.as_deref();
        self.code_assignments(assignments, index);
        if let Some(name) = words.first().and_then(Word::literal) {
            if self.facts.defined(&name) {
                if let Some(command) = self.out.commands.get_mut(index) {
                    command.shadowed = true;
                }
                if self.facts.calls_move() {
                    self.dir = std::mem::take(&mut self.dir).or_anywhere();
                }
            }
            if !remote {
                self.builtin(&name, words, index, shell);
            }
        }
        if let Some(found) = dispatch::dispatch(words) {
            if nest >= self.limits.max_depth {
                self.limit(Limit::Depth, span, "commands that run commands, deeper than the limit");
            } else {
                let keeps = words.first().and_then(Word::literal);
                let keeps = shell == Shell::Same && matches!(keeps.as_deref(), Some("command" | "builtin"));
                let child = if keeps { Shell::Same } else { Shell::Child };
                let before = self.out.opaque.len();
                let known = found.runs.iter().all(|run| !matches!(run.how, How::Unknown { .. } | How::Hidden { .. }));
                let runs = !found.runs.is_empty();
                if runs {
                    self.construct(Construct::Dispatch);
                }
                for run in found.runs {
                    self.run(index, run, others, nest, stdin, child);
                }
                let clean = self.out.opaque.len() == before;
                if let Some(command) = self.out.commands.get_mut(index) {
                    command.dispatches = found.pure && runs && known && clean && !command.shadowed;
                }
            }
        }
    }

    /// The same command in the other directory it may run in.
    fn repeat(&mut self, index: usize, others: &[Cwd]) {
        for cwd in others {
            let Some(command) = self.out.commands.get(index).cloned() else { return };
            let size = command.words.len().saturating_add(super::cwd::Dir::cost(cwd)).saturating_add(1);
            if command.cwd == *cwd || !self.charge(size) {
                continue;
            }
            self.skeleton("'");
            self.out.commands.push(Command { cwd: cwd.clone(), ..command });
        }
    }

    /// One thing that the command at `by` runs.
    fn run(&mut self, by: usize, run: Run, others: &[Cwd], nest: usize, stdin: Option<&str>, shell: Shell) {
        let Some(parent) = self.out.commands.get(by) else { return };
        let span = parent.span;
        match run.how {
            How::Command | How::CommandAndMore | How::Unknown { .. } => {}
            How::Script { .. } | How::Stdin { .. } | How::Hidden { .. } => {
                return self.run_script(by, run, stdin);
            }
        }
        let mut words = run.words;
        match &run.how {
            How::Unknown { detail } => self.opaque_at(span, OpaqueKind::UnknownDispatch, detail.clone()),
            How::CommandAndMore => {
                if let Some(last) = words.last() {
                    let more = Word { raw: "{}".into(), parts: vec![Part::Dynamic { quoted: true }], span: last.span };
                    words.push(more);
                }
            }
            How::Command | How::Script { .. } | How::Stdin { .. } | How::Hidden { .. } => {}
        }
        let Some(parent) = self.out.commands.get(by) else { return };
        let (Some(first), Some(last)) = (words.first(), words.last()) else { return };
        let mut place = parent.place.clone();
        place.context.push(Context::Dispatched);
        let (cwd, others) = match &run.directory {
            Directory::Same => (parent.cwd.clone(), others.to_vec()),
            Directory::Changed(to) => (super::cwd::moved(&parent.cwd, to), Vec::new()),
            Directory::Unknown => (Cwd::Unknown, Vec::new()),
        };
        let command = Command {
            span: first.span.join(last.span),
            place,
            cwd,
            origin: Origin::Dispatch { by },
            remote: parent.remote || run.remote,
            assignments: run.assignments,
            words,
            ..Command::default()
        };
        if !self.charge(command.words.len().saturating_add(1)) {
            return;
        }
        if let Some(name) = command.words.first().filter(|name| name.literal().is_none()) {
            let detail = format!("`{}` is not a literal command name", name.raw);
            self.opaque_at(command.span, OpaqueKind::DynamicCommand, detail);
        }
        // A first word that may vanish makes the next one the command, here too.
        let skip = command.words.iter().take_while(|word| may_vanish(word)).count().min(8);
        let index = self.out.commands.len();
        self.skeleton(":C");
        self.out.commands.push(command.clone());
        self.emitted(index, &others, nest.saturating_add(1), stdin, shell);
        for start in 1..=skip {
            let Some(rest) = command.words.get(start..).filter(|rest| !rest.is_empty()) else { break };
            if !self.charge(rest.len().saturating_add(1)) {
                return;
            }
            let index = self.out.commands.len();
            self.out.commands.push(Command { words: rest.to_vec(), ..command.clone() });
            self.emitted(index, &others, nest.saturating_add(1), stdin, shell);
        }
    }

    fn assignment(&mut self, assignment: &ast::Assignment) -> Assignment {
        if let Some(subscript) = &assignment.subscript {
            self.effects_of(subscript);
            self.check_subscript(subscript);
        }
        let value = match &assignment.value {
            AssignValue::Scalar(word) => Some(self.single(word)),
            AssignValue::Array(items) => {
                for (key, value) in items {
                    if let Some(key) = key {
                        self.effects_of(key);
                        self.check_subscript(key);
                    }
                    self.effects_of(value);
                }
                None
            }
        };
        Assignment { name: assignment.name.clone(), value, append: assignment.append, span: self.span(assignment.span) }
    }

    /// Remembers a value that nothing in the script can change.
    pub(super) fn learn(&mut self, assignment: &Assignment) {
        let name = assignment.name.as_str();
        let Some(value) = &assignment.value else { return };
        let is_kept = |part: &Part| match part {
            Part::Text(_) | Part::Tilde(_) | Part::Choice(_) => true,
            // `$1`, `$!`, `$RANDOM` hold something else by the time the value is used.
            Part::Var { name, .. } => {
                !super::arith::always_integer(name) && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            }
            Part::Glob(_) | Part::Dynamic { .. } => false,
        };
        let known = if self.facts.assigned_once(name) && value.parts.iter().all(is_kept) {
            Some(Known::Value(value.parts.clone()))
        } else {
            self.facts.only_integers(name).then_some(Known::Integer)
        };
        if known.is_some() && self.charge(value.raw.len().checked_div(64).unwrap_or(0)) {
            self.values.set(name, known);
        }
    }

    pub(super) fn redirect(&mut self, redirect: &ast::Redirect) -> Redirect {
        let (target, body) = match &redirect.target {
            RedirectTarget::Word(word) => {
                let target = self.target(word);
                let body = if redirect.op == RedirectOp::HereString {
                    self.construct(Construct::HereString);
                    target.literal().map(|text| text + "\n")
                } else {
                    None
                };
                (target, body)
            }
            RedirectTarget::HereDoc { delimiter, body, .. } => {
                self.construct(Construct::HereDoc);
                let parts = vec![Part::Text(delimiter.clone())];
                let target = Word { raw: delimiter.clone(), parts, span: self.span(redirect.span) };
                let body = body.word().and_then(|word| self.single(word).literal());
                (target, body)
            }
        };
        Redirect {
            fd: redirect.fd,
            fd_var: redirect.fd_var.clone(),
            op: redirect.op,
            target,
            body,
            span: self.span(redirect.span),
        }
    }

    /// A redirect's file name: expanded like a command word, but more than one word is an error in bash.
    fn target(&mut self, word: &ast::Word) -> Word {
        let raw = word.span;
        let mut words = self.expand(word).words;
        match (words.pop(), words.is_empty()) {
            (Some(word), true) => word,
            (last, _) => {
                let span = self.span(raw);
                let raw = last.map(|word| word.raw).unwrap_or_default();
                Word { raw, parts: vec![Part::Dynamic { quoted: false }], span }
            }
        }
    }
}

/// Nothing but unquoted expansions.
fn may_vanish(word: &Word) -> bool {
    !word.parts.is_empty()
        && !word.raw.starts_with(['"', '\''])
        && word.parts.iter().all(|part| match part {
            Part::Var { quoted, .. } | Part::Dynamic { quoted } => !quoted,
            Part::Text(_) | Part::Glob(_) | Part::Tilde(_) | Part::Choice(_) => false,
        })
}

impl Walker<'_> {
    /// Resets what belongs to one pipeline before a nested script is walked.
    pub(super) fn detached<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let pipe = std::mem::replace(&mut self.pipe, PipePosition::Alone);
        let stdin = self.stdin.take();
        let out = walk(self);
        self.pipe = pipe;
        self.stdin = stdin;
        out
    }
}
