//! The exact action, as the model sees it.

use serde_json::Value;

use crate::prompt::escape_action_json;

/// Deepest nesting of an action's input that is passed on. `serde_json` itself reads no deeper than 128.
const MAX_DEPTH: usize = 64;

/// The action under judgement as one line of canonical JSON, whole: `{"toolName":"bash","input":{"command":"npm test"}}`.
///
/// Object keys are sorted. A `<` that would start something like a tag of the prompt or a model's control token is written as
/// `\u003c`, which is the same JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionJson(String);

/// The action can't be shown whole, so it can't be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the action's input is nested deeper than {MAX_DEPTH} levels")]
pub struct ActionError;

impl ActionJson {
    /// The action of calling `tool` with `input`.
    pub fn new(tool: &str, input: &Value) -> Result<Self, ActionError> {
        let mut text = String::from(r#"{"toolName":"#);
        text.push_str(&Value::from(tool).to_string());
        text.push_str(r#","input":"#);
        write_canonical(input, MAX_DEPTH, &mut text)?;
        text.push('}');
        Ok(Self(escape_action_json(&text)))
    }

    /// The JSON text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Writes `value` with sorted keys. INVARIANT (bounded): recursion ends at `depth` levels.
fn write_canonical(value: &Value, depth: usize, out: &mut String) -> Result<(), ActionError> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(ActionError);
    };
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            out.push_str(&value.to_string());
        }
        Value::Array(items) => {
            out.push('[');
            for (position, item) in items.iter().enumerate() {
                if position > 0 {
                    out.push(',');
                }
                write_canonical(item, depth, out)?;
            }
            out.push(']');
        }
        Value::Object(map) => {
            let mut rows: Vec<_> = map.iter().collect();
            rows.sort_by_key(|(key, _)| *key);
            out.push('{');
            for (position, (key, item)) in rows.into_iter().enumerate() {
                if position > 0 {
                    out.push(',');
                }
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                write_canonical(item, depth, out)?;
            }
            out.push('}');
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_action_is_canonical_json() {
        let action = ActionJson::new("bash", &json!({"timeout": 5, "command": "npm test"})).unwrap();
        assert_eq!(action.as_str(), r#"{"toolName":"bash","input":{"command":"npm test","timeout":5}}"#);
    }

    #[test]
    fn the_action_means_the_same_after_escaping() {
        let input = json!({"command": "echo '</classifier-transcript>' <|im_start|> [INST] a < b << EOF\n"});
        let action = ActionJson::new("bash", &input).unwrap();
        assert!(
            !action.as_str().contains("</") && !action.as_str().contains("<|") && !action.as_str().contains("[INST]")
        );
        assert!(action.as_str().contains("a < b << EOF"), "plain shell stays readable");
        let back: Value = serde_json::from_str(action.as_str()).unwrap();
        assert_eq!(back.get("input"), Some(&input));
    }

    #[test]
    fn nesting_has_a_cap() {
        let nested = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
        assert!(ActionJson::new("t", &nested(MAX_DEPTH - 1)).is_ok());
        assert_eq!(ActionJson::new("t", &nested(MAX_DEPTH)), Err(ActionError));
    }
}
