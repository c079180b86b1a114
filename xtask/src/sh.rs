//! Running programs and finding the workspace.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// What went wrong, for a person.
pub(crate) type Problem = String;

/// The workspace root.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Where cargo builds.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Writes a line to stderr.
pub(crate) fn say(line: &str) {
    // A closed stderr loses the line, never the task.
    drop(writeln!(std::io::stderr(), "{line}"));
}

/// Writes a line to stdout.
pub(crate) fn print(line: &str) {
    drop(writeln!(std::io::stdout(), "{line}"));
}

/// Runs a program in the workspace root with our own streams, and fails if it fails.
pub(crate) fn run(program: &str, args: &[&str]) -> Result<(), Problem> {
    run_with(program, args, &[])
}

/// [`run`] with extra environment variables.
pub(crate) fn run_with(program: &str, args: &[&str], env: &[(&str, &str)]) -> Result<(), Problem> {
    say(&format!("$ {program} {}", args.join(" ")));
    let status = Command::new(program)
        .args(args)
        .envs(env.iter().copied())
        .current_dir(root())
        .stdin(Stdio::null())
        .status()
        .map_err(|error| format!("`{program}` can't be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{program} {}` failed: {status}", args.join(" "))) }
}

/// Runs a program in the workspace root and returns its standard output.
pub(crate) fn output(program: &str, args: &[&str]) -> Result<String, Problem> {
    let output = Command::new(program)
        .args(args)
        .current_dir(root())
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("`{program}` can't be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("`{program} {}` failed: {}", args.join(" "), output.status));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("`{program}` printed something other than UTF-8"))
}
