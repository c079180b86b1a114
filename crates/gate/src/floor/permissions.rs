//! Mode, owner and attributes of system files and SSH keys; whole trees of roots.

use std::path::Path;

use portcullis_paths::{Root, glob_hits_root, root_kind};
use portcullis_shell_ast::AccessMode;

use super::{FloorRule, Subject};
use crate::words::Target;

pub(super) const RULE: FloorRule = FloorRule {
    id: "system-permissions",
    summary: "changes mode, owner or attributes of system directories, of SSH files, or of a whole home or root",
    source: "seed 000 (selected system or SSH permission mutations); sshd(8), FILES",
    check,
};

/// System directories whose permissions hold the system together (seed-details §1.2 J).
const SYSTEM: &[&str] = &["/etc", "/usr", "/bin", "/sbin", "/lib", "/lib64", "/boot", "/System", "/private/etc"];

fn check(subject: &Subject<'_>) -> Option<String> {
    let changed = subject.shell.iter().filter(|access| access.mode == AccessMode::Permission);
    changed.into_iter().find_map(|access| match &access.target {
        Target::Unknown => None,
        Target::Path(path) => {
            if access.recursive && root_kind(path, subject.base).is_some() {
                return Some(format!("changes the permissions of everything below `{}`", path.resolved.display()));
            }
            let spelled = [&path.resolved, &path.absolute];
            spelled.into_iter().find_map(|path| closed(subject, path))
        }
        Target::Glob(globs) => globs.iter().find_map(|glob| {
            if access.recursive
                && matches!(glob_hits_root(glob, subject.base), Some(Root::Filesystem | Root::Home | Root::System))
            {
                return Some(format!("changes the permissions of everything that `{}` names", access.text));
            }
            // The directory in which the wildcards stand.
            let fixed = glob.split(['*', '?', '[']).next().unwrap_or_default();
            closed(subject, Path::new(fixed.rsplit_once('/').map_or("", |(directory, _)| directory)))
        }),
    })
}

fn closed(subject: &Subject<'_>, path: &Path) -> Option<String> {
    let system = SYSTEM.iter().any(|directory| path.starts_with(directory));
    let ssh = subject.base.home.as_ref().is_some_and(|home| path.starts_with(home.join(".ssh")));
    (system || ssh).then(|| {
        let what = if ssh { "SSH files" } else { "system files" };
        format!("changes the permissions of {what} (`{}`)", path.display())
    })
}
