//! The gate itself, and agents without one.

use super::{FloorRule, Program, Subject};

pub(super) const RULE: FloorRule = FloorRule {
    id: "gate-off",
    summary: "switches the gate off, loosens it, or starts an agent that asks nobody",
    source: "spec 60-gate; the agents' own command-line references",
    check,
};

/// Our own commands that only look.
const LOOKS: &[&str] =
    &["check", "explain", "config", "defaults", "status", "denials", "log", "doctor", "completions", "help", "hook"];

/// Flags with which an agent runs unasked, and who has them.
const UNASKED: &[(&str, &[&str])] = &[
    ("claude", &["--dangerously-skip-permissions", "--allow-dangerously-skip-permissions"]),
    ("codex", &["--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust", "--yolo"]),
    ("gemini", &["--yolo", "-y"]),
    ("qwen", &["--yolo", "-y"]),
    ("cursor-agent", &["--force", "-f"]),
    ("copilot", &["--allow-all-tools", "--allow-all-paths"]),
    ("pi", &["-ne", "--no-extensions"]),
    ("opencode", &["--dangerously-skip-permissions"]),
];

/// Programs that start a package's program: the flag decides there, whatever the package is called.
const RUNNERS: &[&str] = &["npx", "bunx", "pnpx", "pnpm", "yarn", "npm", "bun", "uvx", "deno"];

/// Flags that no ordinary program has.
const UNMISTAKABLE: &[&str] = &[
    "--dangerously-skip-permissions",
    "--allow-dangerously-skip-permissions",
    "--dangerously-bypass-approvals-and-sandbox",
    "--dangerously-bypass-hook-trust",
];

fn check(subject: &Subject<'_>) -> Option<String> {
    let variable = subject.assignments().find(|(name, _)| name.starts_with("PORTCULLIS_"));
    if let Some((name, _)) = variable {
        return Some(format!("sets `{name}`, which configures the gate"));
    }
    subject.programs.iter().find_map(by_program)
}

fn by_program(program: &Program<'_>) -> Option<String> {
    let name = program.name.as_str();
    if name == "portcullis" {
        return own(program);
    }
    if matches!(name, "pkill" | "killall" | "kill") && program.known().any(|word| word.contains("portcullis")) {
        return Some("kills the gate".to_owned());
    }
    let bypass = |values: &[&str]| {
        program
            .values_of(None, "--permission-mode")
            .chain(program.values_of(None, "--approval-mode"))
            .any(|mode| values.iter().any(|value| mode.eq_ignore_ascii_case(value)))
    };
    // codex: `-s danger-full-access` is the sandbox half of the same flag (Codex CLI reference, "Sandbox").
    let unboxed = name == "codex"
        && program.values_of(Some("-s"), "--sandbox").any(|value| value.eq_ignore_ascii_case("danger-full-access"));
    let flags = UNASKED.iter().find(|(agent, _)| *agent == name).map(|(_, flags)| *flags);
    let unasked = unboxed
        || match flags {
            Some(flags) => program.has(flags) || bypass(&["bypassPermissions", "yolo"]),
            None => RUNNERS.contains(&name) && program.has(UNMISTAKABLE),
        };
    unasked.then(|| format!("starts an agent that asks nobody (`{name}`)"))
}

/// `portcullis off`, `allow`, `trust`, `uninstall` … from inside a session.
fn own(program: &Program<'_>) -> Option<String> {
    let verb = program.operands().next().unwrap_or_default();
    let edits = verb == "config" && program.operands().nth(1) == Some("edit");
    let looks = verb.is_empty() || LOOKS.contains(&verb);
    // A word that can't be told may be any command.
    let unknown = program.args.iter().any(Option::is_none) && verb.is_empty();
    (edits || unknown || !looks).then(|| format!("changes the gate itself (`portcullis {verb}`)"))
}
