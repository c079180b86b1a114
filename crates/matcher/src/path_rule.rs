//! Path patterns of file-tool rules, in both dialects.
//!
//! `Read(~/.ssh/**)` with a capital is Claude Code's: `//` absolute, `~/` home, `/` the settings' project, anything else
//! the working directory; `*` stops at `/`, `**` crosses it, a pattern without a slash matches at any depth. `read(src/*)`
//! in lower case is Pi's: `/` is the root, and `*` matches anything. A lower-case pattern with `**` tells the two stars
//! apart itself. Deny and ask rules match by every reading; an allow rule only by the one that its text says.

use crate::glob::{Question, Side, Wild, fold_name};
use crate::{Facts, PathFact, RuleError};

/// Most patterns that one pattern with braces stands for; beyond it the braces are text.
pub(crate) const MAX_ALTERNATIVES: usize = 64;

#[derive(Clone, Debug)]
pub(crate) struct PathPattern {
    allow: Reading,
    /// Folded.
    tighten: Vec<Reading>,
}

/// One reading of the pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Reading {
    base: Base,
    /// How many directories above the base it starts: `../x`.
    up: usize,
    form: Form,
}

/// Where a pattern starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    Root,
    Home,
    Settings,
    Cwd,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    /// `*` stops at `/`.
    Tree(Tree),
    /// `*` matches anything.
    Flat(Wild),
}

/// A gitignore-style glob: runs of names between `**`. The first run is anchored at the start, the last at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Tree {
    runs: Vec<Vec<Wild>>,
}

impl Tree {
    fn new(pattern: &str, question: Question) -> Self {
        let mut runs: Vec<Vec<Wild>> = vec![Vec::new()];
        for name in pattern.split('/').filter(|name| !name.is_empty() && *name != ".") {
            if name.chars().all(|c| c == '*') && name.len() > 1 {
                if runs.len() == 1 || runs.last().is_some_and(|run| !run.is_empty()) {
                    runs.push(Vec::new());
                }
            } else if let Some(run) = runs.last_mut() {
                run.push(Wild::new(name, question));
            }
        }
        Self { runs }
    }

    fn is_match(&self, path: &str, side: Side) -> bool {
        let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
        let all = |run: &[Wild], names: &[&str]| {
            run.len() == names.len() && run.iter().zip(names).all(|(wild, name)| wild.is_match(name, side))
        };
        let Some((first, rest)) = self.runs.split_first() else { return false };
        let Some((last, middle)) = rest.split_last() else { return all(first, &names) };
        let Some((head, names)) = names.split_at_checked(first.len()) else { return false };
        let Some((mut names, tail)) = names.len().checked_sub(last.len()).and_then(|at| names.split_at_checked(at))
        else {
            return false;
        };
        if !all(first, head) || !all(last, tail) {
            return false;
        }
        for run in middle {
            let Some(at) = names.windows(run.len().max(1)).position(|window| all(run, window)) else { return false };
            names = names.get(at.saturating_add(run.len())..).unwrap_or_default();
        }
        true
    }
}

impl PathPattern {
    /// Compiles a pattern; `capital` says that the rule's tool name has a capital letter.
    pub(crate) fn new(pattern: &str, capital: bool) -> Result<Self, RuleError> {
        let pattern = pattern.strip_prefix('@').unwrap_or(pattern).replace('\\', "/");
        let mut tighten = Vec::new();
        for text in alternatives(&fold_name(&pattern)) {
            for dialect in [Dialect::Claude, Dialect::Pi] {
                for class in [Class::Literal, Class::AnyChar] {
                    for below in [Below::No, Below::Yes] {
                        let reading = Reading::new(&text, dialect, class, below)?;
                        if !tighten.contains(&reading) {
                            tighten.push(reading);
                        }
                    }
                }
            }
            // Pi's `*.env` and `*/secrets/*` start anywhere.
            if text.starts_with('*') {
                tighten.push(Reading { base: Base::Root, up: 0, form: Form::Flat(Wild::new(&text, Question::One)) });
            }
            // `/etc/**` in lower case is Pi's root; with a capital many people mean it too.
            if let Some(rest) = text.strip_prefix('/') {
                let form = Form::Tree(Tree::new(&format!("{}/**", rest.trim_matches('/')), Question::One));
                tighten.push(Reading { base: Base::Root, up: 0, form });
            }
        }
        let dialect = if capital { Dialect::Claude } else { Dialect::Pi };
        let below = if pattern.ends_with('/') { Below::Yes } else { Below::No };
        Ok(Self { allow: Reading::new(&pattern, dialect, Class::Literal, below)?, tighten })
    }

    /// A deny or ask rule matches by any form of the path and any reading of the pattern.
    pub(crate) fn tightens(&self, path: &PathFact, facts: &Facts<'_>) -> bool {
        [&path.resolved, &path.absolute, &path.typed].into_iter().filter(|form| !form.is_empty()).any(|form| {
            let form = normal(form);
            let form = fold_name(&form);
            self.tighten.iter().any(|reading| reading.is_match(&form, facts, Side::Tighten))
        })
    }

    /// A deny or ask rule matches every file right in the directory, so a search there finds only denied ones.
    pub(crate) fn tightens_all_in(&self, directory: &PathFact, facts: &Facts<'_>) -> bool {
        // A name that only a wildcard matches.
        let inside = |path: &str| if path.is_empty() { String::new() } else { format!("{path}/\u{1}\u{1}") };
        let PathFact { typed, absolute, resolved } = directory;
        let child = PathFact { typed: inside(typed), absolute: inside(absolute), resolved: inside(resolved) };
        self.tightens(&child, facts)
    }

    /// An allow rule has to match the path as written and the file that it really is.
    pub(crate) fn allows(&self, path: &PathFact, facts: &Facts<'_>) -> bool {
        [&path.absolute, &path.resolved]
            .into_iter()
            .all(|form| form.starts_with('/') && self.allow.is_match(form, facts, Side::Loosen))
    }
}

/// Whose reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Claude,
    Pi,
}

/// How `[…]` is read: file names with brackets are common (`app/[id]/page.tsx`), gitignore has classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Literal,
    AnyChar,
}

/// Whether everything below what the pattern names belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Below {
    No,
    Yes,
}

impl Reading {
    fn new(pattern: &str, dialect: Dialect, class: Class, below: Below) -> Result<Self, RuleError> {
        let (base, rest) = start(pattern, dialect);
        let mut up = 0usize;
        let mut names: Vec<&str> = Vec::new();
        for name in rest.split('/').filter(|name| !name.is_empty() && *name != ".") {
            if name != ".." {
                names.push(name);
                continue;
            }
            match names.pop() {
                Some(name) if name.contains('*') => return Err(RuleError::parent_after_star()),
                Some(_) => {}
                None => up = up.saturating_add(1),
            }
        }
        let joined = names.join("/");
        let text = if class == Class::AnyChar { classes(&joined) } else { joined };
        // Claude Code and gitignore: a pattern without a slash matches at any depth.
        let deep = dialect == Dialect::Claude
            && base == Base::Cwd
            && up == 0
            && names.len() == 1
            && !pattern.starts_with("./");
        let text = if deep && !pattern.trim_end_matches('/').contains('/') { format!("**/{text}") } else { text };
        let text = if below == Below::Yes { format!("{text}/**") } else { text };
        let flat = dialect == Dialect::Pi && !text.contains("**");
        let question =
            if class == Class::AnyChar || dialect == Dialect::Claude { Question::One } else { Question::Literal };
        let form = if flat { Form::Flat(Wild::new(&text, question)) } else { Form::Tree(Tree::new(&text, question)) };
        Ok(Self { base, up, form })
    }

    fn is_match(&self, path: &str, facts: &Facts<'_>, side: Side) -> bool {
        let anywhere = |path: &str| {
            // The base is not known: a deny rule for `~/.ssh` then holds for every `.ssh`.
            let mut tail = path;
            let mut starts = std::iter::from_fn(move || {
                let (_, rest) = tail.split_once('/')?;
                tail = rest;
                Some(rest)
            });
            starts.any(|start| self.form.is_match(start, side))
        };
        let (first, second) = match self.base {
            Base::Root => (Some("/"), None),
            Base::Home => (facts.home, None),
            Base::Settings => (facts.settings_root.or((side == Side::Tighten).then_some(facts.cwd)), None),
            // Both name the same directory; the path may be written by either.
            Base::Cwd => (Some(facts.cwd), Some(facts.call.cwd.as_str())),
        };
        let bases = [first, second];
        let mut known = bases.into_iter().flatten().filter(|base| base.starts_with('/')).peekable();
        if known.peek().is_none() {
            return side == Side::Tighten && anywhere(path);
        }
        // A path that is still relative is relative to the working directory.
        if self.base == Base::Cwd && side == Side::Tighten && self.up == 0 && !path.starts_with(['/', '~']) {
            return self.form.is_match(path, side);
        }
        known.any(|base| {
            let base = match side {
                Side::Tighten => fold_name(base),
                Side::Loosen => base.into(),
            };
            let mut base = base.trim_end_matches('/');
            for _ in 0..self.up {
                base = base.rsplit_once('/').map_or("", |(parent, _)| parent);
            }
            let Some(rest) = path.strip_prefix(base) else { return false };
            match rest.strip_prefix('/') {
                Some(rest) => self.form.is_match(rest, side),
                None => rest.is_empty() && self.form.is_match("", side),
            }
        })
    }
}

impl Form {
    fn is_match(&self, path: &str, side: Side) -> bool {
        match self {
            Self::Tree(tree) => tree.is_match(path, side),
            Self::Flat(wild) => wild.is_match(path, side),
        }
    }
}

/// The base that a pattern starts from, and the rest.
fn start(pattern: &str, dialect: Dialect) -> (Base, &str) {
    for home in ["~", "$HOME", "${HOME}", "$home", "${home}"] {
        if let Some(rest) = pattern.strip_prefix(home)
            && (rest.is_empty() || rest.starts_with('/'))
        {
            return (Base::Home, rest);
        }
    }
    if let Some(rest) = pattern.strip_prefix("//") {
        return (Base::Root, rest);
    }
    match (pattern.strip_prefix('/'), dialect) {
        (Some(rest), Dialect::Claude) => (Base::Settings, rest),
        (Some(rest), Dialect::Pi) => (Base::Root, rest),
        (None, _) => (Base::Cwd, pattern),
    }
}

/// `[…]` as `?`: covers whatever the class does.
fn classes(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((head, tail)) = rest.split_once('[') {
        let Some((class, after)) = tail.split_once(']') else { break };
        out.push_str(head);
        if class.contains('/') {
            out.push('[');
            rest = tail;
        } else {
            out.push('?');
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

/// `*.{pem,key}` as `*.pem` and `*.key`, the text itself included: gitignore knows no braces, people write them.
pub(crate) fn alternatives(pattern: &str) -> Vec<String> {
    let mut out = vec![pattern.to_owned()];
    let mut index = 0;
    while let Some(text) = out.get(index).cloned() {
        index = index.saturating_add(1);
        let Some((head, rest)) = text.split_once('{') else { continue };
        let Some((inner, tail)) = rest.split_once('}') else { continue };
        for part in inner.split(',') {
            if out.len() >= MAX_ALTERNATIVES {
                return out;
            }
            out.push(format!("{head}{part}{tail}"));
        }
    }
    out
}

/// Slashes as `/`, no `.` names, no doubled slashes.
fn normal(path: &str) -> String {
    let slashed = path.replace('\\', "/");
    let names: Vec<&str> = slashed.split('/').filter(|name| !name.is_empty() && *name != ".").collect();
    format!("{}{}", if slashed.starts_with('/') { "/" } else { "" }, names.join("/"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Question, Side, Tree, Wild};

    /// The definition, with backtracking: `**` is any number of names.
    fn reference(pattern: &[&str], names: &[&str]) -> bool {
        match pattern.split_first() {
            None => names.is_empty(),
            Some((&"**", rest)) => (0..=names.len()).any(|skip| reference(rest, &names[skip..])),
            Some((name, rest)) => names.split_first().is_some_and(|(first, tail)| {
                Wild::new(name, Question::Literal).is_match(first, Side::Loosen) && reference(rest, tail)
            }),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]
        #[test]
        fn trees_match_as_the_backtracking_definition_says(
            pattern in prop::collection::vec(prop::sample::select(vec!["**", "a", "b", "*", "a*"]), 1..6),
            names in prop::collection::vec(prop::sample::select(vec!["a", "b", "ab"]), 0..6),
        ) {
            let tree = Tree::new(&pattern.join("/"), Question::Literal);
            prop_assert_eq!(tree.is_match(&names.join("/"), Side::Loosen), reference(&pattern, &names));
        }
    }
}
