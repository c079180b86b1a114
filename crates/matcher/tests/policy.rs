//! Broad rules, map policies, and the laws that hold for any rules.

use portcullis_matcher::{
    Facts, ListRules, MapAction, MapEntry, MapPolicy, MapSurface, Rule, RuleSet, ShellRules, ToolCall,
};
use portcullis_shell_ast::analyze;
use proptest::prelude::*;
use serde_json::json;

fn with_facts<T>(tool: &str, command: &str, run: impl FnOnce(&Facts<'_>) -> T) -> T {
    let call = ToolCall::new(tool, json!({ "command": command }), "/p");
    let analysis = analyze(command);
    run(&Facts {
        call: &call,
        analysis: Some(&analysis),
        effects: None,
        paths: &[],
        shell_paths: &[],
        home: Some("/h"),
        cwd: "/p",
        settings_root: None,
    })
}

#[test]
fn rules_that_hand_over_execution_are_broad() {
    for text in [
        "Bash",
        "Bash(*)",
        "bash(* *)",
        "Bash(python:*)",
        "bash(python3.12 *)",
        "bash(npx *)",
        "Bash(sh -c:*)",
        "agent",
        "Task(Explore)",
        "*",
        "bash(sudo *)",
        "bash(find *)",
        "bash(awk *)",
        "bash(sed *)",
        "bash(env *)",
        "bash(xargs *)",
        "bash(git *)",
        "bash(git*)",
        "bash(curl *)",
        "bash(tee *)",
        "bash(npm run *)",
        "bash(npm *)",
        "bash(docker exec -it *)",
        "bash(/usr/bin/python *)",
        "bash(cd * && python *)",
        "bash(A=1 node *)",
        "bash(sudo bash *)",
        "bash(py*)",
        "bash(node -e *)",
        "bash(make:*)",
        "bash(ssh host*)",
        "bash(ssh host *)",
        "bash(timeout 5 *)",
        "bash(sudo -u bob *)",
        "bash(docker exec web *)",
        "bash(timeout 5 python *)",
        "bash(nice -n 5 *)",
        "bash(env A=1 *)",
    ] {
        assert!(Rule::parse(text).unwrap().is_broad().is_some(), "{text}");
    }
    for text in [
        "bash(git status*)",
        "bash(python manage.py test)",
        "bash(npm run build)",
        "bash(npm run test:*)",
        "bash(ls *)",
        "bash(cargo test *)",
        "bash(docker ps *)",
        "read",
        "mcp__github",
        "bash(kubectl get *)",
        "bash(sudo apt-get update *)",
        "bash(make test)",
        "bash(timeout 5 cargo test *)",
        "bash(docker exec web ls *)",
        "bash(ssh host uptime *)",
        "edit(src/**)",
    ] {
        assert_eq!(Rule::parse(text).unwrap().is_broad(), None, "{text}");
    }
}

#[test]
fn auto_mode_sets_broad_allow_rules_aside() {
    let lists = || ListRules::compile(&[], &[], &["bash(git *)", "bash(ls *)", "read"]).0;
    let names = |shell| lists().suspend_broad(shell).1.into_iter().map(|item| item.rule).collect::<Vec<_>>();
    assert_eq!(names(ShellRules::Narrow), ["bash(git *)"]);
    assert_eq!(names(ShellRules::None), ["bash(git *)", "bash(ls *)"]);
}

#[test]
fn a_broken_deny_is_reported_as_tightening() {
    let (_, problems) = ListRules::compile(&["bash(x"], &[], &["bash(y", "mcp__*", "bash(while)"]);
    let got: Vec<(usize, bool)> = problems.iter().map(|problem| (problem.index, problem.tightening)).collect();
    assert_eq!(got, [(0, true), (0, false), (1, false), (2, false)]);
}

fn policy(surfaces: &[(&str, &[(&str, MapAction)])]) -> MapPolicy {
    let surfaces: Vec<MapSurface> = surfaces
        .iter()
        .map(|(name, entries)| MapSurface {
            name: (*name).to_owned(),
            entries: entries
                .iter()
                .map(|(pattern, action)| MapEntry { pattern: (*pattern).to_owned(), action: *action, reason: None })
                .collect(),
        })
        .collect();
    MapPolicy::compile(&surfaces).0
}

#[test]
fn map_policies_answer_by_the_last_match_and_the_strictest_part() {
    use MapAction::{Allow, Ask, Deny};
    let policy = policy(&[
        ("*", &[("*", Ask)]),
        (
            "bash",
            &[("*", Ask), ("git *", Allow), ("git push *", Deny), ("git push --dry-run *", Allow), ("ls ?", Allow)],
        ),
    ]);
    let rows = [
        ("git status", Some(Allow), "the last match"),
        ("git", Some(Allow), "a trailing star is optional"),
        ("git push", Some(Deny), "a later pattern"),
        ("git push --dry-run x", Some(Allow), "a later pattern still"),
        ("git status && git push", Some(Deny), "the strictest command"),
        ("git status && foo", Some(Ask), "the strictest command"),
        ("git log $(git push)", Some(Deny), "substitutions are commands"),
        ("if x; then git push; fi", Some(Deny), "control flow is descended"),
        ("sudo git status", Some(Ask), "wrappers are never allowed by pattern"),
        ("git log > f", Some(Ask), "a written file is never allowed by pattern"),
        ("git $(cat x", Some(Ask), "an incomplete script"),
        ("ls a", Some(Allow), "one character"),
        ("ls ab", Some(Ask), "one character only"),
    ];
    for (command, expected, why) in rows {
        assert_eq!(with_facts("bash", command, |facts| policy.evaluate(facts).action), expected, "{command}: {why}");
    }
    let other = with_facts("zzz", "x", |facts| policy.evaluate(facts).action);
    assert_eq!(other, Some(Ask), "the surface `*` answers for other tools");
}

const COMMANDS: &[&str] =
    &["ls", "git status", "git push", "cd a && ls", "ls | wc", "(ls)", "ls > f", "sudo ls", "git log $x"];
const RULES: &[&str] = &[
    "bash",
    "bash(ls*)",
    "bash(git *)",
    "bash(git push*)",
    "bash(cd *)",
    "bash(wc*)",
    "bash((ls))",
    "bash(ls > f)",
    "*",
];

proptest! {
    #[test]
    fn adding_a_deny_or_ask_rule_never_allows(
        command in prop::sample::select(COMMANDS),
        allow in prop::collection::vec(prop::sample::select(RULES), 0..4),
        deny in prop::collection::vec(prop::sample::select(RULES), 0..3),
        more in prop::sample::select(RULES),
        to_deny in any::<bool>(),
    ) {
        let allowed = |deny: &[&str], ask: &[&str]| {
            let (rules, _) = ListRules::compile(deny, ask, &allow);
            with_facts("bash", command, |facts| {
                rules.deny(facts).is_none() && rules.ask(facts).is_none() && rules.allow(facts).is_some()
            })
        };
        let before = allowed(&deny, &[]);
        let mut tighter = deny.clone();
        let after = if to_deny { tighter.push(more); allowed(&tighter, &[]) } else { allowed(&tighter, &[more]) };
        prop_assert!(before || !after);
    }

    #[test]
    fn no_text_makes_a_rule_panic(text in "\\PC{0,24}", tool in "[a-zA-Z_]{1,6}") {
        let _ = Rule::parse(&text);
        let _ = Rule::parse(&format!("{tool}({text})"));
        let _ = Rule::parse(&format!("read({text})"));
        let _ = Rule::parse(&format!("bash({text})"));
    }
}

#[test]
fn a_command_too_long_to_match_meets_deny_and_no_allow() {
    let command = format!("echo {}", "a".repeat(1_048_577));
    let call = ToolCall::new("bash", json!({ "command": command }), "/p");
    let facts = Facts {
        call: &call,
        analysis: None,
        effects: None,
        paths: &[],
        shell_paths: &[],
        home: None,
        cwd: "/p",
        settings_root: None,
    };
    let (rules, _) = ListRules::compile(&["bash(git push*)"], &[], &["bash"]);
    assert!(rules.deny(&facts).is_some());
    assert!(rules.allow(&facts).is_none());
}
