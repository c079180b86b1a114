//! Real agents against a mock model on loopback, with the real hook installed. By hand: they need npm packages of
//! hundreds of megabytes, which CI does not fetch.

mod claude_code;
mod mock;

use crate::sh::Problem;

/// Runs the scenario of one agent.
pub(crate) fn run(host: &str) -> Result<(), Problem> {
    match host {
        "claude-code" => claude_code::run(),
        other => Err(format!("no end-to-end run for `{other}`: claude-code is the one there is")),
    }
}
