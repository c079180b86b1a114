//! Variables that look like secrets.

use super::judge::Judge;
use crate::analysis::{Part, Word};

/// Parts of names (between `_`) that mean a secret, whatever stands beside them.
const STRONG: &[&str] = &[
    "TOKEN",
    "TOKENS",
    "SECRET",
    "SECRETS",
    "PASSWORD",
    "PASSWORDS",
    "PASSWD",
    "PASSPHRASE",
    "PASS",
    "APIKEY",
    "CREDENTIAL",
    "CREDENTIALS",
    "COOKIE",
    "COOKIES",
    "JWT",
    "PAT",
    "DSN",
    "BEARER",
    "MNEMONIC",
];

/// Endings that mean a secret together with what stands before them (`AWS_ACCESS_KEY_ID`, `DATABASE_URL` …).
const ENDINGS: &[&str] = &[
    "_KEY",
    "_KEY_ID",
    "_KEYS",
    "_AUTH",
    "_CREDS",
    "DATABASE_URL",
    "REDIS_URL",
    "MONGO_URL",
    "MONGODB_URI",
    "AMQP_URL",
    "CONNECTION_STRING",
    "CONN_STR",
    "WEBHOOK_URL",
];

/// Names of [`ENDINGS`] that hold no secret.
const HARMLESS: &[&str] = &["SORT_KEY", "PRIMARY_KEY", "PUBLIC_KEY", "CACHE_KEY", "FOREIGN_KEY"];

/// A variable of this name probably holds a secret.
///
/// Names in lower case are a script's own; only those with a strong part count.
pub(super) fn is_secret_name(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    if upper.split('_').any(|part| STRONG.contains(&part)) {
        return true;
    }
    // `GITHUBTOKEN`, `dbpassword`.
    if ["TOKEN", "SECRET", "PASSWORD", "APIKEY"].iter().any(|end| upper.ends_with(end)) {
        return true;
    }
    upper == name && ENDINGS.iter().any(|end| upper.ends_with(end)) && !HARMLESS.iter().any(|end| upper.ends_with(end))
}

/// A secret-like variable is expanded in the word.
pub(super) fn in_word(word: &Word) -> bool {
    in_parts(&word.parts, 4) || (has_dynamic(&word.parts) && in_text(&word.raw))
}

fn in_parts(parts: &[Part], depth: u8) -> bool {
    parts.iter().any(|part| match part {
        Part::Var { name, .. } => is_secret_name(name),
        Part::Choice(values) => match depth.checked_sub(1) {
            Some(depth) => values.iter().any(|value| in_parts(value, depth)),
            None => true,
        },
        Part::Text(_) | Part::Glob(_) | Part::Tilde(_) | Part::Dynamic { .. } => false,
    })
}

fn has_dynamic(parts: &[Part]) -> bool {
    parts.iter().any(|part| matches!(part, Part::Dynamic { .. }))
}

/// The source text of an operator expansion (`${API_TOKEN:0:4}`); `${!name}` could name any variable.
fn in_text(raw: &str) -> bool {
    raw.split('$').skip(1).any(|after| {
        let body = after.strip_prefix('{').unwrap_or(after);
        if body.starts_with('!') && after.starts_with('{') {
            return true;
        }
        let body = body.trim_start_matches('#');
        let end = body.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_')).unwrap_or(body.len());
        body.get(..end).is_some_and(is_secret_name)
    })
}

/// Marks a command that is handed a secret-like variable. `test` prints nothing: `[ -z "$API_TOKEN" ]` asks whether it
/// is set.
pub(super) fn judge(judge: &mut Judge<'_>) {
    let quiet = judge.command.words.first().and_then(Word::literal).is_some_and(|name| name == "[" || name == "test");
    let words = judge.words;
    if !quiet && words.iter().any(in_word) {
        judge.secret("a secret-like variable is an argument");
    }
    let assigned = judge.command.assignments.iter().filter_map(|assignment| assignment.value.as_ref()).any(in_word);
    if assigned {
        judge.secret("a secret-like variable is copied to another one");
    }
}
