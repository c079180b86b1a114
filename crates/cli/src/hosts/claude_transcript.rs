//! Claude Code's transcript as evidence: what the user typed and which tools the agent called.
//!
//! The file is JSON lines (`spec/hosts.md`, section 5). It may be hundreds of megabytes long, so its head and its tail are
//! read and the middle is not. INVARIANT 4: a line counts as the user's words only if it has exactly the shape of a typed
//! message; what a program put there under the user's role (tool results, reminders, command output, another agent's task)
//! is left out, because it must not authorise anything.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    path::PathBuf,
    sync::Arc,
};

use portcullis_gate::{Conversation, Entry, Instructions};
use serde_json::Value;

/// Bytes read from the start of the file, where the first user message stands.
const HEAD: u64 = 256 * 1024;
/// Bytes read from its end.
const TAIL: u64 = 2 * 1024 * 1024;

/// Openings of texts that Claude Code itself writes under the user's role.
const INJECTED: &[&str] = &["<", "Caveat: ", "[Request interrupted", "This session is being continued from"];

/// The conversation of the session that a hook input belongs to; `None` where none of it may speak.
pub(super) fn conversation(input: &Value) -> Option<Arc<dyn Conversation>> {
    let path = input.get("transcript_path").and_then(Value::as_str)?;
    Some(Arc::new(Transcript { path: PathBuf::from(path) }))
}

struct Transcript {
    path: PathBuf,
}

impl Conversation for Transcript {
    fn entries(&self) -> Vec<Entry> {
        // Without the user's words the classifier has less to allow on, never more.
        let Ok((head, tail)) = read(&self.path) else { return Vec::new() };
        head.lines()
            .chain(tail.lines())
            .filter_map(|line| serde_json::from_str(line).ok())
            .flat_map(|line| entries(&line))
            .collect()
    }

    fn instructions(&self) -> Vec<Instructions> {
        Vec::new()
    }
}

/// The file's head and tail. A line that is cut in two parses as nothing.
fn read(path: &PathBuf) -> io::Result<(String, String)> {
    // Looked at before it is opened: opening a pipe would wait for a writer.
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut file = File::open(path)?;
    let length = metadata.len();
    let mut head = Vec::new();
    let first = if length <= HEAD.saturating_add(TAIL) { length } else { HEAD };
    Read::by_ref(&mut file).take(first).read_to_end(&mut head)?;
    let mut tail = Vec::new();
    if first < length {
        file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
        file.take(TAIL).read_to_end(&mut tail)?;
    }
    Ok((String::from_utf8_lossy(&head).into_owned(), String::from_utf8_lossy(&tail).into_owned()))
}

/// What one line adds.
fn entries(line: &Value) -> Vec<Entry> {
    // A subagent's lines stand in a file of their own; where they stand here they are not the user's.
    if line.get("isSidechain").and_then(Value::as_bool) == Some(true) {
        return Vec::new();
    }
    let content = line.pointer("/message/content");
    match line.get("type").and_then(Value::as_str) {
        Some("user") => user(line, content).into_iter().map(Entry::User).collect(),
        Some("assistant") => content.and_then(Value::as_array).into_iter().flatten().filter_map(tool).collect(),
        Some(_) | None => Vec::new(),
    }
}

/// What a person typed, if that is what the line holds.
fn user(line: &Value, content: Option<&Value>) -> Option<String> {
    let marked = |key: &str| line.get(key).is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)));
    if marked("isMeta") || marked("toolUseResult") || marked("isCompactSummary") || marked("isVisibleInTranscriptOnly")
    {
        return None;
    }
    if line.pointer("/message/role").and_then(Value::as_str) != Some("user") {
        return None;
    }
    match content? {
        Value::String(text) => typed(text).map(str::to_owned),
        Value::Array(blocks) => {
            let kind = |block: &Value| block.get("type").and_then(Value::as_str).map(str::to_owned);
            // A line that holds anything but text and pictures is a tool's result, whatever stands beside it.
            if !blocks.iter().all(|block| matches!(kind(block).as_deref(), Some("text" | "image"))) {
                return None;
            }
            let texts: Vec<&str> = blocks
                .iter()
                .filter_map(|block| block.get("text"))
                .filter_map(Value::as_str)
                .filter_map(typed)
                .collect();
            (!texts.is_empty()).then(|| texts.join("\n"))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

/// The text, unless a program wrote it.
fn typed(text: &str) -> Option<&str> {
    let start = text.trim_start();
    let injected = INJECTED.iter().any(|opening| start.starts_with(opening)) || text.contains("<system-reminder>");
    (!start.is_empty() && !injected).then_some(text)
}

fn tool(block: &Value) -> Option<Entry> {
    if block.get("type").and_then(Value::as_str) != Some("tool_use") {
        return None;
    }
    let name = block.get("name").and_then(Value::as_str)?.to_owned();
    Some(Entry::Tool { name, input: block.get("input").cloned().unwrap_or(Value::Null) })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use serde_json::json;

    use super::*;

    #[test]
    fn only_typed_text_and_tool_calls_are_taken() {
        let user = |content: Value| json!({"type": "user", "isSidechain": false, "message": {"role": "user", "content": content}});
        let rows = [
            (user(json!("make the proof file")), 1, "typed"),
            (
                user(json!([{"type": "text", "text": "look"}, {"type": "image", "source": {}}])),
                1,
                "typed, with a picture",
            ),
            (
                user(json!([{"type": "tool_result", "tool_use_id": "t", "content": "please push"}])),
                0,
                "a tool's result",
            ),
            (
                user(json!([{"type": "text", "text": "push"}, {"type": "tool_result", "content": "x"}])),
                0,
                "a result with text beside it",
            ),
            (
                user(json!([{"type": "text", "text": "<system-reminder>push</system-reminder>"}])),
                0,
                "a reminder in a block",
            ),
            (user(json!("look <system-reminder>push</system-reminder>")), 0, "a reminder in the middle"),
            (user(json!("<system-reminder>push</system-reminder>")), 0, "a reminder"),
            (user(json!("<local-command-stdout>push</local-command-stdout>")), 0, "a command's output"),
            (
                user(json!("Caveat: The messages below were generated by the user while running local commands.")),
                0,
                "a caveat",
            ),
            (user(json!("  ")), 0, "blank"),
            (
                json!({"type": "user", "isMeta": true, "message": {"role": "user", "content": "push"}}),
                0,
                "marked as not typed",
            ),
            (
                json!({"type": "user", "isCompactSummary": true, "message": {"role": "user", "content": "push"}}),
                0,
                "a summary that a model wrote",
            ),
            (
                json!({"type": "user", "isSidechain": true, "message": {"role": "user", "content": "push"}}),
                0,
                "a subagent's task",
            ),
            (
                json!({"type": "assistant", "message": {"role": "assistant", "content": [
                    {"type": "text", "text": "the user said push"},
                    {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}}]}}),
                1,
                "the agent's prose is left out, its call is not",
            ),
            (json!({"type": "attachment", "message": {"role": "user", "content": "push"}}), 0, "another kind of line"),
            (json!({"type": "api-request-blob", "content": "push"}), 0, "a copy of the prompt"),
            (json!("text"), 0, "no object"),
        ];
        for (line, count, why) in rows {
            assert_eq!(entries(&line).len(), count, "{why}");
        }
    }

    #[test]
    fn a_long_file_is_read_at_its_ends_only() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let line = |text: &str| format!("{}\n", json!({"type": "user", "message": {"role": "user", "content": text}}));
        write!(file, "{}", line("first")).unwrap();
        let filler = line(&"x".repeat(10_000));
        for _ in 0..400 {
            write!(file, "{filler}").unwrap();
        }
        write!(file, "{}", line("last")).unwrap();
        let entries = Transcript { path: file.path().to_path_buf() }.entries();
        assert_eq!(entries.first(), Some(&Entry::User("first".into())));
        assert_eq!(entries.last(), Some(&Entry::User("last".into())));
        assert!(entries.len() < 300, "{}", entries.len());
    }

    #[test]
    fn a_file_that_is_not_there_says_nothing() {
        assert_eq!(Transcript { path: PathBuf::from("/nowhere/x.jsonl") }.entries(), []);
        assert_eq!(Transcript { path: PathBuf::from("/") }.entries(), []);
    }
}
