//! The paths that a call names, whatever its arguments are called.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::call::{Access, InputError, PathArg};
use crate::tools::{self, ToolKind};
use crate::{ToolCall, patch, path_rule};

/// Every path of the call, in a stable order.
pub(crate) fn of(call: &ToolCall) -> Result<Vec<PathArg>, InputError> {
    let access = match call.kind() {
        ToolKind::Read => Access::Read,
        ToolKind::Write | ToolKind::Edit | ToolKind::NotebookEdit => Access::Write,
        ToolKind::Grep | ToolKind::Find | ToolKind::Ls => Access::Scope,
        ToolKind::Mcp | ToolKind::Other => {
            let mut found = Found::default();
            found.loose(&call.input, loose_access(call))?;
            return Ok(found.list);
        }
        ToolKind::Bash | ToolKind::WebFetch | ToolKind::WebSearch | ToolKind::Agent => return Ok(Vec::new()),
    };
    let mut found = Found::default();
    if let Some(object) = call.input.as_object() {
        for key in tools::PATH_KEYS {
            // Grep's `include` is a file-name filter, not a path.
            if *key == "include" && access == Access::Scope {
                continue;
            }
            if let Some(value) = object.get(*key) {
                found.named(key, value, access)?;
            }
        }
        match call.kind() {
            ToolKind::Edit => found.patch(&call.host_tool, object)?,
            ToolKind::Find => found.outside(object.get("pattern").and_then(Value::as_str)),
            ToolKind::Read if tools::key_of(&call.host_tool) == "readmanyfiles" => found.globs(),
            ToolKind::Read
            | ToolKind::Write
            | ToolKind::NotebookEdit
            | ToolKind::Grep
            | ToolKind::Ls
            | ToolKind::Bash
            | ToolKind::WebFetch
            | ToolKind::WebSearch
            | ToolKind::Agent
            | ToolKind::Mcp
            | ToolKind::Other => {}
        }
    }
    if found.list.is_empty() {
        return match access {
            Access::Scope => Ok(vec![PathArg { text: ".".to_owned(), access }]),
            Access::Read | Access::Write => Err(InputError::Missing { tool: call.tool.to_string(), what: "path" }),
        };
    }
    Ok(found.list)
}

#[derive(Default)]
struct Found {
    list: Vec<PathArg>,
    seen: BTreeSet<(Access, String)>,
}

impl Found {
    fn add(&mut self, text: &str, access: Access) {
        if self.seen.insert((access, text.to_owned())) {
            self.list.push(PathArg { text: text.to_owned(), access });
        }
    }

    fn path(&mut self, key: &str, text: &str, access: Access) -> Result<(), InputError> {
        if text.contains('\0') {
            return Err(InputError::Nul { key: key.to_owned() });
        }
        if text.is_empty() {
            return Ok(());
        }
        self.add(text, access);
        // Pi reads `@file` as `file` (a mention pasted from the prompt); other hosts take it as it is. Both are subjects.
        if let Some(rest) = text.strip_prefix('@').filter(|rest| !rest.is_empty()) {
            self.add(rest, access);
        }
        Ok(())
    }

    /// The value of an argument that holds a path or a list of them.
    fn named(&mut self, key: &str, value: &Value, access: Access) -> Result<(), InputError> {
        let wrong = || InputError::WrongType { key: key.to_owned(), wanted: "a path" };
        match value {
            Value::Null => Ok(()),
            Value::String(text) => self.path(key, text, access),
            Value::Array(items) => items.iter().try_for_each(|item| match item {
                Value::String(text) => self.path(key, text, access),
                // Cline and Cursor pass `files: [{path, …}]`.
                Value::Object(object) => {
                    let mut inner = tools::PATH_KEYS.iter().filter_map(|key| object.get(*key)?.as_str()).peekable();
                    inner.peek().ok_or_else(wrong)?;
                    inner.try_for_each(|text| self.path(key, text, access))
                }
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => Err(wrong()),
            }),
            Value::Bool(_) | Value::Number(_) | Value::Object(_) => Err(wrong()),
        }
    }

    fn patch(&mut self, host_tool: &str, object: &Map<String, Value>) -> Result<(), InputError> {
        let patch_tool = matches!(tools::key_of(host_tool).as_str(), "applypatch" | "patch");
        for key in tools::PATCH_KEYS {
            let text = match object.get(*key) {
                Some(Value::String(text)) => text.as_str(),
                Some(Value::Array(items)) => match items.as_slice() {
                    [Value::String(name), Value::String(text)] if tools::key_of(name) == "applypatch" => text.as_str(),
                    _ if patch_tool => {
                        return Err(InputError::WrongType { key: (*key).to_owned(), wanted: "a patch" });
                    }
                    _ => continue,
                },
                Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => continue,
            };
            if patch_tool || patch::looks_like_patch(text) {
                for file in patch::files(text)? {
                    self.add(&file, Access::Write);
                }
            }
        }
        Ok(())
    }

    /// A name pattern such as `/etc/**` or `../*` searches outside the directory that `path` names.
    fn outside(&mut self, pattern: Option<&str>) {
        let Some(pattern) = pattern else { return };
        let starts: Vec<String> = self.list.iter().map(|arg| arg.text.clone()).collect();
        for start in search_starts(pattern) {
            match start {
                Start::Below(_) => {}
                Start::Above(text) if starts.is_empty() => self.add(&text, Access::Scope),
                Start::Above(text) => {
                    for start in &starts {
                        self.add(&format!("{start}/{text}"), Access::Scope);
                    }
                }
                Start::Absolute(text) => self.add(&text, Access::Scope),
            }
        }
    }

    /// Gemini CLI's `read_many_files` takes name patterns for paths: each is a search, too.
    fn globs(&mut self) {
        let globs: Vec<String> =
            self.list.iter().filter(|arg| arg.text.contains(WILD)).map(|arg| arg.text.clone()).collect();
        for start in globs.iter().flat_map(|glob| search_starts(glob)) {
            match start {
                Start::Below(text) | Start::Above(text) | Start::Absolute(text) => self.add(&text, Access::Scope),
            }
        }
    }

    /// Path-like arguments of MCP and extension tools, nested objects and lists included.
    fn loose(&mut self, input: &Value, access: Access) -> Result<(), InputError> {
        // A stack instead of recursion: nesting is the caller's.
        let mut todo: Vec<(&str, Naming, &Value)> = vec![("", Naming::Other, input)];
        while let Some((key, naming, value)) = todo.pop() {
            match value {
                Value::String(text) if naming.holds_path(text) => self.path(key, text, access)?,
                Value::Array(items) => todo.extend(items.iter().rev().map(|item| (key, naming, item))),
                Value::Object(object) => {
                    todo.extend(object.iter().rev().map(|(key, value)| (key.as_str(), Naming::of(key), value)));
                }
                Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
        Ok(())
    }
}

/// What the name of an argument says about its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Naming {
    /// `path`, `repo_path`, `targetFile`: a path unless it is a URL.
    Path,
    /// `source`, `output`: a path unless it is longer text.
    Maybe,
    /// Anything else: a path only if it begins like one.
    Other,
}

impl Naming {
    fn of(key: &str) -> Self {
        let key = tools::key_of(key);
        let ends = tools::LOOSE_PATH_ENDINGS.iter().any(|ending| key.ends_with(ending));
        if ends && !tools::NO_PATH_KEYS.contains(&key.as_str()) {
            Self::Path
        } else if tools::LOOSE_PATH_KEYS.contains(&key.as_str()) {
            Self::Maybe
        } else {
            Self::Other
        }
    }

    fn holds_path(self, text: &str) -> bool {
        let url = text.split_once("://").is_some_and(|(scheme, _)| !scheme.eq_ignore_ascii_case("file"));
        // PATH_MAX is 4,096 on Linux.
        let short = text.len() <= 4096 && !text.contains('\n');
        let begins = || {
            ["/", "~/", "./", "../", "$HOME/", "${HOME}/"].iter().any(|start| text.starts_with(start))
                || text.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"))
        };
        match self {
            Self::Path => !url,
            Self::Maybe => !url && short,
            Self::Other => !url && short && begins() && !text.contains(char::is_whitespace),
        }
    }
}

/// An MCP tool whose name has a verb that changes things writes; in doubt it reads.
fn loose_access(call: &ToolCall) -> Access {
    if has_verb(call, tools::CHANGING_WORDS) { Access::Write } else { Access::Read }
}

/// The MCP tool copies or moves, which reads as well.
pub(crate) fn copies(call: &ToolCall) -> bool {
    has_verb(call, tools::COPYING_WORDS)
}

/// A word of the tool's name begins with one of the verbs.
fn has_verb(call: &ToolCall, verbs: &[&str]) -> bool {
    let name = match call.tool.as_str().rsplit_once("__") {
        Some((_, tool)) => tool,
        None => call.host_tool.as_str(),
    };
    let mut words = vec![String::new()];
    for c in name.chars() {
        // `fileWrite`, `file_write`
        if c.is_uppercase() || !c.is_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
    }
    // `WRITE_FILE` falls apart into letters above.
    words.extend(name.to_lowercase().split(|c: char| !c.is_alphanumeric()).map(str::to_owned));
    words.iter().any(|word| verbs.iter().any(|verb| word.starts_with(verb)))
}

/// Characters that make a path a pattern.
const WILD: [char; 4] = ['*', '?', '[', '{'];

/// Where a name pattern starts to search.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Start {
    /// In a directory below the one that the search is in.
    Below(String),
    /// In a directory that `..` leads to.
    Above(String),
    /// Anywhere.
    Absolute(String),
}

/// The fixed directories of each reading of the pattern.
fn search_starts(pattern: &str) -> Vec<Start> {
    let readings = path_rule::alternatives(&pattern.replace('\\', "/"));
    let many = readings.len() >= path_rule::MAX_ALTERNATIVES;
    let mut starts: Vec<Start> = readings.iter().map(|text| search_start(text)).collect();
    if many {
        starts.push(Start::Absolute("/".to_owned()));
    }
    starts
}

fn search_start(pattern: &str) -> Start {
    let names: Vec<&str> = pattern.split('/').collect();
    let wild = names.iter().position(|name| name.contains(WILD)).unwrap_or(names.len());
    let (fixed, rest) = names.split_at_checked(wild).unwrap_or((&names, &[]));
    // `*/../..` climbs from a directory that is not known.
    if rest.contains(&"..") {
        return Start::Absolute("/".to_owned());
    }
    let text = fixed.join("/");
    if pattern.starts_with(['/', '~', '$']) {
        return Start::Absolute(if text.is_empty() { "/".to_owned() } else { text });
    }
    if fixed.contains(&"..") {
        return Start::Above(text);
    }
    Start::Below(if text.is_empty() { ".".to_owned() } else { text })
}

#[cfg(test)]
mod tests {
    use super::{Start, search_start, search_starts};

    #[test]
    fn a_name_pattern_starts_at_its_fixed_directory() {
        let below = |text: &str| Start::Below(text.to_owned());
        let above = |text: &str| Start::Above(text.to_owned());
        let absolute = |text: &str| Start::Absolute(text.to_owned());
        for (pattern, expected) in [
            ("**/*.rs", below(".")),
            ("src/*.rs", below("src")),
            ("/etc/**", absolute("/etc")),
            ("/*", absolute("/")),
            ("~/.ssh/*", absolute("~/.ssh")),
            ("../x/*", above("../x")),
            ("src/*/../../x", absolute("/")),
        ] {
            assert_eq!(search_start(pattern), expected, "{pattern}");
        }
        assert!(search_starts("{/etc,src}/*").contains(&absolute("/etc")));
        assert!(search_starts(r"..\x\*").contains(&above("../x")));
    }
}
