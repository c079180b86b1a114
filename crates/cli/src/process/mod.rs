//! What surrounds a decision in this process: a deadline, a stack of known size, bounded input, one answer.
//!
//! Hosts take a crash, a hang or garbage from their hook for consent (`spec/hosts.md`, table 4). So the work runs in a
//! thread of its own, and the main thread only waits: whatever happens to the worker (panic, hang, answer), exactly one
//! answer leaves the process, in time.

mod guard;
mod input;

use std::{
    io::{self, Write},
    process::ExitCode,
};

pub(crate) use guard::{Outcome, run_guarded};
pub(crate) use input::read_bounded;

/// Exit status that every host known to us takes for "do not run the tool", given a text on stderr.
pub(crate) const EXIT_BLOCK: u8 = 2;

/// What leaves the process: written in this order by the main thread, and nothing else.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// One document for stdout, without its final newline; empty: nothing.
    pub(crate) stdout: String,
    /// One text for stderr, without its final newline; empty: nothing.
    pub(crate) stderr: String,
    /// Exit status.
    pub(crate) status: u8,
}

/// Writes the answer. One that can't be written is a no: the host has seen nothing, or a part.
pub(crate) fn leave(answer: Answer) -> ExitCode {
    write(answer, &mut io::stdout().lock(), &mut io::stderr())
}

fn write(answer: Answer, stdout: &mut dyn Write, stderr: &mut dyn Write) -> ExitCode {
    let Answer { stdout: mut document, stderr: mut text, mut status } = answer;
    if !document.is_empty() {
        document.push('\n');
        // The whole document with its newline in one call: a line buffer passes it on in one write(2).
        if let Err(error) = stdout.write_all(document.as_bytes()).and_then(|()| stdout.flush()) {
            status = EXIT_BLOCK;
            text = format!("Portcullis: the answer could not be written to stdout ({error}), so the call is blocked");
        }
    }
    if !text.is_empty() {
        text.push('\n');
        // Nobody is left to tell if this fails too; the exit status stands.
        drop(stderr.write_all(text.as_bytes()));
    }
    ExitCode::from(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_answer_that_can_not_be_written_blocks() {
        let mut stderr = Vec::new();
        let answer = Answer { stdout: "{}".into(), ..Answer::default() };
        assert_eq!(write(answer, &mut Full, &mut stderr), ExitCode::from(EXIT_BLOCK));
        assert!(String::from_utf8(stderr).unwrap().contains("could not be written"));
    }

    #[test]
    fn no_answer_writes_nothing() {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        assert_eq!(write(Answer::default(), &mut stdout, &mut stderr), ExitCode::SUCCESS);
        assert_eq!((stdout, stderr), (Vec::new(), Vec::new()));
    }
}
