//! The commands that people type.

mod common;

use std::{fmt::Write, fs};

use common::Room;
use serde_json::{Value, json};

const SETTINGS: &str = ".claude/settings.json";

/// Settings as people have them.
const INSTALLED_OVER: &[(&str, &str)] = &[
    ("no hooks", "{\n  \"model\": \"opus\"\n}\n"),
    ("an empty object", "{}\n"),
    ("comments", "{\n  // mine\n  \"model\": \"opus\", /* keep */\n  \"env\": {\"A\": \"1\"},\n}\n"),
    (
        "another hook",
        "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"my-gate\"}]}\n    ],\n    \"Stop\": []\n  }\n}\n",
    ),
    ("four blanks", "{\n    \"hooks\": {\n        \"PostToolUse\": []\n    }\n}\n"),
    ("tabs", "{\n\t\"model\": \"opus\",\n\t\"hooks\": {\n\t\t\"Stop\": []\n\t}\n}\n"),
    ("CRLF", "{\r\n  \"model\": \"opus\",\r\n  \"hooks\": {\r\n    \"Stop\": []\r\n  }\r\n}\r\n"),
    ("one line", "{\"model\": \"opus\", \"hooks\": {\"Stop\": []}}"),
    ("no final newline", "{\n  \"model\": \"opus\"\n}"),
    ("odd indentation", "{\n     \"hooks\":\n  {   \"Stop\" : [ ] }\n}\n"),
    ("a byte order mark", "\u{feff}{\n  \"model\": \"opus\"\n}\n"),
];

/// The text without its blanks.
fn ink(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[test]
fn install_changes_only_our_entry_and_uninstall_takes_it_back() {
    for (name, text) in INSTALLED_OVER {
        let room = Room::new();
        room.write(SETTINGS, text);
        let run = room.run(&["install", "claude-code", "--yes"]);
        assert_eq!(run.status, Some(0), "{name}: {run:?}");
        let installed = room.read(SETTINGS);
        for line in text.lines().map(|line| line.trim().trim_end_matches([',', '{', '}', '[', ']'])) {
            assert!(ink(&installed).contains(&ink(line)), "{name}: lost `{line}` in {installed}");
        }
        assert_eq!(text.contains("\r\n"), installed.contains("\r\n"), "{name}: line ends");
        assert!(installed.contains(env!("CARGO_BIN_EXE_portcullis")), "{name}: {installed}");
        let backup = room.read(".claude/settings.json.portcullis-backup");
        assert_eq!(&backup, text, "{name}: the file as it was");
        assert_eq!(
            room.claude("Bash", &json!({"command": "ls"})).claude_verdict(),
            "allow",
            "{name}: settings still read"
        );

        let again = room.run(&["install", "claude-code", "--yes"]);
        assert_eq!(again.status, Some(0), "{name}");
        assert_eq!(room.read(SETTINGS), installed, "{name}: installed twice");
        assert!(
            !room.path(".claude/settings.json.portcullis-backup.1").exists(),
            "{name}: no second backup for nothing"
        );

        let run = room.run(&["uninstall", "claude-code", "--yes"]);
        assert_eq!(run.status, Some(0), "{name}: {run:?}");
        let left = room.read(SETTINGS);
        // What stood on one line stays spread over several.
        assert!(
            if matches!(*name, "one line" | "odd indentation") { ink(&left) == ink(text) } else { left == *text },
            "{name}: not as before: {left:?}"
        );
        let run = room.run(&["uninstall", "claude-code", "--yes"]);
        assert_eq!((run.status, room.read(SETTINGS)), (Some(0), left), "{name}: uninstalled twice");
    }
}

#[test]
fn install_makes_settings_that_are_not_there() {
    let room = Room::new();
    fs::remove_dir_all(room.path(".claude")).unwrap();
    assert_eq!(room.run(&["install", "claude-code", "--yes"]).status, Some(0));
    let settings: Value = serde_json::from_str(&room.read(SETTINGS)).unwrap();
    assert_eq!(settings.pointer("/hooks/PreToolUse/0/hooks/0/timeout"), Some(&json!(60)));
    assert_eq!(room.run(&["doctor", "claude-code"]).status, Some(0));
}

#[test]
fn install_leaves_other_hooks_of_a_shared_element_alone() {
    let room = Room::new();
    let ours = "/old/place/portcullis hook claude-code";
    let text = json!({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [
        {"type": "command", "command": "my-gate"}, {"type": "command", "command": ours}]}]}});
    room.write(SETTINGS, &text.to_string());
    assert_eq!(room.run(&["install", "claude-code", "--yes"]).status, Some(0));
    let installed = room.read(SETTINGS);
    assert!(installed.contains("my-gate") && !installed.contains("/old/place"), "{installed}");
    assert_eq!(room.run(&["uninstall", "claude-code", "--yes"]).status, Some(0));
    let left: Value = serde_json::from_str(&room.read(SETTINGS)).unwrap();
    let expected =
        json!({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "my-gate"}]}]}});
    assert_eq!(left, expected);
}

#[test]
fn install_does_not_touch_what_it_does_not_understand() {
    for text in
        ["{ not json", "[]", "{\"hooks\": []}", "{\"hooks\": {\"PreToolUse\": {}}}", "{\"hooks\": {}, \"hooks\": {}}"]
    {
        let room = Room::new();
        room.write(SETTINGS, text);
        let run = room.run(&["install", "claude-code", "--yes"]);
        assert_eq!(run.status, Some(1), "{text}: {run:?}");
        assert!(run.stderr.contains("settings.json"), "{run:?}");
        assert_eq!(room.read(SETTINGS), text);
    }
}

#[test]
fn install_asks_before_it_writes() {
    let room = Room::new();
    room.write(SETTINGS, "{}\n");
    let dry = room.run(&["install", "claude-code", "--dry-run"]);
    assert_eq!(dry.status, Some(0), "{dry:?}");
    assert!(dry.stdout.contains('+'), "the change is shown: {dry:?}");
    let nobody = room.run(&["install", "claude-code"]);
    assert_eq!(nobody.status, Some(2), "{nobody:?}");
    assert_eq!(room.read(SETTINGS), "{}\n");
}

#[cfg(unix)]
#[test]
fn install_follows_a_link_and_keeps_it() {
    let room = Room::new();
    room.write("dotfiles/claude.json", "{}\n");
    std::os::unix::fs::symlink(room.path("dotfiles/claude.json"), room.path(SETTINGS)).unwrap();
    assert_eq!(room.run(&["install", "claude-code", "--yes"]).status, Some(0));
    assert!(fs::symlink_metadata(room.path(SETTINGS)).unwrap().is_symlink());
    assert!(room.read("dotfiles/claude.json").contains("hook claude-code"));
}

#[test]
fn doctor_finds_what_keeps_the_gate_from_working() {
    let program = env!("CARGO_BIN_EXE_portcullis");
    let entry = |command: &str, timeout: u64, matcher: &str| json!({"hooks": {"PreToolUse": [{"matcher": matcher, "hooks": [{"type": "command", "command": command, "timeout": timeout}]}]}});
    let good = format!("{program} hook claude-code");
    let mut off = entry(&good, 60, "*");
    off["disableAllHooks"] = json!(true);
    let rows = [
        ("as installed", Some(entry(&good, 60, "*")), 0, ""),
        ("no settings", None, 1, "does not exist"),
        ("no entry", Some(json!({})), 1, "no hook of ours"),
        ("only for bash", Some(entry(&good, 60, "Bash")), 1, "other tools run ungated"),
        ("a timeout below ours", Some(entry(&good, 10, "*")), 1, "gives up after 10 s"),
        ("hooks off", Some(off), 1, "disableAllHooks"),
        (
            "a program that is gone",
            Some(entry("/nowhere/portcullis hook claude-code", 60, "*")),
            1,
            "/nowhere/portcullis",
        ),
    ];
    for (name, settings, status, words) in rows {
        let room = Room::new();
        if let Some(settings) = settings {
            room.write(SETTINGS, &settings.to_string());
        }
        let run = room.run(&["doctor", "claude-code"]);
        assert_eq!(run.status, Some(status), "{name}: {run:?}");
        assert!(run.stdout.contains(words), "{name}: {run:?}");
        let json = room.run(&["doctor", "--json"]).json();
        assert_eq!(json["ok"], json!(status == 0), "{name}");
    }
    let room = Room::new();
    room.write(SETTINGS, &entry(&good, 60, "*").to_string());
    room.write(".config/portcullis/config.json", "{");
    let run = room.run(&["doctor"]);
    assert_eq!(run.status, Some(1), "{run:?}");
    assert!(run.stdout.contains("degraded"), "{run:?}");
}

#[test]
fn check_says_it_in_a_line_and_an_exit_status() {
    let room = Room::new();
    room.config(&json!({"permissions": {"ask": ["bash(git commit*)"], "deny": ["bash(npm publish*)"]}}));
    let rows: &[(&[&str], i32, &str)] = &[
        (&["--", "git", "status"], 0, "allow"),
        (&["--", "git status | head"], 0, "allow"),
        (&["--", "git push origin main"], 10, "ask"),
        (&["--non-interactive", "--", "git push origin main"], 20, "deny"),
        (&["--local", "--", "git push origin main"], 30, "undecided"),
        (&["--local", "--", "git commit -m x"], 10, "ask"),
        (&["--", "npm publish"], 20, "deny"),
        (&["--mode", "dontAsk", "--", "make"], 20, "deny"),
        (&["--mode", "bypassPermissions", "--", "make"], 0, "allow"),
        (&["--tool", "Read", "--input", "{\"file_path\": \"notes.txt\"}"], 0, "allow"),
        (&["--tool", "Write", "--input", "{\"file_path\": \"/etc/hosts\", \"content\": \"\"}"], 10, "ask"),
        (&["--mode", "yolo", "--", "ls"], 2, ""),
        (&["--input", "{"], 2, ""),
        (&[], 2, ""),
    ];
    for (args, status, word) in rows {
        let args: Vec<&str> = std::iter::once("check").chain(args.iter().copied()).collect();
        let run = room.run(&args);
        assert_eq!(run.status, Some(*status), "{args:?}: {run:?}");
        assert!(run.stdout.starts_with(word), "{args:?}: {run:?}");
        assert_eq!(run.stdout.lines().count(), usize::from(!word.is_empty()), "{args:?}: {run:?}");
        assert_eq!(*status == 2, !run.stderr.is_empty(), "{args:?}: {run:?}");
    }
    assert!(!room.path(".local/state/portcullis/sessions").exists(), "a look leaves no trace");
}

#[test]
fn check_and_explain_read_well() {
    let room = Room::new();
    let settings = "{\n  \"permissions\": {\n    \"deny\": [\n      \"bash(npm publish*)\"\n    ],\n    \"allow\": [\"bash(make lint)\"]\n  }\n}\n";
    room.write(".config/portcullis/config.json", settings);
    let mut text = String::new();
    for args in [
        &["check", "--", "npm publish"][..],
        &["explain", "--", "cd src && sudo cat $(ls *.rs) >> ../out.txt; bash -c 'rm -r build' | sh -c \"$X\""],
        &["explain", "--", "cat notes.txt | head -3"],
        &["explain", "--", "npm publish"],
        &[
            "explain",
            "--tool",
            "Edit",
            "--input",
            "{\"file_path\": \"../.bashrc\", \"old_string\": \"a\", \"new_string\": \"b\"}",
        ],
        &["explain", "--", "echo 'unfinished"],
    ] {
        let run = room.run(args);
        writeln!(text, "$ portcullis {}\n{}", args.join(" "), room.tidy(&run.stdout)).unwrap();
    }
    insta::assert_snapshot!(text);
}

#[test]
fn json_output_is_one_document() {
    let room = Room::new();
    room.claude("Bash", &json!({"command": "rm -rf ~"}));
    for args in [
        &["check", "--json", "--", "ls"][..],
        &["explain", "--json", "--", "cd src && ls"],
        &["config", "show", "--json"],
        &["config", "check", "--json"],
        &["defaults", "--json"],
        &["status", "--json"],
        &["denials", "--json"],
        &["doctor", "--json"],
    ] {
        let run = room.run(args);
        assert!(!run.json().is_null(), "{args:?}: {run:?}");
        assert_eq!(run.stdout.lines().count(), 1, "{args:?}");
    }
    let explained = room.run(&["explain", "--json", "--", "cd src && ls"]).json();
    assert_eq!(explained.pointer("/shell/analysis/skeleton"), Some(&json!("C&&C")));
    assert!(explained["trace"].as_array().is_some_and(|trace| trace.len() > 3), "{explained}");
}

#[test]
fn a_batch_answers_every_row_in_order() {
    let room = Room::new();
    let rows = [
        (json!({"id": "a", "tool": "bash", "input": {"command": "git status"}}), "allow"),
        (
            json!({"id": "b", "tool": "bash", "input": {"command": "git push"}, "config": {"permissions": {"deny": ["bash(git push*)"]}}}),
            "deny",
        ),
        (json!({"id": "c", "tool": "bash", "input": {"command": "git push"}}), "undecided"),
        (
            json!({"id": 4, "tool": "bash", "input": {"command": "git push"}, "config": {"layers": {"global": {"permissions": {"deny": ["bash(git push*)"]}}, "shared": "{ not json"}}}),
            "deny",
        ),
        (
            json!({"id": null, "tool": "bash", "input": {"command": "git push"}, "config": {"layers": {"inline_env": "{\"permissions\": {\"ask\": [\"bash(git push*)\"]}}"}}}),
            "ask",
        ),
        (
            json!({"id": "f", "tool": "bash", "input": {"command": "ls"}, "config": {"layers": {"nonsense": {}}}}),
            "error",
        ),
        (json!({"id": "g", "input": {"command": "ls"}}), "error"),
        (json!("h"), "error"),
        (json!({"id": "i", "tool": "bash", "input": {"command": "make"}, "mode": "plan"}), "deny"),
        (json!({"id": "j", "tool": "bash", "input": {"command": "ls"}, "cwd": room.path("")}), "allow"),
        (json!({"id": "k", "tool": "edit", "input": {"path": "notes.txt"}, "mode": "acceptEdits"}), "allow"),
        (
            json!({"id": "l", "tool": "bash", "input": {"command": "git push"}, "config": {"permissions": {"deny": ["bash(git push*)"]}}}),
            "deny",
        ),
    ];
    let mut input = common::lines(rows.iter().map(|(row, _)| row));
    input.push_str("\n{ not json\n");
    // The last row has no newline.
    input.push_str("{\"id\": \"z\", \"tool\": \"bash\", \"input\": {\"command\": \"ls\"}}");
    room.write("calls.jsonl", &input);
    let run = room.run(&["check", "--local", "--batch", room.path("calls.jsonl").to_str().unwrap()]);
    assert_eq!(run.status, Some(0), "{run:?}");
    let out: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(out.len(), rows.len() + 2, "{run:?}");
    for ((row, expected), got) in rows.iter().zip(&out) {
        assert_eq!(got.get("id"), row.get("id"), "{got}");
        let word = if got.get("error").is_some() { "error" } else { got["verdict"].as_str().unwrap() };
        assert_eq!(word, *expected, "{row} -> {got}");
        if word == "error" {
            assert_eq!(got["verdict"], "deny", "{got}");
        }
    }
    assert!(out[rows.len()].get("error").is_some());
    assert_eq!(out[rows.len() + 1]["verdict"], "allow");
    assert_eq!(room.feed(&["check", "--local", "--batch", "-"], input.as_bytes()).stdout.lines().count(), out.len());
    assert_eq!(room.run(&["check", "--batch", "/nowhere.jsonl"]).status, Some(2));
}

#[test]
fn allow_adds_a_rule_where_it_was_told_to() {
    let room = Room::new();
    let verdict = |command: &str| room.claude("Bash", &json!({"command": command})).claude_verdict();
    assert_eq!(verdict("make lint"), "ask");
    room.write(".config/portcullis/config.json", "{\n  // mine\n}\n");
    assert_eq!(room.run(&["allow", "--global", "bash(make lint)"]).status, Some(0));
    assert!(room.read(".config/portcullis/config.json").contains("// mine"));
    assert_eq!(verdict("make lint"), "allow");

    let local = room.run(&["allow", "bash(make docs)"]);
    assert!(local.stdout.contains("not trusted"), "{local:?}");
    assert_eq!(verdict("make docs"), "ask");
    assert_eq!(room.run(&["trust"]).status, Some(0));
    assert_eq!(verdict("make docs"), "allow");
    assert!(room.run(&["trust", "--list"]).stdout.contains("proj"));
    assert_eq!(room.run(&["trust", "--remove"]).status, Some(0));
    assert_eq!(verdict("make docs"), "ask");

    let session = "0b1f8c0e-6b1f-4a55-9d3b-2f6a3d6c9a10";
    assert_eq!(room.run(&["allow", "--session", session, "bash(make site)"]).status, Some(0));
    assert_eq!(verdict("make site"), "allow");
    assert_eq!(verdict("make site && make x"), "ask", "one exact call");
    assert_eq!(room.run(&["reset"]).status, Some(0));
    assert_eq!(verdict("make site"), "ask");

    for rule in ["bash(", "make lint", "", "bash(git push"] {
        let run = room.run(&["allow", "--global", rule]);
        assert_eq!(run.status, Some(2), "{rule}: {run:?}");
        assert!(run.stderr.contains("not a rule"), "{run:?}");
    }
    for rule in ["bash", "bash(make *)", "read(x)"] {
        assert_eq!(room.run(&["allow", "--session", session, rule]).status, Some(2), "{rule}");
    }
    let broad = room.run(&["allow", "--global", "bash(python3:*)"]);
    assert!(broad.stdout.contains("set aside in mode auto"), "{broad:?}");
}

#[test]
fn a_session_can_be_looked_at_switched_and_forgotten() {
    let room = Room::new();
    assert_eq!(room.run(&["denials"]).status, Some(1), "no session yet");
    assert_eq!(room.run(&["status"]).status, Some(0));
    room.claude("Bash", &json!({"command": "rm -rf ~"}));
    room.claude("Bash", &json!({"command": "ls"}));
    let denials = room.run(&["denials"]).stdout;
    assert!(denials.contains("rm -rf ~") && denials.contains("delete-root"), "{denials}");
    let status = room.run(&["status"]).stdout;
    assert!(status.contains("gate       on") && status.contains("checked  2"), "{status}");
    assert_eq!(room.run(&["off"]).status, Some(0));
    assert!(room.run(&["status"]).stdout.contains("OFF (for this session)"));
    assert_eq!(room.run(&["reset"]).status, Some(0));
    assert!(room.run(&["status"]).stdout.contains("OFF (for this session)"), "reset keeps the switch");
    assert_eq!(room.run(&["on"]).status, Some(0));
    assert_eq!(room.run(&["off", "--global"]).status, Some(0));
    assert_eq!(room.run(&["status", "--session", "other"]).stdout.lines().next(), Some("gate       OFF, mode auto"));
    assert_eq!(room.run(&["on", "--global"]).status, Some(0));
    assert_eq!(room.run(&["reload"]).status, Some(0));
}

#[test]
fn the_log_is_printed_and_counted() {
    let room = Room::new();
    assert_eq!(room.run(&["log"]).status, Some(1), "none yet");
    room.config(&json!({"autoMode": {"log": {"enabled": true}}}));
    for command in ["git status", "rm -rf ~", "git push", "ls"] {
        room.claude("Bash", &json!({"command": command}));
    }
    let text = room.run(&["log", "-n", "3"]).stdout;
    assert!(!text.contains("git status") && text.contains("rm -rf ~") && text.contains("ls"), "{text}");
    let lines = room.run(&["log", "--json"]).stdout;
    assert_eq!(
        lines.lines().filter(|line| serde_json::from_str::<Value>(line).unwrap()["type"] == "decision").count(),
        4
    );
    let stats = room.run(&["log", "stats", "--json"]).json();
    assert_eq!(stats["decisions"], 4);
    assert_eq!(stats.pointer("/verdicts/allow"), Some(&json!(2)));
    assert_eq!(stats.pointer("/stages/floor"), Some(&json!(1)));
}

#[test]
fn a_followed_log_prints_what_comes() {
    let room = Room::new();
    room.config(&json!({"autoMode": {"log": {"enabled": true}}}));
    let mut child = room
        .command(&["log", "--follow", "--json"])
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    for command in ["git status", "rm -rf ~"] {
        room.claude("Bash", &json!({"command": command}));
        let line: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert_eq!(line["summary"], command);
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn settings_are_shown_with_their_places_and_problems() {
    let room = Room::new();
    room.write(
        ".config/portcullis/config.json",
        "{\n  \"permissions\": {\n    \"deny\": [\"bash(git push*)\"],\n    \"allw\": []\n  },\n  \"autoMode\": {\"classifierModel\": \"ollama/small\"}\n}\n",
    );
    room.write("proj/.portcullis/config.json", "{\"permissions\": {\"deny\": [\"bash(make*)\"]}}\n");
    let mut text = String::new();
    for args in [&["config"][..], &["config", "path"], &["config", "check"], &["status"]] {
        let run = room.run(args);
        writeln!(text, "$ portcullis {}\n{}{}", args.join(" "), room.tidy(&run.stdout), room.tidy(&run.stderr))
            .unwrap();
    }
    // How many built-in entries there are is not the point.
    let digits = |line: &str| line.replace(|c: char| c.is_ascii_digit(), "");
    let shown = |line: &str| if line.contains("built-in (") { digits(line) } else { line.to_owned() };
    insta::assert_snapshot!(text.lines().map(shown).collect::<Vec<_>>().join("\n"));
    room.write("other.json", "{\"mode\": 7, \"autoMode\": {\"classifierTimeoutMs\": 1}}");
    let run = room.run(&["config", "check", room.path("other.json").to_str().unwrap()]);
    assert_eq!(run.status, Some(1), "{run:?}");
    assert!(run.stdout.contains("/mode") && run.stdout.contains("/autoMode/classifierTimeoutMs"), "{run:?}");
    // A rule is only known to be good once it is compiled; one that is lost degrades the gate.
    room.write("rules.json", "{\"permissions\": {\"deny\": [\"bash((\"], \"allow\": [\"mcp__*\"]}, \"autoMode\": {\"deniedPaths\": [\"x/y\"]}}");
    let run = room.run(&["config", "check", room.path("rules.json").to_str().unwrap()]);
    assert_eq!(run.status, Some(1), "{run:?}");
    for found in ["lost-rule", "/permissions/deny/0", "/permissions/allow/0", "/autoMode/deniedPaths/0"] {
        assert!(run.stdout.contains(found), "{found}: {run:?}");
    }
    room.write("good.json", "{\"mode\": \"plan\"}");
    assert_eq!(room.run(&["config", "check", room.path("good.json").to_str().unwrap()]).status, Some(0));
}

#[test]
fn text_that_others_wrote_can_not_repaint_the_terminal() {
    let room = Room::new();
    let command = "echo \u{1b}[2J\u{202e}x; git push";
    for args in [&["check", "--", command][..], &["explain", "--", command]] {
        let out = room.run(args).stdout;
        assert!(!out.contains('\u{1b}') && !out.contains('\u{202e}'), "{out:?}");
    }
    room.claude("Bash", &json!({"command": format!("rm -rf ~ {command}")}));
    let out = room.run(&["denials"]).stdout;
    assert!(!out.contains('\u{1b}') && !out.contains('\u{202e}'), "{out:?}");
}

#[test]
fn colour_only_where_it_is_wanted() {
    let mut room = Room::new();
    assert!(!room.run(&["check", "--", "ls"]).stdout.contains('\u{1b}'), "no terminal");
    assert!(room.run(&["--color", "always", "check", "--", "ls"]).stdout.contains('\u{1b}'));
    room.set("NO_COLOR", "1");
    assert!(!room.run(&["check", "--", "ls"]).stdout.contains('\u{1b}'));
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let room = Room::new();
    let mut child = room
        .command(&["defaults"])
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
}

#[test]
fn help_and_completions_are_there() {
    let room = Room::new();
    for args in [&["--help"][..], &["check", "--help"], &["hook", "--help"], &["allow", "--help"], &["--version"]] {
        let run = room.run(args);
        assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{args:?}");
        assert!(!run.stdout.is_empty(), "{args:?}");
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(room.run(&["completions", shell]).stdout.contains("portcullis"), "{shell}");
    }
}
