//! Every row of `tests/corpus/reported.jsonl`: inputs from public bug and bypass reports, each standing for a whole kind of
//! fault, run through the whole gate in a real directory tree with real links.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what goes wrong here is a broken test"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use portcullis_classifier::scripted::Scripted;
use portcullis_classifier::{Classifier, Policy as Rules, Settings};
use portcullis_config::{Layer, LayerContent, LayerInput, Profile, load};
use portcullis_gate::{
    Base, Classifiers, Decision, Gate, NoClassifier, NoLog, NoPrompter, NoState, Person, Policy, Ports, Ready, RealFs,
    Session, SystemClock, ToolCall, Verdict,
};
use serde_json::Value;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The rows of this repository, and those that a newer shared folder beside it has.
fn rows() -> Vec<Value> {
    let parse = |text: &str| -> Vec<Value> { text.lines().map(|line| serde_json::from_str(line).unwrap()).collect() };
    let mut rows = parse(&fs::read_to_string(workspace().join("tests/corpus/reported.jsonl")).unwrap());
    if let Ok(text) = fs::read_to_string(workspace().join("../shared/cases/reported.jsonl")) {
        let known: Vec<Value> = rows.iter().map(|row| row["id"].clone()).collect();
        rows.extend(parse(&text).into_iter().filter(|row| !known.contains(&row["id"])));
    }
    rows
}

/// A home with the project in it. Rows are written for `/home/dev`.
struct Room {
    directory: tempfile::TempDir,
}

impl Room {
    fn new(setup: &str) -> Self {
        let room = Self { directory: tempfile::tempdir().unwrap() };
        let project = room.home().join("proj");
        fs::create_dir_all(&project).unwrap();
        fs::create_dir_all(room.home().join(".ssh")).unwrap();
        fs::write(project.join("notes.txt"), "hello\n").unwrap();
        // Plain words, for a person or another kind of host: nothing to run.
        let prose = setup.starts_with('#') || setup.starts_with("classifier");
        if !setup.is_empty() && !prose {
            let script = room.place(setup).replace("/opt/real/git", "git");
            let mut bash = Command::new("bash");
            bash.args(["-c", &script]).current_dir(&project).env("HOME", room.home());
            let output = bash.output().unwrap();
            assert!(output.status.success(), "{setup}: {}", String::from_utf8_lossy(&output.stderr));
        }
        room
    }

    fn home(&self) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join("dev")
    }

    /// The text with this room's home in place of the written one.
    fn place(&self, text: &str) -> String {
        text.replace("/home/dev", self.home().to_str().unwrap())
    }
}

/// The layers of a row: `config`, or `config.layers` with objects or raw texts.
fn layers(config: &Value, room: &Room) -> Vec<LayerInput> {
    let input = |layer: Layer, value: &Value| {
        let text = match value {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        let content = LayerContent::Text(room.place(&text));
        LayerInput { layer, profile: Profile::Native, file: None, content, trusted: true }
    };
    let Some(layers) = config.get("layers").and_then(Value::as_object) else {
        return vec![input(Layer::Global, config)];
    };
    let layer = |name: &str| match name {
        "global" => Layer::Global,
        "shared" => Layer::SharedProject,
        "project_local" => Layer::ProjectLocal,
        "inline_env" => Layer::Inline,
        "managed" => Layer::Managed,
        other => panic!("layer {other}"),
    };
    layers.iter().map(|(name, value)| input(layer(name), value)).collect()
}

/// A classifier for the rows whose setup tells of one; none else.
fn classifiers(setup: &str) -> Box<dyn Classifiers> {
    let script = if setup.contains("\"Sure!\"") {
        r#"{"text": "Sure!"}"#
    } else if setup.contains("401") {
        r#"{"failure": "auth", "message": "401 Unauthorized"}"#
    } else {
        return Box::new(NoClassifier);
    };
    let transport = Scripted::from_jsonl("scripted/model", script).unwrap();
    Box::new(Ready(Classifier::new(vec![transport], Rules::default(), Settings::default())))
}

fn decide(row: &Value) -> Decision {
    let setup = row["setup"].as_str().unwrap_or_default();
    let room = Room::new(setup);
    let base = Base::new(room.home().join("proj"), room.home().to_str());
    let policy = Policy::compile(load(&layers(&row["config"], &room)), &base, &RealFs);
    let input: Value = serde_json::from_str(&room.place(&row["input"].to_string())).unwrap();
    let cwd = room.home().join("proj");
    let cwd = cwd.to_str().unwrap();
    // Rows of kind `hook` hold a host's event.
    let call = match input.get("tool_name").and_then(Value::as_str) {
        Some(name) => ToolCall::new(name, input["tool_input"].clone(), input["cwd"].as_str().unwrap_or(cwd)),
        None => ToolCall::new(row["tool"].as_str().unwrap(), input, cwd),
    };
    let home = room.home().to_str().map(str::to_owned);
    let session = Session { home, person: Person::HostAsks, ..Session::default() };
    let classifiers = classifiers(setup);
    let ports = Ports {
        fs: &RealFs,
        clock: &SystemClock,
        prompter: &NoPrompter,
        state: &NoState,
        log: &NoLog,
        classifiers: classifiers.as_ref(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(Gate::new(&policy, ports).decide(&call, &session))
}

#[test]
fn every_reported_row_holds() {
    let rows = rows();
    let mut wrong = Vec::new();
    for row in &rows {
        let decision = decide(row);
        let holds = match row["expect"].as_str().unwrap() {
            "deny" => decision.verdict == Verdict::Deny,
            "ask" => decision.verdict == Verdict::Ask,
            "allow" => decision.verdict == Verdict::Allow,
            "not-allow" => !matches!(decision.verdict, Verdict::Allow | Verdict::Pass),
            "not-deny" => decision.verdict != Verdict::Deny,
            other => panic!("expect {other}"),
        };
        if !holds {
            let Decision { verdict, stage, reason, .. } = decision;
            let (id, input, expect) = (&row["id"], &row["input"], &row["expect"]);
            wrong.push(format!("{id}: {input} expected {expect}, got {verdict} by {stage} ({reason})"));
        }
    }
    println!("reported rows: {} of {} hold", rows.len() - wrong.len(), rows.len());
    assert!(rows.len() >= 175, "rows are missing");
    assert!(wrong.is_empty(), "{} rows do not hold:\n{}", wrong.len(), wrong.join("\n"));
}
