//! Colour, and when there is none.

use std::{env, io::IsTerminal};

use crate::args::Color;

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Good,
    Caution,
    Bad,
    Quiet,
    Strong,
}

/// Colours, or doesn't.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paint {
    colours: bool,
}

impl Paint {
    /// As `--color`, `NO_COLOR` and the terminal say.
    pub(crate) fn choose(color: Color, stream: &impl IsTerminal) -> Self {
        let colours = match color {
            Color::Always => true,
            Color::Never => false,
            // https://no-color.org: set and not empty means no colour.
            Color::Auto => stream.is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        };
        Self { colours }
    }

    /// `text` in its tone.
    pub(crate) fn apply(self, tone: Tone, text: &str) -> String {
        if !self.colours {
            return text.to_owned();
        }
        let code = match tone {
            Tone::Good => "32",
            Tone::Caution => "33",
            Tone::Bad => "31",
            Tone::Quiet => "2",
            Tone::Strong => "1",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}
