//! Every key, one row each: its name, its other spellings and how it is read.
//!
//! The tables are what unknown keys are compared with, so a key can't be read without being known.

use crate::builtin::numbers;
use crate::diagnostic as found;
use crate::effective::{BypassLock, DeniedPathsInShell, Mode, OnBlock, Protocol, ReasoningLevel};
use crate::json::Kind;
use crate::low::{Field, Low, stricter};
use crate::policy;
use crate::providers;
use crate::reader::{At, ListKind, Reader, name, nearest};

/// One key of a section.
#[derive(Clone, Copy)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    /// Other spellings that mean the same.
    aliases: &'static [&'static str],
    read: fn(&mut Low, &mut Reader, &At<'_>),
}

const fn key(name: &'static str, read: fn(&mut Low, &mut Reader, &At<'_>)) -> Key {
    Key { name, aliases: &[], read }
}

const fn also(name: &'static str, aliases: &'static [&'static str], read: fn(&mut Low, &mut Reader, &At<'_>)) -> Key {
    Key { name, aliases, read }
}

impl Key {
    pub(crate) fn read(self, low: &mut Low, r: &mut Reader, at: &At<'_>) {
        (self.read)(low, r, at);
    }
}

/// What happens to keys that a section does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strays {
    /// Each is a finding.
    Report,
    /// Only those that look like a misspelt known key.
    ReportSimilar,
    /// None: another program's file has keys of its own.
    Ignore,
}

/// A group of keys in one object.
#[derive(Clone, Copy)]
pub(crate) struct Section {
    pub(crate) keys: &'static [Key],
}

pub(crate) const NATIVE: Section = Section {
    keys: &[
        key("$schema", |_, _, _| {}),
        AUTO_MODE_KEY,
        PERMISSIONS_KEY,
        key("permission", policy::read),
        key("mode", mode),
        key("trustSharedAllow", |low, r, at| {
            low.trust_shared_allow.offer(r.boolean(at), stricter::off);
        }),
        key("providers", providers::read),
    ],
};

pub(crate) const CLAUDE_CODE: Section = Section {
    keys: &[
        AUTO_MODE_KEY,
        PERMISSIONS_KEY,
        key("allowManagedPermissionRulesOnly", |low, r, at| {
            low.managed_rules_only.offer(r.boolean(at), stricter::on);
        }),
        DISABLE_AUTO_MODE,
    ],
};

pub(crate) const PI: Section = Section { keys: &[key("$schema", |_, _, _| {}), AUTO_MODE_KEY, PERMISSIONS_KEY] };

pub(crate) const PI_PERMISSION_SYSTEM: Section = Section {
    keys: &[
        key("permission", policy::read),
        key("autoMode", |low, r, at| {
            read_section(ASK_BRANCH, Strays::Report, low, r, at);
        }),
    ],
};

const AUTO_MODE_KEY: Key = key("autoMode", |low, r, at| {
    read_section(AUTO_MODE, Strays::Report, low, r, at);
});
const PERMISSIONS_KEY: Key = key("permissions", |low, r, at| {
    let strays = if r.profile.is_foreign() { Strays::ReportSimilar } else { Strays::Report };
    // What should have been deny rules is not an object: they are lost.
    if matches!(at.node.kind, Kind::Object(_)) {
        read_section(PERMISSIONS, strays, low, r, at);
    } else {
        r.lose(at, format!("{} must be an object, found {}", name(&at.pointer), at.node.type_name()), None);
    }
});

pub(crate) const AUTO_MODE: Section = Section {
    keys: &[
        key("enabled", |low, r, at| {
            low.enabled.offer(r.boolean(at), stricter::on);
        }),
        key("classifierModel", |low, r, at| {
            low.classifier_model.offer(models(r, at), stricter::first);
        }),
        key("classifierReasoningLevel", |low, r, at| {
            low.classifier_reasoning_level.offer(r.word(at, ReasoningLevel::WORDS), stricter::first);
        }),
        key("classifyReadOnlyTools", |low, r, at| {
            low.classify_read_only_tools.offer(r.boolean(at), stricter::on);
        }),
        key("classifyAllShell", |low, r, at| {
            low.classify_all_shell.offer(r.boolean(at), stricter::on);
        }),
        key("fastClassifierMaxTokens", |low, r, at| {
            let value = r.number(at, numbers::FAST_CLASSIFIER_MAX_TOKENS);
            low.fast_classifier_max_tokens.offer(value, stricter::first);
        }),
        key("classifierTimeoutMs", |low, r, at| {
            low.classifier_timeout_ms.offer(r.number(at, numbers::CLASSIFIER_TIMEOUT_MS), stricter::first);
        }),
        key("allowInsideWorkingDirectory", |low, r, at| {
            low.allow_inside_working_directory.offer(r.boolean(at), stricter::off);
        }),
        also("deniedPaths", &["denied_paths"], |low, r, at| {
            r.list(at, ListKind::DeniedPaths, &mut low.denied_paths);
        }),
        key("maxUserTranscriptTokens", |low, r, at| {
            low.max_user_transcript_tokens.offer(r.number(at, numbers::TRANSCRIPT_TOKENS), stricter::first);
        }),
        key("maxToolTranscriptTokens", |low, r, at| {
            low.max_tool_transcript_tokens.offer(r.number(at, numbers::TRANSCRIPT_TOKENS), stricter::first);
        }),
        key("environment", |low, r, at| {
            r.list(at, ListKind::LooseningDefaults, &mut low.environment);
        }),
        key("allow", |low, r, at| {
            r.list(at, ListKind::LooseningDefaults, &mut low.allow);
        }),
        also("soft_deny", &["softDeny"], |low, r, at| {
            r.list(at, ListKind::TighteningDefaults, &mut low.soft_deny);
        }),
        also("hard_deny", &["hardDeny"], |low, r, at| {
            r.list(at, ListKind::TighteningDefaults, &mut low.hard_deny);
        }),
        also("protectedPaths", &["protected_paths"], |low, r, at| {
            r.list(at, ListKind::TighteningDefaults, &mut low.protected_paths);
        }),
        key("log", |low, r, at| {
            read_section(LOG, Strays::Report, low, r, at);
        }),
        key("logDecisions", |low, r, at| {
            low.log_decisions.offer(r.boolean(at), stricter::on);
        }),
        PROVIDER,
        MODEL_ID,
        MAX_TOKENS,
        MAX_RETRIES,
        FALLBACK,
        key("protocol", |low, r, at| {
            low.protocol.offer(r.word(at, Protocol::WORDS), stricter::first);
        }),
        key("resolveAsks", |low, r, at| {
            low.resolve_asks.offer(r.boolean(at), stricter::off);
        }),
        key("onSoftBlock", |low, r, at| {
            low.on_soft_block.offer(r.word(at, OnBlock::WORDS), stricter::deny);
        }),
        key("onFloor", |low, r, at| {
            low.on_floor.offer(r.word(at, OnBlock::WORDS), stricter::deny);
        }),
        key("shellReadOnly", |low, r, at| {
            low.shell_read_only.offer(r.boolean(at), stricter::off);
        }),
        key("deniedPathsInShell", |low, r, at| {
            low.denied_paths_in_shell.offer(r.word(at, DeniedPathsInShell::WORDS), stricter::shell);
        }),
        key("pause", |low, r, at| {
            read_section(PAUSE, Strays::Report, low, r, at);
        }),
    ],
};

/// `autoMode` of pi-permission-system: its switch turns the classifier on for asks, not the gate.
pub(crate) const ASK_BRANCH: Section = Section {
    keys: &[
        key("enabled", |low, r, at| {
            low.resolve_asks.offer(r.boolean(at), stricter::off);
        }),
        PROVIDER,
        MODEL_ID,
        MAX_TOKENS,
        MAX_RETRIES,
        FALLBACK,
    ],
};

const PROVIDER: Key = key("provider", |low, r, at| {
    low.provider.offer(r.text(at), stricter::first);
});
const MODEL_ID: Key = key("modelId", |low, r, at| {
    low.model_id.offer(r.text(at), stricter::first);
});
const MAX_TOKENS: Key = key("maxTokens", |low, r, at| {
    low.max_tokens.offer(r.number(at, numbers::MAX_TOKENS), stricter::first);
});
const MAX_RETRIES: Key = key("maxRetries", |low, r, at| {
    low.max_retries.offer(r.number(at, numbers::MAX_RETRIES), stricter::first);
});
const FALLBACK: Key = key("fallback", |low, r, at| {
    low.fallback.offer(r.word(at, OnBlock::WORDS), stricter::deny);
});

const LOG: Section = Section {
    keys: &[
        key("enabled", |low, r, at| {
            low.log_enabled.offer(r.boolean(at), stricter::on);
        }),
        key("classifierIo", |low, r, at| {
            low.classifier_io.offer(r.boolean(at), stricter::off);
        }),
    ],
};

const PAUSE: Section = Section {
    keys: &[
        key("consecutive", |low, r, at| {
            low.pause_consecutive.offer(r.number(at, numbers::PAUSE_CONSECUTIVE), stricter::least);
        }),
        key("total", |low, r, at| {
            low.pause_total.offer(r.number(at, numbers::PAUSE_TOTAL), stricter::least);
        }),
    ],
};

pub(crate) const PERMISSIONS: Section = Section {
    keys: &[
        key("deny", |low, r, at| {
            r.list(at, ListKind::TighteningRules, &mut low.deny);
        }),
        key("ask", |low, r, at| {
            r.list(at, ListKind::TighteningRules, &mut low.ask);
        }),
        key("allow", |low, r, at| {
            r.list(at, ListKind::LooseningRules, &mut low.permissions_allow);
        }),
        key("defaultMode", mode),
        key("additionalDirectories", |low, r, at| {
            r.list(at, ListKind::LooseningRules, &mut low.additional_directories);
        }),
        key("disableBypassPermissionsMode", |low, r, at| {
            low.bypass.offer(bypass(r, at), stricter::lock);
        }),
        DISABLE_AUTO_MODE,
    ],
};

/// Claude Code's switch that keeps sessions from starting in the mode auto.
const DISABLE_AUTO_MODE: Key = key("disableAutoMode", |low, r, at| {
    low.auto_lock.offer(bypass(r, at), stricter::lock);
});

/// Keys of earlier versions, with what to write instead.
const REMOVED: &[(&str, &str)] = &[
    (
        "maxTranscriptLines",
        "use maxUserTranscriptTokens and maxToolTranscriptTokens, which count tokens instead of lines",
    ),
    (
        "apiKey",
        "name the environment variable that holds the key in providers.NAME.keyVariable; keys never stand in settings",
    ),
];

impl Section {
    /// The row for a key, by any of its spellings.
    pub(crate) fn find(self, text: &str) -> Option<Key> {
        self.keys.iter().copied().find(|key| key.name == text || key.aliases.contains(&text))
    }

    /// The known names, for comparing.
    fn names(self) -> Vec<&'static str> {
        self.keys.iter().flat_map(|key| std::iter::once(key.name).chain(key.aliases.iter().copied())).collect()
    }
}

/// Reads every member of an object by its row.
pub(crate) fn read_section(section: Section, strays: Strays, low: &mut Low, r: &mut Reader, at: &At<'_>) {
    let Some(members) = r.members(at) else { return };
    let mut first_spelling: Vec<(&'static str, &str)> = Vec::new();
    for (text, line, at) in members {
        let Some(key) = section.find(text) else {
            stray(section, strays, r, text, line, &at);
            continue;
        };
        match first_spelling.iter().find(|(name, _)| *name == key.name) {
            Some((_, spelling)) if *spelling != text => {
                let message = format!("{} is the same setting as {spelling}; both count", name(&at.pointer));
                r.report_line(
                    found::DUPLICATE_KEY,
                    &at.pointer,
                    Some(line),
                    message,
                    Some(format!("use {}", key.name)),
                );
            }
            Some(_) => {}
            None => first_spelling.push((key.name, text)),
        }
        key.read(low, r, &at);
    }
}

/// A key that its section does not know.
pub(crate) fn stray(section: Section, strays: Strays, r: &mut Reader, text: &str, line: u32, at: &At<'_>) {
    if let Some((_, successor)) = REMOVED.iter().find(|(removed, _)| *removed == text) {
        if strays != Strays::Ignore {
            let message = format!("{} is not supported and was ignored", name(&at.pointer));
            r.report_line(found::REMOVED_KEY, &at.pointer, Some(line), message, Some((*successor).to_owned()));
        }
        return;
    }
    let near = nearest(text, &section.names());
    match (strays, near) {
        (Strays::Ignore, _) | (Strays::ReportSimilar, None) => {}
        (Strays::Report | Strays::ReportSimilar, near) => {
            let message = format!("{} is not a known setting and was ignored", name(&at.pointer));
            let hint = near.map(|word| format!("did you mean \"{word}\"?"));
            r.report_line(found::UNKNOWN_KEY, &at.pointer, Some(line), message, hint);
        }
    }
}

fn mode(low: &mut Low, r: &mut Reader, at: &At<'_>) {
    let read: Field<Mode> = r.word(at, Mode::WORDS);
    if let Field::Set(mode @ (Mode::Auto | Mode::BypassPermissions), _) = &read
        && !r.layer.may_relax_mode()
    {
        let message = format!("a project file can't start sessions in the mode {mode}; ignored");
        let hint = Some("set it in your global settings".to_owned());
        r.report(found::MODE_IGNORED, at, message, hint);
        return;
    }
    low.mode.offer(read, stricter::mode);
}

fn bypass(r: &mut Reader, at: &At<'_>) -> Field<BypassLock> {
    match &at.node.kind {
        Kind::String(text) if text == "disable" => Field::Set(BypassLock::Locked, r.source(at, 0)),
        _ => {
            let message = format!("{} must be \"disable\"; anything else counts as \"disable\" too", name(&at.pointer));
            r.report(found::UNKNOWN_VALUE, at, message, Some("remove the key to keep the mode available".to_owned()));
            Field::Set(BypassLock::Locked, r.source(at, 0))
        }
    }
}

/// `provider/model-id`, or several in order.
fn models(r: &mut Reader, at: &At<'_>) -> Field<Vec<String>> {
    let texts: Vec<At<'_>> = match &at.node.kind {
        Kind::Array(items) => items.iter().enumerate().map(|(index, item)| at.item(index, item)).collect(),
        _ => vec![at.clone()],
    };
    let mut models = Vec::with_capacity(texts.len());
    for one in &texts {
        match &one.node.kind {
            Kind::String(text) if is_model(text) => models.push(text.clone()),
            Kind::String(_) => {
                let message = format!("{} must have the form provider/model-id", name(&one.pointer));
                r.report(found::UNKNOWN_VALUE, one, message, None);
                return Field::Invalid;
            }
            _ => {
                r.wrong_type(one, "a string of the form provider/model-id, or an array of them");
                return Field::Invalid;
            }
        }
    }
    Field::Set(models, r.source(at, 0))
}

/// The schema says the same with a pattern.
fn is_model(text: &str) -> bool {
    match text.split_once('/') {
        Some((provider, model)) => {
            !provider.is_empty() && !model.is_empty() && !text.contains(|c: char| c.is_whitespace() || c.is_control())
        }
        None => false,
    }
}
