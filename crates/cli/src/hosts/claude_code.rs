//! Claude Code: `PreToolUse` hooks in `~/.claude/settings.json`.
//!
//! Observed on 2.1.332 (`spec/hosts.md`, table 4): only a well-formed deny/ask document or exit status 2 with a text on
//! stderr stops a tool; an unknown word, a second line on stdout, exit status 1, a signal or a timeout lets it run.

use portcullis_gate::{Decision, Mode, Verdict};
use serde_json::{Value, json};

use super::{CallEvent, Event, Host, HostProblem, Wiring, claude_transcript::conversation, text};
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
            conversation: conversation(input),
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

/// Claude Code's names are the specification's own. Its `default` is what it says when nobody has chosen anything, so it
/// leaves the choice to our settings.
fn mode(name: &str) -> Option<Mode> {
    name.parse().ok().filter(|mode| *mode != Mode::Default)
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
            "command": format!("{} hook claude-code", quote(program)),
            "timeout": self.timeout_seconds(),
        }]})
    }

    fn hooks_key(&self) -> &'static str {
        "hooks"
    }

    fn program_of(&self, hook: &Value) -> Option<String> {
        let (program, rest) = hook.get("command")?.as_str()?.split_once(" hook claude-code")?;
        let program = unquote(program.trim())?;
        let name = program.rsplit(['/', '\\']).next()?;
        // Options of ours may follow; another word would be another host's name.
        let ours = (name == "portcullis" || name == "portcullis.exe") && (rest.is_empty() || rest.starts_with(' '));
        ours.then_some(program)
    }

    fn covers_everything(&self, element: &Value) -> Option<String> {
        match element.get("matcher").and_then(Value::as_str) {
            None | Some("" | "*" | ".*") => None,
            Some(matcher) => Some(format!("it is called for `{matcher}` only; other tools run ungated")),
        }
    }

    fn disabled(&self, settings: &Value) -> Option<String> {
        (settings.get("disableAllHooks").and_then(Value::as_bool) == Some(true))
            .then(|| "`disableAllHooks` is true: Claude Code calls no hook at all".to_owned())
    }

    fn canary(&self, cwd: &str) -> Value {
        // No session id: a check of the wiring is nobody's session.
        json!({"hook_event_name": "PreToolUse", "cwd": cwd, "tool_name": "Bash",
            "tool_input": {"command": "rm -rf / # canary of `portcullis doctor`"}})
    }
}

/// Quotes a path for `sh -c`, which is how Claude Code starts hooks.
fn quote(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// Undoes [`quote`], and plain double quotes as people write them. Anything else names no program that we can tell.
fn unquote(word: &str) -> Option<String> {
    if let Some(inner) = word.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        let text = inner.replace(r"'\''", "\u{0}");
        return (!text.contains('\'')).then(|| text.replace('\u{0}', "'"));
    }
    if let Some(inner) = word.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return (!inner.contains(['"', '$', '`', '\\'])).then(|| inner.to_owned());
    }
    (!word.is_empty() && !word.contains([' ', '\'', '"', '$', '`', ';', '&', '|', '<', '>', '(', ')']))
        .then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_hook_is_known_again_however_its_path_is_spelt() {
        for path in ["/usr/bin/portcullis", "/home/a b/portcullis", "/home/o'neil/portcullis", "/tmp/$x/portcullis"] {
            let entry = ClaudeCode.entry(path);
            let hook = entry.pointer("/hooks/0").unwrap();
            assert_eq!(ClaudeCode.program_of(hook).as_deref(), Some(path));
        }
    }

    #[test]
    fn other_peoples_hooks_are_not_ours() {
        let rows = [
            ("portcullis hook claude-code", Some("portcullis"), "found on PATH"),
            ("\"/opt/p c/portcullis\" hook claude-code", Some("/opt/p c/portcullis"), "quoted by a person"),
            ("/x/portcullis hook claude-code --deadline-ms 3000", Some("/x/portcullis"), "with options"),
            ("/x/portcullis hook claude-code2", None, "another host"),
            ("/x/notportcullis hook claude-code", None, "another program"),
            ("echo /x/portcullis hook claude-code", None, "an argument of another program"),
            ("my-gate", None, "unrelated"),
        ];
        for (command, program, why) in rows {
            assert_eq!(ClaudeCode.program_of(&json!({"command": command})).as_deref(), program, "{why}");
        }
    }

    #[test]
    fn the_default_mode_of_the_host_leaves_the_choice_to_our_settings() {
        assert_eq!(mode("default"), None);
        assert_eq!(mode("plan"), Some(Mode::Plan));
        assert_eq!(mode("a mode of tomorrow"), None);
    }
}
