//! From layers to the effective configuration.

use std::path::PathBuf;

use crate::diagnostic::{self as found, Diagnostic};
use crate::effective::EffectiveConfig;
use crate::json::{self, Kind};
use crate::keys::{self, stray};
use crate::layer::{Layer, LayerContent, LayerInput, LayerSource, Profile};
use crate::low::{Field, Low};
use crate::merge::{LowLayer, merge};
use crate::profiles::{self, ProfileRow};
use crate::reader::{At, Reader, name};

/// The outcome of [`load`].
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// What counts.
    pub config: EffectiveConfig,
    /// Findings, lowest layer first, in file order.
    pub diagnostics: Vec<Diagnostic>,
    /// INVARIANT 1: why local allows must be off, if settings exist that could not be read.
    pub degraded: Option<String>,
    /// Each layer that was looked at, lowest first.
    pub sources: Vec<SourceStatus>,
}

/// What became of one layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceStatus {
    /// The layer.
    pub layer: Layer,
    /// In whose format.
    pub profile: Profile,
    /// The file, if the layer has one.
    pub file: Option<PathBuf>,
    /// What became of it.
    pub state: SourceState,
}

/// What became of a layer's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceState {
    /// There is none.
    Missing,
    /// It was read.
    Read,
    /// It exists and was ignored because the project is not trusted.
    Untrusted,
    /// It exists and could not be read or parsed.
    Unreadable,
}

/// Whether a shared Claude Code file's allow rules count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SharedAllow {
    Counts,
    Ignored,
}

/// Reads and merges the layers.
///
/// Never fails: what can't be used is a [`Diagnostic`], and what makes allowing unsafe is [`Loaded::degraded`].
pub fn load(source: &dyn LayerSource) -> Loaded {
    let mut inputs = source.layers();
    // Stable: layers of one rank keep the order in which they were handed in.
    inputs.sort_by_key(|input| input.layer);
    let mut diagnostics = source.notes();
    let mut degraded = None;
    let mut sources = Vec::with_capacity(inputs.len());
    let mut present = Vec::new();
    let mut read: Vec<(Reader, Low)> = Vec::new();

    for input in inputs {
        let mut reader = Reader::new(input.layer, input.profile, input.file.clone());
        let (state, low) = read_layer(&input, &mut reader);
        if state == SourceState::Read && input.layer != Layer::SharedProject {
            present.push(input.profile);
        }
        sources.push(SourceStatus { layer: input.layer, profile: input.profile, file: input.file, state });
        read.push((reader, low));
    }

    let mut layers = vec![LowLayer { layer: Layer::BuiltIn, low: profiles::defaults(&present) }];
    let shared_allow = shared_allow(&read);
    for (mut reader, mut low) in read {
        restrict(&mut low, &mut reader, shared_allow);
        degraded = degraded.or(reader.lost);
        diagnostics.append(&mut reader.diagnostics);
        layers.push(LowLayer { layer: reader.layer, low });
    }
    let config = merge(&layers, &mut diagnostics);
    Loaded { config, diagnostics, degraded, sources }
}

fn read_layer(input: &LayerInput, reader: &mut Reader) -> (SourceState, Low) {
    let untrusted = input.layer.is_project() && !input.trusted;
    let text = match &input.content {
        LayerContent::Missing => return (SourceState::Missing, Low::default()),
        LayerContent::Text(_) | LayerContent::Unreadable(_) if untrusted => {
            let message = format!("the {} file is ignored because the project is not trusted", input.layer.name());
            reader.report_line(found::UNTRUSTED, "", None, message, Some("run `portcullis trust`".to_owned()));
            return (SourceState::Untrusted, Low::default());
        }
        LayerContent::Unreadable(why) => {
            fail(reader, found::UNREADABLE, None, format!("the {} settings can't be read: {why}", input.layer.name()));
            return (SourceState::Unreadable, Low::default());
        }
        LayerContent::Text(text) => text,
    };
    let root = match json::parse(text) {
        Ok(root) => root,
        Err(error) => {
            let message = format!("the {} settings are not valid JSON: {}", input.layer.name(), error.message);
            fail(reader, found::INVALID_JSON, error.line, message);
            return (SourceState::Unreadable, Low::default());
        }
    };
    if !matches!(root.kind, Kind::Object(_)) {
        let message = format!("the {} settings must be an object, found {}", input.layer.name(), root.type_name());
        fail(reader, found::ROOT_NOT_OBJECT, Some(root.line), message);
        return (SourceState::Unreadable, Low::default());
    }
    let mut low = Low::default();
    if let Some(row) = profiles::row(input.profile) {
        read_root(row, &At::root(&root), reader, &mut low);
    }
    join_model(&mut low, reader);
    (SourceState::Read, low)
}

/// INVARIANT 1: settings that exist and can't be read degrade the gate.
fn fail(reader: &mut Reader, kind: found::DiagnosticKind, line: Option<u32>, message: String) {
    let place = reader.file.as_ref().map(|file| format!("{}: ", file.display())).unwrap_or_default();
    reader.lost = Some(format!("{place}{message}"));
    reader.report_line(kind, "", line, message, Some("local allows are off until this is mended".to_owned()));
}

fn read_root(row: &ProfileRow, root: &At<'_>, reader: &mut Reader, low: &mut Low) {
    if reader.layer != Layer::SharedProject {
        let members = reader.members(root).unwrap_or_default();
        for (text, line, at) in members {
            match row.section.find(text) {
                None => stray(row.section, row.strays, reader, text, line, &at),
                Some(key) if key.name == "autoMode" && !row.auto_mode_in.contains(&reader.layer) => {
                    let message = "autoMode of a project's settings is ignored".to_owned();
                    let hint = Some("set it in your global settings".to_owned());
                    reader.report_line(found::PROJECT_IGNORED, &at.pointer, Some(line), message, hint);
                }
                Some(key) => key.read(low, reader, &at),
            }
        }
        return;
    }
    // INVARIANT 2: of a shared file only deny and ask rules count. Everything else is not even read.
    for (text, line, at) in reader.members(root).unwrap_or_default() {
        match row.section.find(text) {
            None => stray(row.section, row.strays, reader, text, line, &at),
            Some(key) if key.name == "$schema" => {}
            Some(key) if key.name == "permissions" && matches!(at.node.kind, Kind::Object(_)) => {
                read_shared_permissions(&at, reader, low);
            }
            // Not an object: the reader of the key reports the loss.
            Some(key) if key.name == "permissions" => key.read(low, reader, &at),
            Some(_) => report_shared(reader, &at.pointer, line),
        }
    }
}

fn read_shared_permissions(at: &At<'_>, reader: &mut Reader, low: &mut Low) {
    for (text, line, at) in reader.members(at).unwrap_or_default() {
        match keys::PERMISSIONS.find(text) {
            // Whether Claude Code's allow list counts is known only when every layer is read.
            Some(key) if key.name == "allow" && reader.profile == Profile::ClaudeCode => {
                key.read(low, reader, &at);
            }
            Some(key) if key.name == "deny" || key.name == "ask" => key.read(low, reader, &at),
            Some(_) => report_shared(reader, &at.pointer, line),
            None => {
                let strays =
                    if reader.profile.is_foreign() { keys::Strays::ReportSimilar } else { keys::Strays::Report };
                stray(keys::PERMISSIONS, strays, reader, text, line, &at);
            }
        }
    }
}

fn report_shared(reader: &mut Reader, pointer: &str, line: u32) {
    let message =
        format!("{} of a shared project file is ignored; it may set only permissions.deny and ask", name(pointer));
    let hint = Some("set it in your own settings".to_owned());
    reader.report_line(found::SHARED_IGNORED, pointer, Some(line), message, hint);
}

/// `provider` and `modelId` are another spelling of `classifierModel`.
fn join_model(low: &mut Low, reader: &mut Reader) {
    match (&low.provider, &low.model_id) {
        (Field::Set(provider, source), Field::Set(model, _)) => {
            if matches!(low.classifier_model, Field::Unset) {
                low.classifier_model = Field::Set(vec![format!("{provider}/{model}")], source.clone());
            }
        }
        (Field::Set(_, source), Field::Unset) | (Field::Unset, Field::Set(_, source)) => {
            let (pointer, line) = (source.pointer.clone(), source.line);
            let message = "provider and modelId name a model only together".to_owned();
            reader.report_line(
                found::INCOMPLETE,
                &pointer,
                line,
                message,
                Some("set both, or classifierModel".to_owned()),
            );
        }
        (Field::Invalid, _) | (_, Field::Invalid) | (Field::Unset, Field::Unset) => {}
    }
    if matches!(low.log_enabled, Field::Unset) {
        low.log_enabled = std::mem::take(&mut low.log_decisions);
    }
}

/// `trustSharedAllow` of the layers that may set it, known before shared files are restricted.
fn shared_allow(read: &[(Reader, Low)]) -> SharedAllow {
    read.iter().filter(|(reader, _)| !reader.layer.is_project()).fold(
        SharedAllow::Ignored,
        |value, (_, low)| match &low.trust_shared_allow {
            Field::Unset => value,
            Field::Set(true, _) => SharedAllow::Counts,
            Field::Set(false, _) | Field::Invalid => SharedAllow::Ignored,
        },
    )
}

/// Takes out what the layer may not set.
fn restrict(low: &mut Low, reader: &mut Reader, shared_allow: SharedAllow) {
    if reader.layer.is_project() {
        if let Field::Set(_, source) = &low.trust_shared_allow {
            let (pointer, line) = (source.pointer.clone(), source.line);
            let message = "trustSharedAllow of a project file is ignored".to_owned();
            let hint = Some("set it in your global settings".to_owned());
            reader.report_line(found::PROJECT_IGNORED, &pointer, line, message, hint);
        }
        low.trust_shared_allow = Field::Unset;
    }
    if reader.layer == Layer::SharedProject && shared_allow == SharedAllow::Ignored {
        let list = std::mem::take(&mut low.permissions_allow);
        if let Some(source) = list.source {
            let message = "permissions.allow of a shared project file is ignored".to_owned();
            let hint = Some("set trustSharedAllow in your global settings to honour it in trusted projects".to_owned());
            reader.report_line(found::SHARED_IGNORED, &source.pointer, source.line, message, hint);
        }
    }
}

/// Checks the text of one native settings file, as `portcullis config check` does.
pub fn check_text(text: &str) -> Vec<Diagnostic> {
    load(&vec![LayerInput {
        layer: Layer::Global,
        profile: Profile::Native,
        file: None,
        content: LayerContent::Text(text.to_owned()),
        trusted: true,
    }])
    .diagnostics
}
