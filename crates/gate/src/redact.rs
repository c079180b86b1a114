//! Secrets in what is written to disk: a log is read by more people than a command is.

/// Words that, before `=` or `:`, announce a secret. Compared without case, as parts of a name.
const NAMES: &[&str] = &[
    "token",
    "secret",
    "password",
    "passwd",
    "api_key",
    "apikey",
    "api-key",
    "access_key",
    "credential",
    "authorization",
];

/// Prefixes that only secrets have. Sources: the vendors' documentation of their token formats.
const PREFIXES: &[&str] = &[
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "sk-",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "ASIA",
    "AIza",
    "npm_",
    "pypi-",
    "eyJ",
];

/// What stands in a secret's place.
const MARK: &str = "[redacted]";

/// `text` with what looks like a secret taken out. Errs on the side of taking out too much: it is only ever used for summaries.
pub(crate) fn redact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut hide_next = false;
    // `"password": "…"`: the name, then the sign alone.
    let mut after_name = false;
    for piece in text.split_inclusive(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | '{' | '}')) {
        let word = piece.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | '{' | '}'));
        let rest = piece.get(word.len()..).unwrap_or_default();
        if word.is_empty() {
            out.push_str(rest);
            continue;
        }
        if after_name && matches!(word, ":" | "=") {
            hide_next = true;
            out.push_str(piece);
            continue;
        }
        let (shown, next) = redact_word(word, hide_next);
        out.push_str(&shown);
        out.push_str(rest);
        hide_next = next;
        after_name = is_name(word);
    }
    out
}

/// Whether a name announces a secret.
fn is_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    NAMES.iter().any(|secret| name.contains(secret))
}

/// The word to show, and whether the next one is a secret (`--token VALUE`, `Authorization: Bearer VALUE`).
fn redact_word(word: &str, hide: bool) -> (String, bool) {
    let lower = word.to_ascii_lowercase();
    if hide && matches!(lower.as_str(), "bearer" | "basic" | ":" | "=") {
        return (word.to_owned(), true);
    }
    if hide || PREFIXES.iter().any(|prefix| word.starts_with(prefix) && word.len() > prefix.len().saturating_add(8)) {
        return (MARK.to_owned(), false);
    }
    if let Some((name, value)) = word.split_once(['=', ':']).filter(|(name, _)| is_name(name)) {
        let sign = word.get(name.len()..=name.len()).unwrap_or_default();
        return if value.is_empty() { (word.to_owned(), true) } else { (format!("{name}{sign}{MARK}"), false) };
    }
    // A long option that takes its value as the next word.
    (word.to_owned(), lower.starts_with("--") && is_name(&lower))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_leave_and_the_rest_stays() {
        let rows = [
            ("git status", "git status"),
            ("GITHUB_TOKEN=abc123 gh pr list", "GITHUB_TOKEN=[redacted] gh pr list"),
            (
                "curl -H 'Authorization: Bearer abc.def' https://x",
                "curl -H 'Authorization: Bearer [redacted]' https://x",
            ),
            ("deploy --token s3cr3t now", "deploy --token [redacted] now"),
            ("echo ghp_0123456789abcdef", "echo [redacted]"),
            ("{\"password\":\"hunter2\",\"user\":\"a\"}", "{\"password\":\"[redacted]\",\"user\":\"a\"}"),
            ("grep token src", "grep token src"),
            ("sk-", "sk-"),
        ];
        for (text, expected) in rows {
            assert_eq!(redact(text), expected, "{text}");
        }
    }
}
