//! Where brush-parser is not asked. Each row is a fault that was seen in 0.4.0 (spec/brush.md, sections 2 and 3).

use super::ours::Ours;

/// Most text, all nested scripts together. Beyond it some shapes take quadratic time.
pub(super) const MAX_BYTES: usize = 16 * 1024;
/// Deepest nesting of brackets of any kind.
const MAX_NESTING: usize = 20;

/// One reason not to ask.
pub(super) struct Row {
    pub(super) id: &'static str,
    /// For the trace.
    pub(super) reason: &'static str,
    refuses: fn(&str, &Ours) -> bool,
}

/// In order of cost.
pub(super) const ROWS: &[Row] = &[
    Row {
        id: "size",
        reason: "longer than the second parser is asked about",
        refuses: |text, _| text.len() > MAX_BYTES,
    },
    Row {
        id: "control",
        reason: "carriage returns or NUL: a here-document delimiter with one hangs the tokenizer",
        refuses: |text, _| text.contains(['\r', '\0']),
    },
    Row {
        id: "nesting",
        reason: "nested too deep: its time is exponential in some shapes, and its stack is not bounded",
        refuses: |text, _| nesting(text, b"([{", b")]}") > MAX_NESTING,
    },
    Row {
        id: "subscripts",
        reason: "subscripts inside subscripts take exponential time",
        refuses: |text, _| nesting(text, b"[", b"]") > 2,
    },
    Row {
        id: "spaced-parentheses",
        reason: "takes `( (cmd) )` for arithmetic and loses the command",
        refuses: |text, _| spaced(text),
    },
    Row {
        id: "double-parentheses",
        reason: "`((` that is not arithmetic is read as if it were",
        refuses: |text, ours| {
            text.matches("((").count() != ours.arithmetic || text.matches("))").count() < ours.arithmetic
        },
    },
    Row {
        id: "here-doc-unknown",
        reason: "`<<` that is no here-document for us",
        refuses: |text, ours| {
            let strings = ours.here_strings;
            text.matches("<<").count() != ours.here_docs.len().saturating_add(strings)
        },
    },
    Row {
        id: "here-doc-delimiter",
        reason: "here-document delimiters with other than plain letters are unquoted wrongly",
        refuses: |text, ours| {
            ours.here_docs.iter().any(|doc| !doc.terminated || !plain_delimiter(text.get(doc.start..doc.end)))
        },
    },
    Row {
        id: "here-doc-line",
        reason: "substitutions after `<<E` on its line are lost",
        refuses: |text, ours| {
            ours.here_docs.iter().any(|doc| rest_of_line(text, doc.end).contains(['$', '`', '<', '\\']))
        },
    },
    Row {
        id: "here-doc-in-substitution",
        reason: "a quote in a here-document inside `$( )` unbalances it",
        refuses: |text, ours| {
            ours.here_docs.iter().any(|doc| {
                let before = text.get(..doc.start).unwrap_or_default();
                ["$(", "`", "<(", ">(", "${"].iter().any(|open| before.contains(open))
            })
        },
    },
    Row {
        id: "here-doc-arithmetic",
        reason: "after `((` a here-document is taken for a shift",
        refuses: |text, ours| !ours.here_docs.is_empty() && text.contains("(("),
    },
    Row {
        id: "here-doc-continuation",
        reason: "a backslash before a newline may hide the delimiter line",
        refuses: |text, ours| !ours.here_docs.is_empty() && text.contains("\\\n"),
    },
    Row {
        id: "dollar-quote",
        reason: "`\\$'` and `$$'` are taken for ANSI-C quoting",
        refuses: |text, _| ["\\$'", "\\$\"", "$$'", "$$\""].iter().any(|bad| text.contains(bad)),
    },
    Row {
        id: "descriptor-digits",
        reason: "a long descriptor number panics",
        refuses: |text, _| long_descriptor(text),
    },
    Row {
        id: "sequence-digits",
        reason: "a brace sequence with a long number panics",
        refuses: |text, _| sequence_digits(text),
    },
    Row { id: "tilde-digits", reason: "a long directory stack index panics", refuses: |text, _| tilde_digits(text) },
    Row {
        id: "descriptor-variable",
        reason: "`{name}>` is taken for the command name",
        refuses: |text, ours| ours.fd_variables > 0 || text.contains("}<") || text.contains("}>"),
    },
    Row {
        id: "process-in-parameter",
        reason: "process substitutions inside `${ }` are lost",
        refuses: |text, _| text.contains("${") && (text.contains("<(") || text.contains(">(")),
    },
    Row {
        id: "time-words",
        reason: "`! time cmd` and `time -- cmd` show `time` or `--` as the name",
        refuses: |text, _| ["! time", "time --", "time time", "time !", "!time"].iter().any(|bad| text.contains(bad)),
    },
    Row {
        id: "pipe-both",
        reason: "`|&` becomes a redirect that nobody wrote",
        refuses: |text, _| text.contains("|&"),
    },
    Row {
        id: "function-substitution",
        reason: "`${ cmd; }` is kept as text",
        refuses: |text, _| ["${ ", "${|", "${\t", "${\n"].iter().any(|bad| text.contains(bad)),
    },
];

/// The first row that refuses.
pub(super) fn refusal(text: &str, ours: &Ours) -> Option<&'static Row> {
    let row = ROWS.iter().find(|row| (row.refuses)(text, ours));
    debug_assert!(row.is_none_or(|row| !row.id.is_empty()), "every row has an id");
    row
}

/// Deepest open brackets, wherever they stand: quotes are not looked at, so this is never too low.
fn nesting(text: &str, open: &[u8], close: &[u8]) -> usize {
    let (mut now, mut most) = (0_usize, 0_usize);
    for byte in text.bytes() {
        if open.contains(&byte) {
            now = now.saturating_add(1);
            most = most.max(now);
        } else if close.contains(&byte) {
            now = now.saturating_sub(1);
        }
    }
    most
}

/// Two parentheses of one kind with only blanks, newlines or continuations between them.
fn spaced(text: &str) -> bool {
    let mut last: Option<char> = None;
    let mut blank = false;
    for c in text.chars() {
        match c {
            ' ' | '\t' | '\n' | '\\' => blank = true,
            '(' | ')' => {
                if blank && last == Some(c) {
                    return true;
                }
                last = Some(c);
                blank = false;
            }
            _ => {
                last = None;
                blank = false;
            }
        }
    }
    false
}

fn plain_delimiter(redirect: Option<&str>) -> bool {
    let Some(text) = redirect else { return false };
    let text = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let Some(text) = text.strip_prefix("<<") else { return false };
    let text = text.strip_prefix('-').unwrap_or(text).trim_start_matches([' ', '\t']);
    let inner = ['\'', '"'].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote)).unwrap_or(text);
    !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn rest_of_line(text: &str, from: usize) -> &str {
    let rest = text.get(from..).unwrap_or_default();
    rest.split('\n').next().unwrap_or_default()
}

fn long_descriptor(text: &str) -> bool {
    let mut digits = 0_usize;
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' => digits = digits.saturating_add(1),
            b'<' | b'>' if digits > 5 => return true,
            _ => digits = 0,
        }
    }
    false
}

/// `{1..99999999999999999999}`: too long for an integer, or so long that bash would not finish writing it out.
fn sequence_digits(text: &str) -> bool {
    text.split("..")
        .skip(1)
        .any(|after| after.strip_prefix(['+', '-']).unwrap_or(after).bytes().take_while(u8::is_ascii_digit).count() > 9)
}

fn tilde_digits(text: &str) -> bool {
    text.split('~').skip(1).any(|after| {
        let digits = after.strip_prefix(['+', '-']).unwrap_or(after);
        // `HEAD~1` is daily work; an index that fits is read without trouble.
        digits.bytes().take_while(u8::is_ascii_digit).count() > 5
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{MAX_BYTES, ROWS, refusal};
    use crate::brush::ours;
    use crate::{Limits, syntax};

    fn refused(text: &str) -> Option<&'static str> {
        let parsed = syntax::parse(text, &Limits::default());
        assert_eq!(parsed.error, None, "{text}");
        refusal(text, &ours::commands(text, &parsed.list)).map(|row| row.id)
    }

    #[test]
    fn every_row_refuses_its_fault() {
        let long = "echo ".to_owned() + &"x".repeat(MAX_BYTES);
        let rows: &[(&str, &str)] = &[
            ("size", &long),
            ("control", "echo a\rb"),
            (
                "nesting",
                "echo $(echo $(echo $(echo $(echo $(echo $(echo $(echo $(echo $(echo $(echo $(echo $(echo $(echo $(echo $(echo $(echo $(echo $(echo $(echo $(echo $(echo $(a)))))))))))))))))))))",
            ),
            ("subscripts", "echo ${a[${b[${c[1]}]}]}"),
            ("spaced-parentheses", "( ( a ) )"),
            ("spaced-parentheses", "(\n(a))"),
            ("double-parentheses", "((a) )"),
            ("here-doc-unknown", "echo '<<'"),
            ("here-doc-unknown", "echo $((1<<2))"),
            ("here-doc-delimiter", "cat <<$'E'\nE"),
            ("here-doc-delimiter", "cat <<E-F\nE-F"),
            ("here-doc-delimiter", "cat <<E\nnever ended"),
            ("here-doc-line", "cat <<E; echo $(a)\nE"),
            ("here-doc-in-substitution", "echo $(cat <<E\nE\n)"),
            ("here-doc-arithmetic", "((1)); cat <<E\nE"),
            ("here-doc-continuation", "cat <<E\na\\\nb\nE"),
            ("dollar-quote", "\\$'\\'; a #'\\'"),
            ("descriptor-digits", "a 1234567>b"),
            ("sequence-digits", "echo {1..99999999999999999999}"),
            ("tilde-digits", "ls ~99999999999999999999"),
            ("descriptor-variable", "{fd}>f a"),
            ("process-in-parameter", "echo ${x:-<(a)}"),
            ("time-words", "! time a"),
            ("time-words", "time -- a"),
            ("pipe-both", "a |& b"),
            ("function-substitution", "echo ${ a; }"),
        ];
        for (id, text) in rows {
            // An earlier row may refuse the same text for a second reason; the row itself must refuse it too.
            let parsed = syntax::parse(text, &Limits::default());
            let ours = ours::commands(text, &parsed.list);
            let row = ROWS.iter().find(|row| row.id == *id).expect(id);
            assert!((row.refuses)(text, &ours), "{id}: {text}");
            assert!(refusal(text, &ours).is_some(), "{text}");
        }
        let tested: BTreeSet<&str> = rows.iter().map(|(id, _)| *id).collect();
        let all: BTreeSet<&str> = ROWS.iter().map(|row| row.id).collect();
        assert_eq!(tested, all, "each row has a test");
    }

    #[test]
    fn ordinary_scripts_are_inside() {
        for text in [
            "git status --short",
            "cd src && rg -n 'fn main' | head -20",
            "for f in *.rs; do wc -l \"$f\"; done",
            "cat <<'EOF' > notes\nIt's $(fine)\nEOF",
            "cat <<EOF\n$HOME $(date)\nEOF",
            "x=$((1 + 2)); (cd a; ls)",
            "((i = 1))",
            "git diff HEAD~1",
            "ls 2>/dev/null >out.txt",
            "find . -name '*.py' -exec grep -l 'x(y)' {} +",
            "awk '{print $1}' f > g",
            "echo \"${x:-a}\" '${y}' ${z%.rs}",
        ] {
            assert_eq!(refused(text), None, "{text}");
        }
    }
}
