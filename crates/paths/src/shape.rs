//! The little language of the path tables, so that a row reads like the path it is for.
//!
//! | row | means |
//! | --- | --- |
//! | `~/.bashrc` | that file in anyone's home |
//! | `/etc/sudoers` | that file |
//! | `.git-credentials`, `.kube/config` | a path that ends so |
//! | `.ssh/` (a slash at the end) | that directory and everything below |
//! | `*.pem` | `*` is any part of one name |
//!
//! Rows are written in lower case: they are compared with folded spellings.

use crate::text::{HOME_PARENTS, after_home};
use crate::wildcard::{Set, Token, Wild};

/// A parsed row text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape<'a> {
    anchor: Anchor,
    body: &'a str,
    tree: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anchor {
    Root,
    Home,
    Anywhere,
}

impl<'a> Shape<'a> {
    pub(crate) fn parse(text: &'a str) -> Self {
        let tree = text.ends_with('/');
        let body = text.trim_end_matches('/');
        let (anchor, body) = if let Some(rest) = body.strip_prefix("~/") {
            (Anchor::Home, rest)
        } else if let Some(rest) = body.strip_prefix('/') {
            (Anchor::Root, rest)
        } else {
            (Anchor::Anywhere, body)
        };
        Self { anchor, body, tree }
    }

    /// The path below home, for a row of a home that has no star.
    pub(crate) fn fixed_in_home(&self) -> Option<&'a str> {
        (self.anchor == Anchor::Home && !self.body.contains('*')).then_some(self.body)
    }

    pub(crate) fn is_tree(&self) -> bool {
        self.tree
    }

    /// Whether the folded spelling `path` is of this shape.
    pub(crate) fn matches(&self, path: &str, home: Option<&str>) -> bool {
        match self.anchor {
            Anchor::Root => self.fits(path),
            Anchor::Home => after_home(path, home).any(|rest| self.fits(rest)),
            Anchor::Anywhere => {
                path.match_indices('/').any(|(at, _)| path.get(at..).is_some_and(|rest| self.fits(rest)))
            }
        }
    }

    /// Whether a directory, deleted or moved, takes a path of this shape with it. A shape for anywhere counts only where the
    /// directory is itself a part of it: any directory could hold one.
    pub(crate) fn may_be_in(&self, directory: &str, home: Option<&str>) -> bool {
        match self.anchor {
            Anchor::Root => self.begins_with(directory),
            Anchor::Home => {
                let holds_homes = directory.is_empty()
                    || HOME_PARENTS.contains(&directory)
                    || home.and_then(|home| home.strip_prefix(directory)).is_some_and(|rest| rest.starts_with('/'));
                holds_homes || after_home(directory, home).any(|rest| self.begins_with(rest))
            }
            Anchor::Anywhere => directory
                .match_indices('/')
                .any(|(at, _)| directory.get(at..).is_some_and(|rest| self.begins_with(rest))),
        }
    }

    /// `rest` is empty or begins with a slash.
    fn fits(&self, rest: &str) -> bool {
        let mut names = rest.split('/').skip(1);
        let all = self.body.split('/').all(|name| names.next().is_some_and(|other| name_matches(name, other)));
        all && (self.tree || names.next().is_none())
    }

    fn begins_with(&self, rest: &str) -> bool {
        let mut names = self.body.split('/');
        rest.split('/').skip(1).all(|other| names.next().is_some_and(|name| name_matches(name, other)))
    }

    /// The wildcard languages of this shape.
    pub(crate) fn languages(&self, home: Option<&str>) -> Vec<Vec<Token>> {
        let literal = |text: &str| text.chars().map(Token::One).collect::<Vec<_>>();
        let starts = match self.anchor {
            Anchor::Root => vec![Vec::new()],
            Anchor::Anywhere => vec![vec![Token::Many(Set::All)]],
            Anchor::Home => {
                let own = home.into_iter().chain(["/root"]).map(literal);
                let named = HOME_PARENTS.iter().map(|parent| {
                    let mut start = literal(parent);
                    start.extend([Token::One('/'), Token::Many(Set::NotSlash)]);
                    start
                });
                own.chain(named).collect()
            }
        };
        starts.into_iter().map(|start| self.finish(start)).collect()
    }

    fn finish(&self, mut tokens: Vec<Token>) -> Vec<Token> {
        tokens.push(Token::One('/'));
        tokens.extend(self.body.chars().map(|c| if c == '*' { Token::Many(Set::NotSlash) } else { Token::One(c) }));
        if self.tree {
            tokens.extend([Token::Skip(2), Token::One('/'), Token::Many(Set::All)]);
        }
        tokens
    }
}

fn name_matches(shape: &str, name: &str) -> bool {
    if shape.contains('*') { Wild::new(shape).matches(name) } else { shape == name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wildcard::intersects;

    #[test]
    fn shapes_match_by_name_and_anchor() {
        for (shape, path, expected) in [
            ("~/.bashrc", "/home/x/.bashrc", true),
            ("~/.bashrc", "/home/x/p/.bashrc", false),
            ("/etc/cron*/", "/etc/cron.d/job", true),
            ("/etc/cron*/", "/etc/cron.d", true),
            ("/etc/cron*/", "/etc/cro", false),
            (".kube/config", "/home/x/.kube/config", true),
            (".kube/config", "/home/x/.kube/config/y", false),
            (".ssh/", "/a/.sshfoo", false),
            ("*.pem", "/a/b.pem", true),
        ] {
            let found = Shape::parse(shape).matches(path, Some("/home/x"));
            assert_eq!(found, expected, "{shape} {path}");
            let word: Vec<Token> = path.chars().map(Token::One).collect();
            let by_language = Shape::parse(shape).languages(Some("/home/x")).iter().any(|one| intersects(one, &word));
            assert_eq!(by_language, expected, "the language of {shape} and {path}");
        }
    }
}
