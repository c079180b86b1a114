//! Words and their values.

use serde::Serialize;

use crate::Span;

/// One word of a command.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Word {
    /// The text as written, quotes included (for a word of a brace expansion: the expanded text).
    pub raw: String,
    /// Its value, piece by piece.
    pub parts: Vec<Part>,
    /// Where it stands in the source.
    pub span: Span,
}

/// A piece of a word's value, after quote removal.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Literal text.
    Text(String),
    /// An active glob: `*`, `?` or a bracket expression, as written.
    Glob(String),
    /// A leading unquoted tilde prefix: the name after `~` (`""`, `"user"`, `"+"`, `"-"`).
    Tilde(String),
    /// A plain `$name` or `${name}` whose value the script does not tell. Only `HOME`, `PWD` and `TMPDIR`-like values
    /// that a caller knows may be filled in, and only if the script does not assign them.
    Var {
        /// The variable or parameter name.
        name: String,
        /// Inside double quotes: no word splitting, no globbing.
        quoted: bool,
    },
    /// One of a known set of values (the variable of `for f in a b *.rs`).
    Choice(Vec<Vec<Part>>),
    /// Anything else: a substitution, arithmetic, an operator expansion.
    Dynamic {
        /// Inside double quotes.
        quoted: bool,
    },
}

impl Word {
    /// The value if it is fully static, with no glob, tilde or expansion.
    ///
    /// ```
    /// let a = portcullis_shell_ast::analyze("g''it 'pu'sh $x");
    /// let words = &a.commands[0].words;
    /// assert_eq!(words[0].literal().as_deref(), Some("git"));
    /// assert_eq!(words[1].literal().as_deref(), Some("push"));
    /// assert_eq!(words[2].literal(), None);
    /// ```
    pub fn literal(&self) -> Option<String> {
        let mut out = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Glob(_) | Part::Tilde(_) | Part::Var { .. } | Part::Choice(_) | Part::Dynamic { .. } => {
                    return None;
                }
            }
        }
        Some(out)
    }

    /// The leading literal text, up to the first part that is not [`Part::Text`].
    pub fn literal_prefix(&self) -> String {
        let mut out = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Glob(_) | Part::Tilde(_) | Part::Var { .. } | Part::Choice(_) | Part::Dynamic { .. } => break,
            }
        }
        out
    }

    /// Holds a part whose value the script does not tell: [`Part::Var`] or [`Part::Dynamic`], also inside a choice.
    pub fn is_dynamic(&self) -> bool {
        fn dynamic(parts: &[Part]) -> bool {
            parts.iter().any(|part| match part {
                Part::Var { .. } | Part::Dynamic { .. } => true,
                Part::Choice(values) => values.iter().any(|value| dynamic(value)),
                Part::Text(_) | Part::Glob(_) | Part::Tilde(_) => false,
            })
        }
        dynamic(&self.parts)
    }
}

/// `name=value` before a command, or on its own.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Assignment {
    /// Variable name.
    pub name: String,
    /// `None` for an array value.
    pub value: Option<Word>,
    /// `+=`
    pub append: bool,
    /// The whole text.
    pub span: Span,
}
