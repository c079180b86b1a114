//! `allow` and `trust`: what a person adds to what runs without a question.

use std::{env, path::Path};

use portcullis_config::edit::{self, BackupPolicy, RuleList};
use portcullis_gate::{FsState, Rule, SessionAllow, StateStore, ToolName, TrustStore};

use crate::{
    ambient::Ambient,
    commands::{Failure, Output, files},
    compose,
    render::plain,
};

/// Where an allow rule goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Every project of this user.
    Global,
    /// This project, for this user.
    Project,
    /// One session.
    Session(String),
}

/// Adds an allow rule.
pub(crate) fn allow(text: &str, scope: &Scope, ambient: &Ambient, out: &mut Output) -> Result<(), Failure> {
    let rule = Rule::parse(text).map_err(|error| {
        let hint = error.hint().map(|hint| format!("\n  help: {hint}")).unwrap_or_default();
        Failure::usage(format!("`{text}` is not a rule: {error}{hint}"))
    })?;
    let path = match scope {
        Scope::Session(session) => return allow_in_session(&rule, session, ambient, out),
        Scope::Global => compose::global_file(ambient)?,
        Scope::Project => compose::project_local_file(ambient, &here(ambient)?)?,
    };
    let written = files::edit(&path, &BackupPolicy::None, |text| edit::add_rule(text, RuleList::Allow, rule.text()))?;
    match written {
        None => out.line(&format!("{} has this rule already.", path.display())),
        Some(_) => out.line(&format!("Added `{}` to {}.", plain(rule.text()), path.display())),
    }
    if let Some(why) = rule.is_broad() {
        out.line(&format!("It is set aside in mode auto, because it {why}; other modes use it."));
    }
    out.line(
        "Deny rules, the floor, denied and protected paths still come first (`portcullis explain` shows the order).",
    );
    if *scope == Scope::Project && !compose::locations(ambient, &here(ambient)?).trusted {
        out.line("This project is not trusted, so its files don't count yet: `portcullis trust` changes that.");
    }
    Ok(())
}

/// A session allow is one exact call, never a pattern: what was asked about is what is allowed.
fn allow_in_session(rule: &Rule, session: &str, ambient: &Ambient, out: &mut Output) -> Result<(), Failure> {
    let (tool, command) = match rule.text().split_once('(') {
        None => (rule.text(), None),
        Some((tool, rest)) => (tool, rest.strip_suffix(')')),
    };
    let tool = ToolName::normalize(tool);
    let exact = "a session allow is one exact call, as in `bash(make lint)`, or a whole tool other than bash, as in `web_fetch`";
    let fits = match (tool.as_str(), command) {
        ("bash", Some(command)) => !command.trim().is_empty() && !command.contains('*'),
        ("bash", None) | (_, Some(_)) => false,
        (_, None) => !rule.text().contains('*'),
    };
    if !fits {
        return Err(Failure::usage(format!("`{}` can't be allowed for a session: {exact}", rule.text())));
    }
    if ambient.state_dir.is_none() {
        return Err(Failure::failed("there is no place for state: set HOME or XDG_STATE_HOME"));
    }
    let allow = SessionAllow { tool: tool.as_str().to_owned(), command: command.map(str::to_owned) };
    FsState::new(ambient.state_dir.as_deref())
        .update(session, &mut |state| state.allow(allow.clone()))
        .map_err(Failure::failed)?;
    out.line(&format!("Allowed `{}` for the session {}.", plain(rule.text()), plain(session)));
    Ok(())
}

/// Trusts a project, or stops trusting it.
pub(crate) fn trust(dir: Option<&Path>, remove: bool, ambient: &Ambient, out: &mut Output) -> Result<(), Failure> {
    let here = here(ambient)?;
    let dir = dir.map_or_else(|| here.clone(), |dir| here.join(dir));
    let store = TrustStore::new(ambient.state_dir.as_deref());
    if remove {
        let found = store.remove(&dir).map_err(Failure::failed)?;
        let words = if found { "is no longer trusted." } else { "was not trusted." };
        out.line(&format!("{} {words}", dir.display()));
        return Ok(());
    }
    let canonical = store.add(&dir).map_err(Failure::failed)?;
    out.line(&format!("{} is trusted: its own files count from now on.", canonical.display()));
    let locations = compose::locations(ambient, &canonical);
    for (profile, layer, file) in locations.files() {
        if layer.is_project() && file.exists() {
            out.line(&format!("  {} ({}, {})", file.display(), layer.name(), profile.name()));
        }
    }
    out.line("What they say is shown by `portcullis config`; take it back with `portcullis trust --remove`.");
    Ok(())
}

/// Lists what is trusted.
pub(crate) fn list_trusted(ambient: &Ambient, out: &mut Output) {
    let trusted = TrustStore::new(ambient.state_dir.as_deref()).list();
    if trusted.is_empty() {
        out.line("No project is trusted.");
    }
    for directory in trusted {
        let gone = if directory.is_dir() { "" } else { "  (not there)" };
        out.line(&format!("{}{gone}", directory.display()));
    }
}

fn here(ambient: &Ambient) -> Result<std::path::PathBuf, Failure> {
    let gone = || Failure::failed("the current directory is gone: go to one that exists");
    ambient.cwd.clone().or_else(|| env::current_dir().ok()).ok_or_else(gone)
}
