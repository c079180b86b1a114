//! Brace expansion (bash manual, "Brace Expansion"), before every other expansion and purely textual.

/// An element of a word as brace expansion sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Atom {
    /// An unquoted character.
    Char(char),
    /// A quoted string or an expansion, by index: inert.
    Piece(usize),
}

/// Why a word was not expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TooMany {
    /// A sequence such as `{1..100000}`: numbers or single letters only.
    Sequence,
    /// Alternatives; or deeper than [`MAX_DEPTH`].
    Alternatives,
}

/// Most words that one word may become.
const MAX_WORDS: usize = 1024;
/// Most elements that all of them may have together.
const MAX_ATOMS: usize = 65_536;
/// Deepest nesting of braces.
const MAX_DEPTH: usize = 16;

/// Expands one word. A word without a valid brace expression comes back alone and unchanged.
pub(crate) fn expand(word: &[Atom]) -> Result<Vec<Vec<Atom>>, TooMany> {
    let words = expand_at(word, 0)?;
    let atoms = words.iter().fold(0_usize, |sum, word| sum.saturating_add(word.len()));
    if words.len() > MAX_WORDS || atoms > MAX_ATOMS { Err(TooMany::Alternatives) } else { Ok(words) }
}

fn expand_at(word: &[Atom], depth: usize) -> Result<Vec<Vec<Atom>>, TooMany> {
    if depth > MAX_DEPTH {
        return Err(TooMany::Alternatives);
    }
    let partners = partners(word);
    // Prefixes so far: everything left of the part that is looked at.
    let mut done: Vec<Vec<Atom>> = vec![Vec::new()];
    let mut at = 0_usize;
    let mut size = 0_usize;
    while let Some(atom) = word.get(at) {
        let close = if *atom == Atom::Char('{') { partners.get(at).copied().flatten() } else { None };
        let alternatives = match close.and_then(|close| Some((close, word.get(at.saturating_add(1)..close)?))) {
            Some((close, inside)) => match alternatives(inside, depth)? {
                Some(found) => {
                    at = close;
                    Some(found)
                }
                None => None,
            },
            None => None,
        };
        at = at.saturating_add(1);
        match alternatives {
            None => {
                size = size.saturating_add(done.len());
                for prefix in &mut done {
                    prefix.push(*atom);
                }
            }
            Some(found) => {
                let count = done.len().saturating_mul(found.len());
                let longest = found.iter().map(Vec::len).max().unwrap_or(0);
                size = size.saturating_mul(found.len()).saturating_add(count.saturating_mul(longest));
                if count > MAX_WORDS || size > MAX_ATOMS {
                    return Err(TooMany::Alternatives);
                }
                done = done
                    .iter()
                    .flat_map(|prefix| found.iter().map(move |tail| prefix.iter().chain(tail).copied().collect()))
                    .collect();
            }
        }
        if done.len() > 1 && size > MAX_ATOMS {
            return Err(TooMany::Alternatives);
        }
    }
    Ok(done)
}

/// The index of the closing brace of each opening one, innermost first as bash pairs them.
fn partners(word: &[Atom]) -> Vec<Option<usize>> {
    let mut partners = vec![None; word.len()];
    let mut open = Vec::new();
    for (index, atom) in word.iter().enumerate() {
        match atom {
            Atom::Char('{') => open.push(index),
            Atom::Char('}') => {
                if let Some(slot) = open.pop().and_then(|start: usize| partners.get_mut(start)) {
                    *slot = Some(index);
                }
            }
            Atom::Char(_) | Atom::Piece(_) => {}
        }
    }
    partners
}

/// What `{inside}` stands for; `None` if it is no brace expression and stays as it is.
fn alternatives(inside: &[Atom], depth: usize) -> Result<Option<Vec<Vec<Atom>>>, TooMany> {
    let mut pieces = Vec::new();
    let mut start = 0_usize;
    let mut level = 0_usize;
    for (index, atom) in inside.iter().enumerate() {
        match atom {
            Atom::Char('{') => level = level.saturating_add(1),
            Atom::Char('}') => level = level.saturating_sub(1),
            Atom::Char(',') if level == 0 => {
                pieces.push(inside.get(start..index).unwrap_or_default());
                start = index.saturating_add(1);
            }
            Atom::Char(_) | Atom::Piece(_) => {}
        }
    }
    if pieces.is_empty() {
        return sequence(inside);
    }
    pieces.push(inside.get(start..).unwrap_or_default());
    let mut all = Vec::new();
    for piece in pieces {
        all.extend(expand_at(piece, depth.saturating_add(1))?);
        if all.len() > MAX_WORDS {
            return Err(TooMany::Alternatives);
        }
    }
    Ok(Some(all))
}

/// `x..y` and `x..y..step` with integers or single letters.
fn sequence(inside: &[Atom]) -> Result<Option<Vec<Vec<Atom>>>, TooMany> {
    if inside.len() > 64 {
        return Ok(None);
    }
    let text: Option<String> = inside
        .iter()
        .map(|atom| match atom {
            Atom::Char(c) => Some(*c),
            Atom::Piece(_) => None,
        })
        .collect();
    let Some(text) = text else { return Ok(None) };
    let mut ends = text.split("..");
    let (Some(first), Some(last), step, None) = (ends.next(), ends.next(), ends.next(), ends.next()) else {
        return Ok(None);
    };
    let step = match step.map(str::parse::<i64>) {
        None => 1,
        Some(Ok(step)) => step.saturating_abs().max(1),
        Some(Err(_)) => return Ok(None),
    };
    let items: Vec<String> = match (first.parse::<i64>(), last.parse::<i64>()) {
        (Ok(from), Ok(to)) => {
            let width = if padded(first) || padded(last) { first.len().max(last.len()) } else { 0 };
            counted(from, to, step)?.into_iter().map(|n| format!("{n:0width$}")).collect()
        }
        _ => match (letter(first), letter(last)) {
            (Some(from), Some(to)) => counted(from, to, step)?
                .into_iter()
                .filter_map(|n| u32::try_from(n).ok().and_then(char::from_u32))
                .map(String::from)
                .collect(),
            _ => return Ok(None),
        },
    };
    Ok(Some(items.iter().map(|item| item.chars().map(Atom::Char).collect()).collect()))
}

fn padded(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+']);
    digits.len() > 1 && digits.starts_with('0')
}

fn letter(text: &str) -> Option<i64> {
    let mut chars = text.chars();
    let (Some(c), None) = (chars.next(), chars.next()) else { return None };
    c.is_ascii_alphabetic().then(|| i64::from(u32::from(c)))
}

fn counted(from: i64, to: i64, step: i64) -> Result<Vec<i64>, TooMany> {
    let mut out = vec![from];
    let mut at = from;
    loop {
        let next = if from <= to { at.checked_add(step) } else { at.checked_sub(step) };
        match next {
            Some(next) if (from <= to && next <= to) || (from > to && next >= to) => at = next,
            Some(_) | None => return Ok(out),
        }
        if out.len() >= MAX_WORDS {
            return Err(TooMany::Sequence);
        }
        out.push(at);
    }
}

#[cfg(test)]
mod tests {
    use super::{Atom, TooMany, expand};

    fn words(text: &str) -> Result<Vec<String>, TooMany> {
        let atoms: Vec<Atom> = text.chars().map(Atom::Char).collect();
        let text = |word: &Vec<Atom>| {
            word.iter()
                .map(|atom| match atom {
                    Atom::Char(c) => *c,
                    Atom::Piece(_) => '#',
                })
                .collect()
        };
        Ok(expand(&atoms)?.iter().map(text).collect())
    }

    #[test]
    fn expansion_is_what_bash_5_2_prints() {
        // Each row: `echo WORD` in bash 5.2.15.
        for (word, expected) in [
            ("a", "a"),
            ("{}", "{}"),
            ("{a}", "{a}"),
            ("{a,b}", "a b"),
            ("x{a,b}y", "xay xby"),
            ("{a,{b,c}}", "a b c"),
            ("{a,b}{1,2}", "a1 a2 b1 b2"),
            ("{{a,b}}", "{a} {b}"),
            ("{a,{b,c}", "{a,b {a,c"),
            ("{a,b}}", "a} b}"),
            ("{a{,b}", "{a {ab"),
            ("a{,.bak}", "a a.bak"),
            ("{1..5}", "1 2 3 4 5"),
            ("{5..1..2}", "5 3 1"),
            ("{01..03}", "01 02 03"),
            ("{-1..1}", "-1 0 1"),
            ("{a..e..2}", "a c e"),
            ("{1..a}", "{1..a}"),
            ("{1..2..x}", "{1..2..x}"),
            ("{a,{x},b}", "a {x} b"),
            ("{rm,-rf,/}", "rm -rf /"),
        ] {
            assert_eq!(words(word).map(|words| words.join(" ")), Ok(expected.to_owned()), "{word}");
        }
    }

    #[test]
    fn an_explosion_is_refused() {
        assert_eq!(words(&"{a,b}".repeat(40)), Err(TooMany::Alternatives));
        assert_eq!(words("{1..1000000000}"), Err(TooMany::Sequence));
        assert_eq!(words("{1..9223372036854775807..9223372036854775807}").map(|words| words.len()), Ok(1));
        assert_eq!(words(&"{a,".repeat(40)).map(|words| words.len()), Ok(1));
    }
}
