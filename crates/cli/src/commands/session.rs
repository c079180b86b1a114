//! `status`, `on`, `off`, `reload`, `reset`, `denials`: what a session remembers.

use portcullis_config::{
    Severity,
    edit::{self, BackupPolicy},
};
use portcullis_gate::{FsState, ModelState, SessionState, StateStore, configured_models};
use serde_json::{Value, json};

use crate::{
    ambient::Ambient,
    args::{SessionArgs, SwitchArgs},
    commands::{Failure, Output, config::print_diagnostics, files},
    compose, model,
    render::{Paint, Tone, plain},
};

/// To which way the gate is switched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Switch {
    On,
    Off,
}

/// The sessions' state.
fn store(ambient: &Ambient) -> FsState {
    FsState::new(ambient.state_dir.as_deref())
}

/// The named session, or the one that changed last.
fn session(named: Option<&String>, ambient: &Ambient) -> Result<String, Failure> {
    let latest = || store(ambient).sessions().into_iter().next();
    named.cloned().or_else(latest).ok_or_else(|| {
        Failure::failed(
            "no session is known yet: one appears when an agent asks for the first time. Name one with --session",
        )
    })
}

fn read(session: &str, ambient: &Ambient) -> Result<SessionState, Failure> {
    store(ambient).read(session).map_err(Failure::failed)
}

fn change(session: &str, ambient: &Ambient, mut change: impl FnMut(&mut SessionState)) -> Result<(), Failure> {
    if ambient.state_dir.is_none() {
        return Err(Failure::failed("there is no place for state: set HOME or XDG_STATE_HOME"));
    }
    store(ambient).update(session, &mut change).map_err(Failure::failed)
}

/// What counts now, and what a session has seen.
pub(crate) fn status(args: &SessionArgs, ambient: &Ambient, out: &mut Output, paint: Paint) -> Result<(), Failure> {
    let setup = compose::setup(ambient, None);
    let session = session(args.session.as_ref(), ambient).ok();
    let state = session.as_deref().map(|session| read(session, ambient)).transpose()?;
    let config = setup.policy.config();
    let models: Vec<(String, Option<String>)> = configured_models(config, &model::key)
        .into_iter()
        .map(|(id, result)| (id.to_string(), result.err().map(|problem| problem.to_string())))
        .collect();
    let override_ = state.as_ref().and_then(|state| state.enabled_override);
    let enabled = override_.unwrap_or(config.auto_mode.enabled);
    let counts = |severity| setup.diagnostics.iter().filter(|found| found.severity == severity).count();
    let (errors, warnings) = (counts(Severity::Error), counts(Severity::Warning));
    if args.json {
        let models: Vec<Value> = models.iter().map(|(id, problem)| json!({"model": id, "problem": problem})).collect();
        out.line(
            &json!({"enabled": enabled, "mode": config.mode.name(), "degraded": setup.policy.degraded(), "models": models,
                "errors": errors, "warnings": warnings, "session": session, "state": state})
            .to_string(),
        );
        return Ok(());
    }
    let gate = if enabled { paint.apply(Tone::Good, "on") } else { paint.apply(Tone::Bad, "OFF") };
    let scope = if override_.is_some() { " (for this session)" } else { "" };
    out.line(&format!("gate       {gate}{scope}, mode {}", config.mode));
    if let Some(why) = setup.policy.degraded() {
        out.line(&paint.apply(Tone::Bad, &format!("DEGRADED   {}. Nothing is allowed without a person.", plain(why))));
    }
    if models.is_empty() {
        out.line("model      none: what can't be decided locally is asked, or denied where nobody can be asked");
    }
    for (id, problem) in &models {
        let problem = problem.as_ref().map(|problem| format!("  {}", paint.apply(Tone::Bad, &plain(problem))));
        out.line(&format!("model      {}{}", plain(id), problem.unwrap_or_default()));
    }
    if errors.saturating_add(warnings) > 0 {
        out.line(&format!("settings   {errors} errors, {warnings} warnings (`portcullis config check`)"));
    }
    if let (Some(session), Some(state)) = (&session, &state) {
        session_lines(session, state, out, paint);
    }
    Ok(())
}

fn session_lines(session: &str, state: &SessionState, out: &mut Output, paint: Paint) {
    out.line(&format!("\nsession    {}", plain(session)));
    let allowed = state.checked_actions.saturating_sub(state.blocked_actions);
    out.line(&format!(
        "  checked  {} ({allowed} let through or asked, {} denied)",
        state.checked_actions, state.blocked_actions
    ));
    out.line(&format!("  model    {} allowed, {} denied", state.classifier_allowed, state.classifier_denied));
    if let Some(last) = &state.last_decision {
        out.line(&format!("  last     {last}: {}", plain(state.last_reason.as_deref().unwrap_or_default())));
    }
    if state.pause.paused {
        out.line(&paint.apply(Tone::Caution, "  PAUSED   repeated blocks; a person's approval resumes it"));
    }
    for allow in &state.session_allows {
        let what = allow.command.as_deref().map(|command| format!("({})", plain(command))).unwrap_or_default();
        out.line(&format!("  allowed  {}{what} for this session", plain(&allow.tool)));
    }
    for aside in &state.models.set_aside {
        out.line(&format!(
            "  aside    {}: {} (`portcullis reload` tries it again)",
            plain(aside.model.as_str()),
            plain(&aside.reason)
        ));
    }
}

/// Switches the gate.
pub(crate) fn switch(to: Switch, args: &SwitchArgs, ambient: &Ambient, out: &mut Output) -> Result<(), Failure> {
    let (enabled, word) = match to {
        Switch::On => (true, "on"),
        Switch::Off => (false, "off"),
    };
    if args.global {
        let path = compose::global_file(ambient)?;
        files::edit(&path, &BackupPolicy::None, |text| {
            edit::set_key(text, &["autoMode", "enabled"], &Value::Bool(enabled))
        })?;
        out.line(&format!("The gate is {word} (autoMode.enabled in {}).", path.display()));
        if to == Switch::Off {
            out.line(
                "Every call now passes as if Portcullis were not there. `portcullis on --global` turns it on again.",
            );
        }
        return Ok(());
    }
    let session = session(args.session.as_ref(), ambient)?;
    change(&session, ambient, |state| state.enabled_override = Some(enabled))?;
    out.line(&format!("The gate is {word} for the session {}.", plain(&session)));
    Ok(())
}

/// Forgets what a session remembers, apart from whether it is switched on (seed 001).
pub(crate) fn reset(args: &SessionArgs, ambient: &Ambient, out: &mut Output) -> Result<(), Failure> {
    let session = session(args.session.as_ref(), ambient)?;
    change(&session, ambient, |state| {
        *state = SessionState { enabled_override: state.enabled_override, ..SessionState::default() };
    })?;
    if args.json {
        out.line(&json!({"session": session, "reset": true}).to_string());
    } else {
        out.line(&format!("Forgot counters, denials, session allows and pause of the session {}.", plain(&session)));
    }
    Ok(())
}

/// Reads the settings anew, and gives models that were set aside another chance.
pub(crate) fn reload(ambient: &Ambient, out: &mut Output, paint: Paint) -> Result<(), Failure> {
    let setup = compose::setup(ambient, None);
    if let Ok(session) = session(None, ambient)
        && !read(&session, ambient)?.models.set_aside.is_empty()
    {
        change(&session, ambient, |state| state.models = ModelState::default())?;
        out.line(&format!("Models that were set aside are tried again in the session {}.", plain(&session)));
    }
    print_diagnostics(&setup.diagnostics, out, paint);
    if let Some(why) = setup.policy.degraded() {
        return Err(Failure::failed(format!("the settings are degraded: {why}")));
    }
    out.line("Settings read. They are read at every call, so nothing needs a restart.");
    Ok(())
}

/// The latest denials, newest last.
pub(crate) fn denials(args: &SessionArgs, ambient: &Ambient, out: &mut Output, paint: Paint) -> Result<(), Failure> {
    let session = session(args.session.as_ref(), ambient)?;
    let state = read(&session, ambient)?;
    if args.json {
        out.line(&json!({"session": session, "denials": state.recent_denials}).to_string());
        return Ok(());
    }
    if state.recent_denials.is_empty() {
        out.line(&format!("Nothing was denied in the session {}.", plain(&session)));
    }
    for denial in &state.recent_denials {
        let kind = paint.apply(Tone::Bad, &plain(&denial.kind));
        out.line(&format!(
            "{}  {kind}  {}: {}",
            plain(&denial.timestamp),
            plain(&denial.tool_name),
            plain(&denial.action)
        ));
        out.line(&format!("    {}", plain(&denial.reason)));
    }
    Ok(())
}
