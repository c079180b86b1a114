//! `find`: start points, then an expression.

use super::judge::Judge;
use super::words::{Dash, Shape};
use super::{AccessMode, EffectKind};
use crate::analysis::Word;

/// What a primary of the expression does, and how many words it takes.
#[derive(Clone, Copy)]
enum Primary {
    /// Tests or prints, and takes this many words.
    Harmless(u8),
    /// `-newer FILE`: looks at another file.
    Looks,
    /// Deletes what was found.
    Deletes,
    /// Runs a command that ends with `;` or `+`.
    Runs,
    /// Writes the file that its first word names, and takes this many words.
    Writes(u8),
}

/// Primaries of GNU and BSD find (find(1)). GTFOBins, "find": `-exec`, `-fprintf`, `-fls`.
const PRIMARIES: &[(&str, Primary)] = &[
    ("!", Primary::Harmless(0)),
    ("(", Primary::Harmless(0)),
    (")", Primary::Harmless(0)),
    (",", Primary::Harmless(0)),
    ("-a", Primary::Harmless(0)),
    ("-amin", Primary::Harmless(1)),
    ("-and", Primary::Harmless(0)),
    ("-anewer", Primary::Looks),
    ("-atime", Primary::Harmless(1)),
    ("-cmin", Primary::Harmless(1)),
    ("-cnewer", Primary::Looks),
    ("-ctime", Primary::Harmless(1)),
    ("-d", Primary::Harmless(0)),
    ("-daystart", Primary::Harmless(0)),
    ("-delete", Primary::Deletes),
    ("-depth", Primary::Harmless(0)),
    ("-empty", Primary::Harmless(0)),
    ("-exec", Primary::Runs),
    ("-execdir", Primary::Runs),
    ("-executable", Primary::Harmless(0)),
    ("-false", Primary::Harmless(0)),
    ("-fls", Primary::Writes(1)),
    ("-follow", Primary::Harmless(0)),
    ("-fprint", Primary::Writes(1)),
    ("-fprint0", Primary::Writes(1)),
    ("-fprintf", Primary::Writes(2)),
    ("-fstype", Primary::Harmless(1)),
    ("-gid", Primary::Harmless(1)),
    ("-group", Primary::Harmless(1)),
    ("-ignore_readdir_race", Primary::Harmless(0)),
    ("-ilname", Primary::Harmless(1)),
    ("-iname", Primary::Harmless(1)),
    ("-inum", Primary::Harmless(1)),
    ("-ipath", Primary::Harmless(1)),
    ("-iregex", Primary::Harmless(1)),
    ("-iwholename", Primary::Harmless(1)),
    ("-links", Primary::Harmless(1)),
    ("-lname", Primary::Harmless(1)),
    ("-ls", Primary::Harmless(0)),
    ("-maxdepth", Primary::Harmless(1)),
    ("-mindepth", Primary::Harmless(1)),
    ("-mmin", Primary::Harmless(1)),
    ("-mount", Primary::Harmless(0)),
    ("-mtime", Primary::Harmless(1)),
    ("-name", Primary::Harmless(1)),
    ("-newer", Primary::Looks),
    ("-newermt", Primary::Harmless(1)),
    ("-noleaf", Primary::Harmless(0)),
    ("-nogroup", Primary::Harmless(0)),
    ("-not", Primary::Harmless(0)),
    ("-nouser", Primary::Harmless(0)),
    ("-nowarn", Primary::Harmless(0)),
    ("-o", Primary::Harmless(0)),
    ("-ok", Primary::Runs),
    ("-okdir", Primary::Runs),
    ("-or", Primary::Harmless(0)),
    ("-path", Primary::Harmless(1)),
    ("-perm", Primary::Harmless(1)),
    ("-print", Primary::Harmless(0)),
    ("-print0", Primary::Harmless(0)),
    ("-printf", Primary::Harmless(1)),
    ("-prune", Primary::Harmless(0)),
    ("-quit", Primary::Harmless(0)),
    ("-readable", Primary::Harmless(0)),
    ("-regex", Primary::Harmless(1)),
    ("-regextype", Primary::Harmless(1)),
    ("-samefile", Primary::Looks),
    ("-size", Primary::Harmless(1)),
    ("-true", Primary::Harmless(0)),
    ("-type", Primary::Harmless(1)),
    ("-uid", Primary::Harmless(1)),
    ("-used", Primary::Harmless(1)),
    ("-user", Primary::Harmless(1)),
    ("-warn", Primary::Harmless(0)),
    ("-wholename", Primary::Harmless(1)),
    ("-writable", Primary::Harmless(0)),
    ("-xdev", Primary::Harmless(0)),
    ("-xtype", Primary::Harmless(1)),
];

fn primary(name: &str) -> Option<Primary> {
    PRIMARIES.iter().find(|(known, _)| *known == name).map(|(_, primary)| *primary)
}

/// How many leading words are options (`-H`, `-L`, `-P`, `-O3`; BSD `-E`, `-X`, `-s`, `-x`).
fn leading(words: &[Word]) -> usize {
    words
        .iter()
        .take_while(|word| {
            word.literal().is_some_and(|text| {
                matches!(text.as_str(), "-H" | "-L" | "-P" | "-E" | "-X" | "-s" | "-x" | "-O0" | "-O1" | "-O2" | "-O3")
            })
        })
        .count()
}

fn begins_expression(word: &Word) -> bool {
    let head = word.literal_prefix();
    head.starts_with('-') || matches!(head.as_str(), "(" | ")" | "!" | ",")
}

/// The start points, as written; empty: the working directory.
pub(super) fn roots(words: &[Word]) -> Vec<&Word> {
    words.iter().skip(leading(words)).take_while(|word| !begins_expression(word)).collect()
}

/// Judges a `find` command.
pub(super) fn judge(judge: &mut Judge<'_>) {
    let words = judge.words;
    let roots = roots(words);
    judge.raise(EffectKind::ReadOnly, "lists what it finds");
    for root in &roots {
        if Shape::of(root).dash() != Dash::No {
            judge.raise(EffectKind::Unknown, format!("`{}` could expand to an action of find", root.raw));
        }
    }
    let cwd = super::words::text_word(".");
    let starts: Vec<&Word> = if roots.is_empty() { vec![&cwd] } else { roots.clone() };
    for start in &starts {
        judge.touch(AccessMode::Inspect, start, true);
    }
    let mut rest = words.iter().skip(leading(words).saturating_add(roots.len()));
    while let Some(word) = rest.next() {
        let Some(name) = word.literal() else {
            judge.raise(EffectKind::Unknown, format!("`{}` could be an action of find", word.raw));
            continue;
        };
        match primary(&name) {
            Some(Primary::Harmless(count)) => {
                for value in rest.by_ref().take(usize::from(count)) {
                    // A value that splits, or expands to several names, moves what follows into the expression.
                    if Shape::of(value).splits || super::words::is_many(value) {
                        judge.raise(EffectKind::Unknown, format!("`{}` could expand to several words", value.raw));
                    }
                }
            }
            Some(Primary::Looks) => {
                if let Some(value) = rest.next() {
                    judge.touch(AccessMode::Inspect, value, false);
                }
            }
            Some(Primary::Deletes) => {
                for start in &starts {
                    judge.touch(AccessMode::Delete, start, true);
                }
                judge.raise(EffectKind::WritesFiles, "`-delete`: removes what it finds");
            }
            Some(Primary::Runs) => {
                if !judge.command.dispatches {
                    judge.raise(EffectKind::ExecutesCode, format!("`{name}`: runs a command for what it finds"));
                }
                for word in rest.by_ref() {
                    if word.literal().is_some_and(|text| text == ";" || text == "+") {
                        break;
                    }
                }
            }
            Some(Primary::Writes(count)) => {
                if let Some(file) = rest.next() {
                    judge.touch(AccessMode::Write, file, false);
                }
                for _ in 1..count {
                    rest.next();
                }
                judge.raise(EffectKind::WritesFiles, format!("`{name}`: writes the named file"));
            }
            None => judge.raise(EffectKind::Unknown, format!("`{name}` is not in the table of find")),
        }
    }
}
