//! JSON with comments and trailing commas, read into a tree that knows its lines.
//!
//! `jsonc-parser` does the reading. It recurses per nesting level, so the nesting is measured first.

use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

/// Longest settings text, in bytes.
pub(crate) const MAX_BYTES: usize = 4 * 1024 * 1024;
/// Deepest nesting. Real settings stay below ten.
const MAX_DEPTH: usize = 64;

/// Comments and trailing commas, nothing else beyond JSON: what an editor would underline is not guessed at.
pub(crate) const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// A value and the line on which it starts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) line: u32,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    Null,
    Bool(bool),
    Number(f64),
    String(String),
    Array(Vec<Node>),
    /// Every member in file order, repeated keys included.
    Object(Vec<Member>),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member {
    pub(crate) key: String,
    pub(crate) line: u32,
    pub(crate) value: Node,
}

/// Why a text is not settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct SyntaxError {
    pub(crate) line: Option<u32>,
    pub(crate) message: String,
}

impl Node {
    /// What the value is, for messages.
    pub(crate) fn type_name(&self) -> &'static str {
        match &self.kind {
            Kind::Null => "null",
            Kind::Bool(_) => "a boolean",
            Kind::Number(_) => "a number",
            Kind::String(_) => "a string",
            Kind::Array(_) => "an array",
            Kind::Object(_) => "an object",
        }
    }
}

/// The text without a byte order mark.
pub(crate) fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Size and nesting, checked before any recursive reader sees the text.
pub(crate) fn check_limits(text: &str) -> Result<(), SyntaxError> {
    if text.len() > MAX_BYTES {
        return Err(SyntaxError { line: None, message: format!("the text is longer than {MAX_BYTES} bytes") });
    }
    match deepest_line(text) {
        None => Ok(()),
        Some(line) => Err(SyntaxError {
            line: Some(line),
            message: format!("arrays and objects are nested more than {MAX_DEPTH} levels deep"),
        }),
    }
}

/// The line on which the nesting passes the cap. Brackets in strings and comments don't nest.
fn deepest_line(text: &str) -> Option<u32> {
    let (mut depth, mut line) = (0_usize, 1_u32);
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\n' => line = line.saturating_add(1),
            b'[' | b'{' => {
                depth = depth.saturating_add(1);
                if depth > MAX_DEPTH {
                    return Some(line);
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'"' => {
                while let Some(inner) = bytes.next() {
                    match inner {
                        b'\\' => drop(bytes.next()),
                        b'\n' => line = line.saturating_add(1),
                        b'"' => break,
                        _ => {}
                    }
                }
            }
            b'/' if bytes.peek() == Some(&b'/') => {
                // The newline stays for the line count above.
                while bytes.peek().is_some_and(|next| *next != b'\n') {
                    bytes.next();
                }
            }
            b'/' if bytes.peek() == Some(&b'*') => {
                bytes.next();
                let mut star = false;
                for inner in bytes.by_ref() {
                    match inner {
                        b'/' if star => break,
                        b'\n' => line = line.saturating_add(1),
                        _ => {}
                    }
                    star = inner == b'*';
                }
            }
            _ => {}
        }
    }
    None
}

/// Reads a whole text.
pub(crate) fn parse(text: &str) -> Result<Node, SyntaxError> {
    let text = without_bom(text);
    check_limits(text)?;
    let result = parse_to_ast(text, &CollectOptions::default(), &OPTIONS)
        .map_err(|error| SyntaxError { line: u32::try_from(error.line_display()).ok(), message: error.to_string() })?;
    let Some(value) = result.value else {
        // An emptied file may be one whose rules were lost to a full disk.
        return Err(SyntaxError { line: None, message: "the text is empty".to_owned() });
    };
    let lines = Lines::new(text);
    Ok(convert(value, &lines))
}

/// Recursion is bounded by [`MAX_DEPTH`], which [`parse`] has checked.
fn convert(value: Value<'_>, lines: &Lines) -> Node {
    let line = lines.at(value.range().start);
    let kind = match value {
        Value::NullKeyword(_) => Kind::Null,
        Value::BooleanLit(literal) => Kind::Bool(literal.value),
        // Not a number for us: an infinite value is outside every bound.
        Value::NumberLit(literal) => Kind::Number(literal.value.parse().unwrap_or(f64::INFINITY)),
        Value::StringLit(literal) => Kind::String(literal.value.into_owned()),
        Value::Array(array) => Kind::Array(array.elements.into_iter().map(|item| convert(item, lines)).collect()),
        Value::Object(object) => Kind::Object(
            object
                .properties
                .into_iter()
                .map(|property| Member {
                    line: lines.at(property.range.start),
                    key: property.name.into_string(),
                    value: convert(property.value, lines),
                })
                .collect(),
        ),
    };
    Node { line, kind }
}

/// Byte offsets of line ends, for turning an offset into a line.
struct Lines(Vec<usize>);

impl Lines {
    fn new(text: &str) -> Self {
        Self(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(offset, _)| offset).collect())
    }

    fn at(&self, offset: usize) -> u32 {
        let before = self.0.partition_point(|end| *end < offset);
        u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_nesting_is_refused_without_recursion() {
        let error = parse(&"[".repeat(100_000)).unwrap_err();
        assert!(error.message.contains("nested"), "{error}");
        let objects = "{\"a\":".repeat(50_000);
        assert!(parse(&objects).unwrap_err().message.contains("nested"));
    }

    #[test]
    fn brackets_in_strings_and_comments_do_not_nest() {
        let many = "[{".repeat(500);
        let text = format!("// {many}\n/* {many} * / */ {{ \"a\\\"{many}\": \"{many}\" }}");
        assert!(parse(&text).is_ok());
    }

    #[test]
    fn a_mark_comments_and_trailing_commas_are_accepted_and_lines_are_counted_from_one() {
        let node = parse("\u{feff}{ // one\n  \"a\": [1,],\n  \"b\": true,\n}").unwrap();
        let Kind::Object(members) = node.kind else { panic!("not an object") };
        assert_eq!(members.iter().map(|m| (m.key.as_str(), m.line)).collect::<Vec<_>>(), [("a", 2), ("b", 3)]);
    }

    #[test]
    fn json5_is_not_guessed_at() {
        for text in [
            "{a: 1}",
            "{'a': 1}",
            "{\"a\": 0x10}",
            "{\"a\": +1}",
            "{\"a\": NaN}",
            "{\"a\" 1}",
            "{} {}",
            "",
            "// x",
            "{\"a\": 1 \"b\": 2}",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
