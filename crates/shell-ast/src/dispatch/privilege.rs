//! Programs that start another as a different user, root directory or namespace.

use super::spec::Gives::Options;
use super::spec::Purity::Effects;
use super::spec::Then::{Directory, Effect, Hidden, Joined, Script};
use super::spec::{Assignments, Spec, flag, joined, stops, value};

pub(crate) const SPECS: &[Spec] = &[
    Spec {
        id: "sudo",
        names: &["sudo"],
        options: &[
            flag('A', "askpass"), flag('B', "bell"), flag('b', "background"), flag('E', ""), joined('\0', "preserve-env"),
            flag('H', "set-home"), flag('k', "reset-timestamp"), flag('N', "no-update"), flag('n', "non-interactive"),
            flag('P', "preserve-groups"), flag('S', "stdin"), value('C', "close-from"), value('D', "chdir").then(Directory),
            value('g', "group"), value('h', "host"), value('p', "prompt"), value('R', "chroot"), value('r', "role"),
            value('T', "command-timeout"), value('t', "type"), value('U', "other-user"), value('u', "user"),
            flag('i', "login").then(Joined), flag('s', "shell").then(Joined), flag('e', "edit").then(Hidden),
            stops('K', "remove-timestamp"), stops('l', "list"), stops('V', "version"), stops('v', "validate"),
            stops('\0', "help"),
        ],
        assignments: Assignments::Leading,
        purity: Effects,
        source: "sudo(8)",
        ..Spec::WORDS
    },
    Spec {
        id: "doas",
        names: &["doas"],
        options: &[
            value('u', ""), value('C', ""), value('a', ""), flag('n', ""), stops('L', ""), flag('s', "").then(Hidden),
        ],
        purity: Effects,
        source: "doas(1)",
        ..Spec::WORDS
    },
    Spec {
        id: "chroot",
        names: &["chroot"],
        options: &[
            value('\0', "groups"), value('\0', "userspec"), flag('\0', "skip-chdir"), stops('\0', "help"), stops('\0', "version"),
        ],
        operands: 1,
        purity: Effects,
        source: "chroot(1)",
        ..Spec::WORDS
    },
    Spec {
        id: "unshare",
        names: &["unshare"],
        options: &[
            joined('i', "ipc"), joined('m', "mount"), joined('n', "net"), joined('p', "pid"), joined('u', "uts"),
            joined('U', "user"), joined('C', "cgroup"), joined('T', "time"), flag('f', "fork"), flag('r', "map-root-user"),
            flag('c', "map-current-user"), flag('\0', "map-auto"), value('\0', "map-user"), value('\0', "map-group"),
            value('\0', "map-users"), value('\0', "map-groups"), joined('\0', "kill-child"), joined('\0', "mount-proc"),
            value('\0', "propagation"), value('\0', "setgroups"), flag('\0', "keep-caps"), value('R', "root"),
            value('w', "wd").then(Directory), value('S', "setuid"), value('G', "setgid"), stops('h', "help"),
            stops('V', "version"),
        ],
        purity: Effects,
        source: "unshare(1)",
        ..Spec::WORDS
    },
    Spec {
        id: "nsenter",
        names: &["nsenter"],
        options: &[
            flag('a', "all"), value('t', "target"), joined('m', "mount"), joined('u', "uts"), joined('i', "ipc"),
            joined('n', "net"), joined('p', "pid"), joined('C', "cgroup"), joined('U', "user"), joined('T', "time"),
            value('S', "setuid"), value('G', "setgid"), flag('\0', "preserve-credentials"), joined('r', "root"),
            joined('w', "wd"), value('W', "wdns"), flag('e', "env"), flag('F', "no-fork"), flag('Z', "follow-context"),
            stops('h', "help"), stops('V', "version"),
        ],
        purity: Effects,
        source: "nsenter(1)",
        ..Spec::WORDS
    },
    Spec {
        id: "su",
        names: &["su"],
        options: &[
            value('c', "command").then(Script), value('\0', "session-command").then(Script), flag('f', "fast"),
            value('g', "group"), value('G', "supp-group"), flag('l', "login"), flag('m', ""), flag('p', "preserve-environment"),
            flag('P', "pty"), value('s', "shell").then(Effect), value('w', "whitelist-environment"), stops('h', "help"),
            stops('V', "version"),
        ],
        gives: Options,
        purity: Effects,
        source: "su(1)",
        ..Spec::WORDS
    },
    Spec {
        id: "runuser",
        names: &["runuser"],
        options: &[
            value('u', "user"), value('c', "command").then(Script), value('\0', "session-command").then(Script),
            flag('f', "fast"), value('g', "group"), value('G', "supp-group"), flag('l', "login"), flag('m', ""),
            flag('p', "preserve-environment"), flag('P', "pty"), value('s', "shell").then(Effect),
            value('w', "whitelist-environment"), stops('h', "help"), stops('V', "version"),
        ],
        purity: Effects,
        source: "runuser(1)",
        ..Spec::WORDS
    },
];
