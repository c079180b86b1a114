//! The mode table, every cell of `data/modes.jsonl`, for every kind of person and model.
#![expect(clippy::unwrap_used, clippy::panic, reason = "what goes wrong here is a broken test")]

mod support;

use portcullis_gate::{Answer, Mode, Person, Reach, Session, Verdict};
use serde::Deserialize;
use serde_json::{Value, json};
use support::{Model, Sitting, World, rows, session};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    mode: String,
    situation: String,
    means: String,
}

const SETTINGS: &str = r#"{
    "permissions": {"deny": ["bash(npm publish*)"], "ask": ["bash(git push*)"], "allow": ["bash(npm test)"]},
    "autoMode": {"deniedPaths": ["~/proj/secrets/**"]}
}"#;

/// The call that stands for a situation.
fn call(situation: &str) -> (&'static str, Value) {
    match situation {
        "read" => ("read", json!({"path": "src/main.rs"})),
        "shell-read" => ("bash", json!({"command": "wc -l notes.txt"})),
        "read-outside" => ("read", json!({"path": "/etc/hosts"})),
        "sensitive-read" => ("read", json!({"path": "/home/dev/.ssh/id_rsa"})),
        "in-tree-edit" => ("edit", json!({"path": "src/main.rs"})),
        "out-of-tree-edit" => ("write", json!({"path": "/home/dev/other/lib.rs"})),
        "protected-write" => ("write", json!({"path": ".git/hooks/pre-commit"})),
        "plan-file" => ("write", json!({"path": "/home/dev/plans/plan.md"})),
        "memory" => ("write", json!({"path": "/home/dev/memory/a.md"})),
        "scratch" => ("write", json!({"path": "/tmp/scratch/a.txt"})),
        "delegation" => ("Task", json!({"prompt": "fix the bug"})),
        "bookkeeping" => ("TodoWrite", json!({"todos": []})),
        "other-shell" => ("bash", json!({"command": "cargo run"})),
        "other-tool" => ("mcp__db__query", json!({"sql": "select 1"})),
        "web" => ("WebFetch", json!({"url": "https://example.com"})),
        "ask-rule" => ("bash", json!({"command": "git push origin main"})),
        "allow-rule" => ("bash", json!({"command": "npm test"})),
        "deny-rule" => ("bash", json!({"command": "npm publish"})),
        "floor" => ("bash", json!({"command": "rm -rf ~"})),
        "denied-path" => ("read", json!({"path": "secrets/key.txt"})),
        other => panic!("no call stands for `{other}`"),
    }
}

/// Who can be asked, and what they say.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Who {
    Host,
    SaysYes,
    SaysNo,
    Nobody,
}

/// What a cell comes to.
fn verdict(means: &str, who: Who, model: Model) -> Verdict {
    let asked = match who {
        Who::Host => Verdict::Ask,
        Who::SaysYes => Verdict::Allow,
        Who::SaysNo | Who::Nobody => Verdict::Deny,
    };
    match (means, model) {
        ("allow", _) | ("classify", Model::Allows) => Verdict::Allow,
        // Without a model whatever is open is asked.
        ("ask", _) | ("classify", Model::Absent) | ("ask+classify", Model::Absent | Model::Allows) => asked,
        ("deny" | "classify" | "ask+classify", _) => Verdict::Deny,
        (other, _) => panic!("`{other}` is no cell"),
    }
}

#[test]
fn every_cell_of_the_mode_table_holds_for_every_person_and_model() {
    let rows: Vec<Row> = rows(include_str!("data/modes.jsonl"));
    assert_eq!(rows.len(), Mode::ALL.len() * 20, "every mode has every situation");
    let mut wrong = Vec::new();
    for row in &rows {
        let (tool, input) = call(&row.situation);
        for who in [Who::Host, Who::SaysYes, Who::SaysNo, Who::Nobody] {
            for model in [Model::Absent, Model::Allows, Model::BlocksSoftly, Model::TimesOut] {
                let mut world = World::new(SETTINGS);
                world.model = model;
                let answer = if who == Who::SaysYes { Answer::Yes } else { Answer::No { feedback: None } };
                world.person = Sitting::who_says(answer);
                let person = match who {
                    Who::Host => Person::HostAsks,
                    Who::SaysYes | Who::SaysNo => Person::AskNow,
                    Who::Nobody => Person::Absent,
                };
                let session = in_mode(&row.mode, person);
                let decision = world.decide(tool, input.clone(), &session);
                let wanted = verdict(&row.means, who, model);
                let questions = world.person.asked.lock().unwrap().len();
                if decision.verdict != wanted || questions > 1 {
                    let Row { mode, situation, .. } = row;
                    let (got, stage) = (decision.verdict, decision.stage);
                    wrong.push(format!("{mode} {situation} {who:?} {model:?}: wanted {wanted}, got {got} at {stage} ({questions} questions): {}", decision.reason));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} cells:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_local_decision_calls_no_model_and_says_so_where_one_is_needed() {
    for row in rows::<Row>(include_str!("data/modes.jsonl")) {
        let (tool, input) = call(&row.situation);
        let mut world = World::new(SETTINGS);
        world.model = Model::Allows;
        let session = Session { reach: Reach::LocalOnly, ..in_mode(&row.mode, Person::HostAsks) };
        let decision = world.decide(tool, input, &session);
        let wanted = match row.means.as_str() {
            "classify" => Verdict::Undecided,
            "ask+classify" => Verdict::Ask,
            means => verdict(means, Who::Host, Model::Absent),
        };
        assert_eq!((decision.verdict, decision.local), (wanted, true), "{} {}", row.mode, row.situation);
    }
}

fn in_mode(mode: &str, person: Person) -> Session {
    Session {
        mode: Some(mode.parse().unwrap()),
        person,
        plan_file: Some("/home/dev/plans/plan.md".to_owned()),
        memory_dir: Some("/home/dev/memory".to_owned()),
        scratchpad: Some("/tmp/scratch".to_owned()),
        ..session()
    }
}
