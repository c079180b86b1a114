//! Programs that start another with a different priority, time, terminal, memory or session.

use super::spec::Gives::{Each, Joined, Options, Stdin, WordsAndMore};
use super::spec::Purity::Effects;
use super::spec::Then::{Direct, Directory, Effect, Hidden, Script, Stops};
use super::spec::{Assignments, Opt, Spec, flag, joined, stops, value};

const H: Opt = stops('\0', "help");
const V: Opt = stops('\0', "version");

/// coreutils, util-linux and friends, in the order of their manuals.
pub(crate) const SPECS: &[Spec] = &[
    Spec { id: "nice", names: &["nice"], options: &[value('n', "adjustment"), H, V], source: "nice(1)", ..Spec::WORDS },
    Spec {
        id: "ionice",
        names: &["ionice"],
        options: &[
            value('c', "class"), value('n', "classdata"), flag('t', "ignore"),
            value('p', "pid").then(Effect), value('P', "pgid").then(Effect), value('u', "uid").then(Effect),
            stops('h', "help"), stops('V', "version"),
        ],
        source: "ionice(1)",
        ..Spec::WORDS
    },
    Spec { id: "nohup", names: &["nohup"], options: &[H, V], source: "nohup(1)", ..Spec::WORDS },
    Spec {
        id: "setsid",
        names: &["setsid"],
        options: &[flag('c', "ctty"), flag('f', "fork"), flag('w', "wait"), stops('h', "help"), stops('V', "version")],
        source: "setsid(1)",
        ..Spec::WORDS
    },
    Spec {
        id: "stdbuf",
        names: &["stdbuf"],
        options: &[value('i', "input"), value('o', "output"), value('e', "error"), H, V],
        source: "stdbuf(1)",
        ..Spec::WORDS
    },
    Spec {
        id: "timeout",
        names: &["timeout", "gtimeout"],
        options: &[
            flag('f', "foreground"), flag('p', "preserve-status"), value('k', "kill-after"), value('s', "signal"),
            flag('v', "verbose"), H, V,
        ],
        operands: 1,
        source: "timeout(1)",
        ..Spec::WORDS
    },
    Spec {
        id: "time",
        names: &["time", "gtime"],
        options: &[
            flag('a', "append"), value('f', "format"), value('o', "output").then(Effect), flag('p', "portability"),
            flag('q', "quiet"), flag('v', "verbose"), stops('h', "help"), stops('V', "version"),
        ],
        source: "time(1)",
        ..Spec::WORDS
    },
    Spec { id: "chrt", names: &["chrt"],
        options: &[
            flag('o', "other"), flag('f', "fifo"), flag('r', "rr"), flag('b', "batch"), flag('i', "idle"),
            flag('d', "deadline"), flag('R', "reset-on-fork"), flag('v', "verbose"), flag('a', "all-tasks"),
            value('T', "sched-runtime"), value('P', "sched-period"), value('D', "sched-deadline"),
            stops('m', "max"), stops('p', "pid"), stops('h', "help"), stops('V', "version"),
        ],
        operands: 1, purity: Effects, source: "chrt(1)", ..Spec::WORDS },
    Spec { id: "taskset", names: &["taskset"],
        options: &[
            flag('a', "all-tasks"), flag('c', "cpu-list"), stops('p', "pid"), stops('h', "help"), stops('V', "version"),
        ],
        operands: 1, source: "taskset(1)", ..Spec::WORDS },
    Spec { id: "numactl", names: &["numactl"],
        options: &[
            value('i', "interleave"), value('p', "preferred"), value('m', "membind"), value('N', "cpunodebind"),
            value('C', "physcpubind"), flag('l', "localalloc"), flag('a', "all"), flag('b', "balancing"),
            stops('s', "show"), stops('H', "hardware"),
        ],
        source: "numactl(8)", ..Spec::WORDS },
    Spec { id: "prlimit", names: &["prlimit"],
        options: &[
            joined('c', "core"), joined('d', "data"), joined('e', "nice"), joined('f', "fsize"), joined('i', "sigpending"),
            joined('l', "memlock"), joined('m', "rss"), joined('n', "nofile"), joined('q', "msgqueue"),
            joined('r', "rtprio"), joined('s', "stack"), joined('t', "cpu"), joined('u', "nproc"), joined('v', "as"),
            joined('x', "locks"), joined('y', "rttime"), value('o', "output"), flag('\0', "noheadings"), flag('\0', "raw"),
            flag('\0', "verbose"), value('p', "pid").then(Effect), stops('h', "help"), stops('V', "version"),
        ],
        purity: Effects, source: "prlimit(1)", ..Spec::WORDS },
    Spec { id: "setarch", names: &["setarch"], operands: 1, options: ARCH, source: "setarch(8)", ..Spec::WORDS },
    Spec { id: "arch", names: &["linux32", "linux64", "i386", "x86_64"], options: ARCH, source: "setarch(8)", ..Spec::WORDS },
    Spec { id: "faketime", names: &["faketime"],
        options: &[flag('m', ""), flag('f', ""), value('p', ""), stops('h', "help"), stops('v', "version")],
        operands: 1, source: "faketime(1)", ..Spec::WORDS },
    Spec { id: "caffeinate", names: &["caffeinate"],
        options: &[flag('d', ""), flag('i', ""), flag('m', ""), flag('s', ""), flag('u', ""), value('t', ""), value('w', "")],
        source: "caffeinate(8)", ..Spec::WORDS },
    Spec { id: "dbus-run-session", names: &["dbus-run-session"],
        options: &[value('\0', "config-file").then(Effect), value('\0', "dbus-daemon").then(Hidden), H, V],
        purity: Effects, source: "dbus-run-session(1)", ..Spec::WORDS },
    Spec { id: "xvfb-run", names: &["xvfb-run"],
        options: &[
            flag('a', "auto-servernum"), value('e', "error-file"), value('f', "auth-file"), value('n', "server-num"),
            flag('l', "listen-tcp"), value('p', "xauth-protocol"), value('s', "server-args"), value('w', "wait"),
            stops('h', "help"),
        ],
        purity: Effects, source: "xvfb-run(1)", ..Spec::WORDS },
    Spec { id: "systemd-run", names: &["systemd-run"],
        options: &[
            flag('\0', "user"), flag('\0', "system"), flag('\0', "scope"), value('u', "unit"), value('p', "property"),
            value('\0', "description"), value('\0', "slice"), flag('r', "remain-after-exit"), value('\0', "uid"),
            value('\0', "gid"), value('\0', "nice"), value('\0', "working-directory").then(Directory), flag('d', "same-dir"),
            value('E', "setenv"), flag('t', "pty"), flag('P', "pipe"), flag('q', "quiet"), flag('G', "collect"),
            flag('\0', "wait"), flag('S', "shell").then(Effect), value('\0', "on-active"), value('\0', "on-boot"),
            value('\0', "on-startup"), value('\0', "on-calendar"), flag('\0', "no-block"), flag('\0', "no-ask-password"),
            value('H', "host"), value('M', "machine"), stops('h', "help"), stops('\0', "version"),
        ],
        purity: Effects, source: "systemd-run(1)", ..Spec::WORDS },
    Spec { id: "strace", names: &["strace"],
        options: &[
            flag('f', "follow-forks"), flag('c', "summary-only"), flag('C', "summary"), flag('d', ""), flag('i', ""),
            flag('k', ""), flag('q', "quiet"), flag('r', ""), flag('t', ""), flag('T', ""), flag('v', "no-abbrev"), flag('w', ""),
            flag('x', ""), flag('y', "decode-fds"), flag('Y', ""), flag('z', ""), flag('Z', ""), value('a', "columns"),
            value('b', ""), value('e', "trace"), value('E', "env"), value('I', ""), value('o', "output").then(Effect),
            value('O', ""), value('p', "attach"), value('P', "trace-path"), value('s', "string-limit"), value('S', ""),
            value('u', "user"), value('U', ""), value('X', ""), stops('h', "help"), stops('V', "version"),
        ],
        assignments: Assignments::No, purity: Effects, source: "strace(1)", ..Spec::WORDS },
    Spec { id: "ltrace", names: &["ltrace"],
        options: &[
            flag('c', ""), flag('C', "demangle"), flag('f', ""), flag('i', ""), flag('L', ""), flag('r', ""), flag('S', ""),
            flag('t', ""), flag('T', ""), flag('b', ""), value('a', "align"), value('A', ""), value('D', "debug"), value('e', ""),
            value('F', "config").then(Effect), value('l', "library"), value('n', "indent"), value('o', "output").then(Effect),
            value('p', ""), value('s', ""), value('u', ""), value('w', "where"), value('x', ""), stops('h', "help"),
            stops('V', "version"),
        ],
        purity: Effects, source: "ltrace(1)", ..Spec::WORDS },
    Spec { id: "gdb", names: &["gdb"], path: &["--args"],
        globals: &[
            flag('\0', "batch"), flag('q', "quiet"), flag('\0', "silent"), flag('\0', "nx"), flag('\0', "nh"), flag('n', ""),
            value('\0', "ex").then(Hidden), value('x', "command").then(Hidden),
        ],
        purity: Effects, source: "gdb(1)", ..Spec::WORDS },
    Spec { id: "script", names: &["script"],
        options: &[
            value('c', "command").then(Script), flag('a', "append"), flag('e', "return"), flag('f', "flush"),
            flag('\0', "force"), flag('q', "quiet"), joined('t', "timing"), value('E', "echo"), value('I', "log-in"),
            value('O', "log-out"), value('B', "log-io"), value('T', "log-timing"), value('m', "logging-format"),
            value('o', "output-limit"), stops('h', "help"), stops('V', "version"),
        ],
        gives: Options, purity: Effects, source: "script(1)", ..Spec::WORDS },
    Spec { id: "flock", names: &["flock"],
        options: &[
            value('c', "command").then(Script), flag('s', "shared"), flag('x', "exclusive"), flag('e', ""),
            flag('u', "unlock"), flag('n', "nonblock"), flag('\0', "nb"), value('w', "timeout"), flag('o', "close"),
            value('E', "conflict-exit-code"), flag('F', "no-fork"), flag('\0', "verbose"), stops('h', "help"),
            stops('V', "version"),
        ],
        operands: 1, purity: Effects, source: "flock(1)", ..Spec::WORDS },
    Spec { id: "watch", names: &["watch"],
        options: &[
            flag('b', "beep"), flag('c', "color"), flag('C', "no-color"), joined('d', "differences"), flag('e', "errexit"),
            flag('g', "chgexit"), value('n', "interval"), flag('p', "precise"), value('q', "equexit"), flag('r', "no-rerun"),
            flag('t', "no-title"), flag('w', "no-wrap"), flag('x', "exec").then(Direct), stops('h', "help"),
            stops('v', "version"),
        ],
        gives: Joined, source: "watch(1)", ..Spec::WORDS },
    Spec { id: "entr", names: &["entr"],
        options: &[
            flag('a', ""), flag('c', ""), flag('d', ""), flag('n', ""), flag('p', ""), flag('r', ""), flag('z', ""),
            flag('x', ""), flag('s', "").then(super::spec::Then::Joined),
        ],
        gives: WordsAndMore, source: "entr(1)", ..Spec::WORDS },
    Spec { id: "watchexec", names: &["watchexec"],
        options: &[
            value('w', "watch"), value('W', "watch-non-recursive"), value('e', "exts"), value('f', "filter"), value('i', "ignore"),
            value('d', "debounce"), value('s', "signal"), flag('r', "restart"), flag('c', "clear"), flag('n', "").then(Direct),
            flag('p', "postpone"), flag('q', "quiet"), flag('v', "verbose"), value('o', "on-busy-update"),
            flag('\0', "no-vcs-ignore"), flag('\0', "no-project-ignore"), flag('\0', "no-global-ignore"), flag('1', "once"),
            stops('h', "help"), stops('V', "version"),
        ],
        gives: Joined, source: "watchexec(1)", ..Spec::WORDS },
    Spec { id: "hyperfine", names: &["hyperfine"],
        options: &[
            value('w', "warmup"), value('m', "min-runs"), value('M', "max-runs"), value('r', "runs"),
            value('s', "setup").then(Script), value('p', "prepare").then(Script), value('C', "conclude").then(Script),
            value('c', "cleanup").then(Script), value('n', "command-name"), value('u', "time-unit"), value('\0', "style"),
            joined('i', "ignore-failure"), flag('\0', "show-output"), flag('N', ""), value('S', "shell").then(Hidden),
            value('P', "parameter-scan").then(Hidden), value('L', "parameter-list").then(Hidden),
            value('\0', "export-json").then(Effect), value('\0', "export-csv").then(Effect),
            value('\0', "export-markdown").then(Effect), value('\0', "output").then(Effect), stops('h', "help"),
            stops('V', "version"),
        ],
        gives: Each, source: "hyperfine(1)", ..Spec::WORDS },
    Spec { id: "at", names: &["at"],
        options: &[
            value('q', ""), flag('m', ""), flag('M', ""), flag('v', ""), value('t', ""), value('f', "").then(Hidden),
            Opt { short: 'l', long: "", takes: super::spec::Takes::Nothing, then: Stops }, stops('d', ""), stops('r', ""),
            stops('c', ""), stops('V', ""),
        ],
        gives: Stdin, purity: Effects, source: "at(1)", ..Spec::WORDS },
    Spec { id: "batch", names: &["batch"], options: &[], gives: Stdin, purity: Effects, source: "at(1)", ..Spec::WORDS },
];

const ARCH: &[Opt] = &[
    flag('B', "32bit"), flag('F', "fdpic-funcptrs"), flag('I', "short-inode"), flag('L', "addr-compat-layout"),
    flag('R', "addr-no-randomize"), flag('S', "whole-seconds"), flag('T', "sticky-timeouts"), flag('X', "read-implies-exec"),
    flag('Z', "mmap-page-zero"), flag('3', "3gb"), flag('v', "verbose"), flag('\0', "4gb"), flag('\0', "uname-2.6"),
    stops('h', "help"), stops('V', "version"), stops('\0', "list"),
];
