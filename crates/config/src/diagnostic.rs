//! Findings about settings, as values with stable ids.

use std::path::PathBuf;

use crate::layer::Layer;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// For information.
    Info,
    /// Something was ignored or replaced.
    Warning,
    /// A setting is lost.
    Error,
}

impl Severity {
    /// The lower-case name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How much it matters.
    pub severity: Severity,
    /// A stable id, one of [`DIAGNOSTICS`].
    pub id: &'static str,
    /// The layer that it is about.
    pub layer: Layer,
    /// The file, if the layer has one.
    pub file: Option<PathBuf>,
    /// JSON pointer (RFC 6901) to the value; empty for the whole file.
    pub pointer: String,
    /// Line, from 1.
    pub line: Option<u32>,
    /// What is wrong and what was done about it, for a person.
    pub message: String,
    /// What to write instead.
    pub hint: Option<String>,
}

/// One kind of finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiagnosticKind {
    /// The stable id.
    pub id: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// One line for the reference documentation.
    pub summary: &'static str,
}

macro_rules! kinds {
    ($($name:ident = $id:literal, $severity:ident, $summary:literal;)*) => {
        $(pub(crate) const $name: DiagnosticKind =
            DiagnosticKind { id: $id, severity: Severity::$severity, summary: $summary };)*
        impl DiagnosticKind {
            $(#[doc = $summary]
            pub const $name: Self = $name;)*
        }
        /// Every kind of finding, in the order of the reference documentation.
        pub const DIAGNOSTICS: &[DiagnosticKind] = &[$($name),*];
    };
}

kinds! {
    UNREADABLE = "unreadable", Error, "A settings file exists and can't be read. The gate is degraded.";
    INVALID_JSON = "invalid-json", Error, "A settings file is not JSON with comments. The gate is degraded.";
    ROOT_NOT_OBJECT = "root-not-object", Error, "The settings are not a JSON object. The gate is degraded.";
    LOST_RULE = "lost-rule", Error, "A restricting rule can't be read. The gate is degraded.";
    WRONG_TYPE = "wrong-type", Error, "A value has the wrong type and was ignored.";
    OUT_OF_RANGE = "out-of-range", Error, "A number is outside its bounds and was ignored.";
    UNKNOWN_VALUE = "unknown-value", Error, "A word is not one of the allowed ones and was ignored.";
    BAD_ENTRY = "bad-entry", Error, "A list entry is not a string that can be used and was ignored.";
    UNKNOWN_KEY = "unknown-key", Warning, "A key is not known and was ignored.";
    REMOVED_KEY = "removed-key", Warning, "A key of an earlier version was ignored.";
    DUPLICATE_KEY = "duplicate-key", Warning, "A key is set twice; the stricter reading counts.";
    INCOMPLETE = "incomplete", Warning, "Two keys that need each other are not both set.";
    DEFAULTS_REPLACED = "defaults-replaced", Warning, "A list without \"$defaults\" replaces the built-in entries.";
    DEFAULTS_NOT_SUPPORTED = "defaults-not-supported", Warning, "\"$defaults\" has no meaning in this list.";
    SHARED_IGNORED = "shared-ignored", Warning, "A shared project file sets something that only tightening rules may set.";
    PROJECT_IGNORED = "project-ignored", Warning, "A project file sets something that only the user's own files may set.";
    MODE_IGNORED = "mode-ignored", Warning, "A project file or a locked setting can't choose this mode.";
    POLICY_DENY_KEPT = "policy-deny-kept", Warning, "A higher layer can't take back a deny of the permission map.";
    UNTRUSTED = "untrusted", Warning, "A project file is ignored because the project is not trusted.";
    TOO_MANY = "too-many", Warning, "A file has more findings than are listed.";
    MIGRATED = "migrated", Info, "A file of an earlier version was moved to its new place.";
    MIGRATION_CONFLICT = "migration-conflict", Warning, "Both the old and the new file exist; the new one counts.";
    MIGRATION_FAILED = "migration-failed", Warning, "The old file could not be moved; it counts for this session.";
}
