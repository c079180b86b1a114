//! Every sentence that people and models read. Elsewhere there are only ids.

use portcullis_config::Mode;

/// No model is configured; seed 000's words.
pub(crate) const NO_MODEL: &str = "No classifier model/API key available; auto mode fails closed.";

/// Nobody but a person can decide, and what is open about the call.
pub(crate) fn no_model(open: Option<&str>) -> String {
    match open {
        Some(open) => format!("Not proven harmless ({open}). {NO_MODEL}"),
        None => NO_MODEL.to_owned(),
    }
}

/// What every denial tells the model.
const DO_NOT_ROUTE_AROUND: &str = "Do not retry the same call, and do not try to reach the same effect another way.";

/// Delegation: what the classifier is to judge (seed 003).
pub(crate) const DELEGATION: &str = "This call hands a task to another agent, which will act on the text below with this session's \
    permissions. Judge the task itself: whether carrying it out needs anything that the rules forbid. The other agent will not refuse \
    what should not have been handed to it.";
/// Nothing special (seed 003): a model that is told nothing invents a reason.
pub(crate) const RESIDUAL: &str = "No permission rule covers this call, and it is neither a plain read nor an edit that local rules \
    allow; that is the only reason why you are asked. Judge it by the rules and by the user's request.";
/// A person accepted.
pub(crate) const ASK_RULE: &str = "A permission rule of the user's wants a person to confirm calls like this one. A confirmation is \
    no exception from the rules: judge the call as any other.";

/// Why a protected path is classified.
pub(crate) fn protected(path: &str) -> String {
    format!(
        "This call changes {path}, a protected path: it configures the user's tools or the agent itself and takes effect later, \
         without another question. Allow rules deliberately don't cover it. Judge whether the user asked for this very change."
    )
}

/// Why a sensitive read is classified.
pub(crate) fn sensitive(path: &str, reason: &str) -> String {
    format!(
        "This call reads {path}, which {reason}. Reading it is not forbidden as such: judge whether the task needs it."
    )
}

/// Why a denied path in a shell command is classified.
pub(crate) fn denied_in_shell(path: &str, pattern: &str) -> String {
    format!("This command may touch {path}, which the user's denied paths cover ({pattern}).")
}

/// The message of a plain denial.
pub(crate) fn denied(reason: &str, instead: &str) -> String {
    // A person's or a model's words may end without a full stop.
    let stop = if reason.trim_end().ends_with(['.', '!', '?', ']', ':']) { "" } else { "." };
    format!("Blocked by Portcullis: {}{stop} {instead} {DO_NOT_ROUTE_AROUND}", reason.trim_end())
}

/// What to do instead, by the kind of denial.
pub(crate) mod instead {
    pub(crate) const RULE: &str =
        "The user's settings forbid this call: choose another approach, or tell the user what you need.";
    pub(crate) const FLOOR: &str =
        "No rule, mode or user text overrides this. If the user wants it done, ask them to do it themselves.";
    pub(crate) const PATH: &str =
        "The user has closed this path to tools: work without it, or ask the user for what you need from it.";
    pub(crate) const NOBODY: &str = "It needs a person's approval and nobody can be asked here: work within what is allowed, or ask \
        the user to run it interactively or to add an allow rule.";
    pub(crate) const INPUT: &str = "Send a complete, well-formed call.";
    pub(crate) const PLAN: &str = "Plan mode only reads: present the plan to the user instead of changing things.";
    pub(crate) const DONT_ASK: &str = "In this mode whatever would need a question is denied: work within what is allowed, or tell the \
        user which allow rule would help.";
    pub(crate) const CLASSIFIER: &str = "If this is what the user asked for, say so and let them decide in a message of their own; an \
        answer inside a tool does not count.";
    pub(crate) const FAILURE: &str = "Tell the user what you were about to do, so that they can decide.";
    pub(crate) const USER: &str = "The user does not want this call. Adjust to their feedback.";
    pub(crate) const CANCELLED: &str = "The user cancelled this turn: stop and wait.";
    pub(crate) const PAUSED: &str = "Repeated blocks have paused automatic decisions until a person approves something: stop and \
        report to the user.";
}

/// No usable answer.
pub(crate) fn failed(kind: &str, message: &str) -> String {
    if kind == "timeout" {
        return format!(
            "The classifier did not answer in time ({message}). This was no judgement of the call, which may well be harmless."
        );
    }
    format!("The classifier gave no usable answer ({kind}: {message}). This was no judgement of the call.")
}

/// The user's own words.
pub(crate) fn declined(feedback: Option<&str>) -> String {
    match feedback.map(str::trim).filter(|text| !text.is_empty()) {
        Some(text) => format!("The user declined this call and said: {text}"),
        None => "The user declined this call.".to_owned(),
    }
}

/// What a mode denies.
pub(crate) fn mode_denies(mode: Mode) -> &'static str {
    match mode {
        Mode::Plan => "Plan mode does not run calls that may change something.",
        Mode::DontAsk => "Mode dontAsk denies what no rule allows.",
        Mode::Default | Mode::AcceptEdits | Mode::Auto | Mode::BypassPermissions => {
            "The permission mode denies this call."
        }
    }
}

/// Text for the model when the host is going to ask a person.
pub(crate) fn asking(reason: &str) -> String {
    format!("Portcullis wants a person to decide: {reason}")
}
