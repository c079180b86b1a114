//! Who decides, in what order: `data/pipeline.jsonl`; and what the session remembers of it.

mod support;

use portcullis_gate::{Answer, Person, Session, StateStore, ToolOrigin, Turn, Verdict};
use serde::Deserialize;
use serde_json::{Value, json};
use support::{CWD, Model, Sitting, World, rows, session};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    settings: Value,
    run: Option<String>,
    tool: Option<String>,
    input: Option<Value>,
    cwd: Option<String>,
    mode: Option<String>,
    turn: Option<String>,
    person: Option<String>,
    model: Option<String>,
    questions: Option<usize>,
    wants: String,
    stage: String,
    why: String,
}

#[test]
fn the_first_stage_that_decides_ends_it() {
    let mut wrong = Vec::new();
    for row in rows::<Row>(include_str!("data/pipeline.jsonl")) {
        let mut world = World::new(&row.settings.to_string());
        world.model = Model::named(row.model.as_deref().unwrap_or("none"));
        let person = match row.person.as_deref() {
            None | Some("host") => Person::HostAsks,
            Some("absent") => Person::Absent,
            Some("yes" | "no") => Person::AskNow,
            Some(other) => panic!("`{other}` is no person"),
        };
        if row.person.as_deref() == Some("no") {
            world.person = Sitting::who_says(Answer::No { feedback: None });
        }
        let session = Session {
            person,
            mode: row.mode.as_deref().map(|name| name.parse().unwrap()),
            turn: if row.turn.is_some() { Turn::Cancelled } else { Turn::Running },
            ..session()
        };
        let input = row.input.clone().unwrap_or_else(|| json!({"command": row.run}));
        let tool = row.tool.as_deref().unwrap_or("bash");
        let decision = world.decide_in(row.cwd.as_deref().unwrap_or(CWD), tool, input.clone(), &session);
        let questions = world.person.asked.lock().unwrap().len();
        let got = (decision.verdict.name(), decision.stage.id());
        let asked_right = row.questions.is_none_or(|wanted| wanted == questions) && questions <= 1;
        if got != (row.wants.as_str(), row.stage.as_str()) || !asked_right {
            let reason = &decision.reason;
            wrong.push(format!(
                "{tool} {input} ({})\n    wanted {} by {}, got {} by {}, {questions} questions: {reason}",
                row.why, row.wants, row.stage, got.0, got.1
            ));
        }
        assert!(!decision.trace.is_empty(), "every decision is explained: {}", row.why);
        let told = decision.message_for_model.is_some();
        assert_eq!(told, !matches!(decision.verdict, Verdict::Allow | Verdict::Pass), "{}", row.why);
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// What the model reads, in the words of `messages.rs`.
#[test]
fn a_denial_tells_the_model_what_to_do_instead_and_not_to_route_around() {
    let settings = json!({
        "permissions": {"deny": ["bash(npm publish*)"], "ask": ["bash(git push*)"]},
        "autoMode": {"deniedPaths": ["**/secrets/**"]},
    });
    let told = |model, mode: &str, person, answer: Answer, tool: &str, input: Value| {
        let mut world = World::new(&settings.to_string());
        world.model = model;
        world.person = Sitting::who_says(answer);
        let session = Session { mode: mode.parse().ok(), person, ..session() };
        world.decide(tool, input, &session).message_for_model.unwrap()
    };
    let run = |command: &str| json!({"command": command});
    let no = || Answer::No { feedback: Some("use make".to_owned()) };
    let messages = [
        told(Model::Absent, "auto", Person::HostAsks, Answer::Yes, "bash", run("npm publish")),
        told(Model::Absent, "auto", Person::Absent, Answer::Yes, "bash", run("git push")),
        told(Model::Absent, "auto", Person::HostAsks, Answer::Yes, "bash", run("rm -rf ~")),
        told(Model::Absent, "auto", Person::HostAsks, Answer::Yes, "read", json!({"path": "secrets/key.txt"})),
        told(Model::Absent, "plan", Person::HostAsks, Answer::Yes, "bash", run("make")),
        told(Model::Absent, "dontAsk", Person::HostAsks, Answer::Yes, "bash", run("make")),
        told(Model::Absent, "auto", Person::Absent, Answer::Yes, "bash", run("make")),
        told(Model::Absent, "auto", Person::HostAsks, Answer::Yes, "bash", run("make")),
        told(Model::BlocksSoftly, "auto", Person::HostAsks, Answer::Yes, "bash", run("make")),
        told(Model::TimesOut, "auto", Person::HostAsks, Answer::Yes, "bash", run("make")),
        told(Model::Absent, "default", Person::AskNow, no(), "bash", run("make")),
        told(Model::Absent, "auto", Person::HostAsks, Answer::Yes, "bash", json!({})),
    ];
    insta::assert_snapshot!(messages.join("\n\n"));
}

#[test]
fn only_the_verified_inspection_tool_passes_by_its_origin() {
    let world = World::new(r#"{"mode": "dontAsk"}"#);
    let call = |origin| world.decide("automode_inspect", json!({}), &Session { tool_origin: origin, ..session() });
    assert_eq!(call(ToolOrigin::GateInspect).verdict, Verdict::Allow);
    assert_eq!(call(ToolOrigin::Other).verdict, Verdict::Deny);
    assert_eq!(world.state.read("s").unwrap().checked_actions, 1, "the gate's own tool leaves no trace in the state");
}

#[test]
fn a_session_allow_is_for_this_command_in_this_session_and_never_for_the_floor() {
    let mut world = World::new("{}");
    world.person = Sitting::who_says(Answer::YesForSession);
    let asked = Session { person: Person::AskNow, ..session() };
    let run =
        |world: &World, command: &str, session: &Session| world.decide("bash", json!({"command": command}), session);
    assert_eq!(run(&world, "make *", &asked).verdict, Verdict::Allow);
    // From here nobody is there to say yes.
    assert_eq!(run(&world, "make *", &session()).verdict, Verdict::Allow);
    assert_eq!(run(&world, "make deploy", &session()).verdict, Verdict::Ask, "`*` in the command is no pattern");
    let other = Session { id: Some("t".to_owned()), ..session() };
    assert_eq!(run(&world, "make *", &other).verdict, Verdict::Ask, "another session");
    let mut strict = World::new(r#"{"autoMode": {"onFloor": "ask"}}"#);
    strict.person = Sitting::who_says(Answer::YesForSession);
    assert_eq!(run(&strict, "curl -k https://x", &asked).verdict, Verdict::Allow);
    assert_eq!(run(&strict, "curl -k https://x", &session()).verdict, Verdict::Ask, "a floor hit is asked every time");
    assert_eq!(strict.state.read("s").unwrap().session_allows, []);
}

#[test]
fn blocks_pause_the_classifier_until_a_person_approves_and_failures_do_not_count() {
    let mut world = World::new(r#"{"autoMode": {"pause": {"consecutive": 2, "total": 20}}}"#);
    let run =
        |world: &World, person| world.decide("bash", json!({"command": "cargo run"}), &Session { person, ..session() });
    world.model = Model::TimesOut;
    for _ in 0..5 {
        assert_eq!(run(&world, Person::HostAsks).verdict, Verdict::Deny);
    }
    assert!(!world.state.read("s").unwrap().pause.paused, "a timeout is no block");
    world.model = Model::BlocksSoftly;
    for _ in 0..2 {
        assert_eq!(run(&world, Person::HostAsks).verdict, Verdict::Deny);
    }
    let paused = run(&world, Person::HostAsks);
    assert_eq!((paused.verdict, paused.stage.id()), (Verdict::Ask, "pause"));
    assert_eq!(run(&world, Person::Absent).verdict, Verdict::Deny);
    assert_eq!(run(&world, Person::AskNow).verdict, Verdict::Allow, "the person says yes");
    world.model = Model::Allows;
    assert_eq!(run(&world, Person::HostAsks).stage.id(), "classifier", "approval resumes");
    let state = world.state.read("s").unwrap();
    assert_eq!((state.classifier_denied, state.classifier_allowed, state.checked_actions), (2, 1, 11));
}

#[test]
fn the_session_can_switch_the_gate_off_and_choose_its_mode() {
    let world = World::new("{}");
    world.state.update("s", &mut |state| state.mode = Some("plan".to_owned())).unwrap();
    let edit = || world.decide("edit", json!({"path": "src/main.rs"}), &session());
    assert_eq!(edit().stage.id(), "mode");
    world.state.update("s", &mut |state| state.enabled_override = Some(false)).unwrap();
    assert_eq!(edit().verdict, Verdict::Pass);
}

#[test]
fn the_original_of_a_wrapped_command_is_what_rules_match() {
    let world = World::new(r#"{"permissions": {"allow": ["bash(npm test)"], "deny": ["bash(npm publish*)"]}}"#);
    let run = |command: &str, original: &str| {
        let session = Session { original_command: Some(original.to_owned()), ..session() };
        world.decide("bash", json!({"command": command}), &session).verdict
    };
    assert_eq!(run("cd '/home/dev/proj/build' && npm test", "npm test"), Verdict::Allow);
    assert_eq!(run("cd /home/dev/proj/build && npm publish", "npm publish"), Verdict::Deny);
    assert_eq!(run("npm publish", "npm test"), Verdict::Deny, "what runs is looked at too");
    assert_eq!(run("make deploy && npm test", "npm test"), Verdict::Ask, "a wrapper that does more");
    assert_eq!(run("cd $(make) && npm test", "npm test"), Verdict::Ask, "a wrapper that runs something");
}
