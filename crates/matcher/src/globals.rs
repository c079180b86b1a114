//! Options that stand between a program and its subcommand, so that `git -C x push` is seen as `git push`.

/// The global options of one program.
pub(crate) struct GlobalOptions {
    pub(crate) program: &'static str,
    /// Those whose value is the next word. Any other leading option is one word.
    pub(crate) with_value: &'static [&'static str],
}

const fn row(program: &'static str, with_value: &'static [&'static str]) -> GlobalOptions {
    GlobalOptions { program, with_value }
}

const NPM: &[&str] = &[
    "--prefix",
    "-C",
    "--cwd",
    "--dir",
    "--workspace",
    "-w",
    "--registry",
    "--filter",
    "-F",
    "--loglevel",
    "--userconfig",
];
const CONTAINER: &[&str] = &[
    "--context",
    "-c",
    "-H",
    "--host",
    "--config",
    "-l",
    "--log-level",
    "--tlscacert",
    "--tlscert",
    "--tlskey",
    "--url",
    "--connection",
];
const KUBE: &[&str] = &[
    "-n",
    "--namespace",
    "--context",
    "--kubeconfig",
    "--cluster",
    "--user",
    "-s",
    "--server",
    "--token",
    "--as",
    "--as-group",
    "--request-timeout",
    "--cache-dir",
    "-v",
    "--kube-context",
    "--kube-apiserver",
    "--kube-token",
];

/// Source: the synopsis of each program's manual.
pub(crate) const GLOBAL_OPTIONS: &[GlobalOptions] = &[
    row(
        "git",
        &[
            "-C",
            "-c",
            "--git-dir",
            "--work-tree",
            "--namespace",
            "--super-prefix",
            "--config-env",
            "--attr-source",
            "--exec-path",
            "--list-cmds",
        ],
    ),
    row("jj", &["-R", "--repository", "--at-operation", "--color", "--config", "--config-file"]),
    row("hg", &["-R", "--repository", "--cwd", "--config", "--encoding"]),
    row("gh", &["-R", "--repo", "--hostname"]),
    row("glab", &["-R", "--repo"]),
    row("cargo", &["-C", "--config", "-Z", "--color", "--manifest-path", "--target-dir"]),
    row("go", &["-C"]),
    row("npm", NPM),
    row("pnpm", NPM),
    row("yarn", NPM),
    row("bun", NPM),
    row("make", &["-C", "-f", "-j", "-I", "-o", "-W", "--directory", "--file", "--jobs"]),
    row("docker", CONTAINER),
    row("podman", CONTAINER),
    row("nerdctl", CONTAINER),
    row("kubectl", KUBE),
    row("oc", KUBE),
    row("helm", KUBE),
    row("terraform", &[]),
    row("tofu", &[]),
    row("aws", &["--profile", "--region", "--output", "--endpoint-url", "--query", "--ca-bundle", "--color"]),
    row(
        "gcloud",
        &["--project", "--account", "--configuration", "--format", "--verbosity", "--impersonate-service-account"],
    ),
    row("az", &["--subscription", "--output", "-o", "--query"]),
    row("systemctl", &["-H", "--host", "-M", "--machine", "-t", "--type", "--root", "-n", "-o"]),
    row("apt", &["-o", "-c", "-t"]),
    row("apt-get", &["-o", "-c", "-t"]),
    row("pip", &["--proxy", "--cache-dir", "--log", "--python"]),
    row("pip3", &["--proxy", "--cache-dir", "--log", "--python"]),
];

/// How many words after the program are global options.
pub(crate) fn leading(program: &str, words: &[&str]) -> usize {
    let Some(row) = GLOBAL_OPTIONS.iter().find(|row| row.program == program) else { return 0 };
    let mut count = 0usize;
    while let Some(word) = words.get(count) {
        // rustup: `cargo +nightly build`.
        let option = word.starts_with('-') || (program == "cargo" && word.starts_with('+'));
        if !option || *word == "--" {
            break;
        }
        count = count.saturating_add(if row.with_value.contains(word) { 2 } else { 1 });
    }
    count.min(words.len())
}

#[cfg(test)]
mod tests {
    use super::leading;

    #[test]
    fn options_before_the_subcommand_are_counted_with_their_values() {
        let rows: &[(&str, &[&str], usize)] = &[
            ("git", &["-C", "x", "push"], 2),
            ("git", &["--no-pager", "-c", "a=b", "push", "-f"], 3),
            ("git", &["--git-dir=x", "push"], 1),
            ("git", &["push", "-C", "x"], 0),
            ("cargo", &["+nightly", "build"], 1),
            ("kubectl", &["-n", "prod", "delete", "pod"], 2),
            ("ls", &["-l", "x"], 0),
            ("git", &["-C"], 1),
        ];
        for (program, words, expected) in rows {
            assert_eq!(leading(program, words), *expected, "{program} {words:?}");
        }
    }
}
