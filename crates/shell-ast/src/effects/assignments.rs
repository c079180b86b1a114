//! Assignments: which variables change what a program does.

use super::EffectKind;
use super::judge::Judge;

/// A variable, and why it matters or not.
struct Known {
    name: &'static str,
    reason: &'static str,
}

const fn known(name: &'static str, reason: &'static str) -> Known {
    Known { name, reason }
}

/// Variables that are harmless in front of any command. A trailing `*` stands for any rest.
const HARMLESS: &[Known] = &[
    known("CI", "tools print less and ask nothing"),
    known("CLICOLOR", "colours"),
    known("CLICOLOR_FORCE", "colours"),
    known("COLORTERM", "colours"),
    known("COLUMNS", "width of the output"),
    known("FORCE_COLOR", "colours"),
    known("GH_NO_UPDATE_NOTIFIER", "gh(1): no update check"),
    known("GH_PROMPT_DISABLED", "gh(1): no prompts"),
    known("GIT_OPTIONAL_LOCKS", "git(1): no optional locks, so less is written"),
    known("GIT_TERMINAL_PROMPT", "git(1): no prompts on the terminal"),
    known("GREP_COLOR", "colours"),
    known("GREP_COLORS", "colours"),
    known("IFS", "bash splits input by it; word splitting of operands is taken as unknown anyway"),
    known("LANG", "language and encoding of messages; locales are data"),
    known("LANGUAGE", "language of messages"),
    known("LC_*", "language and encoding of messages; locales are data"),
    known("LINES", "height of the output"),
    known("LS_COLORS", "colours"),
    known("NO_COLOR", "colours"),
    known("TERM", "kind of terminal"),
    known("TZ", "time zone; a file name in it is only read as a zone table"),
];

/// Variables whose assignment can make a later command run or load something else. A trailing `*` stands for any rest.
const DANGEROUS: &[Known] = &[
    known("BASH_*", "bash runs or loads what BASH_ENV and its like name"),
    known("BROWSER", "names a program to run"),
    known("BUN_*", "changes what bun loads"),
    known("CARGO*", "changes what cargo runs (CARGO_BUILD_RUSTC_WRAPPER …)"),
    known("CDPATH", "changes where `cd` goes"),
    known("CLASSPATH", "changes what java loads"),
    known("COMSPEC", "names a program to run"),
    known("CURL_*", "changes where curl takes settings from"),
    known("DENO_*", "changes what deno loads"),
    known("DOCKER_*", "points docker to another daemon"),
    known("DYLD_*", "loads code into every program"),
    known("EDITOR", "names a program to run"),
    known("ENV", "sh runs the file it names"),
    known("EXECIGNORE", "changes which programs are found"),
    known("FIGNORE", "changes completion"),
    known("FCEDIT", "names a program to run"),
    known("FPATH", "names where functions are loaded from"),
    known("GCONV_PATH", "loads code into programs that convert text"),
    known("GH_*", "changes host, account or programs of gh"),
    known("GIT_*", "changes programs, configuration or repository of git"),
    known("GLOBIGNORE", "changes what globs expand to"),
    known("GO*", "changes what go runs (GOFLAGS, GOTOOLCHAIN …)"),
    known("HISTFILE", "bash writes its history there"),
    known("HOME", "programs take their settings from another place"),
    known("HTTPS_PROXY", "sends requests to another host"),
    known("HTTP_PROXY", "sends requests to another host"),
    known("ALL_PROXY", "sends requests to another host"),
    known("all_proxy", "sends requests to another host"),
    known("http_proxy", "sends requests to another host"),
    known("https_proxy", "sends requests to another host"),
    known("JAVA_*", "changes what java loads"),
    known("JDK_*", "changes what java loads"),
    known("KUBECONFIG", "kubectl's configuration can name a program to run"),
    known("KUBE*", "changes programs of kubectl"),
    known("LD_*", "loads code into every program"),
    known("LESS*", "LESSOPEN names a program to run"),
    known("LOCPATH", "loads locale files from another place"),
    known("LUA_*", "changes what lua runs"),
    known("MAKE*", "changes what make runs"),
    known("MANPAGER", "names a program to run"),
    known("NLSPATH", "loads message files from another place"),
    known("NODE_*", "changes what node loads or how it checks certificates"),
    known("NPM_*", "changes what npm runs"),
    known("npm_*", "changes what npm runs"),
    known("OLDPWD", "changes where `cd -` goes"),
    known("OPENSSL_*", "loads engines"),
    known("PAGER", "names a program to run"),
    known("PATH", "changes which programs run"),
    known("PERL*", "changes what perl loads"),
    known("PIP_*", "changes where pip gets packages"),
    known("POSIXLY_CORRECT", "changes how programs read their options"),
    known("PROMPT_COMMAND", "bash runs it"),
    known("PS0", "bash expands it"),
    known("PS1", "bash expands it"),
    known("PS2", "bash expands it"),
    known("PS4", "bash expands it"),
    known("PWD", "changes what relative paths are taken for"),
    known("PYTHON*", "changes what python loads"),
    known("RIPGREP_CONFIG_PATH", "its file can hold --pre"),
    known("RUBY*", "changes what ruby loads"),
    known("RUST*", "changes what cargo and rustup run"),
    known("SHELL", "names a program to run"),
    known("SHELLOPTS", "changes how bash reads"),
    known("SSH_*", "names programs to run"),
    known("SSL_*", "changes certificate checks"),
    known("SUDO_*", "names programs to run"),
    known("TAR_OPTIONS", "options for every tar"),
    known("TERMINFO*", "loads terminal descriptions from another place"),
    known("TF_*", "changes what terraform runs"),
    known("TMPDIR", "programs write their temporary files there"),
    known("VISUAL", "names a program to run"),
    known("XDG_*", "programs take their settings from another place"),
    known("ZDOTDIR", "zsh runs files there"),
    known("AWS_*", "points aws to another account, endpoint or programs"),
    known("AZURE_*", "points az to another account or endpoint"),
    known("CLOUDSDK_*", "points gcloud to another account, endpoint or programs"),
    known("HELM_*", "changes programs of helm"),
    known("UV_*", "changes what uv runs"),
    known("YARN_*", "changes what yarn runs"),
    known("COREPACK_*", "changes what corepack runs"),
    known("BAT_*", "changes the pager of bat"),
    known("JQ_*", "changes jq"),
    known("GREP_OPTIONS", "options for every grep"),
    known("GNUTLS_*", "changes certificate checks"),
    known("REQUESTS_CA_BUNDLE", "changes certificate checks"),
];

fn lookup(table: &'static [Known], name: &str) -> Option<&'static str> {
    table
        .iter()
        .find(|row| match row.name.strip_suffix('*') {
            Some(prefix) => name.starts_with(prefix),
            None => row.name == name,
        })
        .map(|row| row.reason)
}

/// Why assigning this variable, for the rest of the script, is not harmless.
pub(super) fn danger(name: &str) -> Option<&'static str> {
    lookup(HARMLESS, name).map_or_else(|| lookup(DANGEROUS, name), |_| None)
}

/// Why this variable can't stand in front of a command that is to be read-only.
pub(super) fn not_harmless(name: &str) -> Option<&'static str> {
    if lookup(HARMLESS, name).is_some() {
        return None;
    }
    Some(danger(name).unwrap_or("it may change what the command does"))
}

/// Leading assignments of a command, and assignments that stand alone.
pub(super) fn judge(judge: &mut Judge<'_>) {
    let command = judge.command;
    let alone = command.words.is_empty();
    for assignment in &command.assignments {
        let name = &assignment.name;
        // In front of a command only names known to be harmless: the program may read any variable. On its own a
        // variable that is not exported changes only the shell.
        let reason = if alone { danger(name) } else { not_harmless(name) };
        if let Some(reason) = reason {
            judge.raise(EffectKind::Unknown, format!("sets `{name}`: {reason}"));
        }
    }
}
