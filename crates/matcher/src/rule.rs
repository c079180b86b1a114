//! One permission rule: `tool` or `tool(pattern)`.

use crate::bash::BashPattern;
use crate::call::is_mcp;
use crate::domain::DomainPattern;
use crate::glob::{Question, Side, TextPattern, Wild, fold};
use crate::path_rule::PathPattern;
use crate::{ToolCall, ToolKind, ToolName, broad};

/// Longest rule pattern, in UTF-16 code units.
pub const MAX_PATTERN: usize = 4096;

/// A compiled rule.
///
/// ```
/// use portcullis_matcher::Rule;
/// assert!(Rule::parse("Bash(npm run test:*)").is_ok());
/// assert!(Rule::parse("bash(git push").is_err());
/// assert!(Rule::parse("Bash(python3:*)").unwrap().is_broad().is_some());
/// ```
#[derive(Clone, Debug)]
pub struct Rule {
    text: String,
    tool: ToolMatch,
    /// The tool's name is written with a capital, as in Claude Code's settings.
    capital: bool,
    pattern: Pattern,
    broad: Option<&'static str>,
}

/// Which tools a rule is about.
#[derive(Clone, Debug)]
enum ToolMatch {
    /// One canonical name, folded.
    Name(String, ToolKind),
    /// `mcp__server`: every tool of the server. The text is folded and ends with `__`.
    Server(String),
    /// A glob over tool names, folded.
    Glob(Wild),
}

/// Which calls of the tool.
#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    /// Every one.
    All,
    Bash(Box<BashPattern>),
    Path(Box<PathPattern>),
    Domain(DomainPattern),
    /// Any other subject, folded.
    Text(TextPattern),
}

/// A rule that can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RuleError {
    message: &'static str,
    hint: Option<&'static str>,
}

impl RuleError {
    pub(crate) const fn domain() -> Self {
        Self::new(
            "`domain:` is not followed by a host name",
            "write `web_fetch(domain:example.com)`, without scheme or path",
        )
    }

    pub(crate) const fn parent_after_star() -> Self {
        Self::new("`..` after a wildcard names no fixed directory", "write the path without `..`")
    }

    const fn new(message: &'static str, hint: &'static str) -> Self {
        Self { message, hint: Some(hint) }
    }

    /// What to write instead.
    pub const fn hint(&self) -> Option<&'static str> {
        self.hint
    }
}

impl Rule {
    /// Reads a rule.
    pub fn parse(text: &str) -> Result<Self, RuleError> {
        let rule = text.trim();
        let (name, body) = split(rule)?;
        let name = name.strip_prefix('@').unwrap_or(name);
        if name.is_empty() {
            return Err(RuleError::new(
                "the rule names no tool",
                "write `tool` or `tool(pattern)`, as in `bash(git push*)`",
            ));
        }
        if !name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/' | '*' | '@')) {
            return Err(RuleError::new(
                "the tool name has a character that no tool name has",
                "a shell command goes in parentheses: `bash(git push*)`",
            ));
        }
        if body.is_some_and(|body| body.encode_utf16().count() > MAX_PATTERN) {
            return Err(RuleError::new("the pattern is longer than 4,096 characters", "shorten it with `*`"));
        }
        let tool = ToolMatch::new(name);
        let body = body.map(str::trim).filter(|body| !body.is_empty() && *body != "*");
        let pattern = match body {
            None => Pattern::All,
            Some(body) => tool.pattern(name, body)?,
        };
        let broad = broad::reason(tool.kind(), matches!(tool, ToolMatch::Glob(_)), &pattern, body);
        let capital = !is_mcp(name) && name.chars().any(char::is_uppercase);
        Ok(Self { text: rule.to_owned(), tool, capital, pattern, broad })
    }

    /// The rule as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Why the rule hands over arbitrary execution, if it does: auto mode sets such allow rules aside.
    pub const fn is_broad(&self) -> Option<&'static str> {
        self.broad
    }

    /// A rule about shell commands.
    pub fn is_bash(&self) -> bool {
        self.tool.kind() == Some(ToolKind::Bash)
    }

    /// A glob such as `mcp__*` or `*`, which may tighten but not allow: it would cover tools that nobody has seen yet.
    pub(crate) fn is_open_tool_glob(&self) -> bool {
        match &self.tool {
            ToolMatch::Name(..) | ToolMatch::Server(_) => false,
            // `mcp__github__get_*` stays within one server.
            ToolMatch::Glob(wild) => {
                wild.prefix().strip_prefix("mcp__").is_none_or(|rest| !rest.contains("__") || rest.starts_with("__"))
            }
        }
    }

    pub(crate) fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    pub(crate) const fn is_capital(&self) -> bool {
        self.capital
    }

    pub(crate) fn kind(&self) -> Option<ToolKind> {
        self.tool.kind()
    }

    /// Whether the rule names this tool.
    pub(crate) fn names(&self, call: &ToolCall, side: Side) -> bool {
        let name = call.tool.as_str();
        let folded = fold(name);
        if side == Side::Tighten
            && let (Some(rule), true) = (self.tool.mcp_text(), is_mcp(name))
        {
            // Hosts write `_` for the characters of a server's name that an API does not take.
            let (rule, name) = (plain_name(rule), plain_name(&folded));
            return match &self.tool {
                ToolMatch::Name(..) => rule == name,
                ToolMatch::Server(_) | ToolMatch::Glob(_) => name.starts_with(&rule),
            };
        }
        match &self.tool {
            ToolMatch::Name(rule, _) => *rule == *folded,
            ToolMatch::Server(rule) => folded.starts_with(rule.as_str()),
            // A host's own name counts too, so that `*` patterns on it work as written.
            ToolMatch::Glob(wild) => wild.is_match(&folded, side) || wild.is_match(&fold(&call.host_tool), side),
        }
    }
}

impl ToolMatch {
    fn new(name: &str) -> Self {
        if !is_mcp(name) {
            if name.contains('*') {
                return Self::Glob(Wild::new(&fold(name), Question::Literal));
            }
            let canonical = ToolName::normalize(name);
            return Self::Name(fold(canonical.as_str()).into_owned(), canonical.kind());
        }
        let folded = fold(name).into_owned();
        let rest = folded.get(5..).unwrap_or_default();
        let server = rest.strip_suffix("__*").unwrap_or(rest);
        if !server.is_empty() && !server.contains("__") && !server.contains('*') {
            return Self::Server(format!("mcp__{server}__"));
        }
        if folded.contains('*') {
            Self::Glob(Wild::new(&folded, Question::Literal))
        } else {
            Self::Name(folded, ToolKind::Mcp)
        }
    }

    /// The text of a rule for one MCP server or tool.
    fn mcp_text(&self) -> Option<&str> {
        match self {
            Self::Name(name, ToolKind::Mcp) => Some(name),
            Self::Server(server) => Some(server),
            Self::Name(..) | Self::Glob(_) => None,
        }
    }

    fn kind(&self) -> Option<ToolKind> {
        match self {
            Self::Name(_, kind) => Some(*kind),
            Self::Server(_) => Some(ToolKind::Mcp),
            Self::Glob(_) => None,
        }
    }

    fn pattern(&self, name: &str, body: &str) -> Result<Pattern, RuleError> {
        let Some(kind) = self.kind() else {
            return Err(RuleError::new(
                "a tool name with `*` takes no pattern",
                "name one tool, or leave the parentheses away",
            ));
        };
        Ok(match kind {
            ToolKind::Bash => Pattern::Bash(Box::new(BashPattern::new(body))),
            ToolKind::Read
            | ToolKind::Write
            | ToolKind::Edit
            | ToolKind::NotebookEdit
            | ToolKind::Find
            | ToolKind::Ls => Pattern::Path(Box::new(PathPattern::new(body, name.chars().any(char::is_uppercase))?)),
            ToolKind::WebFetch => match body.strip_prefix("domain:") {
                Some(domain) => Pattern::Domain(DomainPattern::new(domain)?),
                None => Pattern::Text(TextPattern::new(&fold(body), Question::Literal)),
            },
            ToolKind::Grep | ToolKind::WebSearch | ToolKind::Agent | ToolKind::Mcp | ToolKind::Other => {
                Pattern::Text(TextPattern::new(&fold(&words_star(body)), Question::Literal))
            }
        })
    }
}

fn plain_name(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}

/// A trailing `:*` means whole words, as ` *` does.
pub(crate) fn words_star(body: &str) -> String {
    match body.strip_suffix(":*") {
        Some("") => "*".to_owned(),
        Some(head) => format!("{} *", head.trim_end()),
        None => body.to_owned(),
    }
}

/// `name` and the text between its parentheses.
fn split(rule: &str) -> Result<(&str, Option<&str>), RuleError> {
    let unbalanced = || {
        RuleError::new(
            "the parentheses are not balanced",
            "write `tool(pattern)`; a parenthesis that belongs to the command goes in quotes or after a backslash",
        )
    };
    let Some((name, rest)) = rule.split_once('(') else {
        return if rule.contains(')') { Err(unbalanced()) } else { Ok((rule, None)) };
    };
    let body = rest.strip_suffix(')').ok_or_else(unbalanced)?;
    if balanced(body) { Ok((name.trim(), Some(body))) } else { Err(unbalanced()) }
}

/// Parentheses outside quotes are balanced. A quote that is never closed is read as a plain character.
fn balanced(body: &str) -> bool {
    fn scan(body: &str, quotes: Option<()>) -> bool {
        let mut open = 0usize;
        let mut quote = None;
        let mut chars = body.chars();
        while let Some(c) = chars.next() {
            match (quote, c) {
                (None | Some('"'), '\\') => drop(chars.next()),
                (Some(q), c) if q == c => quote = None,
                (None, '\'' | '"') if quotes.is_some() => quote = Some(c),
                (None, '(') => open = open.saturating_add(1),
                (None, ')') => match open.checked_sub(1) {
                    Some(less) => open = less,
                    None => return false,
                },
                (Some(_) | None, _) => {}
            }
        }
        open == 0 && quote.is_none()
    }
    scan(body, Some(())) || scan(body, None)
}

#[cfg(test)]
mod tests {
    use super::Rule;

    #[test]
    fn what_is_not_a_rule_is_refused_with_a_hint() {
        let long = format!("bash({})", "a".repeat(4097));
        let astral = format!("bash({})", "😀".repeat(2049));
        let rows = [
            "",
            "  ",
            "()",
            "(x)",
            "bash(",
            "bash)",
            "bash(x",
            "bash(x))",
            "bash((x)",
            "git push",
            "bash (x) y",
            "*(x)",
            "mcp__*(x)",
            "web_fetch(domain:)",
            "web_fetch(domain:a/b)",
            "read(src/../../*/../x)",
            &long,
            &astral,
        ];
        for row in rows {
            let error = Rule::parse(row).err();
            assert!(error.is_some_and(|error| error.hint().is_some()), "{row:?} should be refused");
        }
    }

    #[test]
    fn what_is_a_rule_is_read() {
        let long = format!("bash({})", "a".repeat(4096));
        let rows = [
            "bash",
            "Bash()",
            "Bash(*)",
            "@bash(git push)",
            " bash( git push ) ",
            "mcp__my-server__tool",
            "mcp__*",
            "*",
            "bash(echo $(date))",
            "bash(grep '(' *)",
            r"bash(grep \( *)",
            "bash(echo it's)",
            "Task(Explore)",
            "WebFetch(domain:example.com)",
            "my.tool-x",
            "read(../shared/**)",
            &long,
        ];
        for row in rows {
            assert!(Rule::parse(row).is_ok(), "{row:?}: {:?}", Rule::parse(row).err());
        }
    }
}
