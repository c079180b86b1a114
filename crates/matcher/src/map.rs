//! Map-style policies: surfaces with ordered patterns, as in pi-permission-system.
//!
//! Within a surface the last pattern that matches decides; across surfaces the strictest answer does. A shell command is as
//! strict as its strictest part. `*` is any text, `?` one character, a trailing ` *` also no arguments. The surface `*`
//! answers for tools whose own surface says nothing.

use portcullis_shell_ast::{Command, RedirectOp};

use crate::bash::BashForms;
use crate::decide::{Subjects, never_allowable};
use crate::forms::AllowText;
use crate::glob::{Question, Side, TextPattern, fold, is_overlong};
use crate::{Facts, Hit, List, MAX_PATTERN, PathFact, RuleProblem, RuleSet, ToolKind, ToolName, assign};

/// Longest reason, in characters.
const MAX_REASON: usize = 500;

/// What a pattern answers; the stricter one is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MapAction {
    /// Runs.
    Allow,
    /// A person, or the classifier in their place, decides.
    Ask,
    /// Refused.
    Deny,
}

/// One pattern of a surface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapEntry {
    /// The wildcard pattern; `*` for a surface that was given a single action.
    pub pattern: String,
    /// The answer.
    pub action: MapAction,
    /// Why, for the model; at most 500 characters, longer ones are cut.
    pub reason: Option<String>,
}

/// One surface with its patterns in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapSurface {
    /// `*`, a tool name, `bash`, `mcp`, `skill`, `task`, `path` or `external_directory`.
    pub name: String,
    /// The patterns.
    pub entries: Vec<MapEntry>,
}

/// A compiled policy.
#[derive(Clone, Debug, Default)]
pub struct MapPolicy {
    surfaces: Vec<Surface>,
}

/// What the policy says of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapOutcome {
    /// The answer; `None` if nothing matched, which seed 002 reads as [`MapPolicy::UNMATCHED`].
    pub action: Option<MapAction>,
    /// The entry that decided.
    pub hit: Option<Hit>,
}

#[derive(Clone, Debug)]
struct Surface {
    kind: SurfaceKind,
    entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum SurfaceKind {
    Any,
    Tool(String),
    Mcp,
    Path,
    ExternalDirectory,
}

#[derive(Clone, Debug)]
struct Entry {
    index: usize,
    text: String,
    folded: TextPattern,
    exact: TextPattern,
    action: MapAction,
    reason: Option<String>,
}

/// The answer of one entry, with the command that it was for.
#[derive(Clone, Copy)]
struct Answer<'p> {
    entry: &'p Entry,
    action: MapAction,
    command: Option<usize>,
}

impl MapPolicy {
    /// What a call that no pattern matches gets.
    pub const UNMATCHED: MapAction = MapAction::Ask;

    /// Compiles the surfaces. A pattern that is too long is left out and reported.
    pub fn compile(surfaces: &[MapSurface]) -> (Self, Vec<RuleProblem>) {
        let mut problems = Vec::new();
        let mut index = 0usize;
        let mut compiled = Vec::with_capacity(surfaces.len());
        for surface in surfaces {
            let mut entries = Vec::with_capacity(surface.entries.len());
            for entry in &surface.entries {
                if entry.pattern.encode_utf16().count() > MAX_PATTERN {
                    problems.push(RuleProblem {
                        list: list_of(entry.action),
                        index,
                        text: entry.pattern.clone(),
                        message: "the pattern is longer than 4,096 characters: shorten it with `*`".to_owned(),
                        tightening: entry.action != MapAction::Allow,
                    });
                } else {
                    entries.push(Entry::new(index, &surface.name, entry));
                }
                index = index.saturating_add(1);
            }
            compiled.push(Surface { kind: SurfaceKind::new(&surface.name), entries });
        }
        (Self { surfaces: compiled }, problems)
    }

    /// The answer for a call.
    pub fn evaluate(&self, facts: &Facts<'_>) -> MapOutcome {
        let subjects = Subjects::new(facts);
        let own = self.surfaces.iter().filter(|surface| surface.kind.names(facts));
        let tool = strictest(own.map(|surface| surface.tool(&subjects))).or_else(|| {
            strictest(
                self.surfaces.iter().filter(|s| s.kind == SurfaceKind::Any).map(|surface| surface.tool(&subjects)),
            )
        });
        let paths = self.surfaces.iter().filter_map(|surface| match surface.kind {
            SurfaceKind::Path => Some(surface.paths(facts, |_| true)),
            SurfaceKind::ExternalDirectory => Some(surface.paths(facts, |path| is_outside(path, facts))),
            SurfaceKind::Any | SurfaceKind::Tool(_) | SurfaceKind::Mcp => None,
        });
        // A path surface alone never allows: it says nothing about the tool.
        let paths = strictest(paths).filter(|answer| answer.action != MapAction::Allow);
        let answer = strictest([tool, paths].into_iter());
        MapOutcome { action: answer.map(|answer| answer.action), hit: answer.map(Answer::hit) }
    }
}

fn list_of(action: MapAction) -> List {
    match action {
        MapAction::Allow => List::Allow,
        MapAction::Ask => List::Ask,
        MapAction::Deny => List::Deny,
    }
}

fn strictest<'p>(answers: impl Iterator<Item = Option<Answer<'p>>>) -> Option<Answer<'p>> {
    let mut best: Option<Answer<'p>> = None;
    for answer in answers.flatten() {
        if best.is_none_or(|best| best.action < answer.action) {
            best = Some(answer);
        }
    }
    best
}

fn is_outside(path: &PathFact, facts: &Facts<'_>) -> bool {
    let cwd = facts.cwd.trim_end_matches('/');
    // Seed 002 exempts these: they name no place in the file system.
    if ["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"].contains(&path.absolute.as_str()) {
        return false;
    }
    path.resolved.strip_prefix(cwd).is_none_or(|rest| !rest.is_empty() && !rest.starts_with('/'))
}

impl Answer<'_> {
    fn hit(self) -> Hit {
        let entry = self.entry;
        Hit {
            list: list_of(self.action),
            index: entry.index,
            rule: entry.text.clone(),
            command: self.command,
            detail: if self.action == entry.action {
                "the last pattern of its surface that matches".to_owned()
            } else {
                "the pattern allows the text, but the command has parts that no pattern can allow".to_owned()
            },
            reason: entry.reason.clone(),
        }
    }
}

impl SurfaceKind {
    fn new(name: &str) -> Self {
        match name.trim().to_lowercase().as_str() {
            "*" => Self::Any,
            "mcp" => Self::Mcp,
            "path" => Self::Path,
            "external_directory" => Self::ExternalDirectory,
            _ => Self::Tool(fold(ToolName::normalize(name).as_str()).into_owned()),
        }
    }

    fn names(&self, facts: &Facts<'_>) -> bool {
        match self {
            Self::Any | Self::Path | Self::ExternalDirectory => false,
            Self::Mcp => facts.call.kind() == ToolKind::Mcp,
            Self::Tool(name) => *name == *fold(facts.call.tool.as_str()),
        }
    }
}

impl Entry {
    fn new(index: usize, surface: &str, entry: &MapEntry) -> Self {
        let pattern = entry.pattern.trim();
        Self {
            index,
            text: format!("{surface}: {pattern}"),
            folded: TextPattern::new(&fold(pattern), Question::One),
            exact: TextPattern::new(pattern, Question::One),
            action: entry.action,
            reason: entry.reason.as_ref().map(|reason| reason.chars().take(MAX_REASON).collect()),
        }
    }

    fn answer(&self, command: Option<usize>) -> Answer<'_> {
        Answer { entry: self, action: self.action, command }
    }

    /// Names more than one command, or a redirect.
    fn has_operator(&self) -> bool {
        self.text.contains(['&', '|', ';', '>', '<', '\n'])
    }

    fn loosens(&self, text: &str) -> bool {
        !is_overlong(text) && self.exact.is_match(text, Side::Loosen)
    }

    /// For names and addresses, where case does not count; `text` is folded.
    fn loosens_name(&self, text: &str) -> bool {
        !is_overlong(text) && self.folded.is_match(text, Side::Loosen)
    }

    fn tightens(&self, text: &str) -> bool {
        is_overlong(text) || self.folded.is_match(text, Side::Tighten)
    }
}

impl Surface {
    /// The last entry that matches: one that tightens by `tighten`, one that allows by `allow`.
    fn last(&self, tighten: impl Fn(&Entry) -> bool, allow: impl Fn(&Entry) -> bool) -> Option<&Entry> {
        self.entries.iter().rev().find(|entry| match entry.action {
            MapAction::Allow => allow(entry),
            MapAction::Ask | MapAction::Deny => tighten(entry),
        })
    }

    /// The last entry that matches any of the names of one thing.
    fn last_of(&self, tighten: &[String], allow: &[String]) -> Option<Answer<'_>> {
        let entry = self.last(
            |entry| tighten.iter().any(|text| entry.tightens(&fold(text))),
            |entry| allow.iter().any(|text| entry.loosens(text)),
        );
        entry.map(|entry| entry.answer(None))
    }

    fn tool(&self, subjects: &Subjects<'_>) -> Option<Answer<'_>> {
        let facts = subjects.facts;
        match facts.call.kind() {
            ToolKind::Bash => self.bash(subjects),
            ToolKind::Mcp => {
                let targets = mcp_targets(facts.call.tool.as_str());
                self.last_of(&targets, &targets)
            }
            kind if kind.takes_path() => strictest(facts.paths.iter().map(|path| self.path(path, facts))),
            ToolKind::Read
            | ToolKind::Write
            | ToolKind::Edit
            | ToolKind::NotebookEdit
            | ToolKind::Find
            | ToolKind::Ls
            | ToolKind::Grep
            | ToolKind::WebFetch
            | ToolKind::WebSearch
            | ToolKind::Agent
            | ToolKind::Other => {
                let texts = subjects.texts();
                let entry = self.last(
                    |entry| texts.tightening(facts.call.kind()).any(|text| entry.tightens(text)),
                    |entry| {
                        let texts = texts.loosening();
                        !texts.is_empty() && texts.iter().all(|text| entry.loosens_name(text))
                    },
                );
                entry.map(|entry| entry.answer(None))
            }
        }
    }

    fn path(&self, path: &PathFact, facts: &Facts<'_>) -> Option<Answer<'_>> {
        // The file that it really is has to be allowed, not only its name.
        let real =
            PathFact { typed: path.resolved.clone(), absolute: path.resolved.clone(), resolved: path.resolved.clone() };
        self.last_of(&aliases(path, facts), &aliases(&real, facts))
    }

    fn paths(&self, facts: &Facts<'_>, wanted: impl Fn(&PathFact) -> bool) -> Option<Answer<'_>> {
        let all = facts.paths.iter().chain(facts.shell_paths.iter().map(|path| &path.fact));
        strictest(all.filter(|path| wanted(path)).map(|path| self.path(path, facts)))
    }

    fn bash(&self, subjects: &Subjects<'_>) -> Option<Answer<'_>> {
        let facts = subjects.facts;
        let forms: &BashForms = subjects.bash();
        if subjects.bash_overlong() {
            // INVARIANT 1: what is too long to be matched meets every rule that tightens.
            return strictest(self.entries.iter().map(|entry| Some(entry.answer(None))));
        }
        let commands: Vec<&Command> = facts.analysis.map(|analysis| analysis.union().collect()).unwrap_or_default();
        let mut unmatched = commands.is_empty();
        let mut answers: Vec<Option<Answer<'_>>> = Vec::new();
        for (index, (command, texts)) in commands.iter().zip(&forms.commands).enumerate() {
            let allow = AllowText::new(command);
            let entry = self.last(
                |entry| texts.any(&entry.folded),
                |entry| allow.texts(&[]).iter().any(|text| entry.loosens(text)),
            );
            let answer = entry.map(|entry| entry.answer(Some(index)));
            unmatched |= answer.is_none();
            answers.push(answer);
        }
        // The whole text may meet a pattern that tightens (`cd * && git push*`); it never allows by itself.
        // Once the commands are known, only a pattern with an operator says more than they do.
        let whole = self.last(|entry| entry.tightens(&forms.raw), |_| false).map(|entry| entry.answer(None));
        let whole = whole.filter(|answer| answer.action != MapAction::Allow && !is_default(answer));
        answers.push(whole.filter(|answer| commands.is_empty() || answer.entry.has_operator()));
        let answer = strictest(answers.into_iter())?;
        if answer.action != MapAction::Allow {
            return Some(answer);
        }
        if unmatched {
            return None;
        }
        let open = facts.analysis.is_none_or(|analysis| {
            never_allowable(analysis).is_some()
                || analysis
                    .commands
                    .iter()
                    .any(|command| command.dispatches || !command.assignments.iter().all(assign::is_harmless))
                || analysis.redirects().any(|(redirect, _)| {
                    redirect.op.writes() && redirect.target.literal().as_deref() != Some("/dev/null")
                        || redirect.op == RedirectOp::HereString
                })
        });
        Some(if open { Answer { action: MapAction::Ask, ..answer } } else { answer })
    }
}

/// `"*": "ask"` says what happens to commands that no other pattern names; the text as a whole is not one of them.
fn is_default(answer: &Answer<'_>) -> bool {
    answer.entry.folded.main().is_everything()
}

/// The texts by which a path may be known: as typed, relative to the working directory, absolute, resolved, from home.
fn aliases(path: &PathFact, facts: &Facts<'_>) -> Vec<String> {
    let mut out = vec![path.typed.clone(), path.absolute.clone(), path.resolved.clone()];
    for form in [&path.absolute, &path.resolved] {
        for (base, name) in [(Some(facts.cwd), ""), (facts.home, "~/"), (facts.home, "$HOME/")] {
            let Some(rest) = base.and_then(|base| form.strip_prefix(base.trim_end_matches('/'))) else { continue };
            if let Some(rest) = rest.strip_prefix('/') {
                out.push(format!("{name}{rest}"));
            }
        }
    }
    out
}

/// The names of an MCP tool that a pattern may use: `server_tool`, `server:tool`, `server`, `tool`, and the name itself.
fn mcp_targets(name: &str) -> Vec<String> {
    let mut out = vec![name.to_owned()];
    if let Some((server, tool)) = name.get(5..).and_then(|rest| rest.split_once("__")) {
        out.extend([format!("{server}_{tool}"), format!("{server}:{tool}"), server.to_owned(), tool.to_owned()]);
    }
    out
}

impl RuleSet for MapPolicy {
    fn deny(&self, facts: &Facts<'_>) -> Option<Hit> {
        self.evaluate(facts).hit.filter(|hit| hit.list == List::Deny)
    }

    fn ask(&self, facts: &Facts<'_>) -> Option<Hit> {
        self.evaluate(facts).hit.filter(|hit| hit.list == List::Ask)
    }

    fn allow(&self, facts: &Facts<'_>) -> Option<Hit> {
        self.evaluate(facts).hit.filter(|hit| hit.list == List::Allow)
    }
}
