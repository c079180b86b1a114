//! Reads a command line by its [`Spec`].

use super::spec::{Assignments, Gives, Opt, Purity, Site, Spec, Takes, Then};
use super::{Directory, Dispatch, How, Run, assignment, is_single, text_word};
use crate::analysis::{Assignment, Part, Word};
use crate::dispatch::Dialect;

/// What the options of a command line said.
#[derive(Default)]
struct Seen {
    runs: Vec<Run>,
    directory: Directory,
    stops: bool,
    effect: bool,
    direct: bool,
    joined: bool,
}

/// Why reading options ended.
enum End {
    /// At this index: an operand, or the word after `--`.
    Operand(usize),
    /// An option outside the spec, or a word whose value is not known. The words after it start at `next`.
    Unknown { next: usize, detail: String },
}

/// What `words` runs by `spec`; `None` if its subcommand is another.
pub(super) fn run(spec: &Spec, words: &[Word]) -> Option<Dispatch> {
    let mut seen = Seen::default();
    let mut at = 1;
    if !spec.path.is_empty() {
        match options(spec, spec.globals, words, at, &mut seen) {
            End::Operand(next) => at = next,
            End::Unknown { next, detail } => {
                // A global option that is not known hides the subcommand only if its word still follows.
                let last = spec.path.last().copied();
                let rest = words.get(next..).unwrap_or_default();
                let follows = rest.iter().any(|word| word.literal().as_deref() == last || !is_single(word));
                return follows.then(|| Dispatch { runs: vec![Run::unknown(detail, rest)], pure: false });
            }
        }
        for part in spec.path {
            // `gdb --args` is an option that ends them.
            if words.get(at).and_then(Word::literal).as_deref() != Some(*part) {
                return None;
            }
            at = at.saturating_add(1);
        }
    }
    Some(command(spec, words, at, seen))
}

fn command(spec: &Spec, words: &[Word], start: usize, mut seen: Seen) -> Dispatch {
    let mut at = start;
    match options(spec, spec.options, words, at, &mut seen) {
        End::Operand(next) => at = next,
        End::Unknown { next, detail } => {
            seen.runs.push(Run::unknown(detail, words.get(next..).unwrap_or_default()));
            return Dispatch { runs: seen.runs, pure: false };
        }
    }
    if seen.stops {
        return Dispatch { runs: seen.runs, pure: false };
    }
    let mut assignments = Vec::new();
    if spec.assignments == Assignments::Leading {
        while let Some(found) = words.get(at).and_then(assignment) {
            assignments.push(found);
            at = at.saturating_add(1);
        }
    }
    if spec.gives == Gives::AfterDashes {
        let dashes = words.iter().position(|word| word.literal().as_deref() == Some("--"));
        at = dashes.unwrap_or(at.saturating_add(spec.operands).saturating_sub(1)).saturating_add(1);
    } else {
        for _ in 0..spec.operands {
            match words.get(at) {
                Some(word) if !is_single(word) => {
                    let rest = words.get(at.saturating_add(1)..).unwrap_or_default();
                    seen.runs.push(Run::unknown(format!("an operand of {} is not literal", spec.id), rest));
                    return Dispatch { runs: seen.runs, pure: false };
                }
                Some(_) => at = at.saturating_add(1),
                None => break,
            }
        }
    }
    let rest = words.get(at..).unwrap_or_default();
    gives(spec, rest, &mut seen, assignments);
    let pure = spec.purity == Purity::Pure && !seen.effect && !seen.runs.is_empty();
    Dispatch { runs: seen.runs, pure }
}

/// What the words after options and operands are.
fn gives(spec: &Spec, rest: &[Word], seen: &mut Seen, assignments: Vec<Assignment>) {
    let mut run = match spec.gives {
        Gives::Options => {
            if spec.id == "su" && seen.runs.is_empty() {
                seen.runs.push(Run::new(How::Stdin { dialect: Dialect::Posix }, Vec::new()));
            }
            // BSD `script file command …`; `rest` holds what stands after `--`.
            if spec.id == "script" && !rest.is_empty() {
                seen.runs.push(Run::unknown("script with a command as operands", rest));
            }
            return;
        }
        Gives::Stdin => Run::new(How::Stdin { dialect: Dialect::Posix }, Vec::new()),
        Gives::Each => {
            seen.runs.extend(rest.iter().map(|word| Run::script(vec![word.clone()])));
            return;
        }
        Gives::Joined if spec.id == "parallel" => return parallel(rest, seen),
        _ if rest.is_empty() => {
            // Without a command these start a shell that reads standard input.
            let shell = matches!(spec.id, "chroot" | "unshare" | "nsenter" | "doas" | "runuser") || seen.joined;
            if shell {
                seen.runs.push(Run::new(How::Stdin { dialect: Dialect::Posix }, Vec::new()));
            }
            return;
        }
        Gives::Joined if !seen.direct => Run::script(rest.to_vec()),
        Gives::Words | Gives::WordsAndMore if seen.joined => Run::script(rest.to_vec()),
        Gives::Words | Gives::AfterDashes | Gives::Joined => {
            flock_script(spec, rest).unwrap_or_else(|| Run::new(How::Command, rest.to_vec()))
        }
        Gives::WordsAndMore => Run::new(How::CommandAndMore, rest.to_vec()),
    };
    run.assignments = assignments;
    run.directory = seen.directory.clone();
    run.remote = spec.site == Site::Elsewhere;
    seen.runs.push(run);
}

/// `flock FILE -c SCRIPT`: the option stands after the operand (flock(1), second form).
fn flock_script(spec: &Spec, rest: &[Word]) -> Option<Run> {
    let [option, script, ..] = rest else { return None };
    let is_option = matches!(option.literal().as_deref(), Some("-c" | "--command"));
    (spec.id == "flock" && is_option).then(|| Run::script(vec![script.clone()]))
}

/// `parallel cmd ::: args`: the command is one script; without a command each argument is one.
fn parallel(rest: &[Word], seen: &mut Seen) {
    let is_source = |word: &Word| word.literal().is_some_and(|text| text.starts_with(":::"));
    let end = rest.iter().position(is_source).unwrap_or(rest.len());
    let (command, sources) = rest.split_at_checked(end).unwrap_or((rest, &[]));
    if let Some(first) = command.first() {
        let mut words = command.to_vec();
        words.push(Word { parts: vec![Part::Dynamic { quoted: true }], ..text_word("{}", first) });
        seen.runs.push(Run::script(words));
    } else if sources.first().and_then(Word::literal).as_deref() == Some(":::") {
        let scripts = sources.iter().skip(1).filter(|word| !is_source(word));
        seen.runs.extend(scripts.map(|word| Run::script(vec![word.clone()])));
    } else {
        seen.runs.push(Run::hidden("parallel reads its commands from a file or standard input"));
    }
}

fn options(spec: &Spec, table: &[Opt], words: &[Word], start: usize, seen: &mut Seen) -> End {
    let mut at = start;
    // Programs that take options after operands too, because no command follows.
    let permutes = spec.gives == Gives::Options;
    while let Some(word) = words.get(at) {
        let next = at.saturating_add(1);
        let Some(text) = word.literal() else {
            let dashed = word.literal_prefix().starts_with('-');
            if is_single(word) && !dashed && (permutes || spec.operands > 0 || is_assignment(spec, word)) {
                if permutes {
                    at = next;
                    continue;
                }
                return End::Operand(at);
            }
            // A word that may vanish or become several: the command may start anywhere.
            if !dashed && spec.operands == 0 && is_single(word) {
                return End::Operand(at);
            }
            return End::Unknown { next, detail: format!("{}: `{}` is not literal", spec.id, word.raw) };
        };
        if text == "--" {
            return End::Operand(if spec.gives == Gives::AfterDashes { at } else { next });
        }
        if spec.path.first().copied() == Some(text.as_str()) && text.starts_with('-') {
            return End::Operand(at);
        }
        let taken = if let Some(long) = text.strip_prefix("--") {
            take_long(table, long, words, next, seen)
        } else if let Some(cluster) = text.strip_prefix('-').filter(|cluster| !cluster.is_empty()) {
            if spec.id == "nice" && cluster.trim_start_matches(['-', '+']).bytes().all(|b| b.is_ascii_digit()) {
                Some(next)
            } else {
                take_short(table, cluster, words, next, seen)
            }
        } else if permutes {
            if spec.id == "script" && words.get(next).is_some_and(|after| !after.literal_prefix().starts_with('-')) {
                return End::Operand(next);
            }
            Some(next)
        } else {
            return End::Operand(at);
        };
        match taken {
            Some(after) => at = after,
            None => return End::Unknown { next, detail: format!("{} has no known option `{text}`", spec.id) },
        }
    }
    End::Operand(at)
}

fn is_assignment(spec: &Spec, word: &Word) -> bool {
    spec.assignments == Assignments::Leading && assignment(word).is_some()
}

/// An exact long option or an unambiguous prefix of one, as getopt_long takes it.
fn take_long(table: &[Opt], text: &str, words: &[Word], next: usize, seen: &mut Seen) -> Option<usize> {
    let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
    if name.is_empty() {
        return None;
    }
    let exact = table.iter().find(|opt| opt.long == name);
    let mut starting = table.iter().filter(|opt| opt.long.starts_with(name));
    let ((Some(opt), _, _) | (None, Some(opt), None)) = (exact, starting.next(), starting.next()) else { return None };
    let like = words.get(next.saturating_sub(1))?;
    match (opt.takes, value) {
        (Takes::Nothing | Takes::Joined, None) => {
            apply(opt, None, seen);
            Some(next)
        }
        (Takes::Nothing, Some(_)) => None,
        (Takes::Value | Takes::Joined, Some(value)) => {
            apply(opt, Some(text_word(value, like)), seen);
            Some(next)
        }
        (Takes::Value, None) => {
            let value = words.get(next).filter(|word| is_single(word))?;
            apply(opt, Some(value.clone()), seen);
            Some(next.saturating_add(1))
        }
    }
}

/// A cluster of short options, the last of which may take a value.
fn take_short(table: &[Opt], cluster: &str, words: &[Word], next: usize, seen: &mut Seen) -> Option<usize> {
    let like = words.get(next.saturating_sub(1))?;
    let mut chars = cluster.chars();
    while let Some(letter) = chars.next() {
        // `-attach`-like single-dash long options (docker does not have them; BSD tools do) are not guessed.
        let opt = table.iter().find(|opt| opt.short == letter && letter != '\0')?;
        match opt.takes {
            Takes::Nothing => apply(opt, None, seen),
            Takes::Joined => {
                apply(opt, Some(text_word(chars.as_str(), like)), seen);
                return Some(next);
            }
            Takes::Value => {
                let joined = chars.as_str();
                if !joined.is_empty() {
                    apply(opt, Some(text_word(joined, like)), seen);
                    return Some(next);
                }
                let value = words.get(next).filter(|word| is_single(word))?;
                apply(opt, Some(value.clone()), seen);
                return Some(next.saturating_add(1));
            }
        }
    }
    Some(next)
}

fn apply(opt: &Opt, value: Option<Word>, seen: &mut Seen) {
    match opt.then {
        Then::Nothing => {}
        Then::Script => seen.runs.extend(value.map(|word| Run::script(vec![word]))),
        Then::Directory => seen.directory = value.map_or(Directory::Unknown, Directory::Changed),
        Then::Stops => seen.stops = true,
        Then::Effect => seen.effect = true,
        Then::Hidden => seen.runs.push(Run::hidden("an option names code that is not in the text")),
        Then::Direct => seen.direct = true,
        Then::Joined => seen.joined = true,
    }
}
