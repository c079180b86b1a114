//! `doctor`: whether a host really asks us, end to end.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use portcullis_config::{Severity, edit};
use serde_json::{Value, json};

use crate::{
    ambient::Ambient,
    commands::{Failure, Output, files, hook, wiring},
    compose,
    hosts::{self, Wiring},
    process::EXIT_BLOCK,
    render::{Paint, Tone, plain},
};

/// Longest wait for the canary, whatever timeout the host's settings name.
const PATIENCE: Duration = Duration::from_secs(15);

/// How one check went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Good,
    Doubtful,
    Bad,
}

impl State {
    const fn name(self) -> &'static str {
        match self {
            Self::Good => "ok",
            Self::Doubtful => "warning",
            Self::Bad => "problem",
        }
    }

    const fn tone(self) -> Tone {
        match self {
            Self::Good => Tone::Good,
            Self::Doubtful => Tone::Caution,
            Self::Bad => Tone::Bad,
        }
    }
}

/// One check.
struct Finding {
    check: &'static str,
    state: State,
    detail: String,
}

/// The findings about one host.
#[derive(Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn add(&mut self, check: &'static str, state: State, detail: impl Into<String>) {
        self.0.push(Finding { check, state, detail: detail.into() });
    }
}

/// Checks one host, or every one that can be installed into. Exit status 1 if anything is wrong.
pub(crate) fn run(
    host: Option<&str>,
    as_json: bool,
    ambient: &Ambient,
    out: &mut Output,
    paint: Paint,
) -> Result<u8, Failure> {
    let chosen: Vec<(&'static str, &'static dyn Wiring)> = match host {
        Some(name) => {
            let host = hosts::find(name)
                .ok_or_else(|| Failure::usage(format!("`{name}` is not a host. Known: {}", hosts::names())))?;
            let wiring = host.wiring().ok_or_else(|| {
                Failure::usage(format!("`{name}` has no settings that could be checked (docs/hosts.md)"))
            })?;
            vec![(host.id(), wiring)]
        }
        None => hosts::HOSTS.iter().filter_map(|host| Some((host.id(), host.wiring()?))).collect(),
    };
    let mut bad = false;
    let mut reports = Vec::new();
    for (name, wiring) in chosen {
        let findings = examine(wiring, ambient);
        bad |= findings.0.iter().any(|finding| finding.state == State::Bad);
        if as_json {
            let rows = findings
                .0
                .iter()
                .map(|row| json!({"check": row.check, "state": row.state.name(), "detail": row.detail}));
            reports.push(json!({"host": name, "checks": rows.collect::<Vec<_>>()}));
            continue;
        }
        out.line(&paint.apply(Tone::Strong, name));
        for finding in &findings.0 {
            let state = paint.apply(finding.state.tone(), &format!("{:<8}", finding.state.name()));
            out.line(&format!("  {state} {:<10} {}", finding.check, plain(&finding.detail)));
        }
    }
    if as_json {
        out.line(&json!({"ok": !bad, "hosts": reports}).to_string());
    }
    Ok(u8::from(bad))
}

fn examine(wiring: &dyn Wiring, ambient: &Ambient) -> Findings {
    let mut findings = Findings::default();
    if let Some((command, timeout)) = entry(wiring, ambient, &mut findings) {
        check_timeout(timeout, &mut findings);
        canary(&command, wiring, timeout, ambient, &mut findings);
    }
    state_directory(ambient, &mut findings);
    settings(ambient, &mut findings);
    findings
}

/// The installed entry: its command, and the host's timeout.
fn entry(wiring: &dyn Wiring, ambient: &Ambient, findings: &mut Findings) -> Option<(String, Option<Duration>)> {
    let path = match wiring::settings_path(wiring, ambient) {
        Ok(path) => path,
        Err(failure) => {
            findings.add("settings", State::Bad, failure.message);
            return None;
        }
    };
    let text = match files::read(&path) {
        Ok(Some(text)) => text,
        Ok(None) => {
            findings.add(
                "settings",
                State::Bad,
                format!("{} does not exist: run `portcullis install`", path.display()),
            );
            return None;
        }
        Err(failure) => {
            findings.add("settings", State::Bad, failure.message);
            return None;
        }
    };
    let elements = match wiring::existing(&text, wiring) {
        Ok(elements) => elements,
        Err(error) => {
            findings.add("settings", State::Bad, format!("{}: {error}", path.display()));
            return None;
        }
    };
    findings.add("settings", State::Good, path.display().to_string());
    if let Some(why) = edit::value(&text).ok().and_then(|settings| wiring.disabled(&settings)) {
        findings.add("hooks", State::Bad, why);
    }
    let ours: Vec<(&Value, String)> = elements.iter().flat_map(|element| wiring::our_hooks(element, wiring)).collect();
    let Some((hook, program)) = ours.first() else {
        findings.add("entry", State::Bad, "no hook of ours is in it: run `portcullis install`");
        return None;
    };
    if ours.len() > 1 {
        findings.add(
            "entry",
            State::Doubtful,
            format!("{} hooks of ours: `portcullis install` leaves one", ours.len()),
        );
    }
    let element = elements.iter().find(|element| wiring::our_hooks(element, wiring).next().is_some());
    match element.and_then(|element| wiring.covers_everything(element)) {
        None => findings.add("entry", State::Good, "for every tool"),
        Some(why) => findings.add("entry", State::Bad, why),
    }
    check_program(program, ambient, findings);
    let command = hook.get("command").and_then(Value::as_str)?.to_owned();
    let timeout =
        hook.get("timeout").and_then(Value::as_f64).and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    Some((command, timeout))
}

fn check_program(program: &str, ambient: &Ambient, findings: &mut Findings) {
    let path = Path::new(program);
    if !path.is_absolute() {
        let detail = format!(
            "`{program}` is looked up in PATH, which an agent's environment may change; install writes the full path"
        );
        findings.add("program", State::Doubtful, detail);
        return;
    }
    match fs::metadata(path) {
        Err(error) => {
            findings.add("program", State::Bad, format!("{program}: {error}. The host lets tools run without it"));
        }
        Ok(metadata) if !metadata.is_file() || !executable(&metadata) => {
            findings.add(
                "program",
                State::Bad,
                format!("{program} can't be executed. The host lets tools run without it"),
            );
        }
        Ok(_) => {
            let same = |own: &PathBuf| fs::canonicalize(own).ok() == fs::canonicalize(path).ok();
            if ambient.program.as_ref().is_some_and(same) {
                findings.add("program", State::Good, program);
            } else {
                findings.add("program", State::Doubtful, format!("{program} is not the program that checks it"));
            }
        }
    }
}

#[cfg(unix)]
fn executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn executable(_: &fs::Metadata) -> bool {
    true
}

/// The host must wait longer than we take at most: past its timeout it lets the tool run.
fn check_timeout(timeout: Option<Duration>, findings: &mut Findings) {
    match timeout {
        Some(timeout) if timeout > hook::DEADLINE => {
            findings.add(
                "timeout",
                State::Good,
                format!("{} s, we answer within {} s", timeout.as_secs(), hook::DEADLINE.as_secs()),
            );
        }
        Some(timeout) => findings.add(
            "timeout",
            State::Bad,
            format!(
                "the host gives up after {} s and lets the tool run, before our {} s: run `portcullis install`",
                timeout.as_secs_f64(),
                hook::DEADLINE.as_secs()
            ),
        ),
        None => findings.add("timeout", State::Doubtful, "none is set, so the host's own default counts"),
    }
}

/// Runs the real entry as the host would, with a call that must be denied.
fn canary(command: &str, wiring: &dyn Wiring, timeout: Option<Duration>, ambient: &Ambient, findings: &mut Findings) {
    let limit = timeout.unwrap_or(PATIENCE).min(PATIENCE);
    let cwd = ambient.home.as_deref().unwrap_or(Path::new("/"));
    let input = wiring.canary(&cwd.to_string_lossy()).to_string();
    match play(command, &input, limit) {
        Err(problem) => findings.add("canary", State::Bad, problem),
        Ok(run) if run.status == Some(i32::from(EXIT_BLOCK)) && !run.stderr.trim().is_empty() => {
            findings.add(
                "canary",
                State::Good,
                format!("a harmless stand-in for `rm -rf /` was denied in {} ms", run.took.as_millis()),
            );
        }
        Ok(run) => findings.add(
            "canary",
            State::Bad,
            format!(
                "`rm -rf /` was not denied: exit status {:?}, stdout {:?}, stderr {:?}",
                run.status, run.stdout, run.stderr
            ),
        ),
    }
}

struct Run {
    status: Option<i32>,
    stdout: String,
    stderr: String,
    took: Duration,
}

fn play(command: &str, input: &str, limit: Duration) -> Result<Run, String> {
    let problem = |error: io::Error| format!("the hook can't be run: {error}");
    // Files, not pipes: a child of the hook that keeps a pipe open would hold us up.
    let (stdout, stderr) =
        (tempfile::NamedTempFile::new().map_err(problem)?, tempfile::NamedTempFile::new().map_err(problem)?);
    let started = Instant::now();
    let mut child = Command::new(if cfg!(windows) { "cmd" } else { "/bin/sh" })
        .args([if cfg!(windows) { "/C" } else { "-c" }, command])
        .stdin(Stdio::piped())
        .stdout(stdout.reopen().map_err(problem)?)
        .stderr(stderr.reopen().map_err(problem)?)
        .spawn()
        .map_err(problem)?;
    if let Some(mut pipe) = child.stdin.take() {
        // A hook that does not read its input fails the check by its answer.
        drop(pipe.write_all(input.as_bytes()));
    }
    let status = loop {
        match child.try_wait().map_err(problem)? {
            Some(status) => break status,
            None if started.elapsed() > limit => {
                drop(child.kill());
                drop(child.wait());
                return Err(format!("no answer within {} s: the host would let the tool run", limit.as_secs_f64()));
            }
            None => thread::sleep(Duration::from_millis(1)),
        }
    };
    let took = started.elapsed();
    let read = |path: &Path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).map_err(problem);
    Ok(Run { status: status.code(), stdout: read(stdout.path())?, stderr: read(stderr.path())?, took })
}

fn state_directory(ambient: &Ambient, findings: &mut Findings) {
    let Some(directory) = &ambient.state_dir else {
        findings.add("state", State::Bad, "no place is known for it: set HOME or XDG_STATE_HOME");
        return;
    };
    // The nearest directory that exists is the one in which ours would be made.
    let existing = directory.ancestors().find(|ancestor| ancestor.exists()).unwrap_or(directory);
    match tempfile::Builder::new().prefix(".portcullis-").tempfile_in(existing) {
        Ok(_) => findings.add("state", State::Good, directory.display().to_string()),
        Err(error) => {
            let detail = format!(
                "{} can't be written ({error}): counts, session allows and the log are lost",
                directory.display()
            );
            findings.add("state", State::Doubtful, detail);
        }
    }
}

fn settings(ambient: &Ambient, findings: &mut Findings) {
    let setup = compose::setup(ambient, None);
    if let Some(why) = setup.policy.degraded() {
        findings.add("config", State::Bad, format!("degraded, nothing is allowed without a person: {why}"));
        return;
    }
    let bad = setup.diagnostics.iter().filter(|found| found.severity == Severity::Error).count();
    match bad {
        0 => findings.add("config", State::Good, "no errors"),
        count => findings.add("config", State::Bad, format!("{count} errors: `portcullis config check` lists them")),
    }
}
