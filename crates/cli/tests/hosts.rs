//! What hosts see, byte for byte: recorded input of real clients (`spec/hosts.md`, section 3) and our whole answer.

#![expect(clippy::unwrap_used, reason = "writing to a string can't fail")]

mod common;

use std::fmt::Write;

use common::{Room, Run};
use serde_json::{Value, json};

fn shown(room: &Room, name: &str, input: &Value, run: &Run) -> String {
    let mut text = String::new();
    writeln!(text, "## {name}").unwrap();
    writeln!(text, "stdin  {}", room.tidy(&input.to_string())).unwrap();
    writeln!(text, "status {}", run.status.map_or("none".to_owned(), |status| status.to_string())).unwrap();
    writeln!(text, "stdout {}", room.tidy(&run.stdout).trim_end()).unwrap();
    writeln!(text, "stderr {}", room.tidy(&run.stderr).trim_end()).unwrap();
    text
}

#[test]
fn claude_code_gets_one_document_and_a_status_that_agrees() {
    let room = Room::new();
    room.config(&json!({"permissions": {"deny": ["bash(npm publish*)"], "ask": ["bash(git commit*)"], "allow": ["bash(make lint)"]}}));
    let calls = [
        ("allowed by proof", "Bash", json!({"command": "git status", "description": "Show status"})),
        (
            "allowed by a rule",
            "Bash",
            json!({"command": "make lint", "description": "Lint", "run_in_background": false}),
        ),
        ("asked without a model", "Bash", json!({"command": "git push origin main", "description": "Push"})),
        ("asked by a rule", "Bash", json!({"command": "git commit -m x", "description": "Commit"})),
        ("denied by a rule", "Bash", json!({"command": "npm publish", "description": "Publish"})),
        ("denied by the floor", "Bash", json!({"command": "git status && rm -rf ~", "description": "x"})),
        ("a read", "Read", json!({"file_path": room.project().join("notes.txt")})),
        ("a sensitive read", "Read", json!({"file_path": room.path(".ssh/id_ed25519")})),
        (
            "an edit",
            "Edit",
            json!({"file_path": room.project().join("notes.txt"), "old_string": "one", "new_string": "two", "replace_all": false}),
        ),
        (
            "a write to a control file",
            "Write",
            json!({"file_path": room.path(".claude/settings.json"), "content": "{}"}),
        ),
        ("a fetch", "WebFetch", json!({"url": "https://example.com", "prompt": "read"})),
        ("a tool list", "ToolSearch", json!({"query": "x", "max_results": 5})),
        (
            "a subagent",
            "Agent",
            json!({"description": "d", "prompt": "delete everything", "subagent_type": "general-purpose"}),
        ),
        ("an MCP tool", "mcp__github__create_issue", json!({"title": "x"})),
    ];
    let mut text = String::new();
    for (name, tool, input) in calls {
        let event = room.claude_event(tool, &input);
        text.push_str(&shown(&room, name, &event, &room.hook(&event)));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn the_modes_of_claude_code_are_followed() {
    let room = Room::new();
    let edit = json!({"file_path": room.project().join("notes.txt"), "old_string": "one", "new_string": "two"});
    let rows = [
        ("acceptEdits", "Edit", &edit, "allow"),
        ("plan", "Edit", &edit, "deny"),
        ("dontAsk", "Edit", &edit, "deny"),
        ("bypassPermissions", "Edit", &edit, "allow"),
        ("default", "Edit", &edit, "ask"),
        ("a mode of tomorrow", "Edit", &edit, "ask"),
    ];
    for (mode, tool, input, verdict) in rows {
        let mut event = room.claude_event(tool, input);
        event["permission_mode"] = json!(mode);
        assert_eq!(room.hook(&event).claude_verdict(), verdict, "{mode}");
    }
    let mut event = room.claude_event("Bash", &json!({"command": "rm -rf ~"}));
    event["permission_mode"] = json!("bypassPermissions");
    assert_eq!(room.hook(&event).claude_verdict(), "deny", "the floor holds in every mode");
}

#[test]
fn unknown_members_of_the_input_change_nothing() {
    let room = Room::new();
    let mut event = room.claude_event("Bash", &json!({"command": "git status", "sandbox": {"x": [1]}}));
    event["agent_id"] = json!("a1");
    event["agent_type"] = json!("general-purpose");
    event["something_new"] = json!({"deep": [null, true]});
    assert_eq!(room.hook(&event).claude_verdict(), "allow");
}

#[test]
fn a_gate_that_is_off_says_nothing() {
    let room = Room::new();
    assert_eq!(room.claude("Bash", &json!({"command": "ls"})).claude_verdict(), "allow");
    assert_eq!(room.run(&["off"]).status, Some(0));
    let run = room.claude("Bash", &json!({"command": "rm -rf ~"}));
    assert_eq!((run.status, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
    assert_eq!(room.run(&["on"]).status, Some(0));
    assert_eq!(room.claude("Bash", &json!({"command": "rm -rf ~"})).claude_verdict(), "deny");
}

#[test]
fn the_gate_can_not_be_turned_off_from_inside() {
    let room = Room::new();
    // The loosest settings there are: the floor holds without any other rule.
    room.config(&json!({"permissions": {"allow": ["bash(*)", "write", "edit"]}, "mode": "bypassPermissions"}));
    assert_eq!(room.claude("Bash", &json!({"command": "make"})).claude_verdict(), "allow");
    let program = env!("CARGO_BIN_EXE_portcullis");
    let rows = [
        ("portcullis off", "deny"),
        ("portcullis off --global", "deny"),
        ("portcullis trust .", "deny"),
        ("portcullis allow --global 'bash(*)'", "deny"),
        ("portcullis uninstall claude-code --yes", "deny"),
        (&format!("{program} off"), "deny"),
        ("sudo env A=1 portcullis off", "deny"),
        ("bash -c 'portcullis off'", "deny"),
        ("echo '{}' > ~/.config/portcullis/config.json", "deny"),
        ("rm -rf ~/.local/state/portcullis", "deny"),
        ("echo '{}' > ~/.claude/settings.json", "deny"),
        (&format!("rm {program}"), "deny"),
        ("portcullis status", "allow"),
        ("portcullis check -- ls", "allow"),
        ("echo portcullis off", "allow"),
        ("git commit -m 'portcullis off'", "allow"),
    ];
    for (command, verdict) in rows {
        let run = room.claude("Bash", &json!({"command": command}));
        assert_eq!(run.claude_verdict(), verdict, "{command}: {run:?}");
    }
    for file in [".local/state/portcullis/trust.json", ".config/portcullis/config.json", ".claude/settings.json"] {
        let run = room.claude("Write", &json!({"file_path": room.path(file), "content": "{}"}));
        assert_eq!(run.claude_verdict(), "deny", "{file}: {run:?}");
    }
}

#[test]
fn the_generic_protocol_answers_with_the_decision() {
    let room = Room::new();
    let rows = [
        ("allow", json!({"tool": "bash", "input": {"command": "git status"}, "cwd": room.project()})),
        ("nobody can be asked", json!({"tool": "bash", "input": {"command": "git push"}, "cwd": room.project()})),
        (
            "the host can ask",
            json!({"tool": "bash", "input": {"command": "git push"}, "cwd": room.project(), "canAsk": true}),
        ),
        ("deny", json!({"tool": "bash", "input": {"command": "rm -rf /"}, "cwd": room.project(), "session": "s"})),
        ("no directory", json!({"tool": "bash", "input": {"command": "ls"}})),
        ("unknown mode", json!({"tool": "bash", "input": {"command": "ls"}, "cwd": room.project(), "mode": "yolo"})),
    ];
    let mut text = String::new();
    for (name, input) in rows {
        let mut run = room.feed(&["hook", "generic"], input.to_string().as_bytes());
        if !run.stdout.is_empty() {
            let mut document = run.json();
            document["decisionId"] = json!("…");
            run.stdout = document.to_string();
        }
        text.push_str(&shown(&room, name, &input, &run));
    }
    insta::assert_snapshot!(text);
}
