//! Which assignments before a command change what runs.

use portcullis_shell_ast::{Analysis, Assignment, Command, Word};

/// A variable, or with a trailing `*` a family, that decides what is executed.
struct Variable {
    name: &'static str,
    reason: &'static str,
}

const fn var(name: &'static str, reason: &'static str) -> Variable {
    Variable { name, reason }
}

const LOADER: &str = "the loader runs code from the file that it names";
const PROGRAM: &str = "it names a program or options that another program runs";
const STARTUP: &str = "the interpreter runs code that it names before the script";
const SHELL: &str = "bash itself uses it to find or run commands";
const TLS: &str = "it turns certificate checks off or adds trusted certificates";

/// No rule allows a command with one of these. Sources: bash manual "Shell Variables", ld.so(8), git(1), and the manual of
/// each interpreter.
const NEVER: &[Variable] = &[
    var("PATH", SHELL),
    var("IFS", SHELL),
    var("ENV", SHELL),
    var("BASH*", SHELL),
    var("SHELLOPTS", SHELL),
    var("PS0", SHELL),
    var("PS1", SHELL),
    var("PS2", SHELL),
    var("PS4", SHELL),
    var("PROMPT_COMMAND", SHELL),
    var("CDPATH", SHELL),
    var("SHELL", SHELL),
    var("HOME", "programs read their configuration, which can run commands, from it"),
    var("XDG_*", "programs read their configuration, which can run commands, from it"),
    var("LD_*", LOADER),
    var("DYLD_*", LOADER),
    var("GCONV_PATH", LOADER),
    var("GLIBC_TUNABLES", LOADER),
    var("OPENSSL_*", LOADER),
    var("GTK_MODULES", LOADER),
    var("GIT_*", PROGRAM),
    var("SSH_*", PROGRAM),
    var("*PAGER", PROGRAM),
    var("*EDITOR", PROGRAM),
    var("VISUAL", PROGRAM),
    var("BROWSER", PROGRAM),
    var("LESS*", PROGRAM),
    var("MAN*", PROGRAM),
    var("MAKEFLAGS", PROGRAM),
    var("MFLAGS", PROGRAM),
    var("RUSTC*", PROGRAM),
    var("RUSTFLAGS", PROGRAM),
    var("RUSTDOC*", PROGRAM),
    var("CARGO*", PROGRAM),
    var("CC", PROGRAM),
    var("CXX", PROGRAM),
    var("GOFLAGS", PROGRAM),
    var("GOROOT", PROGRAM),
    var("TAR_OPTIONS", PROGRAM),
    var("RSYNC_RSH", PROGRAM),
    var("FZF_*", PROGRAM),
    var("RIPGREP_CONFIG_PATH", PROGRAM),
    var("NPM_CONFIG_*", PROGRAM),
    var("YARN_*", PROGRAM),
    var("PIP_*", PROGRAM),
    var("UV_*", PROGRAM),
    var("DOCKER_*", PROGRAM),
    var("KUBECONFIG", PROGRAM),
    var("AWS_*", PROGRAM),
    var("TF_*", PROGRAM),
    var("NODE_OPTIONS", STARTUP),
    var("NODE_PATH", STARTUP),
    var("NODE_TLS_REJECT_UNAUTHORIZED", TLS),
    var("NODE_EXTRA_CA_CERTS", TLS),
    var("SSL_*", TLS),
    var("CURL_*", TLS),
    var("REQUESTS_CA_BUNDLE", TLS),
    var("*_PROXY", "it sends requests through a host that it names"),
    var("PYTHON*", STARTUP),
    var("PERL*", STARTUP),
    var("RUBY*", STARTUP),
    var("GEM_*", STARTUP),
    var("BUNDLE_*", STARTUP),
    var("PHP*", STARTUP),
    var("LUA_*", STARTUP),
    var("R_*", STARTUP),
    var("JAVA_TOOL_OPTIONS", STARTUP),
    var("_JAVA_OPTIONS", STARTUP),
    var("JDK_JAVA_OPTIONS", STARTUP),
    var("CLASSPATH", STARTUP),
    var("MAVEN_*", STARTUP),
    var("GRADLE_*", STARTUP),
    var("DENO_*", STARTUP),
    var("BUN_*", STARTUP),
    var("ZDOTDIR", STARTUP),
    var("VIM*", STARTUP),
    var("EMACS*", STARTUP),
    var("AWKPATH", STARTUP),
    var("AWKLIBPATH", STARTUP),
];

/// Assignments that a rule for the command alone covers: they change wording, colour, time zone or the amount of output.
const HARMLESS: &[&str] = &[
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_NUMERIC",
    "LC_TIME",
    "TZ",
    "TERM",
    "COLUMNS",
    "LINES",
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLORTERM",
    "CI",
    "DEBUG",
    "VERBOSE",
    "RUST_LOG",
    "RUST_BACKTRACE",
    "NODE_ENV",
    "RAILS_ENV",
    "RACK_ENV",
    "APP_ENV",
    "GOOS",
    "GOARCH",
    "CGO_ENABLED",
    "CARGO_TERM_COLOR",
    "PYTHONUNBUFFERED",
    "PYTHONDONTWRITEBYTECODE",
    "PORT",
];

fn matches(pattern: &str, name: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(end), _) => name.ends_with(end),
        (None, Some(start)) => name.starts_with(start),
        (None, None) => name == pattern,
    }
}

fn never(name: &str) -> Option<&'static str> {
    // npm reads `npm_config_*` and programs read `http_proxy`, in either case.
    let name = name.to_ascii_uppercase();
    if HARMLESS.contains(&name.as_str()) {
        return None;
    }
    NEVER.iter().find(|row| matches(row.name, &name)).map(|row| row.reason)
}

/// The assignment needs no mention in an allow pattern.
pub(crate) fn is_harmless(assignment: &Assignment) -> bool {
    HARMLESS.contains(&assignment.name.as_str()) && assignment.value.is_some()
}

/// Builtins that assign to the variables that their arguments name (bash manual, "Bash Builtins").
const ASSIGNING: &[&str] =
    &["export", "declare", "typeset", "readonly", "local", "read", "mapfile", "readarray", "getopts", "let"];

/// Builtins that assign only to the value of one option: `printf -v`, `wait -p`.
const ASSIGNING_BY_OPTION: &[(&str, &str)] = &[("printf", "-v"), ("wait", "-p")];

/// The first assignment of the script that changes what runs, and why.
pub(crate) fn first_dangerous(analysis: &Analysis) -> Option<(String, &'static str)> {
    analysis.commands.iter().find_map(dangerous)
}

fn dangerous(command: &Command) -> Option<(String, &'static str)> {
    let leading = command.assignments.iter().find_map(|item| Some((item.name.clone(), never(&item.name)?)));
    if leading.is_some() {
        return leading;
    }
    command.words.iter().find_map(|word| expanded(&word.raw)).or_else(|| named(command))
}

/// The variable that a builtin assigns to.
fn named(command: &Command) -> Option<(String, &'static str)> {
    let mut words = command.words.iter();
    let program = words.next()?.literal()?;
    if let Some((_, option)) = ASSIGNING_BY_OPTION.iter().find(|(name, _)| *name == program) {
        let word = words.find(|word| word.literal_prefix().starts_with(option))?;
        return match word.literal().filter(|text| text.len() > option.len()) {
            Some(text) => target(text.get(option.len()..).unwrap_or_default()),
            None => words.next().and_then(|word| of_word(word)),
        };
    }
    if ASSIGNING.contains(&program.as_str()) { words.find_map(of_word) } else { None }
}

fn of_word(word: &Word) -> Option<(String, &'static str)> {
    let text = word.literal_prefix();
    // `export $x`: the text of the variable names what is assigned.
    if word.is_dynamic() && !text.contains('=') {
        return Some((word.raw.clone(), "which variable it sets is not known"));
    }
    target(&text)
}

fn target(text: &str) -> Option<(String, &'static str)> {
    let name = text.split(['=', '+', '[']).next().unwrap_or_default();
    Some((name.to_owned(), never(name)?))
}

/// `${NAME:=value}` and `${NAME=value}` assign too (bash manual, "Shell Parameter Expansion").
fn expanded(raw: &str) -> Option<(String, &'static str)> {
    raw.split("${").skip(1).find_map(|text| {
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
        let (name, rest) = text.split_at_checked(end)?;
        let assigns = rest.strip_prefix(':').unwrap_or(rest).starts_with('=');
        if assigns { Some((name.to_owned(), never(name)?)) } else { None }
    })
}
