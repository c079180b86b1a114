//! What a newcomer runs first: build, install, and see the gate decide.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use serde_json::json;

use crate::sh::{self, Problem};

/// Calls worth showing, and what each shows.
const SHOWN: &[(&str, &str)] = &[
    ("git status", "only reads: runs at once"),
    ("git log --oneline -5 | head -3", "a pipeline of readers"),
    ("git status && rm -rf ~", "the floor, wherever it hides"),
    ("bash -c \"echo hi >> ~/.bashrc\"", "inside a script, into a shell profile"),
    ("git push origin main", "changes something elsewhere: you are asked"),
];

/// Installs the program and shows decisions as a host would get them.
pub(crate) fn run() -> Result<(), Problem> {
    sh::run("cargo", &["install", "--path", "crates/cli", "--locked", "--quiet"])?;
    sh::print("\nWhat Claude Code would be answered:\n");
    for (command, shows) in SHOWN {
        sh::print(&format!("  {command}\n    ({shows})"));
        sh::print(&format!("    → {}\n", ask(command)?));
    }
    sh::print("Next: `portcullis install claude-code`, or `portcullis explain -- <any command>`.");
    Ok(())
}

/// Sends one PreToolUse event to the hook and returns its verdict and reason.
fn ask(command: &str) -> Result<String, Problem> {
    let problem = |error: std::io::Error| format!("portcullis: {error} (is ~/.cargo/bin on your PATH?)");
    let event = json!({"hook_event_name": "PreToolUse", "session_id": "demo", "cwd": sh::root(),
        "tool_name": "Bash", "tool_input": {"command": command}});
    let mut child = Command::new("portcullis")
        .args(["hook", "claude-code"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(problem)?;
    if let Some(mut pipe) = child.stdin.take() {
        pipe.write_all(event.to_string().as_bytes()).map_err(problem)?;
    }
    let output = child.wait_with_output().map_err(problem)?;
    let answer: serde_json::Value =
        serde_json::from_slice(&output.stdout).map_err(|error| format!("portcullis answered no JSON: {error}"))?;
    let field = |name: &str| {
        let pointer = format!("/hookSpecificOutput/{name}");
        answer.pointer(&pointer).and_then(serde_json::Value::as_str).unwrap_or_default().to_owned()
    };
    Ok(format!("{}: {}", field("permissionDecision"), field("permissionDecisionReason")))
}
