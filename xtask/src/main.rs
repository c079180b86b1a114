//! Developer tasks. `cargo xtask --help` lists them.

mod ci;
mod demo;
mod e2e;
mod layers;
mod perf;
mod schema;
mod sh;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Developer tasks of Portcullis.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run everything that `.ci/run` runs: format, lints, docs, schemas, layers, tests.
    Ci,
    /// Build, install to ~/.cargo/bin, and show the gate deciding real input.
    Demo,
    /// Write `schemas/*.schema.json` from the Rust types.
    Schema {
        /// Change nothing; fail if a file is out of date.
        #[arg(long)]
        check: bool,
    },
    /// Fail if a crate depends on one that its layer may not know.
    Layers,
    /// Measure whole hook processes against /bin/true, and analysis and decision in process.
    Perf {
        /// Pairs of processes to run.
        #[arg(long, default_value_t = 400)]
        pairs: usize,
        /// The measuring half; `perf` starts it in the release profile.
        #[arg(long, hide = true)]
        inner: bool,
    },
    /// Drive a real agent against a mock model on loopback with the hook installed. Needs npm.
    E2e {
        /// Which agent: claude-code.
        host: String,
    },
}

fn main() -> ExitCode {
    let result = match Args::parse().task {
        Task::Ci => ci::run(),
        Task::Demo => demo::run(),
        Task::Schema { check } => schema::run(if check { schema::Mode::Check } else { schema::Mode::Write }),
        Task::Layers => layers::run(),
        Task::Perf { pairs, inner: false } => perf::run(pairs),
        Task::Perf { pairs, inner: true } => perf::inner(pairs),
        Task::E2e { host } => e2e::run(&host),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            sh::say(&format!("xtask: {problem}"));
            ExitCode::FAILURE
        }
    }
}
