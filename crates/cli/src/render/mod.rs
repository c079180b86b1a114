//! Decisions in words and in JSON. The one place where the program's output is worded.

mod analysis;
mod plain;
mod style;

use portcullis_config::RuleSource;
use portcullis_gate::{Decision, List, RuleRef, Verdict};
use serde_json::{Map, Value, json};

pub(crate) use analysis::{analysis_json, analysis_lines};
pub(crate) use plain::{clip, plain};
pub(crate) use style::{Paint, Tone};

/// Most characters of a reason that a host is told. A pipe holds 64 KiB: an answer that fits is written without waiting for
/// the host to read it.
const REASON_LIMIT: usize = 4000;

/// Most resolved paths that are listed.
const PATHS_LIMIT: usize = 8;

/// Exit status of `check` for each verdict. A gate that is off lets everything run.
pub(crate) const fn exit_status(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Allow | Verdict::Pass => 0,
        Verdict::Ask => 10,
        Verdict::Deny => 20,
        Verdict::Undecided => 30,
    }
}

/// What a host is told: the words for the model if there are any, never empty.
pub(crate) fn host_reason(decision: &Decision) -> String {
    match decision.message_for_model.as_deref().filter(|words| !words.trim().is_empty()) {
        // Names us already.
        Some(words) => clip(words, REASON_LIMIT),
        None if decision.reason.trim().is_empty() => format!("Portcullis: {}", decision.stage.id()),
        None => format!("Portcullis: {}", clip(&decision.reason, REASON_LIMIT)),
    }
}

/// The object of `check --json`, `hook generic` and `check --batch` (`schemas/decision.schema.json`).
pub(crate) fn decision_json(decision: &Decision, id: Option<&Value>) -> Value {
    let mut object = Map::new();
    if let Some(id) = id {
        object.insert("id".to_owned(), id.clone());
    }
    object.insert("verdict".to_owned(), json!(decision.verdict.name()));
    object.insert("stage".to_owned(), json!(decision.stage.id()));
    object.insert("local".to_owned(), json!(decision.local));
    object.insert("reason".to_owned(), json!(clip(&decision.reason, REASON_LIMIT)));
    if let Some(message) = &decision.message_for_model {
        object.insert("messageForModel".to_owned(), json!(clip(message, REASON_LIMIT)));
    }
    if let Some(rule) = &decision.rule {
        object.insert("rule".to_owned(), rule_json(rule));
    }
    if let Some(floor) = decision.floor {
        object.insert("floor".to_owned(), json!(floor));
    }
    if let Some(degraded) = &decision.degraded {
        object.insert("degraded".to_owned(), json!(degraded));
    }
    if !decision.paths.is_empty() {
        let shown: Vec<String> = decision.paths.iter().take(PATHS_LIMIT).map(|path| clip(path, REASON_LIMIT)).collect();
        object.insert("paths".to_owned(), json!(shown));
    }
    object.insert("decisionId".to_owned(), json!(decision.id));
    Value::Object(object)
}

/// The trace, for `explain --json`.
pub(crate) fn trace_json(decision: &Decision) -> Value {
    let steps = decision.trace.iter().map(
        |step| json!({"stage": step.stage.id(), "verdict": step.verdict.map(Verdict::name), "detail": step.detail}),
    );
    Value::Array(steps.collect())
}

fn rule_json(rule: &RuleRef) -> Value {
    let mut object = Map::new();
    object.insert("list".to_owned(), json!(list_name(rule.list)));
    object.insert("text".to_owned(), json!(rule.text));
    if !rule.detail.is_empty() {
        object.insert("detail".to_owned(), json!(clip(&rule.detail, REASON_LIMIT)));
    }
    if let Some(source) = &rule.source {
        object.insert("source".to_owned(), source_json(source));
    }
    Value::Object(object)
}

/// The key of a rule list below `permissions`.
pub(crate) const fn list_name(list: List) -> &'static str {
    match list {
        List::Deny => "deny",
        List::Ask => "ask",
        List::Allow => "allow",
    }
}

/// Where something was written.
pub(crate) fn source_json(source: &RuleSource) -> Value {
    json!({"layer": source.layer.name(), "file": source.file.as_ref().map(|file| file.display().to_string()),
        "line": source.line, "pointer": source.pointer})
}

/// Where something was written, for people: `~/.config/portcullis/config.json:12`.
pub(crate) fn source(source: &RuleSource) -> String {
    match (&source.file, source.line) {
        (Some(file), Some(line)) => format!("{}:{line}", file.display()),
        (Some(file), None) => file.display().to_string(),
        (None, _) => format!("{} {}", source.layer.name(), source.pointer),
    }
}

/// Where a rule stands, for people.
pub(crate) fn rule_place(rule: &RuleRef) -> String {
    rule.source.as_ref().map_or_else(|| "this session".to_owned(), source)
}

/// One line: the verdict and why.
pub(crate) fn verdict_line(decision: &Decision, paint: Paint) -> String {
    let word = paint.apply(tone(decision.verdict), decision.verdict.name());
    let rule = decision.rule.as_ref().map(|rule| format!(" ({})", rule_place(rule))).unwrap_or_default();
    let degraded = if decision.degraded.is_some() { " [degraded]" } else { "" };
    format!("{word}  {}: {}{}{degraded}", decision.stage.id(), plain(&decision.reason), plain(&rule))
}

/// The colour of a verdict.
pub(crate) const fn tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Allow => Tone::Good,
        Verdict::Ask | Verdict::Undecided => Tone::Caution,
        Verdict::Deny => Tone::Bad,
        Verdict::Pass => Tone::Quiet,
    }
}
