//! Shell builtins that need more than a table: bash manual, "Shell Builtin Commands".

use super::judge::Judge;
use super::words::{Dash, Shape};
use super::{AccessMode, EffectKind, assignments};
use crate::analysis::{Command, Part, Word};

/// `echo`, `true`, `:` …: arguments are text, and there is no option that does more.
pub(super) fn prints(judge: &mut Judge<'_>) {
    judge.raise(EffectKind::ReadOnly, "its arguments are only text");
}

/// `name`, a plain variable name.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|letter: char| letter.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// A word that names a variable which is assigned. A subscript would be evaluated as arithmetic, which can run code.
fn assigns(judge: &mut Judge<'_>, word: &Word) {
    match word.literal() {
        Some(name) if is_name(&name) => {
            if let Some(reason) = assignments::danger(&name) {
                judge.raise(EffectKind::Unknown, format!("sets `{name}`: {reason}"));
            }
        }
        _ => judge.raise(EffectKind::Unknown, format!("`{}` is no plain variable name", word.raw)),
    }
}

/// `printf [-v NAME] FORMAT …`
pub(super) fn printf(judge: &mut Judge<'_>) {
    judge.raise(EffectKind::ReadOnly, "prints its arguments");
    let mut words = judge.words;
    if let [option, name, rest @ ..] = words
        && option.literal().as_deref() == Some("-v")
    {
        assigns(judge, name);
        words = rest;
    } else if let [option, rest @ ..] = words
        && option.literal().as_deref() == Some("--")
    {
        words = rest;
    } else if words.first().is_some_and(|word| word.literal_prefix().starts_with("-v")) {
        judge.raise(EffectKind::Unknown, "`-v`: sets a variable");
    }
    match words.first().map(Word::literal) {
        // `%n` assigns the variable that the argument names.
        Some(Some(format)) if has_percent_n(&format) => {
            judge.raise(EffectKind::Unknown, "`%n`: sets a variable");
        }
        None | Some(Some(_)) => {}
        Some(None) => judge.raise(EffectKind::Unknown, "its format is not literal, and `%n` would set a variable"),
    }
}

fn has_percent_n(format: &str) -> bool {
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        if letter == '%' {
            let kind = letters
                .find(|letter| !matches!(letter, '0'..='9' | '.' | '-' | '+' | ' ' | '#' | '\'' | '*' | 'l' | 'h'));
            if kind == Some('n') {
                return true;
            }
        }
    }
    // An escape could spell the letter.
    format.contains("%\\") || format.contains("\\45") || format.contains("\\x25") || format.contains("\\045")
}

/// `read [-r] [-p PROMPT] … NAME…`, `getopts`, `mapfile`: `valued` are the options with a value.
fn names(judge: &mut Judge<'_>, flags: &str, valued: &str, skip: usize) {
    let mut words = judge.words.iter();
    let mut operands = Vec::new();
    while let Some(word) = words.next() {
        let Some(text) = word.literal() else {
            operands.push(word);
            continue;
        };
        let Some(cluster) = text.strip_prefix('-').filter(|cluster| !cluster.is_empty()) else {
            operands.push(word);
            continue;
        };
        let mut letters = cluster.chars();
        while let Some(letter) = letters.next() {
            if valued.contains(letter) {
                let attached = letters.as_str();
                let value =
                    if attached.is_empty() { words.next().cloned() } else { Some(super::words::text_word(attached)) };
                if letter == 'a'
                    && let Some(value) = &value
                {
                    assigns(judge, value);
                }
                break;
            }
            if !flags.contains(letter) {
                judge.raise(EffectKind::Unknown, format!("option `{}` is not in its table", word.raw));
                return;
            }
        }
    }
    for word in operands.into_iter().skip(skip) {
        assigns(judge, word);
    }
}

/// `read`
pub(super) fn read(judge: &mut Judge<'_>) {
    judge.raise(EffectKind::ReadOnly, "reads its input into variables");
    names(judge, "res", "adinNptu", 0);
}

/// `mapfile`, `readarray`: without `-C`, which runs a command.
pub(super) fn mapfile(judge: &mut Judge<'_>) {
    judge.raise(EffectKind::ReadOnly, "reads its input into a variable");
    names(judge, "t", "dnOsu", 0);
}

/// `getopts STRING NAME [ARG…]`
pub(super) fn getopts(judge: &mut Judge<'_>) {
    judge.raise(EffectKind::ReadOnly, "reads the script's own options");
    if let Some(name) = judge.words.get(1) {
        assigns(judge, name);
    }
}

/// `unset`
pub(super) fn unset(judge: &mut Judge<'_>) {
    judge.raise(EffectKind::ReadOnly, "forgets variables of the shell");
    names(judge, "vf", "", 0);
}

/// Array variables that bash itself keeps.
const ARRAYS: &[&str] = &["DIRSTACK", "FUNCNAME", "GROUPS", "PIPESTATUS"];

/// `declare -a x='($(cmd))'`: a value that begins with `(` is expanded once more where the variable is an array, quoted
/// or not (seen with bash 5.2). Only `x=(…)` as written is a value that the analysis has seen through.
fn evaluates(judge: &Judge<'_>, word: &Word, head: &str, variable: &str) -> bool {
    let Some((_, value)) = head.split_once('=') else {
        return false;
    };
    let written = [format!("{variable}=("), format!("{variable}+=(")];
    if written.iter().any(|start| word.raw.starts_with(start.as_str())) {
        return false;
    }
    if !value.is_empty() {
        return value.starts_with('(');
    }
    let dynamic = !Shape::of(word).tail.is_empty();
    dynamic && (ARRAYS.contains(&variable) || judge.analysis.commands.iter().any(makes_array))
}

/// An assignment of an array, or a builtin with `-a` or `-A`.
fn makes_array(command: &Command) -> bool {
    let named = command.words.first().and_then(Word::literal).is_some_and(|name| {
        matches!(&*name, "declare" | "typeset" | "local" | "readonly" | "read" | "mapfile" | "readarray")
    });
    command.assignments.iter().any(|assignment| assignment.value.is_none())
        || (named
            && command.words.iter().skip(1).any(|word| {
                let head = word.literal_prefix();
                head.starts_with('-') && head.contains(['a', 'A'])
            }))
        || command.words.first().and_then(Word::literal).is_some_and(|name| name == "mapfile" || name == "readarray")
}

/// `export`, `declare`, `typeset`, `local`, `readonly`.
pub(super) fn declare(judge: &mut Judge<'_>) {
    let name = judge.command.words.first().and_then(Word::literal).unwrap_or_default();
    let mut exports = name == "export";
    judge.raise(EffectKind::ReadOnly, "sets variables of the shell");
    let mut operands = 0_usize;
    let mut prints = false;
    for word in judge.words {
        let head = word.literal_prefix();
        if let Some(cluster) = head.strip_prefix(['-', '+']).filter(|cluster| !cluster.is_empty()) {
            if cluster == "-" {
                continue;
            }
            let known = if name == "export" { "p" } else { "aAgrluxpFI" };
            if word.literal().is_none() || !cluster.chars().all(|letter| known.contains(letter)) {
                judge.raise(EffectKind::Unknown, format!("option `{}` is not in its table", word.raw));
            }
            exports |= cluster.contains('x') && !head.starts_with('+');
            prints |= cluster.contains('p');
            continue;
        }
        operands = operands.saturating_add(1);
        let variable = head.split_once('=').map_or(&*head, |(variable, _)| variable);
        let variable = variable.strip_suffix('+').unwrap_or(variable);
        if name != "export" && evaluates(judge, word, &head, variable) {
            judge.raise(EffectKind::Unknown, format!("`{}` may be expanded once more, as an array value", word.raw));
            continue;
        }
        if !is_name(variable) || (Shape::of(word).dash() != Dash::No && head.is_empty()) {
            judge.raise(EffectKind::Unknown, format!("`{}` is no plain assignment", word.raw));
            continue;
        }
        if !head.contains('=') && !word.parts.iter().all(|part| matches!(part, Part::Text(_))) {
            judge.raise(EffectKind::Unknown, format!("`{}` is no plain assignment", word.raw));
            continue;
        }
        let reason = if exports { assignments::not_harmless(variable) } else { assignments::danger(variable) };
        if let Some(reason) = reason {
            judge.raise(EffectKind::Unknown, format!("sets `{variable}`: {reason}"));
        }
    }
    if prints || (operands == 0 && name != "local") {
        judge.secret("prints variables with their values");
    }
}

/// `set`
pub(super) fn set(judge: &mut Judge<'_>) {
    judge.raise(EffectKind::ReadOnly, "sets options or arguments of the shell");
    if judge.words.is_empty() {
        judge.secret("prints all variables");
    }
    let mut words = judge.words.iter();
    while let Some(word) = words.next() {
        let head = word.literal_prefix();
        if head == "--" || !head.starts_with(['-', '+']) {
            return;
        }
        let literal = word.literal().unwrap_or_default();
        let cluster = literal.get(1..).unwrap_or_default();
        if cluster.is_empty() || !cluster.chars().all(|letter| "eufxvCho".contains(letter)) {
            return judge.raise(EffectKind::Unknown, format!("option `{}` is not in its table", word.raw));
        }
        if cluster.ends_with('o')
            && let Some(option) = words.next()
        {
            const OPTIONS: &[&str] = &[
                "errexit",
                "nounset",
                "pipefail",
                "noglob",
                "noclobber",
                "xtrace",
                "verbose",
                "errtrace",
                "functrace",
            ];
            if !option.literal().is_some_and(|option| OPTIONS.contains(&option.as_str())) {
                return judge.raise(EffectKind::Unknown, format!("option `{}` is not in its table", option.raw));
            }
        }
    }
}

/// `shopt`: options that change what names or globs mean are not in the list.
pub(super) fn shopt(judge: &mut Judge<'_>) {
    const OPTIONS: &[&str] = &["-q", "-s", "-u", "-p", "nullglob", "failglob", "nocasematch", "inherit_errexit"];
    judge.raise(EffectKind::ReadOnly, "sets options of the shell");
    for word in judge.words {
        if !word.literal().is_some_and(|option| OPTIONS.contains(&option.as_str())) {
            judge.raise(EffectKind::Unknown, format!("option `{}` is not in its table", word.raw));
        }
    }
}

/// `command -v NAME`; any other use is a dispatch.
pub(super) fn command(judge: &mut Judge<'_>) {
    let asks = judge.words.first().and_then(Word::literal).is_some_and(|option| matches!(&*option, "-v" | "-V"));
    if asks || judge.words.is_empty() {
        judge.raise(EffectKind::ReadOnly, "tells what a name means");
    } else {
        judge.raise(EffectKind::Unknown, "runs a command that is not known");
    }
}

/// Operators of `test` that look at a file.
const FILE_TESTS: &[&str] = &[
    "-a", "-b", "-c", "-d", "-e", "-f", "-g", "-h", "-k", "-p", "-r", "-s", "-u", "-w", "-x", "-G", "-L", "-N", "-O",
    "-S",
];
/// Other operators with one operand.
const UNARY: &[&str] = &["-n", "-z", "-t", "-o", "!"];
/// Operators between two operands.
const BINARY: &[&str] = &["=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"];
/// Special parameters that hold one number.
const NUMBERS: &[&str] = &["?", "#", "$", "!", "RANDOM", "SECONDS", "EUID", "UID", "PPID"];

fn is_number(word: &Word) -> bool {
    matches!(word.parts.as_slice(), [Part::Var { name, .. }] if NUMBERS.contains(&name.as_str()))
}

/// `test` and `[`.
pub(super) fn test(judge: &mut Judge<'_>) {
    judge.raise(EffectKind::ReadOnly, "only tests");
    let bracket = judge.command.words.first().and_then(Word::literal).is_some_and(|name| name.ends_with('['));
    let words = match judge.words.split_last() {
        Some((last, before)) if bracket && last.literal().as_deref() == Some("]") => before,
        _ => judge.words,
    };
    let literals: Vec<Option<String>> = words.iter().map(Word::literal).collect();
    let at = |index: Option<usize>| index.and_then(|index| literals.get(index)).and_then(Option::as_deref);
    for (index, word) in words.iter().enumerate() {
        let before = at(index.checked_sub(1));
        let binary_before = before.is_some_and(|text| BINARY.contains(&text));
        let binary_after = at(index.checked_add(1)).is_some_and(|text| BINARY.contains(&text));
        if before == Some("-v") || before == Some("-R") {
            // `-v a[$(cmd)]` evaluates the subscript.
            if !word.literal().is_some_and(|name| is_name(&name)) {
                judge.raise(EffectKind::Unknown, format!("`-v {}` may evaluate a subscript", word.raw));
            }
            continue;
        }
        let looks = before.is_some_and(|text| FILE_TESTS.contains(&text)) && !binary_after;
        let compares = [at(index.checked_sub(1)), at(index.checked_add(1))]
            .into_iter()
            .flatten()
            .any(|text| matches!(text, "-nt" | "-ot" | "-ef"));
        if word.literal().is_none() && !is_number(word) {
            // More arguments than four, or an operator that is not literal: then `-v` could be what an operand says.
            let unary_before = before.is_some_and(|text| FILE_TESTS.contains(&text) || UNARY.contains(&text));
            let placed = binary_before || binary_after || unary_before || words.len() == 1;
            if Shape::of(word).splits || super::words::is_many(word) || !placed || words.len() > 4 {
                judge.raise(EffectKind::Unknown, format!("`{}` could turn out to be an operator", word.raw));
                continue;
            }
        }
        if looks || compares {
            judge.touch(AccessMode::Inspect, word, false);
        }
    }
}
