//! What each command does. One file a command or a family of them.

pub(crate) mod wiring;

use std::{fmt::Display, io::Write};

/// Where a command writes what people or programs asked for. Standard output in the program, a buffer in tests.
pub(crate) struct Output<'a> {
    sink: &'a mut dyn Write,
    /// The reader went away (`portcullis log | head`): write no more, and don't complain.
    closed: bool,
}

impl<'a> Output<'a> {
    pub(crate) fn new(sink: &'a mut dyn Write) -> Self {
        Self { sink, closed: false }
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, text: &str) {
        self.text(text);
        self.text("\n");
    }

    /// Writes text as it is.
    pub(crate) fn text(&mut self, text: &str) {
        if !self.closed && self.sink.write_all(text.as_bytes()).is_err() {
            self.closed = true;
        }
    }

    /// The other side no longer reads.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }
}

/// Why a command did not do what it was asked, and the exit status that says so.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// For stderr.
    pub(crate) message: String,
    /// 1, or 2 for a usage error.
    pub(crate) status: u8,
}

impl Failure {
    /// It was tried and failed.
    pub(crate) fn failed(message: impl Display) -> Self {
        Self { message: message.to_string(), status: 1 }
    }

    /// The call itself makes no sense.
    pub(crate) fn usage(message: impl Display) -> Self {
        Self { message: message.to_string(), status: 2 }
    }
}
