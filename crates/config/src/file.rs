//! The settings file as types: what the JSON Schema is made from, and what programs can write out.
//!
//! [`load`](crate::load()) reads text by itself, leniently and with findings; a test holds the two together.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::effective::AutoMode;

macro_rules! word_schema {
    ($($name:ident),*) => {$(
        impl JsonSchema for crate::effective::$name {
            fn schema_name() -> std::borrow::Cow<'static, str> { stringify!($name).into() }
            fn inline_schema() -> bool { true }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "enum": Self::WORDS })
            }
        }
        impl Serialize for crate::effective::$name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
    )*};
}

word_schema!(Mode, ReasoningLevel, Protocol, OnBlock, DeniedPathsInShell, MapAction, ApiKind, TokenField);

use crate::effective::{ApiKind, DeniedPathsInShell, MapAction, Mode, OnBlock, Protocol, ReasoningLevel, TokenField};

/// Settings of the Portcullis permission gate. JSON with comments and trailing commas.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schemars(title = "Portcullis settings")]
pub struct SettingsFile {
    /// Address of this schema, for editors.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "serde_json::Value")]
    pub schema: Option<String>,
    /// The permission mode in which sessions start. A project file can't choose `auto` or
    /// `bypassPermissions`. Without this key: `auto`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Mode")]
    pub mode: Option<Mode>,
    /// The gate and its classifier.
    pub auto_mode: AutoModeFile,
    /// Permission rules. Deny beats ask beats allow, in whatever layer they stand.
    pub permissions: PermissionsFile,
    /// A policy by surface and pattern, in order: the last matching pattern decides. Surfaces are `*`, a tool
    /// name, `bash`, `mcp`, `skill`, `path`, `external_directory` and `task`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(
        with = "BTreeMap<String, SurfaceFile>",
        example = serde_json::json!({ "bash": { "*": "ask", "rm -rf *": "deny" }, "external_directory": "ask" }),
        extend("propertyNames" = { "pattern": "\\S" })
    )]
    pub permission: BTreeMap<String, SurfaceFile>,
    /// Honour `permissions.allow` of the shared Claude Code settings of trusted projects. Ignored in project files.
    pub trust_shared_allow: bool,
    /// Where models are reached, by provider name. A name that is known already needs only what differs.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(
        example = serde_json::json!({ "local": { "baseUrl": "http://127.0.0.1:11434/v1", "tokenField": "max_tokens" } }),
        extend("propertyNames" = { "pattern": "^[^/\\s]+$" })
    )]
    pub providers: BTreeMap<String, ProviderFile>,
}

/// `permissions`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct PermissionsFile {
    /// Calls that are refused, as tool patterns. `$defaults` has no meaning here.
    #[schemars(extend("examples" = [["bash(git push --force*)", "read(~/.ssh/**)"]]), inner(length(max = 4096), regex(pattern = r"^(?!\s*\$defaults\s*$)[\s\S]*\S")))]
    pub deny: Vec<String>,
    /// Calls that a person is asked about.
    #[schemars(extend("examples" = [["bash(git push*)"]]), inner(length(max = 4096), regex(pattern = r"^(?!\s*\$defaults\s*$)[\s\S]*\S")))]
    pub ask: Vec<String>,
    /// Calls that skip the classifier. They never beat deny rules, the floor, denied or protected paths.
    #[schemars(extend("examples" = [["bash(npm test)"]]), inner(length(max = 4096), regex(pattern = r"^(?!\s*\$defaults\s*$)[\s\S]*\S")))]
    pub allow: Vec<String>,
    /// Claude Code's name for `mode`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Mode")]
    pub default_mode: Option<Mode>,
    /// Directories that count like the working directory.
    #[schemars(inner(length(max = 4096), regex(pattern = r"^(?!\s*\$defaults\s*$)[\s\S]*\S")))]
    pub additional_directories: Vec<String>,
    /// `disable` keeps every session out of `bypassPermissions`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("enum" = ["disable"]))]
    pub disable_bypass_permissions_mode: Option<String>,
    /// `disable` keeps sessions from starting in `auto`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("enum" = ["disable"]))]
    pub disable_auto_mode: Option<String>,
}

/// `autoMode`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct AutoModeFile {
    /// Whether the gate looks at calls at all.
    pub enabled: bool,
    /// The classifier model as `provider/model-id`, or several that are tried in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "ModelsFile", extend("examples" = ["openrouter/vendor/model", ["local/small", "openai/larger"]]))]
    pub classifier_model: Option<ModelsFile>,
    /// How much the classifier may reason. Without this key no preference is sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "ReasoningLevel")]
    pub classifier_reasoning_level: Option<ReasoningLevel>,
    /// Send the read-only file tools to the classifier too.
    pub classify_read_only_tools: bool,
    /// Suspend allow rules for bash, so that every command is classified.
    pub classify_all_shell: bool,
    /// Output cap of the fast stage in tokens. Reasoning models may spend it before they answer.
    #[schemars(range(min = 16, max = 1_000_000))]
    pub fast_classifier_max_tokens: u32,
    /// Time limit of each classifier request in milliseconds.
    #[schemars(range(min = 1000, max = 3_600_000))]
    pub classifier_timeout_ms: u32,
    /// Allow file tools inside the working directory without the classifier; protected paths excepted.
    pub allow_inside_working_directory: bool,
    /// Paths that file tools may not touch. `*` matches across `/`; `~`, `$HOME` and `${HOME}` are expanded.
    #[schemars(extend("examples" = [["**/.env", "~/.ssh/**"]]), inner(length(max = 4096), regex(pattern = r"\S")))]
    pub denied_paths: Vec<String>,
    /// The same as `deniedPaths`.
    #[serde(rename = "denied_paths", skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(length(max = 4096), regex(pattern = r"\S")), extend("deprecated" = true))]
    pub denied_paths_snake: Vec<String>,
    /// Budget for the user's messages in the classifier's evidence, in approximate tokens.
    #[schemars(range(min = 32, max = 10_000_000))]
    pub max_user_transcript_tokens: u32,
    /// Budget for tool calls in the classifier's evidence, in approximate tokens.
    #[schemars(range(min = 32, max = 10_000_000))]
    pub max_tool_transcript_tokens: u32,
    /// What the classifier is told about the surroundings. `$defaults` stands for the built-in entries.
    #[schemars(extend("examples" = [["$defaults", "Trusted internal domains: *.corp.example.com"]]), inner(regex(pattern = r"\S")))]
    pub environment: Vec<String>,
    /// Exceptions to `soft_deny` in prose. Without `$defaults` the built-in ones are replaced.
    #[schemars(extend("examples" = [["$defaults", "Running the staging deploy script is allowed."]]), inner(regex(pattern = r"\S")))]
    pub allow: Vec<String>,
    /// Blocks in prose that an exception or the user's specific words can override.
    #[serde(rename = "soft_deny")]
    #[schemars(inner(regex(pattern = r"\S")))]
    pub soft_deny: Vec<String>,
    /// The same as `soft_deny`.
    #[serde(rename = "softDeny", skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(regex(pattern = r"\S")), extend("deprecated" = true))]
    pub soft_deny_camel: Vec<String>,
    /// Blocks in prose that nothing overrides.
    #[serde(rename = "hard_deny")]
    #[schemars(extend("examples" = [["$defaults", "Never send repository contents to third-party review services."]]), inner(regex(pattern = r"\S")))]
    pub hard_deny: Vec<String>,
    /// The same as `hard_deny`.
    #[serde(rename = "hardDeny", skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(regex(pattern = r"\S")), extend("deprecated" = true))]
    pub hard_deny_camel: Vec<String>,
    /// Names of files and directories that configure tools. A change to one is never allowed locally.
    #[schemars(inner(regex(pattern = r"\S")))]
    pub protected_paths: Vec<String>,
    /// The same as `protectedPaths`.
    #[serde(rename = "protected_paths", skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(regex(pattern = r"\S")), extend("deprecated" = true))]
    pub protected_paths_snake: Vec<String>,
    /// The decision log.
    pub log: LogFile,
    /// The same as `log.enabled`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub log_decisions: Option<bool>,
    /// With `modelId`, another way to write `classifierModel`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", regex(pattern = r"\S"))]
    pub provider: Option<String>,
    /// With `provider`, another way to write `classifierModel`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", regex(pattern = r"\S"))]
    pub model_id: Option<String>,
    /// Output cap of the single protocol in tokens.
    #[schemars(range(min = 16, max = 1_000_000))]
    pub max_tokens: u32,
    /// How often the single protocol retries after a lost or malformed answer.
    #[schemars(range(min = 0, max = 10))]
    pub max_retries: u32,
    /// What a lost, timed-out or unparsable classifier becomes when a person can be asked. Without one: deny.
    pub fallback: OnBlock,
    /// How the classifier is asked: a cheap stage, then a detailed one; or one verdict that can abstain.
    pub protocol: Protocol,
    /// Let the classifier try to settle an ask before a person is asked.
    pub resolve_asks: bool,
    /// What a classifier block below `hard_deny` becomes when a person can be asked.
    pub on_soft_block: OnBlock,
    /// What a floor hit becomes when a person can be asked.
    pub on_floor: OnBlock,
    /// Allow bash that is proven read-only without the classifier.
    pub shell_read_only: bool,
    /// What a denied path in a bash command leads to.
    pub denied_paths_in_shell: DeniedPathsInShell,
    /// When repeated blocks stop classifying and a person is asked instead.
    pub pause: PauseFile,
}

/// `autoMode.log`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct LogFile {
    /// Write each decision.
    pub enabled: bool,
    /// Also write what the classifier was sent and answered, which may hold private text.
    pub classifier_io: bool,
}

/// `autoMode.pause`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct PauseFile {
    /// Classifier blocks in a row.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub consecutive: u32,
    /// Classifier blocks in the session.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub total: u32,
}

/// One model or several in order.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum ModelsFile {
    /// One.
    One(#[schemars(regex(pattern = r"^[^/\s]+/\S+$"))] String),
    /// Several, tried in order.
    Several(#[schemars(inner(regex(pattern = r"^[^/\s]+/\S+$")))] Vec<String>),
}

/// What one surface of `permission` is given.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum SurfaceFile {
    /// One answer for all of it.
    Action(ActionFile),
    /// Answers by pattern; the last matching one decides.
    Patterns(
        #[schemars(extend("propertyNames" = { "pattern": "\\S", "maxLength": 4096 }))] BTreeMap<String, ActionFile>,
    ),
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum ActionFile {
    /// A bare answer.
    Word(MapAction),
    /// A denial with its reason.
    Denial(DenialFile),
}

/// A denial with its reason.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DenialFile {
    /// `deny`.
    #[schemars(extend("enum" = ["deny"]))]
    pub action: String,
    /// Why, for the model.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "String", length(max = 500))]
    pub reason: Option<String>,
}

/// One entry of `providers`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ProviderFile {
    /// Base URL, without query or user name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", regex(pattern = r"^https?://[^/\s@?#][^\s@?#]*$"))]
    pub base_url: Option<String>,
    /// How it is talked to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "ApiKind")]
    pub api: Option<ApiKind>,
    /// Name of the environment variable that holds the key. Keys themselves never stand in settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", regex(pattern = r"^[A-Za-z_][A-Za-z0-9_]*$"))]
    pub key_variable: Option<String>,
    /// Extra request headers.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(extend("propertyNames" = { "pattern": "^[-_A-Za-z0-9]+$" }))]
    pub headers: BTreeMap<String, String>,
    /// Under which name the output cap is sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "TokenField")]
    pub token_field: Option<TokenField>,
    /// Allow `http://` to other machines than this one.
    pub allow_insecure_http: bool,
}

fn with_defaults() -> Vec<String> {
    vec![crate::reader::DEFAULTS.to_owned()]
}

impl Default for PauseFile {
    fn default() -> Self {
        let pause = AutoMode::default().pause;
        Self { consecutive: pause.consecutive, total: pause.total }
    }
}

impl Default for AutoModeFile {
    fn default() -> Self {
        let built_in = AutoMode::default();
        Self {
            enabled: built_in.enabled,
            classifier_model: None,
            classifier_reasoning_level: built_in.classifier_reasoning_level,
            classify_read_only_tools: built_in.classify_read_only_tools,
            classify_all_shell: built_in.classify_all_shell,
            fast_classifier_max_tokens: built_in.fast_classifier_max_tokens,
            classifier_timeout_ms: u32::try_from(built_in.classifier_timeout_ms).unwrap_or(u32::MAX),
            allow_inside_working_directory: built_in.allow_inside_working_directory,
            denied_paths: Vec::new(),
            denied_paths_snake: Vec::new(),
            max_user_transcript_tokens: built_in.max_user_transcript_tokens,
            max_tool_transcript_tokens: built_in.max_tool_transcript_tokens,
            environment: with_defaults(),
            allow: with_defaults(),
            soft_deny: with_defaults(),
            soft_deny_camel: Vec::new(),
            hard_deny: with_defaults(),
            hard_deny_camel: Vec::new(),
            protected_paths: with_defaults(),
            protected_paths_snake: Vec::new(),
            log: LogFile::default(),
            log_decisions: None,
            provider: None,
            model_id: None,
            max_tokens: built_in.max_tokens,
            max_retries: built_in.max_retries,
            fallback: built_in.fallback,
            protocol: built_in.protocol,
            resolve_asks: built_in.resolve_asks,
            on_soft_block: built_in.on_soft_block,
            on_floor: built_in.on_floor,
            shell_read_only: built_in.shell_read_only,
            denied_paths_in_shell: built_in.denied_paths_in_shell,
            pause: PauseFile::default(),
        }
    }
}
