//! The mode table, the bookkeeping tools, and the order in which modes are cycled: data.

use portcullis_config::Mode;

use crate::situation::Kind;

/// What a mode does with a call that nothing else decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Allow,
    Ask,
    Deny,
    Classify,
}

/// One row of the mode table (spec 60-gate, "Modes").
struct Row {
    mode: Mode,
    /// a read that left the read-only tier because it may hold secrets
    sensitive_read: Action,
    in_tree_edit: Action,
    protected_write: Action,
    /// a task for another agent: its actions pass the same gate, so only auto mode looks at the task itself
    delegation: Action,
    other: Action,
}

const TABLE: &[Row] = &[
    Row {
        mode: Mode::Default,
        sensitive_read: Action::Ask,
        in_tree_edit: Action::Ask,
        protected_write: Action::Ask,
        delegation: Action::Allow,
        other: Action::Ask,
    },
    Row {
        mode: Mode::AcceptEdits,
        sensitive_read: Action::Ask,
        in_tree_edit: Action::Allow,
        protected_write: Action::Ask,
        delegation: Action::Allow,
        other: Action::Ask,
    },
    Row {
        mode: Mode::Plan,
        sensitive_read: Action::Ask,
        in_tree_edit: Action::Deny,
        protected_write: Action::Deny,
        delegation: Action::Allow,
        other: Action::Deny,
    },
    Row {
        mode: Mode::Auto,
        sensitive_read: Action::Classify,
        in_tree_edit: Action::Classify,
        protected_write: Action::Classify,
        delegation: Action::Classify,
        other: Action::Classify,
    },
    Row {
        mode: Mode::DontAsk,
        sensitive_read: Action::Deny,
        in_tree_edit: Action::Deny,
        protected_write: Action::Deny,
        delegation: Action::Allow,
        other: Action::Deny,
    },
    Row {
        mode: Mode::BypassPermissions,
        sensitive_read: Action::Allow,
        in_tree_edit: Action::Allow,
        protected_write: Action::Allow,
        delegation: Action::Allow,
        other: Action::Allow,
    },
];

/// What `mode` does with an undecided call of this kind.
pub(crate) fn action(mode: Mode, kind: Kind) -> Action {
    // INVARIANT 1: a mode without a row denies.
    let Some(row) = TABLE.iter().find(|row| row.mode == mode) else { return Action::Deny };
    match kind {
        Kind::Read | Kind::ShellRead | Kind::Bookkeeping => Action::Allow,
        Kind::SensitiveRead => row.sensitive_read,
        Kind::InTreeEdit => row.in_tree_edit,
        Kind::ProtectedWrite => row.protected_write,
        Kind::Delegation => row.delegation,
        Kind::PlanFile | Kind::SessionPlace | Kind::Other => row.other,
    }
}

/// A tool that only keeps the agent's own books.
pub(crate) struct Bookkeeping {
    pub(crate) tool: &'static str,
    pub(crate) reason: &'static str,
}

const fn row(tool: &'static str, reason: &'static str) -> Bookkeeping {
    Bookkeeping { tool, reason }
}

const TODO: &str = "It only changes the agent's own task list.";
const TALK: &str = "It only talks to the user.";
const LOOK: &str = "It only looks at what the agent has.";
const PLAN: &str = "It only enters or leaves plan mode, which the host asks the user about.";

/// Harmless bookkeeping tools, by canonical name. Source: seed 003's automatically allowed tools; the hosts' tool lists.
pub(crate) const BOOKKEEPING: &[Bookkeeping] = &[
    row("askuserquestion", TALK),
    row("ask_user", TALK),
    row("ask-user", TALK),
    row("todowrite", TODO),
    row("todoread", TODO),
    row("todo_write", TODO),
    row("write_todos", TODO),
    row("update_plan", TODO),
    row("taskcreate", TODO),
    row("taskget", TODO),
    row("tasklist", TODO),
    row("taskupdate", TODO),
    row("task_create", TODO),
    row("task_get", TODO),
    row("task_list", TODO),
    row("task_update", TODO),
    row("taskoutput", LOOK),
    row("task_output", LOOK),
    row("taskstop", "It only stops a task that the agent started."),
    row("task_stop", "It only stops a task that the agent started."),
    row("toolsearch", LOOK),
    row("tool_search", LOOK),
    row("skill", "It only loads instructions; what they make the agent do is gated."),
    row("lsp_diagnostics", LOOK),
    row("list_mcp_resources", LOOK),
    row("listmcpresourcestool", LOOK),
    row("list_agents", LOOK),
    row("enterplanmode", PLAN),
    row("exitplanmode", PLAN),
    row("enter_plan_mode", PLAN),
    row("exit_plan_mode", PLAN),
];

/// Which stops the mode cycle has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CycleStops {
    /// The session began in bypassPermissions.
    pub bypass: bool,
    /// A classifier model is reachable.
    pub auto: bool,
}

/// The mode after `mode`: default, acceptEdits, plan, then bypassPermissions and auto where `stops` has them. A mode outside the
/// cycle goes to its start.
pub fn next_mode(mode: Mode, stops: CycleStops) -> Mode {
    let mut cycle = vec![Mode::Default, Mode::AcceptEdits, Mode::Plan];
    cycle.extend(stops.bypass.then_some(Mode::BypassPermissions));
    cycle.extend(stops.auto.then_some(Mode::Auto));
    let mut after = cycle.iter().skip_while(|at| **at != mode).skip(1);
    after.next().copied().unwrap_or(Mode::Default)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_has_exactly_one_row() {
        for mode in Mode::ALL {
            assert_eq!(TABLE.iter().filter(|row| row.mode == *mode).count(), 1, "{mode}");
        }
    }

    #[test]
    fn the_cycle_has_only_the_stops_that_are_there() {
        let walk = |stops: CycleStops| {
            let mut mode = Mode::Default;
            let mut seen = vec![mode];
            while next_mode(mode, stops) != Mode::Default {
                mode = next_mode(mode, stops);
                seen.push(mode);
            }
            seen
        };
        assert_eq!(walk(CycleStops::default()), [Mode::Default, Mode::AcceptEdits, Mode::Plan]);
        let all = walk(CycleStops { bypass: true, auto: true });
        assert_eq!(all.get(3..), Some(&[Mode::BypassPermissions, Mode::Auto][..]));
        assert_eq!(next_mode(Mode::DontAsk, CycleStops::default()), Mode::Default);
    }
}
