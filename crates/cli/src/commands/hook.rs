//! `hook HOST`: one event in, one answer out, whatever happens.

use std::{io, path::Path, time::Duration};

use portcullis_gate::{Person, Reach};

use crate::{
    ambient::Ambient,
    compose::{self, Memory, Request},
    hosts::{self, Event, Host},
    process::{Answer, EXIT_BLOCK, Outcome, read_bounded, run_guarded},
    render::plain,
};

/// Longest hook input. Hosts send the whole tool input (a written file, a patch); none of them writes files of this size.
const INPUT_LIMIT: usize = 16 * 1024 * 1024;

/// When nothing else says so. `install` writes a host timeout of 60 s; this leaves the host time to read the answer.
pub(crate) const DEADLINE: Duration = Duration::from_secs(50);

/// Answers one event of `host_name`.
pub(crate) fn run(host_name: &str, deadline_ms: Option<u64>) -> Answer {
    let Some(host) = hosts::find(host_name) else {
        return block(&format!("`{host_name}` is not a host that Portcullis knows. Known: {}", hosts::names()));
    };
    let deadline = deadline_ms.map_or(DEADLINE, Duration::from_millis);
    match run_guarded(Some(deadline), move || answer(host)) {
        Outcome::Answered(answer) => answer,
        Outcome::TimedOut => block(&format!(
            "no decision within {} ms. This was no judgement of the call: tell the user what you were about to do, and don't \
             route around the gate",
            deadline.as_millis()
        )),
        Outcome::Failed { place } => block(&format!(
            "an internal error ({place}) stopped the decision, so the call is blocked. This was no judgement of the call. The \
             user can run `portcullis doctor`, and report the tool call that led here",
        )),
    }
}

/// Reads, decides, answers. Runs on the guarded thread.
fn answer(host: &dyn Host) -> Answer {
    match read_bounded(io::stdin().lock(), INPUT_LIMIT) {
        Ok(text) => decide(host, &text, &Ambient::read()),
        Err(problem) => block(&problem.to_string()),
    }
}

/// From the text of an event to the host's answer.
fn decide(host: &dyn Host, text: &str, ambient: &Ambient) -> Answer {
    let value = match compose::parse_json(text) {
        Ok(value) => value,
        Err(problem) => return block(&format!("the hook input is not JSON: {problem}")),
    };
    match host.parse(&value) {
        Ok(Event::Ignored) => Answer::default(),
        // What a command does depends on where it runs: one that would run nowhere can't be judged.
        Ok(Event::ToolCall(call)) if !Path::new(&call.cwd).is_dir() => {
            block(&format!("the working directory `{}` is not a directory that exists", plain(&call.cwd)))
        }
        Ok(Event::ToolCall(call)) => {
            let person = if call.can_ask { Person::HostAsks } else { Person::Absent };
            let request = Request { call: *call, person, reach: Reach::Full, memory: Memory::Keep };
            host.answer(&compose::decide(request, ambient))
        }
        Err(problem) => block(&problem.to_string()),
    }
}

/// The answer that every host takes for a no, whatever it asked.
fn block(reason: &str) -> Answer {
    Answer { stdout: String::new(), stderr: format!("Portcullis: {reason}"), status: EXIT_BLOCK }
}
