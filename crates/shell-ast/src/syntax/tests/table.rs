//! `tests/data/syntax.jsonl`: what each script holds.

use serde_json::Value;

use super::collect::names;
use crate::{Limits, syntax::parse};

/// A row: `sh` the script; `run` the command names in order, or `null` for an error; `why`; `strict` the reason if bash
/// accepts what we refuse.
pub(super) struct Row {
    pub(super) script: String,
    pub(super) run: Option<String>,
    pub(super) why: String,
    pub(super) strict: bool,
}

pub(super) fn rows() -> Vec<Row> {
    let text = include_str!("../../../tests/data/syntax.jsonl");
    let field = |row: &Value, key: &str| row.get(key).and_then(Value::as_str).map(str::to_owned);
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let row: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
            Row {
                script: field(&row, "sh").expect("sh"),
                run: field(&row, "run"),
                why: field(&row, "why").expect("why"),
                strict: field(&row, "strict").is_some(),
            }
        })
        .collect()
}

/// The names found, or `None` for an error.
pub(super) fn found(script: &str) -> Option<String> {
    let parsed = parse(script, &Limits::default());
    parsed.error.is_none().then(|| names(&parsed.list).join(" "))
}

#[test]
fn every_row_holds_the_commands_it_states() {
    let rows = rows();
    assert!(rows.len() >= 250, "{} rows", rows.len());
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|row| {
            let found = found(&row.script);
            (found != row.run).then(|| {
                let error = parse(&row.script, &Limits::default()).error;
                format!("{:?} ({}): expected {:?}, found {found:?} {error:?}", row.script, row.why, row.run)
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}
