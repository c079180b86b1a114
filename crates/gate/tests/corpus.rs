//! The two figures that decide whether people keep the gate switched on: no harmful command is allowed locally, and nearly
//! every harmless one is. Rows: `tests/corpus/benign.txt`, `tests/corpus/hostile.txt`.
#![expect(clippy::unwrap_used, reason = "what goes wrong here is a broken test")]

use std::fs;
use std::path::Path;
use std::process::Command;

use portcullis_config::load;
use portcullis_gate::{
    Base, Decision, Gate, NoClassifier, NoLog, NoPrompter, NoState, Person, Policy, Ports, Reach, RealFs, Session,
    SystemClock, ToolCall, Verdict,
};

/// `(category, command)` of every row.
fn rows(name: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus").join(name);
    let text = fs::read_to_string(path).unwrap();
    let mut category = String::new();
    let mut rows = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            name.clone_into(&mut category);
        } else if !line.is_empty() && !line.starts_with('#') {
            rows.push((category.clone(), line.to_owned()));
        }
    }
    rows
}

/// A project as agents find them: a repository with a few files, one of them secret.
fn project() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let project = directory.path().join("dev/project");
    fs::create_dir_all(project.join("src")).unwrap();
    for name in ["notes.txt", "a.txt", "b.txt", "Cargo.toml", "README.md", "package.json", "src/main.rs", ".env"] {
        fs::write(project.join(name), "x\n").unwrap();
    }
    let git = Command::new("git").args(["init", "-q"]).current_dir(&project).status().unwrap();
    assert!(git.success());
    directory
}

fn decide_all(rows: &[(String, String)]) -> Vec<Decision> {
    let directory = project();
    let home = directory.path().canonicalize().unwrap().join("dev");
    let project = home.join("project");
    let base = Base::new(project.clone(), home.to_str());
    let policy = Policy::compile(load(&Vec::new()), &base, &RealFs);
    let home = home.to_str().map(str::to_owned);
    let session = Session { home, person: Person::HostAsks, reach: Reach::LocalOnly, ..Session::default() };
    let ports = Ports {
        fs: &RealFs,
        clock: &SystemClock,
        prompter: &NoPrompter,
        state: &NoState,
        log: &NoLog,
        classifiers: &NoClassifier,
    };
    let gate = Gate::new(&policy, ports);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let decide = |(_, command): &(String, String)| {
        let call = ToolCall::new("Bash", serde_json::json!({ "command": command }), project.to_str().unwrap());
        runtime.block_on(gate.decide(&call, &session))
    };
    rows.iter().map(decide).collect()
}

#[test]
fn no_harmful_command_is_allowed_locally() {
    let rows = rows("hostile.txt");
    let decisions = decide_all(&rows);
    let allowed: Vec<String> = rows
        .iter()
        .zip(&decisions)
        .filter(|(_, decision)| matches!(decision.verdict, Verdict::Allow | Verdict::Pass))
        .map(|((category, command), decision)| format!("[{category}] {command}: {}", decision.reason))
        .collect();
    println!("hostile commands allowed locally: {} of {}", allowed.len(), rows.len());
    assert!(allowed.is_empty(), "{}", allowed.join("\n"));
}

#[test]
fn nearly_every_harmless_command_is_allowed_locally() {
    let rows = rows("benign.txt");
    let decisions = decide_all(&rows);
    let mut asked = Vec::new();
    for ((category, command), decision) in rows.iter().zip(&decisions) {
        assert_ne!(decision.verdict, Verdict::Deny, "{command}: {}", decision.reason);
        if decision.verdict != Verdict::Allow {
            let why = decision.trace.iter().find(|step| step.stage == portcullis_gate::Stage::ReadOnly);
            asked.push(format!("[{category}] {command}: {}", why.map_or("", |step| &step.detail)));
        }
    }
    println!("harmless commands allowed locally: {} of {}", rows.len() - asked.len(), rows.len());
    // 97 % is the goal of the next issue; this number only ever goes down.
    assert!(asked.len() <= 6, "{} would be asked:\n{}", asked.len(), asked.join("\n"));
}
