//! The schema and the loader say the same about a file.

use portcullis_config::{check_text, json_schema, schema};
use serde_json::Value;

/// Findings about a file that is valid all the same.
const REMARKS: &[&str] = &["defaults-replaced", "duplicate-key", "incomplete"];

#[test]
fn schema_and_loader_agree_on_good_and_bad_files() {
    let validator = jsonschema::validator_for(json_schema().as_value()).unwrap();
    let rows: Vec<Value> =
        include_str!("data/files.jsonl").lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    assert!(rows.len() >= 60, "{} rows", rows.len());
    let mut failures = Vec::new();
    for row in &rows {
        let text = row["text"].as_str().unwrap();
        let file: Value = serde_json::from_str(text).unwrap();
        let complaints: Vec<_> =
            check_text(text).into_iter().map(|f| f.id).filter(|id| !REMARKS.contains(id)).collect();
        let good = row["good"].as_bool().unwrap();
        let schema_says = validator.is_valid(&file);
        if schema_says != good || complaints.is_empty() != good {
            failures.push(format!("{}: good {good}, schema {schema_says}, loader {complaints:?}", row["name"]));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_checked_in_schema_is_up_to_date() {
    for (name, text) in schema::files() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas").join(name);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "run `cargo xtask schema`");
    }
}

#[test]
fn every_setting_is_described() {
    fn visit(value: &Value, path: &str, missing: &mut Vec<String>) {
        if let Some(properties) = value["properties"].as_object() {
            for (name, property) in properties {
                if property["description"].as_str().is_none_or(str::is_empty) {
                    missing.push(format!("{path}.{name}"));
                }
            }
        }
        for (name, inner) in value["$defs"].as_object().into_iter().flatten() {
            visit(inner, name, missing);
        }
    }
    let mut missing = Vec::new();
    visit(json_schema().as_value(), "", &mut missing);
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn a_file_made_of_the_types_is_read_without_findings() {
    let text = serde_json::to_string(&portcullis_config::file::SettingsFile::default()).unwrap();
    assert_eq!(check_text(&text), []);
    assert_eq!(
        portcullis_config::load(&Vec::new()).config,
        portcullis_config::EffectiveConfig::default(),
        "no layers give the built-ins"
    );
}
