//! Which of the conversation's entries the model is shown, and how.
//!
//! Each entry is one line of JSON, so that nothing in it can pose as another entry. User text and tool calls have budgets of their
//! own, in approximate tokens. The latest and the first user message are anchors: what was asked last, and what it all is about.
//! The rest fills up from the newest. One entry takes at most 1,000 tokens, and a user entry at most half the budget, so that no
//! entry can push the anchors out.

use serde_json::Value;

use crate::{
    Entry,
    prompt::{Budgets, escape_fenced_json, json_clipped, json_inside, middle_cut, tokens, units},
};

/// Tokens that one entry may take.
const ENTRY_TOKENS: usize = 1_000;
/// Tool calls shown.
const MAX_TOOL_ENTRIES: usize = 40;
/// Items shown of one array in a tool's input.
const MAX_ITEMS: usize = 30;
/// Members shown of one object in a tool's input.
const MAX_MEMBERS: usize = 60;
/// Nesting shown of a tool's input.
const MAX_DEPTH: usize = 16;
/// Shortest limit for one string in a tool's input, in UTF-16 code units.
const MIN_STRING_UNITS: usize = 200;

/// One rendered entry.
struct Line {
    position: usize,
    text: String,
    shortened: bool,
}

/// What was kept of one kind of entries.
#[derive(Default)]
struct Kept {
    lines: Vec<Line>,
    left_out: usize,
}

/// The lines to show, in time order, with a note at the end if anything is missing or shortened.
pub(crate) fn select(entries: &[Entry], budgets: Budgets) -> Vec<String> {
    let mut users = Vec::new();
    let mut tools = Vec::new();
    for (position, entry) in entries.iter().enumerate() {
        match entry {
            Entry::User(text) if text.trim().is_empty() => {}
            Entry::User(text) => users.push((position, text.trim())),
            Entry::Tool { name, input } => tools.push((position, name.as_str(), input)),
        }
    }
    let users = keep_users(&users, to_usize(budgets.user));
    let tools = keep_tools(&tools, to_usize(budgets.tool));
    let note = note(&users, &tools);
    let mut lines: Vec<Line> = users.lines.into_iter().chain(tools.lines).collect();
    lines.sort_by_key(|line| line.position);
    lines.into_iter().map(|line| line.text).chain(note).collect()
}

fn to_usize(tokens: u32) -> usize {
    usize::try_from(tokens).unwrap_or(usize::MAX)
}

fn keep_users(users: &[(usize, &str)], budget: usize) -> Kept {
    let cap = if users.len() > 1 { budget / 2 } else { budget }.min(ENTRY_TOKENS);
    // Latest, first, then from the newest to the oldest of the rest.
    let between = users.get(1..users.len().saturating_sub(1)).unwrap_or_default();
    let first = users.first().filter(|_| users.len() > 1);
    let order = users.last().into_iter().chain(first).chain(between.iter().rev());
    fill(order.map(|(position, text)| user_line(*position, text, cap)), users.len(), budget)
}

fn keep_tools(tools: &[(usize, &str, &Value)], budget: usize) -> Kept {
    let cap = budget.min(ENTRY_TOKENS);
    let newest = tools.iter().rev().map(|(position, name, input)| tool_line(*position, name, input, cap));
    let mut kept = fill(newest.take(MAX_TOOL_ENTRIES), tools.len(), budget);
    kept.left_out = tools.len().saturating_sub(kept.lines.len());
    kept
}

/// Takes the lines that fit, in the order given. One that does not fit is passed over for smaller ones.
fn fill(lines: impl Iterator<Item = Line>, total: usize, budget: usize) -> Kept {
    let mut kept = Kept::default();
    let mut room = budget;
    for line in lines {
        if let Some(rest) = room.checked_sub(tokens(&line.text)) {
            room = rest;
            kept.lines.push(line);
        }
        if room < 4 {
            break;
        }
    }
    kept.left_out = total.saturating_sub(kept.lines.len());
    kept
}

fn user_line(position: usize, text: &str, cap: usize) -> Line {
    let frame = units(r#"{"user":""}"#);
    let (inside, shortened) = json_clipped(text, cap.saturating_mul(4).saturating_sub(frame));
    Line { position, text: format!(r#"{{"user":"{inside}"}}"#), shortened }
}

fn tool_line(position: usize, name: &str, input: &Value, cap: usize) -> Line {
    let limit = cap.saturating_mul(4);
    // A tool's name is the host's, but an MCP server can choose a long one.
    let (name, name_cut) = json_clipped(name, limit.min(MIN_STRING_UNITS));
    let mut input_cut = false;
    let string_units = (limit / 4).max(MIN_STRING_UNITS);
    let shown = shorten(input, string_units, MAX_DEPTH, &mut input_cut);
    let text = format!(r#"{{"tool":"{name}","input":{}}}"#, escape_fenced_json(&shown.to_string()));
    if units(&text) <= limit {
        return Line { position, text, shortened: name_cut || input_cut };
    }
    // Too long even so: the beginning and end of its JSON, as a string.
    let frame = units(&format!(r#"{{"tool":"{name}","inputText":""}}"#));
    let (inside, _) = json_clipped(&shown.to_string(), limit.saturating_sub(frame));
    Line { position, text: format!(r#"{{"tool":"{name}","inputText":"{inside}"}}"#), shortened: true }
}

/// The value with long strings cut, long lists ended early and deep nesting left out. INVARIANT (bounded): recursion ends at `depth`.
fn shorten(value: &Value, string_units: usize, depth: usize, cut: &mut bool) -> Value {
    let Some(depth) = depth.checked_sub(1) else {
        *cut = true;
        return Value::from("[nested deeper]");
    };
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        Value::String(text) => match middle_cut(text, string_units) {
            None => value.clone(),
            Some(parts) => {
                *cut = true;
                Value::from(format!("{}{}{}", parts.head, parts.marker(), parts.tail))
            }
        },
        Value::Array(items) => {
            let mut shown: Vec<Value> =
                items.iter().take(MAX_ITEMS).map(|item| shorten(item, string_units, depth, cut)).collect();
            if let Some(rest) = items.len().checked_sub(MAX_ITEMS).filter(|rest| *rest > 0) {
                *cut = true;
                shown.push(Value::from(format!("[{rest} more items]")));
            }
            Value::Array(shown)
        }
        Value::Object(members) => {
            let mut shown: serde_json::Map<_, _> = members
                .iter()
                .take(MAX_MEMBERS)
                .map(|(key, item)| (short_key(key, cut), shorten(item, string_units, depth, cut)))
                .collect();
            if let Some(rest) = members.len().checked_sub(MAX_MEMBERS).filter(|rest| *rest > 0) {
                *cut = true;
                shown.insert("…".to_owned(), Value::from(format!("[{rest} more members]")));
            }
            Value::Object(shown)
        }
    }
}

fn short_key(key: &str, cut: &mut bool) -> String {
    match middle_cut(key, MIN_STRING_UNITS) {
        None => key.to_owned(),
        Some(parts) => {
            *cut = true;
            format!("{}{}{}", parts.head, parts.marker(), parts.tail)
        }
    }
}

fn note(users: &Kept, tools: &Kept) -> Option<String> {
    let shortened = users.lines.iter().chain(&tools.lines).filter(|line| line.shortened).count();
    let parts: Vec<String> = [
        (users.left_out, "user messages left out"),
        (tools.left_out, "tool calls left out"),
        (shortened, "entries shortened"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| format!("{count} {what}"))
    .collect();
    (!parts.is_empty()).then(|| format!(r#"{{"note":"{}"}}"#, json_inside(&parts.join(", "))))
}
