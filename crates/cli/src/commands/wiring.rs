//! `install` and `uninstall`: our hook in a host's settings file, and out again.

use std::{
    fs,
    io::{self, BufRead, IsTerminal, Write},
    path::{Path, PathBuf},
};

use portcullis_config::edit::{self, BackupPolicy, EditError};
use serde_json::Value;
use similar::TextDiff;

use crate::{
    ambient::Ambient,
    args::InstallArgs,
    commands::{Failure, Output},
    hosts::{self, Wiring},
};

/// Puts our hook into the host's settings.
pub(crate) fn install(args: &InstallArgs, ambient: &Ambient, out: &mut Output) -> Result<(), Failure> {
    let (wiring, path) = target(args, ambient)?;
    let program = program(ambient)?;
    let entry = wiring.entry(&program);
    apply(args, &path, out, "install", |text| {
        let found = existing(text, wiring)?;
        if found.iter().filter(|element| is_ours(element, wiring)).eq([&entry]) {
            return Ok(text.to_owned());
        }
        edit::append(&without_ours(text, wiring)?, wiring.array(), &entry)
    })?;
    out.line(&format!("From now on {} asks `{program}` before each tool call.", args.host));
    out.line(&format!("Check it with `portcullis doctor {}`; undo it with `portcullis uninstall {0}`.", args.host));
    Ok(())
}

/// Takes our hook out again, with the containers that would be left empty.
pub(crate) fn uninstall(args: &InstallArgs, ambient: &Ambient, out: &mut Output) -> Result<(), Failure> {
    let (wiring, path) = target(args, ambient)?;
    if !path.exists() {
        out.line(&format!("{} does not exist: nothing is installed there.", path.display()));
        return Ok(());
    }
    apply(args, &path, out, "uninstall", |text| {
        if !existing(text, wiring)?.iter().any(|element| is_ours(element, wiring)) {
            return Ok(text.to_owned());
        }
        let mut text = without_ours(text, wiring)?;
        let mut keys = wiring.array();
        while !keys.is_empty() && is_empty(&text, keys) {
            text = edit::remove_key(&text, keys)?;
            keys = keys.split_last().map(|(_, parents)| parents).unwrap_or_default();
        }
        Ok(text)
    })
}

/// The host's wiring and the settings file.
fn target(args: &InstallArgs, ambient: &Ambient) -> Result<(&'static dyn Wiring, PathBuf), Failure> {
    let host = hosts::find(&args.host)
        .ok_or_else(|| Failure::usage(format!("`{}` is not a host. Known: {}", args.host, hosts::names())))?;
    let wiring = host.wiring().ok_or_else(|| {
        Failure::usage(format!("`{}` has no settings file: see docs/hosts.md for how to start it", args.host))
    })?;
    if let Some(path) = &args.settings {
        return Ok((wiring, path.clone()));
    }
    Ok((wiring, settings_path(wiring, ambient)?))
}

/// The host's user settings.
pub(crate) fn settings_path(wiring: &dyn Wiring, ambient: &Ambient) -> Result<PathBuf, Failure> {
    let home = ambient.home.as_ref().ok_or_else(|| {
        Failure::failed("your home directory is not known. Set HOME, or name the file with --settings")
    })?;
    Ok(wiring.settings().iter().fold(home.clone(), |path, part| path.join(part)))
}

/// Our own program, as the hook will be started.
fn program(ambient: &Ambient) -> Result<String, Failure> {
    let path = ambient.program.as_ref().ok_or_else(|| Failure::failed("the path of this program is not known"))?;
    path.to_str()
        .map(str::to_owned)
        .ok_or_else(|| Failure::failed("the path of this program is not Unicode, which a settings file can't hold"))
}

/// Elements of the array at the wiring's place.
pub(crate) fn existing(text: &str, wiring: &dyn Wiring) -> Result<Vec<Value>, EditError> {
    let root = edit::value(text)?;
    let found = wiring.array().iter().try_fold(&root, |value, key| value.get(key));
    Ok(found.and_then(Value::as_array).cloned().unwrap_or_default())
}

/// The hooks of an element that are ours.
pub(crate) fn our_hooks<'a>(element: &'a Value, wiring: &'a dyn Wiring) -> impl Iterator<Item = (&'a Value, String)> {
    let hooks = element.get(wiring.hooks_key()).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    hooks.iter().filter_map(|hook| Some((hook, wiring.program_of(hook)?)))
}

fn is_ours(element: &Value, wiring: &dyn Wiring) -> bool {
    our_hooks(element, wiring).next().is_some()
}

/// Takes out our hooks, and only them: an element may hold other people's hooks beside ours.
fn without_ours(text: &str, wiring: &dyn Wiring) -> Result<String, EditError> {
    edit::remove_nested(text, wiring.array(), wiring.hooks_key(), |hook| wiring.program_of(hook).is_some())
}

/// Whether the container at `keys` exists and holds nothing.
fn is_empty(text: &str, keys: &[&str]) -> bool {
    let root = edit::value(text).unwrap_or(Value::Null);
    match keys.iter().try_fold(&root, |value, key| value.get(key)) {
        Some(Value::Array(elements)) => elements.is_empty(),
        Some(Value::Object(members)) => members.is_empty(),
        Some(_) | None => false,
    }
}

/// Reads, changes, shows, asks, writes.
fn apply(
    args: &InstallArgs,
    path: &Path,
    out: &mut Output,
    verb: &str,
    change: impl FnOnce(&str) -> Result<String, EditError>,
) -> Result<(), Failure> {
    let old = match fs::read_to_string(path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(Failure::failed(format!("{}: {error}", path.display()))),
    };
    let base = old.as_deref().filter(|text| !text.trim().is_empty()).unwrap_or("{}\n");
    let new = change(base).map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?;
    if old.as_deref() == Some(new.as_str()) {
        out.line(&format!("{}: nothing to {verb}, it is as it should be.", path.display()));
        return Ok(());
    }
    let name = path.display().to_string();
    let diff = TextDiff::from_lines(old.as_deref().unwrap_or_default(), &new);
    out.text(&diff.unified_diff().context_radius(3).header(&name, &name).to_string());
    if args.dry_run {
        out.line("Dry run: nothing was written.");
        return Ok(());
    }
    if !args.yes && !confirmed(&format!("Write this to {name}?"))? {
        return Err(Failure::failed("nothing was written"));
    }
    let backup = BackupPolicy::Suffix(".portcullis-backup".to_owned());
    let written = edit::write_atomically(path, old.as_deref(), &new, &backup)
        .map_err(|error| Failure::failed(error.to_string()))?;
    out.line(&format!("Wrote {}", written.path.display()));
    if let Some(backup) = written.backup {
        out.line(&format!("The file as it was: {}", backup.display()));
    }
    Ok(())
}

/// Asks on the terminal. Without one nothing is assumed.
fn confirmed(question: &str) -> Result<bool, Failure> {
    let stdin = io::stdin();
    if !stdin.is_terminal() {
        return Err(Failure::usage("there is no terminal to ask on: say --yes to write, or --dry-run to look"));
    }
    let mut stderr = io::stderr();
    drop(write!(stderr, "{question} [y/N] "));
    drop(stderr.flush());
    let mut answer = String::new();
    stdin.lock().read_line(&mut answer).map_err(|error| Failure::failed(error.to_string()))?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}
