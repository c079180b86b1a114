//! Compound commands, except `[[ ]]`.

use super::{
    ast::{Arith, CaseArm, Command, Compound, List, Word},
    bare::Bare,
    cursor::Parser,
    live::Live,
    reserved::Reserved,
};

impl Parser<'_> {
    /// A compound command with its redirects, or `None` if none starts here.
    pub(super) fn compound(&mut self) -> Option<Command> {
        let start = self.pos;
        let word = match self.peek()? {
            b'(' => None,
            b'{' | b'[' | b'a'..=b'z' => Some(self.reserved().filter(|word| word.opens())?),
            _ => return None,
        };
        if !self.enter() {
            return None;
        }
        let kind = match word {
            None => self.parenthesis(),
            Some(word) => {
                self.eat_reserved(word);
                match word {
                    Reserved::BraceOpen => Compound::Group(self.group()),
                    Reserved::Case => self.case(),
                    Reserved::Cond => Compound::Cond(self.cond()),
                    Reserved::For => self.for_loop(),
                    Reserved::If => self.if_clauses(),
                    Reserved::Select => {
                        let (name, words, body) = self.name_loop();
                        Compound::Select { name, words, body }
                    }
                    Reserved::Until => {
                        let condition = self.full_list();
                        Compound::Until { condition, body: self.do_done() }
                    }
                    Reserved::While => {
                        let condition = self.full_list();
                        Compound::While { condition, body: self.do_done() }
                    }
                    Reserved::Bang
                    | Reserved::BraceClose
                    | Reserved::CondClose
                    | Reserved::Coproc
                    | Reserved::Do
                    | Reserved::Done
                    | Reserved::Elif
                    | Reserved::Else
                    | Reserved::Esac
                    | Reserved::Fi
                    | Reserved::Function
                    | Reserved::In
                    | Reserved::Then
                    | Reserved::Time => return None,
                }
            }
        };
        self.leave();
        let redirects = self.redirects();
        if !redirects.is_empty() && !self.at_separator() {
            self.fail("unexpected token after a redirect");
        }
        Some(Command::Compound { kind, redirects, span: self.span(start) })
    }

    /// After the redirects of a compound command bash reads no reserved word.
    fn at_separator(&mut self) -> bool {
        matches!(self.peek(), None | Some(b'\n' | b';' | b'&' | b'|' | b')'))
    }

    /// `( list )` or `(( expr ))`.
    fn parenthesis(&mut self) -> Compound {
        let open = self.pos;
        let doubled = self.second() == Some(b'(');
        if doubled && let Some(arith) = self.arithmetic(open, Live::Arith) {
            return Compound::Arith(arith);
        }
        let before = self.here_docs;
        self.bump();
        let list = self.full_list();
        if !self.eat(b')') {
            self.fail("no closing )");
        }
        if doubled {
            self.check_rewound(open, before);
        }
        Compound::Subshell(list)
    }

    /// After `{`.
    fn group(&mut self) -> List {
        let list = self.full_list();
        self.expect_reserved(Reserved::BraceClose);
        list
    }

    fn do_done(&mut self) -> List {
        self.expect_reserved(Reserved::Do);
        let body = self.full_list();
        self.expect_reserved(Reserved::Done);
        body
    }

    /// The body of `for` and `select`: `do … done` or `{ … }`.
    fn loop_body(&mut self) -> List {
        if self.eat_reserved(Reserved::BraceOpen) { self.group() } else { self.do_done() }
    }

    fn if_clauses(&mut self) -> Compound {
        let mut clauses = Vec::new();
        let mut otherwise = None;
        loop {
            let condition = self.full_list();
            self.expect_reserved(Reserved::Then);
            let body = self.full_list();
            clauses.push((condition, body));
            if self.eat_reserved(Reserved::Elif) {
                continue;
            }
            if self.eat_reserved(Reserved::Else) {
                otherwise = Some(self.full_list());
            }
            self.expect_reserved(Reserved::Fi);
            return Compound::If { clauses, otherwise };
        }
    }

    /// After `for`.
    fn for_loop(&mut self) -> Compound {
        self.blank();
        if self.peek() == Some(b'(') {
            return self.arith_for();
        }
        let (name, words, body) = self.name_loop();
        Compound::For { name, words, body }
    }

    /// `name [in words] ; body`.
    fn name_loop(&mut self) -> (String, Option<Vec<Word>>, List) {
        self.blank();
        let name = self.name();
        if name.is_empty() || !self.at_word_end() {
            self.fail("expected a variable name");
        }
        self.blank();
        if self.eat(b';') {
            self.newlines();
            return (name, None, self.loop_body());
        }
        self.newlines();
        if !self.eat_in() {
            // `for x { …; }` is an error in bash: braces need a `;` before them.
            return (name, None, self.do_done());
        }
        let mut words = Vec::new();
        loop {
            self.blank();
            match self.peek() {
                Some(b';') => {
                    self.bump();
                    break;
                }
                Some(b'\n') => break,
                None => {
                    self.fail("expected do");
                    break;
                }
                Some(_) => {
                    let word = self.word(Bare::Word);
                    if word.parts.is_empty() {
                        self.fail("unexpected token in a word list");
                    }
                    words.push(word);
                }
            }
        }
        self.newlines();
        (name, Some(words), self.loop_body())
    }

    /// `((init; test; step)) body`.
    fn arith_for(&mut self) -> Compound {
        let open = self.pos;
        self.bump();
        if !self.eat(b'(') {
            self.fail("expected (( or a name after for");
        }
        let init = self.arith_part(b';');
        let test = self.arith_part(b';');
        let step = self.arith_part(b')');
        let close = self.pos.saturating_sub(1);
        if !self.eat(b')') {
            self.fail("no closing ))");
        } else if self.plain_pair(open.saturating_add(1), b'(', b')') != Some(close) {
            self.fail("for (( that can be read in two ways");
        }
        self.blank();
        if self.eat(b';') {
            self.blank();
        }
        self.newlines();
        Compound::ForArith { init, test, step, body: self.loop_body() }
    }

    fn arith_part(&mut self, end: u8) -> Arith {
        let arith = self.arith_text(Live::ArithFor);
        if !self.eat(end) {
            self.fail("expected three expressions in for ((");
        }
        arith
    }

    /// After `case`.
    fn case(&mut self) -> Compound {
        self.blank();
        let subject = self.word(Bare::Word);
        if subject.parts.is_empty() {
            self.fail("expected a word after case");
        }
        self.newlines();
        if !self.eat_in() {
            self.fail("expected in");
        }
        let mut arms = Vec::new();
        loop {
            self.newlines();
            if self.eat_reserved(Reserved::Esac) {
                break;
            }
            if self.peek().is_none() {
                self.fail("expected esac");
                break;
            }
            let patterns = self.case_patterns();
            let body = self.list();
            arms.push(CaseArm { patterns, body });
            if self.eat(b';') {
                // `;;`, `;&` or `;;&`.
                if self.eat(b';') {
                    self.eat(b'&');
                } else if !self.eat(b'&') {
                    self.fail("expected ;;");
                }
                continue;
            }
            self.expect_reserved(Reserved::Esac);
            break;
        }
        Compound::Case { subject, arms }
    }

    /// `[(] pattern | pattern )`.
    fn case_patterns(&mut self) -> Vec<Word> {
        self.eat(b'(');
        let mut patterns = Vec::new();
        loop {
            self.blank();
            let word = self.word(Bare::Word);
            if word.parts.is_empty() {
                self.fail("expected a pattern");
            }
            patterns.push(word);
            self.blank();
            if self.eat(b')') {
                return patterns;
            }
            if !self.eat(b'|') {
                self.fail("expected ) after a pattern");
                return patterns;
            }
        }
    }
}
