//! Which directories a session may work in.

use crate::resolve::{Base, ResolvedPath};
use crate::roots::{Root, root_kind};

/// Whether `path` is one of `directories` or below one, by their resolved forms. Exact: where a file system folds case, another
/// spelling is merely not found to be inside.
pub fn inside(path: &ResolvedPath, directories: &[ResolvedPath]) -> bool {
    directories.iter().any(|directory| path.resolved.starts_with(&directory.resolved))
}

/// Why `cwd` can't be taken for a working tree, in which edits are routine; `None` if it can.
pub fn working_tree_problem(cwd: &ResolvedPath, base: &Base) -> Option<String> {
    let what = match root_kind(cwd, base)? {
        Root::Filesystem => "the root of the file system",
        Root::Home => "a home directory",
        Root::System => "a directory of the system",
    };
    let place = cwd.resolved.display();
    Some(format!(
        "`{place}` is {what}, not a working tree: being inside it allows nothing. Start in a project directory."
    ))
}
