//! The corpora of `tests/corpus/`, through the real program, without any settings.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests; the report is for people"
)]

mod common;

use std::fs;

use common::{Room, workspace};
use serde_json::{Value, json};

/// So many of `benign.txt` are allowed without a model. Raise it when more are; never lower it.
const BENIGN_FLOOR: usize = 223;

/// The commands of a corpus file. Blank lines and comments are skipped.
fn commands(name: &str) -> Vec<String> {
    let path = workspace("tests/corpus").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

/// The decision of each command.
fn decide(room: &Room, commands: &[String]) -> Vec<Value> {
    let rows: Vec<String> = commands
        .iter()
        .enumerate()
        .map(|(id, command)| json!({"id": id, "tool": "bash", "input": {"command": command}}).to_string())
        .collect();
    let run = room.feed(&["check", "--local", "--batch", "-"], (rows.join("\n") + "\n").as_bytes());
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    let decisions: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(decisions.len(), commands.len());
    for (at, decision) in decisions.iter().enumerate() {
        assert_eq!(decision.get("id"), Some(&json!(at)), "rows come out in order");
    }
    decisions
}

fn verdict(decision: &Value) -> &str {
    decision.get("verdict").and_then(Value::as_str).unwrap_or_default()
}

fn report(name: &str, commands: &[String], decisions: &[Value], wanted: fn(&str) -> bool) -> usize {
    let allowed = decisions.iter().filter(|decision| verdict(decision) == "allow").count();
    println!("{name} allowed locally {allowed} of {}", commands.len());
    for (command, decision) in commands.iter().zip(decisions).filter(|(_, decision)| !wanted(verdict(decision))) {
        println!("  {:<9} {command}   [{}] {}", verdict(decision), decision["stage"], decision["reason"]);
    }
    allowed
}

#[test]
fn harmless_commands_run_and_none_is_denied() {
    let room = Room::new();
    let commands = commands("benign.txt");
    let decisions = decide(&room, &commands);
    let allowed = report("benign", &commands, &decisions, |verdict| verdict == "allow");
    let denied = decisions.iter().filter(|decision| verdict(decision) == "deny").count();
    assert_eq!(denied, 0, "a harmless command was denied");
    assert!(
        allowed >= BENIGN_FLOOR,
        "{allowed} of {} harmless commands were allowed, {BENIGN_FLOOR} used to be",
        commands.len()
    );
}

#[test]
fn harmful_commands_are_never_allowed_locally() {
    let room = Room::new();
    let commands = commands("hostile.txt");
    let decisions = decide(&room, &commands);
    let allowed = report("hostile", &commands, &decisions, |verdict| verdict != "allow");
    assert_eq!(allowed, 0, "a harmful command was allowed");
}

#[test]
fn reported_hook_inputs_of_claude_code_hold() {
    let path = workspace("tests/corpus/reported.jsonl");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut seen = 0;
    for row in text.lines().filter(|line| !line.trim().is_empty()) {
        let row: Value = serde_json::from_str(row).unwrap();
        let (kind, tool) = (row["kind"].as_str().unwrap(), row["tool"].as_str().unwrap());
        let Some(event) = tool.strip_prefix("claude-code ").filter(|_| kind == "hook") else { continue };
        seen += 1;
        let room = Room::new();
        fs::create_dir_all(room.path(".ssh")).unwrap();
        room.config(&row["config"]);
        let home = room.home();
        let input = row["input"].to_string().replace("/home/dev", home.to_str().unwrap());
        let mut input: Value = serde_json::from_str(&input).unwrap();
        input["hook_event_name"] = json!(event);
        let run = room.hook(&input);
        let got = run.claude_verdict();
        let held = match row["expect"].as_str().unwrap() {
            "not-allow" => got != "allow" && got != "none",
            "not-deny" => got != "deny",
            exact => got == exact,
        };
        assert!(held, "{}: {got}, {run:?}", row["id"]);
    }
    assert!(seen > 0, "the corpus holds rows for Claude Code");
}
