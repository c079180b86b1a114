//! `providers`: where models are reached. Keys never stand in settings, only the names of their variables.

use std::collections::BTreeMap;

use crate::diagnostic as found;
use crate::effective::{ApiKind, Provider, TokenField};
use crate::json::Kind;
use crate::low::{Field, Low};
use crate::reader::{At, Reader, name, nearest};

const KEYS: &[&str] = &["baseUrl", "api", "keyVariable", "headers", "tokenField", "allowInsecureHttp"];

/// Reads `providers`.
pub(crate) fn read(low: &mut Low, r: &mut Reader, at: &At<'_>) {
    let Some(members) = r.members(at) else { return };
    for (id, _, at) in members {
        if id.is_empty() || id.contains(|c: char| c == '/' || c.is_whitespace() || c.is_control()) {
            let message = "a provider's name has no blanks and no slash; ignored".to_owned();
            r.report(found::BAD_ENTRY, &at, message, Some("models are written as provider/model-id".to_owned()));
            continue;
        }
        let provider = read_one(r, &at);
        low.providers.push((id.to_owned(), provider));
    }
}

fn read_one(r: &mut Reader, at: &At<'_>) -> Provider {
    let before = r.errors;
    let mut provider = Provider {
        base_url: None,
        api: None,
        key_variable: None,
        headers: BTreeMap::new(),
        token_field: None,
        allow_insecure_http: false,
        usable: true,
        source: r.source(at, 0),
    };
    for (key, line, at) in r.members(at).unwrap_or_default() {
        match key {
            "baseUrl" => {
                provider.base_url = checked(r, &at, "an http:// or https:// address", is_url)
                    .map(|url| url.trim_end_matches('/').to_owned());
            }
            "api" => provider.api = r.word(&at, ApiKind::WORDS).value().copied(),
            "keyVariable" => {
                // A pasted key must not be echoed: the message never shows the value.
                provider.key_variable = checked(r, &at, "the name of an environment variable", is_variable);
            }
            "headers" => provider.headers = headers(r, &at),
            "tokenField" => provider.token_field = r.word(&at, TokenField::WORDS).value().copied(),
            "allowInsecureHttp" => match r.boolean(&at) {
                Field::Set(value, _) => provider.allow_insecure_http = value,
                Field::Unset | Field::Invalid => {}
            },
            "apiKey" => {
                let message = format!("{} is ignored; keys never stand in settings", name(&at.pointer));
                let hint = Some("name the environment variable that holds the key in keyVariable".to_owned());
                r.report_line(found::REMOVED_KEY, &at.pointer, Some(line), message, hint);
            }
            other => {
                let message = format!("{} is not a known setting and was ignored", name(&at.pointer));
                let hint = nearest(other, KEYS).map(|word| format!("did you mean \"{word}\"?"));
                r.report_line(found::UNKNOWN_KEY, &at.pointer, Some(line), message, hint);
            }
        }
    }
    // A broken address must not fall back to a preset's: the data would go to a vendor that nobody chose.
    provider.usable = r.errors == before;
    provider
}

fn checked(r: &mut Reader, at: &At<'_>, wanted: &str, valid: fn(&str) -> bool) -> Option<String> {
    match &at.node.kind {
        Kind::String(text) if valid(text) => Some(text.clone()),
        Kind::String(_) => {
            r.report(found::UNKNOWN_VALUE, at, format!("{} must be {wanted}", name(&at.pointer)), None);
            None
        }
        _ => {
            r.wrong_type(at, wanted);
            None
        }
    }
}

fn headers(r: &mut Reader, at: &At<'_>) -> BTreeMap<String, String> {
    let mut headers = BTreeMap::new();
    for (header, _, at) in r.members(at).unwrap_or_default() {
        match &at.node.kind {
            Kind::String(value) if is_header(header) && !value.contains(char::is_control) => {
                headers.insert(header.to_owned(), value.clone());
            }
            _ => {
                let message = format!("{} is not a header with a text value", name(&at.pointer));
                r.report(found::UNKNOWN_VALUE, &at, message, None);
            }
        }
    }
    headers
}

fn is_url(text: &str) -> bool {
    ["https://", "http://"]
        .iter()
        .any(|scheme| text.strip_prefix(scheme).is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/')))
        && !text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '@' || c == '?' || c == '#')
}

fn is_variable(text: &str) -> bool {
    text.chars().next().is_some_and(|c| c == '_' || c.is_ascii_alphabetic())
        && text.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
}

fn is_header(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c == '-' || c == '_' || c.is_ascii_alphanumeric())
}
