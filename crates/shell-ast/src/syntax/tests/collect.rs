//! Walks a tree for the names of the commands it holds.

use crate::syntax::ast::{
    Arith, AssignValue, Command, Compound, CondItem, List, Redirect, RedirectTarget, Simple, Word, WordPart,
};

/// The first word of every simple command, in order; `?` where it is not literal, nothing where there is no word.
pub(super) fn names(list: &List) -> Vec<String> {
    let mut out = Vec::new();
    walk_list(list, &mut out);
    out
}

fn walk_list(list: &List, out: &mut Vec<String>) {
    for item in &list.items {
        let rest = item.and_or.rest.iter().map(|(_, pipeline)| pipeline);
        for pipeline in std::iter::once(&item.and_or.first).chain(rest) {
            for stage in &pipeline.stages {
                command(&stage.command, out);
            }
        }
    }
}

fn command(node: &Command, out: &mut Vec<String>) {
    match node {
        Command::Simple(node) => simple(node, out),
        Command::Compound { kind, redirects, .. } => {
            compound(kind, out);
            for node in redirects {
                redirect(node, out);
            }
        }
        Command::Function { body, .. } | Command::Coproc { body, .. } => command(body, out),
    }
}

fn simple(node: &Simple, out: &mut Vec<String>) {
    if let Some(first) = node.words.first() {
        out.push(literal(&first.parts).unwrap_or_else(|| "?".to_owned()));
    }
    for assignment in &node.assignments {
        assignment.subscript.iter().for_each(|node| word(node, out));
        match &assignment.value {
            AssignValue::Scalar(node) => word(node, out),
            AssignValue::Array(elements) => array(elements, out),
        }
    }
    node.words.iter().for_each(|node| word(node, out));
    node.redirects.iter().for_each(|node| redirect(node, out));
}

fn compound(kind: &Compound, out: &mut Vec<String>) {
    match kind {
        Compound::Subshell(list) | Compound::Group(list) => walk_list(list, out),
        Compound::If { clauses, otherwise } => {
            for (condition, body) in clauses {
                walk_list(condition, out);
                walk_list(body, out);
            }
            if let Some(list) = otherwise {
                walk_list(list, out);
            }
        }
        Compound::While { condition, body } | Compound::Until { condition, body } => {
            walk_list(condition, out);
            walk_list(body, out);
        }
        Compound::For { words, body, .. } | Compound::Select { words, body, .. } => {
            words.iter().flatten().for_each(|node| word(node, out));
            walk_list(body, out);
        }
        Compound::ForArith { init, test, step, body } => {
            for node in [init, test, step] {
                arith(node, out);
            }
            walk_list(body, out);
        }
        Compound::Case { subject, arms } => {
            word(subject, out);
            for arm in arms {
                arm.patterns.iter().for_each(|node| word(node, out));
                walk_list(&arm.body, out);
            }
        }
        Compound::Arith(node) => arith(node, out),
        Compound::Cond(items) => items.iter().for_each(|item| match item {
            CondItem::Operand(node) => word(node, out),
            CondItem::Op(_) => {}
        }),
    }
}

fn redirect(node: &Redirect, out: &mut Vec<String>) {
    match &node.target {
        RedirectTarget::Word(node) => word(node, out),
        RedirectTarget::HereDoc { body, .. } => body.word().into_iter().for_each(|node| word(node, out)),
    }
}

fn array(elements: &[(Option<Word>, Word)], out: &mut Vec<String>) {
    for (key, value) in elements {
        if let Some(key) = key {
            word(key, out);
        }
        word(value, out);
    }
}

fn arith(node: &Arith, out: &mut Vec<String>) {
    word(&node.word, out);
}

fn word(node: &Word, out: &mut Vec<String>) {
    parts(&node.parts, out);
}

fn parts(nodes: &[WordPart], out: &mut Vec<String>) {
    for part in nodes {
        match part {
            WordPart::Unquoted(_) | WordPart::Quoted(_) => {}
            WordPart::DoubleQuoted(inner) => parts(inner, out),
            WordPart::Param(param) => {
                param.subscript.iter().for_each(|node| word(node, out));
                param.operands.iter().for_each(|node| word(node, out));
            }
            WordPart::CommandSub(list) | WordPart::ProcessSub { list, .. } => walk_list(list, out),
            WordPart::Arith(node) => arith(node, out),
            WordPart::ArrayLiteral(elements) => array(elements, out),
        }
    }
}

/// The value of a word without expansions.
pub(super) fn literal(nodes: &[WordPart]) -> Option<String> {
    nodes
        .iter()
        .map(|part| match part {
            WordPart::Unquoted(text) | WordPart::Quoted(text) => Some(text.clone()),
            WordPart::DoubleQuoted(inner) => literal(inner),
            // An empty substitution is empty text.
            WordPart::CommandSub(list) if list.items.is_empty() => Some(String::new()),
            WordPart::Param(_)
            | WordPart::CommandSub(_)
            | WordPart::Arith(_)
            | WordPart::ProcessSub { .. }
            | WordPart::ArrayLiteral(_) => None,
        })
        .collect()
}
