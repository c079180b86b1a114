//! What one layer sets, before layers are merged.

use crate::effective::{
    BypassLock, DeniedPathsInShell, MapSurface, Mode, OnBlock, Protocol, Provider, ReasoningLevel, RuleSource,
    SourcedRule,
};

/// One setting of one layer.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Field<T> {
    /// The layer does not speak of it.
    #[default]
    Unset,
    /// A valid value.
    Set(T, RuleSource),
    /// Something that can't be used stands there.
    Invalid,
}

impl<T> Field<T> {
    /// Takes a second reading of the same key: the stricter one stays, an unusable one spoils both.
    pub(crate) fn offer(&mut self, new: Self, stricter: impl Fn(T, T) -> T) {
        *self = match (std::mem::take(self), new) {
            (Self::Invalid, _) | (_, Self::Invalid) => Self::Invalid,
            (Self::Unset, other) | (other, Self::Unset) => other,
            (Self::Set(old, source), Self::Set(new, _)) => Self::Set(stricter(old, new), source),
        };
    }

    pub(crate) fn value(&self) -> Option<&T> {
        match self {
            Self::Set(value, _) => Some(value),
            Self::Unset | Self::Invalid => None,
        }
    }
}

/// Whether a list stands for its built-ins too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum ListState {
    #[default]
    Unset,
    /// Set, `$defaults` among the entries.
    WithDefaults,
    /// Set, without `$defaults`.
    Alone,
    /// Not a list.
    Invalid,
}

/// One list of one layer.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct List {
    pub(crate) state: ListState,
    pub(crate) entries: Vec<SourcedRule>,
    /// Where the list stands.
    pub(crate) source: Option<RuleSource>,
}

/// One surface of a map policy as written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LowSurface {
    pub(crate) shape: Shape,
    pub(crate) surface: MapSurface,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// One action for the whole surface.
    Single,
    /// A map from patterns to actions.
    Patterns,
}

/// Everything that one layer can set.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Low {
    pub(crate) mode: Field<Mode>,
    pub(crate) trust_shared_allow: Field<bool>,
    pub(crate) providers: Vec<(String, Provider)>,
    pub(crate) policy: Option<Vec<LowSurface>>,

    pub(crate) deny: List,
    pub(crate) ask: List,
    pub(crate) permissions_allow: List,
    pub(crate) additional_directories: List,
    pub(crate) bypass: Field<BypassLock>,
    pub(crate) managed_rules_only: Field<bool>,
    pub(crate) auto_lock: Field<BypassLock>,

    pub(crate) enabled: Field<bool>,
    pub(crate) classifier_model: Field<Vec<String>>,
    pub(crate) provider: Field<String>,
    pub(crate) model_id: Field<String>,
    pub(crate) classifier_reasoning_level: Field<ReasoningLevel>,
    pub(crate) classify_read_only_tools: Field<bool>,
    pub(crate) classify_all_shell: Field<bool>,
    pub(crate) fast_classifier_max_tokens: Field<u32>,
    pub(crate) classifier_timeout_ms: Field<u32>,
    pub(crate) allow_inside_working_directory: Field<bool>,
    pub(crate) max_user_transcript_tokens: Field<u32>,
    pub(crate) max_tool_transcript_tokens: Field<u32>,
    pub(crate) log_enabled: Field<bool>,
    pub(crate) log_decisions: Field<bool>,
    pub(crate) classifier_io: Field<bool>,
    pub(crate) protocol: Field<Protocol>,
    pub(crate) resolve_asks: Field<bool>,
    pub(crate) on_soft_block: Field<OnBlock>,
    pub(crate) on_floor: Field<OnBlock>,
    pub(crate) fallback: Field<OnBlock>,
    pub(crate) shell_read_only: Field<bool>,
    pub(crate) denied_paths_in_shell: Field<DeniedPathsInShell>,
    pub(crate) pause_consecutive: Field<u32>,
    pub(crate) pause_total: Field<u32>,
    pub(crate) max_tokens: Field<u32>,
    pub(crate) max_retries: Field<u32>,

    pub(crate) denied_paths: List,
    pub(crate) environment: List,
    pub(crate) allow: List,
    pub(crate) soft_deny: List,
    pub(crate) hard_deny: List,
    pub(crate) protected_paths: List,
}

/// The stricter of two values, for each kind of setting.
pub(crate) mod stricter {
    use crate::effective::{BypassLock, DeniedPathsInShell, Mode, OnBlock};

    pub(crate) fn on(a: bool, b: bool) -> bool {
        a || b
    }

    pub(crate) fn off(a: bool, b: bool) -> bool {
        a && b
    }

    pub(crate) fn least(a: u32, b: u32) -> u32 {
        a.min(b)
    }

    /// For settings where neither value is stricter: the layer below, or the first reading, stays.
    pub(crate) fn first<T>(a: T, _: T) -> T {
        a
    }

    pub(crate) fn deny(a: OnBlock, b: OnBlock) -> OnBlock {
        match (a, b) {
            (OnBlock::Ask, OnBlock::Ask) => OnBlock::Ask,
            (OnBlock::Deny, _) | (_, OnBlock::Deny) => OnBlock::Deny,
        }
    }

    pub(crate) fn shell(a: DeniedPathsInShell, b: DeniedPathsInShell) -> DeniedPathsInShell {
        match (a, b) {
            (DeniedPathsInShell::Classify, DeniedPathsInShell::Classify) => DeniedPathsInShell::Classify,
            (DeniedPathsInShell::Deny, _) | (_, DeniedPathsInShell::Deny) => DeniedPathsInShell::Deny,
        }
    }

    pub(crate) fn lock(a: BypassLock, b: BypassLock) -> BypassLock {
        match (a, b) {
            (BypassLock::Open, BypassLock::Open) => BypassLock::Open,
            (BypassLock::Locked, _) | (_, BypassLock::Locked) => BypassLock::Locked,
        }
    }

    pub(crate) fn mode(a: Mode, b: Mode) -> Mode {
        const fn rank(mode: Mode) -> u8 {
            match mode {
                Mode::BypassPermissions => 0,
                Mode::AcceptEdits => 1,
                Mode::Auto => 2,
                Mode::Default => 3,
                Mode::DontAsk => 4,
                Mode::Plan => 5,
            }
        }
        if rank(b) > rank(a) { b } else { a }
    }
}
