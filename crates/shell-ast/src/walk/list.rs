//! Lists, and-or lists and pipelines.

use super::Walker;
use super::facts::literal;
use crate::analysis::{Construct, Context, PipePosition};
use crate::syntax::ast::{AndOr, AndOrOp, Command, List, ListItem, PipeOp, Pipeline, Stage, Terminator};

impl Walker<'_> {
    pub(super) fn list(&mut self, list: &List) {
        for (index, item) in list.items.iter().enumerate() {
            if index > 0 && !self.out.skeleton.ends_with('&') {
                self.skeleton(";");
            }
            self.item(item);
        }
    }

    fn item(&mut self, item: &ListItem) {
        match item.terminator {
            Terminator::Sequence => self.and_or(&item.and_or),
            Terminator::Background => {
                self.construct(Construct::Background);
                let mark = self.enter();
                self.within(Context::Background, |walker| walker.and_or(&item.and_or));
                self.leave_subshell(mark);
                self.skeleton("&");
            }
        }
    }

    fn and_or(&mut self, and_or: &AndOr) {
        let before = self.enter();
        let values = before.values;
        self.pipeline(&and_or.first);
        if and_or.rest.is_empty() {
            // The command itself may fail (`cd x; y`), but its assignments hold.
            self.settle(before.dir);
            return;
        }
        // From here on, what is assigned may not be.
        let after_first = self.values.mark();
        for (op, pipeline) in &and_or.rest {
            match op {
                AndOrOp::And => self.skeleton("&&"),
                AndOrOp::Or => {
                    self.skeleton("||");
                    self.values.roll_back(after_first.max(values));
                    self.settle(before.dir.clone());
                }
            }
            self.pipeline(pipeline);
        }
        self.values.roll_back(after_first);
        if !ends_the_shell(and_or) {
            self.settle(before.dir);
        } else if before.dir.as_ref().is_some_and(|dir| *dir != self.dir) {
            // `cd x || exit`: whoever is still here is in `x`.
            self.dir.others.clear();
        }
    }

    /// The directory after something that may have failed.
    fn settle(&mut self, before: Option<super::cwd::Dir>) {
        if let Some(before) = before.filter(|dir| *dir != self.dir) {
            let after = std::mem::take(&mut self.dir);
            self.dir = before.join(after);
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline) {
        if pipeline.timed {
            self.skeleton("time ");
        }
        if pipeline.negated {
            self.skeleton("!");
            self.within(Context::Negated, |walker| walker.stages(&pipeline.stages));
        } else {
            self.stages(&pipeline.stages);
        }
    }

    fn stages(&mut self, stages: &[Stage]) {
        let [only] = stages else {
            return self.pipe(stages);
        };
        self.command(&only.command);
    }

    fn pipe(&mut self, stages: &[Stage]) {
        let (pipe, stdin) = (self.pipe, self.stdin.take());
        let last = stages.len().saturating_sub(1);
        let mut carried: Option<String> = None;
        for (index, stage) in stages.iter().enumerate() {
            self.pipe = match index {
                0 => PipePosition::First,
                index if index == last => PipePosition::Last,
                _ => PipePosition::Middle,
            };
            self.stdin = carried.take();
            let at = self.out.commands.len();
            let mark = self.enter();
            self.command(&stage.command);
            self.leave_subshell(mark);
            if matches!(stage.command, Command::Simple(_)) {
                carried = self.out.commands.get(at).and_then(super::script::literal_output);
            }
            match stage.pipe {
                Some(PipeOp::Stdout) => self.skeleton("|"),
                Some(PipeOp::Both) => self.skeleton("|&"),
                None => {}
            }
        }
        (self.pipe, self.stdin) = (pipe, stdin);
    }
}

/// `… || exit`, `… || return 1`, `… || { …; exit 1; }`
fn ends_the_shell(and_or: &AndOr) -> bool {
    let [(AndOrOp::Or, pipeline)] = and_or.rest.as_slice() else { return false };
    let [Stage { command, .. }] = pipeline.stages.as_slice() else { return false };
    let simple = match command {
        Command::Simple(simple) => simple,
        Command::Compound { kind: crate::syntax::ast::Compound::Group(list), .. } => {
            let Some(item) = list.items.last().filter(|item| item.and_or.rest.is_empty()) else { return false };
            match item.and_or.first.stages.as_slice() {
                [Stage { command: Command::Simple(simple), .. }] if item.terminator == Terminator::Sequence => simple,
                _ => return false,
            }
        }
        Command::Compound { .. } | Command::Function { .. } | Command::Coproc { .. } => return false,
    };
    let name = simple.words.first().and_then(literal);
    matches!(name.as_deref(), Some("exit" | "return" | "break" | "continue"))
}
