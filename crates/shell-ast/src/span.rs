//! Byte positions in a script.

use serde::Serialize;

/// A half-open byte range `start..end` of the script that [`crate::analyze`] was given.
///
/// Always on `char` boundaries. Text that was re-lexed (a literal script of `bash -c`, a backquoted command) has the
/// span of the whole word it came from, because escapes make a finer mapping ambiguous.
///
/// ```
/// use portcullis_shell_ast::Span;
/// assert_eq!(Span::new(3, 6).slice("ls -la"), Some("-la"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The range `start..end`; `end` is raised to `start` if it is smaller.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end: if end < start { start } else { end } }
    }

    /// The text of this span in `source`, or `None` if it lies outside or cuts a character.
    pub fn slice(self, source: &str) -> Option<&str> {
        source.get(self.start..self.end)
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}
