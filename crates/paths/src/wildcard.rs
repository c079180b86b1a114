//! Wildcard texts: matching in linear time, and whether two wildcard languages have a word in common.

use crate::text::fold_case;

/// Above this many pairs of positions, two wildcard texts are taken to intersect.
const MAX_PAIRS: usize = 1 << 22;

/// A folded text in which `*` matches anything, `/` included, and `/**/` matches a single `/` too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wild {
    /// The texts between stars. The first is anchored at the start and the last at the end; there is always a first.
    first: String,
    rest: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Piece {
    text: String,
    /// The star before it stood as `/**/`, so the two slashes may be one.
    overlaps: bool,
}

impl Wild {
    /// Any text is a pattern. It is folded here.
    pub(crate) fn new(pattern: &str) -> Self {
        let folded = fold_case(pattern);
        let mut parts = folded.split('*');
        let mut previous = parts.next().unwrap_or_default();
        let mut wild = Self { first: previous.to_owned(), rest: Vec::new() };
        let mut stars = 1_usize;
        let mut parts = parts.peekable();
        while let Some(part) = parts.next() {
            if part.is_empty() && parts.peek().is_some() {
                stars = stars.saturating_add(1);
                continue;
            }
            let overlaps = stars > 1 && previous.ends_with('/') && part.starts_with('/');
            wild.rest.push(Piece { text: part.to_owned(), overlaps });
            previous = part;
            stars = 1;
        }
        wild
    }

    /// Whether the whole folded `text` matches. Leftmost placement of every piece is enough, as only the last one is anchored.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let Some((last, middle)) = self.rest.split_last() else { return text == self.first };
        let Some(mut left) = text.strip_prefix(self.first.as_str()) else { return false };
        let step = |left: &str, piece: &Piece| {
            // The slash that ended the piece before may begin this one.
            let back = usize::from(piece.overlaps);
            text.len().saturating_sub(left.len()).saturating_sub(back)
        };
        for piece in middle {
            let Some(from) = text.get(step(left, piece)..) else { return false };
            let Some((_, after)) = from.split_once(piece.text.as_str()) else { return false };
            left = after;
        }
        text.get(step(left, last)..).is_some_and(|from| from.ends_with(last.text.as_str()))
    }

    /// Whether a text that begins with `prefix` can match.
    pub(crate) fn may_continue(&self, prefix: &str) -> bool {
        self.first.starts_with(prefix) || (!self.rest.is_empty() && prefix.starts_with(self.first.as_str()))
    }

    pub(crate) fn tokens(&self) -> Vec<Token> {
        let mut tokens: Vec<Token> = self.first.chars().map(Token::One).collect();
        for piece in &self.rest {
            if piece.overlaps {
                tokens.push(Token::Skip(2));
            }
            tokens.push(Token::Many(Set::All));
            tokens.extend(piece.text.chars().map(Token::One));
        }
        tokens
    }
}

/// A position of a wildcard text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// this character
    One(char),
    /// one character of a set
    Of(Set),
    /// any number of characters of a set
    Many(Set),
    /// the next so many tokens may be left out
    Skip(usize),
}

/// Sets of characters that wildcards stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Set {
    All,
    NotSlash,
    /// Neither slash nor dot: the first character of a name that a shell's wildcard matches.
    Visible,
}

impl Set {
    fn has(self, c: char) -> bool {
        match self {
            Self::All => true,
            Self::NotSlash => c != '/',
            Self::Visible => c != '/' && c != '.',
        }
    }
}

/// Whether some text matches both. Quadratic, with a cap over which the answer is yes.
pub(crate) fn intersects(a: &[Token], b: &[Token]) -> bool {
    let width = b.len().saturating_add(1);
    let Some(cells) = a.len().saturating_add(1).checked_mul(width).filter(|cells| *cells <= MAX_PAIRS) else {
        return true;
    };
    // Every step goes forward in one text or both, so one sweep in order finds all pairs that can be reached.
    let mut reached = vec![false; cells];
    let mark = |i: usize, j: usize, reached: &mut Vec<bool>| {
        let at = i.saturating_mul(width).saturating_add(j);
        if let Some(cell) = reached.get_mut(at).filter(|_| j < width) {
            *cell = true;
        }
    };
    mark(0, 0, &mut reached);
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            if reached.get(i.saturating_mul(width).saturating_add(j)) == Some(&true) {
                for (di, dj) in steps(a.get(i), b.get(j)) {
                    mark(i.saturating_add(di), j.saturating_add(dj), &mut reached);
                }
            }
        }
    }
    reached.last() == Some(&true)
}

/// How far both can go from a pair of tokens.
fn steps(a: Option<&Token>, b: Option<&Token>) -> Vec<(usize, usize)> {
    let mut steps = Vec::new();
    match a {
        Some(Token::Many(_)) => steps.push((1, 0)),
        Some(Token::Skip(count)) => steps.extend([(1, 0), (count.saturating_add(1), 0)]),
        Some(Token::One(_) | Token::Of(_)) | None => {}
    }
    match b {
        Some(Token::Many(_)) => steps.push((0, 1)),
        Some(Token::Skip(count)) => steps.extend([(0, 1), (0, count.saturating_add(1))]),
        Some(Token::One(_) | Token::Of(_)) | None => {}
    }
    if let (Some(a), Some(b)) = (a, b)
        && share_a_character(*a, *b)
    {
        let stays = |token: &Token| matches!(token, Token::Many(_));
        steps.push((usize::from(!stays(a)), usize::from(!stays(b))));
    }
    steps
}

fn share_a_character(a: Token, b: Token) -> bool {
    match (a, b) {
        (Token::Skip(_), _) | (_, Token::Skip(_)) => false,
        (Token::One(a), Token::One(b)) => a == b,
        (Token::One(c), Token::Of(set) | Token::Many(set)) | (Token::Of(set) | Token::Many(set), Token::One(c)) => {
            set.has(c)
        }
        // Any two of the sets share every letter.
        (Token::Of(_) | Token::Many(_), Token::Of(_) | Token::Many(_)) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn stars_match_slashes_and_double_stars_match_nothing_too() {
        for (pattern, text, expected) in [
            ("/a/*/b", "/a/x/y/b", true),
            ("/a/*/b", "/a/b", false),
            ("/a/**/b", "/a/b", true),
            ("/a/**/b", "/a/x/b", true),
            ("/a/**/b", "/ab", false),
            ("/a/**/b/**/c", "/a/b/c", true),
            ("*.env", "/x/.env", true),
            ("*/id_rsa", "/id_rsa", true),
            ("/a*a", "/a", false),
            ("/A", "/a", true),
            ("", "", true),
            ("*", "", true),
        ] {
            assert_eq!(Wild::new(pattern).matches(text), expected, "{pattern} {text}");
        }
    }

    proptest! {
        #[test]
        fn matching_agrees_with_the_intersection_with_one_word(pattern in "/?([ab/.]|\\*){0,10}", text in "[ab/.]{0,8}") {
            let wild = Wild::new(&pattern);
            let word: Vec<Token> = text.chars().map(Token::One).collect();
            prop_assert_eq!(wild.matches(&text), intersects(&wild.tokens(), &word));
        }

        #[test]
        fn a_common_word_means_an_intersection(a in "([ab/]|\\*){0,8}", b in "([ab/]|\\*){0,8}", word in "[ab/]{0,8}") {
            let (a, b) = (Wild::new(&a), Wild::new(&b));
            if a.matches(&word) && b.matches(&word) {
                prop_assert!(intersects(&a.tokens(), &b.tokens()));
            }
        }

        #[test]
        fn a_word_that_matches_may_be_continued_from_each_prefix(pattern in "([ab/]|\\*){0,8}", word in "[ab/]{0,8}", cut in 0_usize..8) {
            let wild = Wild::new(&pattern);
            if wild.matches(&word) {
                let prefix: String = word.chars().take(cut).collect();
                prop_assert!(wild.may_continue(&prefix));
            }
        }
    }
}
