//! `bash -c`, `sh` and their like.

use super::{Dispatch, How, Run, base_name, is_single};
use crate::analysis::Word;

/// Which shell reads a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Bash,
    /// `sh`, `dash`, `ash`: on some systems bash, on others not.
    Posix,
    /// `zsh`, `ksh`, `fish` …: read as bash for deny rules, never known.
    Other,
}

/// Text that bash and a smaller POSIX shell read differently, so that one of them might run what the other quotes.
/// dash(1): no `$'…'`, no `[[`, no `((`, no here-strings, no process substitution; `&>` is `&` and `>`.
const DIFFERENT: &[&str] = &["$'", "$\"", "&>", "<(", ">(", "[[", "((", "<<<", "|&", "function", "coproc", "select"];

impl Dialect {
    /// The dialect of a program, or `None` if it is no shell.
    pub(crate) fn of(base: &str) -> Option<Self> {
        match base {
            "bash" | "rbash" => Some(Self::Bash),
            "sh" | "dash" | "ash" => Some(Self::Posix),
            "zsh" | "ksh" | "ksh93" | "mksh" | "pdksh" | "rksh" | "oksh" | "yash" | "fish" | "csh" | "tcsh"
            | "rzsh" => Some(Self::Other),
            _ => None,
        }
    }

    /// Why this shell may read `script` otherwise than bash.
    pub(crate) fn doubt(self, script: &str) -> Option<String> {
        match self {
            Self::Bash => None,
            Self::Posix => DIFFERENT
                .iter()
                .find(|text| script.contains(*text))
                .map(|text| format!("a shell that is not bash reads `{text}` differently")),
            Self::Other => Some("this shell has a grammar of its own".to_owned()),
        }
    }
}

/// Long options without a value (bash manual, "Invoking Bash").
const FLAGS: &[&str] =
    &["login", "noprofile", "norc", "noediting", "posix", "restricted", "verbose", "debug", "wordexp", "protected"];
/// Long options that print something and run nothing.
const STOPS: &[&str] = &["help", "version", "dump-strings", "dump-po-strings", "rpm-requires"];
/// Short options without a value, of all the shells together.
const SHORT: &str = "abefhiklmnprtuvxBCDEHPTsIVq";

/// What a shell's command line runs.
pub(super) fn dispatch(dialect: Dialect, words: &[Word]) -> Dispatch {
    let run = match command_line(dialect, words) {
        Ok(Some(run)) => run,
        Ok(None) => return Dispatch::default(),
        Err((detail, next)) => Run::unknown(detail, words.get(next..).unwrap_or_default()),
    };
    // A login or interactive shell reads profiles; those are guarded where they are written (floor).
    Dispatch { runs: vec![run], pure: true }
}

fn command_line(dialect: Dialect, words: &[Word]) -> Result<Option<Run>, (String, usize)> {
    let mut at = 1_usize;
    let mut script = false;
    let mut stdin = false;
    while let Some(word) = words.get(at) {
        let next = at.saturating_add(1);
        let Some(text) = word.literal() else {
            if is_single(word) && !word.literal_prefix().starts_with('-') && !script {
                break;
            }
            if is_single(word) && script {
                // `bash -c "$x"`: the script, unless its value starts with a dash; the caller marks it either way.
                break;
            }
            return Err((format!("`{}` is not literal", word.raw), next));
        };
        at = next;
        if matches!(text.as_str(), "--" | "-") {
            break;
        }
        if let Some(long) = text.strip_prefix("--") {
            if STOPS.contains(&long) {
                return Ok(None);
            }
            if matches!(long, "init-file" | "rcfile") {
                return Ok(Some(Run::hidden("the shell reads a start-up file")));
            }
            if !FLAGS.contains(&long) {
                return Err((format!("the shell has no known option `{text}`"), next));
            }
            continue;
        }
        let (Some(cluster), off) = (text.strip_prefix(['-', '+']), text.starts_with('+')) else {
            at = at.saturating_sub(1);
            break;
        };
        for letter in cluster.chars() {
            match letter {
                'c' if !off => script = true,
                's' => stdin = true,
                // Each takes the next word (`-euo pipefail`); alone at the end it prints the settings.
                'o' | 'O' => match words.get(at) {
                    Some(word) if is_single(word) => at = at.saturating_add(1),
                    Some(_) => return Err((format!("the name after `{text}` is not literal"), at.saturating_add(1))),
                    None => {}
                },
                letter if SHORT.contains(letter) => {}
                _ => return Err((format!("the shell has no known option `{text}`"), next)),
            }
        }
    }
    let rest = words.get(at..).unwrap_or_default();
    Ok(match rest {
        [] if script => None,
        [text, args @ ..] if script => {
            let args = args.iter().map(Word::literal).collect();
            Some(Run::new(How::Script { dialect, args }, vec![text.clone()]))
        }
        [file, ..] if !stdin && !is_stdin(file) => {
            let name = file.literal().unwrap_or_else(|| file.raw.clone());
            Some(Run::hidden(format!("code from the file `{}`", base_name(&name))))
        }
        _ => Some(Run::new(How::Stdin { dialect }, Vec::new())),
    })
}

/// `bash /dev/stdin`
fn is_stdin(word: &Word) -> bool {
    matches!(word.literal().as_deref(), Some("/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0"))
}
