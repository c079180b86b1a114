//! Reading one layer's values, leniently and with a finding for each thing that can't be used.

use std::path::PathBuf;
use std::str::FromStr;

use crate::builtin::numbers::Bounds;
use crate::diagnostic::{self as found, Diagnostic, DiagnosticKind, Severity};
use crate::effective::{RuleSource, SourcedRule, UnknownWord};
use crate::json::{Kind, Member, Node};
use crate::layer::{Layer, Profile};
use crate::low::{Field, List, ListState};

/// Longest permission rule and path pattern, in UTF-16 code units.
pub(crate) const MAX_RULE_UNITS: usize = 4096;
/// Most findings that are kept of one layer, so that a hostile file can't fill the memory with them.
const MAX_FINDINGS: usize = 500;
/// The entry that stands for the built-ins of its list.
pub(crate) const DEFAULTS: &str = "$defaults";

/// A value and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct At<'a> {
    pub(crate) node: &'a Node,
    pub(crate) pointer: String,
}

impl<'a> At<'a> {
    pub(crate) fn root(node: &'a Node) -> Self {
        Self { node, pointer: String::new() }
    }

    pub(crate) fn member(&self, member: &'a Member) -> Self {
        Self { node: &member.value, pointer: format!("{}/{}", self.pointer, escape(&member.key)) }
    }

    pub(crate) fn item(&self, index: usize, node: &'a Node) -> Self {
        Self { node, pointer: format!("{}/{index}", self.pointer) }
    }
}

/// A key as a segment of a JSON pointer.
pub(crate) fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// What a list is for, which decides how an unusable entry counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListKind {
    /// `permissions.deny` and `ask`: exact text matters, a lost entry degrades the gate.
    TighteningRules,
    /// `permissions.allow` and directories.
    LooseningRules,
    /// `deniedPaths`: restricts, `$defaults` means nothing.
    DeniedPaths,
    /// Lists with built-ins that restrict.
    TighteningDefaults,
    /// Lists with built-ins that inform or exempt.
    LooseningDefaults,
}

impl ListKind {
    const fn tightens(self) -> bool {
        match self {
            Self::TighteningRules | Self::DeniedPaths | Self::TighteningDefaults => true,
            Self::LooseningRules | Self::LooseningDefaults => false,
        }
    }

    const fn has_length_cap(self) -> bool {
        match self {
            Self::TighteningRules | Self::LooseningRules | Self::DeniedPaths => true,
            Self::TighteningDefaults | Self::LooseningDefaults => false,
        }
    }
}

/// Collects the findings of one layer.
#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) layer: Layer,
    pub(crate) profile: Profile,
    pub(crate) file: Option<PathBuf>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Why the gate must be degraded, first reason first.
    pub(crate) lost: Option<String>,
    /// How many findings were errors, those that are not kept included.
    pub(crate) errors: usize,
}

impl Reader {
    pub(crate) fn new(layer: Layer, profile: Profile, file: Option<PathBuf>) -> Self {
        Self { layer, profile, file, diagnostics: Vec::new(), lost: None, errors: 0 }
    }

    pub(crate) fn report(&mut self, kind: DiagnosticKind, at: &At<'_>, message: String, hint: Option<String>) {
        self.report_line(kind, &at.pointer, Some(at.node.line), message, hint);
    }

    pub(crate) fn report_line(
        &mut self,
        kind: DiagnosticKind,
        pointer: &str,
        line: Option<u32>,
        message: String,
        hint: Option<String>,
    ) {
        if kind.severity == Severity::Error {
            self.errors = self.errors.saturating_add(1);
        }
        let (kind, pointer, line, message, hint) = match self.diagnostics.len() {
            full if full > MAX_FINDINGS => return,
            MAX_FINDINGS => (found::TOO_MANY, "", None, "there are more findings than these".to_owned(), None),
            _ => (kind, pointer, line, message, hint),
        };
        self.diagnostics.push(Diagnostic {
            severity: kind.severity,
            id: kind.id,
            layer: self.layer,
            file: self.file.clone(),
            pointer: pointer.to_owned(),
            line,
            message,
            hint,
        });
    }

    /// INVARIANT 1: a restricting rule that can't be read degrades the gate.
    pub(crate) fn lose(&mut self, at: &At<'_>, message: String, hint: Option<String>) {
        if self.lost.is_none() {
            let place = self.file.as_ref().map_or_else(|| self.layer.name().to_owned(), |f| f.display().to_string());
            self.lost = Some(format!("{place}, line {}: {message}", at.node.line));
        }
        self.report(found::LOST_RULE, at, message, hint);
    }

    pub(crate) fn source(&self, at: &At<'_>, index: usize) -> RuleSource {
        RuleSource {
            layer: self.layer,
            file: self.file.clone(),
            index,
            pointer: at.pointer.clone(),
            line: Some(at.node.line),
        }
    }

    pub(crate) fn wrong_type(&mut self, at: &At<'_>, wanted: &str) {
        let message = format!("{} must be {wanted}, found {}", name(&at.pointer), at.node.type_name());
        // People write booleans and numbers as strings; a string is never taken for true.
        let hint = match &at.node.kind {
            Kind::String(text) if matches!(text.as_str(), "true" | "false") => {
                Some(format!("write {text} without quotes"))
            }
            Kind::String(text) if text.parse::<u32>().is_ok() => Some(format!("write {text} without quotes")),
            _ => None,
        };
        self.report(found::WRONG_TYPE, at, message, hint);
    }

    pub(crate) fn boolean(&mut self, at: &At<'_>) -> Field<bool> {
        if let Kind::Bool(value) = at.node.kind {
            return Field::Set(value, self.source(at, 0));
        }
        self.wrong_type(at, "true or false");
        Field::Invalid
    }

    pub(crate) fn number(&mut self, at: &At<'_>, bounds: Bounds) -> Field<u32> {
        let Kind::Number(value) = at.node.kind else {
            self.wrong_type(at, "a whole number");
            return Field::Invalid;
        };
        match whole(value) {
            Some(whole) if (bounds.min..=bounds.max).contains(&whole) => Field::Set(whole, self.source(at, 0)),
            _ => {
                let message =
                    format!("{} must be a whole number from {} to {}", name(&at.pointer), bounds.min, bounds.max);
                self.report(
                    found::OUT_OF_RANGE,
                    at,
                    message,
                    Some(format!("the built-in value is {}", bounds.default)),
                );
                Field::Invalid
            }
        }
    }

    pub(crate) fn word<T: FromStr<Err = UnknownWord>>(&mut self, at: &At<'_>, words: &[&str]) -> Field<T> {
        let Kind::String(text) = &at.node.kind else {
            self.wrong_type(at, "a string");
            return Field::Invalid;
        };
        if let Ok(value) = text.parse() {
            return Field::Set(value, self.source(at, 0));
        }
        let message = format!("{} must be one of {}", name(&at.pointer), words.join(", "));
        let hint = nearest(text, words).map(|word| format!("did you mean \"{word}\"?"));
        self.report(found::UNKNOWN_VALUE, at, message, hint);
        Field::Invalid
    }

    pub(crate) fn text(&mut self, at: &At<'_>) -> Field<String> {
        match &at.node.kind {
            Kind::String(text) if !text.trim().is_empty() => Field::Set(text.trim().to_owned(), self.source(at, 0)),
            _ => {
                self.wrong_type(at, "a string that is not blank");
                Field::Invalid
            }
        }
    }

    /// The members of an object, after reporting repeated keys.
    pub(crate) fn members<'a>(&mut self, at: &At<'a>) -> Option<Vec<(&'a str, u32, At<'a>)>> {
        let Kind::Object(members) = &at.node.kind else {
            self.wrong_type(at, "an object");
            return None;
        };
        let mut seen = std::collections::BTreeSet::new();
        for member in members {
            if !seen.insert(member.key.as_str()) {
                let pointer = at.member(member).pointer;
                let message = format!("{} is set twice; the stricter reading of both counts", name(&pointer));
                self.report_line(
                    found::DUPLICATE_KEY,
                    &pointer,
                    Some(member.line),
                    message,
                    Some("keep one".to_owned()),
                );
            }
        }
        Some(members.iter().map(|member| (member.key.as_str(), member.line, at.member(member))).collect())
    }

    /// Reads a list and adds it to what an earlier reading of the same list gave.
    pub(crate) fn list(&mut self, at: &At<'_>, kind: ListKind, into: &mut List) {
        let Kind::Array(items) = &at.node.kind else {
            let wanted = format!("{} must be an array of strings, found {}", name(&at.pointer), at.node.type_name());
            if kind.tightens() {
                self.lose(at, wanted, Some("put the entries in [ ]".to_owned()));
            } else {
                self.report(found::WRONG_TYPE, at, wanted, Some("put the entries in [ ]".to_owned()));
            }
            into.state = ListState::Invalid;
            return;
        };
        let mut defaults = false;
        let mut entries = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let at = at.item(index, item);
            match self.entry(&at, kind) {
                Entry::Defaults => defaults = true,
                Entry::Text(text) => entries.push(SourcedRule { text, source: self.source(&at, index) }),
                Entry::Unusable => {}
            }
        }
        combine(into, entries, defaults, kind);
        into.source = Some(self.source(at, 0));
    }

    fn entry(&mut self, at: &At<'_>, kind: ListKind) -> Entry {
        let problem = match &at.node.kind {
            Kind::String(text) if text.trim() == DEFAULTS => return self.defaults_entry(at, kind),
            Kind::String(text) if text.trim().is_empty() => {
                format!("{} is blank", name(&at.pointer))
            }
            Kind::String(text) if kind.has_length_cap() && text.encode_utf16().count() > MAX_RULE_UNITS => {
                format!("{} is longer than {MAX_RULE_UNITS} characters", name(&at.pointer))
            }
            Kind::String(text) => return Entry::Text(text.trim().to_owned()),
            _ => format!("{} must be a string, found {}", name(&at.pointer), at.node.type_name()),
        };
        let hint = Some("write the entry as a string, or remove it".to_owned());
        // A blank sentence for the classifier says nothing, so nothing is lost with it.
        let blank = matches!(&at.node.kind, Kind::String(text) if text.trim().is_empty());
        if kind.tightens() && !(blank && kind == ListKind::TighteningDefaults) {
            self.lose(at, problem, hint);
        } else {
            self.report(found::BAD_ENTRY, at, problem, hint);
        }
        Entry::Unusable
    }

    fn defaults_entry(&mut self, at: &At<'_>, kind: ListKind) -> Entry {
        match kind {
            ListKind::TighteningDefaults | ListKind::LooseningDefaults => Entry::Defaults,
            ListKind::DeniedPaths => Entry::Unusable,
            ListKind::TighteningRules | ListKind::LooseningRules => {
                let message = format!("{} has no built-in entries; \"{DEFAULTS}\" is ignored", name(&at.pointer));
                self.report(found::DEFAULTS_NOT_SUPPORTED, at, message, Some("remove the entry".to_owned()));
                Entry::Unusable
            }
        }
    }
}

/// Two readings of one list: restricting ones add up, others must agree.
fn combine(into: &mut List, entries: Vec<SourcedRule>, defaults: bool, kind: ListKind) {
    let state = if defaults { ListState::WithDefaults } else { ListState::Alone };
    let (state, entries) = match (into.state, kind.tightens()) {
        (ListState::Unset, _) => (state, entries),
        (ListState::Invalid, false) => (ListState::Invalid, Vec::new()),
        (ListState::Invalid, true) => (ListState::Invalid, entries),
        (earlier, true) => {
            let either = earlier == ListState::WithDefaults || defaults;
            let mut all = std::mem::take(&mut into.entries);
            all.extend(entries);
            (if either { ListState::WithDefaults } else { ListState::Alone }, all)
        }
        (earlier, false) => {
            let both = earlier == ListState::WithDefaults && defaults;
            let mut common = std::mem::take(&mut into.entries);
            common.retain(|old| entries.iter().any(|new| new.text == old.text));
            (if both { ListState::WithDefaults } else { ListState::Alone }, common)
        }
    };
    into.state = state;
    into.entries = entries;
}

enum Entry {
    Text(String),
    Defaults,
    Unusable,
}

/// A pointer as people write settings: `autoMode.pause.total`.
pub(crate) fn name(pointer: &str) -> String {
    let text = pointer.trim_start_matches('/').replace('/', ".").replace("~1", "/").replace("~0", "~");
    if text.is_empty() { "the file".to_owned() } else { text }
}

/// A number as `u32`, if it is a whole one. JSON does not tell `4000` from `4e3`.
fn whole(value: f64) -> Option<u32> {
    if value.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&value) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole and in range, checked above"
        )]
        return Some(value as u32);
    }
    None
}

/// The most similar known word, if one is similar enough to be meant.
pub(crate) fn nearest<'w>(text: &str, words: &[&'w str]) -> Option<&'w str> {
    // A pasted novel is nobody's typo.
    if text.len() > 64 {
        return None;
    }
    let lower = text.to_lowercase();
    words
        .iter()
        .map(|word| (strsim::jaro_winkler(&lower, &word.to_lowercase()), *word))
        .filter(|(score, _)| *score >= 0.85)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, word)| word)
}
