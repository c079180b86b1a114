//! Operands with wildcards, as a shell expands them.

use std::path::Path;

use crate::expand::expand_home;
use crate::fs::FileSystem;
use crate::resolve::{Base, ResolveError, resolve_expanded};
use crate::text::{fold_case, fold_segments};
use crate::wildcard::{Set, Token};

/// Characters that begin a wildcard, or escape one.
const SPECIAL: [char; 4] = ['*', '?', '[', '\\'];

/// The absolute texts of an operand with wildcards: as typed, and with the directories before its first wildcard resolved through
/// links (the wildcard part keeps its text). Give each of them to [`DeniedPaths::glob_may_match`](crate::DeniedPaths::glob_may_match),
/// [`glob_may_be_sensitive`](crate::glob_may_be_sensitive) and [`glob_hits_root`](crate::glob_hits_root).
///
/// ```
/// use portcullis_paths::{Base, MemoryFs, absolute_globs};
/// let fs = MemoryFs::new().dir("/home/dev/.ssh").link("/proj/keys", "/home/dev/.ssh");
/// let globs = absolute_globs(&fs, "keys/*", &Base::new("/proj", None)).unwrap();
/// assert_eq!(globs, ["/proj/keys/*", "/home/dev/.ssh/*"]);
/// ```
pub fn absolute_globs(fs: &dyn FileSystem, typed: &str, base: &Base) -> Result<Vec<String>, ResolveError> {
    if typed.is_empty() {
        return Err(ResolveError::Empty);
    }
    let expanded = expand_home(typed, base)?;
    let joined = if expanded.starts_with('/') {
        expanded
    } else {
        format!("{}/{expanded}", escape(&base.cwd.to_string_lossy()))
    };
    let (directory, rest) = split_fixed(&joined);
    let resolved = resolve_expanded(fs, typed, Path::new(&unescape(directory)), base)?;
    let followed = format!("{}{rest}", escape(resolved.resolved.to_string_lossy().trim_end_matches('/')));
    let mut all = vec![joined];
    if !all.contains(&followed) {
        all.push(followed);
    }
    Ok(all)
}

/// Splits before the slash that precedes the first wildcard. The first part may hold escapes.
fn split_fixed(glob: &str) -> (&str, &str) {
    let mut slash = 0;
    let mut escaped = false;
    for (at, c) in glob.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '/' => slash = at,
            '*' | '?' | '[' => return split_or_root(glob, slash),
            _ => {}
        }
    }
    (glob, "")
}

fn split_or_root(glob: &str, slash: usize) -> (&str, &str) {
    let (directory, rest) = glob.split_at_checked(slash).unwrap_or((glob, ""));
    (if directory.is_empty() { "/" } else { directory }, rest)
}

fn escape(text: &str) -> String {
    text.chars().flat_map(|c| SPECIAL.contains(&c).then_some('\\').into_iter().chain([c])).collect()
}

fn unescape(text: &str) -> String {
    let mut escaped = false;
    text.chars()
        .filter(|c| {
            escaped = *c == '\\' && !escaped;
            !escaped
        })
        .collect()
}

/// The words an absolute operand can expand to, or more.
///
/// A wildcard that begins a name does not match a dot (bash manual, "Filename Expansion": `dotglob`); `**` and the forms of
/// `extglob` are taken for anything. A bracket expression is taken for any one character.
pub(crate) fn tokens(glob: &str) -> Vec<Token> {
    let folded = fold_case(&fold_segments(glob));
    let mut tokens = Vec::new();
    let mut rest = folded.as_str();
    let mut at_start = true;
    loop {
        let mut chars = rest.chars();
        let Some(c) = chars.next() else { return tokens };
        let mut after = chars.as_str();
        let one = if at_start { Set::Visible } else { Set::NotSlash };
        if matches!(c, '?' | '*' | '+' | '@' | '!') && after.starts_with('(') {
            tokens.push(Token::Many(Set::All));
            return tokens;
        }
        match c {
            '\\' => {
                let literal = chars.next().unwrap_or('\\');
                after = chars.as_str();
                tokens.push(Token::One(literal));
            }
            '*' if after.starts_with('*') => {
                after = after.trim_start_matches('*');
                tokens.push(Token::Many(Set::All));
                // `**/` stands for no directory at all, too.
                if let Some(name) = after.strip_prefix('/').filter(|_| at_start) {
                    tokens.pop();
                    tokens.extend([Token::Skip(2), Token::Many(Set::All), Token::One('/')]);
                    rest = name;
                    continue;
                }
            }
            // The dot of `*.rs` is not the first character of what it matches.
            '*' if at_start && after.starts_with('.') => {
                tokens.extend([Token::Of(Set::Visible), Token::Many(Set::NotSlash)]);
            }
            '*' if at_start => tokens.extend([Token::Skip(2), Token::Of(Set::Visible), Token::Many(Set::NotSlash)]),
            '*' => tokens.push(Token::Many(Set::NotSlash)),
            '?' => tokens.push(Token::Of(one)),
            '[' => match bracket(after) {
                Some((set, end)) if set.is_ascii() => {
                    tokens.push(Token::Of(one));
                    after = end;
                }
                // One character may be several when folded.
                Some((_, end)) => {
                    tokens.push(Token::Many(Set::NotSlash));
                    after = end;
                }
                None => tokens.push(Token::One('[')),
            },
            c => tokens.push(Token::One(c)),
        }
        at_start = c == '/';
        rest = after;
    }
}

/// The inside of a bracket expression and what follows it; `None` if it is not closed in this name.
fn bracket(text: &str) -> Option<(&str, &str)> {
    let negated = text.strip_prefix(['!', '^']).unwrap_or(text);
    // A bracket that closes at once is a member.
    let mut from = text.len().saturating_sub(negated.len()).saturating_add(usize::from(negated.starts_with(']')));
    loop {
        let tail = text.get(from..)?;
        let end = tail.find([']', '[', '/'])?;
        let here = tail.get(end..)?;
        if here.starts_with('/') {
            return None;
        }
        let inner = ["[:", "[.", "[="].iter().find_map(|open| here.strip_prefix(open).map(|inner| (open, inner)));
        let step = match inner {
            Some((open, inner)) => {
                let close = format!("{}]", open.trim_start_matches('['));
                inner.find(&close).map_or(1, |at| at.saturating_add(4))
            }
            None if here.starts_with('[') => 1,
            None => {
                let (set, rest) = text.split_at_checked(from.saturating_add(end))?;
                return Some((set, rest.strip_prefix(']')?));
            }
        };
        from = from.saturating_add(end).saturating_add(step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wildcard::intersects;

    #[test]
    fn operand_wildcards_mean_what_bash_says() {
        for (glob, name, expected) in [
            ("/p/*", "/p/a", true),
            ("/p/*", "/p/.a", false),
            ("/p/.*", "/p/.a", true),
            ("/p/*", "/p/a/b", false),
            ("/p/**", "/p/a/.b", true),
            ("/p/**/b", "/p/b", true),
            ("/p/**/b", "/p/x/y/b", true),
            ("/p/?", "/p/a", true),
            ("/p/?", "/p/ab", false),
            ("/p/[ab]c", "/p/ac", true),
            ("/p/[!]a]c", "/p/bc", true),
            ("/p/[[:alpha:]]c", "/p/ac", true),
            ("/p/[[:alpha:]]c", "/p/a:]c", false),
            ("/p/[a", "/p/[a", true),
            ("/p/a\\*", "/p/a*", true),
            ("/p/a\\*", "/p/ab", false),
            ("/p/@(a|b)", "/p/b", true),
            ("/p/x/../*", "/p/a", true),
            ("/P/A*", "/p/ab", true),
            ("/p/*.rs", "/p/.rs", false),
        ] {
            let word: Vec<Token> = name.chars().map(Token::One).collect();
            assert_eq!(intersects(&tokens(glob), &word), expected, "{glob} {name}");
        }
    }
}
