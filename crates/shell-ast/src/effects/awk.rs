//! Looks through awk programs for what does more than print (POSIX awk; gawk manual).

/// What a program does beside printing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// `system()`, `print | "cmd"`, `"cmd" | getline`, `|&`
    Runs,
    /// `print > file`
    Writes,
    /// `getline < file`, `ARGV[1] = file`
    Reads,
    /// `ENVIRON`
    Secret,
    /// `@load`, `@include`, an indirect call, a name that gives access to everything
    Unknown,
}

/// The first thing that a program does beside printing, or that can't be told apart.
pub(super) fn deed(program: &str) -> Option<Deed> {
    let mut scanner = Scanner { rest: program.chars().peekable(), last: Last::Operator, print: None, depth: 0 };
    scanner.run().err()
}

/// What stood before: decides whether `/` begins a regular expression or divides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Operator,
    Operand,
    Parenthesis,
}

struct Scanner<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    last: Last,
    /// Inside the arguments of `print` or `printf`, at this depth of parentheses.
    print: Option<u32>,
    depth: u32,
}

impl Scanner<'_> {
    fn run(&mut self) -> Result<(), Deed> {
        while let Some(letter) = self.rest.next() {
            match letter {
                '"' => self.string()?,
                '/' if self.last == Last::Operator => self.regex()?,
                '/' if self.last == Last::Parenthesis => {
                    // `(a + b) / c` or `if (a) /c/`: a regular expression would end on this line.
                    if self.rest.clone().take_while(|next| *next != '\n').any(|next| next == '/') {
                        return Err(Deed::Unknown);
                    }
                    self.last = Last::Operator;
                }
                '#' => while self.rest.next_if(|next| *next != '\n').is_some() {},
                // A statement goes on in the next line after a comma, `&&`, `||` and `\`.
                '\n' if self.last == Last::Operator => {}
                '\n' | ';' | '{' | '}' => {
                    self.print = None;
                    // `}` ends an operand position in no expression: a pattern may follow.
                    self.last = Last::Operator;
                }
                '\\' => {
                    self.rest.next();
                }
                letter if letter.is_whitespace() => {}
                letter if letter.is_ascii_alphabetic() || letter == '_' => self.name(letter)?,
                letter if letter.is_ascii_digit() || letter == '.' => self.last = Last::Operand,
                letter => self.operator(letter)?,
            }
        }
        Ok(())
    }

    fn operator(&mut self, letter: char) -> Result<(), Deed> {
        self.last = Last::Operator;
        match letter {
            '(' | '[' => self.depth = self.depth.saturating_add(1),
            ')' => {
                self.depth = self.depth.saturating_sub(1);
                self.last = Last::Parenthesis;
            }
            ']' => {
                self.depth = self.depth.saturating_sub(1);
                self.last = Last::Operand;
            }
            '|' => {
                if self.rest.next_if_eq(&'|').is_none() {
                    return Err(Deed::Runs);
                }
            }
            '>' if self.print == Some(self.depth) => return self.output(),
            '+' | '-' => {
                // `x++ / 2` divides; `++ /re/` makes no sense.
                if self.rest.next_if_eq(&letter).is_some() {
                    self.last = Last::Operand;
                }
            }
            ',' | '!' | '~' | '<' | '>' | '=' | '&' | '*' | '%' | '^' | '?' | ':' | '$' | '/' => {}
            _ => return Err(Deed::Unknown),
        }
        Ok(())
    }

    /// After `print … >`: only the standard streams are no files.
    fn output(&mut self) -> Result<(), Deed> {
        self.rest.next_if_eq(&'>');
        while self.rest.next_if(|next| *next == ' ').is_some() {}
        if self.rest.next_if_eq(&'"').is_none() {
            return Err(Deed::Writes);
        }
        let mut name = String::new();
        while let Some(letter) = self.rest.next_if(|next| *next != '"') {
            name.push(letter);
        }
        self.rest.next();
        while self.rest.next_if(|next| *next == ' ').is_some() {}
        let ends = matches!(self.rest.peek(), None | Some(';' | '}' | '\n'));
        if ends && matches!(name.as_str(), "/dev/stderr" | "/dev/stdout") { Ok(()) } else { Err(Deed::Writes) }
    }

    fn string(&mut self) -> Result<(), Deed> {
        self.last = Last::Operand;
        while let Some(letter) = self.rest.next() {
            match letter {
                '\\' => {
                    self.rest.next();
                }
                '"' => return Ok(()),
                '\n' => return Err(Deed::Unknown),
                _ => {}
            }
        }
        Err(Deed::Unknown)
    }

    /// gawk takes a slash inside a bracket expression literally, mawk ends the expression there.
    fn regex(&mut self) -> Result<(), Deed> {
        self.last = Last::Operand;
        let mut bracket = false;
        while let Some(letter) = self.rest.next() {
            match letter {
                '\\' => {
                    self.rest.next();
                }
                '/' if bracket => return Err(Deed::Unknown),
                '/' => return Ok(()),
                '[' => bracket = true,
                ']' => bracket = false,
                '\n' => return Err(Deed::Unknown),
                _ => {}
            }
        }
        Err(Deed::Unknown)
    }

    fn name(&mut self, first: char) -> Result<(), Deed> {
        let mut name = String::from(first);
        while let Some(letter) = self.rest.next_if(|next| next.is_ascii_alphanumeric() || *next == '_') {
            name.push(letter);
        }
        self.last = Last::Operand;
        match name.as_str() {
            "system" => Err(Deed::Runs),
            "getline" | "ARGV" | "ARGC" | "ARGIND" => Err(Deed::Reads),
            "ENVIRON" => Err(Deed::Secret),
            "SYMTAB" | "FUNCTAB" => Err(Deed::Unknown),
            "print" | "printf" => {
                self.print = Some(self.depth);
                self.last = Last::Operator;
                Ok(())
            }
            "in" | "return" | "if" | "else" | "while" | "do" | "for" | "case" | "delete" | "exit" | "BEGIN" | "END" => {
                self.last = Last::Operator;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}
