//! Edits of settings files that keep what people wrote: comments, order, indentation, trailing commas, line
//! ends and byte order mark.
//!
//! Each function takes a text and gives a new one; [`write_atomically`] puts it in place. A path is the
//! chain of keys from the root. A blank text counts as `{}`, so that a new file is made the same way.
//!
//! ```
//! use portcullis_config::edit;
//!
//! let text = "{\n  // mine\n  \"permissions\": { \"allow\": [] },\n}\n";
//! let edited = edit::add_rule(text, edit::RuleList::Deny, "bash(git push*)").unwrap();
//! assert!(edited.contains("// mine") && edited.contains("\"bash(git push*)\""));
//! ```

use std::io;
use std::path::PathBuf;

use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode, CstWhitespace};
use serde_json::Value;

use crate::json::{Kind, OPTIONS, check_limits, parse, without_bom};

pub use crate::write::{BackupPolicy, Written, write_atomically};

/// Why a file was left as it is.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The text can't be parsed.
    #[error("the file is not valid JSON and was left alone: {message}")]
    Syntax {
        /// What is wrong, with the place.
        message: String,
    },
    /// The root is not an object.
    #[error("the file does not hold a JSON object and was left alone")]
    RootNotObject,
    /// Something on the way to the key is not what it must be.
    #[error("{path} is not {wanted}, so the file was left alone")]
    WrongKind {
        /// The keys up to it, joined by dots.
        path: String,
        /// What it must be.
        wanted: &'static str,
    },
    /// A key on the way stands twice, and programs differ on which one counts.
    #[error("{path} is set twice, so the file was left alone; keep one of them")]
    Ambiguous {
        /// The keys up to it, joined by dots.
        path: String,
    },
    /// The path names no key.
    #[error("no key was named")]
    NoKey,
    /// The file was changed by someone else meanwhile.
    #[error("{} was changed by another program meanwhile and was left alone; try again", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// Reading or writing failed.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// A list of permission rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleList {
    /// `permissions.deny`.
    Deny,
    /// `permissions.ask`.
    Ask,
    /// `permissions.allow`.
    Allow,
}

impl RuleList {
    const fn path(self) -> [&'static str; 2] {
        match self {
            Self::Deny => ["permissions", "deny"],
            Self::Ask => ["permissions", "ask"],
            Self::Allow => ["permissions", "allow"],
        }
    }
}

/// The whole text as a value, read with the same limits and the same leniency as settings are. A blank text counts as `{}`.
///
/// ```
/// use portcullis_config::edit;
/// assert_eq!(edit::value("{ \"a\": [1,], } // mine").unwrap(), serde_json::json!({"a": [1]}));
/// assert!(edit::value(&"[".repeat(100_000)).is_err());
/// ```
pub fn value(text: &str) -> Result<Value, EditError> {
    let body = without_bom(text);
    let syntax = |message: String| EditError::Syntax { message };
    check_limits(body).map_err(|error| syntax(error.message))?;
    if body.trim().is_empty() {
        return Ok(Value::Object(serde_json::Map::new()));
    }
    let root = CstRootNode::parse(body, &OPTIONS).map_err(|error| syntax(error.to_string()))?;
    let value = root.value().and_then(|value| value.to_serde_value());
    value.ok_or_else(|| syntax("it holds no JSON value".to_owned()))
}

/// The line, from 1, on which what a JSON pointer (RFC 6901) names begins; `None` if the text has no such place.
///
/// ```
/// use portcullis_config::edit;
/// let text = "{\n  \"permissions\": {\n    \"deny\": [\n      \"bash\"\n    ]\n  }\n}\n";
/// assert_eq!(edit::line_of(text, "/permissions/deny/0"), Some(4));
/// assert_eq!(edit::line_of(text, "/permissions/ask"), None);
/// ```
pub fn line_of(text: &str, pointer: &str) -> Option<u32> {
    let root = parse(text).ok()?;
    if pointer.is_empty() {
        return Some(root.line);
    }
    let mut place = &root;
    let mut line = root.line;
    for token in pointer.strip_prefix('/')?.split('/') {
        match &place.kind {
            Kind::Object(members) => {
                let key = token.replace("~1", "/").replace("~0", "~");
                let member = members.iter().rev().find(|member| member.key == key)?;
                (place, line) = (&member.value, member.line);
            }
            Kind::Array(items) => {
                place = items.get(token.parse::<usize>().ok()?)?;
                line = place.line;
            }
            Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::String(_) => return None,
        }
    }
    Some(line)
}

/// Adds a permission rule, unless the list has it.
pub fn add_rule(text: &str, list: RuleList, rule: &str) -> Result<String, EditError> {
    append(text, &list.path(), &Value::String(rule.to_owned()))
}

/// Removes a permission rule, every time it stands in the list.
pub fn remove_rule(text: &str, list: RuleList, rule: &str) -> Result<String, EditError> {
    remove_entries(text, &list.path(), |entry| entry.as_str() == Some(rule))
}

/// Sets a key to a value, making the objects on the way.
pub fn set_key(text: &str, path: &[&str], value: &Value) -> Result<String, EditError> {
    let document = Document::open(text)?;
    let (key, parents) = path.split_last().ok_or(EditError::NoKey)?;
    let parent = document.object(parents, Missing::Create)?.ok_or(EditError::NoKey)?;
    match only(&parent, path, key)? {
        Some(property) if property.value().and_then(|old| old.to_serde_value()).as_ref() == Some(value) => {}
        Some(property) => property.set_value(input(value)),
        None => drop(parent.append(key, input(value))),
    }
    document.finish()
}

/// Adds an entry to the end of an array, making it and the objects on the way, unless an equal entry is there.
pub fn append(text: &str, path: &[&str], value: &Value) -> Result<String, EditError> {
    let document = Document::open(text)?;
    let (key, parents) = path.split_last().ok_or(EditError::NoKey)?;
    let parent = document.object(parents, Missing::Create)?.ok_or(EditError::NoKey)?;
    match only(&parent, path, key)? {
        None => drop(parent.append(key, CstInputValue::Array(vec![input(value)]))),
        Some(property) => {
            let array = array(&property, path)?;
            if !array.elements().iter().any(|entry| entry.to_serde_value().as_ref() == Some(value)) {
                array.append(input(value));
            }
        }
    }
    document.finish()
}

/// Removes the entries of an array that the test picks. What is not there needs no removing.
pub fn remove_entries(text: &str, path: &[&str], test: impl Fn(&Value) -> bool) -> Result<String, EditError> {
    let document = Document::open(text)?;
    let (key, parents) = path.split_last().ok_or(EditError::NoKey)?;
    if let Some(parent) = document.object(parents, Missing::Leave)?
        && let Some(property) = only(&parent, path, key)?
    {
        let array = array(&property, path)?;
        let blank = leading_blank(&array).is_some();
        for entry in array.elements() {
            if entry.to_serde_value().as_ref().is_some_and(&test) {
                entry.remove();
            }
        }
        // The blank before the second entry is none before the first.
        if let Some(node) = leading_blank(&array).filter(|_| !blank) {
            node.remove();
        }
    }
    document.finish()
}

/// Removes, from the list under `key` of each entry of an array, the items that the test picks, and an entry whose list is
/// left empty by that. Other entries and other items keep their place and their text.
///
/// ```
/// use portcullis_config::edit;
/// let text = r#"{"hooks": [{"run": ["mine", "yours"]}, {"run": ["mine"]}, {"run": []}]}"#;
/// let edited = edit::remove_nested(text, &["hooks"], "run", |item| item == "mine").unwrap();
/// assert_eq!(edit::value(&edited).unwrap(), serde_json::json!({"hooks": [{"run": ["yours"]}, {"run": []}]}));
/// ```
pub fn remove_nested(text: &str, path: &[&str], key: &str, test: impl Fn(&Value) -> bool) -> Result<String, EditError> {
    let document = Document::open(text)?;
    let (last, parents) = path.split_last().ok_or(EditError::NoKey)?;
    if let Some(parent) = document.object(parents, Missing::Leave)?
        && let Some(property) = only(&parent, path, last)?
    {
        for entry in array(&property, path)?.elements() {
            let list = entry.as_object().and_then(|object| object.get(key)).and_then(|list| list.array_value());
            let Some(list) = list else { continue };
            let picked: Vec<CstNode> =
                list.elements().into_iter().filter(|item| item.to_serde_value().as_ref().is_some_and(&test)).collect();
            if picked.is_empty() {
                continue;
            }
            if picked.len() == list.elements().len() {
                entry.remove();
            } else {
                picked.into_iter().for_each(CstNode::remove);
            }
        }
    }
    document.finish()
}

/// Removes a key with its value. What is not there needs no removing.
pub fn remove_key(text: &str, path: &[&str]) -> Result<String, EditError> {
    let document = Document::open(text)?;
    let (key, parents) = path.split_last().ok_or(EditError::NoKey)?;
    if let Some(parent) = document.object(parents, Missing::Leave)?
        && let Some(property) = only(&parent, path, key)?
    {
        property.remove();
    }
    document.finish()
}

/// What happens to objects that are not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Missing {
    Create,
    Leave,
}

struct Document<'t> {
    text: &'t str,
    root: CstRootNode,
    object: CstObject,
}

impl<'t> Document<'t> {
    fn open(text: &'t str) -> Result<Self, EditError> {
        let syntax = |message: String| EditError::Syntax { message };
        let body = without_bom(text);
        check_limits(body).map_err(|error| syntax(error.message))?;
        let body = if body.trim().is_empty() { "{}\n" } else { body };
        let root = CstRootNode::parse(body, &OPTIONS).map_err(|error| syntax(error.to_string()))?;
        let object = root.object_value().ok_or(EditError::RootNotObject)?;
        Ok(Self { text, root, object })
    }

    /// The object at a path.
    fn object(&self, path: &[&str], missing: Missing) -> Result<Option<CstObject>, EditError> {
        let mut object = self.object.clone();
        for (depth, key) in path.iter().enumerate() {
            let here = path.get(..=depth).unwrap_or(path);
            object = match (only(&object, here, key)?, missing) {
                (Some(property), _) => property
                    .object_value()
                    .ok_or_else(|| EditError::WrongKind { path: here.join("."), wanted: "an object" })?,
                (None, Missing::Leave) => return Ok(None),
                (None, Missing::Create) => object
                    .append(key, CstInputValue::Object(Vec::new()))
                    .object_value()
                    .ok_or_else(|| EditError::WrongKind { path: here.join("."), wanted: "an object" })?,
            };
        }
        Ok(Some(object))
    }

    fn finish(self) -> Result<String, EditError> {
        let mark = if self.text.starts_with('\u{feff}') { "\u{feff}" } else { "" };
        let edited = format!("{mark}{}", self.root);
        // Never hand out what no program could read back.
        parse(&edited).map_err(|error| EditError::Syntax { message: error.message })?;
        Ok(edited)
    }
}

/// The property of that name, if there is exactly one.
fn only(object: &CstObject, path: &[&str], key: &str) -> Result<Option<CstObjectProp>, EditError> {
    let mut found = object.properties().into_iter().filter(|property| property.decoded_name().as_deref() == Some(key));
    match (found.next(), found.next()) {
        (first, None) => Ok(first),
        (_, Some(_)) => Err(EditError::Ambiguous { path: path.join(".") }),
    }
}

/// The blanks between the bracket and the first entry of an array.
fn leading_blank(array: &CstArray) -> Option<CstWhitespace> {
    array.children().get(1)?.as_whitespace()
}

fn array(property: &CstObjectProp, path: &[&str]) -> Result<CstArray, EditError> {
    property
        .value()
        .as_ref()
        .and_then(CstNode::as_array)
        .ok_or_else(|| EditError::WrongKind { path: path.join("."), wanted: "an array" })
}

/// The caller's own value, so its depth is the caller's.
fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(members) => {
            CstInputValue::Object(members.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}
