//! Dependencies point one way only (`docs/architecture.md`): a crate may use the crates of its row and no other of ours.

use serde_json::Value;

use crate::sh::{self, Problem};

/// Which of our crates each crate may depend on, tests included.
const ALLOWED: &[(&str, &[&str])] = &[
    ("portcullis-config", &[]),
    ("portcullis-shell-ast", &[]),
    ("portcullis-paths", &[]),
    ("portcullis-classifier", &[]),
    ("portcullis-matcher", &["portcullis-shell-ast"]),
    (
        "portcullis-gate",
        &[
            "portcullis-config",
            "portcullis-matcher",
            "portcullis-shell-ast",
            "portcullis-paths",
            "portcullis-classifier",
        ],
    ),
    ("portcullis-cli", &["portcullis-gate", "portcullis-config"]),
    ("xtask", &["portcullis-config", "portcullis-gate", "portcullis-shell-ast"]),
];

/// Checks every package of the workspace.
pub(crate) fn run() -> Result<(), Problem> {
    let text = sh::output("cargo", &["metadata", "--no-deps", "--format-version", "1", "--locked"])?;
    let metadata: Value = serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    let problems = check(&metadata);
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// Every forbidden dependency, and every package without a row.
fn check(metadata: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    let packages = metadata.get("packages").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for package in packages {
        let name = package.get("name").and_then(Value::as_str).unwrap_or_default();
        let Some((_, allowed)) = ALLOWED.iter().find(|(row, _)| *row == name) else {
            problems.push(format!("{name} has no row in xtask/src/layers.rs: say which of our crates it may use"));
            continue;
        };
        let dependencies = package.get("dependencies").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for dependency in dependencies {
            let used = dependency.get("name").and_then(Value::as_str).unwrap_or_default();
            let ours = ALLOWED.iter().any(|(row, _)| *row == used);
            if ours && !allowed.contains(&used) {
                problems.push(format!("{name} must not depend on {used} (see docs/architecture.md, layers)"));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependency_against_the_layers_is_reported() {
        let metadata = serde_json::json!({"packages": [
            {"name": "portcullis-paths", "dependencies": [{"name": "serde"}, {"name": "portcullis-config"}]},
            {"name": "portcullis-matcher", "dependencies": [{"name": "portcullis-shell-ast"}]},
            {"name": "portcullis-new", "dependencies": []},
        ]});
        let problems = check(&metadata);
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems[0].contains("portcullis-paths must not depend on portcullis-config"));
        assert!(problems[1].contains("portcullis-new has no row"));
    }
}
