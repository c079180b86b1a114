//! git: which repository a directory belongs to, and what its configuration runs.

use std::path::{Path, PathBuf};

use super::git_config::{Setting, parse};
use super::keys::{GIT_KEYS, GitKey, Unless};
use super::{Text, read_text};
use crate::fs::{FileSystem, NodeKind};
use crate::resolve::{Base, resolve_expanded};
use crate::wildcard::Wild;

/// Hooks that reading commands run: `git status` and `git diff` refresh the index, `git fetch` moves references.
const READ_HOOKS: &[&str] = &["post-index-change", "reference-transaction", "fsmonitor-watchman"];
/// Directories that are looked at on the way up.
const MAX_PARENTS: usize = 256;

/// Why a reading git command in the absolute, resolved directory `dir` could run a program of the repository's choice; `None` if
/// it can't. No repository is no reason. Aliases are not looked at: they can't replace a builtin command.
///
/// ```
/// use portcullis_paths::{MemoryFs, git_config_runs_code};
/// let fs = MemoryFs::new().dir("/p/.git/objects").file_with("/p/.git/config", "[core]\n\tfsmonitor = ./evil\n");
/// assert!(git_config_runs_code(&fs, "/p/src".as_ref()).unwrap().contains("core.fsmonitor"));
/// ```
pub fn git_config_runs_code(fs: &dyn FileSystem, dir: &Path) -> Option<String> {
    for place in dir.ancestors().take(MAX_PARENTS) {
        if looks_bare(fs, place) && !place.ends_with(".git") {
            return Some(format!(
                "`{}` looks like a bare repository, whose configuration git would obey",
                place.display()
            ));
        }
        let found = if place.ends_with(".git") && looks_bare(fs, place) {
            Found::Here(place.to_path_buf())
        } else {
            git_dir(fs, place)
        };
        match found {
            Found::Nothing => {}
            Found::Here(git_dir) => return judge(fs, &git_dir),
            Found::Odd(why) => return Some(why),
        }
    }
    dir.ancestors().nth(MAX_PARENTS).map(|_| "the directory lies too deep".to_owned())
}

enum Found {
    Nothing,
    Here(PathBuf),
    Odd(String),
}

/// git takes a directory with these three for a repository (gitrepository-layout(5)).
fn looks_bare(fs: &dyn FileSystem, dir: &Path) -> bool {
    // What can't be examined counts as there.
    let there = |name: &str| !matches!(fs.node(&dir.join(name)), Ok(None));
    there("HEAD") && there("objects") && there("refs")
}

fn git_dir(fs: &dyn FileSystem, place: &Path) -> Found {
    let path = place.join(".git");
    let odd = |why: &str| Found::Odd(format!("`{}` {why}", path.display()));
    match fs.node(&path) {
        Ok(None) => Found::Nothing,
        Err(_) => odd("can't be examined"),
        Ok(Some(node)) => match node.kind {
            NodeKind::Directory => Found::Here(path),
            NodeKind::File => match read_text(fs, &path) {
                Text::Missing => Found::Nothing,
                Text::Unknown(why) => Found::Odd(why),
                Text::Here(text) => match text.strip_prefix("gitdir: ").map(|rest| rest.trim_end_matches(['\r', '\n']))
                {
                    Some(target) if !target.is_empty() => match walked(fs, &place.join(target)) {
                        Ok(git_dir) => Found::Here(git_dir),
                        Err(why) => Found::Odd(why),
                    },
                    Some(_) | None => odd("is no `gitdir:` file"),
                },
            },
            NodeKind::Link | NodeKind::Other => odd("is neither a directory nor a file"),
        },
    }
}

/// Where an absolute path leads: `..` counts after the links before it, as for git.
fn walked(fs: &dyn FileSystem, path: &Path) -> Result<PathBuf, String> {
    match resolve_expanded(fs, &path.to_string_lossy(), path, &Base::new("/", None)) {
        Ok(found) => Ok(found.resolved),
        Err(error) => Err(error.to_string()),
    }
}

/// Judges the configuration and hooks of the repository at `git_dir`, which may be a linked worktree's.
fn judge(fs: &dyn FileSystem, git_dir: &Path) -> Option<String> {
    let common = match read_text(fs, &git_dir.join("commondir")) {
        Text::Missing => git_dir.to_path_buf(),
        Text::Here(text) => match walked(fs, &git_dir.join(text.trim_end_matches(['\r', '\n']))) {
            Ok(common) => common,
            Err(why) => return Some(why),
        },
        Text::Unknown(why) => return Some(why),
    };
    let hook = READ_HOOKS.iter().map(|name| common.join("hooks").join(name)).find(|hook| runs(fs, hook));
    if let Some(hook) = hook {
        return Some(format!("the hook `{}` would run", hook.display()));
    }
    let mut files = vec![common.join("config"), common.join("config.worktree"), git_dir.join("config.worktree")];
    files.dedup();
    files.iter().find_map(|file| match read_text(fs, file) {
        Text::Missing => None,
        Text::Unknown(why) => Some(why),
        Text::Here(text) => match parse(&text) {
            Err(line) => Some(format!("`{}` is no git configuration (line {line})", file.display())),
            Ok(settings) => settings.iter().find_map(danger).map(|why| format!("`{}` sets {why}", file.display())),
        },
    })
}

fn runs(fs: &dyn FileSystem, hook: &Path) -> bool {
    match fs.node(hook) {
        Ok(None) => false,
        Ok(Some(node)) => node.kind != NodeKind::File || node.executable,
        Err(_) => true,
    }
}

fn danger(setting: &Setting) -> Option<String> {
    let row = GIT_KEYS.iter().find(|row| row_matches(row, setting));
    if let Some(row) = row.filter(|row| !harmless(row.unless, setting.value.as_deref())) {
        return Some(format!("{}, which {} ({})", row.key, row.does, row.source));
    }
    // `ext::` and other remote helpers: the address is the command (gitremote-helpers(7)).
    let address = matches!(setting.section.as_str(), "remote" | "url" | "submodule" | "branch");
    let helper = |text: &str| text.contains("::");
    let found =
        address && (setting.value.as_deref().is_some_and(helper) || setting.subsection.as_deref().is_some_and(helper));
    found.then(|| format!("an address of a remote helper in [{}]", setting.section))
}

fn row_matches(row: &GitKey, setting: &Setting) -> bool {
    let mut parts = row.key.split('.');
    let (section, second, third) = (parts.next(), parts.next(), parts.next());
    if section != Some(setting.section.as_str()) {
        return false;
    }
    let is = |pattern: Option<&str>, name: &str| pattern.is_some_and(|pattern| Wild::new(pattern).matches(name));
    match (third, &setting.subsection) {
        (None, None) => is(second, &setting.key),
        (Some(key), Some(subsection)) => is(second, &subsection.to_lowercase()) && is(Some(key), &setting.key),
        (None, Some(_)) | (Some(_), None) => false,
    }
}

fn harmless(unless: Unless, value: Option<&str>) -> bool {
    match (unless, value) {
        (Unless::Never, _) | (Unless::Empty, None) => false,
        (Unless::Empty, Some(value)) => value.is_empty(),
        (Unless::Boolean, None) => true,
        (Unless::Boolean, Some(value)) => {
            let word = value.to_ascii_lowercase();
            matches!(word.as_str(), "" | "true" | "false" | "yes" | "no" | "on" | "off" | "0" | "1")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemoryFs;

    const ORDINARY: &str = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n[remote \"origin\"]\n\turl = \
        git@example.org:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = origin\n\tmerge = \
        refs/heads/main\n[user]\n\tname = A\n[alias]\n\tst = !evil\n[core]\n\tfsmonitor = true\n\tpager =\n";

    #[test]
    fn each_dangerous_setting_is_reported_and_each_ordinary_one_is_not() {
        for (config, expected) in [
            (ORDINARY, None),
            ("", None),
            ("[core]\nfsmonitor = ./x", Some("core.fsmonitor")),
            ("[core]\nfsmonitor = 0", None),
            ("[CoRe]\nFsMonitor = ./x", Some("core.fsmonitor")),
            ("[core] ; c\n pager = sh -c x", Some("core.pager")),
            ("[pager]\nlog = x", Some("pager.*")),
            ("[pager]\nlog = false", None),
            ("[core]\nhooksPath = h", Some("core.hookspath")),
            ("[core]\nsshCommand = x", Some("core.sshcommand")),
            ("[diff]\nexternal = x", Some("diff.external")),
            ("[diff \"A B\"]\ntextconv = x", Some("diff.*.textconv")),
            ("[diff.a]\ncommand = x", Some("diff.*.command")),
            ("[diff]\nrenames = true", None),
            ("[filter \"lfs\"]\nprocess = x", Some("filter.*.process")),
            ("[filter \"lfs\"]\nrequired = true", None),
            ("[core]\nworktree = ../../../s", None),
            ("[include]\npath = /x", Some("include.path")),
            ("[includeIf \"gitdir:/x/\"]\npath = /x", Some("includeif.*.path")),
            ("[gpg \"ssh\"]\nprogram = x", Some("gpg.*.program")),
            ("[credential]\nhelper = !x", Some("credential.helper")),
            ("[credential \"https://x\"]\nhelper = x", Some("credential.*.helper")),
            ("[remote \"o\"]\nurl = ext::sh -c x", Some("remote helper")),
            ("[url \"ext::x\"]\ninsteadOf = y", Some("remote helper")),
            ("[log]\nshowSignature = true", None),
            ("[core\n", Some("no git configuration")),
            ("garbage", Some("no git configuration")),
        ] {
            let fs = MemoryFs::new().file_with("/p/.git/config", config);
            let found = git_config_runs_code(&fs, Path::new("/p/src/deep"));
            let as_expected = match (&found, expected) {
                (None, None) => true,
                (Some(why), Some(part)) => why.contains(part),
                (None, Some(_)) | (Some(_), None) => false,
            };
            assert!(as_expected, "{config:?}: {found:?}");
        }
    }

    #[test]
    fn the_repository_is_found_the_way_git_finds_it() {
        let evil = "[core]\nfsmonitor = x";
        let plain = || MemoryFs::new().file_with("/p/.git/config", ORDINARY);
        for (claim, fs, dir, reported) in [
            ("no repository", MemoryFs::new().dir("/p"), "/p", false),
            ("ordinary", plain(), "/p", false),
            (
                "inside .git",
                plain()
                    .file_with("/p/.git/config", evil)
                    .file("/p/.git/HEAD")
                    .dir("/p/.git/objects")
                    .dir("/p/.git/refs"),
                "/p/.git/info",
                true,
            ),
            (
                "gitdir file",
                plain()
                    .file_with("/p/s/.git", "gitdir: ../.git/modules/s\n")
                    .file_with("/p/.git/modules/s/config", evil),
                "/p/s",
                true,
            ),
            (
                "worktree's common directory",
                MemoryFs::new()
                    .file_with("/w/.git", "gitdir: /p/.git/worktrees/w")
                    .file_with("/p/.git/worktrees/w/commondir", "../..\n")
                    .file_with("/p/.git/config", evil),
                "/w",
                true,
            ),
            (
                "config.worktree",
                MemoryFs::new()
                    .file_with("/w/.git", "gitdir: /p/.git/worktrees/w")
                    .file_with("/p/.git/worktrees/w/commondir", "../..\n")
                    .file_with("/p/.git/worktrees/w/config.worktree", evil),
                "/w",
                true,
            ),
            ("embedded bare repository", plain().file("/p/b/HEAD").dir("/p/b/objects").dir("/p/b/refs"), "/p/b", true),
            (
                "gitdir file through a link",
                MemoryFs::new()
                    .file_with("/p/.git", "gitdir: l/../g")
                    .link("/p/l", "/e/x")
                    .dir("/e/x")
                    .file_with("/p/g/config", ORDINARY)
                    .file_with("/e/g/config", evil),
                "/p",
                true,
            ),
            ("only HEAD", plain().file("/p/b/HEAD"), "/p/b", false),
            ("garbage .git file", MemoryFs::new().file_with("/p/.git", "x"), "/p", true),
            (".git is a link", MemoryFs::new().link("/p/.git", "/x"), "/p", true),
            ("unreadable config", MemoryFs::new().forbidden("/p/.git/config"), "/p", true),
            ("unreadable .git", MemoryFs::new().forbidden("/p/.git"), "/p", true),
            ("executable hook", plain().program("/p/.git/hooks/post-index-change", "x"), "/p", true),
            ("hook that is no program", plain().file("/p/.git/hooks/post-index-change"), "/p", false),
            ("hook of writes", plain().program("/p/.git/hooks/pre-commit", "x"), "/p", false),
        ] {
            assert_eq!(git_config_runs_code(&fs, Path::new(dir)).is_some(), reported, "{claim}");
        }
    }
}
