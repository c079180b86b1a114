//! What makes code run later or at every start.

use super::{FloorRule, Program, Subject};

pub(super) const RULE: FloorRule = FloorRule {
    id: "persistence",
    summary: "makes code run later or at every start: cron, at, launch agents, services, login items",
    source: "MITRE ATT&CK T1053, T1543, T1547; crontab(1), at(1), systemctl(1), launchctl(1)",
    check,
};

/// A program that persists, and how to tell that this call of it does.
struct Row {
    program: &'static str,
    persists: fn(&Program<'_>) -> bool,
}

/// Asking a program what it is.
const HELP: &[&str] = &["--help", "-h", "-V", "--version"];

const ROWS: &[Row] = &[
    // crontab(1): without operands it installs what it reads from standard input.
    Row { program: "crontab", persists: |program| !lists_only(program, 'l', "u") && !program.has(HELP) },
    // at(1): -l lists, -c shows, -d and -r remove, -V is the version; anything else reads a job.
    Row {
        program: "at",
        persists: |program| !program.known().any(|word| matches!(word, "-l" | "-c" | "-d" | "-r" | "-V")),
    },
    Row { program: "batch", persists: |_| true },
    Row { program: "launchctl", persists: |program| verb(program, &["load", "bootstrap", "enable", "submit"]) },
    Row {
        program: "systemctl",
        persists: |program| {
            verb(
                program,
                &[
                    "enable",
                    "disable",
                    "reenable",
                    "preset",
                    "preset-all",
                    "mask",
                    "unmask",
                    "link",
                    "edit",
                    "set-default",
                    "add-wants",
                    "add-requires",
                ],
            )
        },
    },
    Row { program: "systemd-run", persists: |program| program.known().any(|word| word.starts_with("--on-")) },
    Row { program: "loginctl", persists: |program| verb(program, &["enable-linger"]) },
    Row { program: "update-rc.d", persists: |program| program.operands().next().is_some() },
    Row { program: "chkconfig", persists: |program| program.has(&["on", "--add", "off", "--del"]) },
    Row { program: "rc-update", persists: |program| verb(program, &["add", "del", "delete"]) },
    Row {
        program: "osascript",
        persists: |program| program.known().any(|word| word.to_ascii_lowercase().contains("login item")),
    },
    Row {
        program: "schtasks",
        persists: |program| {
            program.known().any(|word| word.eq_ignore_ascii_case("/create") || word.eq_ignore_ascii_case("/change"))
        },
    },
    Row { program: "sc", persists: |program| verb(program, &["create", "config"]) },
    Row {
        program: "reg",
        persists: |program| {
            verb(program, &["add"])
                && program.known().any(|word| word.to_ascii_lowercase().contains("currentversion\\run"))
        },
    },
];

fn check(subject: &Subject<'_>) -> Option<String> {
    subject.programs.iter().find_map(|program| {
        let row = ROWS.iter().find(|row| row.program == program.name)?;
        (row.persists)(program).then(|| format!("makes something run later or at every start (`{}`)", program.name))
    })
}

/// The first operand is one of these: options before it (`systemctl --user enable x`) don't matter.
fn verb(program: &Program<'_>, verbs: &[&str]) -> bool {
    program.operands().next().is_some_and(|operand| verbs.contains(&operand))
        // An option's value may stand before the verb (`systemctl --host x enable y`), so the second counts too.
        || program.operands().nth(1).is_some_and(|operand| verbs.contains(&operand) && program.known().next().is_some_and(|word| word.starts_with('-')))
}

/// Every option is the listing one (and those in `also`, with their values).
fn lists_only(program: &Program<'_>, letter: char, also: &str) -> bool {
    let mut options = program.known().filter(|word| word.starts_with('-') && word.len() > 1).peekable();
    options.peek().is_some()
        && program.known().any(|word| super::in_cluster(word, letter, also))
        && options.all(|word| {
            word.chars().skip(1).all(|c| c == letter || also.contains(c))
                || also.chars().any(|c| word.starts_with(&format!("-{c}")))
        })
}
