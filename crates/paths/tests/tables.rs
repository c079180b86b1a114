//! The rows of `tests/data`: what each path is taken for.

use portcullis_paths::{
    Base, ControlFiles, DeniedPaths, MemoryFs, ProtectedPaths, ResolvedPath, Root, floor_target, floor_tree,
    glob_hits_root, glob_may_be_sensitive, resolve, root_kind, sensitive,
};

fn base() -> Base {
    let mut base = Base::new("/home/dev/proj", Some("/home/dev"));
    base.users.insert("dev".to_owned(), "/home/dev".into());
    base
}

fn disk() -> MemoryFs {
    MemoryFs::new()
        .dir("/home/dev/proj/src")
        .dir("/home/dev/.ssh/sub")
        .file("/home/dev/.ssh/id_rsa")
        .file("/home/dev/proj/other")
        .hard_link("/home/dev/proj/hard", "/home/dev/.ssh/id_rsa")
        .link("/home/dev/proj/l", "/home/dev/.ssh/sub")
        .link("/home/dev/proj/out", "/home/dev/.ssh")
        .link("/home/dev/proj/dangling", "../.ssh/new")
        .link("/alias", "/home/dev/.ssh")
}

fn control() -> ControlFiles {
    ControlFiles {
        files: vec!["/opt/gate/policy.json".into(), "/home/dev/.config/gate.json".into()],
        directories: vec!["/opt/gate/state".into()],
        ..ControlFiles::default()
    }
}

#[expect(clippy::panic, reason = "a test helper: a row that does not resolve is a broken row")]
fn at(typed: &str) -> ResolvedPath {
    resolve(&disk(), typed, &base()).unwrap_or_else(|error| panic!("{typed}: {error}"))
}

fn root_name(root: Root) -> String {
    match root {
        Root::Filesystem => "filesystem",
        Root::Home => "home",
        Root::System => "system",
    }
    .to_owned()
}

/// The built-in list of `autoMode.protectedPaths`, which lives with the settings.
const PROTECTED: &[&str] = &[
    // Directories
    ".git",
    ".config/git",
    ".vscode",
    ".idea",
    ".husky",
    ".cargo",
    ".devcontainer",
    ".yarn",
    ".mvn",
    ".pi",
    ".claude",
    ".portcullis",
    ".codex",
    ".gemini",
    ".cursor",
    ".onecode",
    ".github/workflows",
    // Git
    ".gitconfig",
    ".gitmodules",
    ".gitignore",
    ".gitattributes",
    // Bash
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_aliases",
    ".bash_logout",
    // Zsh
    ".zshrc",
    ".zprofile",
    ".zshenv",
    ".zlogin",
    ".zlogout",
    // Other shells
    ".profile",
    ".envrc",
    // Package managers
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnp.cjs",
    ".pnp.loader.mjs",
    ".pnpmfile.cjs",
    // Bun
    "bunfig.toml",
    ".bunfig.toml",
    // Bazel
    ".bazelrc",
    ".bazelversion",
    ".bazeliskrc",
    // Hooks
    ".pre-commit-config.yaml",
    "lefthook.yml",
    "lefthook.yaml",
    ".lefthook.yml",
    ".lefthook.yaml",
    // Wrappers
    "gradle-wrapper.properties",
    "maven-wrapper.properties",
    // Other control files
    ".devcontainer.json",
    ".ripgreprc",
    "pyrightconfig.json",
    ".mcp.json",
    ".claude.json",
];

#[test]
fn every_path_of_the_table_is_what_its_row_says() {
    let base = base();
    let list: Vec<String> = PROTECTED.iter().map(|entry| (*entry).to_owned()).collect();
    let protected = ProtectedPaths::new(&list);
    let mut wrong = Vec::new();
    for row in include_str!("data/classes.txt").lines().filter(|row| !row.is_empty() && !row.starts_with('#')) {
        let [class, typed, expected, _why] = row.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("four columns: {row}")
        };
        let found = match class {
            "protected" => protected.matches(&at(typed), &base).map(str::to_owned),
            "sensitive" => sensitive(&at(typed), &base).map(|row| row.id.to_owned()),
            "floor" => floor_target(&at(typed), &base, &control()).map(|hit| hit.id.to_owned()),
            "tree" => floor_tree(&at(typed), &base, &control()).map(|hit| hit.id.to_owned()),
            "root" => root_kind(&at(typed), &base).map(root_name),
            "rootglob" => glob_hits_root(typed, &base).map(root_name),
            "sensitiveglob" => glob_may_be_sensitive(typed, &base).map(|row| row.id.to_owned()),
            other => panic!("unknown class {other}"),
        };
        let found = found.as_deref().unwrap_or("-");
        if found != expected {
            wrong.push(format!("{row}\n    found {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_denied_row_is_denied_or_not_as_it_says() {
    let mut wrong = Vec::new();
    for line in include_str!("data/denied.jsonl").lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| row[key].as_str();
        let pattern = text("pattern").unwrap().to_owned();
        let (denied, _) = DeniedPaths::compile(&[pattern], &base(), &disk());
        let hit = match (text("path"), text("scope"), text("glob")) {
            (Some(path), None, None) => denied.matches(&at(path)),
            (None, Some(scope), None) => denied.scope_may_contain(&at(scope)),
            (None, None, Some(glob)) => denied.glob_may_match(glob),
            _ => panic!("one of path, scope, glob: {line}"),
        };
        if hit.is_some() != row["denied"].as_bool().unwrap() {
            wrong.push(format!("{line}\n    found {hit:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_pattern_that_cannot_match_is_reported_with_the_likely_fix() {
    for (pattern, hint, reported) in [
        ("secrets/**", Some("**/secrets/**"), true),
        ("./secrets", Some("**/secrets"), true),
        ("", None, true),
        ("$defaults", None, true),
        ("!/x", None, true),
        ("~nobody/x", None, true),
        ("/x/{a,b}", Some("write `*`, or one entry for each name"), true),
        ("~/.ssh/**", None, false),
        ("${HOME}/{x}", None, false),
        ("/p/[id]", None, false),
        ("**/x", None, false),
    ] {
        let (_, problems) = DeniedPaths::compile(&[pattern.to_owned()], &base(), &disk());
        assert_eq!(!problems.is_empty(), reported, "{pattern}");
        assert_eq!(problems.first().and_then(|problem| problem.hint.as_deref()), hint, "{pattern}");
    }
    let long = format!("/{}", "é".repeat(4096));
    let (denied, problems) = DeniedPaths::compile(&[long, "/x".to_owned()], &base(), &disk());
    assert_eq!((problems.len(), denied.patterns().map(|(index, _)| index).collect::<Vec<_>>()), (1, vec![1]));
}

#[test]
fn a_floor_file_that_is_a_link_is_floor_under_both_names() {
    let fs = MemoryFs::new()
        .file("/home/dev/dotfiles/zshrc")
        .file("/home/dev/dotfiles/vimrc")
        .link("/home/dev/.zshrc", "dotfiles/zshrc")
        .file("/home/dev/.bashrc")
        .hard_link("/home/dev/proj/b", "/home/dev/.bashrc")
        .file("/opt/gate/policy.json")
        .hard_link("/home/dev/proj/p", "/opt/gate/policy.json");
    let control = control().located(&fs, &base());
    for (typed, expected) in [
        ("~/.zshrc", Some("shell-profile")),
        ("~/dotfiles/zshrc", Some("shell-profile")),
        ("~/dotfiles/vimrc", None),
        ("b", Some("shell-profile")),
        ("p", Some("gate-control")),
        ("c", None),
    ] {
        let path = resolve(&fs, typed, &base()).unwrap();
        assert_eq!(floor_target(&path, &base(), &control).map(|hit| hit.id), expected, "{typed}");
    }
}

#[test]
fn rows_of_the_tables_are_written_folded_and_once() {
    let floor = portcullis_paths::FLOOR_ROWS.iter().flat_map(|row| row.paths.iter().map(|path| (row.id, *path)));
    let secret = portcullis_paths::SENSITIVE_ROWS
        .iter()
        .flat_map(|row| row.paths.iter().chain(row.except).map(|path| (row.id, *path)));
    let mut seen = std::collections::BTreeSet::new();
    for (id, path) in floor.chain(secret) {
        assert_eq!(path, path.to_lowercase(), "{id}");
        assert!(seen.insert((id, path)), "{id} {path} twice");
    }
}
