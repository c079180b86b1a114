//! Runs work on a thread with a known stack under a deadline.

use std::{
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

/// Stack of the worker. Parsers are capped at 32 levels of nesting, which needs far less; this is the margin that makes
/// a stack overflow (an abort, which hosts take for consent) impossible rather than unlikely.
const STACK: usize = 64 * 1024 * 1024;

/// What leaves the process: written in this order by the main thread, and nothing else.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Bytes for stdout.
    pub(crate) stdout: String,
    /// Bytes for stderr.
    pub(crate) stderr: String,
    /// Exit status.
    pub(crate) status: u8,
}

/// How the work ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It answered.
    Answered(Answer),
    /// It did not answer before the deadline.
    TimedOut,
    /// It panicked, or its thread could not be started.
    Failed,
}

/// Runs `work` on its own thread and waits for it, at most `deadline`.
///
/// After [`Outcome::TimedOut`] the worker is still running; the caller must end the process.
pub(crate) fn run_guarded(deadline: Duration, work: impl FnOnce() -> Answer + Send + 'static) -> Outcome {
    let (sender, receiver) = mpsc::sync_channel(1);
    // INVARIANT 1: a panic unwinds the worker, drops `sender`, and arrives here as `Disconnected`. The default panic
    // message is silenced so that stderr holds our one reason and nothing of the internals.
    std::panic::set_hook(Box::new(|_| {}));
    let spawned = thread::Builder::new().name("decide".to_owned()).stack_size(STACK).spawn(move || {
        // The receiver is gone only if the deadline passed; then the answer must not be used anyway.
        drop(sender.send(work()));
    });
    if spawned.is_err() {
        return Outcome::Failed;
    }
    match receiver.recv_timeout(deadline) {
        Ok(answer) => Outcome::Answered(answer),
        Err(RecvTimeoutError::Timeout) => Outcome::TimedOut,
        Err(RecvTimeoutError::Disconnected) => Outcome::Failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_comes_through() {
        let outcome = run_guarded(Duration::from_secs(5), || Answer { stdout: "x".into(), ..Answer::default() });
        assert!(matches!(outcome, Outcome::Answered(answer) if answer.stdout == "x"));
    }

    #[test]
    fn a_panic_is_a_failure_and_not_an_abort() {
        let outcome = run_guarded(Duration::from_secs(5), || panic!("boom"));
        assert_eq!(outcome, Outcome::Failed);
    }

    #[test]
    fn a_hang_ends_at_the_deadline() {
        let outcome = run_guarded(Duration::from_millis(20), || {
            thread::sleep(Duration::from_secs(3600));
            Answer::default()
        });
        assert_eq!(outcome, Outcome::TimedOut);
    }
}
