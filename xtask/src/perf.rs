//! Speed, measured the way that survives a noisy machine: whole processes in alternating pairs, ratios of each pair,
//! the median of the ratios. Never a test: numbers are printed, people judge them against `spec/80-quality.md`.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use portcullis_shell_ast::analyze;

use crate::sh::{self, Problem};

/// Calls that agents make all day. Every one is decided locally.
const TYPICAL: &[&str] = &[
    "git status",
    "ls -la src",
    "rg -n 'fn main' crates",
    "git log --oneline -5 | head -3",
    "cat Cargo.toml | wc -l",
    "find . -name '*.rs' -type f",
    "cd crates/cli && git diff --stat HEAD~1",
    "sed -n '1,40p' README.md",
];

/// Builds in release and hands over to [`inner`].
pub(crate) fn run(pairs: usize) -> Result<(), Problem> {
    sh::run("cargo", &["build", "--release", "--locked", "--package", "portcullis-cli"])?;
    let pairs = pairs.to_string();
    sh::run(
        "cargo",
        &["run", "--release", "--locked", "--package", "xtask", "--", "perf", "--inner", "--pairs", &pairs],
    )
}

/// Measures and prints.
pub(crate) fn inner(pairs: usize) -> Result<(), Problem> {
    let binary = sh::target().join("release/portcullis");
    let size = fs::metadata(&binary).map_err(|error| format!("{}: {error}", binary.display()))?.len();
    sh::print(&format!("binary            {:.1} MB (bound 15 MB)", megabytes(size)));
    analysis();
    let room = sh::target().join("perf");
    drop(fs::remove_dir_all(&room));
    fs::create_dir_all(room.join("home")).map_err(|error| format!("{}: {error}", room.display()))?;
    for command in ["git status", "ls -la", "rm -rf ~"] {
        let call = serde_json::json!({"session_id": "perf", "hook_event_name": "PreToolUse", "cwd": room,
            "tool_name": "Bash", "tool_input": {"command": command}});
        let mut ratios = Vec::new();
        let mut own = Vec::new();
        for _ in 0..pairs {
            let hook = time(&binary, &["hook", "claude-code"], &call.to_string(), &room)?;
            let base = time(Path::new("/bin/true"), &[], "", &room)?;
            ratios.push(hook.as_secs_f64() / base.as_secs_f64());
            own.push(hook.as_secs_f64() * 1e3);
        }
        sh::print(&format!(
            "hook {command:<12} {:.2} x /bin/true, median of {pairs} pairs ({:.2} ms)",
            median(&mut ratios),
            median(&mut own)
        ));
    }
    Ok(())
}

/// Analysis of typical commands, both parsers and the comparison.
fn analysis() {
    let mut times = Vec::new();
    for command in TYPICAL {
        let mut best = f64::MAX;
        for _ in 0..20 {
            let started = Instant::now();
            for _ in 0..200 {
                std::hint::black_box(analyze(std::hint::black_box(command)));
            }
            best = best.min(started.elapsed().as_secs_f64() * 1e6 / 200.0);
        }
        sh::print(&format!("analysis          {best:6.1} us  {command}"));
        times.push(best);
    }
    sh::print(&format!("analysis median   {:6.1} us (bound 25 us)", median(&mut times)));
}

/// Wall time of one process with `input` on its standard input.
fn time(program: &Path, args: &[&str], input: &str, room: &Path) -> Result<Duration, Problem> {
    let problem = |error: std::io::Error| format!("{}: {error}", program.display());
    let started = Instant::now();
    let mut child = Command::new(program)
        .args(args)
        .env_clear()
        .env("HOME", room.join("home"))
        .env("PATH", "/usr/bin:/bin")
        .current_dir(room)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(problem)?;
    if let Some(mut pipe) = child.stdin.take() {
        // /bin/true may be gone before it is written to.
        drop(pipe.write_all(input.as_bytes()));
    }
    child.wait().map_err(problem)?;
    Ok(started.elapsed())
}

#[expect(clippy::cast_precision_loss, reason = "a size for people, rounded to a tenth of a megabyte")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// The middle value; 0 of nothing.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
