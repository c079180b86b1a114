//! `domain:` patterns against the host of a URL.

use std::net::Ipv6Addr;

use crate::RuleError;
use crate::glob::Side;

/// `example.com` and everything below it; `*.example.com` everything below it; `*` every host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DomainPattern {
    /// Folded, no trailing dot.
    host: String,
    scope: Scope,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    Any,
    Here,
    Below,
}

/// The host that a client would connect to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Host {
    /// Every URL parser reads this one.
    Sure(String),
    /// Parsers may disagree; this is one reading.
    Unsure,
}

impl DomainPattern {
    pub(crate) fn new(text: &str) -> Result<Self, RuleError> {
        let text = text.trim().trim_end_matches('.').to_lowercase();
        if text == "*" {
            return Ok(Self { host: String::new(), scope: Scope::Any });
        }
        let (host, scope) = match text.strip_prefix("*.") {
            Some(rest) => (rest, Scope::Below),
            None => (text.as_str(), Scope::Here),
        };
        let good = !host.is_empty()
            && host.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '.' | '_' | ':' | '[' | ']'));
        if !good {
            return Err(RuleError::domain());
        }
        Ok(Self { host: plain(host.trim_matches(['[', ']'])), scope })
    }

    /// Whether the URL's host is covered; a URL that parsers may read differently is covered for deny and ask only.
    pub(crate) fn is_match(&self, url: &str, side: Side) -> bool {
        let host = match host(url) {
            Host::Sure(host) => host,
            Host::Unsure => return side == Side::Tighten,
        };
        // The Punycode of a name is not worked out: any could be it.
        if side == Side::Tighten && !self.host.is_ascii() && host.split('.').any(|label| label.starts_with("xn--")) {
            return true;
        }
        let below = host.strip_suffix(self.host.as_str()).is_some_and(|head| head.ends_with('.'));
        match self.scope {
            Scope::Any => true,
            Scope::Here => below || host == self.host,
            // Deny errs towards the domain itself.
            Scope::Below => below || (side == Side::Tighten && host == self.host),
        }
    }
}

/// The host of an `http` or `https` URL by the plain grammar of RFC 3986. Whatever the WHATWG parser treats in its own way
/// (backslashes, missing slashes, blanks, percent signs and non-ASCII letters in the host, odd numbers for IPv4) is unsure.
fn host(url: &str) -> Host {
    let Some((scheme, rest)) = url.split_once("://") else { return Host::Unsure };
    if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
        return Host::Unsure;
    }
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at_checked(end).unwrap_or((rest, ""));
    if tail.starts_with('\\') || authority.bytes().any(|b| b <= b' ' || b >= 0x7f || b == b'%') {
        return Host::Unsure;
    }
    let mut parts = authority.split('@');
    let host_port = match (parts.next(), parts.next(), parts.next()) {
        (Some(only), None, None) => only,
        (Some(_user), Some(host), None) => host,
        _ => return Host::Unsure,
    };
    if let Some(inner) = host_port.strip_prefix('[') {
        let Some((address, port)) = inner.split_once(']') else { return Host::Unsure };
        let good = address.bytes().all(|b| b.is_ascii_hexdigit() || matches!(b, b':' | b'.'));
        return if good && is_port(port) { Host::Sure(plain(&address.to_ascii_lowercase())) } else { Host::Unsure };
    }
    let (host, port) = match host_port.find(':').and_then(|at| host_port.split_at_checked(at)) {
        Some(pair) => pair,
        None => (host_port, ""),
    };
    let host = host.strip_suffix('.').unwrap_or(host);
    let labels = host
        .split('.')
        .all(|label| !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')));
    // `http://2130706433`, `http://0x7f.1`: the last label starts with a digit, so it is an IPv4 address in some spelling.
    let number = host.rsplit('.').next().is_some_and(|last| last.starts_with(|c: char| c.is_ascii_digit()));
    let dotted = host.split('.').count() == 4
        && host.split('.').all(|part| part.parse::<u8>().is_ok_and(|value| value.to_string() == part));
    if labels && is_port(port) && (!number || dotted) { Host::Sure(host.to_ascii_lowercase()) } else { Host::Unsure }
}

/// One spelling for an address: IPv6 has many, and `::ffff:127.0.0.1` is an IPv4 address.
fn plain(host: &str) -> String {
    match host.parse::<Ipv6Addr>() {
        Ok(address) => address.to_canonical().to_string(),
        Err(_) => host.to_owned(),
    }
}

fn is_port(text: &str) -> bool {
    match text.strip_prefix(':') {
        Some(digits) => digits.bytes().all(|b| b.is_ascii_digit()),
        None => text.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::{DomainPattern, Side};

    #[test]
    fn a_domain_covers_itself_and_what_is_below_it() {
        // pattern, URL, deny matches, allow matches
        let rows = [
            ("example.com", "https://example.com/a", true, true),
            ("example.com", "HTTPS://API.Example.COM.:8443/x?y", true, true),
            ("example.com", "https://user:pw@example.com", true, true),
            ("example.com", "https://notexample.com", false, false),
            ("example.com", "https://example.com.evil.net", false, false),
            ("example.com", "https://example.com@evil.net/", false, false),
            ("example.com", "https://evil.net/?u=https://example.com", false, false),
            ("example.com", "https://evil.net#@example.com", false, false),
            ("example.com", r"https://evil.net\@example.com", true, false),
            ("example.com", "https://ex%61mple.com", true, false),
            ("example.com", "https://exa\tmple.com", true, false),
            ("example.com", "https:/example.com", true, false),
            ("example.com", "file:///etc/passwd", true, false),
            ("example.com", "https://a@b@example.com", true, false),
            ("example.com", "https://еxample.com", true, false),
            ("example.com", "", true, false),
            ("*.example.com", "https://a.example.com", true, true),
            ("*.example.com", "https://example.com", true, false),
            ("*", "https://anything.net", true, true),
            ("127.0.0.1", "http://127.0.0.1:80/", true, true),
            ("127.0.0.1", "http://2130706433/", true, false),
            ("127.0.0.1", "http://0x7f.1/", true, false),
            ("[::1]", "http://[::1]:3000/", true, true),
            ("::1", "http://[0:0:0:0:0:0:0:1]/", true, true),
            ("127.0.0.1", "http://[::ffff:127.0.0.1]/", true, true),
            ("bücher.example", "https://xn--bcher-kva.example/", true, false),
            ("bücher.example", "https://example.com/", false, false),
            ("EXAMPLE.com.", "https://example.com", true, true),
        ];
        for (pattern, url, deny, allow) in rows {
            let domain = DomainPattern::new(pattern).unwrap();
            assert_eq!(domain.is_match(url, Side::Tighten), deny, "deny {pattern} {url}");
            assert_eq!(domain.is_match(url, Side::Loosen), allow, "allow {pattern} {url}");
        }
    }
}
