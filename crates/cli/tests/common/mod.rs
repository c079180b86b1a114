//! A home directory, a project, and the real program run in them.

#![expect(dead_code, reason = "each test binary uses a part of it")]
#![expect(clippy::expect_used, clippy::panic, reason = "a test whose world can't be made fails")]

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
};

use serde_json::{Value, json};
use tempfile::TempDir;

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// The verdict that Claude Code reads from it, by the rules of its hooks reference.
    pub(crate) fn claude_verdict(&self) -> &'static str {
        if self.status == Some(2) {
            return "deny";
        }
        if self.status != Some(0) || self.stdout.trim().is_empty() {
            return "none";
        }
        let document: Value = serde_json::from_str(&self.stdout).expect("stdout is one JSON document");
        match document.pointer("/hookSpecificOutput/permissionDecision").and_then(Value::as_str) {
            Some("allow") => "allow",
            Some("ask") => "ask",
            Some("deny") => "deny",
            other => panic!("{other:?} in {document}"),
        }
    }

    /// The one JSON document on stdout.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// A fresh home directory with a project in it, a git repository.
pub(crate) struct Room {
    directory: TempDir,
    variables: Vec<(String, String)>,
    unset: Vec<String>,
}

impl Default for Room {
    fn default() -> Self {
        Self::new()
    }
}

impl Room {
    pub(crate) fn new() -> Self {
        let room = Self {
            directory: tempfile::Builder::new().prefix("room").tempdir().expect("a temporary directory"),
            variables: Vec::new(),
            unset: Vec::new(),
        };
        let files: &[(&str, &str)] = &[
            ("notes.txt", "one\ntwo\n"),
            ("README.md", "# proj\n"),
            ("Cargo.toml", "[package]\nname = \"proj\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
            ("package.json", "{\"name\": \"proj\", \"version\": \"1.0.0\", \"scripts\": {\"test\": \"true\"}}\n"),
            ("src/main.rs", "fn main() {}\n"),
            ("src/lib.rs", "//! x\n"),
            ("tests/a.rs", "//! x\n"),
            (".env", "SECRET=1\n"),
            (".git/HEAD", "ref: refs/heads/main\n"),
            (".git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"),
        ];
        for (name, text) in files {
            room.write(&format!("proj/{name}"), text);
        }
        for name in ["proj/.git/objects", "proj/.git/refs/heads", ".claude"] {
            fs::create_dir_all(room.path(name)).expect("a directory");
        }
        room
    }

    pub(crate) fn home(&self) -> PathBuf {
        fs::canonicalize(self.directory.path()).expect("the home directory")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.home().join("proj")
    }

    /// A path below home.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.home().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        self.write_bytes(name, text.as_bytes());
    }

    pub(crate) fn write_bytes(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
        fs::write(&path, bytes).expect("a file");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The global settings.
    pub(crate) fn config(&self, settings: &Value) {
        self.write(".config/portcullis/config.json", &settings.to_string());
    }

    /// Sets a variable for every run.
    pub(crate) fn set(&mut self, name: &str, value: impl Into<String>) {
        self.variables.push((name.to_owned(), value.into()));
    }

    /// Takes a variable away for every run.
    pub(crate) fn unset(&mut self, name: &str) {
        self.unset.push(name.to_owned());
    }

    /// The program, in the project.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_portcullis"));
        command
            .args(args)
            .env_clear()
            .env("HOME", self.home())
            .env("PATH", "/usr/bin:/bin")
            .current_dir(self.project());
        for (name, value) in &self.variables {
            command.env(name, value);
        }
        for name in &self.unset {
            command.env_remove(name);
        }
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Run {
        self.feed(args, b"")
    }

    /// Runs with an input. A program that does not read it to its end is no failure.
    pub(crate) fn feed(&self, args: &[&str], input: &[u8]) -> Run {
        feed(self.command(args), input)
    }

    /// A tool call as Claude Code 2.1 sends it.
    pub(crate) fn claude(&self, tool: &str, input: &Value) -> Run {
        self.hook(&self.claude_event(tool, input))
    }

    pub(crate) fn claude_event(&self, tool: &str, input: &Value) -> Value {
        json!({
            "session_id": "0b1f8c0e-6b1f-4a55-9d3b-2f6a3d6c9a10",
            "transcript_path": self.path(".claude/projects/-proj/0b1f8c0e.jsonl"),
            "cwd": self.project(),
            "prompt_id": "p1",
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": tool,
            "tool_input": input,
            "tool_use_id": "toolu_01",
        })
    }

    pub(crate) fn hook(&self, event: &Value) -> Run {
        self.feed(&["hook", "claude-code"], event.to_string().as_bytes())
    }

    /// Temporary paths by fixed names, for snapshots.
    pub(crate) fn tidy(&self, text: &str) -> String {
        let home = self.home();
        let home = home.to_str().expect("a Unicode path");
        text.replace(home, "/home/dev").replace(env!("CARGO_BIN_EXE_portcullis"), "/usr/bin/portcullis")
    }

    /// Every file below home with its content, apart from our own state: what must not change.
    pub(crate) fn files(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut found = BTreeMap::new();
        let state = self.path(".local/state/portcullis");
        let mut open = vec![self.home()];
        while let Some(directory) = open.pop() {
            for entry in fs::read_dir(&directory).expect("a directory").flatten() {
                let path = entry.path();
                let kind = entry.file_type().expect("a file type");
                if path == state {
                    continue;
                }
                if kind.is_dir() {
                    open.push(path);
                } else {
                    let bytes = kind.is_file().then(|| fs::read(&path).ok()).flatten();
                    found.insert(path, bytes);
                }
            }
        }
        found.retain(|path, _| !path.starts_with(&state));
        found
    }
}

pub(crate) fn feed(mut command: Command, input: &[u8]) -> Run {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program");
    let mut pipe = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = thread::spawn(move || drop(pipe.write_all(&input)));
    let output = child.wait_with_output().expect("an end");
    writer.join().expect("a writer");
    Run {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("stdout is text"),
        stderr: String::from_utf8(output.stderr).expect("stderr is text"),
    }
}

/// JSON lines.
pub(crate) fn lines<'a>(values: impl IntoIterator<Item = &'a Value>) -> String {
    values.into_iter().map(Value::to_string).collect::<Vec<_>>().join("\n") + "\n"
}

/// A file of the workspace.
pub(crate) fn workspace(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}
