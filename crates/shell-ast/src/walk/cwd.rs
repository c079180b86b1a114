//! The working directory as the script moves through it.

use crate::analysis::{Cwd, Part, Word};

/// Where the shell may be.
///
/// `cd x; rm y` runs `rm` in `x`, or in the old directory if `cd` failed. Both readings matter: the first is what
/// normally happens and what deny rules and the floor must see, the second is what a local allow must survive. So a
/// command is reported once for each directory it may run in. After `cd x &&` and after `cd x || exit` only one is left.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Dir {
    /// If every `cd` did what it was told.
    pub(super) primary: Cwd,
    /// Otherwise; at most one entry.
    pub(super) others: Vec<Cwd>,
}

/// Longest chain of relative moves that is followed.
const MAX_MOVES: usize = 6;
/// Longest operand that is followed (PATH_MAX).
const MAX_OPERAND: usize = 4096;

impl Dir {
    /// `self` was the directory before something that may or may not have moved to `after`.
    pub(super) fn join(self, after: Self) -> Self {
        if self == after {
            return after;
        }
        let mut others: Vec<Cwd> = Vec::new();
        for other in std::iter::once(self.primary).chain(self.others).chain(after.others) {
            if other != after.primary && !others.contains(&other) {
                others.push(other);
            }
        }
        if others.len() > 1 {
            others = vec![Cwd::Unknown];
        }
        Self { primary: after.primary, others }
    }

    /// The same, with any other directory possible too.
    pub(super) fn or_anywhere(self) -> Self {
        Self {
            others: if self.primary == Cwd::Unknown { Vec::new() } else { vec![Cwd::Unknown] },
            primary: self.primary,
        }
    }

    /// Nothing is known.
    pub(super) fn unknown() -> Self {
        Self { primary: Cwd::Unknown, others: Vec::new() }
    }

    /// What copying it into a command costs, in units of [`crate::Limits::max_work`].
    pub(super) fn cost(cwd: &Cwd) -> usize {
        match cwd {
            Cwd::Start | Cwd::Unknown => 0,
            Cwd::Moved(words) => {
                words.iter().fold(0_usize, |sum, word| sum.saturating_add(word.raw.len())).checked_div(32).unwrap_or(0)
            }
        }
    }
}

/// `cwd` after `cd operand`.
pub(super) fn moved(cwd: &Cwd, operand: &Word) -> Cwd {
    let followed = operand.raw.len() <= MAX_OPERAND
        && operand.parts.iter().all(|part| match part {
            Part::Text(_) => true,
            Part::Tilde(user) => user != "-",
            Part::Var { name, .. } => matches!(name.as_str(), "HOME" | "PWD" | "TMPDIR"),
            Part::Glob(_) | Part::Choice(_) | Part::Dynamic { .. } => false,
        });
    if !followed {
        return Cwd::Unknown;
    }
    let absolute = match operand.parts.first() {
        Some(Part::Text(text)) => text.starts_with('/'),
        Some(Part::Tilde(user)) => user != "+",
        Some(Part::Var { name, .. }) => name == "HOME",
        Some(Part::Glob(_) | Part::Choice(_) | Part::Dynamic { .. }) | None => false,
    };
    match cwd {
        _ if absolute => Cwd::Moved(vec![operand.clone()]),
        Cwd::Start => Cwd::Moved(vec![operand.clone()]),
        Cwd::Moved(words) if words.len() < MAX_MOVES => {
            Cwd::Moved(words.iter().cloned().chain([operand.clone()]).collect())
        }
        Cwd::Moved(_) | Cwd::Unknown => Cwd::Unknown,
    }
}

/// The operand of `cd` or `pushd`; `None` if the directory after it is not known.
pub(super) fn operand(words: &[Word]) -> Option<Word> {
    let (name, rest) = words.split_first()?;
    let mut rest = rest.iter().peekable();
    while let Some(text) = rest.peek().and_then(|word| word.literal()) {
        let cluster = text.strip_prefix('-').filter(|cluster| !cluster.is_empty());
        match cluster {
            Some("-") => {
                rest.next();
                break;
            }
            Some(cluster) if cluster.chars().all(|c| matches!(c, 'L' | 'P' | 'e' | '@')) => rest.next(),
            _ => break,
        };
    }
    let operand = rest.next();
    if rest.next().is_some() {
        return None;
    }
    let pushd = name.literal().as_deref() == Some("pushd");
    match operand {
        // `cd` alone goes home; `pushd` alone exchanges directories.
        None => (!pushd).then(|| Word { raw: "~".into(), parts: vec![Part::Tilde(String::new())], span: name.span }),
        Some(word) if word.literal().as_deref() == Some("-") => None,
        Some(word) if pushd && word.literal_prefix().starts_with(['+', '-']) => None,
        Some(word) => Some(word.clone()),
    }
}
