//! The floor against `data/floor.jsonl`: what it must stop, whoever allows it, and what it must leave alone.

mod support;

use portcullis_gate::{Reach, Session, Verdict};
use serde::Deserialize;
use serde_json::{Value, json};
use support::{CWD, World, rows, session};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    run: Option<String>,
    tool: Option<String>,
    input: Option<Value>,
    cwd: Option<String>,
    floor: Option<String>,
    why: String,
}

/// Settings that allow as much as settings can.
const LOOSE: &str = r#"{"mode": "bypassPermissions", "permissions": {"allow": ["bash", "write", "edit", "read"]}}"#;

#[test]
fn the_floor_stops_what_the_table_says_and_nothing_else_whatever_the_settings_allow() {
    let rows: Vec<Row> = rows(include_str!("data/floor.jsonl"));
    assert!(rows.len() >= 200, "{} rows", rows.len());
    let mut wrong = Vec::new();
    for settings in ["{}", LOOSE] {
        let world = World::new(settings);
        let session = Session { reach: Reach::LocalOnly, ..session() };
        for row in &rows {
            let tool = row.tool.as_deref().unwrap_or("bash");
            let input = row.input.clone().unwrap_or_else(|| json!({"command": row.run}));
            let decision = world.decide_in(row.cwd.as_deref().unwrap_or(CWD), tool, input.clone(), &session);
            let denied = decision.verdict == Verdict::Deny;
            if decision.floor != row.floor.as_deref() || denied != row.floor.is_some() {
                let reason = &decision.reason;
                let got = decision.floor;
                wrong.push(format!("{tool} {input}\n    wanted {:?}, got {got:?}: {reason} ({})", row.floor, row.why));
            }
        }
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}
