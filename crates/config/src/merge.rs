//! Folding layers into what counts.

use std::collections::BTreeSet;

use crate::builtin::entries;
use crate::defaults;
use crate::diagnostic::{self as found, Diagnostic};
use crate::effective::{AutoMode, BypassLock, EffectiveConfig, Log, Mode, Pause, Permissions, SourcedRule};
use crate::layer::Layer;
use crate::low::{Field, List, ListState, Low, stricter};
use crate::policy;

/// One layer with what it sets.
#[derive(Debug)]
pub(crate) struct LowLayer {
    pub(crate) layer: Layer,
    pub(crate) low: Low,
}

/// Whether a restricting or a loosening list is folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    Tightens,
    Loosens,
}

/// Folds layers, which come lowest first, the profiles' defaults before them.
pub(crate) fn merge(layers: &[LowLayer], diagnostics: &mut Vec<Diagnostic>) -> EffectiveConfig {
    let built_in = EffectiveConfig::default();
    let trust_shared_allow = scalar(layers, |low| &low.trust_shared_allow, built_in.trust_shared_allow, stricter::off);
    let permissions = permissions(layers);
    let (mode, mode_source) = mode(layers, built_in.mode, permissions.bypass, diagnostics);
    let maps: Vec<_> = layers.iter().filter_map(|layer| layer.low.policy.as_ref()).collect();
    report_kept_denies(layers, diagnostics);
    EffectiveConfig {
        auto_mode: auto_mode(layers, &built_in.auto_mode, diagnostics),
        permissions,
        mode,
        mode_source,
        policy: policy::merge(&maps),
        providers: layers.iter().flat_map(|layer| layer.low.providers.iter().cloned()).collect(),
        trust_shared_allow,
    }
}

/// The highest valid value; an unusable one falls back to the stricter of what is below it and the built-in.
fn scalar<T: Clone>(
    layers: &[LowLayer],
    field: impl Fn(&Low) -> &Field<T>,
    built_in: T,
    stricter: impl Fn(T, T) -> T,
) -> T {
    layers.iter().fold(built_in.clone(), |value, layer| match field(&layer.low) {
        Field::Unset => value,
        Field::Set(new, _) => new.clone(),
        Field::Invalid => stricter(value, built_in.clone()),
    })
}

fn auto_mode(layers: &[LowLayer], b: &AutoMode, diagnostics: &mut Vec<Diagnostic>) -> AutoMode {
    let mut list = |field: fn(&Low) -> &List, built_in: &[&str], pointer: &str, effect: Effect| {
        with_defaults(layers, field, entries(built_in, pointer), effect, diagnostics)
    };
    let environment = list(|l| &l.environment, defaults::ENVIRONMENT, "/autoMode/environment", Effect::Loosens);
    let allow = list(|l| &l.allow, defaults::ALLOW, "/autoMode/allow", Effect::Loosens);
    let soft_deny = list(|l| &l.soft_deny, defaults::SOFT_DENY, "/autoMode/soft_deny", Effect::Tightens);
    let hard_deny = list(|l| &l.hard_deny, defaults::HARD_DENY, "/autoMode/hard_deny", Effect::Tightens);
    let protected_paths =
        list(|l| &l.protected_paths, defaults::PROTECTED_PATHS, "/autoMode/protectedPaths", Effect::Tightens);
    let number = |field: fn(&Low) -> &Field<u32>, built_in: u32| scalar(layers, field, built_in, stricter::first);
    let switch = |field: fn(&Low) -> &Field<bool>, built_in: bool, stricter: fn(bool, bool) -> bool| {
        scalar(layers, field, built_in, stricter)
    };
    let built_in_timeout = u32::try_from(b.classifier_timeout_ms).unwrap_or(u32::MAX);
    AutoMode {
        enabled: switch(|l| &l.enabled, b.enabled, stricter::on),
        classifier_model: scalar(layers, |l| &l.classifier_model, b.classifier_model.clone(), stricter::first),
        classifier_reasoning_level: layers
            .iter()
            .filter_map(|layer| layer.low.classifier_reasoning_level.value().copied())
            .next_back(),
        classify_read_only_tools: switch(|l| &l.classify_read_only_tools, b.classify_read_only_tools, stricter::on),
        classify_all_shell: switch(|l| &l.classify_all_shell, b.classify_all_shell, stricter::on),
        fast_classifier_max_tokens: number(|l| &l.fast_classifier_max_tokens, b.fast_classifier_max_tokens),
        classifier_timeout_ms: u64::from(number(|l| &l.classifier_timeout_ms, built_in_timeout)),
        allow_inside_working_directory: switch(
            |l| &l.allow_inside_working_directory,
            b.allow_inside_working_directory,
            stricter::off,
        ),
        denied_paths: distinct(layers.iter().flat_map(|layer| layer.low.denied_paths.entries.iter().cloned())),
        max_user_transcript_tokens: number(|l| &l.max_user_transcript_tokens, b.max_user_transcript_tokens),
        max_tool_transcript_tokens: number(|l| &l.max_tool_transcript_tokens, b.max_tool_transcript_tokens),
        environment,
        allow,
        soft_deny,
        hard_deny,
        protected_paths,
        log: Log {
            enabled: switch(|l| &l.log_enabled, b.log.enabled, stricter::on),
            classifier_io: switch(|l| &l.classifier_io, b.log.classifier_io, stricter::off),
        },
        protocol: scalar(layers, |l| &l.protocol, b.protocol, stricter::first),
        resolve_asks: switch(|l| &l.resolve_asks, b.resolve_asks, stricter::off),
        on_soft_block: scalar(layers, |l| &l.on_soft_block, b.on_soft_block, stricter::deny),
        on_floor: scalar(layers, |l| &l.on_floor, b.on_floor, stricter::deny),
        fallback: scalar(layers, |l| &l.fallback, b.fallback, stricter::deny),
        shell_read_only: switch(|l| &l.shell_read_only, b.shell_read_only, stricter::off),
        denied_paths_in_shell: scalar(layers, |l| &l.denied_paths_in_shell, b.denied_paths_in_shell, stricter::shell),
        pause: Pause {
            consecutive: scalar(layers, |l| &l.pause_consecutive, b.pause.consecutive, stricter::least),
            total: scalar(layers, |l| &l.pause_total, b.pause.total, stricter::least),
        },
        max_tokens: number(|l| &l.max_tokens, b.max_tokens),
        max_retries: number(|l| &l.max_retries, b.max_retries),
    }
}

/// A list with built-ins: entries add up; the highest layer that sets the list says whether the built-ins are in.
fn with_defaults(
    layers: &[LowLayer],
    field: fn(&Low) -> &List,
    built_in: Vec<SourcedRule>,
    effect: Effect,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<SourcedRule> {
    let mut built_ins_in = true;
    let mut replaced_by: Option<&List> = None;
    let mut added: Vec<SourcedRule> = Vec::new();
    for list in layers.iter().map(|layer| field(&layer.low)) {
        match (list.state, effect) {
            (ListState::Unset, _) => {}
            // A restricting list that is not a list: the stricter of below and built-in is both together.
            (ListState::WithDefaults, _) | (ListState::Invalid, Effect::Tightens) => {
                (built_ins_in, replaced_by) = (true, None);
                added.extend(list.entries.iter().cloned());
            }
            (ListState::Alone, _) => {
                (built_ins_in, replaced_by) = (false, Some(list));
                added.extend(list.entries.iter().cloned());
            }
            // A loosening one: what both have in common.
            (ListState::Invalid, Effect::Loosens) => added.clear(),
        }
    }
    if let Some(source) = replaced_by.and_then(|list| list.source.as_ref()) {
        diagnostics.push(Diagnostic {
            severity: found::DEFAULTS_REPLACED.severity,
            id: found::DEFAULTS_REPLACED.id,
            layer: source.layer,
            file: source.file.clone(),
            pointer: source.pointer.clone(),
            line: source.line,
            message: format!(
                "{} has no \"$defaults\", so its {} built-in entries are replaced",
                crate::reader::name(&source.pointer),
                built_in.len()
            ),
            hint: Some("add \"$defaults\" to the list to keep them".to_owned()),
        });
    }
    let built_in = if built_ins_in { built_in } else { Vec::new() };
    distinct(built_in.into_iter().chain(added))
}

/// The entries in order, each text once.
fn distinct(entries: impl Iterator<Item = SourcedRule>) -> Vec<SourcedRule> {
    let mut seen = BTreeSet::new();
    entries.filter(|entry| seen.insert(entry.text.clone())).collect()
}

/// Rule lists add up, the managed layer first.
fn permissions(layers: &[LowLayer]) -> Permissions {
    let gather = |field: fn(&Low) -> &List| {
        let of = |managed: bool| {
            layers
                .iter()
                .filter(move |layer| (layer.layer == Layer::Managed) == managed)
                .flat_map(move |layer| field(&layer.low).entries.iter().cloned())
        };
        of(true).chain(of(false)).collect::<Vec<_>>()
    };
    // Claude Code's managed switch. Here it closes allow lists only: deny and ask rules from below still tighten.
    let managed_only = layers
        .iter()
        .filter(|layer| layer.layer == Layer::Managed)
        .any(|layer| matches!(layer.low.managed_rules_only, Field::Set(true, _) | Field::Invalid));
    let mut allow = gather(|low| &low.permissions_allow);
    if managed_only {
        allow.retain(|rule| rule.source.layer == Layer::Managed);
    }
    Permissions {
        deny: gather(|low| &low.deny),
        ask: gather(|low| &low.ask),
        allow,
        additional_directories: distinct(gather(|low| &low.additional_directories).into_iter()),
        // One lock anywhere locks.
        bypass: layers
            .iter()
            .filter_map(|layer| layer.low.bypass.value().copied())
            .fold(BypassLock::Open, stricter::lock),
    }
}

fn mode(
    layers: &[LowLayer],
    built_in: Mode,
    lock: BypassLock,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Mode, Option<crate::effective::RuleSource>) {
    let mode = scalar(layers, |low| &low.mode, built_in, stricter::mode);
    let source = layers.iter().rev().find_map(|layer| match &layer.low.mode {
        Field::Set(set, source) if *set == mode && source.layer != Layer::BuiltIn => Some(source.clone()),
        Field::Set(..) | Field::Unset | Field::Invalid => None,
    });
    let auto_lock =
        layers.iter().filter_map(|layer| layer.low.auto_lock.value().copied()).fold(BypassLock::Open, stricter::lock);
    let locked_by = match mode {
        Mode::BypassPermissions if lock == BypassLock::Locked => "disableBypassPermissionsMode",
        Mode::Auto if auto_lock == BypassLock::Locked => "disableAutoMode",
        Mode::Default | Mode::AcceptEdits | Mode::Plan | Mode::Auto | Mode::DontAsk | Mode::BypassPermissions => {
            return (mode, source);
        }
    };
    // A mode that nobody set needs no words.
    if let Some(source) = source {
        diagnostics.push(Diagnostic {
            severity: found::MODE_IGNORED.severity,
            id: found::MODE_IGNORED.id,
            layer: source.layer,
            file: source.file,
            pointer: source.pointer,
            line: source.line,
            message: format!("the mode {mode} is locked by {locked_by}; sessions start in default"),
            hint: None,
        });
    }
    (Mode::Default, None)
}

fn report_kept_denies(layers: &[LowLayer], diagnostics: &mut Vec<Diagnostic>) {
    let maps: Vec<_> = layers.iter().filter_map(|layer| layer.low.policy.as_ref()).collect();
    for pair in maps.windows(2) {
        let [lower, higher] = pair else { continue };
        for (denied, loosened) in policy::overridden_denies(lower, higher) {
            diagnostics.push(Diagnostic {
                severity: found::POLICY_DENY_KEPT.severity,
                id: found::POLICY_DENY_KEPT.id,
                layer: loosened.source.layer,
                file: loosened.source.file.clone(),
                pointer: loosened.source.pointer.clone(),
                line: loosened.source.line,
                message: format!(
                    "the {} layer denies \"{}\"; that deny stays",
                    denied.source.layer.name(),
                    denied.pattern
                ),
                hint: None,
            });
        }
    }
}
