//! A function that starts itself twice.

use portcullis_shell_ast::{Context, PipePosition};

use super::{FloorRule, Subject};

pub(super) const RULE: FloorRule = FloorRule {
    id: "fork-bomb",
    summary: "defines a function that starts copies of itself without end",
    source: "the well-known `:(){ :|:& };:`",
    check,
};

fn check(subject: &Subject<'_>) -> Option<String> {
    // Inside a function body, one function is called from two stages of a pipeline, or twice in the background.
    let calls = subject.programs.iter().filter(|program| program.command.place.context.contains(&Context::Function));
    let own: Vec<_> = calls.filter(|program| program.command.shadowed && !program.name.is_empty()).collect();
    let multiplies = own.iter().any(|program| {
        let again = own.iter().filter(|other| other.name == program.name).count() > 1;
        let apart = program.command.place.pipe != PipePosition::Alone
            || program.command.place.context.contains(&Context::Background);
        again && apart
    });
    multiplies.then(|| "starts copies of itself without end (a fork bomb)".to_owned())
}
