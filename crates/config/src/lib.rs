//! Settings of the Portcullis permission gate: layers in, one effective configuration out.
//!
//! People, projects and administrators each have a say. Their files come in as text through
//! [`LayerSource`]; [`load()`] reads them leniently, field by field, and folds them from the lowest layer to
//! the highest into an [`EffectiveConfig`]. Nothing here reads the environment or the clock, and only
//! [`FsLayers`] and [`edit::write_atomically`] touch the file system, at paths that they are given.
//!
//! What can't be read is never taken for consent. A mistyped field falls back to the stricter of the
//! layer below and the built-in value. A restricting rule that can't be read at all makes the result
//! [degraded](Loaded::degraded), which switches local allows off, because a lost deny rule must not
//! become an allow. A project's shared file can only tighten.
//!
//! ```
//! use portcullis_config::{Layer, LayerContent, LayerInput, Profile, load};
//!
//! let global = LayerInput {
//!     layer: Layer::Global,
//!     profile: Profile::Native,
//!     file: None,
//!     content: LayerContent::Text(r#"{ "permissions": { "deny": ["bash(git push*)"] } }"#.into()),
//!     trusted: true,
//! };
//! let loaded = load(&vec![global]);
//! assert!(loaded.degraded.is_none());
//! assert_eq!(loaded.config.permissions.deny[0].text, "bash(git push*)");
//! ```

mod builtin;
pub mod defaults;
mod diagnostic;
pub mod edit;
mod effective;
pub mod file;
mod files;
mod json;
mod keys;
mod layer;
mod load;
mod low;
mod merge;
mod policy;
mod profiles;
mod providers;
mod reader;
pub mod schema;
mod write;

pub use diagnostic::{DIAGNOSTICS, Diagnostic, DiagnosticKind, Severity};
pub use effective::{
    ApiKind, AutoMode, BypassLock, DeniedPathsInShell, EffectiveConfig, Log, MapAction, MapPolicy, MapRule, MapSurface,
    Mode, OnBlock, Pause, Permissions, Protocol, Provider, ReasoningLevel, RuleSource, SourcedRule, TokenField,
    UnknownWord,
};
pub use files::{
    CLAUDE_MANAGED_FILE, FsLayers, Locations, MANAGED_FILE, ManagedOwner, Migration, MigrationPlan, Presence,
};
pub use layer::{Layer, LayerContent, LayerInput, LayerSource, Profile};
pub use load::{Loaded, SourceState, SourceStatus, check_text, load};
pub use profiles::{PROFILES, Place, ProfileDefault, ProfileFile, ProfileRow};
pub use schema::json_schema;
