//! Bounds of one analysis.

/// Bounds of one analysis. What lies beyond is opaque, never skipped.
///
/// ```
/// use portcullis_shell_ast::{analyze_with, Limit, Limits};
/// let small = Limits { max_len: 4, ..Limits::default() };
/// assert_eq!(analyze_with("rm -rf /", &small).limits, [Limit::Size]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Longest script, in UTF-16 code units (the seeds' unit): 1,048,576.
    pub max_len: usize,
    /// Deepest nesting of compounds, substitutions and nested scripts: 32.
    pub max_depth: usize,
    /// Most commands, words and nested scripts together. Values that are copied (a known variable, the directory of a
    /// command) count too, so that memory stays linear in the input.
    pub max_work: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_len: 1_048_576, max_depth: 32, max_work: 200_000 }
    }
}
