//! The composition root: from the environment and a request to a decision. Read top to bottom.

use std::{
    mem,
    path::{Path, PathBuf},
};

use portcullis_config::{
    CLAUDE_MANAGED_FILE, Diagnostic, FsLayers, Layer, LayerInput, Loaded, Locations, ManagedOwner, Profile,
    SourceStatus, load,
};
use portcullis_gate::{
    Base, Decision, DecisionLog, FsLog, FsState, Gate, NoLog, NoPrompter, Person, Policy, Ports, Reach, RealFs,
    Session, SessionState, StateError, StateStore, SystemClock, ToolCall, TrustStore, block_on,
};
use serde_json::Value;

use crate::{
    ambient::{Ambient, Inline},
    commands::Failure,
    hosts::{self, CallEvent},
    model::Models,
};

/// A call to decide.
#[derive(Debug)]
pub(crate) struct Request {
    /// The call.
    pub(crate) call: CallEvent,
    /// Whether a person can be asked.
    pub(crate) person: Person,
    /// May a model be called?
    pub(crate) reach: Reach,
    /// Does the decision count?
    pub(crate) memory: Memory,
}

/// Whether a decision is counted and logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// It is: a host asked.
    Keep,
    /// It isn't: a person wonders what would happen.
    Look,
}

/// Settings, read and compiled for one project.
pub(crate) struct Setup {
    /// What is wrong with the settings.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The layers that were looked at.
    pub(crate) sources: Vec<SourceStatus>,
    /// The settings, ready to decide.
    pub(crate) policy: Policy,
    /// Where `~` and relative paths start.
    pub(crate) base: Base,
}

/// Decides one call with the settings of its working directory.
pub(crate) fn decide(request: Request, ambient: &Ambient) -> Decision {
    let setup = setup(ambient, Some(Path::new(&request.call.cwd)));
    decide_with(request, &setup, ambient)
}

/// Decides one call with settings that are already compiled.
pub(crate) fn decide_with(request: Request, setup: &Setup, ambient: &Ambient) -> Decision {
    let Request { call, person, reach, memory } = request;
    let session = Session {
        id: call.session,
        home: setup.base.home.as_ref().and_then(|home| home.to_str()).map(str::to_owned),
        mode: call.mode,
        person,
        reach,
        conversation: call.conversation,
        ..Session::default()
    };
    let models = Models::new(setup.policy.config(), session.id.as_deref(), &call.cwd);
    let state = FsState::new(ambient.state_dir.as_deref());
    let log = FsLog::new(ambient.state_dir.as_deref(), setup.policy.config().auto_mode.log);
    let (state, log): (&dyn StateStore, &dyn DecisionLog) = match memory {
        Memory::Keep => (&state, &log),
        Memory::Look => (&Looking(&state), &NoLog),
    };
    let ports = Ports { fs: &RealFs, clock: &SystemClock, prompter: &NoPrompter, state, log, classifiers: &models };
    let call = ToolCall::new(&call.tool, call.input, &call.cwd);
    block_on(Gate::new(&setup.policy, ports).decide(&call, &session))
}

/// A session's state that is read and not changed.
struct Looking<'a>(&'a FsState);

impl StateStore for Looking<'_> {
    fn update(&self, session: &str, change: &mut dyn FnMut(&mut SessionState)) -> Result<(), StateError> {
        change(&mut self.read(session)?);
        Ok(())
    }

    fn read(&self, session: &str) -> Result<SessionState, StateError> {
        self.0.read(session)
    }
}

/// Reads and compiles the settings that count in `cwd` (the process's own directory if none is given).
pub(crate) fn setup(ambient: &Ambient, cwd: Option<&Path>) -> Setup {
    let cwd = cwd.map(Path::to_path_buf).or_else(|| ambient.cwd.clone()).unwrap_or_else(|| PathBuf::from("/"));
    let locations = locations(ambient, &cwd);
    let mut loaded = load(&FsLayers::open(&locations));
    note_missing_places(ambient, &mut loaded);
    compile(loaded, &locations, ambient, cwd)
}

/// Compiles settings that stand in for the files.
pub(crate) fn setup_from(layers: &Vec<LayerInput>, ambient: &Ambient, cwd: PathBuf) -> Setup {
    let locations = locations(ambient, &cwd);
    compile(load(layers), &locations, ambient, cwd)
}

fn compile(mut loaded: Loaded, locations: &Locations, ambient: &Ambient, cwd: PathBuf) -> Setup {
    let base = Base { cwd, home: ambient.home.clone(), ..Base::default() };
    let (files, directories) = control_files(ambient, locations);
    let (mut diagnostics, sources) = (mem::take(&mut loaded.diagnostics), mem::take(&mut loaded.sources));
    let policy = Policy::compile(loaded, &base, &RealFs).with_control_files(files, directories);
    diagnostics.extend(policy.diagnostics());
    Setup { diagnostics, sources, policy, base }
}

/// Where settings are, for a session that works in `cwd`.
pub(crate) fn locations(ambient: &Ambient, cwd: &Path) -> Locations {
    let trusted_root = TrustStore::new(ambient.state_dir.as_deref()).trusted_root(cwd);
    let project = trusted_root.clone().or_else(|| project_root(cwd, ambient.home.as_deref()));
    Locations {
        config_dir: ambient.config_dir.clone(),
        trusted: trusted_root.is_some(),
        project,
        managed: Some(ambient.managed.clone()),
        claude_managed: Some(PathBuf::from(CLAUDE_MANAGED_FILE)),
        managed_owner: ManagedOwner::Root,
        home: ambient.home.clone(),
        inline: match &ambient.inline {
            Inline::Absent => None,
            Inline::Text(text) => Some(text.clone()),
            // Anything that does not parse: a value that can't be read must degrade the gate, not vanish.
            Inline::Unreadable => Some("(not Unicode)".to_owned()),
        },
        pi_inline: None,
        profiles: vec![Profile::ClaudeCode],
    }
}

/// The nearest directory at or above `cwd` that looks like a project's root. Home itself is none: what stands there is the
/// user's own.
fn project_root(cwd: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let marked = |directory: &Path| [".git", ".portcullis", ".claude"].iter().any(|mark| directory.join(mark).exists());
    let root = cwd.ancestors().take_while(|directory| Some(*directory) != home).find(|directory| marked(directory));
    root.map(Path::to_path_buf).or_else(|| (Some(cwd) != home).then(|| cwd.to_path_buf()))
}

/// INVARIANT 1: without a configuration directory the user's deny rules can't be found, which is not the same as there
/// being none.
fn note_missing_places(ambient: &Ambient, loaded: &mut Loaded) {
    if ambient.config_dir.is_none() && loaded.degraded.is_none() {
        loaded.degraded =
            Some("the home directory is not known (HOME is not set), so your settings can't be found".to_owned());
    }
}

/// Every file and directory that the gate is made of: no agent may change them.
fn control_files(ambient: &Ambient, locations: &Locations) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let mut files: Vec<PathBuf> = locations.files().into_iter().map(|(_, _, path)| path).collect();
    files.extend(ambient.program.clone());
    if let Some(home) = &ambient.home {
        let settings = hosts::HOSTS.iter().filter_map(|host| host.wiring());
        files.extend(settings.map(|wiring| wiring.settings().iter().fold(home.clone(), |path, part| path.join(part))));
    }
    let directories = [&ambient.config_dir, &ambient.state_dir].into_iter().flatten().cloned().collect();
    (files, directories)
}

/// The user's own settings file.
pub(crate) fn global_file(ambient: &Ambient) -> Result<PathBuf, Failure> {
    let files = locations(ambient, Path::new("/")).files();
    let global = files.into_iter().find(|(profile, layer, _)| *profile == Profile::Native && *layer == Layer::Global);
    global.map(|(_, _, path)| path).ok_or_else(|| Failure::failed("the home directory is not known: set HOME"))
}

/// This project's own, unshared settings file.
pub(crate) fn project_local_file(ambient: &Ambient, cwd: &Path) -> Result<PathBuf, Failure> {
    let files = locations(ambient, cwd).files();
    let local =
        files.into_iter().find(|(profile, layer, _)| *profile == Profile::Native && *layer == Layer::ProjectLocal);
    local
        .map(|(_, _, path)| path)
        .ok_or_else(|| Failure::failed("there is no project here: name --global or --session"))
}

/// JSON with serde_json's own nesting limit (128), so that no input can exhaust the stack.
pub(crate) fn parse_json(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str(text)
}
