//! What each command does: the read-only proof, and every path that is read or written.

use serde::Serialize;

use crate::analysis::{Analysis, Command, Construct, Cwd, SecondOpinion, Word};

mod assignments;
mod awk;
mod builtins;
mod dispatch;
mod find;
mod judge;
mod options;
mod programs;
mod redirects;
mod secrets;
mod sed;
mod spec;
mod specs;
mod words;

/// The effects of a whole script.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Effects {
    /// One for each command of [`Analysis::commands`], at the same index.
    pub commands: Vec<CommandEffect>,
    /// One for each command that only the second parser found ([`crate::SecondOpinion::Differs`]).
    pub extra: Vec<CommandEffect>,
    /// Accesses by redirects of compound commands.
    pub compound: Vec<Access>,
    /// Every command and redirect is proven to change nothing and to talk to no host that the command names.
    /// Says nothing about *which* files are read: hold [`Effects::accesses`] against denied and sensitive paths.
    pub read_only: bool,
    /// Why not, for the trace: the first reason, with the command's text.
    pub why_not: Option<String>,
}

/// What one command does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CommandEffect {
    /// The strongest effect.
    pub kind: EffectKind,
    /// Why, in one sentence for people: the spec's reason for the option or subcommand that decided.
    pub reason: String,
    /// Paths that it is proven to touch, redirects included.
    pub accesses: Vec<Access>,
    /// It prints the environment or a secret-like variable.
    pub reads_secrets: bool,
    /// What must hold in the file system for [`EffectKind::ReadOnly`] to be true. Empty for most commands.
    pub needs: Vec<Need>,
    /// The directory it runs in, which [`CommandEffect::needs`] are about.
    pub cwd: Cwd,
}

/// A condition that only the file system can answer: the tool reads configuration of the project it runs in, and that
/// configuration can name a program to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// git: `core.fsmonitor`, `diff.external`, `textconv`, `gpg.program`, filters … (git-config(1), gitattributes(5))
    TrustedGitConfig,
    /// cargo and rustup proxies: `build.rustc`, `build.rustc-wrapper`, credential helpers, `rust-toolchain.toml` with a `path`
    TrustedCargoConfig,
    /// npm, pnpm, yarn, bun: `.npmrc` with `node-options` or `script-shell`, `.yarnrc.yml` with `yarnPath` or plugins
    TrustedNpmConfig,
    /// go: a `toolchain` line of `go.mod` or `go.work` downloads and runs another toolchain
    TrustedGoToolchain,
    /// terraform and tofu: provider binaries below `.terraform/providers`
    TrustedTerraformProviders,
}

/// Effects, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectKind {
    /// proven to change nothing
    ReadOnly,
    /// writes, deletes or moves files
    WritesFiles,
    /// talks to a host that the command names
    Network,
    /// changes processes, users, services, packages, repositories' history …
    ChangesSystem,
    /// runs code from a file, argument or project configuration
    ExecutesCode,
    /// no spec proves anything
    Unknown,
}

/// A path that a command touches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Access {
    /// How.
    pub mode: AccessMode,
    /// The operand. `None`: a file that can't be told (a list read from a file, an unknown operand).
    pub path: Option<Word>,
    /// The directory it is relative to.
    pub cwd: Cwd,
    /// Reaches everything below the path.
    pub recursive: bool,
}

/// How a path is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AccessMode {
    /// names, sizes, times only (`ls`, `stat`, `test -f`)
    Inspect,
    /// content
    Read,
    /// created or its content changed
    Write,
    /// removed
    Delete,
    /// moved away or renamed
    Move,
    /// a link is made at this path, or to this path
    Link,
    /// mode, owner or attributes changed
    Permission,
}

impl AccessMode {
    /// The file or its name is changed.
    pub const fn changes(self) -> bool {
        match self {
            Self::Inspect | Self::Read => false,
            Self::Write | Self::Delete | Self::Move | Self::Link | Self::Permission => true,
        }
    }
}

impl CommandEffect {
    /// Proven to change nothing, and prints no secrets. [`CommandEffect::needs`] must hold too.
    pub fn is_read_only(&self) -> bool {
        self.kind == EffectKind::ReadOnly && !self.reads_secrets
    }
}

impl Effects {
    /// Every access of the script.
    pub fn accesses(&self) -> impl Iterator<Item = &Access> {
        self.commands.iter().chain(&self.extra).flat_map(|command| &command.accesses).chain(&self.compound)
    }
}

/// Works out what each command does.
///
/// Only a spec proves anything: a command, subcommand, option or script text that is in no table is
/// [`EffectKind::Unknown`]. Whether the analysis itself is whole is not looked at here
/// ([`Analysis::is_whole`]).
///
/// ```
/// use portcullis_shell_ast::{EffectKind, analyze, effects};
/// let sort = effects(&analyze("sort --outp=b a"));
/// assert_eq!(sort.commands[0].kind, EffectKind::WritesFiles);
/// ```
pub fn effects(analysis: &Analysis) -> Effects {
    let judge = |command| judge::command(analysis, command);
    let commands: Vec<_> = analysis.commands.iter().map(judge).collect();
    let extra: Vec<_> = match &analysis.second {
        SecondOpinion::Differs { extra, .. } => extra.iter().map(judge).collect(),
        SecondOpinion::Agreed | SecondOpinion::Outside { .. } | SecondOpinion::NotAsked => Vec::new(),
    };
    let (compound, compound_reason) = redirects::compound(analysis);
    let why_not = analysis
        .commands
        .iter()
        .zip(&commands)
        .find(|(_, effect)| !effect.is_read_only())
        .map(|(command, effect)| describe(command, effect))
        .or(compound_reason)
        .or_else(|| construct(analysis).map(str::to_owned))
        .or_else(|| (!extra.is_empty()).then(|| "the second parser found other commands".to_owned()));
    Effects { read_only: why_not.is_none(), commands, extra, compound, why_not }
}

fn describe(command: &Command, effect: &CommandEffect) -> String {
    let mut text: Vec<&str> = command.words.iter().take(4).map(|word| word.raw.as_str()).collect();
    if command.words.len() > 4 {
        text.push("…");
    }
    format!("{}: {}", text.join(" "), effect.reason)
}

/// Constructs that have an effect of their own.
fn construct(analysis: &Analysis) -> Option<&'static str> {
    analysis.constructs.iter().find_map(|construct| match construct {
        Construct::Background => Some("`&` leaves a process that can outlive the call"),
        Construct::Coproc => Some("`coproc` leaves a process running"),
        Construct::Function => Some("a function is defined"),
        Construct::Group
        | Construct::Subshell
        | Construct::If
        | Construct::Loop
        | Construct::Case
        | Construct::Cond
        | Construct::Arith
        | Construct::HereDoc
        | Construct::HereString
        | Construct::CommandSubstitution
        | Construct::ProcessSubstitution
        | Construct::Assignment
        | Construct::Dispatch => None,
    })
}
