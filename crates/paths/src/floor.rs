//! Files that no rule, mode or model lets a tool change: those that run at the next login, and those that the gate is made of.

use std::path::{Path, PathBuf};

use crate::fs::{FileSystem, NodeKind};
use crate::resolve::{Base, ResolvedPath, resolve_expanded};
use crate::shape::Shape;
use crate::text::{below, fold_case, fold_segments, spellings, without_drive};

mod table;

pub use table::FLOOR_ROWS;

/// A family of files whose change is never allowed.
#[derive(Debug)]
pub struct FloorRow {
    /// Stable id, as `explain` and the log show it.
    pub id: &'static str,
    /// Why, as a sentence without its subject.
    pub reason: &'static str,
    /// Where it says that these files are run or obeyed.
    pub source: &'static str,
    /// Row texts: `~/x` in anyone's home, `/x` from the root, `x` anywhere, a slash at the end for everything below.
    pub paths: &'static [&'static str],
}

/// A floor file that a change would reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloorHit {
    /// Stable id of the row.
    pub id: &'static str,
    /// Why.
    pub reason: &'static str,
}

/// Id and reason of the gate's own files.
const CONTROL: FloorHit = FloorHit { id: "gate-control", reason: "is one of the gate's own files" };

/// The gate's own files: configuration layers, trust store, state, logs, hook entries in the hosts' settings, the binary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ControlFiles {
    /// Absolute files.
    pub files: Vec<PathBuf>,
    /// Absolute directories: everything below counts.
    pub directories: Vec<PathBuf>,
    /// What [`located`](Self::located) found.
    pub located: Vec<LocatedFile>,
}

/// Where a floor file or control file really is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocatedFile {
    /// The row that it stands for.
    pub hit: FloorHit,
    /// Links followed.
    pub resolved: PathBuf,
    /// Whether everything below counts too.
    pub covers: Covers,
    /// Device and inode of a regular file that exists.
    pub identity: Option<(u64, u64)>,
}

/// How much of the disk an entry stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covers {
    /// itself
    File,
    /// itself and everything below
    Tree,
}

impl ControlFiles {
    /// Looks at the disk: where links lead from these files and from the floor files of the user's home, and which inodes they
    /// have. Without it, only names are compared. Call it once a session, not once a path.
    #[must_use]
    pub fn located(mut self, fs: &dyn FileSystem, base: &Base) -> Self {
        let files = self.files.iter().map(|path| (CONTROL, path.clone(), Covers::File));
        let trees = self.directories.iter().map(|path| (CONTROL, path.clone(), Covers::Tree));
        let of_home = base.home.iter().flat_map(|home| FLOOR_ROWS.iter().flat_map(|row| in_home(row, home)));
        let wanted: Vec<_> = files.chain(trees).chain(of_home).collect();
        self.located =
            wanted.into_iter().filter_map(|(hit, path, covers)| locate(hit, &path, covers, fs, base)).collect();
        self
    }

    fn entries(&self) -> impl Iterator<Item = (FloorHit, &Path, Covers)> {
        let files = self.files.iter().map(|path| (CONTROL, path.as_path(), Covers::File));
        let trees = self.directories.iter().map(|path| (CONTROL, path.as_path(), Covers::Tree));
        let located = self.located.iter().map(|file| (file.hit, file.resolved.as_path(), file.covers));
        files.chain(trees).chain(located)
    }
}

fn in_home<'a>(row: &'static FloorRow, home: &'a Path) -> impl Iterator<Item = (FloorHit, PathBuf, Covers)> + 'a {
    row.paths.iter().filter_map(move |text| {
        let shape = Shape::parse(text);
        let covers = if shape.is_tree() { Covers::Tree } else { Covers::File };
        Some((row.hit(), home.join(shape.fixed_in_home()?), covers))
    })
}

fn locate(hit: FloorHit, path: &Path, covers: Covers, fs: &dyn FileSystem, base: &Base) -> Option<LocatedFile> {
    let found = resolve_expanded(fs, &path.to_string_lossy(), path, base).ok()?;
    let identity = found.node.filter(|node| node.kind == NodeKind::File).and_then(|node| node.identity);
    let elsewhere = found.resolved != path;
    (elsewhere || identity.is_some()).then_some(LocatedFile { hit, resolved: found.resolved, covers, identity })
}

impl FloorRow {
    fn hit(&self) -> FloorHit {
        FloorHit { id: self.id, reason: self.reason }
    }
}

/// Whether changing `path` (writing, deleting, moving, linking onto, changing its mode) changes a floor file. Typed and resolved
/// forms both count, case never does.
pub fn floor_target(path: &ResolvedPath, base: &Base, control: &ControlFiles) -> Option<FloorHit> {
    let spellings = spellings(path, base);
    let home = base.folded_home();
    let by_identity = || {
        let identity = path.node.filter(|node| node.links > 1)?.identity?;
        control.located.iter().find(|file| file.identity == Some(identity)).map(|file| file.hit)
    };
    let by_place = || {
        let hit = |(hit, entry, covers): (FloorHit, &Path, Covers)| {
            let entry = folded(entry);
            let same = |path: &String| match covers {
                Covers::File => *path == entry,
                Covers::Tree => below(path, &entry).is_some(),
            };
            spellings.iter().any(same).then_some(hit)
        };
        control.entries().find_map(hit)
    };
    let by_table = || {
        let of_row = |row: &&FloorRow| {
            let shapes = row.paths.iter().map(|text| Shape::parse(text));
            shapes.into_iter().any(|shape| spellings.iter().any(|path| shape.matches(path, home.as_deref())))
        };
        FLOOR_ROWS.iter().find(of_row).map(FloorRow::hit)
    };
    by_place().or_else(by_table).or_else(by_identity)
}

/// Whether deleting or moving the directory `path` takes a floor file with it. By name: the file need not exist.
pub fn floor_tree(path: &ResolvedPath, base: &Base, control: &ControlFiles) -> Option<FloorHit> {
    let spellings = spellings(path, base);
    let home = base.folded_home();
    let by_place = || {
        let hit = |(hit, entry, _): (FloorHit, &Path, Covers)| {
            let entry = folded(entry);
            spellings.iter().any(|path| below(&entry, path).is_some()).then_some(hit)
        };
        control.entries().find_map(hit)
    };
    let by_table = || {
        let of_row = |row: &&FloorRow| {
            let mut shapes = row.paths.iter().map(|text| Shape::parse(text));
            shapes.any(|shape| spellings.iter().any(|path| shape.may_be_in(path, home.as_deref())))
        };
        FLOOR_ROWS.iter().find(of_row).map(FloorRow::hit)
    };
    floor_target(path, base, control).or_else(by_place).or_else(by_table)
}

fn folded(path: &Path) -> String {
    let text = path.to_string_lossy();
    let plain = if cfg!(windows) { without_drive(&text) } else { text.into_owned() };
    fold_case(&fold_segments(&plain))
}
