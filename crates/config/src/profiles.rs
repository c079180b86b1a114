//! Every profile in one table: whose files are read, from where, onto which layer, and what differs.

use crate::effective::{DeniedPathsInShell, Mode, OnBlock, Protocol, RuleSource};
use crate::keys::{self, Section, Strays};
use crate::layer::{Layer, Profile};
use crate::low::{Field, Low, stricter};

/// Against which of the given locations a file's path is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Portcullis' own configuration directory.
    ConfigDir,
    /// The home directory.
    Home,
    /// The project's root.
    Project,
    /// The administrator's file, at a path of its own.
    Managed,
    /// The administrator's file of Claude Code, at a path of its own.
    ClaudeManaged,
    /// An environment variable of this name, handed in as text.
    Inline,
}

/// One file of a profile.
#[derive(Debug, Clone, Copy)]
pub struct ProfileFile {
    /// The layer that it becomes.
    pub layer: Layer,
    /// Against what the path is read.
    pub place: Place,
    /// The path, or the variable's name. Empty where the place is the file itself.
    pub path: &'static str,
    /// Where earlier versions had it, against the same place.
    pub legacy: Option<&'static str>,
}

/// A built-in value that a profile changes, as long as one of its files outside the shared project is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProfileDefault {
    /// `autoMode.deniedPathsInShell`.
    DeniedPathsInShell(DeniedPathsInShell),
    /// `autoMode.protocol`.
    Protocol(Protocol),
    /// `autoMode.fallback`.
    Fallback(OnBlock),
    /// `mode`.
    Mode(Mode),
}

/// One profile.
#[derive(Clone, Copy)]
pub struct ProfileRow {
    /// Which profile.
    pub profile: Profile,
    /// One line for people.
    pub summary: &'static str,
    /// Its files, lowest layer first.
    pub files: &'static [ProfileFile],
    /// Built-in values that differ.
    pub defaults: &'static [ProfileDefault],
    /// The keys that are read.
    pub(crate) section: Section,
    /// What happens to other keys at the top level.
    pub(crate) strays: Strays,
    /// The layers in which `autoMode` counts.
    pub(crate) auto_mode_in: &'static [Layer],
}

impl std::fmt::Debug for ProfileRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProfileRow").field("profile", &self.profile).field("files", &self.files).finish_non_exhaustive()
    }
}

const fn file(layer: Layer, place: Place, path: &'static str) -> ProfileFile {
    ProfileFile { layer, place, path, legacy: None }
}

const OWN: &[Layer] = &[Layer::Global, Layer::ProjectLocal, Layer::Inline, Layer::Managed];

/// Every profile, in the order of [`Profile::ALL`].
pub const PROFILES: &[ProfileRow] = &[
    ProfileRow {
        profile: Profile::Native,
        summary: "Portcullis' own files; they always count",
        files: &[
            file(Layer::Global, Place::ConfigDir, "config.json"),
            file(Layer::SharedProject, Place::Project, ".portcullis/config.json"),
            file(Layer::ProjectLocal, Place::Project, ".portcullis/config.local.json"),
            file(Layer::Inline, Place::Inline, "PORTCULLIS_SETTINGS_JSON"),
            file(Layer::Managed, Place::Managed, ""),
        ],
        defaults: &[],
        section: keys::NATIVE,
        strays: Strays::Report,
        auto_mode_in: OWN,
    },
    ProfileRow {
        profile: Profile::ClaudeCode,
        summary: "Claude Code's settings.json files; autoMode from the user's and the administrator's only",
        files: &[
            file(Layer::Global, Place::Home, ".claude/settings.json"),
            file(Layer::SharedProject, Place::Project, ".claude/settings.json"),
            file(Layer::ProjectLocal, Place::Project, ".claude/settings.local.json"),
            file(Layer::Managed, Place::ClaudeManaged, ""),
        ],
        defaults: &[],
        section: keys::CLAUDE_CODE,
        strays: Strays::Ignore,
        // A repository could otherwise grant itself exceptions (seed 003).
        auto_mode_in: &[Layer::Global, Layer::Managed],
    },
    ProfileRow {
        profile: Profile::Pi,
        summary: "the files of pi-automode",
        files: &[
            ProfileFile {
                layer: Layer::Global,
                place: Place::Home,
                path: ".pi/agent/extensions/pi-automode/config.json",
                legacy: Some(".pi/agent/automode.json"),
            },
            file(Layer::SharedProject, Place::Project, ".pi/automode.json"),
            file(Layer::ProjectLocal, Place::Project, ".pi/automode.local.json"),
            file(Layer::Inline, Place::Inline, "PI_AUTOMODE_SETTINGS_JSON"),
        ],
        // Seed 001: deniedPaths governs file tools; the classifier governs bash.
        defaults: &[ProfileDefault::DeniedPathsInShell(DeniedPathsInShell::Classify)],
        section: keys::PI,
        strays: Strays::Report,
        auto_mode_in: OWN,
    },
    ProfileRow {
        profile: Profile::PiPermissionSystem,
        summary: "the config.json of pi-permission-system; its autoMode.enabled is our autoMode.resolveAsks",
        files: &[file(Layer::Global, Place::Home, ".pi/agent/extensions/pi-permission-system/config.json")],
        // Seed 002: what no rule decides is asked; one verdict that can abstain; a lost classifier asks.
        defaults: &[
            ProfileDefault::Mode(Mode::Default),
            ProfileDefault::Protocol(Protocol::Single),
            ProfileDefault::Fallback(OnBlock::Ask),
        ],
        section: keys::PI_PERMISSION_SYSTEM,
        strays: Strays::Ignore,
        auto_mode_in: OWN,
    },
];

/// The row of a profile.
pub(crate) fn row(profile: Profile) -> Option<&'static ProfileRow> {
    PROFILES.iter().find(|row| row.profile == profile)
}

/// What the given profiles change, as a layer between the built-ins and the global one.
/// Where two profiles differ, the stricter value counts.
pub(crate) fn defaults(present: &[Profile]) -> Low {
    let mut low = Low::default();
    for row in PROFILES.iter().filter(|row| present.contains(&row.profile)) {
        for default in row.defaults {
            let source = RuleSource { layer: Layer::BuiltIn, file: None, index: 0, pointer: String::new(), line: None };
            match *default {
                ProfileDefault::DeniedPathsInShell(value) => {
                    low.denied_paths_in_shell.offer(Field::Set(value, source), stricter::shell);
                }
                ProfileDefault::Protocol(value) => low.protocol.offer(Field::Set(value, source), stricter::first),
                ProfileDefault::Fallback(value) => low.fallback.offer(Field::Set(value, source), stricter::deny),
                ProfileDefault::Mode(value) => {
                    low.mode.offer(Field::Set(value, source), stricter::mode);
                }
            }
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_has_one_row_in_the_order_of_all() {
        assert_eq!(PROFILES.iter().map(|row| row.profile).collect::<Vec<_>>(), Profile::ALL);
    }

    #[test]
    fn project_layers_are_below_the_project_and_others_are_not() {
        for file in PROFILES.iter().flat_map(|row| row.files) {
            assert_eq!(file.layer.is_project(), file.place == Place::Project, "{}", file.path);
        }
    }
}
