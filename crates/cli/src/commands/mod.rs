//! What each command does. One file a command or a family of them.

mod batch;
mod call;
mod check;
mod config;
mod doctor;
mod explain;
mod files;
pub(crate) mod hook;
mod log;
mod rules;
mod session;
mod wiring;

use std::{
    fmt::Display,
    io::{self, Write},
    process::ExitCode,
};

use clap::CommandFactory;

use crate::{
    ambient::Ambient,
    args::{Cli, Command, LogView},
    process::{self, EXIT_BLOCK, Outcome, run_guarded},
    render::{Paint, Tone, plain},
};

/// Does what the command line says, on the guarded thread: people's commands decide too.
pub(crate) fn run(cli: Cli) -> ExitCode {
    if let Command::Hook { host, deadline_ms } = &cli.command {
        return process::leave(hook::run(host, *deadline_ms));
    }
    let paint = Paint::choose(cli.color, &io::stderr());
    let (message, status) = match run_guarded(None, move || execute(cli)) {
        Outcome::Answered(Ok(status)) => return ExitCode::from(status),
        Outcome::Answered(Err(Failure { message, status })) => (message, status),
        Outcome::TimedOut => ("it took too long".to_owned(), EXIT_BLOCK),
        Outcome::Failed { place } => {
            (format!("an internal error ({place}). Please report what you ran; nothing was decided"), EXIT_BLOCK)
        }
    };
    let lines: Vec<String> = message.lines().map(plain).collect();
    drop(writeln!(io::stderr(), "{} {}", paint.apply(Tone::Bad, "error:"), lines.join("\n")));
    ExitCode::from(status)
}

/// Runs one command. Answers the exit status.
fn execute(cli: Cli) -> Result<u8, Failure> {
    let ambient = Ambient::read();
    let mut stdout = io::stdout().lock();
    let paint = Paint::choose(cli.color, &stdout);
    let out = &mut Output::new(&mut stdout);
    match cli.command {
        Command::Check(args) => return check::run(&args, &ambient, out, paint),
        Command::Explain(args) => return explain::run(&args, &ambient, out, paint),
        // Answered before; here only for completeness.
        Command::Hook { .. } => return Ok(EXIT_BLOCK),
        Command::Install(args) => wiring::install(&args, &ambient, out)?,
        Command::Uninstall(args) => wiring::uninstall(&args, &ambient, out)?,
        Command::Doctor { host, json } => return doctor::run(host.as_deref(), json, &ambient, out, paint),
        Command::Config { view } => config::run(view, &ambient, out, paint)?,
        Command::Defaults { json } => config::built_ins(out, paint, json),
        Command::Status(args) => session::status(&args, &ambient, out, paint)?,
        Command::On(args) => session::switch(session::Switch::On, &args, &ambient, out)?,
        Command::Off(args) => session::switch(session::Switch::Off, &args, &ambient, out)?,
        Command::Reload => session::reload(&ambient, out, paint)?,
        Command::Reset(args) => session::reset(&args, &ambient, out)?,
        Command::Denials(args) => session::denials(&args, &ambient, out, paint)?,
        Command::Allow { rule, global, session } => {
            let scope = match (session, global) {
                (Some(session), _) => rules::Scope::Session(session),
                (None, true) => rules::Scope::Global,
                (None, false) => rules::Scope::Project,
            };
            rules::allow(&rule, &scope, &ambient, out)?;
        }
        Command::Trust { list: true, .. } => rules::list_trusted(&ambient, out),
        Command::Trust { dir, remove, list: false } => rules::trust(dir.as_deref(), remove, &ambient, out)?,
        Command::Log { follow, lines, json, view } => {
            let form = |json| if json { log::Form::Json } else { log::Form::People };
            match view {
                Some(LogView::Stats { json }) => log::stats(form(json), &ambient, out)?,
                None => {
                    let until = if follow { log::Until::Interrupted } else { log::Until::Now };
                    log::print(lines, until, form(json), &ambient, out, paint)?;
                }
            }
        }
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "portcullis", &mut script);
            out.text(&String::from_utf8_lossy(&script));
        }
    }
    Ok(0)
}

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
