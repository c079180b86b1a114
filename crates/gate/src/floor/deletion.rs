//! Recursive deletion of the file system, a home directory or system directories.

use portcullis_paths::{Root, glob_hits_root, resolve, root_kind};
use portcullis_shell_ast::AccessMode;

use super::{FloorRule, Program, Subject};
use crate::words::{Target, Words};

pub(super) const RULE: FloorRule = FloorRule {
    id: "delete-root",
    summary: "deletes `/`, a home directory itself, or system directories with everything in them",
    source: "rm(1) `--preserve-root`; seed 000; spec 60-gate",
    check,
};

/// Tests that pick some of what find visits; without one it visits everything (find(1), TESTS).
const SELECTING: &[&str] = &[
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-regex",
    "-iregex",
    "-newer",
    "-mtime",
    "-mmin",
    "-atime",
    "-amin",
    "-ctime",
    "-cmin",
    "-size",
    "-empty",
    "-user",
    "-group",
    "-uid",
    "-gid",
    "-inum",
    "-links",
    "-perm",
    "-nouser",
    "-nogroup",
    "-lname",
    "-samefile",
];

/// Programs that destroy what find hands them.
const DESTROYERS: &[&str] = &["rm", "shred", "unlink", "rmdir", "srm", "trash"];

fn check(subject: &Subject<'_>) -> Option<String> {
    by_access(subject).or_else(|| by_find(subject)).or_else(|| by_rsync(subject)).or_else(|| elsewhere(subject))
}

/// `rm -rf X`, `find X -delete` and whatever else is known to delete or move a tree.
fn by_access(subject: &Subject<'_>) -> Option<String> {
    subject.shell.iter().find_map(|access| {
        let takes_tree = match access.mode {
            AccessMode::Delete => access.recursive,
            AccessMode::Move => true,
            AccessMode::Inspect | AccessMode::Read | AccessMode::Write | AccessMode::Link | AccessMode::Permission => {
                false
            }
        };
        if !takes_tree {
            return None;
        }
        match &access.target {
            Target::Unknown => None,
            Target::Glob(globs) => {
                let root = globs.iter().find_map(|glob| glob_hits_root(glob, subject.base))?;
                Some(words(&access.text, root))
            }
            Target::Path(path) => {
                let root = root_kind(path, subject.base)?;
                // Moving one system file is a change like another; moving a root is not.
                let single = access.mode == AccessMode::Move
                    && path.node.is_none_or(|node| node.kind != portcullis_paths::NodeKind::Directory);
                (!single).then(|| words(&path.resolved.to_string_lossy(), root))
            }
        }
    })
}

/// `find / -delete`, `find ~ -exec rm {} +`.
fn by_find(subject: &Subject<'_>) -> Option<String> {
    let destroys = |program: &Program<'_>| {
        program.has(&["-delete"])
            || (program.known().any(|word| matches!(word, "-exec" | "-execdir" | "-ok" | "-okdir"))
                && program.known().any(|word| DESTROYERS.contains(&word.rsplit('/').next().unwrap_or_default())))
    };
    let finds = subject.programs.iter().filter(|program| program.is(&["find", "gfind"]) && !program.command.remote);
    finds.filter(|program| destroys(program)).find_map(|program| {
        let selective = program.known().any(|word| SELECTING.contains(&word));
        let roots = starting_points(subject, program);
        roots.into_iter().find_map(|path| match root_kind(&path, subject.base)? {
            // In a home, deleting what a test picks is ordinary tidying up.
            Root::Home if selective => None,
            root => Some(words(&path.resolved.to_string_lossy(), root)),
        })
    })
}

/// The paths before find's first expression word, resolved where the command runs.
fn starting_points(subject: &Subject<'_>, program: &Program<'_>) -> Vec<portcullis_paths::ResolvedPath> {
    let Some(analysis) = &subject.facts.analysis else { return Vec::new() };
    let words = Words::new(subject.fs, subject.base, analysis);
    let is_expression = |word: &portcullis_shell_ast::Word| {
        let start = word.literal_prefix();
        start.starts_with('-') || start == "(" || start == "!"
    };
    // Options that stand before the starting points (find(1): -H, -L, -P, -D, -O).
    let is_option = |word: &portcullis_shell_ast::Word| {
        matches!(word.literal().as_deref(), Some("-H" | "-L" | "-P")) || word.literal_prefix().starts_with("-O")
    };
    let operands =
        program.command.words.iter().skip(1).skip_while(|word| is_option(word)).take_while(|word| !is_expression(word));
    let targets = operands.flat_map(|word| words.targets(word, &program.command.cwd));
    let found: Vec<_> = targets
        .filter_map(|target| match target {
            Target::Path(path) => Some(path),
            Target::Glob(_) | Target::Unknown => None,
        })
        .collect();
    if found.is_empty() && program.command.words.get(1).is_none_or(is_expression) {
        let base = words.directory(&program.command.cwd);
        return base.and_then(|base| resolve(subject.fs, ".", &base).ok()).into_iter().collect();
    }
    found
}

/// `rsync --delete EMPTY/ TARGET/` removes what the source lacks.
fn by_rsync(subject: &Subject<'_>) -> Option<String> {
    let syncs = subject
        .programs
        .iter()
        .filter(|program| program.is(&["rsync"]) && program.known().any(|word| word.starts_with("--del")));
    syncs.filter(|program| !program.command.remote).find_map(|program| {
        let target = program.command.words.iter().rev().find(|word| !word.literal_prefix().starts_with('-'))?;
        let analysis = subject.facts.analysis.as_ref()?;
        let targets = Words::new(subject.fs, subject.base, analysis).targets(target, &program.command.cwd);
        targets.into_iter().find_map(|target| match target {
            Target::Path(path) => Some(words(&path.resolved.to_string_lossy(), root_kind(&path, subject.base)?)),
            Target::Glob(_) | Target::Unknown => None,
        })
    })
}

/// `ssh host rm -rf /`: other machines' paths are unknown, but `/` is `/` everywhere.
fn elsewhere(subject: &Subject<'_>) -> Option<String> {
    let removals = subject.programs.iter().filter(|program| program.command.remote && program.is(&["rm"]));
    removals
        .filter(|program| {
            program.has_long("--recursive", 4)
                || program.known().any(|word| super::in_cluster(word, 'r', "") || super::in_cluster(word, 'R', ""))
        })
        .find(|program| {
            program.command.words.iter().any(|word| matches!(word.raw.as_str(), "/" | "/*" | "\"/\"" | "'/'"))
        })
        .map(|_| "deletes the whole file system of another machine or container".to_owned())
}

fn words(path: &str, root: Root) -> String {
    let what = match root {
        Root::Filesystem => "the root of the file system",
        Root::Home => "a home directory with everything in it",
        Root::System => "a system directory",
    };
    format!("deletes or moves away `{path}`, {what}")
}
