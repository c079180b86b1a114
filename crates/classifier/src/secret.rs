//! Keys that can't be printed.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};

/// A key or another confidential header value. Trimmed, checked to be sendable, wiped from memory when dropped, never printed.
///
/// ```
/// use portcullis_classifier::Secret;
/// let key = Secret::new(" sk-1234\n").unwrap();
/// assert_eq!(format!("{key:?}"), "Secret(…)");
/// ```
#[derive(Clone)]
pub struct Secret(SecretString);

/// Why a text can't be used as a key. Never quotes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// Nothing but white space.
    #[error("the key is empty")]
    Empty,
    /// Control characters, line breaks or characters beyond ASCII inside: no HTTP header can carry it.
    #[error(
        "the key holds a character that an HTTP header can't carry (a line break inside, or a character beyond ASCII)"
    )]
    Unsendable,
}

impl Secret {
    /// Takes a key as found in a file or variable. White space around it, such as a final newline, is removed.
    pub fn new(text: &str) -> Result<Self, SecretError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(SecretError::Empty);
        }
        if !text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return Err(SecretError::Unsendable);
        }
        Ok(Self(SecretString::from(text)))
    }

    pub(crate) fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    pub(crate) fn inner(&self) -> &SecretString {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_trimmed_and_checked() {
        assert_eq!(Secret::new("\t sk-1 \r\n").unwrap().expose(), "sk-1");
        for (text, error) in [
            ("", SecretError::Empty),
            (" \n", SecretError::Empty),
            ("sk-1\nX-Evil: 1", SecretError::Unsendable),
            ("sk-\u{7f}", SecretError::Unsendable),
            ("sk-é", SecretError::Unsendable),
        ] {
            assert_eq!(Secret::new(text).unwrap_err(), error, "{text:?}");
        }
    }
}
