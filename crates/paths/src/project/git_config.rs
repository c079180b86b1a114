//! The syntax of git's configuration files (git-config(1), "Syntax"): exactly what git accepts, or an error.

/// One setting. Section and key are in lower case, as git compares them; the subsection keeps its case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) section: String,
    pub(super) subsection: Option<String>,
    pub(super) key: String,
    /// `None`: the key stood without `=`, which means true.
    pub(super) value: Option<String>,
}

/// Reads all settings; `Err` is the number of the line that is no configuration.
pub(super) fn parse(text: &str) -> Result<Vec<Setting>, usize> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader { rest: text, line: 1 };
    let mut section: Option<(String, Option<String>)> = None;
    let mut settings = Vec::new();
    while let Some(c) = reader.peek() {
        match c {
            '#' | ';' => reader.skip_line(),
            c if c.is_ascii_whitespace() => {
                reader.next();
            }
            '[' => {
                reader.next();
                section = Some(reader.section().ok_or(reader.line)?);
            }
            c if c.is_ascii_alphabetic() => {
                let (name, subsection) = section.clone().ok_or(reader.line)?;
                let (key, value) = reader.setting().ok_or(reader.line)?;
                settings.push(Setting { section: name, subsection, key, value });
            }
            _ => return Err(reader.line),
        }
    }
    Ok(settings)
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        // git drops the carriage return of a line end.
        let c = self.rest.chars().next()?;
        if c == '\r' && self.rest.starts_with("\r\n") { Some('\n') } else { Some(c) }
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        let mut chars = self.rest.chars();
        if chars.next() == Some('\r') && c == '\n' {
            chars.next();
        }
        self.rest = chars.as_str();
        if c == '\n' {
            self.line = self.line.saturating_add(1);
        }
        Some(c)
    }

    fn skip_line(&mut self) {
        while self.next().is_some_and(|c| c != '\n') {}
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(|c| c != '\n' && c.is_ascii_whitespace()) {
            self.next();
        }
    }

    /// After `[`: `name]`, `name.sub]` (old, in lower case) or `name "sub"]`.
    fn section(&mut self) -> Option<(String, Option<String>)> {
        let mut name = String::new();
        loop {
            match self.next()? {
                ']' => {
                    let (section, old) = match name.split_once('.') {
                        Some((section, rest)) => (section.to_owned(), Some(rest.to_owned())),
                        None => (name, None),
                    };
                    return Some((section, old));
                }
                c if c.is_ascii_alphanumeric() || c == '-' || c == '.' => name.push(c.to_ascii_lowercase()),
                ' ' | '\t' => break,
                _ => return None,
            }
        }
        self.skip_blanks();
        if self.next()? != '"' {
            return None;
        }
        let mut sub = String::new();
        loop {
            match self.next()? {
                '\n' => return None,
                '"' => break,
                '\\' => sub.push(self.next().filter(|c| *c != '\n')?),
                c => sub.push(c),
            }
        }
        if self.next()? != ']' {
            return None;
        }
        // `[a.b "c"]` is the section a with the subsection b.c
        match name.split_once('.') {
            Some((section, rest)) => Some((section.to_owned(), Some(format!("{rest}.{sub}")))),
            None => Some((name, Some(sub))),
        }
    }

    fn setting(&mut self) -> Option<(String, Option<String>)> {
        let mut key = String::new();
        while let Some(c) = self.peek().filter(|c| c.is_ascii_alphanumeric() || *c == '-') {
            key.push(c.to_ascii_lowercase());
            self.next();
        }
        while matches!(self.peek(), Some(' ' | '\t')) {
            self.next();
        }
        match self.peek() {
            None | Some('\n') => Some((key, None)),
            Some('=') => {
                self.next();
                Some((key, Some(self.value()?)))
            }
            Some(_) => None,
        }
    }

    fn value(&mut self) -> Option<String> {
        self.skip_blanks();
        let mut value = String::new();
        // How much of `value` is kept when blanks at its end are cut; quoted blanks stay.
        let mut kept = 0;
        let mut quoted = false;
        loop {
            match self.next() {
                None | Some('\n') if quoted => return None,
                None | Some('\n') => break,
                Some('"') => quoted = !quoted,
                Some('#' | ';') if !quoted => {
                    self.skip_line();
                    break;
                }
                Some('\\') => match self.next() {
                    Some('\n') => continue,
                    Some('n') => value.push('\n'),
                    Some('t') => value.push('\t'),
                    Some('b') => value.push('\u{8}'),
                    Some(c @ ('\\' | '"')) => value.push(c),
                    Some(_) | None => return None,
                },
                Some(c) if !quoted && c.is_ascii_whitespace() => {
                    value.push(c);
                    continue;
                }
                Some(c) => value.push(c),
            }
            kept = value.len();
        }
        value.truncate(kept);
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_as_git_reads_them() {
        // Columns: text, the settings as `git config --list` prints them, or the line of the error.
        for (text, expected) in [
            ("[core]\n\tbare = false\n", Ok("core.bare=false")),
            ("[CORE] FSMonitor = x", Ok("core.fsmonitor=x")),
            ("[core]fsmonitor=x", Ok("core.fsmonitor=x")),
            ("[remote \"Or\\\"i]gin\"]\nurl = u", Ok("remote.Or\"i]gin.url=u")),
            ("[diff.FOO]\ncommand = c", Ok("diff.foo.command=c")),
            ("[a]\nb = x \\\n y # c", Ok("a.b=x  y")),
            ("[a]\nb = \"x # y\" ; z", Ok("a.b=x # y")),
            ("[a]\r\nb = x\r\n", Ok("a.b=x")),
            ("[a]\nb\n", Ok("a.b")),
            ("# [a]\n; b\n", Ok("")),
            ("\u{feff}[a]\nb=c", Ok("a.b=c")),
            ("[a]\nb = \"x", Err(2)),
            ("b = x", Err(1)),
            ("[a\nb=c", Err(2)),
            ("[a]\nb c", Err(2)),
            ("[a]\nb = \\q", Err(2)),
            ("[a]\n=x", Err(2)),
        ] {
            let found = parse(text).map(|settings| settings.iter().map(print).collect::<Vec<_>>().join("\n"));
            assert_eq!(found.as_deref().map_err(|line| *line), expected, "{text:?}");
        }
    }

    fn print(setting: &Setting) -> String {
        let sub = setting.subsection.as_ref().map_or_else(String::new, |sub| format!("{sub}."));
        let value = setting.value.as_ref().map_or_else(String::new, |value| format!("={value}"));
        format!("{}.{sub}{}{value}", setting.section, setting.key)
    }
}
