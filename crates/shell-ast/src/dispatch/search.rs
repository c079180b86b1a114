//! `find -exec` and `fd -x`.

use super::{Directory, Dispatch, How, Run, is_single};
use crate::analysis::{Part, Word};

/// Tests and options without an effect that take no value (find(1), "EXPRESSION").
const PLAIN: &[&str] = &[
    "-a",
    "-and",
    "-o",
    "-or",
    "-not",
    "!",
    "(",
    ")",
    ",",
    "-print",
    "-print0",
    "-ls",
    "-prune",
    "-quit",
    "-depth",
    "-d",
    "-empty",
    "-true",
    "-false",
    "-executable",
    "-readable",
    "-writable",
    "-nouser",
    "-nogroup",
    "-xdev",
    "-mount",
    "-follow",
    "-daystart",
    "-noleaf",
    "-L",
    "-H",
    "-P",
    "-ignore_readdir_race",
    "-warn",
    "-nowarn",
    "-E",
    "-s",
    "-x",
];
/// The same, with one value.
const VALUED: &[&str] = &[
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-iwholename",
    "-regex",
    "-iregex",
    "-regextype",
    "-lname",
    "-ilname",
    "-type",
    "-xtype",
    "-maxdepth",
    "-mindepth",
    "-size",
    "-mtime",
    "-mmin",
    "-atime",
    "-amin",
    "-ctime",
    "-cmin",
    "-newer",
    "-anewer",
    "-cnewer",
    "-newermt",
    "-newerct",
    "-newerat",
    "-user",
    "-group",
    "-uid",
    "-gid",
    "-perm",
    "-links",
    "-inum",
    "-samefile",
    "-fstype",
    "-used",
    "-printf",
    "-D",
];

/// Every command of `-exec`, `-execdir`, `-ok`, `-okdir`.
pub(super) fn find(words: &[Word]) -> Option<Dispatch> {
    let mut found = Dispatch { runs: Vec::new(), pure: true };
    let mut at = 1_usize;
    let mut in_paths = true;
    while let Some(word) = words.get(at) {
        at = at.saturating_add(1);
        let Some(text) = word.literal() else {
            // Where a test is due, an unknown word may be `-exec` or `-delete`.
            if !in_paths || !is_single(word) {
                found.pure = false;
                if !in_paths {
                    let rest = words.get(at..).unwrap_or_default();
                    found.runs.push(Run::unknown(format!("find: `{}` is not literal", word.raw), rest));
                    return Some(found);
                }
            }
            continue;
        };
        match text.as_str() {
            "-exec" | "-ok" | "-execdir" | "-okdir" => {
                let rest = words.get(at..).unwrap_or_default();
                let length = command_length(rest);
                let command = rest.get(..length).unwrap_or_default();
                if !command.is_empty() {
                    let words = command.iter().map(with_braces).collect();
                    let mut run = Run::new(How::Command, words);
                    if text.ends_with("dir") {
                        run.directory = Directory::Unknown;
                    }
                    found.runs.push(run);
                }
                at = at.saturating_add(length).saturating_add(1);
                in_paths = false;
            }
            text if VALUED.contains(&text) => {
                at = at.saturating_add(1);
                in_paths = text == "-D";
            }
            text if PLAIN.contains(&text) => {
                in_paths = in_paths && matches!(text, "-L" | "-H" | "-P" | "-E" | "-x" | "-s");
            }
            text if in_paths && !text.starts_with('-') => {}
            _ => {
                in_paths = false;
                found.pure = false;
            }
        }
    }
    (!found.runs.is_empty()).then_some(found)
}

/// Words up to `;`, or up to the `+` that follows `{}`.
fn command_length(words: &[Word]) -> usize {
    let mut braces = false;
    for (index, word) in words.iter().enumerate() {
        let text = word.literal();
        match text.as_deref() {
            Some(";") => return index,
            Some("+") if braces => return index,
            _ => braces = text.as_deref() == Some("{}"),
        }
    }
    words.len()
}

/// `{}` anywhere in a word stands for a path that is not known.
fn with_braces(word: &Word) -> Word {
    let Some(text) = word.literal().filter(|text| text.contains("{}")) else { return word.clone() };
    let mut parts = Vec::new();
    for (index, piece) in text.split("{}").enumerate() {
        if index > 0 {
            parts.push(Part::Dynamic { quoted: true });
        }
        if !piece.is_empty() {
            parts.push(Part::Text(piece.to_owned()));
        }
    }
    Word { parts, ..word.clone() }
}

/// `fd … -x cmd`, `-X cmd`.
pub(super) fn fd(words: &[Word]) -> Option<Dispatch> {
    for (index, word) in words.iter().enumerate().skip(1) {
        let text = word.literal_prefix();
        let next = index.saturating_add(1);
        let rest = words.get(next..).unwrap_or_default();
        let cluster = text.strip_prefix('-').filter(|cluster| !cluster.starts_with('-'));
        let exec = matches!(text.as_str(), "--exec" | "--exec-batch")
            || cluster.is_some_and(|cluster| cluster.ends_with(['x', 'X']));
        if exec && word.literal().is_some() {
            let end = rest.iter().position(|word| word.literal().as_deref() == Some(";")).unwrap_or(rest.len());
            let command = rest.get(..end).unwrap_or_default();
            return Some(Dispatch { runs: vec![Run::new(How::CommandAndMore, command.to_vec())], pure: true });
        }
        // `--exec=rm`, `-xrm`, an abbreviation, or a word that is not literal: not read further.
        let joined = text.starts_with("--exec") || text.starts_with("--ex") && text.len() < 7;
        if joined || cluster.is_some_and(|cluster| cluster.starts_with(['x', 'X'])) || !is_single(word) {
            let run = Run::unknown(format!("fd: `{}` may run a command", word.raw), rest);
            return Some(Dispatch { runs: vec![run], pure: false });
        }
    }
    None
}
