//! Rules against the facts of a call.

use std::cell::OnceCell;

use portcullis_shell_ast::{Analysis, RedirectOp};
use serde_json::Value;

use crate::bash::{BashForms, NEVER};
use crate::forms::AllowText;
use crate::glob::{Side, fold, is_overlong};
use crate::path_rule::PathPattern;
use crate::rule::Pattern;
use crate::{Access, Facts, Hit, List, PathArg, PathFact, Rule, ToolCall, ToolKind, assign, path_args};

/// Arguments that name the subject of a tool, beside its whole input.
const SUBJECT_KEYS: &[(ToolKind, &[&str])] = &[
    (ToolKind::Grep, &["pattern", "query", "regex"]),
    (ToolKind::WebFetch, &["url", "uri"]),
    (ToolKind::WebSearch, &["query"]),
    (ToolKind::Agent, &["subagent_type", "agent_type", "agent"]),
    (ToolKind::Other, &["skill"]),
];

/// Subjects of one call, worked out when a rule first needs them.
pub(crate) struct Subjects<'a> {
    pub(crate) facts: &'a Facts<'a>,
    bash: OnceCell<BashForms>,
    overlong: OnceCell<bool>,
    texts: OnceCell<Texts>,
}

/// Folded texts of a tool without command or path.
pub(crate) struct Texts {
    /// The arguments that name its subject.
    named: Vec<String>,
    /// One of these arguments is no text.
    odd: bool,
    /// The whole input.
    input: String,
}

impl Texts {
    fn new(call: &ToolCall) -> Self {
        let keys = SUBJECT_KEYS.iter().filter(|(kind, _)| *kind == call.kind()).flat_map(|(_, keys)| keys.iter());
        let values: Vec<&Value> = keys.filter_map(|key| call.input.get(key)).filter(|value| !value.is_null()).collect();
        Self {
            named: values.iter().filter_map(|value| value.as_str()).map(|text| fold(text).into_owned()).collect(),
            odd: values.iter().any(|value| !value.is_string()),
            input: fold(&call.canonical_input()).into_owned(),
        }
    }

    /// What deny and ask rules look at. `grep` has its pattern as its one subject; the input stands in only where it is absent.
    pub(crate) fn tightening(&self, kind: ToolKind) -> impl Iterator<Item = &String> {
        let input = (self.named.is_empty() || self.odd || kind != ToolKind::Grep).then_some(&self.input);
        self.named.iter().chain(input)
    }

    /// What an allow rule has to cover, each of them: of two arguments that claim to be the subject, the host reads either.
    pub(crate) fn loosening(&self) -> &[String] {
        match self.named.as_slice() {
            [] => std::slice::from_ref(&self.input),
            _ if self.odd => &[],
            named => named,
        }
    }
}

impl<'a> Subjects<'a> {
    pub(crate) fn new(facts: &'a Facts<'a>) -> Self {
        Self { facts, bash: OnceCell::new(), overlong: OnceCell::new(), texts: OnceCell::new() }
    }

    /// The texts of the shell command; the serialised input where there is none.
    pub(crate) fn bash(&self) -> &BashForms {
        self.bash.get_or_init(|| {
            let raw = match self.facts.call.command() {
                Ok(Some(text)) => text,
                Ok(None) | Err(_) => self.facts.call.canonical_input(),
            };
            BashForms::new(&raw, self.facts.analysis)
        })
    }

    /// The shell command is too long to be matched.
    pub(crate) fn bash_overlong(&self) -> bool {
        *self.overlong.get_or_init(|| match self.facts.call.command() {
            Ok(Some(text)) => is_overlong(&text),
            Ok(None) | Err(_) => false,
        })
    }

    /// The texts of a tool without command or path.
    pub(crate) fn texts(&self) -> &Texts {
        self.texts.get_or_init(|| Texts::new(self.facts.call))
    }
}

/// The first deny or ask rule that matches.
pub(crate) fn tighten(rules: &[(usize, Rule)], list: List, facts: &Facts<'_>) -> Option<Hit> {
    let subjects = Subjects::new(facts);
    rules.iter().find_map(|(index, rule)| {
        let (command, detail) = tightens(rule, &subjects)?;
        Some(Hit { list, index: *index, rule: rule.text().to_owned(), command, detail, reason: None })
    })
}

type Found = Option<(Option<usize>, String)>;

fn tightens(rule: &Rule, subjects: &Subjects<'_>) -> Found {
    let call = subjects.facts.call;
    if let Pattern::Path(pattern) = rule.pattern() {
        return tightens_path(rule, pattern, subjects.facts);
    }
    if !rule.names(call, Side::Tighten) {
        return None;
    }
    match rule.pattern() {
        Pattern::All => Some((None, format!("every `{}` call", call.tool))),
        Pattern::Path(_) => None,
        Pattern::Bash(pattern) => {
            if subjects.bash_overlong() {
                return Some((None, "the command is too long to be matched".to_owned()));
            }
            let command = pattern.tightens(subjects.bash())?.command();
            let text = command
                .and_then(|index| subjects.bash().commands.get(index)?.texts.first())
                .unwrap_or(&subjects.bash().raw);
            Some((command, format!("`{}`", clip(text))))
        }
        Pattern::Domain(pattern) => {
            let urls = call.urls();
            if urls.is_empty() {
                return Some((None, "the call names no URL that can be read".to_owned()));
            }
            urls.iter().find(|url| pattern.is_match(url, Side::Tighten)).map(|url| (None, format!("`{}`", clip(url))))
        }
        Pattern::Text(pattern) => subjects
            .texts()
            .tightening(call.kind())
            .find(|text| is_overlong(text) || pattern.is_match(text, Side::Tighten))
            .map(|text| (None, format!("`{}`", clip(text)))),
    }
}

/// Deny and ask rules about files hold for every tool that reads or changes files, and for the shell.
fn tightens_path(rule: &Rule, pattern: &PathPattern, facts: &Facts<'_>) -> Found {
    let call = facts.call;
    let rule_kind = rule.kind()?;
    let own = rule.names(call, Side::Tighten);
    let hit = |path: &PathFact| (pattern.tightens(path, facts) || is_overlong(&path.typed)).then(|| clip(&path.typed));
    let searched = |(arg, path): (PathArg, &PathFact)| {
        let all = arg.access == Access::Scope && pattern.tightens_all_in(path, facts);
        hit(path).or_else(|| all.then(|| clip(&path.typed)))
    };
    let unread = || Some((None, "the call's path can't be read".to_owned()));
    let found = match call.kind() {
        ToolKind::Bash => facts
            .shell_paths
            .iter()
            .filter(|path| if path.changes { rule_kind.changes_files() } else { rule_kind == ToolKind::Read })
            .find_map(|path| hit(&path.fact)),
        ToolKind::Mcp | ToolKind::Other => {
            let copies = path_args::copies(call);
            let related = |arg: &PathArg| match arg.access {
                Access::Write => rule_kind.changes_files() || (copies && rule_kind == ToolKind::Read),
                Access::Read | Access::Scope => rule_kind == ToolKind::Read,
            };
            let Ok(args) = call.paths() else { return unread() };
            args.into_iter().zip(facts.paths).filter(|(arg, _)| related(arg)).find_map(searched)
        }
        kind if own
            || (rule_kind.changes_files() && kind.changes_files())
            || (rule_kind == ToolKind::Read && kind.reads_files()) =>
        {
            let Ok(args) = call.paths() else { return unread() };
            if facts.paths.len() != args.len() {
                return unread();
            }
            args.into_iter().zip(facts.paths).find_map(searched)
        }
        ToolKind::Read
        | ToolKind::Write
        | ToolKind::Edit
        | ToolKind::NotebookEdit
        | ToolKind::Grep
        | ToolKind::Find
        | ToolKind::Ls
        | ToolKind::WebFetch
        | ToolKind::WebSearch
        | ToolKind::Agent => None,
    };
    found.map(|text| (None, format!("the path `{text}`")))
}

/// What keeps an allow rule from ever matching.
pub(crate) fn allow_problem(rule: &Rule) -> Option<&'static str> {
    match rule.pattern() {
        Pattern::Bash(pattern) if !pattern.is_complete() => Some(
            "this pattern can never allow: it is no complete command, or holds a loop, function, here-document or other part that no rule can allow",
        ),
        Pattern::Bash(_) | Pattern::All | Pattern::Path(_) | Pattern::Domain(_) | Pattern::Text(_) => None,
    }
}

/// The allow rules cover the whole call.
pub(crate) fn allow(rules: &[(usize, Rule)], facts: &Facts<'_>) -> Option<Hit> {
    match facts.call.kind() {
        ToolKind::Bash => allow_bash(rules, facts),
        ToolKind::Read | ToolKind::Write | ToolKind::Edit | ToolKind::NotebookEdit | ToolKind::Find | ToolKind::Ls => {
            allow_paths(rules, facts)
        }
        ToolKind::Grep
        | ToolKind::WebFetch
        | ToolKind::WebSearch
        | ToolKind::Agent
        | ToolKind::Mcp
        | ToolKind::Other => allow_text(rules, facts),
    }
}

fn hit(index: usize, rule: &Rule, detail: String) -> Hit {
    Hit { list: List::Allow, index, rule: rule.text().to_owned(), command: None, detail, reason: None }
}

/// A rule for every call of the tool.
fn allow_all<'r>(rules: &'r [(usize, Rule)], facts: &Facts<'_>) -> Option<&'r (usize, Rule)> {
    rules.iter().find(|(_, rule)| matches!(rule.pattern(), Pattern::All) && rule.names(facts.call, Side::Loosen))
}

fn allow_text(rules: &[(usize, Rule)], facts: &Facts<'_>) -> Option<Hit> {
    let call = facts.call;
    if let Some((index, rule)) = allow_all(rules, facts) {
        return Some(hit(*index, rule, format!("every `{}` call", call.tool)));
    }
    let subjects = Subjects::new(facts);
    rules.iter().filter(|(_, rule)| rule.names(call, Side::Loosen)).find_map(|(index, rule)| match rule.pattern() {
        Pattern::Text(pattern) => {
            let texts = subjects.texts().loosening();
            let all = texts.iter().all(|text| !is_overlong(text) && pattern.is_match(text, Side::Loosen));
            texts.first().filter(|_| all).map(|text| hit(*index, rule, format!("`{}`", clip(text))))
        }
        Pattern::Domain(pattern) => {
            let urls = call.urls();
            let all = !urls.is_empty() && urls.iter().all(|url| pattern.is_match(url, Side::Loosen));
            all.then(|| hit(*index, rule, format!("`{}`", clip(&urls.join(" ")))))
        }
        Pattern::All | Pattern::Bash(_) | Pattern::Path(_) => None,
    })
}

/// Every path of the call is covered, each by a rule.
fn allow_paths(rules: &[(usize, Rule)], facts: &Facts<'_>) -> Option<Hit> {
    let call = facts.call;
    // INVARIANT 1: a call whose paths can't be read is allowed by no rule.
    let args = call.paths().ok()?;
    if args.len() != facts.paths.len() {
        return None;
    }
    if let Some((index, rule)) = allow_all(rules, facts) {
        return Some(hit(*index, rule, format!("every `{}` call", call.tool)));
    }
    let covering = |path: &PathFact| {
        rules.iter().find(|(_, rule)| match rule.pattern() {
            Pattern::Path(pattern) => {
                // Claude Code: `Edit(…)` covers every tool that changes files.
                let family = rule.is_capital() && rule.kind() == Some(ToolKind::Edit) && call.kind().changes_files();
                (family || rule.names(call, Side::Loosen)) && !is_overlong(&path.typed) && pattern.allows(path, facts)
            }
            Pattern::All | Pattern::Bash(_) | Pattern::Domain(_) | Pattern::Text(_) => false,
        })
    };
    let mut first = None;
    for path in facts.paths {
        let found = covering(path)?;
        first.get_or_insert((found, path));
    }
    first.map(|((index, rule), path)| hit(*index, rule, format!("the path `{}`", clip(&path.typed))))
}

/// What stands against any allow rule for this script.
pub(crate) fn never_allowable(analysis: &Analysis) -> Option<String> {
    if !analysis.is_whole() {
        return Some(match analysis.opaque.first() {
            Some(opaque) => opaque.detail.clone(),
            None => "the command could not be analysed completely".to_owned(),
        });
    }
    if let Some((_, reason)) = NEVER.iter().find(|(construct, _)| analysis.constructs.contains(construct)) {
        return Some((*reason).to_owned());
    }
    if let Some((name, reason)) = assign::first_dangerous(analysis) {
        return Some(format!("it sets `{name}`: {reason}"));
    }
    analysis.redirects().find_map(|(redirect, _)| {
        let target = &redirect.target;
        let globbed = target
            .parts
            .iter()
            .any(|part| matches!(part, portcullis_shell_ast::Part::Glob(_) | portcullis_shell_ast::Part::Choice(_)));
        if redirect.op == RedirectOp::HereDoc {
            return Some("a here-document is input that no pattern names".to_owned());
        }
        (target.is_dynamic() || globbed).then(|| format!("the redirect target `{}` is not known", clip(&target.raw)))
    })
}

fn allow_bash(rules: &[(usize, Rule)], facts: &Facts<'_>) -> Option<Hit> {
    let call = facts.call;
    let command = call.command().ok()??;
    let analysis = facts.analysis?;
    // INVARIANT 3: what the analysis does not see whole takes no local allow.
    if is_overlong(&command) || analysis.commands.is_empty() || never_allowable(analysis).is_some() {
        return None;
    }
    if let Some((index, rule)) = allow_all(rules, facts) {
        return Some(hit(*index, rule, "every shell command".to_owned()));
    }
    let texts: Vec<AllowText> = analysis.commands.iter().map(AllowText::new).collect();
    let patterns: Vec<_> = rules
        .iter()
        .filter(|(_, rule)| rule.names(call, Side::Loosen))
        .filter_map(|(index, rule)| match rule.pattern() {
            Pattern::Bash(pattern) => Some((*index, rule, pattern)),
            Pattern::All | Pattern::Path(_) | Pattern::Domain(_) | Pattern::Text(_) => None,
        })
        .collect();
    if let Some((index, rule, _)) = patterns.iter().find(|(_, _, pattern)| pattern.covers_script(analysis, &texts)) {
        return Some(hit(*index, rule, "the whole command".to_owned()));
    }
    if !analysis.compound_redirects.is_empty() {
        return None;
    }
    let mut used: Vec<(usize, &Rule)> = Vec::new();
    for (command, text) in analysis.commands.iter().zip(&texts) {
        if !command.place.is_plain() || command.dispatches {
            return None;
        }
        let (index, rule, _) = patterns.iter().find(|(_, _, pattern)| pattern.covers_command(command, text))?;
        if !used.iter().any(|(other, _)| other == index) {
            used.push((*index, rule));
        }
    }
    let (index, rule) = used.first()?;
    let names: Vec<String> = used.iter().map(|(_, rule)| format!("`{}`", rule.text())).collect();
    Some(hit(*index, rule, format!("each command is covered by {}", names.join(", "))))
}

/// For people: at most 200 characters.
pub(crate) fn clip(text: &str) -> String {
    match text.char_indices().nth(200).and_then(|(at, _)| text.get(..at)) {
        Some(head) => format!("{head}…"),
        None => text.to_owned(),
    }
}
