//! Lists, pipelines, functions, `coproc`: how commands are put together.

use super::{
    ast::{AndOr, AndOrOp, Command, List, ListItem, PipeOp, Pipeline, Stage, Terminator, Word, WordPart},
    bare::Bare,
    cursor::Parser,
    reserved::Reserved,
    simple::First,
};

impl Parser<'_> {
    /// Commands up to the end of the text, a `)`, a `;;` or a reserved word that ends a list. May be empty.
    pub(super) fn list(&mut self) -> List {
        let mut items = Vec::new();
        loop {
            self.newlines();
            if self.at_list_end() {
                break;
            }
            let and_or = self.and_or();
            let mut terminator = Terminator::Sequence;
            self.blank();
            let more = match self.peek() {
                Some(b'\n') => self.newline(),
                Some(b';') if !self.at_case_end() => {
                    self.bump();
                    true
                }
                Some(b'&') => {
                    self.bump();
                    terminator = Terminator::Background;
                    true
                }
                Some(_) | None => false,
            };
            items.push(ListItem { and_or, terminator });
            if !more {
                break;
            }
        }
        List { items }
    }

    /// A list that must hold a command.
    pub(super) fn full_list(&mut self) -> List {
        let list = self.list();
        if list.items.is_empty() {
            self.fail("expected a command");
        }
        list
    }

    fn at_list_end(&mut self) -> bool {
        match self.peek() {
            None | Some(b')') => true,
            Some(b';') => self.at_case_end(),
            Some(b'}' | b'd' | b'e' | b'f' | b't') => self.reserved().is_some_and(Reserved::closes),
            Some(_) => false,
        }
    }

    /// At `;;` or `;&`.
    fn at_case_end(&mut self) -> bool {
        matches!(self.second(), Some(b';' | b'&'))
    }

    fn and_or(&mut self) -> AndOr {
        let first = self.pipeline();
        let mut rest = Vec::new();
        loop {
            self.blank();
            let op = match (self.peek(), self.second()) {
                (Some(b'&'), Some(b'&')) => AndOrOp::And,
                (Some(b'|'), Some(b'|')) => AndOrOp::Or,
                _ => return AndOr { first, rest },
            };
            self.bump();
            self.peek();
            self.bump();
            self.newlines();
            rest.push((op, self.pipeline()));
        }
    }

    fn pipeline(&mut self) -> Pipeline {
        let start = self.blank();
        let mut pipeline =
            Pipeline { timed: false, negated: false, stages: Vec::new(), span: crate::Span::new(start, start) };
        let mut prefixed = false;
        loop {
            let found = match self.peek() {
                Some(b'!') if self.eat_reserved(Reserved::Bang) => {
                    pipeline.negated = !pipeline.negated;
                    true
                }
                Some(b't') if self.eat_reserved(Reserved::Time) => {
                    pipeline.timed = true;
                    self.blank();
                    if self.eat_plain(b"-p") {
                        self.blank();
                    }
                    self.eat_plain(b"--");
                    true
                }
                Some(_) | None => false,
            };
            if !found {
                break;
            }
            prefixed = true;
            self.blank();
        }
        let bare = prefixed
            && match self.peek() {
                None | Some(b'\n') => true,
                Some(b';') => !self.at_case_end(),
                Some(_) => false,
            };
        if !bare {
            self.stages(&mut pipeline.stages);
        }
        pipeline.span = self.span(start);
        pipeline
    }

    fn stages(&mut self, stages: &mut Vec<Stage>) {
        loop {
            let Some(command) = self.command() else {
                self.fail("expected a command");
                return;
            };
            self.blank();
            let pipe = match (self.peek(), self.second()) {
                (Some(b'|'), Some(b'|')) => None,
                (Some(b'|'), Some(b'&')) => Some(PipeOp::Both),
                (Some(b'|'), _) => Some(PipeOp::Stdout),
                _ => None,
            };
            stages.push(Stage { command, pipe });
            let Some(pipe) = pipe else { return };
            self.bump();
            if pipe == PipeOp::Both {
                self.peek();
                self.bump();
            }
            self.newlines();
            // `!` is not allowed after a pipe; `time` is an ordinary command name there.
            if self.peek() == Some(b'!') && self.reserved() == Some(Reserved::Bang) {
                self.fail("! after a pipe");
            }
        }
    }

    /// One command, or `None` if none starts here.
    pub(super) fn command(&mut self) -> Option<Command> {
        self.count();
        let start = self.blank();
        match self.peek()? {
            b'(' => return self.compound(),
            b'{' | b'[' | b']' | b'a'..=b'z' | b'}' => {}
            _ => return self.simple_or_function(start),
        }
        match self.reserved() {
            None | Some(Reserved::Time) => self.simple_or_function(start),
            Some(Reserved::Coproc) => {
                self.eat_reserved(Reserved::Coproc);
                Some(self.coproc(start))
            }
            Some(Reserved::Function) => {
                self.eat_reserved(Reserved::Function);
                Some(self.function_keyword(start))
            }
            Some(word) if word.opens() => self.compound(),
            Some(_) => None,
        }
    }

    fn simple_or_function(&mut self, start: usize) -> Option<Command> {
        let (simple, call) = self.simple(start, First::Unread);
        if let Some(name) = call {
            self.bump();
            self.blank();
            if !self.eat(b')') {
                self.fail("expected ) of a function definition");
            }
            return Some(self.function_body(name, start));
        }
        let empty = simple.words.is_empty() && simple.assignments.is_empty() && simple.redirects.is_empty();
        (!empty).then_some(Command::Simple(simple))
    }

    /// After `function`.
    fn function_keyword(&mut self, start: usize) -> Command {
        self.blank();
        let name = self.word(Bare::Word);
        self.blank();
        if self.peek() == Some(b'(') {
            // `function f (list)` has a subshell for a body.
            let mark = self.mark();
            self.bump();
            self.blank();
            if !self.eat(b')') {
                self.reset(mark);
                if self.second() == Some(b'(') {
                    self.fail("(( right after the name of a function");
                }
            }
        }
        self.function_body(name, start)
    }

    fn function_body(&mut self, name: Word, start: usize) -> Command {
        // Bash refuses a name with quotes or expansions only when it comes to define it.
        if !matches!(name.parts.as_slice(), [WordPart::Unquoted(_)]) {
            self.fail("a function name that is not plain");
        }
        self.newlines();
        let body = self.compound().unwrap_or_else(|| {
            self.fail("expected the body of a function");
            Command::Simple(super::ast::Simple::default())
        });
        Command::Function { name, body: Box::new(body), span: self.span(start) }
    }

    /// After `coproc`. A name is read only before a compound command.
    fn coproc(&mut self, start: usize) -> Command {
        let inner = self.blank();
        if let Some(body) = self.compound() {
            return Command::Coproc { name: None, body: Box::new(body), span: self.span(start) };
        }
        if self.reserved().is_some() {
            self.fail("a reserved word after coproc");
        }
        let first = if self.at_plain_word() { First::Word(self.word(Bare::Word)) } else { First::Unread };
        let mut name = None;
        let body = match first {
            First::Word(word) => {
                self.blank();
                match self.compound() {
                    Some(body) => {
                        if let [WordPart::Unquoted(text)] = word.parts.as_slice() {
                            name = Some(text.clone());
                        } else {
                            self.fail("a coproc name that is not plain");
                        }
                        body
                    }
                    None => Command::Simple(self.simple(inner, First::Word(word)).0),
                }
            }
            First::Unread => Command::Simple(self.simple(inner, First::Unread).0),
        };
        if matches!(&body, Command::Simple(simple) if *simple == super::ast::Simple { span: simple.span, ..Default::default() })
        {
            self.fail("expected a command after coproc");
        }
        if self.peek() == Some(b'(') {
            self.fail("unexpected (");
        }
        Command::Coproc { name, body: Box::new(body), span: self.span(start) }
    }

    /// A word that is neither an assignment nor a redirect could start here: letters, digits and `-`, `.`, `/` to its end.
    fn at_plain_word(&mut self) -> bool {
        let mark = self.mark();
        let mut any = false;
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/'))
        {
            self.bump();
            any = true;
        }
        let plain = any && !matches!(self.peek(), Some(b'<' | b'>')) && self.at_word_end();
        self.reset(mark);
        plain
    }
}
