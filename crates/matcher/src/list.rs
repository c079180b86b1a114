//! Lists of deny, ask and allow rules.

use crate::decide;
use crate::{Facts, Rule};

/// A source of permission decisions. Called in the order deny, ask, allow; the first answer counts.
///
/// INVARIANT 2: no rule that an implementation adds to its deny or ask side may turn `None` of [`RuleSet::allow`] into
/// an answer.
pub trait RuleSet {
    /// The rule that refuses the call.
    fn deny(&self, facts: &Facts<'_>) -> Option<Hit>;
    /// The rule that wants a person to be asked.
    fn ask(&self, facts: &Facts<'_>) -> Option<Hit>;
    /// The rule that covers the whole call.
    fn allow(&self, facts: &Facts<'_>) -> Option<Hit>;
}

/// One of the three lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum List {
    /// `permissions.deny`
    Deny,
    /// `permissions.ask`
    Ask,
    /// `permissions.allow`
    Allow,
}

/// A rule that matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Its list.
    pub list: List,
    /// Its index in the list that was compiled. For a map policy: counted through all surfaces.
    pub index: usize,
    /// Its text.
    pub rule: String,
    /// The command that it matched, as an index in [`portcullis_shell_ast::Analysis::union`]. `None`: the call as a whole.
    pub command: Option<usize>,
    /// What matched, for people.
    pub detail: String,
    /// The reason that the policy's author gave (map policies).
    pub reason: Option<String>,
}

/// A rule that could not be compiled, or that does nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleProblem {
    /// Its list.
    pub list: List,
    /// Its index there.
    pub index: usize,
    /// Its text.
    pub text: String,
    /// What is wrong, and what to write instead.
    pub message: String,
    /// The rule would have tightened: the gate has to be degraded, since a denial is missing.
    pub tightening: bool,
}

/// An allow rule that auto mode sets aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspended {
    /// Its index in the allow list.
    pub index: usize,
    /// Its text.
    pub rule: String,
    /// Why.
    pub reason: &'static str,
}

/// Which shell allow rules hold while a classifier decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShellRules {
    /// Those that don't hand over arbitrary execution.
    Narrow,
    /// None (`classifyAllShell`).
    None,
}

/// Compiled `permissions.deny`, `.ask` and `.allow`.
#[derive(Clone, Debug, Default)]
pub struct ListRules {
    deny: Vec<(usize, Rule)>,
    ask: Vec<(usize, Rule)>,
    allow: Vec<(usize, Rule)>,
}

impl ListRules {
    /// Compiles the lists. A rule that can't be read is left out and reported.
    pub fn compile(deny: &[&str], ask: &[&str], allow: &[&str]) -> (Self, Vec<RuleProblem>) {
        let mut problems = Vec::new();
        let rules = Self {
            deny: compile(List::Deny, deny, &mut problems),
            ask: compile(List::Ask, ask, &mut problems),
            allow: compile(List::Allow, allow, &mut problems),
        };
        (rules, problems)
    }

    /// Sets aside the allow rules that hand over arbitrary execution, for modes in which a classifier decides.
    #[must_use]
    pub fn suspend_broad(mut self, shell: ShellRules) -> (Self, Vec<Suspended>) {
        let mut suspended = Vec::new();
        self.allow.retain(|(index, rule)| {
            let reason = match shell {
                ShellRules::None if rule.is_bash() => Some("every shell command goes to the classifier"),
                ShellRules::None | ShellRules::Narrow => rule.is_broad(),
            };
            let Some(reason) = reason else { return true };
            suspended.push(Suspended { index: *index, rule: rule.text().to_owned(), reason });
            false
        });
        (self, suspended)
    }
}

fn compile(list: List, texts: &[&str], problems: &mut Vec<RuleProblem>) -> Vec<(usize, Rule)> {
    let mut rules = Vec::with_capacity(texts.len());
    for (index, text) in texts.iter().enumerate() {
        let mut problem = |message: String| {
            let tightening = list != List::Allow;
            problems.push(RuleProblem { list, index, text: (*text).to_owned(), message, tightening });
        };
        match Rule::parse(text) {
            Ok(rule) if list == List::Allow && rule.is_open_tool_glob() => {
                problem("a tool name with `*` can only deny or ask: name the tool, or one MCP server".to_owned());
            }
            Ok(rule) => {
                if list == List::Allow
                    && let Some(message) = decide::allow_problem(&rule)
                {
                    problem(message.to_owned());
                }
                rules.push((index, rule));
            }
            Err(error) => problem(match error.hint() {
                Some(hint) => format!("{error}: {hint}"),
                None => error.to_string(),
            }),
        }
    }
    rules
}

impl RuleSet for ListRules {
    fn deny(&self, facts: &Facts<'_>) -> Option<Hit> {
        decide::tighten(&self.deny, List::Deny, facts)
    }

    fn ask(&self, facts: &Facts<'_>) -> Option<Hit> {
        decide::tighten(&self.ask, List::Ask, facts)
    }

    fn allow(&self, facts: &Facts<'_>) -> Option<Hit> {
        decide::allow(&self.allow, facts)
    }
}
