//! Claude Code: `PreToolUse` hooks in `~/.claude/settings.json`.
//!
//! Observed on 2.1.332 (`spec/hosts.md`, table 4): only a well-formed deny/ask document or exit status 2 with a text on
//! stderr stops a tool; an unknown word, a second line on stdout, exit status 1, a signal or a timeout lets it run.

use portcullis_gate::{Decision, Mode, Verdict};
use serde_json::{Value, json};

use super::{CallEvent, Event, Host, HostProblem, Wiring, text};
use crate::{
    process::{Answer, EXIT_BLOCK},
    render,
};

/// Claude Code.
pub(crate) struct ClaudeCode;

/// Events that come without a tool that waits for us (Claude Code documentation, "Hooks reference").
const NOT_OURS: &[&str] = &[
    "PostToolUse",
    "PostToolUseFailure",
    "Notification",
    "UserPromptSubmit",
    "SessionStart",
    "SessionEnd",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
];

impl Host for ClaudeCode {
    fn id(&self) -> &'static str {
        "claude-code"
    }

    fn parse(&self, input: &Value) -> Result<Event, HostProblem> {
        if !input.is_object() {
            return Err(HostProblem::NotAnObject);
        }
        let event = text(input, "hook_event_name")?;
        if NOT_OURS.contains(&event) {
            return Ok(Event::Ignored);
        }
        if event != "PreToolUse" {
            return Err(HostProblem::UnknownEvent { name: event.to_owned() });
        }
        Ok(Event::ToolCall(Box::new(CallEvent {
            tool: text(input, "tool_name")?.to_owned(),
            input: input.get("tool_input").cloned().unwrap_or(Value::Null),
            cwd: text(input, "cwd")?.to_owned(),
            session: input.get("session_id").and_then(Value::as_str).map(str::to_owned),
            mode: input.get("permission_mode").and_then(Value::as_str).and_then(mode),
            // Without a terminal (`claude -p`) an `ask` refuses the call with our reason, so it is always safe to say.
            can_ask: true,
        })))
    }

    fn answer(&self, decision: &Decision) -> Answer {
        let word = match decision.verdict {
            Verdict::Allow => "allow",
            Verdict::Ask => "ask",
            Verdict::Deny | Verdict::Undecided => "deny",
            Verdict::Pass => return Answer::default(),
        };
        // No other key, at any level: Codex, which reads the same shape, rejects the whole document for one.
        let document = json!({"hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": word,
            "permissionDecisionReason": render::host_reason(decision),
        }});
        let (stderr, status) = match decision.verdict {
            // The document and the exit status each stop the tool, so that one of them may be lost.
            Verdict::Deny | Verdict::Undecided => (render::host_reason(decision), EXIT_BLOCK),
            Verdict::Allow | Verdict::Ask | Verdict::Pass => (String::new(), 0),
        };
        Answer { stdout: document.to_string(), stderr, status }
    }

    fn wiring(&self) -> Option<&'static dyn Wiring> {
        Some(&ClaudeCode)
    }
}

/// Claude Code's names are the specification's own.
fn mode(name: &str) -> Option<Mode> {
    name.parse().ok()
}

impl Wiring for ClaudeCode {
    fn settings(&self) -> &'static [&'static str] {
        &[".claude", "settings.json"]
    }

    fn timeout_seconds(&self) -> u64 {
        60
    }

    fn array(&self) -> &'static [&'static str] {
        &["hooks", "PreToolUse"]
    }

    fn entry(&self, program: &str) -> Value {
        json!({"matcher": "*", "hooks": [{
            "type": "command",
            "command": format!("{} hook claude-code", shell_word(program)),
            "timeout": self.timeout_seconds(),
        }]})
    }

    fn program_of<'a>(&self, entry: &'a Value) -> Option<&'a str> {
        let hooks = entry.get("hooks")?.as_array()?;
        hooks.iter().find_map(|hook| {
            let command = hook.get("command")?.as_str()?;
            let program = command.strip_suffix(" hook claude-code")?;
            let name = program.trim_matches('\'').rsplit(['/', '\\']).next()?;
            (name == "portcullis" || name == "portcullis.exe").then_some(program)
        })
    }

    fn disabled(&self, settings: &Value) -> Option<String> {
        (settings.get("disableAllHooks").and_then(Value::as_bool) == Some(true))
            .then(|| "`disableAllHooks` is true: Claude Code calls no hook at all".to_owned())
    }

    fn canary(&self, cwd: &str) -> Value {
        json!({"session_id": "portcullis-doctor", "hook_event_name": "PreToolUse", "cwd": cwd,
            "tool_name": "Bash", "tool_input": {"command": "rm -rf / # canary of `portcullis doctor`"}})
    }
}

/// Quotes a path for `sh -c`, which is how Claude Code starts hooks.
fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
