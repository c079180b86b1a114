//! What the analysis finds, as a table that a non-programmer can extend: `tests/data/analysis.jsonl`.
//!
//! A row: `script`; `commands`, each as its words joined by blanks (a word that is not literal as `*`), or `NAME=` for a
//! command that only assigns, or `>` for one that only redirects; `opaque`, the kinds in order of name; optional
//! `skeleton`, `cwd` (one a command: `.` where the script started, `?` unknown) and `second` (agreed, differs, outside,
//! not_asked); `why`.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "helpers of tests, which may panic")]

use std::collections::BTreeSet;
use std::fmt::Write;

use portcullis_shell_ast::{Command, Cwd, Limit, Limits, Origin, Part, SecondOpinion, Word, analyze, analyze_with};
use serde_json::Value;

fn rows() -> Vec<Value> {
    let text = include_str!("data/analysis.jsonl");
    text.lines().filter(|line| !line.is_empty()).map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn word(word: &Word) -> String {
    let mut out = String::new();
    for part in &word.parts {
        match part {
            Part::Text(text) | Part::Glob(text) => out.push_str(text),
            Part::Tilde(user) => {
                out.push('~');
                out.push_str(user);
            }
            Part::Var { name, .. } => write!(out, "${name}").unwrap(),
            Part::Choice(values) => {
                let values: Vec<String> =
                    values.iter().map(|parts| self::word(&Word { parts: parts.clone(), ..Word::default() })).collect();
                write!(out, "<{}>", values.join("|")).unwrap();
            }
            Part::Dynamic { .. } => out.push('…'),
        }
    }
    out
}

fn command(command: &Command) -> String {
    if command.words.is_empty() {
        let names: Vec<String> = command.assignments.iter().map(|assignment| format!("{}=", assignment.name)).collect();
        return if names.is_empty() { ">".to_owned() } else { names.join(" ") };
    }
    command.words.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn cwd(cwd: &Cwd) -> String {
    match cwd {
        Cwd::Start => ".".to_owned(),
        Cwd::Moved(words) => words.iter().map(word).collect::<Vec<_>>().join("/"),
        Cwd::Unknown => "?".to_owned(),
    }
}

fn second(opinion: &SecondOpinion) -> &'static str {
    match opinion {
        SecondOpinion::Agreed => "agreed",
        SecondOpinion::Differs { .. } => "differs",
        SecondOpinion::Outside { .. } => "outside",
        SecondOpinion::NotAsked => "not_asked",
    }
}

/// One row's outcome in the row's own words.
fn outcome(script: &str, fields: &Value) -> Value {
    let analysis = analyze(script);
    let opaque: BTreeSet<String> = analysis
        .opaque
        .iter()
        .map(|opaque| serde_json::to_value(opaque.kind).unwrap().as_str().unwrap().to_owned())
        .collect();
    let mut out = serde_json::Map::new();
    out.insert("commands".into(), analysis.commands.iter().map(command).collect());
    out.insert("opaque".into(), opaque.into_iter().collect());
    if fields.get("skeleton").is_some() {
        out.insert("skeleton".into(), analysis.skeleton.clone().into());
    }
    if fields.get("cwd").is_some() {
        out.insert("cwd".into(), analysis.commands.iter().map(|command| cwd(&command.cwd)).collect());
    }
    if fields.get("second").is_some() {
        out.insert("second".into(), second(&analysis.second).into());
    }
    out.into()
}

#[test]
fn every_row_of_the_table_holds() {
    let mut wrong = String::new();
    let rows = rows();
    for row in &rows {
        let script = row["script"].as_str().expect("script");
        let found = outcome(script, row);
        for (key, value) in found.as_object().unwrap() {
            let expected = if key == "opaque" {
                row.get(key).cloned().unwrap_or_else(|| Value::Array(Vec::new()))
            } else {
                row[key].clone()
            };
            if *value != expected {
                writeln!(wrong, "{script:?} ({})\n  {key}: expected {expected}\n  {key}: found    {value}", row["why"])
                    .unwrap();
            }
        }
    }
    assert!(rows.len() >= 200, "the table has shrunk to {}", rows.len());
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_row_says_why_and_none_stands_twice() {
    let mut seen = BTreeSet::new();
    for row in rows() {
        assert!(!row["why"].as_str().unwrap_or_default().is_empty(), "{row}");
        assert!(seen.insert(row["script"].to_string()), "twice: {}", row["script"]);
    }
}

#[test]
fn what_a_command_runs_points_back_to_it() {
    let analysis = analyze("sudo nice bash -c 'rm x; env ls'");
    let origins: Vec<(String, Origin)> =
        analysis.commands.iter().map(|found| (command(found), found.origin.clone())).collect();
    assert_eq!(
        origins,
        [
            ("sudo nice bash -c rm x; env ls".to_owned(), Origin::Direct),
            ("nice bash -c rm x; env ls".to_owned(), Origin::Dispatch { by: 0 }),
            ("bash -c rm x; env ls".to_owned(), Origin::Dispatch { by: 1 }),
            ("rm x".to_owned(), Origin::Script { by: 2 }),
            ("env ls".to_owned(), Origin::Script { by: 2 }),
            ("ls".to_owned(), Origin::Dispatch { by: 4 }),
        ]
    );
}

#[test]
fn only_a_dispatcher_whose_commands_are_all_known_dispatches() {
    for (script, expected) in [
        ("nice ls", true),
        ("bash -c 'ls'", true),
        ("find . -name x -exec ls {} +", true),
        ("echo a | xargs ls", true),
        ("find . -exec ls {} + -delete", false),
        ("sudo ls", false),
        ("ssh host ls", false),
        ("nice", false),
        ("nice --weird ls", false),
        ("bash script.sh", false),
        ("bash -c \"$X\"", false),
        ("xargs -a list ls", false),
        ("ls", false),
    ] {
        let analysis = analyze(script);
        let name = script.split(' ').find(|name| !matches!(*name, "echo" | "a" | "|")).unwrap();
        let found = analysis.commands.iter().find(|found| command(found).starts_with(name)).unwrap();
        assert_eq!(found.dispatches, expected, "{script}");
    }
}

#[test]
fn remote_commands_are_marked() {
    for (script, expected) in [
        ("ssh host rm -rf /tmp/x", true),
        ("docker exec -it web rm x", true),
        ("kubectl exec pod -- rm x", true),
        ("sudo rm x", false),
        ("bash -c 'rm x'", false),
    ] {
        let analysis = analyze(script);
        let found = analysis.commands.iter().find(|found| command(found).starts_with("rm")).expect(script);
        assert_eq!(found.remote, expected, "{script}");
    }
}

#[test]
fn limits_are_reported_and_bound_the_work() {
    let many = "a;".repeat(300_000);
    let analysis = analyze(&many);
    assert!(analysis.limits.contains(&Limit::Work));
    assert!(!analysis.is_whole());
    let deep = "eval ".repeat(200) + "ls";
    assert!(analyze(&deep).limits.contains(&Limit::Depth));
    let deep = "nice ".repeat(200) + "ls";
    assert!(analyze(&deep).limits.contains(&Limit::Depth));
    let long = Limits { max_len: 10, ..Limits::default() };
    assert_eq!(analyze_with("echo 0123456789", &long).limits, [Limit::Size]);
    // Unicode is counted in UTF-16 units, not in bytes.
    assert!(analyze_with("echo äöüß", &long).limits.is_empty());
}

#[test]
fn copies_of_values_and_directories_do_not_multiply_the_memory() {
    let value = "x".repeat(4000);
    for script in [
        format!("V={value}; {}", "echo $V;".repeat(50_000)),
        format!("cd {value} && {{ {} }}", "a;".repeat(50_000)),
        format!("for f in {value}; do {} done", "echo \"$f\";".repeat(50_000)),
        format!("echo {}", "{a,b}".repeat(10)),
        "eval '".to_owned() + &"echo x;".repeat(20_000) + "'",
    ] {
        let analysis = analyze(&script);
        let bytes: usize = analysis
            .commands
            .iter()
            .map(|found| {
                let moved = match &found.cwd {
                    Cwd::Moved(words) => words.iter().map(|word| word.raw.len()).sum(),
                    Cwd::Start | Cwd::Unknown => 0,
                };
                found.words.iter().map(|found| word(found).len()).sum::<usize>() + moved
            })
            .sum();
        assert!(bytes < 64 * 1024 * 1024, "{bytes} bytes from {} of {:.20}", script.len(), script);
    }
}

mod silent_misses {
    //! Scripts in which bash runs `touch` and brush-parser 0.4.0 shows no such command (spec/brush.md, section 2).

    use super::*;

    const SCRIPTS: &[&str] = &[
        "( ( touch HIT ) )",
        "((touch HIT) )",
        "( (touch HIT) )",
        "x=$( ( (touch HIT) ) )",
        "if ( ( touch HIT ) ); then :; fi",
        "( ( touch HIT && true ) )",
        "cat <<E ; echo $(touch HIT)\nE",
        "cat <<E > $(touch HIT)\nE",
        "cat <<E \"$(touch HIT)\"\nE",
        "cat <<$'E'\nE\ntouch HIT",
        "cat <<$\"E\"\nE\ntouch HIT",
        "cat <<\"E\\x\"\nE\\x\ntouch HIT",
        "cat <<'a\\b'\na\\b\ntouch HIT",
        "cat <<\"E'\"\nE'\ntouch HIT",
        "cat <<EOF\nE\\\nOF\ntouch HIT",
        "((:) ); cat <<ls ; touch HIT\nls",
        "\\$'\\'; touch HIT #'\\'",
        "$$'\\'; touch HIT #'\\'",
        "echo ${x:-<(touch HIT)}",
        "{fd}>f touch HIT",
        "! time touch HIT",
        "time -- touch HIT",
        "time time touch HIT",
        "echo \"$(touch HIT; cat <<'E'\n\"\nE\n)\"",
        "echo ${ touch HIT; }",
        "echo \"${x:-'$(touch HIT)'}\"",
    ];

    #[test]
    fn our_analysis_finds_every_one() {
        for script in SCRIPTS {
            let analysis = analyze(script);
            let found = analysis.union().any(|found| command(found) == "touch HIT");
            assert!(found, "{script:?}\n{analysis}");
        }
    }

    #[test]
    fn none_gets_an_agreement_that_hides_it() {
        for script in SCRIPTS {
            let analysis = analyze(script);
            let ours = analysis.commands.iter().any(|found| command(found) == "touch HIT");
            assert!(ours || !analysis.is_whole(), "{script:?}\n{analysis}");
        }
    }
}
