//! Which entries of a conversation are shown, through the context message.
#![expect(
    clippy::unwrap_used,
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    reason = "helpers of tests may panic"
)]

use portcullis_classifier::{ActionJson, Case, Classifier, Entry, Policy, Settings, scripted::Scripted};
use proptest::prelude::*;
use serde_json::{Value, json};

fn user(text: impl Into<String>) -> Entry {
    Entry::User(text.into())
}

fn tool(input: Value) -> Entry {
    Entry::Tool { name: "bash".into(), input }
}

/// The transcript's lines for these budgets.
fn lines(entries: Vec<Entry>, user_tokens: u32, tool_tokens: u32) -> Vec<String> {
    let settings =
        Settings { user_transcript_tokens: user_tokens, tool_transcript_tokens: tool_tokens, ..Settings::default() };
    let case = Case { transcript: entries, ..Case::new(ActionJson::new("bash", &json!({})).unwrap()) };
    let context =
        Classifier::new(Vec::<Scripted>::new(), Policy::default(), settings).prompt(&case).context().to_owned();
    let start = context.find("<classifier-transcript>\n").unwrap() + "<classifier-transcript>\n".len();
    context[start..].lines().filter(|line| !line.starts_with("</")).map(str::to_owned).collect()
}

#[test]
fn everything_that_fits_is_shown_in_time_order_without_a_note() {
    let entries =
        vec![user("first"), tool(json!({"command": "ls"})), user("second"), tool(json!({"command": "cat <x"}))];
    assert_eq!(
        lines(entries, 4_000, 4_000),
        [
            r#"{"user":"first"}"#,
            r#"{"tool":"bash","input":{"command":"ls"}}"#,
            r#"{"user":"second"}"#,
            r#"{"tool":"bash","input":{"command":"cat \u003cx"}}"#,
        ]
    );
}

#[test]
fn blank_user_text_is_no_entry() {
    assert_eq!(lines(vec![user(" \n"), user(" x ")], 4_000, 4_000), [r#"{"user":"x"}"#]);
}

#[test]
fn first_and_latest_are_anchors_and_the_rest_fills_from_the_newest() {
    // 100 units of text a message, 28 tokens a line: three lines in 90 tokens.
    let entries = (0..6).map(|n| user(format!("{n}{}", "x".repeat(99)))).collect();
    let shown = lines(entries, 90, 100);
    let starts: Vec<&str> = shown.iter().map(|line| &line[9..10]).collect();
    assert_eq!(starts[..3], ["0", "4", "5"], "{shown:?}");
    assert_eq!(shown[3], r#"{"note":"3 user messages left out"}"#);
}

#[test]
fn one_entry_can_not_push_out_the_anchors() {
    let long = "y".repeat(1_000_000);
    for entries in [
        vec![user(format!("FIRST {long}")), user(&long), user(format!("{long} LATEST"))],
        vec![user("FIRST"), user(&long), user(format!("{long} LATEST"))],
    ] {
        let shown = lines(entries, 400, 400);
        assert!(
            shown.iter().any(|line| line.contains("FIRST")) && shown.iter().any(|line| line.contains("LATEST")),
            "{shown:?}"
        );
        assert!(
            shown.last().unwrap().starts_with(r#"{"note":"#) && shown.last().unwrap().contains("shortened"),
            "{shown:?}"
        );
        assert!(shown.iter().any(|line| line.contains("tokens left out …]")), "{shown:?}");
    }
}

#[test]
fn tools_and_users_have_budgets_of_their_own() {
    let mut entries = vec![user("please")];
    entries.extend((0..500).map(|n| tool(json!({"command": format!("echo {n}")}))));
    let shown = lines(entries, 400, 400);
    assert_eq!(shown[0], r#"{"user":"please"}"#);
    assert_eq!(shown.iter().filter(|line| line.starts_with(r#"{"tool""#)).count(), 33);
    assert!(shown.iter().any(|line| line.contains("echo 499")) && !shown.iter().any(|line| line.contains("echo 5\"")));
    assert_eq!(shown.last().unwrap(), r#"{"note":"467 tool calls left out"}"#);
}

#[test]
fn at_most_forty_tool_calls_are_shown() {
    let entries = (0..100).map(|n| tool(json!({ "n": n }))).collect();
    assert_eq!(lines(entries, 4_000, 100_000).len(), 41);
}

#[test]
fn large_tool_inputs_are_shortened_field_by_field_first() {
    let entries = vec![tool(json!({
        "content": "z".repeat(50_000),
        "list": (0..100).collect::<Vec<_>>(),
        "path": "src/main.rs",
    }))];
    let shown = lines(entries, 4_000, 4_000);
    let line: Value = serde_json::from_str(&shown[0]).unwrap();
    assert_eq!(line["input"]["path"], "src/main.rs", "small fields survive whole");
    assert!(line["input"]["content"].as_str().unwrap().len() <= 1_010);
    assert_eq!(line["input"]["list"].as_array().unwrap().len(), 31);
    assert_eq!(line["input"]["list"][30], "[70 more items]");
    assert_eq!(shown[1], r#"{"note":"1 entries shortened"}"#);
}

#[test]
fn deep_inputs_are_cut_off() {
    let deep = (0..100).fold(json!("core"), |inner, _| json!([inner]));
    let shown = lines(vec![tool(deep)], 4_000, 4_000);
    assert!(shown[0].contains("[nested deeper]") && !shown[0].contains("core"));
}

fn any_entry() -> impl Strategy<Value = Entry> {
    let text = prop_oneof![".{0,200}", "[\\PC\n\r<\"\\\\]{0,400}", Just("🦀<\n".repeat(500))];
    prop_oneof![
        text.clone().prop_map(Entry::User),
        (text.clone(), text).prop_map(|(name, value)| Entry::Tool { name, input: json!({"a": value, "b": [1, 2]}) }),
    ]
}

proptest! {
    #[test]
    fn budgets_hold_and_every_line_is_json(entries in proptest::collection::vec(any_entry(), 0..30), users in 32_u32..300, tools in 32_u32..300) {
        let tokens = |line: &String| line.encode_utf16().count().div_ceil(4);
        let last = entries.iter().rev().find_map(|entry| match entry { Entry::User(text) if !text.trim().is_empty() => Some(()), _ => None });
        let shown = lines(entries, users, tools);
        for line in &shown {
            prop_assert!(line == "(none)" || serde_json::from_str::<Value>(line).is_ok(), "{line}");
            prop_assert!(!line.contains('<'));
        }
        let of = |kind: &str| shown.iter().filter(|line| line.starts_with(kind)).map(tokens).sum::<usize>();
        let (user_tokens, tool_tokens) = (of(r#"{"user""#), of(r#"{"tool""#));
        prop_assert!(user_tokens <= users as usize);
        prop_assert!(tool_tokens <= tools as usize);
        let user_shown = shown.iter().any(|line| line.starts_with(r#"{"user""#));
        prop_assert_eq!(last.is_some(), user_shown, "the latest user message is always there");
    }
}
