//! Text from outside, made fit for one line of a log or terminal.

use crate::prompt::is_hidden;

/// One line of at most `max` characters: white space and control characters (terminal escapes among them) become single spaces.
pub(crate) fn one_line(text: &str, max: usize) -> String {
    let mut line = String::new();
    let mut count = 0_usize;
    for c in text.chars() {
        let gap = c.is_whitespace() || c.is_control() || is_hidden(c);
        if gap && (line.is_empty() || line.ends_with(' ')) {
            continue;
        }
        if count >= max {
            line.push('…');
            break;
        }
        line.push(if gap { ' ' } else { c });
        count = count.saturating_add(1);
    }
    line.truncate(line.trim_end().len());
    line
}

/// The text cut to at most `max` bytes on a character boundary.
pub(crate) fn bounded(text: &str, max: usize) -> &str {
    let end = (0..=max.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    text.get(..end.unwrap_or(0)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outside_text_becomes_one_harmless_line() {
        for (text, max, line) in [
            ("  a\r\n\tb  ", 99, "a b"),
            ("\u{1b}[31mred\u{1b}[0m", 99, "[31mred [0m"),
            ("a\u{202e}b\u{200b}c", 99, "a b c"),
            ("🦀🦀🦀", 2, "🦀🦀…"),
            ("", 5, ""),
        ] {
            assert_eq!(one_line(text, max), line, "{text:?}");
        }
        assert_eq!(bounded("aé", 2), "a");
    }
}
