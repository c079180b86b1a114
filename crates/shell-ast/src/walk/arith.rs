//! Arithmetic text: not evaluated, only searched for what could run.
//!
//! Bash evaluates a variable's *value* as an expression again, and a subscript in it is expanded like a word:
//! `x='a[$(cmd)]'; (( x ))` runs `cmd`. So a name is harmless only if its value is known to be an integer.

/// An optional sign and digits.
pub(crate) fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Identifiers in arithmetic text. Numbers such as `0x1f` and `16#ff` are not.
pub(crate) fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '#'))
        .filter(|piece| piece.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

/// Names that plain `name = …` assigns at the start of a comma-separated part, before anything reads them.
pub(crate) fn assigned_first(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').filter_map(|part| {
        let (name, value) = part.split_once('=')?;
        let name = name.trim();
        let plain = !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && !name.starts_with(|c: char| c.is_ascii_digit());
        (plain && !value.starts_with('=')).then_some(name)
    })
}

/// Variables that bash itself sets to an integer (bash manual, "Bash Variables", "Special Parameters").
pub(crate) fn always_integer(name: &str) -> bool {
    matches!(
        name,
        "#" | "?"
            | "$"
            | "!"
            | "RANDOM"
            | "SRANDOM"
            | "SECONDS"
            | "LINENO"
            | "EPOCHSECONDS"
            | "BASHPID"
            | "PPID"
            | "UID"
            | "EUID"
    )
}

#[cfg(test)]
mod tests {
    use super::{assigned_first, is_integer, names};

    #[test]
    fn names_are_found_and_numbers_are_not() {
        assert_eq!(names("i + 0x1f * _b[c] - 16#ff").collect::<Vec<_>>(), ["i", "_b", "c"]);
    }

    #[test]
    fn only_a_plain_leading_assignment_sets_a_name_before_it_is_read() {
        assert_eq!(assigned_first(" i=0, j = i").collect::<Vec<_>>(), ["i", "j"]);
        assert_eq!(assigned_first("i==0").count(), 0);
        assert_eq!(assigned_first("i+=1").count(), 0);
        assert_eq!(assigned_first("a[i]=1").count(), 0);
    }

    #[test]
    fn integers_have_digits_only() {
        for (text, expected) in [("5", true), ("-5", true), ("", false), ("-", false), ("a", false), ("5a", false)] {
            assert_eq!(is_integer(text), expected, "{text}");
        }
    }
}
