//! Compound commands, functions and coprocesses.

use super::Walker;
use super::arith::assigned_first;
use super::facts::literal;
use super::known::Known;
use crate::analysis::{Construct, Context, OpaqueKind, Part, ScopedRedirect};
use crate::syntax::ast::{Arith, CaseArm, Command, Compound, CondItem, List, Word};

/// Most values of a loop variable that are kept, and their text.
const MAX_CHOICES: usize = 64;
const MAX_CHOICE_BYTES: usize = 4096;

impl Walker<'_> {
    pub(super) fn command(&mut self, command: &Command) {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound { kind, redirects, .. } => {
                let redirects = redirects.iter().map(|redirect| self.redirect(redirect)).collect::<Vec<_>>();
                for redirect in redirects {
                    self.skeleton(">");
                    for cwd in std::iter::once(&self.dir.primary).chain(&self.dir.others) {
                        let scoped =
                            ScopedRedirect { redirect: redirect.clone(), cwd: cwd.clone(), place: self.place() };
                        self.out.compound_redirects.push(scoped);
                    }
                }
                self.compound(kind);
            }
            Command::Function { name, body, span } => {
                self.construct(Construct::Function);
                self.skeleton("f");
                let name = literal(name).unwrap_or_default();
                self.opaque(*span, OpaqueKind::Shadowed, format!("the function `{name}` changes what the name means"));
                let mark = self.enter();
                self.values.forget_positional();
                if self.facts.moves() {
                    // It runs where it is called.
                    self.dir = std::mem::take(&mut self.dir).or_anywhere();
                }
                self.within(Context::Function, |walker| walker.command(body));
                self.leave_subshell(mark);
            }
            Command::Coproc { body, .. } => {
                self.construct(Construct::Coproc);
                self.skeleton("coproc ");
                let mark = self.enter();
                self.within(Context::Coproc, |walker| walker.command(body));
                self.leave_subshell(mark);
            }
        }
    }

    fn compound(&mut self, kind: &Compound) {
        match kind {
            Compound::Subshell(list) => {
                self.construct(Construct::Subshell);
                let mark = self.enter();
                self.nested_list(Context::Subshell, "(", list, ")");
                self.leave_subshell(mark);
            }
            Compound::Group(list) => {
                self.construct(Construct::Group);
                self.nested_list(Context::Group, "{", list, "}");
            }
            Compound::If { clauses, otherwise } => self.if_(clauses, otherwise.as_ref()),
            Compound::While { condition, body } | Compound::Until { condition, body } => {
                self.loop_(&[condition, body], |walker| {
                    walker.nested_list(Context::Condition, "while(", condition, ")");
                    walker.nested_list(Context::Loop, "do(", body, ")");
                });
            }
            Compound::For { name, words, body } => {
                let choice = self.choices(words.as_deref());
                self.loop_(&[body], |walker| {
                    let known = choice
                        .filter(|_| walker.facts.only_loops(name))
                        .or_else(|| (words.is_some() && walker.facts.only_integers(name)).then_some(Known::Integer));
                    walker.values.set(name, known);
                    walker.nested_list(Context::Loop, "for(", body, ")");
                });
            }
            Compound::Select { name, words, body } => {
                let _ = self.choices(words.as_deref());
                self.loop_(&[body], |walker| {
                    walker.values.set(name, None);
                    walker.nested_list(Context::Loop, "select(", body, ")");
                });
            }
            Compound::ForArith { init, test, step, body } => self.loop_(&[body], |walker| {
                walker.arithmetic(init);
                walker.assigns(init);
                walker.arithmetic(test);
                walker.arithmetic(step);
                walker.nested_list(Context::Loop, "for(", body, ")");
            }),
            Compound::Case { subject, arms } => self.case(subject, arms),
            Compound::Arith(expression) => {
                self.construct(Construct::Arith);
                self.skeleton("(())");
                self.arithmetic(expression);
                self.assigns(expression);
            }
            Compound::Cond(items) => {
                self.construct(Construct::Cond);
                self.skeleton("[[]]");
                self.condition(items);
            }
        }
    }

    /// Names that an arithmetic command sets before anything reads them are integers from here on.
    fn assigns(&mut self, expression: &Arith) {
        if let Some(text) = literal(&expression.word) {
            self.assigns_text(&text);
        }
    }

    pub(super) fn assigns_text(&mut self, text: &str) {
        for name in assigned_first(text) {
            if self.facts.only_integers(name) {
                self.values.set(name, Some(Known::Integer));
            }
        }
    }

    fn nested_list(&mut self, context: Context, open: &str, list: &List, close: &str) {
        self.skeleton(open);
        self.within(context, |walker| walker.list(list));
        self.skeleton(close);
    }

    fn if_(&mut self, clauses: &[(List, List)], otherwise: Option<&List>) {
        self.construct(Construct::If);
        let all = self.enter();
        for (condition, body) in clauses {
            self.nested_list(Context::Condition, "if(", condition, ")");
            let mark = self.enter();
            self.nested_list(Context::Branch, "then(", body, ")");
            self.leave_branch(mark);
        }
        if let Some(body) = otherwise {
            let mark = self.enter();
            self.nested_list(Context::Branch, "else(", body, ")");
            self.leave_branch(mark);
        }
        self.leave_branch(all);
        self.skeleton("fi");
    }

    fn case(&mut self, subject: &Word, arms: &[CaseArm]) {
        self.construct(Construct::Case);
        self.skeleton("case ");
        self.effects_of(subject);
        for arm in arms {
            for pattern in &arm.patterns {
                self.effects_of(pattern);
            }
            let mark = self.enter();
            self.nested_list(Context::CaseArm, "(", &arm.body, ")");
            self.leave_branch(mark);
        }
        self.skeleton("esac");
    }

    /// Code that runs any number of times: a `cd` inside moves every round on from where the last one ended.
    fn loop_(&mut self, lists: &[&List], walk: impl FnOnce(&mut Self)) {
        self.construct(Construct::Loop);
        let mark = self.enter();
        if self.facts.may_move(lists) {
            self.dir = std::mem::take(&mut self.dir).or_anywhere();
        }
        walk(self);
        self.leave_branch(mark);
    }

    /// The values of `for x in words`, if all can be told.
    fn choices(&mut self, words: Option<&[Word]>) -> Option<Known> {
        let words = self.words(words?);
        let values: Vec<Vec<Part>> = words.into_iter().map(|word| word.parts).collect();
        let mut bytes = 0_usize;
        for part in values.iter().flatten() {
            match part {
                Part::Text(text) | Part::Glob(text) | Part::Tilde(text) => bytes = bytes.saturating_add(text.len()),
                Part::Var { name, quoted: true } => bytes = bytes.saturating_add(name.len()),
                Part::Var { quoted: false, .. } | Part::Dynamic { .. } | Part::Choice(_) => return None,
            }
        }
        (values.len() <= MAX_CHOICES && bytes <= MAX_CHOICE_BYTES).then_some(Known::Choice(values))
    }

    /// `[[ … ]]` (bash manual, "Conditional Constructs"): `-v` takes a name with a subscript, and the arithmetic
    /// operators evaluate both sides.
    fn condition(&mut self, items: &[CondItem]) {
        let mut previous: Option<(&str, Option<&Word>)> = None;
        for item in items {
            match item {
                CondItem::Op(op) => {
                    if is_arithmetic(op)
                        && let Some((_, Some(left))) = previous
                    {
                        self.check_arithmetic_word(left);
                    }
                    previous = Some((op, None));
                }
                CondItem::Operand(word) => {
                    self.effects_of(word);
                    match previous {
                        Some((op, None)) if is_arithmetic(op) => self.check_arithmetic_word(word),
                        Some(("-v" | "-R", None)) => self.check_name_word(word),
                        Some(_) | None => {}
                    }
                    previous = Some(("", Some(word)));
                }
            }
        }
    }
}

fn is_arithmetic(op: &str) -> bool {
    matches!(op, "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge")
}
