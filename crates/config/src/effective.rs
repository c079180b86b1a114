//! What the layers add up to.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::layer::Layer;

/// Where a rule or a value was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSource {
    /// The layer.
    pub layer: Layer,
    /// The file, if the layer has one.
    pub file: Option<PathBuf>,
    /// Position in its list, from 0; 0 for single values.
    pub index: usize,
    /// JSON pointer (RFC 6901) inside the file.
    pub pointer: String,
    /// Line in the file, from 1; `None` for built-ins.
    pub line: Option<u32>,
}

/// A text from a list, with its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcedRule {
    /// The rule, path or sentence.
    pub text: String,
    /// Where it was written.
    pub source: RuleSource,
}

/// The settings that count.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectiveConfig {
    /// Everything below `autoMode`.
    pub auto_mode: AutoMode,
    /// Permission rules.
    pub permissions: Permissions,
    /// The permission mode in which sessions start.
    pub mode: Mode,
    /// Who chose the mode; `None` when nobody did.
    pub mode_source: Option<RuleSource>,
    /// The map-style policy (`permission`), if a layer sets one.
    pub policy: Option<MapPolicy>,
    /// Model providers by name: those that the layers set, not the presets.
    pub providers: BTreeMap<String, Provider>,
    /// Whether `permissions.allow` of a trusted project's shared Claude Code settings counts.
    pub trust_shared_allow: bool,
}

/// `permissions`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Permissions {
    /// Rules that refuse.
    pub deny: Vec<SourcedRule>,
    /// Rules that ask a person.
    pub ask: Vec<SourcedRule>,
    /// Rules that skip the classifier.
    pub allow: Vec<SourcedRule>,
    /// Directories that count like the working directory.
    pub additional_directories: Vec<SourcedRule>,
    /// Whether a layer has locked out `bypassPermissions`; hosts' own mode words included.
    pub bypass: BypassLock,
}

/// Whether the mode `bypassPermissions` may be entered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BypassLock {
    /// It may.
    #[default]
    Open,
    /// `permissions.disableBypassPermissionsMode` is `"disable"` in some layer.
    Locked,
}

macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $word:literal $(| $alias:literal)*,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$vmeta])* $variant,)* }

        impl $name {
            /// Every value, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];
            /// Every accepted spelling, aliases included.
            pub const WORDS: &'static [&'static str] = &[$($word, $($alias,)*)*];

            /// The word used in settings files.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(self.name()) }
        }

        impl FromStr for $name {
            type Err = UnknownWord;
            fn from_str(text: &str) -> Result<Self, UnknownWord> {
                match text {
                    $($word $(| $alias)* => Ok(Self::$variant),)*
                    _ => Err(UnknownWord { allowed: Self::WORDS }),
                }
            }
        }
    };
}

/// A word that is not one of the allowed ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not one of: {}", allowed.join(", "))]
pub struct UnknownWord {
    allowed: &'static [&'static str],
}

words! {
    /// Permission mode; see the mode table of the gate.
    Mode {
        /// Ask about everything undecided.
        Default = "default" | "manual",
        /// Edits inside the working directory need no question.
        AcceptEdits = "acceptEdits",
        /// Reading and the plan file only.
        Plan = "plan",
        /// The classifier decides what rules leave open.
        Auto = "auto",
        /// Undecided calls are denied.
        DontAsk = "dontAsk",
        /// Undecided calls are allowed; deny rules, the floor and denied paths still hold.
        BypassPermissions = "bypassPermissions",
    }
}

words! {
    /// How much the classifier model may reason.
    ReasoningLevel {
        /// Low.
        Low = "low",
        /// Medium.
        Medium = "medium",
        /// High.
        High = "high",
        /// Extra high.
        Xhigh = "xhigh",
        /// The most that the model offers.
        Max = "max",
    }
}

words! {
    /// How the classifier is asked.
    Protocol {
        /// A cheap `0`/`1` stage, then a detailed JSON verdict.
        Staged = "staged",
        /// One verdict that can also abstain.
        Single = "single",
    }
}

words! {
    /// What a block becomes when a person can be asked.
    OnBlock {
        /// It stays a denial.
        Deny = "deny",
        /// The person is asked.
        Ask = "ask",
    }
}

words! {
    /// What a denied path in a bash command leads to.
    DeniedPathsInShell {
        /// Denied, as for file tools.
        Deny = "deny",
        /// No local allow; the classifier decides.
        Classify = "classify",
    }
}

/// `autoMode`.
#[derive(Debug, Clone, PartialEq)]
pub struct AutoMode {
    /// Whether the gate looks at calls at all.
    pub enabled: bool,
    /// Classifier models as `provider/model-id`, tried in order; empty: the session's or a preset's model.
    pub classifier_model: Vec<String>,
    /// Reasoning effort; `None` sends no preference.
    pub classifier_reasoning_level: Option<ReasoningLevel>,
    /// Send read-only file tools to the classifier too.
    pub classify_read_only_tools: bool,
    /// Suspend allow rules for bash, so that every command is classified.
    pub classify_all_shell: bool,
    /// Output cap of the fast stage, in tokens.
    pub fast_classifier_max_tokens: u32,
    /// Time limit of one classifier request, in milliseconds.
    pub classifier_timeout_ms: u64,
    /// Allow file tools inside the working directory locally.
    pub allow_inside_working_directory: bool,
    /// Paths that no file tool may touch.
    pub denied_paths: Vec<SourcedRule>,
    /// Budget for user messages, in approximate tokens.
    pub max_user_transcript_tokens: u32,
    /// Budget for tool calls, in approximate tokens.
    pub max_tool_transcript_tokens: u32,
    /// What the classifier is told about the surroundings.
    pub environment: Vec<SourcedRule>,
    /// Exceptions to `soft_deny`, in prose.
    pub allow: Vec<SourcedRule>,
    /// Blocks that the user's words can override, in prose.
    pub soft_deny: Vec<SourcedRule>,
    /// Blocks that nothing overrides, in prose.
    pub hard_deny: Vec<SourcedRule>,
    /// Names of files and directories that configure tools.
    pub protected_paths: Vec<SourcedRule>,
    /// The decision log.
    pub log: Log,
    /// How the classifier is asked.
    pub protocol: Protocol,
    /// Let the classifier try to settle an ask before a person is asked.
    pub resolve_asks: bool,
    /// What a classifier block below `hard_deny` becomes when a person can be asked.
    pub on_soft_block: OnBlock,
    /// What a floor hit becomes when a person can be asked.
    pub on_floor: OnBlock,
    /// What a lost classifier becomes when a person can be asked.
    pub fallback: OnBlock,
    /// Allow bash that is proven read-only locally.
    pub shell_read_only: bool,
    /// What a denied path in a bash command leads to.
    pub denied_paths_in_shell: DeniedPathsInShell,
    /// When repeated blocks stop classifying.
    pub pause: Pause,
    /// Output cap of the single protocol, in tokens.
    pub max_tokens: u32,
    /// How often the single protocol retries.
    pub max_retries: u32,
}

/// `autoMode.log`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Log {
    /// Write decisions.
    pub enabled: bool,
    /// Write what the classifier was sent and answered too.
    pub classifier_io: bool,
}

/// `autoMode.pause`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
    /// Blocks in a row.
    pub consecutive: u32,
    /// Blocks in the session.
    pub total: u32,
}

words! {
    /// What a rule of the map policy answers. The order is by strictness, loosest first.
    MapAction {
        /// Allow.
        Allow = "allow",
        /// Ask.
        Ask = "ask",
        /// Deny.
        Deny = "deny",
    }
}

/// The map-style policy of pi-permission-system: per surface, ordered patterns; the last match wins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MapPolicy {
    /// All layers merged: later layers override a pattern in place or append.
    pub surfaces: Vec<MapSurface>,
    /// INVARIANT 2: the map of each layer alone, when more than one layer has one. A call that one of
    /// them denies by itself is denied, so that a higher layer can't take a deny back.
    pub floors: Vec<Vec<MapSurface>>,
}

/// The rules of one surface: `*`, a tool name, `bash`, `mcp`, `skill`, `path`, `external_directory`, `task`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapSurface {
    /// The surface.
    pub name: String,
    /// Rules in order; the last one that matches decides.
    pub rules: Vec<MapRule>,
}

/// One rule of a surface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapRule {
    /// Wildcard pattern; `*` when the surface was given a single action.
    pub pattern: String,
    /// The answer.
    pub action: MapAction,
    /// Why, for the model; only with `deny`.
    pub reason: Option<String>,
    /// Where it was written.
    pub source: RuleSource,
}

words! {
    /// How a provider is talked to.
    ApiKind {
        /// OpenAI's chat completions.
        OpenAi = "openai",
        /// Anthropic's messages.
        Anthropic = "anthropic",
    }
}

words! {
    /// Under which name the output cap is sent.
    TokenField {
        /// `max_completion_tokens`.
        MaxCompletionTokens = "max_completion_tokens",
        /// `max_tokens`, for older and local servers.
        MaxTokens = "max_tokens",
    }
}

/// One entry of `providers`. What is `None` is left to the preset of that name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provider {
    /// Base URL without a trailing slash.
    pub base_url: Option<String>,
    /// How it is talked to.
    pub api: Option<ApiKind>,
    /// Name of the environment variable that holds the key. Keys themselves never stand in settings.
    pub key_variable: Option<String>,
    /// Extra request headers.
    pub headers: BTreeMap<String, String>,
    /// Under which name the output cap is sent.
    pub token_field: Option<TokenField>,
    /// Allow `http://` to other machines.
    pub allow_insecure_http: bool,
    /// INVARIANT 1: `false` when a field could not be read. Such a provider must not be used, and neither
    /// may a preset of its name: data would go where nobody sent it.
    pub usable: bool,
    /// Where it was written.
    pub source: RuleSource,
}
