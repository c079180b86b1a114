//! Everything that decides whether a change may land, in the order in which it fails fastest.

use crate::{
    layers, schema,
    sh::{self, Problem},
};

/// Runs every check. The first that fails ends it.
pub(crate) fn run() -> Result<(), Problem> {
    sh::run("cargo", &["fmt", "--all", "--check"])?;
    layers::run()?;
    sh::run("cargo", &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"])?;
    schema::run(schema::Mode::Check)?;
    sh::run_with(
        "cargo",
        &["doc", "--workspace", "--no-deps", "--locked", "--document-private-items"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    )?;
    sh::run("cargo", &["test", "--workspace", "--locked"])
}
