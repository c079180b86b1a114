//! Effects of commands, from a table: `data/effects.jsonl`.
//!
//! A row holds a `command`, the strongest `kind` of its commands, whether the whole is `read_only`, whether it prints
//! `secrets`, some of its `accesses` (`mode:operand`, with `/**` behind a recursive one and `?` for an unknown file), and `why`.

#![expect(clippy::expect_used, clippy::panic, reason = "a test may fail by a panic, in helpers too")]

use std::sync::LazyLock;

use portcullis_shell_ast::{Access, AccessMode, EffectKind, Effects, Need, analyze, effects};
use proptest::prelude::*;
use serde_json::Value;

const TABLE: &str = include_str!("data/effects.jsonl");

fn rows() -> Vec<Value> {
    TABLE.lines().map(|line| serde_json::from_str(line).expect("a row is JSON")).collect()
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row.get(key).and_then(Value::as_str).unwrap_or_else(|| panic!("{row} lacks {key}"))
}

fn spell(access: &Access) -> String {
    let mode = match access.mode {
        AccessMode::Inspect => "inspect",
        AccessMode::Read => "read",
        AccessMode::Write => "write",
        AccessMode::Delete => "delete",
        AccessMode::Move => "move",
        AccessMode::Link => "link",
        AccessMode::Permission => "permission",
    };
    let path =
        access.path.as_ref().map_or_else(|| "?".to_owned(), |word| word.literal().unwrap_or_else(|| word.raw.clone()));
    format!("{mode}:{path}{}", if access.recursive { "/**" } else { "" })
}

fn kind(effects: &Effects) -> String {
    let kind = effects.commands.iter().map(|effect| effect.kind).max().unwrap_or(EffectKind::ReadOnly);
    serde_json::to_value(kind).expect("a kind is JSON").as_str().unwrap_or_default().to_owned()
}

#[test]
fn every_row_has_its_effects() {
    let mut wrong = Vec::new();
    let rows = rows();
    assert!(rows.len() >= 400, "only {} rows", rows.len());
    for row in &rows {
        let command = text(row, "command");
        let found = effects(&analyze(command));
        let spelled: Vec<String> = found.accesses().map(spell).collect();
        let secrets = found.commands.iter().any(|effect| effect.reads_secrets);
        let mut problems = Vec::new();
        if kind(&found) != text(row, "kind") {
            problems.push(format!("kind {} instead of {}", kind(&found), text(row, "kind")));
        }
        if Some(found.read_only) != row.get("read_only").and_then(Value::as_bool) {
            problems.push(format!("read_only is {}", found.read_only));
        }
        if secrets != row.get("secrets").is_some() {
            problems.push(format!("secrets is {secrets}"));
        }
        for access in row.get("accesses").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
            if !spelled.iter().any(|have| have == access) {
                problems.push(format!("lacks {access}, has {spelled:?}"));
            }
        }
        if !problems.is_empty() {
            let reasons: Vec<_> = found.commands.iter().map(|effect| &effect.reason).collect();
            wrong.push(format!("{command:?} ({}): {}; {reasons:?}", text(row, "why"), problems.join("; ")));
        }
    }
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn every_command_of_a_row_has_a_reason() {
    for row in rows() {
        for effect in effects(&analyze(text(&row, "command"))).commands {
            assert!(!effect.reason.is_empty(), "{row}: {effect:?}");
        }
    }
}

#[test]
fn tools_that_read_project_configuration_say_so() {
    let rows = [
        ("git status", Need::TrustedGitConfig),
        ("git log -1", Need::TrustedGitConfig),
        ("cargo metadata", Need::TrustedCargoConfig),
        ("rustc --version", Need::TrustedCargoConfig),
        ("npm ls", Need::TrustedNpmConfig),
        ("go version", Need::TrustedGoToolchain),
        ("terraform show", Need::TrustedTerraformProviders),
    ];
    for (command, need) in rows {
        let found = effects(&analyze(command));
        assert_eq!(found.commands[0].needs, [need], "{command}");
    }
    assert!(effects(&analyze("ls -la")).commands[0].needs.is_empty());
}

/// Programs that take a word behind their operands for text or for a file, whatever it looks like.
const ANY_TEXT: &[&str] = &["echo", "true", "false", ":", "[", "test", "printf", "awk", "expr", "wait", "command"];

static SIMPLE: LazyLock<Vec<String>> = LazyLock::new(|| {
    rows()
        .iter()
        .filter(|row| row.get("read_only").and_then(Value::as_bool) == Some(true))
        .map(|row| text(row, "command").to_owned())
        .filter(|command| {
            let found = analyze(command);
            let plain =
                found.commands.len() == 1 && found.constructs.is_empty() && !command.contains(['<', '>', '(', '\n']);
            let name = command.split(' ').next().unwrap_or_default();
            // After `--` an option is an operand.
            plain && !ANY_TEXT.contains(&name) && !command.contains("--") && !command.contains('=')
        })
        .collect()
});

proptest! {
    #[test]
    fn an_unknown_option_is_never_read_only(at in any::<prop::sample::Index>(), letters in "[a-z]{3,8}") {
        let command = at.get(&SIMPLE);
        // No option of any program begins so.
        let longer = format!("{command} --zq{letters}");
        let found = effects(&analyze(&longer));
        // find and others take it for part of their language, never for something harmless.
        prop_assert!(!found.read_only, "{longer}");
    }

    #[test]
    fn any_text_is_judged_without_panic(script in "[-a-z $\"'|;&<>(){}*=/.~\\\\]{0,60}") {
        let _ = effects(&analyze(&script));
    }
}
