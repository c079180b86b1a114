//! A tool call, and what it acts on.

use std::fmt;

use serde_json::{Map, Value};

use crate::tools::{self, ToolKind};
use crate::{argv, patch};

/// Canonical tool name: lower-case, or `mcp__server__tool` as the host wrote it.
///
/// ```
/// use portcullis_matcher::ToolName;
/// assert_eq!(ToolName::normalize("run_shell_command").as_str(), "bash");
/// assert_eq!(ToolName::normalize("MultiEdit").as_str(), "edit");
/// assert_eq!(ToolName::normalize("mcp__My-Server__Get").as_str(), "mcp__My-Server__Get");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ToolName(String);

impl ToolName {
    /// The canonical name of a host's tool.
    pub fn normalize(host_name: &str) -> Self {
        let name = host_name.trim();
        let name = name.strip_prefix('@').unwrap_or(name);
        if is_mcp(name) {
            return Self(name.to_owned());
        }
        match tools::lookup(name) {
            Some(row) => Self(row.canonical.to_owned()),
            None => Self(name.to_lowercase()),
        }
    }

    /// Every host name that is known, for lists and help: the name in lower case without `_` and `-`, the canonical name,
    /// and who uses it.
    pub fn known() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
        tools::NAMES.iter().map(|row| (row.host_name, row.canonical, row.used_by))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What the tool does.
    pub fn kind(&self) -> ToolKind {
        if is_mcp(&self.0) {
            return ToolKind::Mcp;
        }
        tools::lookup(&self.0).map_or(ToolKind::Other, |row| row.kind)
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// `mcp__…`, in any case.
pub(crate) fn is_mcp(name: &str) -> bool {
    name.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("mcp__"))
}

/// A tool call that a host asks about.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// Canonical name.
    pub tool: ToolName,
    /// The name as the host wrote it.
    pub host_tool: String,
    /// The arguments.
    pub input: Value,
    /// The directory that relative paths start from, as the host wrote it.
    pub cwd: String,
}

/// How a path argument is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Its content is read.
    Read,
    /// It is created, changed, moved or deleted.
    Write,
    /// Everything below it may be read or listed.
    Scope,
}

/// A path that a call names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathArg {
    /// As written.
    pub text: String,
    /// How it is used.
    pub access: Access,
}

/// The arguments of a call don't say what it acts on; such a call can't be allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The argument that the tool needs is not there.
    #[error("the {tool} call has no {what}")]
    Missing {
        /// Canonical tool name.
        tool: String,
        /// What is missing.
        what: &'static str,
    },
    /// The argument has another JSON type.
    #[error("the argument `{key}` is not {wanted}")]
    WrongType {
        /// Argument.
        key: String,
        /// What it should be.
        wanted: &'static str,
    },
    /// Two arguments claim to be the subject, and differ.
    #[error("the arguments `{first}` and `{second}` name different subjects")]
    Ambiguous {
        /// The first one.
        first: String,
        /// The other one.
        second: String,
    },
    /// The text holds a NUL character, where programs disagree on its end.
    #[error("the argument `{key}` holds a NUL character")]
    Nul {
        /// Argument.
        key: String,
    },
    /// The text is not a complete patch.
    #[error("the patch can't be read: {why}")]
    Patch {
        /// What is wrong.
        why: String,
    },
}

impl ToolCall {
    /// A call as the host reported it.
    pub fn new(host_tool: &str, input: Value, cwd: &str) -> Self {
        Self { tool: ToolName::normalize(host_tool), host_tool: host_tool.to_owned(), input, cwd: cwd.to_owned() }
    }

    /// What the tool does.
    pub fn kind(&self) -> ToolKind {
        self.tool.kind()
    }

    fn object(&self) -> Option<&Map<String, Value>> {
        self.input.as_object()
    }

    /// The shell command: `None` for a tool that runs none.
    ///
    /// An argument list is joined as shell words, so that `["bash", "-lc", "ls"]` reads `bash -lc ls`.
    pub fn command(&self) -> Result<Option<String>, InputError> {
        if self.kind() != ToolKind::Bash {
            return Ok(None);
        }
        let missing = || InputError::Missing { tool: self.tool.to_string(), what: "command" };
        let object = self.object().ok_or_else(missing)?;
        let mut found: Option<(&str, String)> = None;
        for key in tools::COMMAND_KEYS {
            let Some(value) = object.get(*key) else { continue };
            let text = argv::command_text(key, value)?;
            match &found {
                Some((first, other)) if *other != text => {
                    return Err(InputError::Ambiguous { first: (*first).to_owned(), second: (*key).to_owned() });
                }
                Some(_) => {}
                None => found = Some((key, text)),
            }
        }
        found.map(|(_, text)| Some(text)).ok_or_else(missing)
    }

    /// The directory that a shell command is started in, where the call names one other than [`ToolCall::cwd`].
    pub fn workdir(&self) -> Option<&str> {
        if self.kind() != ToolKind::Bash {
            return None;
        }
        let object = self.object()?;
        tools::WORKDIR_KEYS.iter().find_map(|key| object.get(*key)?.as_str()).filter(|text| !text.is_empty())
    }

    /// Every path that the call names, in a stable order. Empty for tools without paths.
    ///
    /// A search without a path is a search of the working directory: `.`.
    pub fn paths(&self) -> Result<Vec<PathArg>, InputError> {
        let access = match self.kind() {
            ToolKind::Read => Access::Read,
            ToolKind::Write | ToolKind::Edit | ToolKind::NotebookEdit => Access::Write,
            ToolKind::Grep | ToolKind::Find | ToolKind::Ls => Access::Scope,
            ToolKind::Mcp | ToolKind::Other => return self.loose_paths(),
            ToolKind::Bash | ToolKind::WebFetch | ToolKind::WebSearch | ToolKind::Agent => return Ok(Vec::new()),
        };
        let mut out = Vec::new();
        if let Some(object) = self.object() {
            for key in tools::PATH_KEYS {
                if let Some(value) = object.get(*key) {
                    // Grep's `include` is a file-name filter, not a path.
                    if *key == "include" && access == Access::Scope {
                        continue;
                    }
                    collect_paths(key, value, access, &mut out)?;
                }
            }
            if self.kind() == ToolKind::Edit {
                self.patch_paths(object, &mut out)?;
            }
            if self.kind() == ToolKind::Find {
                outside_scope(object.get("pattern").and_then(Value::as_str), &mut out);
            }
        }
        if out.is_empty() {
            return match access {
                Access::Scope => Ok(vec![PathArg { text: ".".to_owned(), access }]),
                Access::Read | Access::Write => Err(InputError::Missing { tool: self.tool.to_string(), what: "path" }),
            };
        }
        Ok(out)
    }

    fn patch_paths(&self, object: &Map<String, Value>, out: &mut Vec<PathArg>) -> Result<(), InputError> {
        let patch_tool = matches!(tools::key_of(&self.host_tool).as_str(), "applypatch" | "patch");
        for key in tools::PATCH_KEYS {
            let Some(value) = object.get(*key) else { continue };
            let text = match value {
                Value::String(text) => text.as_str(),
                Value::Array(items) => match items.as_slice() {
                    [Value::String(name), Value::String(text)] if tools::key_of(name) == "applypatch" => text.as_str(),
                    _ if patch_tool => {
                        return Err(InputError::WrongType { key: (*key).to_owned(), wanted: "a patch" });
                    }
                    _ => continue,
                },
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => continue,
            };
            if patch_tool || patch::looks_like_patch(text) {
                let files = patch::files(text)?;
                out.extend(files.into_iter().map(|text| PathArg { text, access: Access::Write }));
            }
        }
        Ok(())
    }

    /// Path-like arguments of MCP and extension tools, found by their names, nested objects and lists included.
    fn loose_paths(&self) -> Result<Vec<PathArg>, InputError> {
        let tool = match self.tool.as_str().rsplit_once("__") {
            Some((_, tool)) => tool.to_lowercase(),
            None => self.tool.as_str().to_lowercase(),
        };
        let changes = tool
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(|word| tools::CHANGING_WORDS.iter().any(|verb| word.starts_with(verb)));
        let access = if changes { Access::Write } else { Access::Read };
        let mut out = Vec::new();
        if let Some(object) = self.object() {
            loose(object, access, 8, &mut out)?;
        }
        Ok(out)
    }

    /// The URL that the call fetches.
    pub fn url(&self) -> Option<&str> {
        let object = self.object()?;
        tools::URL_KEYS.iter().find_map(|key| object.get(*key)?.as_str())
    }

    /// Every URL that the call names; for a fetch by prompt (Gemini CLI) those inside the prompt.
    pub fn urls(&self) -> Vec<String> {
        let Some(object) = self.object() else { return Vec::new() };
        let mut out = Vec::new();
        for key in tools::URL_KEYS {
            match object.get(*key) {
                Some(Value::String(url)) => out.push(url.clone()),
                Some(Value::Array(items)) => out.extend(items.iter().filter_map(Value::as_str).map(str::to_owned)),
                Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => {}
            }
        }
        if out.is_empty()
            && let Some(prompt) = object.get("prompt").and_then(Value::as_str)
        {
            out.extend(prompt.split_whitespace().filter_map(|word| {
                let start = word.to_ascii_lowercase().find("http")?;
                let url = word.get(start..)?.trim_end_matches(['.', ',', ')', ']', '>', '"', '\'']);
                url.contains(':').then(|| url.to_owned())
            }));
        }
        out
    }

    /// The arguments as JSON text with sorted keys and no blanks: the subject of tools without a better one.
    pub fn canonical_input(&self) -> String {
        let mut out = String::new();
        write_canonical(&self.input, 64, &mut out);
        out
    }
}

fn collect_paths(key: &str, value: &Value, access: Access, out: &mut Vec<PathArg>) -> Result<(), InputError> {
    let wrong = || InputError::WrongType { key: key.to_owned(), wanted: "a path" };
    match value {
        Value::Null => Ok(()),
        Value::String(text) => push_path(key, text, access, out),
        Value::Array(items) => {
            for item in items {
                match item {
                    Value::String(text) => push_path(key, text, access, out)?,
                    // Cline and Cursor pass `files: [{path, …}]`.
                    Value::Object(object) => {
                        let inner = tools::PATH_KEYS.iter().find_map(|key| object.get(*key)?.as_str());
                        push_path(key, inner.ok_or_else(wrong)?, access, out)?;
                    }
                    Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => return Err(wrong()),
                }
            }
            Ok(())
        }
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => Err(wrong()),
    }
}

fn push_path(key: &str, text: &str, access: Access, out: &mut Vec<PathArg>) -> Result<(), InputError> {
    if text.contains('\0') {
        return Err(InputError::Nul { key: key.to_owned() });
    }
    if text.is_empty() {
        return Ok(());
    }
    let mut push = |text: &str| {
        if !out.iter().any(|arg| arg.text == text && arg.access == access) {
            out.push(PathArg { text: text.to_owned(), access });
        }
    };
    push(text);
    // Pi reads `@file` as `file` (a mention pasted from the prompt); other hosts take it as it is. Both are subjects.
    if let Some(rest) = text.strip_prefix('@').filter(|rest| !rest.is_empty()) {
        push(rest);
    }
    Ok(())
}

/// A glob such as `/etc/**` or `../*` searches outside the directory that `path` names.
fn outside_scope(pattern: Option<&str>, out: &mut Vec<PathArg>) {
    let Some(pattern) = pattern else { return };
    if !(pattern.starts_with(['/', '~']) || pattern.split('/').any(|part| part == "..")) {
        return;
    }
    let fixed: Vec<&str> = pattern.split('/').take_while(|part| !part.contains(['*', '?', '[', '{'])).collect();
    let text = fixed.join("/");
    let text = if text.is_empty() { "/".to_owned() } else { text };
    out.push(PathArg { text, access: Access::Scope });
}

fn loose(object: &Map<String, Value>, access: Access, depth: usize, out: &mut Vec<PathArg>) -> Result<(), InputError> {
    let Some(depth) = depth.checked_sub(1) else { return Ok(()) };
    for (key, value) in object {
        let named = tools::LOOSE_PATH_KEYS.contains(&tools::key_of(key).as_str());
        match value {
            Value::String(text) if named && path_like(text) => push_path(key, text, access, out)?,
            Value::Array(items) => {
                for item in items {
                    match item {
                        Value::String(text) if named && path_like(text) => push_path(key, text, access, out)?,
                        Value::Object(inner) => loose(inner, access, depth, out)?,
                        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {}
                    }
                }
            }
            Value::Object(inner) => loose(inner, access, depth, out)?,
            Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    Ok(())
}

/// Not a URL, and short and single-lined enough to be a path (PATH_MAX is 4,096 on Linux).
fn path_like(text: &str) -> bool {
    let url = text.split_once("://").is_some_and(|(scheme, _)| !scheme.eq_ignore_ascii_case("file"));
    !url && text.len() <= 4096 && !text.contains('\n')
}

fn write_canonical(value: &Value, depth: usize, out: &mut String) {
    let Some(depth) = depth.checked_sub(1) else {
        out.push('…');
        return;
    };
    match value {
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_canonical(item, depth, out);
            }
            out.push(']');
        }
        Value::Object(object) => {
            let mut keys: Vec<&String> = object.keys().collect();
            keys.sort();
            out.push('{');
            for (index, key) in keys.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(&Value::String(key.clone()).to_string());
                out.push(':');
                if let Some(item) = object.get(key) {
                    write_canonical(item, depth, out);
                }
            }
            out.push('}');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => out.push_str(&value.to_string()),
    }
}
