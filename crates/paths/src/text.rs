//! Paths as text: folding of dots and case, and the spellings under which one file may be named.
//!
//! Everything here serves comparisons that restrict, so two names that *some* file system holds for the same are taken for
//! the same. Comparisons that allow ([`inside`](crate::inside())) never use it.

use std::path::{Component, Path, PathBuf};

use unicode_normalization::UnicodeNormalization;

use crate::resolve::{Base, ResolvedPath};

/// Folds `.` and `..` by text, without a look at links.
pub(crate) fn fold_dots(path: &Path) -> PathBuf {
    let mut folded = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            // `pop` leaves a root alone, as the kernel does with `/..`.
            Component::ParentDir => {
                folded.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => folded.push(component),
        }
    }
    folded
}

/// Folds `.`, `..` and doubled slashes of an absolute text with forward slashes. The result has no trailing slash; the root is
/// the empty text.
pub(crate) fn fold_segments(text: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for segment in text.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                kept.pop();
            }
            name => kept.push(name),
        }
    }
    kept.iter().flat_map(|segment| ["/", segment]).collect()
}

/// Folds case, and the code points that HFS+ leaves out of comparisons (the list is the one git guards `.git` with).
///
/// Upper case first: `ſ` and `K` (Kelvin) have no lower case of their own but are `S` and `K` in upper case, and APFS and NTFS
/// compare them so.
pub(crate) fn fold_case(text: &str) -> String {
    if text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return text.to_owned();
    }
    // One name may be written in two normal forms: APFS and HFS+ hold `é` and `e` with an accent for the same.
    let kept = text.nfd().filter(|c| !ignorable(*c));
    kept.flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfc().collect()
}

fn ignorable(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

/// Every folded spelling of a path, the first being the one it resolves to. Absolute, no trailing slash, the root is empty.
pub(crate) fn spellings(path: &ResolvedPath, base: &Base) -> Vec<String> {
    let mut all = Vec::new();
    add(&mut all, &path.resolved.to_string_lossy());
    add(&mut all, &path.absolute.to_string_lossy());
    if let Some(windows) = windows_form(&path.typed, base) {
        // `C:\Users\dev` may be the home that is called something else here (WSL, a remote host).
        if let (Some(home), Some(rest)) = (&base.home, after_home(&fold_case(&windows), None).next()) {
            add(&mut all, &format!("{}{rest}", home.to_string_lossy()));
        }
        add(&mut all, &windows);
    }
    all
}

fn add(all: &mut Vec<String>, text: &str) {
    let slashed = if cfg!(windows) { without_drive(text) } else { text.to_owned() };
    let folded = fold_case(&fold_segments(&slashed));
    let aliases =
        ["/private", "/system/volumes/data"].iter().filter_map(|prefix| below(&folded, prefix).map(str::to_owned));
    // macOS keeps /etc, /tmp and /var under /private, and the user's volume under /System/Volumes/Data as well as at the root.
    for spelling in aliases.chain([folded.clone()]).rev() {
        if !all.contains(&spelling) {
            all.push(spelling);
        }
    }
}

/// What `path` has after the directory `directory`: empty for the directory itself, else a text that begins with a slash.
pub(crate) fn below<'a>(path: &'a str, directory: &str) -> Option<&'a str> {
    path.strip_prefix(directory).filter(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The path with its drive, `\\?\` and stream names removed, slashes turned; `None` if nothing about it is Windows' own.
///
/// A backslash is an ordinary byte on Unix, so this is one more spelling there, not the path.
fn windows_form(typed: &str, base: &Base) -> Option<String> {
    let drive = has_drive(typed);
    if !drive && !typed.contains('\\') {
        return None;
    }
    let turned = without_drive(typed);
    let rooted = if drive || turned.starts_with('/') {
        turned
    } else if let (Some(rest), Some(home)) = (turned.strip_prefix("~/"), &base.home) {
        format!("{}/{rest}", home.to_string_lossy())
    } else {
        format!("{}/{turned}", base.cwd.to_string_lossy())
    };
    // Win32 drops trailing dots and blanks of a name, and `name:stream` is a part of the file `name`.
    let trimmed = rooted.split('/').map(|segment| {
        let name = segment.split(':').next().unwrap_or(segment);
        if name.chars().all(|c| c == '.') { name } else { name.trim_end_matches(['.', ' ']) }
    });
    Some(fold_segments(&trimmed.collect::<Vec<_>>().join("/")))
}

pub(crate) fn has_drive(text: &str) -> bool {
    let text = text.strip_prefix(r"\\?\").or_else(|| text.strip_prefix(r"\\.\")).unwrap_or(text);
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && chars.next() == Some(':')
        && chars.next().is_none_or(|c| c == '\\' || c == '/')
}

/// `C:\x` → `/x`, `\\?\C:\x` → `/x`, `\\server\share\x` → `/x`, `\\?\UNC\server\share\x` → `/x`.
pub(crate) fn without_drive(text: &str) -> String {
    let turned = text.replace('\\', "/");
    let device = turned.strip_prefix("//?/").or_else(|| turned.strip_prefix("//./"));
    let unc = match device {
        Some(rest) => rest.strip_prefix("UNC/").or_else(|| rest.strip_prefix("unc/")),
        None if text.starts_with(r"\\") => turned.strip_prefix("//"),
        None => None,
    };
    if let Some(share) = unc {
        return share.splitn(3, '/').nth(2).map_or_else(|| "/".to_owned(), |rest| format!("/{rest}"));
    }
    let rest = device.unwrap_or(&turned);
    if has_drive(rest) { rest.chars().skip(2).collect() } else { rest.to_owned() }
}

/// What a folded path has after a home directory, anyone's: empty for the home itself, else beginning with a slash. More than one
/// answer where homes lie in one another.
pub(crate) fn after_home<'a>(path: &'a str, own: Option<&str>) -> impl Iterator<Item = &'a str> {
    let own = own.and_then(|own| below(path, own));
    let fixed = ["/root", "/var/root", "/var/roothome"].iter().filter_map(|home| below(path, home));
    let named = HOME_PARENTS.iter().filter_map(|parent| {
        let user = below(path, parent)?.strip_prefix('/')?;
        Some(user.find('/').and_then(|at| user.get(at..)).unwrap_or(""))
    });
    own.into_iter().chain(fixed).chain(named)
}

/// Directories whose entries are the homes of users.
pub(crate) const HOME_PARENTS: [&str; 4] = ["/home", "/users", "/var/home", "/usr/home"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_spellings_lose_drive_and_share() {
        for (typed, expected) in [
            (r"C:\Users\dev\x", "/Users/dev/x"),
            (r"\\?\C:\Users", "/Users"),
            (r"\\server\share\x", "/x"),
            (r"\\?\UNC\server\share\x\y", "/x/y"),
            ("c:/x", "/x"),
        ] {
            assert_eq!(without_drive(typed), expected, "{typed}");
        }
    }

    #[test]
    fn case_folding_covers_what_apfs_and_ntfs_fold() {
        assert_eq!(fold_case(".\u{200c}SSH"), ".ssh");
        assert_eq!(fold_case("/\u{212a}ey"), "/key");
        assert_eq!(fold_case("/Stra\u{df}e"), "/strasse");
        assert_eq!(fold_case("/Cafe\u{301}"), fold_case("/caf\u{e9}"));
    }

    #[test]
    fn any_home_is_split_from_its_rest() {
        for (path, expected) in [
            ("/home/dev/.ssh", Some("/.ssh")),
            ("/root", Some("")),
            ("/srv/me/x", Some("/x")),
            ("/home/dev", Some("")),
            ("/homes/x", None),
            ("/home", None),
        ] {
            assert_eq!(after_home(path, Some("/srv/me")).next(), expected, "{path}");
        }
    }
}
