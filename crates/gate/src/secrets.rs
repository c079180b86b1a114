//! Which secret a call may read.
//!
//! A search of the project is daily work, and it may well pass an `.env`; asking each time would teach people to click. So inside
//! the working tree a recursive read counts as touching a secret only if the call itself names one (`find -name .env`). Outside of
//! it, where nothing says that the files are meant for the agent, a search that could reach a secret counts.

use portcullis_paths::{ResolvedPath, glob_may_be_sensitive, inside, sensitive};
use portcullis_shell_ast::{AccessMode, Command, Word};

use crate::facts::{CallFacts, ShellAccess};
use crate::words::{Target, escape};

/// Programs that pick files by name, and the options whose value is a name or pattern (find(1), grep(1), rg(1), fd(1)).
const NAMING: &[(&str, &[&str])] = &[
    ("find", &["-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename"]),
    ("grep", &["--include"]),
    ("egrep", &["--include"]),
    ("fgrep", &["--include"]),
    ("rg", &["-g", "--glob", "--iglob"]),
];

/// The first secret that the call may read or change, and why it is one. `tree`: the directories in which work is routine.
pub(crate) fn touched(facts: &CallFacts, tree: &[ResolvedPath]) -> Option<(String, &'static str)> {
    let of_file = |path: &ResolvedPath| {
        let row = sensitive(path, &facts.base)?;
        Some((path.resolved.to_string_lossy().into_owned(), row.reason))
    };
    facts
        .files
        .iter()
        .find_map(|file| of_file(&file.path))
        .or_else(|| facts.shell.iter().find_map(|access| of_access(facts, tree, access)))
        .or_else(|| named(facts))
}

fn of_access(facts: &CallFacts, tree: &[ResolvedPath], access: &ShellAccess) -> Option<(String, &'static str)> {
    match &access.target {
        Target::Unknown => None,
        Target::Glob(globs) => {
            let row = globs.iter().find_map(|glob| glob_may_be_sensitive(glob, &facts.base))?;
            Some((access.text.clone(), row.reason))
        }
        Target::Path(path) => {
            let text = || path.resolved.to_string_lossy().into_owned();
            if let Some(row) = sensitive(path, &facts.base) {
                return Some((text(), row.reason));
            }
            let searches = access.recursive && access.mode == AccessMode::Read;
            if !searches || inside(path, tree) {
                return None;
            }
            let below = format!("{}/**", escape(text().trim_end_matches('/')));
            glob_may_be_sensitive(&below, &facts.base).map(|row| (below, row.reason))
        }
    }
}

/// A secret's name among the names that a searching command picks.
fn named(facts: &CallFacts) -> Option<(String, &'static str)> {
    let commands = facts.analysis.iter().flat_map(|analysis| &analysis.commands);
    commands.filter(|command| !command.remote).flat_map(picked).find_map(|name| {
        // As if it stood here: what matters is whether the name itself picks a secret.
        let here = format!("{}/{name}", escape(&facts.base.cwd.to_string_lossy()));
        glob_may_be_sensitive(&here, &facts.base).map(|row| (name, row.reason))
    })
}

/// The names and patterns that a command picks files by.
fn picked(command: &Command) -> Vec<String> {
    let words: Vec<Option<String>> = command.words.iter().map(Word::literal).collect();
    let name = words.first().cloned().flatten().unwrap_or_default();
    let name = name.rsplit('/').next().unwrap_or_default();
    let Some((_, options)) = NAMING.iter().find(|(program, _)| *program == name) else { return Vec::new() };
    let before = [&None].into_iter().chain(&words);
    let pairs = before.zip(&words).zip(words.iter().skip(1).chain([&None]));
    let value = |((before, word), next): ((&Option<String>, &Option<String>), &Option<String>)| {
        let word = word.as_deref()?;
        // `-not -path './.git/*'` leaves files out.
        if matches!(before.as_deref(), Some("-not" | "!")) {
            return None;
        }
        options.iter().find_map(|option| {
            if word == *option {
                return next.clone();
            }
            let joined = word.strip_prefix(option)?;
            // `-g.env` for a short option, `--glob=.env` for a long one.
            let value = if option.starts_with("--") { joined.strip_prefix('=')? } else { joined };
            (name != "find").then(|| value.to_owned())
        })
    };
    pairs
        .filter_map(value)
        .map(|text| text.trim_start_matches(['!', '/']).to_owned())
        .filter(|text| !text.is_empty())
        .collect()
}
