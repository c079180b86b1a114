//! The operating system's own guards.

use super::{FloorRule, Program, Subject};

pub(super) const RULE: FloorRule = FloorRule {
    id: "platform-security",
    summary: "switches off platform security or adds trusted certificates",
    source: "csrutil(8), spctl(8), security(1), setenforce(8), update-ca-certificates(8)",
    check,
};

/// Program, words of which one must stand among the arguments (any case), and what that does.
const ROWS: &[(&str, &[&str], &str)] = &[
    ("csrutil", &["disable", "authenticated-root"], "switches off System Integrity Protection"),
    ("spctl", &["--master-disable", "--global-disable", "--disable", "--add"], "switches off or opens Gatekeeper"),
    (
        "security",
        &["add-trusted-cert", "remove-trusted-cert", "trust-settings-import", "authorizationdb"],
        "changes trusted certificates or authorisation",
    ),
    ("setenforce", &["0", "permissive"], "switches SELinux to permissive"),
    ("fdesetup", &["disable"], "switches off disk encryption"),
    ("trust", &["anchor"], "adds a trusted certificate"),
    ("aa-teardown", &[], "switches off AppArmor"),
    ("aa-disable", &[], "switches off an AppArmor profile"),
    ("aa-complain", &[], "switches off an AppArmor profile"),
    ("set-mppreference", &[], "changes Microsoft Defender"),
];

fn check(subject: &Subject<'_>) -> Option<String> {
    subject.programs.iter().find_map(by_program)
}

fn by_program(program: &Program<'_>) -> Option<String> {
    let name = program.name.to_ascii_lowercase();
    let (_, words, does) = ROWS.iter().find(|(row, _, _)| *row == name)?;
    let told = words.is_empty() || program.known().any(|word| words.iter().any(|row| word.eq_ignore_ascii_case(row)));
    told.then(|| format!("{does} (`{}`)", program.name))
}
