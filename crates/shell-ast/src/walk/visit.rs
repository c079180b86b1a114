//! One traversal of the syntax tree, for everything that only has to look.

use crate::syntax::ast::{
    AndOr, Arith, AssignValue, Assignment, Command, Compound, CondItem, List, ParamExpansion, Redirect, RedirectTarget,
    Simple, Word, WordPart,
};

/// What the traversal meets, outermost first.
#[derive(Clone, Copy)]
pub(crate) enum Node<'t> {
    Simple(&'t Simple),
    Assignment(&'t Assignment),
    Redirect(&'t Redirect),
    /// A `for` or `select` over words, before its body.
    Loop {
        name: &'t str,
        words: Option<&'t [Word]>,
    },
    LeaveLoop,
    Param(&'t ParamExpansion),
    Arith(&'t Arith),
    Function {
        name: &'t Word,
    },
    LeaveFunction,
    Coproc(Option<&'t str>),
}

type Look<'t, 'f> = &'f mut dyn FnMut(Node<'t>);

/// Visits every node below `list`. The recursion is as deep as the tree, which the parser caps.
pub(crate) fn list<'t>(list: &'t List, look: Look<'t, '_>) {
    for item in &list.items {
        and_or(&item.and_or, look);
    }
}

fn and_or<'t>(and_or: &'t AndOr, look: Look<'t, '_>) {
    let pipelines = std::iter::once(&and_or.first).chain(and_or.rest.iter().map(|(_, pipeline)| pipeline));
    for stage in pipelines.flat_map(|pipeline| &pipeline.stages) {
        command(&stage.command, look);
    }
}

/// Visits one command.
pub(crate) fn command<'t>(command_: &'t Command, look: Look<'t, '_>) {
    match command_ {
        Command::Simple(simple) => {
            look(Node::Simple(simple));
            for assignment in &simple.assignments {
                look(Node::Assignment(assignment));
                assigned(assignment, look);
            }
            words(&simple.words, look);
            redirects(&simple.redirects, look);
        }
        Command::Compound { kind, redirects: list, .. } => {
            compound(kind, look);
            redirects(list, look);
        }
        Command::Function { name, body, .. } => {
            look(Node::Function { name });
            command(body, look);
            look(Node::LeaveFunction);
        }
        Command::Coproc { name, body, .. } => {
            look(Node::Coproc(name.as_deref()));
            command(body, look);
        }
    }
}

fn assigned<'t>(assignment: &'t Assignment, look: Look<'t, '_>) {
    if let Some(subscript) = &assignment.subscript {
        word(subscript, look);
    }
    match &assignment.value {
        AssignValue::Scalar(value) => word(value, look),
        AssignValue::Array(items) => elements(items, look),
    }
}

fn elements<'t>(items: &'t [(Option<Word>, Word)], look: Look<'t, '_>) {
    for (key, value) in items {
        if let Some(key) = key {
            word(key, look);
        }
        word(value, look);
    }
}

fn redirects<'t>(redirects: &'t [Redirect], look: Look<'t, '_>) {
    for redirect in redirects {
        look(Node::Redirect(redirect));
        match &redirect.target {
            RedirectTarget::Word(target) => word(target, look),
            RedirectTarget::HereDoc { body, .. } => {
                if let Some(body) = body.word() {
                    word(body, look);
                }
            }
        }
    }
}

fn compound<'t>(kind: &'t Compound, look: Look<'t, '_>) {
    match kind {
        Compound::Subshell(body) | Compound::Group(body) => list(body, look),
        Compound::If { clauses, otherwise } => {
            for (condition, body) in clauses {
                list(condition, look);
                list(body, look);
            }
            if let Some(body) = otherwise {
                list(body, look);
            }
        }
        Compound::While { condition, body } | Compound::Until { condition, body } => {
            list(condition, look);
            list(body, look);
        }
        Compound::For { name, words: items, body } | Compound::Select { name, words: items, body } => {
            words(items.as_deref().unwrap_or_default(), look);
            look(Node::Loop { name, words: items.as_deref() });
            list(body, look);
            look(Node::LeaveLoop);
        }
        Compound::ForArith { init, test, step, body } => {
            for expression in [init, test, step] {
                arith(expression, look);
            }
            list(body, look);
        }
        Compound::Case { subject, arms } => {
            word(subject, look);
            for arm in arms {
                words(&arm.patterns, look);
                list(&arm.body, look);
            }
        }
        Compound::Arith(expression) => arith(expression, look),
        Compound::Cond(items) => {
            for item in items {
                match item {
                    CondItem::Op(_) => {}
                    CondItem::Operand(operand) => word(operand, look),
                }
            }
        }
    }
}

fn arith<'t>(expression: &'t Arith, look: Look<'t, '_>) {
    look(Node::Arith(expression));
    word(&expression.word, look);
}

fn words<'t>(words: &'t [Word], look: Look<'t, '_>) {
    for item in words {
        word(item, look);
    }
}

/// Visits one word.
pub(crate) fn word<'t>(word_: &'t Word, look: Look<'t, '_>) {
    parts(&word_.parts, look);
}

fn parts<'t>(items: &'t [WordPart], look: Look<'t, '_>) {
    for part in items {
        match part {
            WordPart::Unquoted(_) | WordPart::Quoted(_) => {}
            WordPart::DoubleQuoted(inner) => parts(inner, look),
            WordPart::Param(param) => {
                look(Node::Param(param));
                if let Some(subscript) = &param.subscript {
                    word(subscript, look);
                }
                words(&param.operands, look);
            }
            WordPart::CommandSub(body) | WordPart::ProcessSub { list: body, .. } => list(body, look),
            WordPart::Arith(expression) => arith(expression, look),
            WordPart::ArrayLiteral(items) => elements(items, look),
        }
    }
}
