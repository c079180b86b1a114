//! The key table of `docs/configuration.md` is made from the JSON Schema, so that it can't be wrong. After a change of the keys:
//! `PORTCULLIS_WRITE_DOCS=1 cargo test -p portcullis-cli --test docs`.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests")]

mod common;

use std::{env, fmt::Write, fs};

use common::{Room, workspace};
use serde_json::Value;

const BEGIN: &str = "<!-- keys: made from the schema -->\n";
const END: &str = "<!-- end of keys -->\n";

#[test]
fn the_key_table_says_what_the_schema_says() {
    let path = workspace("docs/configuration.md");
    let text = fs::read_to_string(&path).unwrap();
    let (head, rest) = text.split_once(BEGIN).expect("the table's beginning");
    let (old, tail) = rest.split_once(END).expect("the table's end");
    let table = table();
    if env::var_os("PORTCULLIS_WRITE_DOCS").is_some() {
        fs::write(&path, format!("{head}{BEGIN}{table}{END}{tail}")).unwrap();
        return;
    }
    assert!(old == table, "out of date: run PORTCULLIS_WRITE_DOCS=1 cargo test -p portcullis-cli --test docs");
}

#[test]
fn every_settings_example_is_without_problems() {
    let text = fs::read_to_string(workspace("docs/configuration.md")).unwrap();
    let blocks: Vec<&str> = text.split("```jsonc\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() >= 5, "{}", blocks.len());
    for block in blocks {
        let room = Room::new();
        room.write("example.json", block);
        let run = room.run(&["config", "check", room.path("example.json").to_str().unwrap()]);
        assert_eq!(run.status, Some(0), "{block}\n{run:?}");
    }
}

#[test]
fn every_provider_preset_is_listed_as_it_is() {
    let text = fs::read_to_string(workspace("docs/configuration.md")).unwrap();
    for preset in portcullis_gate::PROVIDER_PRESETS {
        let key = preset.key_variable.map_or("none".to_owned(), |variable| format!("`{variable}`"));
        let row = format!("| `{}` | `{}` | {key} |", preset.name, preset.base_url);
        assert!(text.contains(&row), "{row}");
    }
}

#[test]
fn every_command_of_the_documents_exists() {
    let room = Room::new();
    for name in ["docs/configuration.md", "docs/hosts.md"] {
        let text = fs::read_to_string(workspace(name)).unwrap();
        for part in text.split("`portcullis ").skip(1) {
            let command = part.split('`').next().unwrap().split_whitespace().next().unwrap();
            let run = room.run(&[command, "--help"]);
            assert_eq!(run.status, Some(0), "{name} names `portcullis {command}`");
        }
    }
}

fn table() -> String {
    let schema = portcullis_config::json_schema();
    let root = schema.as_value();
    let mut rows = "| key | without it | values | meaning |\n| --- | --- | --- | --- |\n".to_owned();
    section(root, root, "", &mut rows);
    rows
}

/// The keys of one object, and of the objects in it.
fn section(root: &Value, object: &Value, prefix: &str, rows: &mut String) {
    let properties = object.get("properties").and_then(Value::as_object).expect("properties");
    for (name, property) in properties {
        if property.get("deprecated").is_some() || name == "$schema" {
            continue;
        }
        let key = format!("{prefix}{name}");
        let target = resolve(root, property);
        let meaning =
            property.get("description").or(target.get("description")).and_then(Value::as_str).unwrap_or_default();
        let meaning = meaning.split_whitespace().collect::<Vec<_>>().join(" ");
        if target.get("properties").is_some() {
            section(root, target, &format!("{key}."), rows);
            continue;
        }
        writeln!(rows, "| `{key}` | {} | {} | {meaning} |", default(property), values(target)).unwrap();
        if let Some(entry) = target.get("additionalProperties").filter(|_| name == "providers") {
            section(root, resolve(root, entry), "providers.NAME.", rows);
        }
    }
}

fn resolve<'a>(root: &'a Value, node: &'a Value) -> &'a Value {
    match node.get("$ref").and_then(Value::as_str) {
        Some(pointer) => root.pointer(pointer.trim_start_matches('#')).expect("a target"),
        None => node,
    }
}

fn default(property: &Value) -> String {
    match property.get("default") {
        None | Some(Value::Null) => "–".to_owned(),
        Some(value) => format!("`{value}`"),
    }
}

fn values(target: &Value) -> String {
    if let Some(words) = target.get("enum").and_then(Value::as_array) {
        return words
            .iter()
            .map(|word| format!("`{}`", word.as_str().unwrap_or_default()))
            .collect::<Vec<_>>()
            .join(", ");
    }
    match target.get("type").and_then(Value::as_str) {
        Some("boolean") => "`true`, `false`".to_owned(),
        Some("integer") => {
            let bound = |name: &str| target.get(name).map(Value::to_string).unwrap_or_default();
            format!("{} to {}", bound("minimum"), bound("maximum"))
        }
        Some("array") => "list of texts".to_owned(),
        Some("string") => "text".to_owned(),
        Some("object") => "object".to_owned(),
        Some(_) | None => "text, or list of texts".to_owned(),
    }
}
