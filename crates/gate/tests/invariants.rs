//! The invariants of the overview, as properties over calls and settings put together at random from parts that matter.

mod support;

use portcullis_gate::{Decision, MemoryFs, Person, Session, StateError, StateStore, Verdict};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};
use support::{Model, World, files, session};

const COMMANDS: &[&str] = &[
    "ls",
    "cat notes.txt",
    "git status",
    "git push origin main",
    "npm test",
    "npm publish",
    "rm -rf build",
    "rm -rf ~",
    "curl -k https://x",
    "curl https://x",
    "echo x > notes.txt",
    "echo x >> ~/.bashrc",
    "cat ~/.ssh/id_rsa",
    "cat secrets/key.txt",
    "grep -r x .",
    "python3 x.py",
    "eval \"$X\"",
    "cd \"$X\"",
    "make",
    "chmod 600 ~/.ssh/id_rsa",
    "printf x > .git/hooks/pre-commit",
];
const GLUE: &[&str] = &[" && ", " | ", "; ", " || ", " & ", "\n"];
const WRAPS: &[(&str, &str)] = &[
    ("", ""),
    ("(", ")"),
    ("{ ", "; }"),
    ("bash -c '", "'"),
    ("sudo ", ""),
    ("echo \"$(", ")\""),
    ("if ", "; then :; fi"),
];
const PATHS: &[&str] = &[
    "notes.txt",
    "src/main.rs",
    ".git/hooks/x",
    "~/.bashrc",
    "rc",
    "/etc/hosts",
    "secrets/key.txt",
    ".env",
    "../other/lib.rs",
    "keys/id_rsa",
    ".",
];
const TOOLS: &[&str] = &["read", "write", "edit", "grep", "ls", "mcp__fs__write_file", "mcp__fs__get"];
const RULES: &[&str] = &[
    "bash(git push*)",
    "bash(npm *)",
    "bash(ls)",
    "bash(cat *)",
    "bash(rm*)",
    "bash(echo *)",
    "bash(printf x > .git/hooks/pre-commit)",
    "bash",
    "bash(make)",
    "bash(curl *)",
    "read",
    "write",
    "edit(src/**)",
    "read(**/.env)",
    "mcp__fs",
    "grep",
];
const DENIED: &[&str] = &["**/secrets/**", "~/.ssh/**", "*.env", "/etc/**"];
const MODES: &[&str] = &["default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"];

fn command() -> impl Strategy<Value = String> {
    let one = (select(WRAPS), select(COMMANDS)).prop_map(|((before, after), inner)| format!("{before}{inner}{after}"));
    (one.clone(), proptest::collection::vec((select(GLUE), one), 0..3))
        .prop_map(|(first, rest)| rest.into_iter().fold(first, |text, (glue, next)| format!("{text}{glue}{next}")))
}

fn call() -> impl Strategy<Value = (String, Value)> {
    let shell = command().prop_map(|command| ("bash".to_owned(), json!({"command": command})));
    let file = (select(TOOLS), select(PATHS))
        .prop_map(|(tool, path)| (tool.to_owned(), json!({"path": path, "content": "x", "pattern": "x"})));
    prop_oneof![3 => shell, 2 => file]
}

/// Settings as lists that can be added to.
#[derive(Clone, Debug)]
struct Settings {
    deny: Vec<&'static str>,
    ask: Vec<&'static str>,
    allow: Vec<&'static str>,
    denied: Vec<&'static str>,
    protected: Vec<&'static str>,
    inside: bool,
}

impl Settings {
    fn json(&self) -> String {
        let protected: Vec<_> = std::iter::once("$defaults").chain(self.protected.iter().copied()).collect();
        json!({
            "permissions": {"deny": self.deny, "ask": self.ask, "allow": self.allow},
            "autoMode": {
                "deniedPaths": self.denied,
                "protectedPaths": protected,
                "allowInsideWorkingDirectory": self.inside,
            },
        })
        .to_string()
    }
}

fn settings() -> impl Strategy<Value = Settings> {
    let some = |from, most| proptest::collection::vec(select(from), 0..most);
    (some(RULES, 2), some(RULES, 2), some(RULES, 5), some(DENIED, 2), any::<bool>()).prop_map(
        |(deny, ask, allow, denied, inside)| Settings { deny, ask, allow, denied, protected: Vec::new(), inside },
    )
}

/// One more restriction.
#[derive(Clone, Copy, Debug)]
enum Tighter {
    Deny(&'static str),
    Ask(&'static str),
    DeniedPath(&'static str),
    Protected(&'static str),
}

fn tighter() -> impl Strategy<Value = Tighter> {
    prop_oneof![
        select(RULES).prop_map(Tighter::Deny),
        select(RULES).prop_map(Tighter::Ask),
        select(DENIED).prop_map(Tighter::DeniedPath),
        select(&["notes.txt", "src", "build"][..]).prop_map(Tighter::Protected),
    ]
}

fn circumstances() -> impl Strategy<Value = (Session, Model)> {
    let models = &[Model::Absent, Model::Allows, Model::BlocksSoftly, Model::TimesOut][..];
    (select(MODES), select(&[Person::Absent, Person::HostAsks][..]), select(models))
        .prop_map(|(mode, person, model)| (Session { mode: mode.parse().ok(), person, ..session() }, model))
}

fn decide(settings: &str, fs: MemoryFs, model: Model, session: &Session, call: &(String, Value)) -> Decision {
    let mut world = World::with_files(settings, fs);
    world.model = model;
    world.decide(&call.0, call.1.clone(), session)
}

/// A state that can be neither read nor written.
struct Broken;

impl StateStore for Broken {
    fn update(
        &self,
        _session: &str,
        _change: &mut dyn FnMut(&mut portcullis_gate::SessionState),
    ) -> Result<(), StateError> {
        Err(StateError::Busy)
    }

    fn read(&self, _session: &str) -> Result<portcullis_gate::SessionState, StateError> {
        Err(StateError::Busy)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// INVARIANT 2: adding a restriction never turns a call that was not allowed into one that is.
    #[test]
    fn tightening_is_monotone(
        call in call(), settings in settings(), more in tighter(), (session, model) in circumstances(),
    ) {
        let before = decide(&settings.json(), files(), model, &session, &call);
        let mut tightened = settings.clone();
        match more {
            Tighter::Deny(rule) => tightened.deny.push(rule),
            Tighter::Ask(rule) => tightened.ask.push(rule),
            Tighter::DeniedPath(pattern) => tightened.denied.push(pattern),
            Tighter::Protected(name) => tightened.protected.push(name),
        }
        let after = decide(&tightened.json(), files(), model, &session, &call);
        prop_assert!(
            after.verdict != Verdict::Allow || before.verdict == Verdict::Allow,
            "{} by {} became {} by {}: {}", before.verdict, before.stage, after.verdict, after.stage, after.reason
        );
    }

    /// A lost restriction never becomes an allow: with a rule that can't be read nothing is allowed without a person.
    #[test]
    fn degraded_never_allows(call in call(), settings in settings(), (session, model) in circumstances()) {
        let mut broken = settings;
        broken.deny.push("bash(");
        let decision = decide(&broken.json(), files(), model, &session, &call);
        prop_assert_ne!(decision.verdict, Verdict::Allow, "{}", decision.reason);
        prop_assert!(decision.degraded.is_some());
    }

    /// INVARIANT 1: what goes wrong inside never allows. A link loop, a directory that can't be examined, a state that can't be
    /// read: nothing is allowed that would not be allowed without the fault.
    #[test]
    fn faults_never_allow(call in call(), settings in settings(), (session, model) in circumstances()) {
        let before = decide(&settings.json(), files(), model, &session, &call);
        let faulty = files()
            .link("/home/dev/proj/notes.txt", "/home/dev/proj/loop")
            .link("/home/dev/proj/loop", "/home/dev/proj/notes.txt")
            .forbidden("/home/dev/proj/src");
        let after = decide(&settings.json(), faulty, model, &session, &call);
        prop_assert!(
            after.verdict != Verdict::Allow || before.verdict == Verdict::Allow,
            "{} by {} became {} by {}: {}", before.verdict, before.stage, after.verdict, after.stage, after.reason
        );
    }

    /// INVARIANT 8: a state that can't be used changes no verdict.
    #[test]
    fn a_broken_state_changes_nothing(call in call(), settings in settings(), (session, model) in circumstances()) {
        let mut world = World::new(&settings.json());
        world.model = model;
        let sound = world.decide(&call.0, call.1.clone(), &session);
        let broken = world.decide_with(&Broken, &call.0, call.1.clone(), &session);
        prop_assert_eq!((sound.verdict, sound.stage), (broken.verdict, broken.stage));
    }

    /// INVARIANT 1: what bypass allows, deny rules, the floor and denied paths let through.
    #[test]
    fn no_mode_opens_what_is_closed(call in call(), settings in settings(), (session, model) in circumstances()) {
        let decision = decide(&settings.json(), files(), model, &session, &call);
        if decision.verdict == Verdict::Allow {
            let bypass = Session { mode: "bypassPermissions".parse().ok(), ..session };
            let again = decide(&settings.json(), files(), model, &bypass, &call);
            prop_assert_eq!(again.verdict, Verdict::Allow, "{}", again.reason);
        }
    }

    /// INVARIANT 7: every decision says who decided and why, and its trace ends with that.
    #[test]
    fn every_decision_is_explained(call in call(), settings in settings(), (session, model) in circumstances()) {
        let decision = decide(&settings.json(), files(), model, &session, &call);
        let last = decision.trace.last().unwrap();
        prop_assert_eq!((last.stage, last.verdict), (decision.stage, Some(decision.verdict)));
        prop_assert!(!decision.reason.is_empty());
        prop_assert!(decision.trace.iter().rev().skip(1).all(|step| step.verdict.is_none()));
    }

    /// No text at all makes the gate panic, and none that is no script is allowed.
    #[test]
    fn any_text_is_answered(command in "\\PC{0,60}", tool in select(TOOLS), path in "\\PC{0,30}") {
        let world = World::new("{}");
        world.decide("bash", json!({"command": command}), &session());
        world.decide(tool, json!({"path": path, "pattern": path, "content": command}), &session());
    }
}
