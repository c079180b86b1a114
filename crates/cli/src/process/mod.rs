//! What surrounds a decision in this process: a deadline, a stack of known size, bounded input, one answer.
//!
//! Hosts take a crash, a hang or garbage from their hook for consent (`spec/hosts.md`, table 4). So the work runs in a
//! thread of its own, and the main thread only waits: whatever happens to the worker (panic, hang, answer), exactly one
//! answer leaves the process, in time.

mod guard;
mod input;

pub(crate) use guard::{Answer, Outcome, run_guarded};
pub(crate) use input::{InputProblem, read_bounded};

/// Exit status that every host known to us takes for "do not run the tool", given a text on stderr and an empty stdout.
pub(crate) const EXIT_BLOCK: u8 = 2;
