//! Edits keep everything that they were not asked to change.

use portcullis_config::edit::{
    BackupPolicy, EditError, RuleList, add_rule, append, remove_entries, remove_key, remove_rule, set_key,
    write_atomically,
};
use proptest::prelude::*;
use serde_json::json;

const CLAUDE: &str = r#"{
  // my hooks, do not touch
  "model": "opus",
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "theirs   --spaced" }] }, // theirs
    ],
    "Stop": [],
  },
  "permissions": {"allow":["Bash(ls)"]}
}
"#;

#[test]
fn installing_and_removing_a_hook_leaves_other_peoples_lines_byte_for_byte() {
    let ours = json!({ "matcher": "*", "hooks": [{ "type": "command", "command": "portcullis hook claude-code", "timeout": 60 }] });
    let installed = append(CLAUDE, &["hooks", "PreToolUse"], &ours).unwrap();
    for line in CLAUDE.lines() {
        assert!(installed.lines().any(|kept| kept == line), "lost {line:?} in\n{installed}");
    }
    assert_eq!(
        append(&installed, &["hooks", "PreToolUse"], &ours).unwrap(),
        installed,
        "a second install changes nothing"
    );
    let removed = remove_entries(&installed, &["hooks", "PreToolUse"], |entry| entry == &ours).unwrap();
    for line in CLAUDE.lines() {
        assert!(removed.lines().any(|kept| kept == line), "lost {line:?} in\n{removed}");
    }
    assert!(!removed.contains("portcullis"));
}

#[test]
fn each_edit_gives_this_text() {
    let rows: &[(&str, Result<String, EditError>, &str)] = &[
        ("a new file", add_rule("", RuleList::Deny, "a"), "{\n  \"permissions\": {\n    \"deny\": [\"a\"]\n  }\n}\n"),
        (
            "an inline list stays inline",
            add_rule("{\"permissions\":{\"allow\":[\"a\"]}}", RuleList::Allow, "b"),
            "{\"permissions\":{\"allow\":[\"a\", \"b\"]}}",
        ),
        (
            "the first of an inline list",
            remove_rule("{\"permissions\":{\"allow\":[\"a\", \"b\"]}}", RuleList::Allow, "a"),
            "{\"permissions\":{\"allow\":[\"b\"]}}",
        ),
        (
            "the first of a list with blanks",
            remove_rule("{\"permissions\":{\"allow\":[ \"a\", \"b\" ]}}", RuleList::Allow, "a"),
            "{\"permissions\":{\"allow\":[ \"b\" ]}}",
        ),
        (
            "a rule that is there",
            add_rule("{ \"permissions\": { \"ask\": [\"a\"] } }", RuleList::Ask, "a"),
            "{ \"permissions\": { \"ask\": [\"a\"] } }",
        ),
        (
            "a scalar keeps its comment",
            set_key("{\n\t\"mode\": \"auto\" // why\n}", &["mode"], &json!("plan")),
            "{\n\t\"mode\": \"plan\" // why\n}",
        ),
        ("an equal scalar", set_key("{ \"a\": 1.0 }", &["a"], &json!(1.0)), "{ \"a\": 1.0 }"),
        (
            "tabs, trailing commas and line ends",
            set_key("{\r\n\t\"a\": {\r\n\t\t\"x\": 1,\r\n\t},\r\n}\r\n", &["a", "y"], &json!(2)),
            "{\r\n\t\"a\": {\r\n\t\t\"x\": 1,\r\n\t\t\"y\": 2,\r\n\t},\r\n}\r\n",
        ),
        ("a byte order mark", set_key("\u{feff}{ \"a\": true }", &["a"], &json!(false)), "\u{feff}{ \"a\": false }"),
        (
            "removing a rule",
            remove_rule("{ \"permissions\": { \"deny\": [\"a\", \"b\"] } }", RuleList::Deny, "b"),
            "{ \"permissions\": { \"deny\": [\"a\"] } }",
        ),
        ("removing what is not there", remove_rule("{ /* x */ }", RuleList::Deny, "a"), "{ /* x */ }"),
        (
            "removing a key",
            remove_key("{\n  \"a\": 1,\n  // about b\n  \"b\": 2\n}\n", &["a"]),
            "{\n  // about b\n  \"b\": 2\n}\n",
        ),
    ];
    for (name, result, expected) in rows {
        assert_eq!(result.as_ref().unwrap(), expected, "{name}");
    }
}

#[test]
fn what_would_lose_something_is_refused() {
    let rows: &[(&str, Result<String, EditError>, &str)] = &[
        ("root array", set_key("[]", &["a"], &json!(1)), "RootNotObject"),
        ("broken text", set_key("{", &["a"], &json!(1)), "Syntax"),
        ("parent is text", set_key("{\"a\":\"x\"}", &["a", "b"], &json!(1)), "WrongKind"),
        ("list is text", append("{\"a\":\"x\"}", &["a"], &json!(1)), "WrongKind"),
        ("repeated parent", add_rule("{\"permissions\":{},\"permissions\":{}}", RuleList::Deny, "a"), "Ambiguous"),
        ("no key", set_key("{}", &[], &json!(1)), "NoKey"),
        ("tower of brackets", set_key(&"[".repeat(100_000), &["a"], &json!(1)), "Syntax"),
    ];
    for (name, result, kind) in rows {
        let error = result.as_ref().unwrap_err();
        assert!(format!("{error:?}").starts_with(kind), "{name}: {error:?}");
    }
}

#[test]
fn a_file_is_replaced_whole_and_only_if_it_is_as_it_was_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("sub/settings.json");
    let written = write_atomically(&path, None, "{}", &BackupPolicy::None).unwrap();
    assert_eq!((written.path.as_path(), written.backup), (path.as_path(), None));
    let backup = BackupPolicy::Suffix(".bak".to_owned());
    let copy = write_atomically(&path, Some("{}"), "{ }", &backup).unwrap().backup.unwrap();
    assert_eq!(std::fs::read_to_string(copy).unwrap(), "{}");
    let second = write_atomically(&path, Some("{ }"), "{  }", &backup).unwrap().backup.unwrap();
    assert!(second.ends_with("settings.json.bak.1"), "an earlier copy is kept");
    for old in [Some("{}"), None] {
        let error = write_atomically(&path, old, "x", &backup).unwrap_err();
        assert!(matches!(error, EditError::Changed { .. }), "{error:?}");
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "{  }");
    let left: Vec<_> = std::fs::read_dir(path.parent().unwrap()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let dir = tempfile::tempdir().unwrap();
    let (real, link) = (dir.path().join("dotfiles.json"), dir.path().join("settings.json"));
    std::fs::write(&real, "{}").unwrap();
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
    symlink("dotfiles.json", &link).unwrap();
    write_atomically(&link, Some("{}"), "{ }", &BackupPolicy::None).unwrap();
    assert!(std::fs::symlink_metadata(&link).unwrap().file_type().is_symlink());
    assert_eq!(std::fs::read_to_string(&real).unwrap(), "{ }");
    assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
}

proptest! {
    #[test]
    fn adding_and_removing_a_rule_keeps_every_other_value(rules in prop::collection::vec("[a-c]{1,2}", 0..4), extra in "[x-z]") {
        let text = json!({ "other": [1, {"k": "v"}], "permissions": { "deny": rules } }).to_string();
        let added = add_rule(&text, RuleList::Deny, &extra).unwrap();
        let removed = remove_rule(&added, RuleList::Deny, &extra).unwrap();
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        prop_assert_eq!(value(&removed), value(&text));
        prop_assert!(value(&added)["permissions"]["deny"].as_array().unwrap().iter().any(|rule| rule == &json!(extra)));
    }
}
