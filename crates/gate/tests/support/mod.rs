//! A small world for decisions: files in memory, a scripted model, a person with a set answer.
#![expect(dead_code, reason = "each test uses its part")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "what goes wrong here is a broken test")]

use std::sync::Mutex;

use portcullis_classifier::scripted::{Scripted, Step};
use portcullis_classifier::{BoxFuture, Classifier, FailureKind, Policy as Prose, Settings};
use portcullis_config::{Layer, LayerContent, LayerInput, Profile, load};
use portcullis_gate::{
    Answer, Base, Classifiers, Clock, Decision, FileSystem, Gate, MemoryFs, MemoryState, NoClassifier, NoLog, Policy,
    Ports, Prompter, Question, Ready, Session, StateStore, ToolCall,
};
use serde_json::Value;

pub(crate) const HOME: &str = "/home/dev";
pub(crate) const CWD: &str = "/home/dev/proj";

/// What the model answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Model {
    Absent,
    Allows,
    BlocksSoftly,
    BlocksHard,
    TimesOut,
    Overflows,
    Babbles,
}

impl Model {
    pub(crate) fn named(name: &str) -> Self {
        match name {
            "none" => Self::Absent,
            "allow" => Self::Allows,
            "soft" => Self::BlocksSoftly,
            "hard" => Self::BlocksHard,
            "timeout" => Self::TimesOut,
            "overflow" => Self::Overflows,
            "babble" => Self::Babbles,
            other => panic!("no model answers `{other}`"),
        }
    }

    fn script(self) -> Vec<Step> {
        let block = |tier: &str| {
            let json = format!(r#"{{"decision":"block","tier":"{tier}","reason":"scripted"}}"#);
            vec![Step::text("1"), Step::text(json)]
        };
        match self {
            Self::Absent => Vec::new(),
            Self::Allows => vec![Step::text("0")],
            Self::BlocksSoftly => block("soft_deny"),
            Self::BlocksHard => block("hard_deny"),
            Self::TimesOut => vec![Step::failure(FailureKind::Timeout, "scripted")],
            Self::Overflows => vec![Step::failure(FailureKind::ContextOverflow, "scripted")],
            Self::Babbles => vec![Step::text("Sure!"), Step::text("Sure!"), Step::text("Sure!")],
        }
    }
}

/// A clock that stands still.
pub(crate) struct Still;

impl Clock for Still {
    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::UNIX_EPOCH
    }
}

/// A person who gives one answer and remembers the questions.
pub(crate) struct Sitting {
    pub(crate) answer: Answer,
    pub(crate) asked: Mutex<Vec<Question>>,
}

impl Sitting {
    pub(crate) fn who_says(answer: Answer) -> Self {
        Self { answer, asked: Mutex::new(Vec::new()) }
    }
}

impl Prompter for Sitting {
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Answer> {
        self.asked.lock().unwrap().push(question.clone());
        Box::pin(std::future::ready(self.answer.clone()))
    }
}

/// Settings, files, model and person together.
pub(crate) struct World {
    pub(crate) fs: MemoryFs,
    pub(crate) policy: Policy,
    pub(crate) model: Model,
    pub(crate) person: Sitting,
    pub(crate) state: MemoryState,
}

impl World {
    pub(crate) fn new(settings: &str) -> Self {
        Self::with_files(settings, files())
    }

    pub(crate) fn with_files(settings: &str, fs: MemoryFs) -> Self {
        let policy = policy(settings, &fs);
        let person = Sitting::who_says(Answer::Yes);
        Self { fs, policy, model: Model::Absent, person, state: MemoryState::default() }
    }

    pub(crate) fn decide(&self, tool: &str, input: Value, session: &Session) -> Decision {
        self.decide_in(CWD, tool, input, session)
    }

    pub(crate) fn decide_in(&self, cwd: &str, tool: &str, input: Value, session: &Session) -> Decision {
        self.run(&self.state, &ToolCall::new(tool, input, cwd), session)
    }

    pub(crate) fn decide_with(&self, state: &dyn StateStore, tool: &str, input: Value, session: &Session) -> Decision {
        self.run(state, &ToolCall::new(tool, input, CWD), session)
    }

    fn run(&self, state: &dyn StateStore, call: &ToolCall, session: &Session) -> Decision {
        let scripted = Scripted::new("test/model", self.model.script());
        let classifier = Ready(Classifier::new(vec![scripted], Prose::default(), Settings::default()));
        let classifiers: &dyn Classifiers = if self.model == Model::Absent { &NoClassifier } else { &classifier };
        let (fs, prompter) = (&self.fs, &self.person);
        let ports = Ports { fs, clock: &Still, prompter, state, log: &NoLog, classifiers };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(Gate::new(&self.policy, ports).decide(call, session))
    }
}

/// Compiles settings written as JSON in the user's own file.
pub(crate) fn policy(settings: &str, fs: &dyn FileSystem) -> Policy {
    let layer = LayerInput {
        layer: Layer::Global,
        profile: Profile::Native,
        file: None,
        content: LayerContent::Text(settings.to_owned()),
        trusted: true,
    };
    let base = Base::new(CWD, Some(HOME));
    // As the program names them: a project's settings by their place, whether or not they are there.
    let control = [
        format!("{HOME}/.config/portcullis/config.json"),
        format!("{CWD}/.portcullis/config.local.json"),
        format!("{CWD}/.claude/settings.local.json"),
        format!("{HOME}/ruled/.portcullis/config.local.json"),
    ];
    let control = control.into_iter().map(Into::into).collect();
    let directories = vec![format!("{HOME}/.local/state/portcullis").into()];
    Policy::compile(load(&vec![layer]), &base, fs).with_control_files(control, directories)
}

/// A home with a project in it.
pub(crate) fn files() -> MemoryFs {
    MemoryFs::new()
        .file("/home/dev/.bashrc")
        .file("/home/dev/.profile")
        .file("/home/dev/.ssh/id_rsa")
        .file("/home/dev/.ssh/authorized_keys")
        .file("/home/dev/.claude/settings.json")
        .file("/home/dev/.config/portcullis/config.json")
        .file("/home/dev/notes.txt")
        .dir("/home/dev/.local/state/portcullis")
        .dir("/home/dev/memory")
        .dir("/home/dev/plans")
        .dir("/home/dev/empty")
        .file("/home/dev/proj/src/main.rs")
        .file("/home/dev/proj/notes.txt")
        .file("/home/dev/proj/.env")
        .file("/home/dev/proj/secrets/key.txt")
        .dir("/home/dev/proj/build")
        .dir("/home/dev/proj/.git/hooks")
        .dir("/home/dev/proj/node_modules")
        .link("/home/dev/proj/rc", "/home/dev/.bashrc")
        .link("/home/dev/proj/keys", "/home/dev/.ssh")
        .file("/home/dev/other/lib.rs")
        .file("/home/dev/ruled/.portcullis/config.local.json")
        .file("/home/dev/ruled/a.pyc")
        .dir("/home/other")
        .file("/etc/passwd")
        .file("/etc/hosts")
        .dir("/etc/cron.d")
        .dir("/usr/bin")
        .dir("/var/lib")
        .dir("/tmp/scratch")
        .dir("/opt/app")
        .file("/dev/sda")
        .file("/dev/null")
}

/// A session in which the host asks.
pub(crate) fn session() -> Session {
    Session {
        id: Some("s".to_owned()),
        home: Some(HOME.to_owned()),
        person: portcullis_gate::Person::HostAsks,
        ..Session::default()
    }
}

/// The rows of a JSON-lines table; blank lines and `#` lines are notes.
pub(crate) fn rows<T: serde::de::DeserializeOwned>(table: &str) -> Vec<T> {
    let rows = (1..).zip(table.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    rows.map(|(at, line)| serde_json::from_str(line).unwrap_or_else(|error| panic!("line {at}: {error}\n{line}")))
        .collect()
}
