//! Text that other people wrote, made safe to show.

/// One line without anything that a terminal would act on: control characters and characters that change the direction of
/// text are spelt out, so that a command can't repaint the screen of the person who looks at it.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push(' '),
            c if c.is_control() || is_directional(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// Unicode's embeddings, overrides, isolates, marks, and the characters without width (UAX #9; UTS #55, source code spoofing).
const fn is_directional(c: char) -> bool {
    matches!(c, '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// At most `limit` characters; a longer text keeps its start and says how much is missing.
pub(crate) fn clip(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((end, _)) => {
            let (kept, rest) = text.split_at_checked(end).unwrap_or((text, ""));
            format!("{kept} [… {} more characters]", rest.chars().count())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_acts_on_is_left() {
        for (text, shown) in [
            ("ls -l", "ls -l"),
            ("a\nb", "a\\nb"),
            ("\u{1b}[2J", "\\u{1b}[2J"),
            ("a\u{202e}b", "a\\u{202e}b"),
            ("\u{7f}\u{9b}", "\\u{7f}\\u{9b}"),
            ("größe 🦀", "größe 🦀"),
        ] {
            assert_eq!(plain(text), shown);
        }
    }

    #[test]
    fn a_long_text_says_what_is_missing() {
        assert_eq!(clip("äöü", 3), "äöü");
        assert_eq!(clip("äöüx", 3), "äöü [… 1 more characters]");
    }
}
