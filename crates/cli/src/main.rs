//! `portcullis`: the permission gate as a program.
//!
//! Thin on purpose. [`ambient`] reads what is around the process, [`compose`] builds the gate from it, [`hosts`] speak the
//! agents' protocols, [`commands`] do what people ask for, [`render`] words the results, and [`process`] sees to it that an
//! answer leaves in time whatever happens.

mod ambient;
mod args;
mod commands;
mod compose;
mod hosts;
mod model;
mod process;
mod render;
mod request;

use std::{env, ffi::OsString, process::ExitCode};

use clap::Parser;

fn main() -> ExitCode {
    let words: Vec<OsString> = env::args_os().skip(1).collect();
    // What hosts call, before every tool call: the argument parser would cost a tenth of the whole answer.
    if let [command, host] = words.as_slice()
        && command == "hook"
        && let Some(host) = host.to_str().filter(|host| !host.starts_with('-'))
    {
        return process::leave(commands::hook::run(host, None));
    }
    commands::run(args::Cli::parse())
}
