//! `tests/data/rules.jsonl`: rule lists, a call, the expected answer, and why. A non-programmer can add a line.

use portcullis_matcher::{Access, Facts, ListRules, PathFact, RuleSet, ShellPath, ToolCall};
use portcullis_shell_ast::analyze;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

const HOME: &str = "/home/dev";
const CWD: &str = "/home/dev/proj";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    #[serde(default)]
    deny: Vec<String>,
    #[serde(default)]
    ask: Vec<String>,
    #[serde(default)]
    allow: Vec<String>,
    tool: String,
    input: Value,
    /// Symbolic links: path → target, absolute.
    #[serde(default)]
    links: BTreeMap<String, String>,
    /// Proven accesses of a shell command: path → "read" or "change".
    #[serde(default)]
    shell: BTreeMap<String, String>,
    /// deny, ask, allow, none, not-deny or not-allow
    expect: String,
    why: String,
}

fn normal(path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    format!("/{}", names.join("/"))
}

fn fact(typed: &str, links: &BTreeMap<String, String>) -> PathFact {
    let absolute = match typed.strip_prefix('~') {
        Some(rest) => normal(&format!("{HOME}{rest}")),
        None if typed.starts_with('/') => normal(typed),
        None => normal(&format!("{CWD}/{typed}")),
    };
    let mut resolved = absolute.clone();
    for (link, target) in links {
        if let Some(rest) = resolved.strip_prefix(link.as_str())
            && (rest.is_empty() || rest.starts_with('/'))
        {
            resolved = format!("{target}{rest}");
        }
    }
    PathFact { typed: typed.to_owned(), absolute, resolved }
}

fn answer(row: &Row) -> (&'static str, String) {
    let lists = [&row.deny, &row.ask, &row.allow].map(|list| list.iter().map(String::as_str).collect::<Vec<_>>());
    let (rules, _) = ListRules::compile(&lists[0], &lists[1], &lists[2]);
    let call = ToolCall::new(&row.tool, row.input.clone(), CWD);
    let analysis = call.command().ok().flatten().map(|command| analyze(&command));
    let paths: Vec<PathFact> = call.paths().unwrap_or_default().iter().map(|arg| fact(&arg.text, &row.links)).collect();
    let shell_paths: Vec<ShellPath> = row
        .shell
        .iter()
        .map(|(path, how)| ShellPath { fact: fact(path, &row.links), changes: how == "change" })
        .collect();
    let facts = Facts {
        call: &call,
        analysis: analysis.as_ref(),
        effects: None,
        paths: &paths,
        shell_paths: &shell_paths,
        home: Some(HOME),
        cwd: CWD,
        settings_root: Some(CWD),
    };
    let note = format!("{:?}", analysis.as_ref().map(|a| (&a.skeleton, &a.opaque, &a.second)));
    if rules.deny(&facts).is_some() {
        ("deny", note)
    } else if rules.ask(&facts).is_some() {
        ("ask", note)
    } else if rules.allow(&facts).is_some() {
        ("allow", note)
    } else {
        ("none", note)
    }
}

#[test]
fn every_row_gets_the_answer_that_it_expects() {
    let mut wrong = Vec::new();
    let mut ids: Vec<String> = Vec::new();
    for line in include_str!("data/rules.jsonl").lines().filter(|line| !line.trim().is_empty()) {
        let row: Row = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert!(!ids.contains(&row.id), "two rows are called {}", row.id);
        ids.push(row.id.clone());
        let (got, note) = answer(&row);
        let good = match row.expect.as_str() {
            "not-deny" => got != "deny",
            "not-allow" => got != "allow",
            expected => got == expected,
        };
        if !good {
            wrong.push(format!("{}: {got}, not {}: {} [{}] {note}", row.id, row.expect, row.why, row.input));
        }
    }
    assert!(ids.len() >= 250, "only {} rows", ids.len());
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), ids.len(), wrong.join("\n"));
}

#[test]
fn paths_of_calls_carry_their_access() {
    type Row<'a> = (&'a str, Value, &'a [(&'a str, Access)]);
    let rows: &[Row<'_>] = &[
        ("Read", serde_json::json!({"file_path": "a"}), &[("a", Access::Read)]),
        ("Grep", serde_json::json!({"pattern": "x"}), &[(".", Access::Scope)]),
        ("Glob", serde_json::json!({"pattern": "/etc/**/*.conf"}), &[("/etc", Access::Scope)]),
        ("Glob", serde_json::json!({"pattern": "{/etc,src}/*"}), &[("/etc", Access::Scope)]),
        (
            "Glob",
            serde_json::json!({"pattern": "../b/*", "path": "/a"}),
            &[("/a", Access::Scope), ("/a/../b", Access::Scope)],
        ),
        (
            "read_many_files",
            serde_json::json!({"paths": ["src/**/*.rs", "a.md"]}),
            &[("src/**/*.rs", Access::Read), ("a.md", Access::Read), ("src", Access::Scope)],
        ),
        ("mcp__fs__read", serde_json::json!({"uri": "file:///a"}), &[("file:///a", Access::Read)]),
        ("mcp__fs__read", serde_json::json!({"uri": "https://a/b"}), &[]),
        (
            "mcp__fs__read",
            serde_json::json!({"note": "~/a", "profile": "dev", "text": "/* a */ b"}),
            &[("~/a", Access::Read)],
        ),
        ("mcp__fs__read", serde_json::json!({"a": [[{"repoPath": "b"}]]}), &[("b", Access::Read)]),
        ("mcp__fs__write_file", serde_json::json!({"path": "a"}), &[("a", Access::Write)]),
        (
            "mcp__fs__read_multiple",
            serde_json::json!({"paths": ["a", "b"]}),
            &[("a", Access::Read), ("b", Access::Read)],
        ),
        (
            "mcp__fs__move_file",
            serde_json::json!({"source": "a", "destination": "b"}),
            &[("a", Access::Write), ("b", Access::Write)],
        ),
        ("read", serde_json::json!({"path": "@a"}), &[("@a", Access::Read), ("a", Access::Read)]),
        (
            "apply_patch",
            serde_json::json!({"command": ["apply_patch", "*** Begin Patch\n*** Add File: x\n+1\n*** Delete File: y\n*** End Patch"]}),
            &[("x", Access::Write), ("y", Access::Write)],
        ),
    ];
    for (tool, input, expected) in rows {
        let call = ToolCall::new(tool, input.clone(), CWD);
        let got: Vec<(String, Access)> = call.paths().unwrap().into_iter().map(|arg| (arg.text, arg.access)).collect();
        let expected: Vec<(String, Access)> =
            expected.iter().map(|(text, access)| ((*text).to_owned(), *access)).collect();
        assert_eq!(got, expected, "{tool} {input}");
    }
}

#[test]
fn calls_that_can_not_be_read_are_errors() {
    let rows = [
        ("bash", serde_json::json!({})),
        ("bash", serde_json::json!({"command": 1})),
        ("bash", serde_json::json!({"command": "ls", "cmd": "rm"})),
        ("bash", serde_json::json!("ls")),
        ("bash", serde_json::json!({"command": "ls\u{0}"})),
    ];
    for (tool, input) in rows {
        assert!(ToolCall::new(tool, input.clone(), CWD).command().is_err(), "{input}");
    }
    for (tool, input) in [
        ("write", serde_json::json!({"content": "x"})),
        ("read", serde_json::json!({"path": {"x": 1}})),
        ("apply_patch", serde_json::json!({"input": "rm -rf"})),
        ("read", serde_json::json!({"path": "a\u{0}"})),
    ] {
        assert!(ToolCall::new(tool, input.clone(), CWD).paths().is_err(), "{tool} {input}");
    }
}
