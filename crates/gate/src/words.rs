//! From a shell word to the paths that it can mean.

use portcullis_paths::{Base, FileSystem, ResolvedPath, absolute_globs, resolve};
use portcullis_shell_ast::{Analysis, Cwd, Part, Word};

/// Most alternatives of one word (`for f in …`).
const MAX_CHOICES: usize = 256;
/// Most directory changes that are followed.
const MAX_MOVES: usize = 64;

/// What an operand names.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// One path.
    Path(ResolvedPath),
    /// Whatever matches; absolute, in every spelling.
    Glob(Vec<String>),
    /// It can't be told.
    Unknown,
}

/// Resolves words of one script.
pub(crate) struct Words<'a> {
    fs: &'a dyn FileSystem,
    base: &'a Base,
    home_known: bool,
    pwd_known: bool,
}

/// A value of a word. In a glob, literal wildcards are escaped by backslashes.
#[derive(Clone, Default)]
struct Value {
    text: String,
    glob: bool,
}

impl<'a> Words<'a> {
    pub(crate) fn new(fs: &'a dyn FileSystem, base: &'a Base, analysis: &Analysis) -> Self {
        Self { fs, base, home_known: !assigns(analysis, "HOME"), pwd_known: !assigns(analysis, "PWD") }
    }

    /// The directory that a command runs in.
    pub(crate) fn directory(&self, cwd: &Cwd) -> Option<Base> {
        match cwd {
            Cwd::Start => Some(self.base.clone()),
            Cwd::Unknown => None,
            Cwd::Moved(words) if words.len() > MAX_MOVES => None,
            Cwd::Moved(words) => {
                let mut base = self.base.clone();
                for word in words {
                    let mut targets = self.targets_in(word, Some(&base)).into_iter();
                    let (Some(Target::Path(path)), None) = (targets.next(), targets.next()) else { return None };
                    base.cwd = path.resolved;
                }
                Some(base)
            }
        }
    }

    /// Everything that `word` can name in the directory of `cwd`.
    pub(crate) fn targets(&self, word: &Word, cwd: &Cwd) -> Vec<Target> {
        self.targets_in(word, self.directory(cwd).as_ref())
    }

    /// The same, with the directory worked out already; `None`: unknown.
    pub(crate) fn targets_in(&self, word: &Word, directory: Option<&Base>) -> Vec<Target> {
        let Some(values) = self.values(&word.parts, directory) else { return vec![Target::Unknown] };
        values.into_iter().map(|value| self.target(value, directory)).collect()
    }

    fn target(&self, value: Value, directory: Option<&Base>) -> Target {
        if value.text.is_empty() {
            return Target::Unknown;
        }
        // Made absolute here, so that a leading `~`, `$` or `@` that was quoted is not expanded again.
        let base = directory.unwrap_or(self.base);
        let absolute = if value.text.starts_with('/') {
            value.text
        } else {
            let Some(directory) = directory else { return Target::Unknown };
            let cwd = directory.cwd.to_string_lossy();
            let cwd = if value.glob { escape(&cwd) } else { cwd.into_owned() };
            format!("{}/{}", cwd.trim_end_matches('/'), value.text)
        };
        if value.glob {
            return absolute_globs(self.fs, &absolute, base).map_or(Target::Unknown, Target::Glob);
        }
        resolve(self.fs, &absolute, base).map_or(Target::Unknown, Target::Path)
    }

    fn values(&self, parts: &[Part], directory: Option<&Base>) -> Option<Vec<Value>> {
        let has_glob = parts.iter().any(holds_glob);
        let mut all = vec![Value { text: String::new(), glob: has_glob }];
        for (at, part) in parts.iter().enumerate() {
            let alternatives: Vec<String> = match part {
                Part::Text(text) if has_glob => vec![escape(text)],
                Part::Text(text) | Part::Glob(text) => vec![text.clone()],
                Part::Tilde(user) => vec![self.tilde(user, directory)?],
                Part::Var { name, quoted } => {
                    let value = self.variable(name, directory)?;
                    // Unquoted, bash would split and expand it further.
                    if !quoted && value.contains([' ', '\t', '\n', '*', '?', '[']) {
                        return None;
                    }
                    vec![if has_glob { escape(&value) } else { value }]
                }
                Part::Choice(values) => {
                    let mut texts = Vec::new();
                    for parts in values {
                        // One level: a choice of choices is not followed.
                        if parts.iter().any(|part| matches!(part, Part::Choice(_))) || texts.len() > MAX_CHOICES {
                            return None;
                        }
                        let nested = self.values(parts, directory)?;
                        texts.extend(
                            nested
                                .into_iter()
                                .map(|value| if has_glob && !value.glob { escape(&value.text) } else { value.text }),
                        );
                    }
                    texts
                }
                Part::Dynamic { .. } => return None,
            };
            let _ = at;
            if all.len().saturating_mul(alternatives.len()) > MAX_CHOICES {
                return None;
            }
            all = all
                .iter()
                .flat_map(|value| {
                    alternatives.iter().map(|text| Value { text: format!("{}{text}", value.text), glob: has_glob })
                })
                .collect();
        }
        Some(all)
    }

    fn tilde(&self, user: &str, directory: Option<&Base>) -> Option<String> {
        match user {
            "" => self.variable("HOME", directory),
            "+" => self.variable("PWD", directory),
            "-" => None,
            user => {
                let path = resolve(self.fs, &format!("~{user}"), self.base).ok()?;
                Some(path.absolute.to_string_lossy().into_owned())
            }
        }
    }

    fn variable(&self, name: &str, directory: Option<&Base>) -> Option<String> {
        match name {
            "HOME" if self.home_known => Some(self.base.home.as_ref()?.to_string_lossy().into_owned()),
            "PWD" if self.pwd_known => Some(directory?.cwd.to_string_lossy().into_owned()),
            _ => None,
        }
    }
}

fn holds_glob(part: &Part) -> bool {
    match part {
        Part::Glob(_) => true,
        Part::Choice(values) => values.iter().flatten().any(|part| matches!(part, Part::Glob(_))),
        Part::Text(_) | Part::Tilde(_) | Part::Var { .. } | Part::Dynamic { .. } => false,
    }
}

/// The text, with wildcards and backslashes escaped.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '*' | '?' | '[' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Whether the script may give `name` another value: an assignment, or any word that could be one (`read HOME`, `export HOME=x`).
fn assigns(analysis: &Analysis, name: &str) -> bool {
    analysis.union().any(|command| {
        let named = |word: &Word| {
            let text = word.literal_prefix();
            text.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['=', '+', '[']))
        };
        command.assignments.iter().any(|assignment| assignment.name == name) || command.words.iter().any(named)
    })
}
