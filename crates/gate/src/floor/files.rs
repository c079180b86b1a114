//! Shell profiles, SSH keys, autostart places and the gate's own files.

use std::path::Path;

use portcullis_paths::{FloorHit, NodeKind, ResolvedPath, floor_target, floor_tree, resolve};
use portcullis_shell_ast::AccessMode;

use super::{FloorRule, Program, Subject};
use crate::facts::ShellAccess;
use crate::words::Target;

pub(super) const RULE: FloorRule = FloorRule {
    id: "floor-file",
    summary: "writes, deletes, moves, links or changes the mode of shell profiles, SSH keys and configuration, autostart and cron \
              places, or a file that the gate is made of",
    source: "seeds 000 and 003; MITRE ATT&CK T1546.004, T1098.004, T1547",
    check,
};

/// The id of the gate's own files in [`portcullis_paths`].
const GATE_CONTROL: &str = "gate-control";

/// Programs that put a file into a directory that is named as the target, under its own name.
const INTO_DIRECTORY: &[&str] = &["cp", "mv", "install", "ln", "rsync", "scp", "gcp", "gmv"];

fn check(subject: &Subject<'_>) -> Option<String> {
    let target = |path: &ResolvedPath| floor_target(path, subject.base, subject.control());
    let written = subject.written.iter().find_map(|path| Some(words("changes", path, target(path)?)));
    written
        .or_else(|| subject.shell.iter().find_map(|access| of_access(subject, access)))
        .or_else(|| into_directory(subject))
}

fn of_access(subject: &Subject<'_>, access: &ShellAccess) -> Option<String> {
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
    let of_path = floor_target(path, subject.base, subject.control());
    let of_tree = || {
        let tree = whole && portcullis_paths::root_kind(path, subject.base).is_none();
        let hit = tree.then(|| floor_tree(path, subject.base, subject.control())).flatten()?;
        // A project holds settings of the gate by name, whether or not they are there.
        (hit.id != GATE_CONTROL || takes_control(subject, access, path)).then_some(hit)
    };
    Some(words(verb, path, of_path.or_else(of_tree)?))
}

/// Whether a deletion below `path` takes one of the gate's own files along that is there, and that find's names pick.
fn takes_control(subject: &Subject<'_>, access: &ShellAccess, path: &ResolvedPath) -> bool {
    let below = |place: &Path| {
        let resolved = place.to_str().and_then(|text| resolve(subject.fs, text, subject.base).ok());
        // What can't be looked at counts as there.
        resolved.is_none_or(|file| {
            let inside = [&path.resolved, &path.absolute]
                .into_iter()
                .any(|tree| file.resolved.starts_with(tree) || file.absolute.starts_with(tree));
            inside && file.node.is_some()
        })
    };
    let control = subject.control();
    let program = access.by.and_then(|at| subject.programs.get(at));
    control.directories.iter().any(|place| below(place))
        || control.files.iter().any(|place| below(place) && !program.is_some_and(|find| leaves_out(find, place)))
}

/// Whether a find deletes by names alone, such as `*.pyc`, of which none picks `file`.
fn leaves_out(find: &Program<'_>, file: &Path) -> bool {
    /// Words with which names are joined or turned round: then one name alone tells nothing.
    const LOGIC: &[&str] = &["-o", "-or", "!", "-not", ",", "(", ")"];
    let names: Vec<&str> = find.values_of(None, "-name").chain(find.values_of(None, "-iname")).collect();
    let file = file.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let picks = |name: &&str| match name.strip_prefix('*') {
        Some(suffix) if !suffix.contains(['*', '?', '[', '\\']) => file.ends_with(&suffix.to_lowercase()),
        Some(_) | None => true,
    };
    let known = find.args.iter().all(Option::is_some);
    // find works from left to right: a name behind `-delete` comes too late.
    let late = find.known().skip_while(|word| *word != "-delete").any(|word| matches!(word, "-name" | "-iname"));
    find.is(&["find", "gfind"]) && known && !late && !find.has(LOGIC) && !names.is_empty() && !names.iter().all(picks)
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
