//! `config` and `defaults`: what counts, where it comes from, and what is wrong with it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use portcullis_config::{
    Diagnostic, EffectiveConfig, Layer, LayerContent, LayerInput, Profile, Severity, SourceState, SourcedRule,
    defaults,
    edit::{self, BackupPolicy},
};
use serde_json::{Value, json};

use crate::{
    ambient::Ambient,
    args::ConfigView,
    commands::{Failure, Output},
    compose::{self, Setup},
    render::{Paint, Tone, plain, source, source_json},
};

/// Shows one view.
pub(crate) fn run(view: Option<ConfigView>, ambient: &Ambient, out: &mut Output, paint: Paint) -> Result<(), Failure> {
    match view.unwrap_or(ConfigView::Show { json: false }) {
        ConfigView::Show { json } => {
            show(ambient, out, paint, json);
            Ok(())
        }
        ConfigView::Check { file, json } => check(file.as_deref(), ambient, out, paint, json),
        ConfigView::Edit => edit_global(ambient, out, paint),
        ConfigView::Path => {
            paths(ambient, out);
            Ok(())
        }
    }
}

/// The built-in lists.
pub(crate) fn built_ins(out: &mut Output, paint: Paint, as_json: bool) {
    let lists = [
        ("hard_deny", defaults::HARD_DENY),
        ("soft_deny", defaults::SOFT_DENY),
        ("allow", defaults::ALLOW),
        ("environment", defaults::ENVIRONMENT),
        ("protectedPaths", defaults::PROTECTED_PATHS),
    ];
    let floor = portcullis_gate::floor_rules();
    if as_json {
        let mut object: serde_json::Map<String, Value> =
            lists.iter().map(|(name, entries)| ((*name).to_owned(), json!(entries))).collect();
        let rows: Vec<Value> = floor.iter().map(|rule| json!({"id": rule.id, "summary": rule.summary})).collect();
        object.insert("floor".to_owned(), Value::Array(rows));
        out.line(&Value::Object(object).to_string());
        return;
    }
    out.line("Built-in rules. Write \"$defaults\" in a list to keep its built-ins beside your own entries.");
    for (name, entries) in lists {
        out.line(&format!("\n{} ({})", paint.apply(Tone::Strong, name), entries.len()));
        for entry in entries {
            out.line(&format!("  - {entry}"));
        }
    }
    out.line(&format!(
        "\n{} ({}), which no rule, mode or model overrides",
        paint.apply(Tone::Strong, "floor"),
        floor.len()
    ));
    for rule in floor {
        out.line(&format!("  - {}: {}", rule.id, rule.summary));
    }
}

fn show(ambient: &Ambient, out: &mut Output, paint: Paint, as_json: bool) {
    let setup = compose::setup(ambient, None);
    if as_json {
        out.line(&show_json(&setup).to_string());
        return;
    }
    let (policy, config) = (&setup.policy, setup.policy.config());
    if let Some(why) = policy.degraded() {
        out.line(
            &paint.apply(Tone::Bad, &format!("DEGRADED: {why}. Nothing is allowed locally until this is mended.")),
        );
    }
    for (name, value) in scalars(config) {
        out.line(&format!("{name:<42} {value}"));
    }
    for (name, rules) in rule_lists(config).into_iter().chain(prose_lists(config)) {
        let own: Vec<&SourcedRule> = rules.iter().filter(|rule| rule.source.layer != Layer::BuiltIn).collect();
        let built_in = match rules.len().saturating_sub(own.len()) {
            0 => String::new(),
            count => format!(", and {count} built-in (`portcullis defaults`)"),
        };
        out.line(&format!("\n{}: {} of your own{built_in}", paint.apply(Tone::Strong, name), own.len()));
        for rule in own {
            out.line(&format!("  {}  {}", plain(&rule.text), paint.apply(Tone::Quiet, &plain(&source(&rule.source)))));
        }
    }
    for suspended in policy.suspended() {
        out.line(&paint.apply(
            Tone::Caution,
            &format!("set aside in mode auto: {} ({})", plain(&suspended.rule), suspended.reason),
        ));
    }
    if !setup.diagnostics.is_empty() {
        out.line("");
    }
    print_diagnostics(&setup.diagnostics, out, paint);
}

fn scalars(config: &EffectiveConfig) -> Vec<(&'static str, String)> {
    let auto = &config.auto_mode;
    let model = if auto.classifier_model.is_empty() { "(none)".to_owned() } else { auto.classifier_model.join(", ") };
    vec![
        ("mode", config.mode.to_string()),
        ("autoMode.enabled", auto.enabled.to_string()),
        ("autoMode.classifierModel", model),
        ("autoMode.classifierTimeoutMs", auto.classifier_timeout_ms.to_string()),
        ("autoMode.shellReadOnly", auto.shell_read_only.to_string()),
        ("autoMode.classifyReadOnlyTools", auto.classify_read_only_tools.to_string()),
        ("autoMode.classifyAllShell", auto.classify_all_shell.to_string()),
        ("autoMode.allowInsideWorkingDirectory", auto.allow_inside_working_directory.to_string()),
        ("autoMode.deniedPathsInShell", auto.denied_paths_in_shell.to_string()),
        ("autoMode.onSoftBlock", auto.on_soft_block.to_string()),
        ("autoMode.onFloor", auto.on_floor.to_string()),
        ("autoMode.fallback", auto.fallback.to_string()),
        ("autoMode.resolveAsks", auto.resolve_asks.to_string()),
        ("autoMode.log.enabled", auto.log.enabled.to_string()),
        ("autoMode.log.classifierIo", auto.log.classifier_io.to_string()),
    ]
}

fn rule_lists(config: &EffectiveConfig) -> [(&'static str, &Vec<SourcedRule>); 6] {
    [
        ("permissions.deny", &config.permissions.deny),
        ("permissions.ask", &config.permissions.ask),
        ("permissions.allow", &config.permissions.allow),
        ("permissions.additionalDirectories", &config.permissions.additional_directories),
        ("autoMode.deniedPaths", &config.auto_mode.denied_paths),
        ("autoMode.protectedPaths", &config.auto_mode.protected_paths),
    ]
}

/// What the classifier is told.
fn prose_lists(config: &EffectiveConfig) -> [(&'static str, &Vec<SourcedRule>); 4] {
    let auto = &config.auto_mode;
    [
        ("autoMode.hard_deny", &auto.hard_deny),
        ("autoMode.soft_deny", &auto.soft_deny),
        ("autoMode.allow", &auto.allow),
        ("autoMode.environment", &auto.environment),
    ]
}

fn show_json(setup: &Setup) -> Value {
    let (policy, config) = (&setup.policy, setup.policy.config());
    let rules = |list: &[SourcedRule]| -> Value {
        list.iter().map(|rule| json!({"text": rule.text, "source": source_json(&rule.source)})).collect()
    };
    let mut settings = serde_json::Map::new();
    for (name, value) in scalars(config) {
        settings.insert(name.to_owned(), json!(value));
    }
    let mut lists = serde_json::Map::new();
    for (name, list) in rule_lists(config).into_iter().chain(prose_lists(config)) {
        lists.insert(name.to_owned(), rules(list));
    }
    let files: Vec<Value> = setup
        .sources
        .iter()
        .map(|status| {
            json!({"layer": status.layer.name(), "profile": status.profile.name(),
                "file": status.file.as_ref().map(|file| file.display().to_string()), "state": state(status.state)})
        })
        .collect();
    json!({"degraded": policy.degraded(), "settings": settings, "lists": lists, "sources": files,
        "suspended": policy.suspended().iter().map(|suspended| &suspended.rule).collect::<Vec<_>>(),
        "diagnostics": setup.diagnostics.iter().map(diagnostic_json).collect::<Vec<_>>()})
}

/// Problems of one file, or of all that count. Exit status 1 if there is an error or a warning.
fn check(file: Option<&Path>, ambient: &Ambient, out: &mut Output, paint: Paint, as_json: bool) -> Result<(), Failure> {
    let diagnostics = match file {
        Some(path) => check_file(path, ambient)?,
        None => compose::setup(ambient, None).diagnostics,
    };
    if as_json {
        out.line(&diagnostics.iter().map(diagnostic_json).collect::<Value>().to_string());
    } else {
        print_diagnostics(&diagnostics, out, paint);
    }
    let bad = diagnostics.iter().filter(|finding| finding.severity > Severity::Info).count();
    if bad > 0 {
        return Err(Failure::failed(format!("{bad} problem{}", if bad == 1 { "" } else { "s" })));
    }
    if !as_json {
        out.line("No problems.");
    }
    Ok(())
}

/// The loader's findings and the JSON Schema's, which see different things: meaning and shape.
fn check_file(path: &Path, ambient: &Ambient) -> Result<Vec<Diagnostic>, Failure> {
    let bytes = fs::read(path).map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?;
    let text = String::from_utf8(bytes).map_err(|_| Failure::failed(format!("{}: not UTF-8 text", path.display())))?;
    // Read as your global file would be, and compiled: a rule is only known to be good when it is.
    let layer = LayerInput {
        layer: Layer::Global,
        profile: Profile::Native,
        file: Some(path.to_path_buf()),
        content: LayerContent::Text(text.clone()),
        trusted: true,
    };
    let cwd = ambient.cwd.clone().unwrap_or_else(|| PathBuf::from("/"));
    let mut diagnostics = compose::setup_from(&vec![layer], ambient, cwd).diagnostics;
    let Ok(value) = edit::value(&text) else { return Ok(diagnostics) };
    let schema = serde_json::to_value(portcullis_config::json_schema()).map_err(Failure::failed)?;
    let validator = jsonschema::validator_for(&schema).map_err(Failure::failed)?;
    for error in validator.iter_errors(&value) {
        let pointer = error.instance_path().to_string();
        if !diagnostics.iter().any(|finding| finding.pointer == pointer) {
            diagnostics.push(Diagnostic {
                severity: Severity::Warning,
                id: "schema",
                layer: Layer::Global,
                file: Some(path.to_path_buf()),
                line: edit::line_of(&text, &pointer),
                pointer,
                message: error.to_string(),
                hint: None,
            });
        }
    }
    Ok(diagnostics)
}

fn edit_global(ambient: &Ambient, out: &mut Output, paint: Paint) -> Result<(), Failure> {
    let path = compose::global_file(ambient)?;
    let editor =
        ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok().filter(|value| !value.trim().is_empty()));
    let editor = editor
        .ok_or_else(|| Failure::usage(format!("neither VISUAL nor EDITOR is set. The file is {}", path.display())))?;
    if !path.exists() {
        edit::write_atomically(&path, None, "{\n}\n", &BackupPolicy::None).map_err(Failure::failed)?;
    }
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or_default();
    let status = Command::new(program)
        .args(words)
        .arg(&path)
        .status()
        .map_err(|error| Failure::failed(format!("`{editor}` can't be started: {error}")))?;
    if !status.success() {
        return Err(Failure::failed(format!("`{editor}` ended with {status}")));
    }
    check(Some(&path), ambient, out, paint, false)
}

fn paths(ambient: &Ambient, out: &mut Output) {
    let setup = compose::setup(ambient, None);
    for status in &setup.sources {
        let file = match &status.file {
            Some(file) => file.display().to_string(),
            None => format!("({})", status.layer.name()),
        };
        out.line(&format!(
            "{:<14} {:<12} {:<11} {file}",
            status.layer.name(),
            status.profile.name(),
            state(status.state)
        ));
    }
}

/// Each finding with its place and what to do.
pub(crate) fn print_diagnostics(diagnostics: &[Diagnostic], out: &mut Output, paint: Paint) {
    for finding in diagnostics {
        let tone = match finding.severity {
            Severity::Error => Tone::Bad,
            Severity::Warning => Tone::Caution,
            Severity::Info => Tone::Quiet,
        };
        let file =
            finding.file.as_ref().map_or_else(|| finding.layer.name().to_owned(), |file| file.display().to_string());
        let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
        let pointer = if finding.pointer.is_empty() { String::new() } else { format!(" {}", finding.pointer) };
        let severity = paint.apply(tone, finding.severity.name());
        out.line(&format!("{severity}[{}]: {}", finding.id, plain(&finding.message)));
        out.line(&plain(&format!("  --> {file}{line}{pointer}")));
        if let Some(hint) = &finding.hint {
            out.line(&format!("  help: {}", plain(hint)));
        }
    }
}

fn diagnostic_json(finding: &Diagnostic) -> Value {
    json!({"severity": finding.severity.name(), "id": finding.id, "layer": finding.layer.name(),
        "file": finding.file.as_ref().map(|file| file.display().to_string()), "line": finding.line,
        "pointer": finding.pointer, "message": finding.message, "hint": finding.hint})
}

const fn state(state: SourceState) -> &'static str {
    match state {
        SourceState::Missing => "missing",
        SourceState::Read => "read",
        SourceState::Untrusted => "untrusted",
        SourceState::Unreadable => "unreadable",
    }
}
