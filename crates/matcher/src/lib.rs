//! Tool model, subjects and permission patterns of the Portcullis permission gate.
//!
//! An agent's tool call comes in as a name and a JSON object, and every host has its own names. [`ToolCall`] reads them
//! all: what the tool does ([`ToolKind`]), which shell command it runs, which paths and URLs it names. What can't be read
//! is an [`InputError`], never an empty subject that no rule would match.
//!
//! Permission rules are short texts, `bash(git push*)` or `Read(~/.ssh/**)`, in two dialects that people already use:
//! Claude Code's and Pi's. They are told apart by their own text. [`ListRules`] compiles the three lists, [`MapPolicy`] the
//! ordered maps of pi-permission-system; both answer through [`RuleSet`].
//!
//! The two sides of a rule set are not mirror images. A deny or ask rule looks at *every* command of a script and every
//! form of a path, and matches if any of them does; where the text of a rule can be read in two ways, both count. An allow
//! rule has to *cover*: every command by a rule, every redirect by a redirect of the pattern, every path both as written
//! and as resolved. So doubt always falls to the safer side, and adding a deny or ask rule never loosens anything.
//!
//! Matching needs no regular expressions: patterns are cut at their stars once, and matched by linear searches.
//!
//! ```
//! use portcullis_matcher::{Facts, ListRules, RuleSet, ToolCall};
//!
//! let (rules, problems) = ListRules::compile(&["Read(~/.ssh/**)"], &[], &["mcp__docs"]);
//! assert!(problems.is_empty());
//! let call = ToolCall::new("mcp__docs__search", serde_json::json!({"query": "gate"}), "/home/dev/proj");
//! let facts = Facts {
//!     call: &call, analysis: None, effects: None, paths: &[], shell_paths: &[],
//!     home: Some("/home/dev"), cwd: "/home/dev/proj", settings_root: None,
//! };
//! assert!(rules.deny(&facts).is_none());
//! assert_eq!(rules.allow(&facts).unwrap().rule, "mcp__docs");
//! ```

mod argv;
mod assign;
mod bash;
mod broad;
mod call;
mod decide;
mod domain;
mod facts;
mod forms;
mod glob;
mod globals;
mod list;
mod map;
mod patch;
mod path_args;
mod path_rule;
mod rule;
mod tools;

pub use call::{Access, InputError, PathArg, ToolCall, ToolName};
pub use facts::{Facts, PathFact, ShellPath};
pub use list::{Hit, List, ListRules, RuleProblem, RuleSet, ShellRules, Suspended};
pub use map::{MapAction, MapEntry, MapOutcome, MapPolicy, MapSurface};
pub use rule::{MAX_PATTERN, Rule, RuleError};
pub use tools::ToolKind;
