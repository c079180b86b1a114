//! The lowest layer: what counts when nobody sets anything.

use std::collections::BTreeMap;

use crate::defaults;
use crate::effective::{
    AutoMode, DeniedPathsInShell, EffectiveConfig, Log, Mode, OnBlock, Pause, Permissions, Protocol, RuleSource,
    SourcedRule,
};
use crate::layer::Layer;

/// Built-in value and lower bound of each number.
pub(crate) mod numbers {
    /// A number's key, bounds and built-in value.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Bounds {
        pub(crate) min: u32,
        pub(crate) max: u32,
        pub(crate) default: u32,
    }

    const fn bounds(min: u32, max: u32, default: u32) -> Bounds {
        Bounds { min, max, default }
    }

    pub(crate) const FAST_CLASSIFIER_MAX_TOKENS: Bounds = bounds(16, 1_000_000, 512);
    pub(crate) const CLASSIFIER_TIMEOUT_MS: Bounds = bounds(1000, 3_600_000, 20_000);
    pub(crate) const TRANSCRIPT_TOKENS: Bounds = bounds(32, 10_000_000, 4000);
    pub(crate) const MAX_TOKENS: Bounds = bounds(16, 1_000_000, 256);
    pub(crate) const MAX_RETRIES: Bounds = bounds(0, 10, 2);
    pub(crate) const PAUSE_CONSECUTIVE: Bounds = bounds(1, 1_000_000, 3);
    pub(crate) const PAUSE_TOTAL: Bounds = bounds(1, 1_000_000, 20);
}

/// Built-in entries as rules with a source.
pub(crate) fn entries(list: &[&str], pointer: &str) -> Vec<SourcedRule> {
    list.iter()
        .enumerate()
        .map(|(index, text)| SourcedRule {
            text: (*text).to_owned(),
            source: RuleSource {
                layer: Layer::BuiltIn,
                file: None,
                index,
                pointer: format!("{pointer}/{index}"),
                line: None,
            },
        })
        .collect()
}

impl Default for AutoMode {
    fn default() -> Self {
        Self {
            enabled: true,
            classifier_model: Vec::new(),
            classifier_reasoning_level: None,
            classify_read_only_tools: false,
            classify_all_shell: false,
            fast_classifier_max_tokens: numbers::FAST_CLASSIFIER_MAX_TOKENS.default,
            classifier_timeout_ms: u64::from(numbers::CLASSIFIER_TIMEOUT_MS.default),
            allow_inside_working_directory: false,
            denied_paths: Vec::new(),
            max_user_transcript_tokens: numbers::TRANSCRIPT_TOKENS.default,
            max_tool_transcript_tokens: numbers::TRANSCRIPT_TOKENS.default,
            environment: entries(defaults::ENVIRONMENT, "/autoMode/environment"),
            allow: entries(defaults::ALLOW, "/autoMode/allow"),
            soft_deny: entries(defaults::SOFT_DENY, "/autoMode/soft_deny"),
            hard_deny: entries(defaults::HARD_DENY, "/autoMode/hard_deny"),
            protected_paths: entries(defaults::PROTECTED_PATHS, "/autoMode/protectedPaths"),
            log: Log::default(),
            protocol: Protocol::Staged,
            resolve_asks: false,
            on_soft_block: OnBlock::Deny,
            on_floor: OnBlock::Deny,
            fallback: OnBlock::Deny,
            shell_read_only: true,
            denied_paths_in_shell: DeniedPathsInShell::Deny,
            pause: Pause { consecutive: numbers::PAUSE_CONSECUTIVE.default, total: numbers::PAUSE_TOTAL.default },
            max_tokens: numbers::MAX_TOKENS.default,
            max_retries: numbers::MAX_RETRIES.default,
        }
    }
}

impl Default for EffectiveConfig {
    fn default() -> Self {
        Self {
            auto_mode: AutoMode::default(),
            permissions: Permissions::default(),
            mode: Mode::Auto,
            mode_source: None,
            policy: None,
            providers: BTreeMap::new(),
            trust_shared_allow: false,
        }
    }
}
