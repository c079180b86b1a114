//! What stands for another text at the start of a path: `@`, `file://`, `~`, `$HOME`.

use std::path::PathBuf;

use crate::resolve::{Base, ResolveError};

/// The path that `typed` stands for, relative to the working directory if it isn't absolute.
pub(crate) fn expand(typed: &str, base: &Base) -> Result<PathBuf, ResolveError> {
    if typed.contains('\0') {
        return Err(ResolveError::Nul);
    }
    let bare = typed.strip_prefix('@').unwrap_or(typed);
    if bare.trim().is_empty() {
        return Err(ResolveError::Empty);
    }
    match url_rest(bare) {
        Some(rest) => from_url(bare, rest),
        None => Ok(PathBuf::from(expand_home(bare, base)?)),
    }
}

/// Expands a leading home of a path or pattern.
pub(crate) fn expand_home(text: &str, base: &Base) -> Result<String, ResolveError> {
    for variable in ["$HOME", "${HOME}"] {
        if let Some(rest) = text.strip_prefix(variable).filter(|rest| rest.is_empty() || rest.starts_with(['/', '\\']))
        {
            return Ok(format!("{}{rest}", own_home(base)?));
        }
    }
    let Some(tail) = text.strip_prefix('~') else {
        return Ok(text.to_owned());
    };
    let end = tail.find(['/', '\\']).unwrap_or(tail.len());
    let (user, rest) = tail.split_at_checked(end).unwrap_or((tail, ""));
    let home = if user.is_empty() {
        own_home(base)?
    } else {
        let unknown = || ResolveError::UnknownHome { user: user.to_owned() };
        base.users.get(user).ok_or_else(unknown)?.to_string_lossy().into_owned()
    };
    Ok(format!("{home}{rest}"))
}

fn own_home(base: &Base) -> Result<String, ResolveError> {
    let home = base.home.as_ref().map(|home| home.to_string_lossy().into_owned());
    home.ok_or(ResolveError::UnknownHome { user: String::new() })
}

fn url_rest(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_at_checked(5)?;
    if scheme.eq_ignore_ascii_case("file:") { rest.strip_prefix('/').map(|_| rest) } else { None }
}

/// RFC 8089: `file:/path`, `file:///path` or `file://localhost/path`, percent-encoded.
fn from_url(url: &str, rest: &str) -> Result<PathBuf, ResolveError> {
    let not_local = || ResolveError::NotLocal { url: url.to_owned() };
    let path = match rest.strip_prefix("//") {
        None => rest,
        Some(with_host) => {
            let start = with_host.find('/').ok_or_else(not_local)?;
            let (host, path) = with_host.split_at_checked(start).ok_or_else(not_local)?;
            if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
                return Err(not_local());
            }
            path
        }
    };
    let decoded = percent_decode(path).ok_or_else(not_local)?;
    if decoded.contains('\0') { Err(ResolveError::Nul) } else { Ok(PathBuf::from(decoded)) }
}

/// `None` for a bad escape, or for bytes that are not UTF-8.
fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut source = text.bytes();
    while let Some(byte) = source.next() {
        if byte == b'%' {
            let digits = [source.next()?, source.next()?];
            let value = digits.iter().try_fold(0_u32, |value, digit| {
                Some(value.saturating_mul(16).saturating_add(char::from(*digit).to_digit(16)?))
            })?;
            bytes.push(u8::try_from(value).ok()?);
        } else if matches!(byte, b'?' | b'#') {
            // A query or fragment: which file that is depends on who parses it.
            return None;
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}
