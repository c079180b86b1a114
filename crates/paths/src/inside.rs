//! Which directories a session may work in.

use std::path::Path;

use crate::fs::FileSystem;
use crate::resolve::{Base, ResolvedPath};
use crate::roots::{Root, root_kind};

/// Whether `path` is one of `directories` or below one, by their resolved forms. Exact: where a file system folds case, another
/// spelling is merely not found to be inside.
pub fn inside(path: &ResolvedPath, directories: &[ResolvedPath]) -> bool {
    directories.iter().any(|directory| path.resolved.starts_with(&directory.resolved))
}

/// As [`inside`], also where the file system folds case or normal forms: a directory on the way to `path` that is one of
/// `directories` by device and inode is that directory, however it is written. A path that can't be examined is not inside.
pub fn inside_on(fs: &dyn FileSystem, path: &ResolvedPath, directories: &[ResolvedPath]) -> bool {
    let wanted: Vec<_> = directories.iter().filter_map(|directory| directory.node?.identity).collect();
    let is_wanted = |place: &Path| {
        let identity = fs.node(place).ok().flatten().and_then(|node| node.identity);
        identity.is_some_and(|identity| wanted.contains(&identity))
    };
    inside(path, directories) || (!wanted.is_empty() && path.resolved.ancestors().any(is_wanted))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MemoryFs, resolve};

    #[test]
    fn another_spelling_of_a_directory_is_inside_where_the_file_system_says_so() {
        for (claim, fs, expected) in [
            ("folds case", MemoryFs::new().fold_case().dir("/p/src"), true),
            ("tells case apart", MemoryFs::new().dir("/p/src").dir("/P/src"), false),
        ] {
            let base = Base::new("/p", None);
            let directories = [resolve(&fs, "/p", &base).unwrap()];
            for typed in ["/P/src/new.rs", "/P"] {
                let path = resolve(&fs, typed, &base).unwrap();
                assert!(!inside(&path, &directories), "{claim} {typed}");
                assert_eq!(inside_on(&fs, &path, &directories), expected, "{claim} {typed}");
            }
            let outside = resolve(&fs, "/q/x", &base).unwrap();
            assert!(!inside_on(&fs, &outside, &directories), "{claim}");
        }
    }
}
