//! The command of a shell tool as one script text.

use serde_json::Value;

use crate::InputError;

/// The script text of a command argument: a string as it is, a list of strings joined as shell words.
pub(crate) fn command_text(key: &str, value: &Value) -> Result<String, InputError> {
    let wrong = || InputError::WrongType { key: key.to_owned(), wanted: "a command text or a list of words" };
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Array(items) if !items.is_empty() => {
            let mut words = Vec::with_capacity(items.len());
            for item in items {
                words.push(quote(item.as_str().ok_or_else(wrong)?));
            }
            words.join(" ")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => return Err(wrong()),
    };
    if text.contains('\0') { Err(InputError::Nul { key: key.to_owned() }) } else { Ok(text) }
}

/// `word` so that bash reads it back as one word with this value.
fn quote(word: &str) -> String {
    if is_plain(word) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// A word that means the same with and without quotes.
pub(crate) fn is_plain(word: &str) -> bool {
    !word.is_empty()
        && word.bytes().all(|b| {
            b.is_ascii_alphanumeric() || matches!(b, b'_' | b'@' | b'%' | b'+' | b':' | b',' | b'.' | b'/' | b'-')
        })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::command_text;

    #[test]
    fn a_word_list_reads_back_as_the_same_words() {
        let rows = [
            (json!("git push"), Some("git push")),
            (json!(["bash", "-lc", "git push origin main"]), Some("bash -lc 'git push origin main'")),
            (json!(["echo", "it's", ""]), Some(r"echo 'it'\''s' ''")),
            (json!(["a=b"]), Some("'a=b'")),
            (json!([]), None),
            (json!(["ls", 1]), None),
            (json!(7), None),
            (json!("ls\0"), None),
        ];
        for (value, expected) in rows {
            assert_eq!(command_text("command", &value).ok().as_deref(), expected, "{value}");
        }
    }
}
