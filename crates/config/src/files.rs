//! Layers from the file system, at places that the caller names.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::diagnostic::{self as found, Diagnostic, DiagnosticKind};
use crate::json::MAX_BYTES;
use crate::layer::{Layer, LayerContent, LayerInput, LayerSource, Profile};
use crate::profiles::{PROFILES, Place, ProfileFile};

/// Where settings are. Plain values: the caller asks the environment, this crate never does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Locations {
    /// Portcullis' configuration directory, such as `~/.config/portcullis`.
    pub config_dir: Option<PathBuf>,
    /// The project's root.
    pub project: Option<PathBuf>,
    /// The administrator's file, such as [`MANAGED_FILE`].
    pub managed: Option<PathBuf>,
    /// The administrator's file of Claude Code, such as [`CLAUDE_MANAGED_FILE`].
    pub claude_managed: Option<PathBuf>,
    /// Who must own the two managed files.
    pub managed_owner: ManagedOwner,
    /// The home directory.
    pub home: Option<PathBuf>,
    /// `PORTCULLIS_SETTINGS_JSON`. A blank text counts as unset.
    pub inline: Option<String>,
    /// `PI_AUTOMODE_SETTINGS_JSON`, read by the `pi` profile only.
    pub pi_inline: Option<String>,
    /// Whether the project is trusted.
    pub trusted: bool,
    /// Other programs' files to read too. The native ones always count.
    pub profiles: Vec<Profile>,
}

/// Who must own a managed file for it to count as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ManagedOwner {
    /// The superuser, and nobody else may write it. Checked on Unix.
    #[default]
    Root,
    /// Anyone; for tests and containers.
    Anyone,
}

/// The administrator's file on this platform.
pub const MANAGED_FILE: &str = if cfg!(windows) {
    r"C:\ProgramData\portcullis\config.json"
} else if cfg!(target_os = "macos") {
    "/Library/Application Support/portcullis/config.json"
} else {
    "/etc/portcullis/config.json"
};

/// The administrator's file of Claude Code on this platform.
pub const CLAUDE_MANAGED_FILE: &str = if cfg!(windows) {
    r"C:\Program Files\ClaudeCode\managed-settings.json"
} else if cfg!(target_os = "macos") {
    "/Library/Application Support/ClaudeCode/managed-settings.json"
} else {
    "/etc/claude-code/managed-settings.json"
};

/// A file to be moved from an earlier version's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Migration {
    /// Where it is.
    pub from: PathBuf,
    /// Where it belongs.
    pub to: PathBuf,
}

/// What to do about a file with an earlier place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MigrationPlan {
    /// Nothing is at the earlier place.
    Nothing,
    /// Only the earlier place has a file.
    Move(Migration),
    /// Both have one; the new one counts.
    Conflict(Migration),
}

/// Whether something is at a path, a dangling link included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// Nothing is there.
    Absent,
    /// Something is there.
    Present,
}

impl MigrationPlan {
    /// Decides, without touching anything.
    pub fn new(migration: Migration, from: Presence, to: Presence) -> Self {
        match (from, to) {
            (Presence::Absent, _) => Self::Nothing,
            (Presence::Present, Presence::Absent) => Self::Move(migration),
            (Presence::Present, Presence::Present) => Self::Conflict(migration),
        }
    }
}

/// A snapshot of the layers in the file system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FsLayers {
    layers: Vec<LayerInput>,
    notes: Vec<Diagnostic>,
}

impl FsLayers {
    /// Reads every file once, after moving legacy ones. Never fails: what can't be read is
    /// [`LayerContent::Unreadable`].
    pub fn open(locations: &Locations) -> Self {
        let mut this = Self { layers: Vec::new(), notes: Vec::new() };
        let rows =
            PROFILES.iter().filter(|row| row.profile == Profile::Native || locations.profiles.contains(&row.profile));
        for row in rows {
            for file in row.files {
                this.add(locations, row.profile, file);
            }
        }
        this
    }

    fn add(&mut self, locations: &Locations, profile: Profile, file: &ProfileFile) {
        let (path, content) = if file.place == Place::Inline {
            let text = match profile {
                Profile::Native => &locations.inline,
                Profile::Pi => &locations.pi_inline,
                Profile::ClaudeCode | Profile::PiPermissionSystem => &None,
            };
            let set = text.as_ref().filter(|text| !text.trim().is_empty());
            (None, set.map_or(LayerContent::Missing, |text| LayerContent::Text(text.clone())))
        } else {
            let Some(path) = locations.path(file.place, file.path) else {
                return;
            };
            // In the home directory the user's own file is not a project's too.
            if self.layers.iter().any(|known| known.file.as_deref() == Some(path.as_path())) {
                return;
            }
            let legacy = file.legacy.and_then(|legacy| locations.path(file.place, legacy));
            let path = match legacy {
                Some(legacy) => self.migrate(file.layer, Migration { from: legacy, to: path }),
                None => path,
            };
            let content = read(&path, file.place, locations.managed_owner);
            (Some(path), content)
        };
        self.layers.push(LayerInput { layer: file.layer, profile, file: path, content, trusted: locations.trusted });
    }

    /// Moves a legacy file and answers which file counts in this session.
    fn migrate(&mut self, layer: Layer, migration: Migration) -> PathBuf {
        let plan = MigrationPlan::new(migration.clone(), presence(&migration.from), presence(&migration.to));
        let (old, new) = (migration.from.display().to_string(), migration.to.display().to_string());
        match plan {
            MigrationPlan::Nothing => migration.to,
            MigrationPlan::Conflict(migration) => {
                let message = format!("both {old} and {new} exist; the new one counts");
                self.note(found::MIGRATION_CONFLICT, layer, &migration.from, message, Some(format!("remove {old}")));
                migration.to
            }
            MigrationPlan::Move(migration) => match relocate(&migration) {
                Ok(()) => {
                    self.note(found::MIGRATED, layer, &migration.to, format!("{old} was moved to {new}"), None);
                    migration.to
                }
                // Another process has just moved it.
                Err(_) if presence(&migration.from) == Presence::Absent => migration.to,
                Err(error) => {
                    let message = format!("{old} could not be moved to {new} and counts for this session: {error}");
                    self.note(
                        found::MIGRATION_FAILED,
                        layer,
                        &migration.from,
                        message,
                        Some("move it yourself".to_owned()),
                    );
                    migration.from
                }
            },
        }
    }

    fn note(&mut self, kind: DiagnosticKind, layer: Layer, file: &Path, message: String, hint: Option<String>) {
        self.notes.push(Diagnostic {
            severity: kind.severity,
            id: kind.id,
            layer,
            file: Some(file.to_owned()),
            pointer: String::new(),
            line: None,
            message,
            hint,
        });
    }
}

impl LayerSource for FsLayers {
    fn layers(&self) -> Vec<LayerInput> {
        self.layers.clone()
    }

    fn notes(&self) -> Vec<Diagnostic> {
        self.notes.clone()
    }
}

impl Locations {
    /// Every file that would be read, for `portcullis config path`.
    pub fn files(&self) -> Vec<(Profile, Layer, PathBuf)> {
        PROFILES
            .iter()
            .filter(|row| row.profile == Profile::Native || self.profiles.contains(&row.profile))
            .flat_map(|row| row.files.iter().map(|file| (row.profile, file)))
            .filter_map(|(profile, file)| Some((profile, file.layer, self.path(file.place, file.path)?)))
            .collect()
    }

    fn path(&self, place: Place, path: &str) -> Option<PathBuf> {
        match place {
            Place::ConfigDir => self.config_dir.as_ref().map(|dir| dir.join(path)),
            Place::Home => self.home.as_ref().map(|dir| dir.join(path)),
            Place::Project => self.project.as_ref().map(|dir| dir.join(path)),
            Place::Managed => self.managed.clone(),
            Place::ClaudeManaged => self.claude_managed.clone(),
            Place::Inline => None,
        }
    }
}

fn presence(path: &Path) -> Presence {
    match fs::symlink_metadata(path) {
        Err(error) if is_absent(&error) => Presence::Absent,
        // What can't be looked at may be there.
        Ok(_) | Err(_) => Presence::Present,
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Moves a plain file without ever overwriting one.
fn relocate(migration: &Migration) -> io::Result<()> {
    if !fs::symlink_metadata(&migration.from)?.is_file() {
        // A relative link would point elsewhere from its new place.
        return Err(io::Error::other("it is not a plain file"));
    }
    if let Some(parent) = migration.to.parent() {
        fs::create_dir_all(parent)?;
    }
    // Unlike a rename, a link does not replace what another process may have put there meanwhile.
    match fs::hard_link(&migration.from, &migration.to) {
        Ok(()) => fs::remove_file(&migration.from),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        Err(_) => fs::rename(&migration.from, &migration.to),
    }
}

fn read(path: &Path, place: Place, owner: ManagedOwner) -> LayerContent {
    match try_read(path, place, owner) {
        Ok(text) => LayerContent::Text(text),
        // A dangling link is a file that someone meant to be there.
        Err(error) if is_absent(&error) && presence(path) == Presence::Absent => LayerContent::Missing,
        Err(error) => LayerContent::Unreadable(error.to_string()),
    }
}

fn try_read(path: &Path, place: Place, owner: ManagedOwner) -> io::Result<String> {
    // Looked at before it is opened: opening a pipe would wait for a writer.
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::Error::other("it is a directory"));
    }
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    if matches!(place, Place::Managed | Place::ClaudeManaged) && owner == ManagedOwner::Root {
        check_owner(&metadata)?;
    }
    let cap = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(cap.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_BYTES {
        return Err(io::Error::other(format!("it is larger than {MAX_BYTES} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8 text"))
}

#[cfg(unix)]
fn check_owner(metadata: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let writable_by_others = metadata.mode() & 0o022 != 0;
    if metadata.uid() != 0 || writable_by_others {
        return Err(io::Error::other("a managed file must be owned by root and writable by root only"));
    }
    Ok(())
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the Unix version can fail")]
fn check_owner(_: &fs::Metadata) -> io::Result<()> {
    Ok(())
}
