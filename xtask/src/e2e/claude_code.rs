//! Real Claude Code with the installed hook.

use std::{
    fs,
    io::Read,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::json;

use super::mock;
use crate::sh::{self, Problem};

/// The version that `spec/hosts.md` observed. A newer one is welcome; change it here.
const PACKAGE: &str = "@anthropic-ai/claude-code@2.1.332";

/// Longest run of one scenario.
const PATIENCE: Duration = Duration::from_secs(90);

/// One scenario: what the model asks for, under which configuration, and whether it may run.
struct Scenario {
    name: &'static str,
    command: &'static str,
    /// Portcullis' global configuration.
    config: fn(mock_port: u16) -> serde_json::Value,
    /// Put in place of the installed hook command; `None` keeps it.
    hook: Option<&'static str>,
    /// The proof file must exist afterwards.
    runs: bool,
}

const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "allow runs",
        command: "touch proof.txt",
        config: |_| json!({"permissions": {"allow": ["bash(touch proof.txt)"]}}),
        hook: None,
        runs: true,
    },
    Scenario {
        name: "deny does not run",
        command: "touch proof.txt && rm -rf ~",
        config: |_| json!({"permissions": {"allow": ["bash(touch proof.txt)", "bash(rm *)"]}}),
        hook: None,
        runs: false,
    },
    Scenario {
        name: "ask without a person does not run",
        command: "touch proof.txt",
        config: |_| json!({}),
        hook: None,
        runs: false,
    },
    Scenario {
        name: "a hanging classifier does not run the tool",
        command: "touch proof.txt",
        config: |port| {
            json!({"autoMode": {"classifierModel": "hanging/model", "classifierTimeoutMs": 2000},
                   "providers": {"hanging": {"baseUrl": format!("http://127.0.0.1:{port}/v1"), "apiKey": "none"}}})
        },
        hook: None,
        runs: false,
    },
    Scenario {
        name: "a killed classifier connection does not run the tool",
        command: "touch proof.txt",
        config: |_| {
            json!({"autoMode": {"classifierModel": "gone/model", "classifierTimeoutMs": 2000},
                   "providers": {"gone": {"baseUrl": "http://127.0.0.1:9/v1", "apiKey": "none"}}})
        },
        hook: None,
        runs: false,
    },
];

/// Runs every scenario and reports each.
pub(crate) fn run() -> Result<(), Problem> {
    let home = sh::target().join("e2e/claude-code");
    let client = client(&home)?;
    sh::run("cargo", &["build", "--release", "--locked", "--package", "portcullis-cli"])?;
    let binary = sh::target().join("release/portcullis");
    let hanging = hanging_server()?;
    let mut failures = Vec::new();
    for (index, scenario) in SCENARIOS.iter().enumerate() {
        let room = home.join(format!("run-{index}"));
        match play(scenario, &room, &client, &binary, hanging) {
            Ok(report) => sh::print(&format!("ok    {}: {report}", scenario.name)),
            Err(problem) => {
                sh::print(&format!("FAIL  {}: {problem}", scenario.name));
                failures.push(scenario.name);
            }
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(format!("failed: {}", failures.join(", "))) }
}

/// Installs the client once and returns its program.
fn client(home: &Path) -> Result<PathBuf, Problem> {
    let program = home.join("node_modules/.bin/claude");
    if !program.exists() {
        fs::create_dir_all(home).map_err(|error| format!("{}: {error}", home.display()))?;
        let prefix = home.display().to_string();
        sh::run("npm", &["install", "--prefix", &prefix, "--no-save", "--no-fund", "--no-audit", PACKAGE])?;
    }
    Ok(program)
}

/// A server that accepts and never answers.
fn hanging_server() -> Result<u16, Problem> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| format!("hanging server: {error}"))?;
    let port = listener.local_addr().map_err(|error| format!("hanging server: {error}"))?.port();
    thread::spawn(move || {
        let held: Vec<_> = listener.incoming().collect();
        drop(held);
    });
    Ok(port)
}

/// One run: a fresh home, the hook installed by our own `install`, one turn of the model.
fn play(scenario: &Scenario, room: &Path, client: &Path, binary: &Path, hanging: u16) -> Result<String, Problem> {
    let problem = |what: &str, error: std::io::Error| format!("{what}: {error}");
    drop(fs::remove_dir_all(room));
    let (home, project) = (room.join("home"), room.join("project"));
    for directory in [&home.join(".config/portcullis"), &home.join(".claude"), &project] {
        fs::create_dir_all(directory).map_err(|error| problem("room", error))?;
    }
    let config = (scenario.config)(hanging).to_string();
    fs::write(home.join(".config/portcullis/config.json"), config).map_err(|error| problem("config", error))?;
    let mut install = Command::new(binary);
    install.args(["install", "claude-code", "--yes"]).env_clear().env("HOME", &home).current_dir(&project);
    let installed = install.output().map_err(|error| problem("install", error))?;
    if !installed.status.success() {
        return Err(format!("install: {}", String::from_utf8_lossy(&installed.stderr)));
    }
    if let Some(hook) = scenario.hook {
        let path = home.join(".claude/settings.json");
        let text = fs::read_to_string(&path).map_err(|error| problem("settings", error))?;
        let replaced = text.replace(&binary.display().to_string(), hook);
        fs::write(&path, replaced).map_err(|error| problem("settings", error))?;
    }
    let port = mock::start(scenario.command)?;
    let mut child = Command::new(client)
        .args(["-p", "make the proof file", "--output-format", "json", "--model", "claude-sonnet-4-5"])
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", &home)
        .env("ANTHROPIC_BASE_URL", format!("http://127.0.0.1:{port}"))
        .env("ANTHROPIC_API_KEY", "sk-ant-dummy-000")
        .env("DISABLE_TELEMETRY", "1")
        .env("DISABLE_AUTOUPDATER", "1")
        .env("DISABLE_ERROR_REPORTING", "1")
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .current_dir(&project)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| problem("claude", error))?;
    let started = Instant::now();
    let mut text = String::new();
    let reader = child.stdout.take().map(|mut pipe| {
        thread::spawn(move || {
            let mut text = String::new();
            drop(pipe.read_to_string(&mut text));
            text
        })
    });
    loop {
        if child.try_wait().map_err(|error| problem("claude", error))?.is_some() {
            break;
        }
        if started.elapsed() > PATIENCE {
            drop(child.kill());
            return Err("claude did not end".to_owned());
        }
        thread::sleep(Duration::from_millis(50));
    }
    if let Some(reader) = reader {
        text = reader.join().unwrap_or_default();
    }
    let ran = project.join("proof.txt").exists();
    let seconds = started.elapsed().as_secs_f32();
    if ran == scenario.runs {
        Ok(format!("tool {} ({seconds:.1} s)", if ran { "ran" } else { "did not run" }))
    } else {
        Err(format!("the tool {} after {seconds:.1} s; claude said: {text}", if ran { "RAN" } else { "did not run" }))
    }
}
