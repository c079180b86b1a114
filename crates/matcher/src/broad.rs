//! Allow rules that hand over arbitrary execution, so that no classifier would see what really runs.

use crate::ToolKind;
use crate::rule::Pattern;

/// Programs that run whatever their arguments or files say. With only wildcards after the name (and options), or after one
/// of the words in `runs`, a rule for them is broad.
pub(crate) struct BroadRow {
    pub(crate) program: &'static str,
    /// `[]`: any arguments run code. Otherwise only these subcommands or options do.
    pub(crate) runs: &'static [&'static str],
    pub(crate) reason: &'static str,
}

const INTERPRETER: &str = "an interpreter runs any code that its arguments or files hold";
const SHELL: &str = "a shell runs any command";
const WRAPPER: &str = "it runs the command in its arguments";
const AS_USER: &str = "it runs any command as another user";
const RUNNER: &str = "a package runner downloads and runs any package";
const BUILD: &str = "a build tool runs the scripts of the project";
const REMOTE: &str = "it runs commands on another machine or in a container";
const ANY: &[&str] = &[];
const RUN: &[&str] = &["run", "run-script", "exec", "x", "dlx", "create", "init", "test", "start", "explore"];

const fn row(program: &'static str, runs: &'static [&'static str], reason: &'static str) -> BroadRow {
    BroadRow { program, runs, reason }
}

/// Sources: seed 003's list, GTFOBins ("shell", "command"), and each program's manual.
pub(crate) const BROAD: &[BroadRow] = &[
    row("python", ANY, INTERPRETER),
    row("python2", ANY, INTERPRETER),
    row("python3", ANY, INTERPRETER),
    row("pypy", ANY, INTERPRETER),
    row("pypy3", ANY, INTERPRETER),
    row("ipython", ANY, INTERPRETER),
    row("node", ANY, INTERPRETER),
    row("nodejs", ANY, INTERPRETER),
    row("tsx", ANY, INTERPRETER),
    row("ts-node", ANY, INTERPRETER),
    row("deno", ANY, INTERPRETER),
    row("bun", ANY, INTERPRETER),
    row("ruby", ANY, INTERPRETER),
    row("irb", ANY, INTERPRETER),
    row("perl", ANY, INTERPRETER),
    row("php", ANY, INTERPRETER),
    row("lua", ANY, INTERPRETER),
    row("luajit", ANY, INTERPRETER),
    row("rscript", ANY, INTERPRETER),
    row("r", ANY, INTERPRETER),
    row("julia", ANY, INTERPRETER),
    row("tclsh", ANY, INTERPRETER),
    row("expect", ANY, INTERPRETER),
    row("osascript", ANY, INTERPRETER),
    row("java", ANY, INTERPRETER),
    row("groovy", ANY, INTERPRETER),
    row("scala", ANY, INTERPRETER),
    row("jshell", ANY, INTERPRETER),
    row("elixir", ANY, INTERPRETER),
    row("erl", ANY, INTERPRETER),
    row("ghci", ANY, INTERPRETER),
    row("runghc", ANY, INTERPRETER),
    row("gdb", ANY, INTERPRETER),
    row("sqlite3", ANY, "`.shell` and `.system` run commands"),
    row("psql", ANY, "`\\!` runs commands"),
    row("mysql", ANY, "`system` runs commands"),
    row("awk", ANY, "`system()` and pipes run commands"),
    row("gawk", ANY, "`system()` and pipes run commands"),
    row("mawk", ANY, "`system()` and pipes run commands"),
    row("nawk", ANY, "`system()` and pipes run commands"),
    row("sed", ANY, "GNU sed's `e` runs commands and `w` writes any file"),
    row("gsed", ANY, "GNU sed's `e` runs commands and `w` writes any file"),
    row("ed", ANY, "`!` runs commands"),
    row("ex", ANY, "`!` runs commands"),
    row("vi", ANY, "`:!` runs commands"),
    row("vim", ANY, "`:!` runs commands"),
    row("nvim", ANY, "`:!` runs commands"),
    row("emacs", ANY, "`--eval` runs code"),
    row("less", ANY, "`!` runs commands"),
    row("man", ANY, "the pager option runs commands"),
    row("bash", ANY, SHELL),
    row("sh", ANY, SHELL),
    row("dash", ANY, SHELL),
    row("ash", ANY, SHELL),
    row("zsh", ANY, SHELL),
    row("ksh", ANY, SHELL),
    row("mksh", ANY, SHELL),
    row("fish", ANY, SHELL),
    row("csh", ANY, SHELL),
    row("tcsh", ANY, SHELL),
    row("pwsh", ANY, SHELL),
    row("powershell", ANY, SHELL),
    row("cmd", ANY, SHELL),
    row("busybox", ANY, SHELL),
    row("tmux", ANY, SHELL),
    row("screen", ANY, SHELL),
    row("script", ANY, SHELL),
    row("eval", ANY, SHELL),
    row("source", ANY, SHELL),
    row(".", ANY, SHELL),
    row("trap", ANY, SHELL),
    row("exec", ANY, WRAPPER),
    row("command", ANY, WRAPPER),
    row("builtin", ANY, WRAPPER),
    row("env", ANY, WRAPPER),
    row("xargs", ANY, WRAPPER),
    row("parallel", ANY, WRAPPER),
    row("nohup", ANY, WRAPPER),
    row("setsid", ANY, WRAPPER),
    row("timeout", ANY, WRAPPER),
    row("time", ANY, WRAPPER),
    row("nice", ANY, WRAPPER),
    row("ionice", ANY, WRAPPER),
    row("taskset", ANY, WRAPPER),
    row("stdbuf", ANY, WRAPPER),
    row("watch", ANY, WRAPPER),
    row("flock", ANY, WRAPPER),
    row("entr", ANY, WRAPPER),
    row("strace", ANY, WRAPPER),
    row("ltrace", ANY, WRAPPER),
    row("chroot", ANY, WRAPPER),
    row("unshare", ANY, WRAPPER),
    row("nsenter", ANY, WRAPPER),
    row("systemd-run", ANY, WRAPPER),
    row("direnv", ANY, WRAPPER),
    row("mise", ANY, WRAPPER),
    row("asdf", ANY, WRAPPER),
    row("sudo", ANY, AS_USER),
    row("doas", ANY, AS_USER),
    row("su", ANY, AS_USER),
    row("pkexec", ANY, AS_USER),
    row("runuser", ANY, AS_USER),
    row("find", ANY, "`-exec` runs commands and `-delete` deletes"),
    row("fd", ANY, "`-x` runs commands"),
    row("fdfind", ANY, "`-x` runs commands"),
    row("git", ANY, "`-c`, aliases, hooks and pager options run commands"),
    row("tar", ANY, "`--to-command` and checkpoint actions run commands"),
    row("rsync", ANY, "`-e` runs commands"),
    row("zip", ANY, "`-TT` runs commands"),
    row("tee", ANY, "it writes any file"),
    row("dd", ANY, "it writes any file or device"),
    row("cp", ANY, "it writes any file"),
    row("mv", ANY, "it replaces any file"),
    row("ln", ANY, "it makes any path point anywhere"),
    row("install", ANY, "it writes any file"),
    row("curl", ANY, "it sends any file anywhere and writes any file"),
    row("wget", ANY, "it sends any file anywhere and writes any file"),
    row("nc", ANY, "it connects anything to anywhere"),
    row("ncat", ANY, "it connects anything to anywhere"),
    row("socat", ANY, "it connects anything to anywhere"),
    row("openssl", ANY, "engines and output options run and write anything"),
    row("npx", ANY, RUNNER),
    row("pnpx", ANY, RUNNER),
    row("bunx", ANY, RUNNER),
    row("uvx", ANY, RUNNER),
    row("pipx", ANY, RUNNER),
    row("npm", RUN, RUNNER),
    row("pnpm", RUN, RUNNER),
    row("yarn", RUN, RUNNER),
    row("uv", &["run", "tool", "x", "pip"], RUNNER),
    row("poetry", &["run", "shell"], RUNNER),
    row("pdm", &["run"], RUNNER),
    row("hatch", &["run", "shell"], RUNNER),
    row("pipenv", &["run", "shell"], RUNNER),
    row("conda", &["run"], RUNNER),
    row("nix", &["run", "shell", "develop"], RUNNER),
    row("nix-shell", ANY, RUNNER),
    row("bundle", &["exec"], RUNNER),
    row("composer", &["exec", "run-script"], RUNNER),
    row("pip", &["install", "download", "wheel"], "packages run code while they are installed"),
    row("pip3", &["install", "download", "wheel"], "packages run code while they are installed"),
    row("gem", &["install", "exec"], "packages run code while they are installed"),
    row("cargo", &["run", "install", "script"], BUILD),
    row("go", &["run", "install", "generate"], BUILD),
    row("dotnet", &["run", "exec", "script", "tool"], BUILD),
    row("make", ANY, BUILD),
    row("gmake", ANY, BUILD),
    row("just", ANY, BUILD),
    row("task", ANY, BUILD),
    row("ninja", ANY, BUILD),
    row("cmake", ANY, BUILD),
    row("bazel", &["run"], BUILD),
    row("mvn", ANY, BUILD),
    row("gradle", ANY, BUILD),
    row("gradlew", ANY, BUILD),
    row("ant", ANY, BUILD),
    row("rake", ANY, BUILD),
    row("docker", &["run", "exec", "build", "compose"], REMOTE),
    row("podman", &["run", "exec", "build"], REMOTE),
    row("nerdctl", &["run", "exec", "build"], REMOTE),
    row("kubectl", &["exec", "run", "debug", "apply"], REMOTE),
    row("oc", &["exec", "run", "rsh"], REMOTE),
    row("ssh", ANY, REMOTE),
    row("scp", ANY, REMOTE),
    row("sftp", ANY, REMOTE),
    row("ansible", ANY, REMOTE),
    row("vagrant", &["ssh"], REMOTE),
    row("gh", &["alias", "extension", "codespace"], "aliases and extensions run commands"),
    row("crontab", ANY, "it schedules commands"),
    row("at", ANY, "it schedules commands"),
    row("claude", ANY, "it starts another agent"),
    row("codex", ANY, "it starts another agent"),
    row("gemini", ANY, "it starts another agent"),
    row("pi", ANY, "it starts another agent"),
];

const SHELL_ANY: &str = "it allows any shell command";
const AGENT: &str = "it starts another agent with any task";

/// Why an allow rule is broad, if it is. Works on the rule's text: a rule without wildcards allows one exact call.
pub(crate) fn reason(
    kind: Option<ToolKind>,
    tool_glob: bool,
    pattern: &Pattern,
    body: Option<&str>,
) -> Option<&'static str> {
    if tool_glob && matches!(pattern, Pattern::All) && kind.is_none() {
        return Some("it allows tools that nobody named");
    }
    match kind? {
        ToolKind::Agent => Some(AGENT),
        ToolKind::Bash => match body {
            None => Some(SHELL_ANY),
            Some(body) => body.split(['&', '|', ';', '\n', '(', '{', '`']).find_map(|text| command(text, 8)),
        },
        ToolKind::Read
        | ToolKind::Write
        | ToolKind::Edit
        | ToolKind::NotebookEdit
        | ToolKind::Grep
        | ToolKind::Find
        | ToolKind::Ls
        | ToolKind::WebFetch
        | ToolKind::WebSearch
        | ToolKind::Mcp
        | ToolKind::Other => None,
    }
}

/// One command of a pattern.
fn command(text: &str, depth: usize) -> Option<&'static str> {
    let Some(depth) = depth.checked_sub(1) else { return Some(WRAPPER) };
    let text = crate::rule::words_star(text.trim());
    if !text.contains('*') {
        return None;
    }
    let mut words = text.split_whitespace().map(|word| word.trim_matches(['"', '\'', '\\']));
    let mut program = words.next()?;
    // Assignments come before the program.
    while program.contains('=') && !program.starts_with(['*', '=']) {
        program = words.next()?;
    }
    let program = program.rsplit('/').next().unwrap_or(program).to_lowercase();
    if let Some((head, _)) = program.split_once('*') {
        // `*`, `py*`, `s*`: the program itself is open. `git*` names one, with any arguments glued on.
        return BROAD
            .iter()
            .find(|row| {
                if head.len() < 3 { row.program.starts_with(head) } else { row.program == head && row.runs.is_empty() }
            })
            .map(|row| if head.is_empty() { SHELL_ANY } else { row.reason })
            .or_else(|| head.is_empty().then_some(SHELL_ANY));
    }
    let versionless = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let row = BROAD.iter().find(|row| row.program == program || row.program == versionless)?;
    // Words up to the first that is open. Options don't narrow what runs.
    let wraps = row.reason == WRAPPER || row.reason == AS_USER;
    // `status*` names a subcommand; `host*` and `bash*` leave the command behind it open.
    let open_behind = wraps || (row.reason == REMOTE && row.runs.is_empty());
    let mut fixed: Vec<&str> = Vec::new();
    for word in words {
        match word.split_once('*') {
            None => fixed.push(word),
            Some((head, _)) => {
                if !open_behind && head.len() > 1 && !head.starts_with('-') {
                    fixed.push(head);
                }
                break;
            }
        }
    }
    let mut plain = fixed.iter().enumerate().filter(|(_, word)| !word.starts_with('-'));
    let Some((_, first)) = plain.next() else {
        // `python *`, `bash -c *`, `npm *`: nothing but options before the wildcard.
        return Some(row.reason);
    };
    if row.runs.contains(first) {
        // `npm run *`; `docker exec web *`, where one word more names the place, not the command.
        let further = plain.count();
        return (further == 0 || (row.reason == REMOTE && further == 1)).then_some(row.reason);
    }
    if row.reason == REMOTE && row.runs.is_empty() {
        // `ssh host *`
        return plain.next().is_none().then_some(row.reason);
    }
    if !wraps {
        return None;
    }
    // `timeout 5 *`, `sudo -u bob *`, `flock file *`: the last fixed word is a value of the wrapper, the command is open.
    let (at, last) = fixed.iter().enumerate().next_back()?;
    let after_option = at.checked_sub(1).and_then(|before| fixed.get(before)).is_some_and(|word| word.starts_with('-'));
    if last.starts_with(|c: char| c.is_ascii_digit()) || last.starts_with('-') || after_option || row.program == "flock"
    {
        return Some(row.reason);
    }
    // The wrapped command may itself be open: `sudo bash *`, `timeout 5 python *`.
    (0..fixed.len().min(8)).find_map(|skip| {
        let tail: Vec<&str> = text.split_whitespace().skip(skip.saturating_add(1)).collect();
        command(&tail.join(" "), depth.min(2))
    })
}
