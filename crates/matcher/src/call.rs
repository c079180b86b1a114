//! A tool call, and what it acts on.

use std::fmt;

use serde_json::{Map, Value};

use crate::tools::{self, ToolKind};
use crate::{argv, path_args};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
            let Some(value) = object.get(*key).filter(|value| !value.is_null()) else { continue };
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
        path_args::of(self)
    }

    /// The URL that the call fetches.
    pub fn url(&self) -> Option<&str> {
        let object = self.object()?;
        tools::URL_KEYS.iter().find_map(|key| object.get(*key)?.as_str())
    }

    /// Every URL that the call names; for a fetch by prompt (Gemini CLI's `web_fetch`) those inside the prompt too. A value that
    /// is no text is given as JSON, which no host matches.
    pub fn urls(&self) -> Vec<String> {
        let Some(object) = self.object() else { return Vec::new() };
        let mut out = Vec::new();
        for value in tools::URL_KEYS.iter().filter_map(|key| object.get(*key)) {
            let items = match value {
                Value::Array(items) => items.as_slice(),
                Value::Null => &[],
                Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => std::slice::from_ref(value),
            };
            out.extend(items.iter().map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned)));
        }
        // Claude Code's `WebFetch` has a prompt too, but fetches only `url`.
        if (out.is_empty() || self.host_tool.trim() == "web_fetch")
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
        write_canonical(&self.input, MAX_DEPTH, &mut out);
        out
    }
}

/// Deepest nesting that is written out. JSON readers give up before: serde_json at 128.
const MAX_DEPTH: usize = 256;

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
