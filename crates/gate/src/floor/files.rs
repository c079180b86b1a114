//! Shell profiles, SSH keys, autostart places and the gate's own files.

use portcullis_paths::{FloorHit, NodeKind, ResolvedPath, floor_target, floor_tree, resolve};
use portcullis_shell_ast::AccessMode;

use super::{FloorRule, Subject};
use crate::words::Target;

pub(super) const RULE: FloorRule = FloorRule {
    id: "floor-file",
    summary: "writes, deletes, moves, links or changes the mode of shell profiles, SSH keys and configuration, autostart and cron \
              places, or a file that the gate is made of",
    source: "seeds 000 and 003; MITRE ATT&CK T1546.004, T1098.004, T1547",
    check,
};

/// Programs that put a file into a directory that is named as the target, under its own name.
const INTO_DIRECTORY: &[&str] = &["cp", "mv", "install", "ln", "rsync", "scp", "gcp", "gmv"];

fn check(subject: &Subject<'_>) -> Option<String> {
    let target = |path: &ResolvedPath| floor_target(path, subject.base, subject.control());
    let written = subject.written.iter().find_map(|path| Some(words("changes", path, target(path)?)));
    written
        .or_else(|| subject.shell.iter().find_map(|access| of_access(subject, access)))
        .or_else(|| into_directory(subject))
}

fn of_access(subject: &Subject<'_>, access: &crate::facts::ShellAccess) -> Option<String> {
    let (verb, whole) = match access.mode {
        AccessMode::Inspect | AccessMode::Read => return None,
        AccessMode::Write => ("writes", false),
        AccessMode::Delete => ("deletes", true),
        AccessMode::Move => ("moves", true),
        AccessMode::Link => ("links", false),
        AccessMode::Permission => ("changes the mode or owner of", access.recursive),
    };
    let Target::Path(path) = &access.target else { return None };
    // What a recursive deletion of a whole tree takes with it counts as much as the file itself. Home and system roots have
    // a rule of their own, with better words.
    let hit = if whole && portcullis_paths::root_kind(path, subject.base).is_none() {
        floor_tree(path, subject.base, subject.control())
    } else {
        floor_target(path, subject.base, subject.control())
    };
    Some(words(verb, path, hit?))
}

/// `cp authorized_keys ~/.ssh/`: the file that comes to be is the directory with the source's own name.
fn into_directory(subject: &Subject<'_>) -> Option<String> {
    let names: Vec<String> = subject
        .programs
        .iter()
        .filter(|program| program.is(INTO_DIRECTORY) && !program.command.remote)
        .flat_map(|program| program.operands().filter_map(|word| word.trim_end_matches('/').rsplit('/').next()))
        .map(str::to_owned)
        .collect();
    if names.is_empty() {
        return None;
    }
    let directories = subject.shell.iter().filter_map(|access| match (&access.target, access.mode) {
        (Target::Path(path), AccessMode::Write | AccessMode::Link | AccessMode::Move) => Some(path),
        _ => None,
    });
    let directories = directories.filter(|path| path.node.is_some_and(|node| node.kind == NodeKind::Directory));
    directories.take(64).find_map(|directory| {
        names.iter().take(256).find_map(|name| {
            let path = directory.resolved.join(name);
            let path = resolve(subject.fs, path.to_str()?, subject.base).ok()?;
            Some(words("writes", &path, floor_target(&path, subject.base, subject.control())?))
        })
    })
}

fn words(verb: &str, path: &ResolvedPath, hit: FloorHit) -> String {
    format!("{verb} `{}`, which {}", path.resolved.display(), hit.reason)
}
