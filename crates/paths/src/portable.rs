//! Names of a file in a temporary worktree that still hold in the project that the worktree belongs to.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::resolve::ResolvedPath;

/// The aliases of a path in a managed worktree (seed 002, "Worktree Path Portability"). A request without them is an ordinary one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PortablePath {
    /// As typed.
    pub lexical: String,
    /// Relative to the worktree root, with forward slashes.
    pub project_relative: Option<String>,
    /// Absolute, in the worktree.
    pub worktree_absolute: Option<String>,
    /// The same file in the parent project. Recorded approvals are looked up with it.
    pub parent_equivalent: Option<String>,
}

impl PortablePath {
    /// The aliases of `path`, or `None` if it is not in the worktree: the resolved path counts, so that a link out of the
    /// worktree has no parent equivalent.
    ///
    /// ```
    /// use portcullis_paths::{Base, MemoryFs, PortablePath, resolve};
    /// let base = Base::new("/tmp/wt/a", None);
    /// let path = resolve(&MemoryFs::new(), "src/x.rs", &base).unwrap();
    /// let portable = PortablePath::derive(&path, "/tmp/wt/a".as_ref(), "/work/app".as_ref()).unwrap();
    /// assert_eq!(portable.parent_equivalent.as_deref(), Some("/work/app/src/x.rs"));
    /// ```
    pub fn derive(path: &ResolvedPath, worktree: &Path, parent: &Path) -> Option<Self> {
        let relative = path.resolved.strip_prefix(worktree).ok()?;
        let relative_text = slashed(relative)?;
        let text = |path: PathBuf| path.to_str().map(str::to_owned);
        Some(Self {
            lexical: path.typed.clone(),
            parent_equivalent: Some(text(parent.join(relative))?),
            worktree_absolute: Some(text(path.resolved.clone())?),
            project_relative: Some(relative_text),
        })
    }

    /// What recorded approvals are looked up with, in place of the typed value: the parent equivalent, if there is one.
    pub fn approval_value(&self) -> Option<&str> {
        self.parent_equivalent.as_deref()
    }

    /// A pattern for a recorded approval that holds in one project only. Needs the parent's directory and the relative path both,
    /// so that an approval never reaches another project with the same relative path. The relative path must stay inside.
    pub fn project_pattern(&self, parent: &Path) -> Option<String> {
        let relative = self.project_relative.as_deref().filter(|text| !text.is_empty())?;
        let inside =
            !relative.contains(['\\', '\0']) && relative.split('/').all(|name| !matches!(name, "" | "." | ".."));
        if !inside || !parent.is_absolute() || parent.parent().is_none() {
            return None;
        }
        parent.join(relative).to_str().map(str::to_owned)
    }
}

fn slashed(path: &Path) -> Option<String> {
    let names: Option<Vec<&str>> = path.iter().map(|name| name.to_str()).collect();
    names.map(|names| names.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Base, MemoryFs, resolve};

    #[test]
    fn a_link_out_of_the_worktree_has_no_parent_equivalent() {
        let fs = MemoryFs::new().dir("/wt/src").file("/etc/passwd").link("/wt/out", "/etc");
        let base = Base::new("/wt", None);
        for (typed, expected) in
            [("src/a.rs", Some("/app/src/a.rs")), ("out/passwd", None), ("../x", None), ("/wtx/a", None)]
        {
            let path = resolve(&fs, typed, &base).unwrap();
            let portable = PortablePath::derive(&path, Path::new("/wt"), Path::new("/app"));
            assert_eq!(portable.as_ref().and_then(PortablePath::approval_value), expected, "{typed}");
        }
    }

    #[test]
    fn an_approval_pattern_needs_both_the_project_and_a_path_inside_it() {
        let row = |relative: Option<&str>| PortablePath {
            project_relative: relative.map(str::to_owned),
            ..PortablePath::default()
        };
        let app = Path::new("/app");
        assert_eq!(row(Some("src/a.rs")).project_pattern(app).as_deref(), Some("/app/src/a.rs"));
        for relative in [None, Some(""), Some("../b"), Some("/etc/x"), Some("a/../../b"), Some("a\\..\\b")] {
            assert_eq!(row(relative).project_pattern(app), None, "{relative:?}");
        }
        assert_eq!(row(Some("a")).project_pattern(Path::new("app")), None);
        assert_eq!(row(Some("a")).project_pattern(Path::new("/")), None);
    }
}
