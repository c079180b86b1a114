//! The request of our own: what `hook generic` reads, and each line of `check --batch` (`schemas/request.schema.json`).

use portcullis_gate::Mode;
use serde_json::Value;

use crate::hosts::{CallEvent, HostProblem, text};

/// Who can be asked when the request does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unsaid {
    /// A person.
    Person,
    /// Nobody.
    Nobody,
}

/// Reads a request. `cwd` stands in where the request names no directory; without it one must be named.
pub(crate) fn parse(value: &Value, cwd: Option<&str>, unsaid: Unsaid) -> Result<CallEvent, HostProblem> {
    if !value.is_object() {
        return Err(HostProblem::NotAnObject);
    }
    let cwd = match (value.get("cwd"), cwd) {
        (None | Some(Value::Null), Some(cwd)) => cwd,
        (None | Some(_), _) => text(value, "cwd")?,
    };
    let session = match value.get("session") {
        None | Some(Value::Null) => None,
        Some(_) => Some(text(value, "session")?.to_owned()),
    };
    let can_ask = match value.get("canAsk") {
        None | Some(Value::Null) => unsaid == Unsaid::Person,
        Some(Value::Bool(can)) => *can,
        Some(_) => return Err(HostProblem::NotBoolean { key: "canAsk" }),
    };
    Ok(CallEvent {
        tool: text(value, "tool")?.to_owned(),
        input: value.get("input").cloned().unwrap_or(Value::Null),
        cwd: cwd.to_owned(),
        session,
        mode: mode(value)?,
        can_ask,
        conversation: None,
    })
}

fn mode(value: &Value) -> Result<Option<Mode>, HostProblem> {
    match value.get("mode") {
        None | Some(Value::Null) => Ok(None),
        Some(_) => {
            let name = text(value, "mode")?;
            name.parse().map(Some).map_err(|_| HostProblem::UnknownMode { name: name.to_owned() })
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_request_must_hold() {
        let rows = [
            (json!({"tool": "bash", "input": {"command": "ls"}, "cwd": "/p"}), true, "all there"),
            (json!({"tool": "bash", "input": {"command": "ls"}}), true, "the directory stands in"),
            (
                json!({"tool": "bash", "cwd": null, "mode": null, "session": null, "canAsk": null}),
                true,
                "nulls are absent",
            ),
            (
                json!({"tool": "bash", "id": 7, "expect": "allow", "why": "x"}),
                true,
                "other keys are the sender's business",
            ),
            (json!({"input": {}}), false, "no tool"),
            (json!({"tool": ""}), false, "blank tool"),
            (json!({"tool": 1}), false, "tool of another type"),
            (json!({"tool": "bash", "cwd": 1}), false, "directory of another type"),
            (json!({"tool": "bash", "mode": "yolo"}), false, "unknown mode"),
            (json!({"tool": "bash", "session": {}}), false, "session of another type"),
            (json!({"tool": "bash", "canAsk": "yes"}), false, "a person is not there by a slip of type"),
            (json!([]), false, "no object"),
        ];
        for (value, good, why) in rows {
            assert_eq!(parse(&value, Some("/here"), Unsaid::Nobody).is_ok(), good, "{why}");
        }
        assert!(parse(&json!({"tool": "bash"}), None, Unsaid::Nobody).is_err(), "nothing stands in");
    }
}
