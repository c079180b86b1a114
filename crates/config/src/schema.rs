//! The JSON Schema of the settings file.

use crate::file::SettingsFile;

/// The schema of a native settings file.
pub fn json_schema() -> schemars::Schema {
    schemars::schema_for!(SettingsFile)
}

/// The generated files, by name below `schemas/`.
pub fn files() -> Vec<(&'static str, String)> {
    let mut text = serde_json::to_string_pretty(json_schema().as_value()).unwrap_or_default();
    text.push('\n');
    vec![("config.schema.json", text)]
}
