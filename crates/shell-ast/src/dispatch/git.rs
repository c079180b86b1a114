//! The commands that git is told to run on its command line.

use super::{Dispatch, How, Run, text_word};
use crate::analysis::Word;

/// Global options with a separate value (git(1), "OPTIONS").
const VALUED: &[&str] =
    &["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env", "--super-prefix"];

/// `git -c alias.x='!cmd'`, `submodule foreach`, `bisect run`, `rebase --exec`, `filter-branch --…-filter`.
pub(super) fn dispatch(words: &[Word]) -> Option<Dispatch> {
    let mut runs = Vec::new();
    let mut at = 1_usize;
    while let Some(text) = words.get(at).and_then(Word::literal) {
        if !text.starts_with('-') {
            break;
        }
        at = at.saturating_add(1);
        let value = words.get(at);
        if text == "-c" {
            runs.extend(value.and_then(alias));
        }
        if VALUED.contains(&text.as_str()) {
            at = at.saturating_add(1);
        }
    }
    let rest = words.get(at..).unwrap_or_default();
    let literals: Vec<Option<String>> = rest.iter().take(3).map(Word::literal).collect();
    let literal = |index: usize| literals.get(index).and_then(|text| text.as_deref());
    match (literal(0), literal(1)) {
        (Some("submodule"), Some("foreach")) => {
            let skip = if matches!(literal(2), Some("--recursive" | "--quiet")) { 3 } else { 2 };
            runs.push(Run::script(rest.get(skip..).unwrap_or_default().to_vec()));
        }
        (Some("bisect"), Some("run")) => {
            runs.push(Run::new(How::Command, rest.get(2..).unwrap_or_default().to_vec()));
        }
        (Some("rebase"), _) => valued(rest, |option| matches!(option, "-x" | "--exec"), &mut runs),
        (Some("filter-branch"), _) => {
            valued(rest, |option| option.starts_with("--") && option.ends_with("-filter"), &mut runs);
        }
        (Some("difftool"), _) => valued(rest, |option| matches!(option, "-x" | "--extcmd"), &mut runs),
        _ => {}
    }
    runs.retain(|run: &Run| !run.words.is_empty());
    (!runs.is_empty()).then_some(Dispatch { runs, pure: false })
}

/// `alias.x=!cmd`: git gives the text after `!` to a shell (git-config(1), "alias.*").
fn alias(word: &Word) -> Option<Run> {
    let text = word.literal()?;
    let (name, value) = text.split_once('=')?;
    let script = value.strip_prefix('!')?;
    name.to_ascii_lowercase().starts_with("alias.").then(|| Run::script(vec![text_word(script, word)]))
}

fn valued(words: &[Word], is_option: impl Fn(&str) -> bool, runs: &mut Vec<Run>) {
    for (index, word) in words.iter().enumerate() {
        let Some(text) = word.literal() else { continue };
        match text.split_once('=') {
            Some((option, value)) if is_option(option) => runs.push(Run::script(vec![text_word(value, word)])),
            None if is_option(&text) => {
                runs.extend(words.get(index.saturating_add(1)).map(|value| Run::script(vec![value.clone()])));
            }
            Some(_) | None => {}
        }
    }
}
