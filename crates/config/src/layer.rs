//! Where settings come from: layers, profiles and the trait that hands their text in.

use std::path::PathBuf;

use crate::diagnostic::Diagnostic;

/// One source of settings. The order of the variants is the order of precedence, lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// Compiled in.
    BuiltIn,
    /// The user's own file for every project.
    Global,
    /// The file that a repository carries for everyone who clones it. It can only tighten.
    SharedProject,
    /// The user's own file for one project. Read only when the project is trusted.
    ProjectLocal,
    /// Settings passed in an environment variable.
    Inline,
    /// The administrator's file. What it sets no lower layer can loosen.
    Managed,
}

impl Layer {
    /// A name for messages and for `portcullis config`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BuiltIn => "built-in",
            Self::Global => "global",
            Self::SharedProject => "shared project",
            Self::ProjectLocal => "project-local",
            Self::Inline => "inline",
            Self::Managed => "managed",
        }
    }

    /// Whether the layer lies inside the project, and so counts only when the project is trusted.
    pub const fn is_project(self) -> bool {
        match self {
            Self::SharedProject | Self::ProjectLocal => true,
            Self::BuiltIn | Self::Global | Self::Inline | Self::Managed => false,
        }
    }

    /// Whether the layer may choose the modes `auto` and `bypassPermissions`.
    pub const fn may_relax_mode(self) -> bool {
        match self {
            Self::BuiltIn | Self::Global | Self::Inline | Self::Managed => true,
            Self::SharedProject | Self::ProjectLocal => false,
        }
    }
}

/// Whose files a layer is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Profile {
    /// Portcullis' own files.
    Native,
    /// Claude Code's `settings.json` files.
    ClaudeCode,
    /// The files of pi-automode.
    Pi,
    /// The file of pi-permission-system.
    PiPermissionSystem,
}

impl Profile {
    /// Every profile, in the order in which files of the same layer are read.
    pub const ALL: &'static [Self] = &[Self::Native, Self::ClaudeCode, Self::Pi, Self::PiPermissionSystem];

    /// Whether the files belong to another program.
    pub(crate) const fn is_foreign(self) -> bool {
        match self {
            Self::Native => false,
            Self::ClaudeCode | Self::Pi | Self::PiPermissionSystem => true,
        }
    }

    /// The stable name used on command lines and in output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::ClaudeCode => "claude-code",
            Self::Pi => "pi",
            Self::PiPermissionSystem => "pi-permission-system",
        }
    }
}

/// What reading a layer gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LayerContent {
    /// There is no such file, or no such variable.
    Missing,
    /// The whole text.
    Text(String),
    /// Something is there and could not be read; the text says why. Makes the gate degraded.
    Unreadable(String),
}

/// One layer as handed to [`load`](crate::load()).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerInput {
    /// Which layer it is.
    pub layer: Layer,
    /// In whose format it is written.
    pub profile: Profile,
    /// The file, for messages; `None` for inline settings.
    pub file: Option<PathBuf>,
    /// What reading it gave.
    pub content: LayerContent,
    /// Whether the project is trusted. Looked at for the two project layers only.
    pub trusted: bool,
}

/// Hands in the layers.
///
/// [`load`](crate::load()) calls both methods once. The layers may come in any order and several may
/// belong to the same [`Layer`]: those count in the order given, later ones higher.
/// An implementation must report a file that exists and can't be read as
/// [`LayerContent::Unreadable`], never as missing.
pub trait LayerSource {
    /// The layers, without the built-in one.
    fn layers(&self) -> Vec<LayerInput>;

    /// What happened while the layers were fetched, such as a moved legacy file.
    fn notes(&self) -> Vec<Diagnostic> {
        Vec::new()
    }
}

impl LayerSource for Vec<LayerInput> {
    fn layers(&self) -> Vec<LayerInput> {
        self.clone()
    }
}
