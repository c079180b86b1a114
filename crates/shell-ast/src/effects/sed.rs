//! Reads sed scripts command by command (POSIX sed; GNU sed manual, "sed scripts").

/// What a script does beside printing.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// `r`, `R`
    Reads(String),
    /// `w`, `W`, `s///w`
    Writes(String),
    /// `e`, `s///e`
    Runs,
}

/// Everything a script does, or the text that was not understood.
pub(super) fn deeds(script: &str) -> Result<Vec<Deed>, &'static str> {
    let mut reader = Reader { rest: script.chars().peekable(), deeds: Vec::new() };
    reader.script()?;
    Ok(reader.deeds)
}

struct Reader<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    deeds: Vec<Deed>,
}

impl Reader<'_> {
    fn skip(&mut self, wanted: impl Fn(char) -> bool) {
        while self.rest.next_if(|letter| wanted(*letter)).is_some() {}
    }

    fn script(&mut self) -> Result<(), &'static str> {
        loop {
            self.skip(|letter| letter.is_ascii_whitespace() || letter == ';');
            if self.rest.peek().is_none() {
                return Ok(());
            }
            self.addresses()?;
            let Some(command) = self.rest.next() else {
                return Err("an address without a command");
            };
            self.command(command)?;
        }
    }

    fn addresses(&mut self) -> Result<(), &'static str> {
        self.address()?;
        self.skip(blank);
        if self.rest.next_if_eq(&',').is_some() {
            self.skip(blank);
            self.skip(|letter| letter == '+' || letter == '~');
            self.address()?;
        }
        self.skip(|letter| blank(letter) || letter == '!');
        Ok(())
    }

    fn address(&mut self) -> Result<(), &'static str> {
        match self.rest.peek() {
            Some('0'..='9') => self.skip(|letter| letter.is_ascii_digit() || letter == '~'),
            Some('$') => {
                self.rest.next();
            }
            Some('/') => {
                self.rest.next();
                self.regex('/')?;
                self.skip(|letter| letter == 'I' || letter == 'M');
            }
            Some('\\') => {
                self.rest.next();
                let Some(delimiter) =
                    self.rest.next().filter(|letter| !letter.is_ascii_whitespace() && *letter != '\\')
                else {
                    return Err("an address without its delimiter");
                };
                self.regex(delimiter)?;
                self.skip(|letter| letter == 'I' || letter == 'M');
            }
            Some(_) | None => {}
        }
        Ok(())
    }

    /// Up to the delimiter. BSD sed takes a delimiter inside a bracket expression literally, GNU sed ends there: a
    /// script where that matters is not understood.
    fn regex(&mut self, delimiter: char) -> Result<(), &'static str> {
        let mut bracket = false;
        while let Some(letter) = self.rest.next() {
            match letter {
                '\\' => {
                    self.rest.next();
                }
                '\n' => return Err("a line break in a regular expression"),
                _ if letter == delimiter => {
                    return if bracket { Err("a delimiter inside a bracket expression") } else { Ok(()) };
                }
                '[' if bracket => {
                    // `[:alpha:]`, `[.x.]`, `[=x=]`: their closing bracket does not end the expression.
                    if let Some(kind) = self.rest.next_if(|next| matches!(next, ':' | '.' | '=')) {
                        self.skip(|next| next != kind && next != '\n');
                        self.rest.next();
                        self.rest.next_if_eq(&']');
                    }
                }
                '[' => {
                    bracket = true;
                    self.rest.next_if_eq(&'^');
                    self.rest.next_if_eq(&']');
                }
                ']' => bracket = false,
                _ => {}
            }
        }
        Err("a regular expression without an end")
    }

    fn replacement(&mut self, delimiter: char) -> Result<(), &'static str> {
        while let Some(letter) = self.rest.next() {
            match letter {
                '\\' => {
                    self.rest.next();
                }
                // GNU sed refuses it; where labels reach to the end of the line, this was no replacement.
                '\n' => return Err("a bare line break in a replacement"),
                _ if letter == delimiter => return Ok(()),
                _ => {}
            }
        }
        Err("a replacement without an end")
    }

    fn command(&mut self, command: char) -> Result<(), &'static str> {
        match command {
            '{' | '}' => Ok(()),
            '#' => {
                self.line();
                Ok(())
            }
            '=' | 'd' | 'D' | 'F' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z' => self.end(),
            'l' | 'L' | 'q' | 'Q' => {
                self.skip(|letter| blank(letter) || letter.is_ascii_digit());
                self.end()
            }
            ':' | 'b' | 't' | 'T' | 'v' => {
                self.skip(blank);
                self.skip(|letter| !letter.is_ascii_whitespace() && letter != ';');
                Ok(())
            }
            'a' | 'i' | 'c' => {
                self.text();
                Ok(())
            }
            'r' | 'R' => {
                let file = self.file_name()?;
                self.deeds.push(Deed::Reads(file));
                Ok(())
            }
            'w' | 'W' => {
                let file = self.file_name()?;
                self.deeds.push(Deed::Writes(file));
                Ok(())
            }
            'e' => {
                self.deeds.push(Deed::Runs);
                self.line();
                Ok(())
            }
            's' => self.substitute(),
            'y' => {
                let delimiter = self.delimiter()?;
                self.regex(delimiter)?;
                self.replacement(delimiter)?;
                self.end()
            }
            _ => Err("a command that is not in its table"),
        }
    }

    fn delimiter(&mut self) -> Result<char, &'static str> {
        self.rest.next().filter(|letter| !matches!(letter, '\n' | '\\')).ok_or("a command without its delimiter")
    }

    fn substitute(&mut self) -> Result<(), &'static str> {
        let delimiter = self.delimiter()?;
        self.regex(delimiter)?;
        self.replacement(delimiter)?;
        loop {
            match self.rest.peek() {
                Some('g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9') => {
                    self.rest.next();
                }
                Some('e') => {
                    self.rest.next();
                    self.deeds.push(Deed::Runs);
                }
                Some('w') => {
                    self.rest.next();
                    let file = self.file_name()?;
                    self.deeds.push(Deed::Writes(file));
                    return Ok(());
                }
                Some(_) | None => return self.end(),
            }
        }
    }

    /// A command ends at a blank, `;`, `}`, `#` or the end of the line.
    fn end(&mut self) -> Result<(), &'static str> {
        self.skip(blank);
        match self.rest.peek() {
            None | Some('\n' | '\r' | ';' | '}' | '#') => Ok(()),
            Some(_) => Err("text after a command"),
        }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        for letter in self.rest.by_ref() {
            if letter == '\n' {
                break;
            }
            line.push(letter);
        }
        line
    }

    fn file_name(&mut self) -> Result<String, &'static str> {
        self.skip(blank);
        let name = self.line();
        if name.is_empty() { Err("a file name is missing") } else { Ok(name) }
    }

    /// Text of `a`, `i`, `c`: to the end of a line that does not end with a backslash. GNU's one-line form and the
    /// classic `a\` form read the same that way, save for an `a\` at the very end of a line, whose text follows.
    fn text(&mut self) {
        while let Some(letter) = self.rest.next() {
            match letter {
                '\\' => {
                    self.rest.next();
                }
                '\n' => return,
                _ => {}
            }
        }
    }
}

fn blank(letter: char) -> bool {
    letter == ' ' || letter == '\t'
}
