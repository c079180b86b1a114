//! Runs work on a thread with a known stack under a deadline.

use std::{
    panic,
    sync::{
        Mutex, PoisonError,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

/// Stack of the worker. Parsers are capped at 32 levels of nesting, which needs far less; this is the margin that makes
/// a stack overflow (an abort, which hosts take for consent) impossible rather than unlikely.
const STACK: usize = 64 * 1024 * 1024;

/// Where the last panic was, for bug reports: a place in our source, never the user's data.
static PANICKED_AT: Mutex<Option<String>> = Mutex::new(None);

/// How the work ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome<T> {
    /// It answered.
    Answered(T),
    /// It did not answer before the deadline.
    TimedOut,
    /// It panicked, or its thread could not be started.
    Failed {
        /// Where, for a bug report.
        place: String,
    },
}

/// Runs `work` on its own thread and waits for it, at most `deadline`; without one as long as it takes.
///
/// After [`Outcome::TimedOut`] the worker is still running; the caller must end the process.
pub(crate) fn run_guarded<T: Send + 'static>(
    deadline: Option<Duration>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Outcome<T> {
    let (sender, receiver) = mpsc::sync_channel(1);
    // INVARIANT 1: a panic unwinds the worker, drops `sender`, and arrives here as `Disconnected`. The default panic
    // message is silenced so that stderr holds our one reason and nothing of the internals.
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(|place| format!("{}:{}", place.file(), place.line()));
        *PANICKED_AT.lock().unwrap_or_else(PoisonError::into_inner) = place;
    }));
    let spawned = thread::Builder::new().name("decide".to_owned()).stack_size(STACK).spawn(move || {
        // The receiver is gone only if the deadline passed; then the answer must not be used anyway.
        drop(sender.send(work()));
    });
    if let Err(error) = spawned {
        return Outcome::Failed { place: format!("no thread: {error}") };
    }
    let received = match deadline {
        Some(deadline) => receiver.recv_timeout(deadline),
        None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
    };
    match received {
        Ok(answer) => Outcome::Answered(answer),
        Err(RecvTimeoutError::Timeout) => Outcome::TimedOut,
        Err(RecvTimeoutError::Disconnected) => {
            let place = PANICKED_AT.lock().unwrap_or_else(PoisonError::into_inner).take();
            Outcome::Failed { place: place.unwrap_or_else(|| "an unknown place".to_owned()) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Option<Duration> = Some(Duration::from_secs(60));

    #[test]
    fn an_answer_comes_through() {
        assert_eq!(run_guarded(SOON, || 7), Outcome::Answered(7));
        assert_eq!(run_guarded(None, || 7), Outcome::Answered(7));
    }

    #[test]
    fn a_panic_is_a_failure_and_not_an_abort() {
        let outcome: Outcome<()> = run_guarded(SOON, || panic!("boom"));
        assert!(matches!(outcome, Outcome::Failed { .. }), "{outcome:?}");
    }

    #[test]
    fn a_hang_ends_at_the_deadline() {
        let outcome = run_guarded(Some(Duration::from_millis(20)), || thread::sleep(Duration::from_secs(3600)));
        assert_eq!(outcome, Outcome::TimedOut);
    }
}
