//! The shape of a dispatcher's spec: which options it has and where the command starts.

/// One dispatcher (or one subcommand of a program that dispatches).
#[derive(Debug)]
pub(crate) struct Spec {
    pub(crate) id: &'static str,
    /// Names of the program, without directory.
    pub(crate) names: &'static [&'static str],
    /// Subcommand words that follow the global options (`docker exec`: `exec`). Empty for most.
    pub(crate) path: &'static [&'static str],
    /// Options before the subcommand.
    pub(crate) globals: &'static [Opt],
    /// Options before the command.
    pub(crate) options: &'static [Opt],
    /// Operands before the command (`timeout DURATION`).
    pub(crate) operands: usize,
    /// `NAME=value` operands before the command.
    pub(crate) assignments: Assignments,
    /// What the rest of the words is.
    pub(crate) gives: Gives,
    /// Whether running the command is all it does.
    pub(crate) purity: Purity,
    pub(crate) site: Site,
    /// Where the options are documented.
    #[expect(dead_code, reason = "read by people who check the table against the manual")]
    pub(crate) source: &'static str,
}

/// One option.
#[derive(Debug)]
pub(crate) struct Opt {
    /// Its single letter, or `'\0'`.
    pub(crate) short: char,
    /// Its long name, or empty.
    pub(crate) long: &'static str,
    pub(crate) takes: Takes,
    pub(crate) then: Then,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    Nothing,
    /// Joined or in the next word.
    Value,
    /// Only joined (`-i2`, `--mode=x`).
    Joined,
}

/// What an option means for the command that is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    Nothing,
    /// Its value is a shell script that is run.
    Script,
    /// Its value is the directory that the command runs in.
    Directory,
    /// No command is run (`--help`, `sudo -l`).
    Stops,
    /// It writes, reads or changes something of its own.
    Effect,
    /// What is run is not in the text (`xargs --arg-file` is; `at -f file` is not).
    Hidden,
    /// The words are a program with arguments and not a script (`watch -x`).
    Direct,
    /// The words are a script (`entr -s`, `sudo -s`).
    Joined,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Assignments {
    No,
    Leading,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gives {
    /// A program and its arguments.
    Words,
    /// A program and its arguments, to which more are added (`xargs`).
    WordsAndMore,
    /// Words that a shell reads again, joined by blanks (`watch`, `ssh`).
    Joined,
    /// Each operand is a script (`hyperfine`).
    Each,
    /// The script is standard input (`at`).
    Stdin,
    /// A program and its arguments after `--` (`kubectl exec pod -- cmd`), or right after the operands.
    AfterDashes,
    /// Nothing but option values runs (`script -c`).
    Options,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purity {
    /// It has no effect but the command's.
    Pure,
    /// It changes users, files, processes or machines besides.
    Effects,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Site {
    Here,
    /// Another machine or a container: paths are not ours.
    Elsewhere,
}

impl Spec {
    /// A spec that runs its words and nothing else; rows change what differs.
    pub(crate) const WORDS: Self = Self {
        id: "",
        names: &[],
        path: &[],
        globals: &[],
        options: &[],
        operands: 0,
        assignments: Assignments::No,
        gives: Gives::Words,
        purity: Purity::Pure,
        site: Site::Here,
        source: "",
    };
}

/// `-x`, `--long`
pub(crate) const fn flag(short: char, long: &'static str) -> Opt {
    Opt { short, long, takes: Takes::Nothing, then: Then::Nothing }
}

/// `-x value`, `--long value`
pub(crate) const fn value(short: char, long: &'static str) -> Opt {
    Opt { short, long, takes: Takes::Value, then: Then::Nothing }
}

/// `-xvalue`, `--long=value`, the value optional
pub(crate) const fn joined(short: char, long: &'static str) -> Opt {
    Opt { short, long, takes: Takes::Joined, then: Then::Nothing }
}

/// `--help`, `--version` and their like
pub(crate) const fn stops(short: char, long: &'static str) -> Opt {
    Opt { short, long, takes: Takes::Nothing, then: Then::Stops }
}

impl Opt {
    /// The same option with a meaning for the command.
    pub(crate) const fn then(self, then: Then) -> Self {
        Self { short: self.short, long: self.long, takes: self.takes, then }
    }
}
