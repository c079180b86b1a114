//! `env -S`: a string that env splits by rules of its own (env(1), "-S/--split-string").

use super::{Dispatch, Run, dispatch, text_word};
use crate::analysis::{Part, Word};

/// If the options hold `-S`, what the split command line runs.
pub(super) fn split(words: &[Word]) -> Option<Dispatch> {
    let mut at = 1_usize;
    while let Some(word) = words.get(at) {
        let text = word.literal_prefix();
        if !text.starts_with('-') || text == "--" || text == "-" {
            return None;
        }
        let next = at.saturating_add(1);
        if let Some((before, joined)) = split_option(&text) {
            let (string, rest) = match joined {
                Some(joined) => (word.literal().map(|_| joined), next),
                None => (words.get(next).and_then(Word::literal), next.saturating_add(1)),
            };
            let rest = words.get(rest..).unwrap_or_default();
            let Some(pieces) = string.and_then(|string| pieces(&string, word)) else {
                return Some(Dispatch {
                    runs: vec![Run::unknown("env -S with text that is not literal", rest)],
                    pure: false,
                });
            };
            let mut line: Vec<Word> = words.get(..at).unwrap_or_default().to_vec();
            line.extend(before.map(|before| text_word(&before, word)));
            line.extend(pieces);
            line.extend(rest.iter().cloned());
            return dispatch(&line);
        }
        at = if matches!(text.as_str(), "-u" | "-C" | "-a" | "--unset" | "--chdir" | "--argv0") {
            next.saturating_add(1)
        } else {
            next
        };
    }
    None
}

/// The options before `S` in a cluster, and the text joined to it.
fn split_option(text: &str) -> Option<(Option<String>, Option<String>)> {
    if let Some(long) = text.strip_prefix("--") {
        let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value.to_owned())));
        return (!name.is_empty() && "split-string".starts_with(name)).then_some((None, value));
    }
    let cluster = text.strip_prefix('-')?;
    let (before, joined) = cluster.split_once('S')?;
    if !before.chars().all(|c| matches!(c, 'i' | 'v' | '0')) {
        return None;
    }
    let before = (!before.is_empty()).then(|| format!("-{before}"));
    Some((before, (!joined.is_empty()).then(|| joined.to_owned())))
}

/// The words of the string; `None` if it holds what env would expand otherwise.
fn pieces(string: &str, like: &Word) -> Option<Vec<Word>> {
    let mut words = Vec::new();
    let mut current: Option<Vec<Part>> = None;
    let mut quote: Option<char> = None;
    let mut chars = string.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, quote) {
            (c, Some(end)) if c == end => quote = None,
            ('\'' | '"', None) => {
                quote = Some(c);
                current.get_or_insert_default();
            }
            (c, None) if c.is_ascii_whitespace() => words.extend(current.take()),
            ('#', None) if current.is_none() => break,
            ('\\', Some('\'')) if !matches!(chars.peek(), Some('\'' | '\\')) => push(&mut current, '\\'),
            ('\\', _) => match chars.next()? {
                'c' => break,
                '_' if quote.is_none() => words.extend(current.take()),
                '_' => push(&mut current, ' '),
                'n' => push(&mut current, '\n'),
                't' => push(&mut current, '\t'),
                'r' => push(&mut current, '\r'),
                'f' => push(&mut current, '\u{c}'),
                'v' => push(&mut current, '\u{b}'),
                c @ ('#' | '$' | '\\' | '"' | '\'') => push(&mut current, c),
                _ => return None,
            },
            ('$', None | Some('"')) => {
                let name = variable(&mut chars)?;
                current.get_or_insert_default().push(Part::Var { name, quoted: true });
            }
            (c, _) => push(&mut current, c),
        }
    }
    if quote.is_some() {
        return None;
    }
    words.extend(current);
    Some(words.into_iter().map(|parts| Word { raw: crate::walk::render(&parts), parts, span: like.span }).collect())
}

fn push(current: &mut Option<Vec<Part>>, c: char) {
    let parts = current.get_or_insert_default();
    if let Some(Part::Text(text)) = parts.last_mut() {
        text.push(c);
    } else {
        parts.push(Part::Text(c.to_string()));
    }
}

fn variable(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<String> {
    if chars.next()? != '{' {
        return None;
    }
    let mut name = String::new();
    loop {
        match chars.next()? {
            '}' => return (!name.is_empty()).then_some(name),
            c if c.is_ascii_alphanumeric() || c == '_' => name.push(c),
            _ => return None,
        }
    }
}
