//! Simple commands: assignments, words, array values.

use super::{
    ast::{AssignValue, Assignment, Simple, Word, WordPart},
    bare::Bare,
    cursor::Parser,
    live::Live,
    quote::Parts,
};

/// Builtins whose arguments may be `name=(…)` (bash: `ASSIGNMENT_BUILTIN`).
const DECLARATIONS: [&str; 6] = ["alias", "declare", "export", "local", "readonly", "typeset"];

/// Whether the first word of a simple command was read already.
pub(super) enum First {
    Unread,
    Word(Word),
}

/// What stands where a command's first word may be.
enum Lead {
    Assignment(Assignment),
    Word(Word),
}

impl Parser<'_> {
    /// A simple command; with `Some(name)` if `name (` stands here instead, which starts a function definition.
    pub(super) fn simple(&mut self, start: usize, first: First) -> (Simple, Option<Word>) {
        let mut simple = Simple::default();
        let mut declares = false;
        if let First::Word(word) = first {
            declares = is_declaration(&word);
            simple.words.push(word);
        }
        loop {
            self.blank();
            match self.peek() {
                None | Some(b'\n' | b';' | b'|' | b')') => break,
                Some(b'(') => {
                    if let ([_], [], []) =
                        (simple.words.as_slice(), simple.assignments.as_slice(), simple.redirects.as_slice())
                    {
                        let name = simple.words.pop();
                        return (simple, name);
                    }
                    self.fail("unexpected (");
                    break;
                }
                Some(b'<' | b'>' | b'&' | b'{' | b'0'..=b'9') => {
                    if let Some(redirect) = self.redirect() {
                        simple.redirects.push(redirect);
                        // Bash forgets at a redirect that the builtin takes arrays.
                        declares = false;
                        continue;
                    }
                    if self.peek() == Some(b'&') {
                        break;
                    }
                }
                Some(_) => {}
            }
            if self.peek().is_none() {
                break;
            }
            if simple.words.is_empty() {
                match self.lead(simple.redirects.is_empty()) {
                    Lead::Assignment(assignment) => simple.assignments.push(assignment),
                    Lead::Word(word) => {
                        declares = simple.redirects.is_empty() && is_declaration(&word);
                        simple.words.push(word);
                    }
                }
            } else {
                let word = if declares { self.declared() } else { self.word(Bare::Word) };
                simple.words.push(word);
            }
        }
        simple.span = self.span(start);
        (simple, None)
    }

    /// An assignment or the command's name. `first`: no redirect before it, else bash reads neither arrays nor subscripts.
    fn lead(&mut self, first: bool) -> Lead {
        let start = self.pos;
        let name = self.name();
        if name.is_empty() {
            return Lead::Word(self.word(Bare::Word));
        }
        if self.peek() != Some(b'[') {
            return match self.assign_operator() {
                Some(append) => Lead::Assignment(self.assigned(start, name, None, append, first)),
                None => Lead::Word(self.word_after(Parts::starting(name), start, Bare::Word)),
            };
        }
        if !first {
            self.fail("a subscript after a redirect");
        }
        let subscript = self.subscript(Live::Bracket);
        if let Some(append) = self.assign_operator() {
            if self.peek() == Some(b'(') {
                self.fail("an array as an array's element");
            }
            return Lead::Assignment(self.assigned(start, name, Some(subscript), append, first));
        }
        // No assignment after all: bash has read up to `]` as one word all the same.
        let mut parts = Parts::starting(name);
        bracketed(&mut parts, subscript);
        Lead::Word(self.word_after(parts, start, Bare::Word))
    }

    /// `=` or `+=`, consumed: whether it appends.
    fn assign_operator(&mut self) -> Option<bool> {
        if self.eat(b'=') {
            return Some(false);
        }
        if self.peek() == Some(b'+') && self.second() == Some(b'=') {
            self.bump();
            self.peek();
            self.bump();
            return Some(true);
        }
        None
    }

    /// The value after the operator.
    fn assigned(
        &mut self,
        start: usize,
        name: String,
        subscript: Option<Word>,
        append: bool,
        arrays: bool,
    ) -> Assignment {
        let value = if self.peek() == Some(b'(') {
            if !arrays {
                self.fail("an array after a redirect");
            }
            AssignValue::Array(self.array())
        } else {
            AssignValue::Scalar(self.word(Bare::Word))
        };
        Assignment { name, subscript, append, value, span: self.span(start) }
    }

    /// An argument of a declaration builtin.
    fn declared(&mut self) -> Word {
        let start = self.pos;
        let mut name = self.name();
        if !name.is_empty()
            && let Some(append) = self.assign_operator()
        {
            name.push_str(if append { "+=" } else { "=" });
            if self.peek() == Some(b'(') {
                self.count();
                let mut parts = Parts::starting(name);
                let elements = self.array();
                parts.add(WordPart::ArrayLiteral(elements));
                return Word { parts: parts.finish(), span: self.span(start) };
            }
        }
        self.word_after(Parts::starting(name), start, Bare::Word)
    }

    /// `(…)` of an array, at the parenthesis.
    fn array(&mut self) -> Vec<(Option<Word>, Word)> {
        self.bump();
        let mut elements = Vec::new();
        if !self.enter() {
            return elements;
        }
        loop {
            self.newlines();
            match self.peek() {
                None => {
                    self.fail("no closing ) of an array");
                    break;
                }
                Some(b')') => {
                    self.bump();
                    break;
                }
                Some(b'[') => elements.push(self.keyed_element()),
                Some(_) => {
                    let word = self.word(Bare::Word);
                    if word.parts.is_empty() {
                        self.fail("unexpected token in an array");
                    }
                    elements.push((None, word));
                }
            }
        }
        if !self.at_word_end() {
            self.fail("text right after an array");
        }
        self.leave();
        elements
    }

    /// `[subscript]=value`, or a glob that starts with a bracket.
    fn keyed_element(&mut self) -> (Option<Word>, Word) {
        let start = self.pos;
        let subscript = self.subscript(Live::Bracket);
        if self.assign_operator().is_some() {
            if self.peek() == Some(b'(') {
                self.fail("an array as an array's element");
            }
            return (Some(subscript), self.word(Bare::Word));
        }
        let mut parts = Parts::default();
        bracketed(&mut parts, subscript);
        (None, self.word_after(parts, start, Bare::Word))
    }
}

/// Gives back a subscript as the text that it is.
fn bracketed(parts: &mut Parts, subscript: Word) {
    parts.bare("[");
    for part in subscript.parts {
        match part {
            // The text of a subscript counts as quoted; as a word it is a glob.
            WordPart::Quoted(text) | WordPart::Unquoted(text) => parts.bare(&text),
            other @ (WordPart::DoubleQuoted(_)
            | WordPart::Param(_)
            | WordPart::CommandSub(_)
            | WordPart::Arith(_)
            | WordPart::ProcessSub { .. }
            | WordPart::ArrayLiteral(_)) => parts.add(other),
        }
    }
    parts.bare("]");
}

fn is_declaration(word: &Word) -> bool {
    matches!(word.parts.as_slice(), [WordPart::Unquoted(text)] if DECLARATIONS.contains(&text.as_str()))
}
