//! Patterns over shell commands.

use portcullis_shell_ast::{Analysis, Command, Construct, Redirect, RedirectOp, Word, analyze};

use crate::forms::{self, AllowText, Forms};
use crate::glob::{Question, Side, TextPattern, Wild, fold};
use crate::{assign, rule};

/// One `bash(…)` pattern.
#[derive(Clone, Debug)]
pub(crate) struct BashPattern {
    /// The readings of its whole text, folded, for deny and ask.
    texts: Vec<TextPattern>,
    /// Its own analysis; `None` if the pattern is no complete command.
    structure: Option<Structure>,
}

/// A pattern read as a script.
#[derive(Clone, Debug)]
struct Structure {
    skeleton: String,
    commands: Vec<CommandPattern>,
    compound: Vec<RedirectPattern>,
}

#[derive(Clone, Debug)]
struct CommandPattern {
    exact: TextPattern,
    folded: TextPattern,
    /// Case counts: options differ by case (`tar -t`, `tar -T`).
    cased: bool,
    /// Which of its words hold expansions.
    dynamic: Vec<bool>,
    redirects: Vec<RedirectPattern>,
    assignments: Vec<(String, Wild)>,
}

#[derive(Clone, Debug)]
struct RedirectPattern {
    op: RedirectOp,
    fd: Option<u32>,
    fd_var: Option<String>,
    target: Wild,
    /// The target is written with `..`.
    climbs: bool,
}

/// What a deny or ask rule matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Match {
    /// A command of the union, by index.
    Command(usize),
    /// The call as a whole.
    Whole,
}

impl Match {
    pub(crate) const fn command(self) -> Option<usize> {
        match self {
            Self::Command(index) => Some(index),
            Self::Whole => None,
        }
    }
}

/// The texts of a whole call, for deny and ask.
#[derive(Clone, Debug, Default)]
pub(crate) struct BashForms {
    /// The command string, folded.
    pub(crate) raw: String,
    /// For each command of the union its texts.
    pub(crate) commands: Vec<Forms>,
    skeleton: String,
}

impl BashForms {
    pub(crate) fn new(raw: &str, analysis: Option<&Analysis>) -> Self {
        let mut budget = forms::MAX_BYTES;
        let commands = analysis
            .map(|analysis| analysis.union().map(|command| Forms::new(command, &mut budget)).collect())
            .unwrap_or_default();
        let skeleton = analysis.map(|analysis| analysis.skeleton.clone()).unwrap_or_default();
        Self { raw: fold(raw.trim()).into_owned(), commands, skeleton }
    }
}

/// Constructs whose meaning no pattern can write down, so that no rule allows them.
pub(crate) const NEVER: &[(Construct, &str)] = &[
    (Construct::Loop, "a loop runs its body with values that no pattern names"),
    (Construct::Function, "a function gives a name another meaning"),
    (Construct::Coproc, "a coprocess runs beside the script"),
    (Construct::Case, "`case` chooses by a pattern of its own"),
    (Construct::Cond, "`[[ ]]` evaluates its operands"),
    (Construct::Arith, "`(( ))` evaluates its operands"),
    (Construct::HereDoc, "a here-document is input that no pattern names"),
];

impl BashPattern {
    pub(crate) fn new(body: &str) -> Self {
        let script = forms::single_blanks(&rule::words_star(body));
        let mut texts = vec![TextPattern::new(&fold(&script), Question::Literal)];
        if body.ends_with(":*") {
            // Pi reads `a:*` as it stands.
            texts.push(TextPattern::new(&fold(&forms::single_blanks(body)), Question::Literal));
        }
        Self { texts, structure: Structure::new(&script) }
    }

    /// The pattern is a complete command, without which it can't cover one.
    pub(crate) fn is_complete(&self) -> bool {
        self.structure.is_some()
    }

    /// What a deny or ask rule matches.
    pub(crate) fn tightens(&self, forms: &BashForms) -> Option<Match> {
        let hit = |forms: &Forms| self.texts.iter().any(|pattern| forms.any(pattern));
        if let Some(index) = forms.commands.iter().position(hit) {
            return Some(Match::Command(index));
        }
        if self.texts.iter().any(|pattern| pattern.is_match(&forms.raw, Side::Tighten)) {
            return Some(Match::Whole);
        }
        let structure = self.structure.as_ref()?;
        let same = structure.commands.len() > 1
            && structure.commands.len() == forms.commands.len()
            && structure.skeleton == forms.skeleton
            && structure.commands.iter().zip(&forms.commands).all(|(pattern, forms)| forms.any(&pattern.folded));
        same.then_some(Match::Whole)
    }

    /// A pattern of one plain command covers this command.
    pub(crate) fn covers_command(&self, command: &Command, text: &AllowText) -> bool {
        let Some(structure) = &self.structure else { return false };
        match structure.commands.as_slice() {
            [only] if structure.skeleton == PLAIN && structure.compound.is_empty() => only.covers(command, text),
            _ => false,
        }
    }

    /// The pattern's own structure is the script's, command by command.
    pub(crate) fn covers_script(&self, analysis: &Analysis, texts: &[AllowText]) -> bool {
        let Some(structure) = &self.structure else { return false };
        structure.skeleton == analysis.skeleton
            && structure.commands.len() == analysis.commands.len()
            && structure
                .commands
                .iter()
                .zip(&analysis.commands)
                .zip(texts)
                .all(|((pattern, command), text)| pattern.covers(command, text))
            && structure.compound.len() == analysis.compound_redirects.len()
            && structure
                .compound
                .iter()
                .zip(&analysis.compound_redirects)
                .all(|(pattern, scoped)| pattern.covers(&scoped.redirect))
    }
}

/// The skeleton of one command.
const PLAIN: &str = "C";

impl Structure {
    fn new(script: &str) -> Option<Self> {
        let analysis = analyze(script);
        let complete = analysis.parse == portcullis_shell_ast::ParseOutcome::Ok && analysis.limits.is_empty();
        if !complete
            || analysis.commands.is_empty()
            || NEVER.iter().any(|(construct, _)| analysis.constructs.contains(construct))
        {
            return None;
        }
        Some(Self {
            skeleton: analysis.skeleton.clone(),
            commands: analysis.commands.iter().map(CommandPattern::new).collect(),
            compound: analysis.compound_redirects.iter().map(|scoped| RedirectPattern::new(&scoped.redirect)).collect(),
        })
    }
}

impl CommandPattern {
    fn new(command: &Command) -> Self {
        let words: Vec<&str> = command.words.iter().map(|word| word.raw.as_str()).collect();
        let text = words.join(" ");
        Self {
            exact: TextPattern::new(&text, Question::Literal),
            folded: TextPattern::new(&fold(&text), Question::Literal),
            cased: words.iter().any(|word| word.starts_with('-')),
            dynamic: command.words.iter().map(Word::is_dynamic).collect(),
            redirects: command.redirects.iter().map(RedirectPattern::new).collect(),
            assignments: command
                .assignments
                .iter()
                .map(|item| {
                    let value = item.value.as_ref().map_or("", |value| value.raw.as_str());
                    (item.name.clone(), Wild::new(value, Question::Literal))
                })
                .collect(),
        }
    }

    fn covers(&self, command: &Command, text: &AllowText) -> bool {
        self.covers_text(text)
            && self.covers_assignments(command)
            && self.redirects.len() == command.redirects.len()
            && self.redirects.iter().zip(&command.redirects).all(|(pattern, redirect)| pattern.covers(redirect))
    }

    fn covers_text(&self, text: &AllowText) -> bool {
        // A word of unknown value may stand for a wildcard, as an argument, but not for a part that the pattern spells out.
        let texts = text.texts(&self.dynamic);
        let folded =
            |form: &String| !self.cased && self.same_program(form) && self.folded.is_match(&fold(form), Side::Loosen);
        texts.iter().any(|form| self.exact.is_match(form, Side::Loosen) || folded(form))
    }

    /// `GIT` is another program than `git`.
    fn same_program(&self, text: &str) -> bool {
        let program = self.exact.main().prefix().split(' ').next().unwrap_or_default();
        text.starts_with(program)
    }

    /// Harmless assignments need no mention; any other stands in the pattern too.
    fn covers_assignments(&self, command: &Command) -> bool {
        let mut wanted = self.assignments.iter();
        for assignment in &command.assignments {
            let raw = assignment.value.as_ref().map_or("", |value| value.raw.as_str());
            let named = wanted
                .clone()
                .next()
                .is_some_and(|(name, value)| *name == assignment.name && value.is_match(raw, Side::Loosen));
            if named && !assignment.append {
                wanted.next();
            } else if !assign::is_harmless(assignment) {
                return false;
            }
        }
        wanted.next().is_none()
    }
}

impl RedirectPattern {
    fn new(redirect: &Redirect) -> Self {
        Self {
            op: redirect.op,
            fd: redirect.fd,
            fd_var: redirect.fd_var.clone(),
            target: Wild::new(&redirect.target.raw, Question::Literal),
            climbs: climbs(&redirect.target),
        }
    }

    fn covers(&self, redirect: &Redirect) -> bool {
        let target = &redirect.target;
        self.op == redirect.op
            && self.fd == redirect.fd
            && self.fd_var == redirect.fd_var
            // `out/*` names what is below `out`.
            && (self.climbs || !climbs(target))
            && (self.target.is_match(&target.raw, Side::Loosen)
                || target
                    .literal()
                    .is_some_and(|value| crate::argv::is_plain(&value) && self.target.is_match(&value, Side::Loosen)))
    }
}

/// The word has a `..` among its names.
fn climbs(target: &Word) -> bool {
    let text = target.literal().unwrap_or_else(|| target.raw.clone());
    text.split('/').any(|name| name == "..")
}
