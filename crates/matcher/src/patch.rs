//! The files of a patch in Codex' `*** Begin Patch` form.

use std::collections::BTreeSet;

use crate::InputError;

/// Whether `text` claims to be such a patch.
pub(crate) fn looks_like_patch(text: &str) -> bool {
    text.lines().any(|line| line.trim() == "*** Begin Patch")
}

/// Every file that the patch adds, changes, deletes or moves to, in order.
///
/// A header that is not known could name a file, so it is an error rather than skipped.
pub(crate) fn files(text: &str) -> Result<Vec<String>, InputError> {
    let bad = |why: &str| InputError::Patch { why: why.to_owned() };
    if text.contains('\0') {
        return Err(bad("it holds a NUL character"));
    }
    let mut files: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut begun = false;
    let mut ended = false;
    for raw in text.lines() {
        let line = raw.trim();
        let Some(header) = line.strip_prefix("*** ") else { continue };
        if header == "Begin Patch" {
            begun = true;
            continue;
        }
        if header == "End Patch" {
            ended = true;
            continue;
        }
        if header == "End of File" {
            continue;
        }
        let path = ["Add File:", "Update File:", "Delete File:", "Move to:", "Move File:", "Environment ID:"]
            .iter()
            .find_map(|name| header.strip_prefix(name));
        match path.map(str::trim) {
            Some("") => return Err(bad("a file header names no file")),
            Some(_) if header.starts_with("Environment") => {}
            Some(path) => {
                if seen.insert(path) {
                    files.push(path.to_owned());
                }
            }
            // A line of context that begins with asterisks.
            None if raw.starts_with(' ') => {}
            None => return Err(bad("a header is not known")),
        }
    }
    if !begun {
        return Err(bad("it does not start with `*** Begin Patch`"));
    }
    if !ended {
        return Err(bad("it does not end with `*** End Patch`"));
    }
    if files.is_empty() { Err(bad("it names no file")) } else { Ok(files) }
}

#[cfg(test)]
mod tests {
    use super::files;

    #[test]
    fn every_file_of_a_patch_is_found() {
        let patch = "*** Begin Patch\n*** Update File: src/a.rs\n*** Move to: src/b.rs\n@@\n *** note ***\n-x\n+*** y\n*** Add File: c d.md\n+hi\n*** Delete File: old\n*** End Patch";
        assert_eq!(files(patch).unwrap(), ["src/a.rs", "src/b.rs", "c d.md", "old"]);
    }

    #[test]
    fn what_is_not_a_whole_patch_is_an_error() {
        for patch in [
            "",
            "*** Begin Patch\n*** End Patch",
            "*** Begin Patch\n*** Add File: a\n+x",
            "*** Add File: a\n*** End Patch",
            "*** Begin Patch\n*** Chmod File: a\n*** End Patch",
            "*** Begin Patch\n*** Add File:\n*** End Patch",
        ] {
            assert!(files(patch).is_err(), "{patch:?}");
        }
    }
}
