//! Decisions in words and in JSON. The one place where the program's output is worded.

mod style;

use portcullis_gate::{Decision, RuleRef, Verdict};
use serde_json::{Map, Value, json};

pub(crate) use style::{Paint, Tone};

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
    let words = decision.message_for_model.as_deref().unwrap_or(&decision.reason);
    let words = if words.trim().is_empty() { decision.stage.id() } else { words };
    format!("Portcullis: {words}")
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
    object.insert("reason".to_owned(), json!(decision.reason));
    if let Some(message) = &decision.message_for_model {
        object.insert("messageForModel".to_owned(), json!(message));
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
        object.insert("paths".to_owned(), json!(decision.paths));
    }
    object.insert("decisionId".to_owned(), json!(decision.id));
    Value::Object(object)
}

/// The trace, for `explain --json`.
pub(crate) fn trace_json(decision: &Decision) -> Value {
    let steps = decision.trace.iter().map(|step| {
        json!({"stage": step.stage.id(), "verdict": step.verdict.map(Verdict::name), "detail": step.detail})
    });
    Value::Array(steps.collect())
}

fn rule_json(rule: &RuleRef) -> Value {
    let mut object = Map::new();
    object.insert("list".to_owned(), json!(rule.list.name()));
    object.insert("text".to_owned(), json!(rule.text));
    if let Some(source) = &rule.source {
        object.insert("layer".to_owned(), json!(source.layer.name()));
        object.insert("file".to_owned(), json!(source.file.as_ref().map(|file| file.display().to_string())));
        object.insert("pointer".to_owned(), json!(source.pointer));
    }
    Value::Object(object)
}

/// Where a rule stands, for people: `~/.config/portcullis/config.json /permissions/deny/0`.
pub(crate) fn rule_place(rule: &RuleRef) -> String {
    match &rule.source {
        None => "this session".to_owned(),
        Some(source) => match &source.file {
            Some(file) => format!("{} {}", file.display(), source.pointer),
            None => format!("{} layer {}", source.layer.name(), source.pointer),
        },
    }
}

/// One line: the verdict and why.
pub(crate) fn verdict_line(decision: &Decision, paint: Paint) -> String {
    let word = paint.apply(tone(decision.verdict), decision.verdict.name());
    let rule = decision.rule.as_ref().map(|rule| format!(" ({})", rule_place(rule))).unwrap_or_default();
    let degraded = if decision.degraded.is_some() { " [degraded]" } else { "" };
    format!("{word}  {}: {}{rule}{degraded}", decision.stage.id(), decision.reason)
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
