//! Builtins and programs that run their argument list, and those that build one.

use super::spec::Gives::{Joined, Options, WordsAndMore};
use super::spec::Purity::Effects;
use super::spec::Then::{Effect, Hidden, Stops};
use super::spec::{Assignments, Spec, Takes, flag, joined, stops, value};
use super::spec::Opt;

pub(crate) const SPECS: &[Spec] = &[
    Spec {
        id: "command",
        names: &["command"],
        options: &[flag('p', ""), stops('v', ""), stops('V', "")],
        source: "bash manual, Bash Builtins",
        ..Spec::WORDS
    },
    Spec { id: "builtin", names: &["builtin"], source: "bash manual, Bash Builtins", ..Spec::WORDS },
    Spec {
        id: "exec",
        names: &["exec"],
        options: &[flag('c', ""), flag('l', ""), value('a', "")],
        source: "bash manual, Bourne Shell Builtins",
        ..Spec::WORDS
    },
    Spec {
        id: "env",
        names: &["env", "genv"],
        options: &[
            flag('i', "ignore-environment"), flag('0', "null"), value('u', "unset"),
            value('C', "chdir").then(super::spec::Then::Directory), flag('v', "debug"), value('a', "argv0"),
            joined('\0', "block-signal"), joined('\0', "default-signal"), joined('\0', "ignore-signal"),
            flag('\0', "list-signal-handling"), stops('\0', "help"), stops('\0', "version"),
            // Handled in `env_split`, before the table is used.
            value('S', "split-string").then(Hidden),
            // BSD: path to search.
            value('P', "").then(Hidden),
        ],
        assignments: Assignments::Leading,
        source: "env(1)",
        ..Spec::WORDS
    },
    Spec {
        id: "xargs",
        names: &["xargs", "gxargs"],
        options: &[
            flag('0', "null"), value('a', "arg-file").then(Effect), value('d', "delimiter"), value('E', ""),
            joined('e', "eof"), value('I', ""), joined('i', "replace"), value('L', "max-lines"), joined('l', ""),
            value('n', "max-args"), flag('o', "open-tty"), value('P', "max-procs"), flag('p', "interactive"),
            value('\0', "process-slot-var"), flag('r', "no-run-if-empty"), value('s', "max-chars"), flag('\0', "show-limits"),
            flag('t', "verbose"), flag('x', "exit"), value('J', ""), value('R', ""), value('S', ""), stops('\0', "help"),
            stops('\0', "version"),
        ],
        gives: WordsAndMore,
        source: "xargs(1)",
        ..Spec::WORDS
    },
    Spec {
        id: "parallel",
        names: &["parallel"],
        options: &[
            flag('0', "null"), value('a', "arg-file").then(Effect), value('C', "colsep"), value('d', "delimiter"),
            value('I', ""), value('j', "jobs"), value('P', "max-procs"), flag('k', "keep-order"), value('L', "max-lines"),
            value('l', ""), value('N', "max-replace-args"), value('n', "max-args"), flag('m', ""), flag('X', ""),
            flag('q', "quote"), flag('r', "no-run-if-empty"), flag('t', "verbose"), flag('v', ""), flag('u', "ungroup"),
            flag('\0', "bar"), flag('\0', "eta"), flag('\0', "progress"), flag('\0', "dry-run"), flag('\0', "line-buffer"),
            flag('\0', "lb"), flag('\0', "will-cite"), flag('\0', "tag"), flag('\0', "no-notice"), value('\0', "halt"),
            value('\0', "retries"), value('\0', "timeout"), value('\0', "delay"), value('\0', "load"), value('\0', "memfree"),
            value('\0', "joblog").then(Effect), value('\0', "results").then(Effect), value('S', "sshlogin").then(Effect),
            flag('\0', "pipe"), value('\0', "block"), stops('h', "help"), stops('V', "version"),
        ],
        gives: Joined,
        purity: Effects,
        source: "parallel(1)",
        ..Spec::WORDS
    },
    // BusyBox runs the applet named by its first argument.
    Spec {
        id: "busybox",
        names: &["busybox", "toybox"],
        options: &[stops('\0', "help"), stops('\0', "list"), stops('\0', "list-full"), flag('\0', "install").then(Effect)],
        source: "busybox(1)",
        ..Spec::WORDS
    },
    // The code is an argument of a builtin (bash manual, "Bash Builtins", "Programmable Completion Builtins").
    Spec {
        id: "mapfile",
        names: &["mapfile", "readarray"],
        options: &[
            value('C', "").then(super::spec::Then::Script), value('c', ""), value('d', ""), value('n', ""), value('O', ""),
            value('s', ""), flag('t', ""), value('u', ""),
        ],
        gives: Options,
        purity: Effects,
        source: "bash manual, Bash Builtins",
        ..Spec::WORDS
    },
    Spec {
        id: "complete",
        names: &["complete", "compgen"],
        options: &[
            value('C', "").then(super::spec::Then::Script), value('F', "").then(Hidden), value('A', ""), value('G', ""),
            value('W', "").then(Effect), value('P', ""), value('S', ""), value('X', ""), value('o', ""), flag('a', ""),
            flag('b', ""), flag('c', ""), flag('d', ""), flag('e', ""), flag('f', ""), flag('g', ""), flag('j', ""), flag('k', ""),
            flag('s', ""), flag('u', ""), flag('v', ""), flag('p', ""), flag('r', ""), flag('D', ""), flag('E', ""), flag('I', ""),
            Opt { short: 'V', long: "", takes: Takes::Value, then: Stops },
        ],
        gives: Options,
        purity: Effects,
        source: "bash manual, Programmable Completion Builtins",
        ..Spec::WORDS
    },
];
