//! Standard input with a cap.

use std::io::Read;

/// Why input could not be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum InputProblem {
    #[error("nothing came on standard input: a host sends one JSON object")]
    Empty,
    #[error("standard input is larger than {limit} bytes, more than any host sends; the call can't be judged whole")]
    TooLarge { limit: usize },
    #[error("standard input is not UTF-8 text (first bad byte at offset {offset})")]
    NotText { offset: usize },
    #[error("standard input can't be read: {message}")]
    Unreadable { message: String },
}

/// Reads all of `source`, at most `limit` bytes.
///
/// One byte more than the limit is asked for, so a too-large input is told apart from one that just fits, without
/// reading the rest of it: memory stays bounded however much the other side writes.
pub(crate) fn read_bounded(source: impl Read, limit: usize) -> Result<String, InputProblem> {
    let mut bytes = Vec::new();
    let ask = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    source
        .take(ask)
        .read_to_end(&mut bytes)
        .map_err(|error| InputProblem::Unreadable { message: error.to_string() })?;
    if bytes.len() > limit {
        return Err(InputProblem::TooLarge { limit });
    }
    let text =
        String::from_utf8(bytes).map_err(|error| InputProblem::NotText { offset: error.utf8_error().valid_up_to() })?;
    if text.trim().is_empty() { Err(InputProblem::Empty) } else { Ok(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_is_bounded_and_must_be_text() {
        type Row<'a> = (&'a [u8], usize, Result<&'a str, InputProblem>, &'a str);
        let rows: &[Row<'_>] = &[
            (b"{}", 2, Ok("{}"), "just fits"),
            (b"{} ", 2, Err(InputProblem::TooLarge { limit: 2 }), "one byte over"),
            (b"", 8, Err(InputProblem::Empty), "nothing"),
            (b" \n", 8, Err(InputProblem::Empty), "blank"),
            (b"ab\xff", 8, Err(InputProblem::NotText { offset: 2 }), "invalid UTF-8"),
        ];
        for (bytes, limit, expected, why) in rows {
            let got = read_bounded(*bytes, *limit);
            assert_eq!(got.as_deref(), expected.as_ref().map(|text| *text), "{why}");
        }
    }

    #[test]
    fn an_endless_source_is_not_read_to_its_end() {
        let got = read_bounded(std::io::repeat(b'x'), 1024);
        assert_eq!(got, Err(InputProblem::TooLarge { limit: 1024 }));
    }
}
