//! The command line. Help texts here are the reference that people read, so they say what happens, not how.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// A permission gate for AI coding agents.
///
/// Before an agent's tool call runs, the agent asks Portcullis, and Portcullis answers allow, deny, ask or pass, with a
/// reason. Routine calls run at once, dangerous ones are stopped by proof, and the rest go to a model classifier or to
/// you.
#[derive(Debug, Parser)]
#[command(name = "portcullis", version, propagate_version = true, after_help = AFTER_HELP, max_term_width = 100)]
pub(crate) struct Cli {
    /// Colour the output.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = false)]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER_HELP: &str = "\
Examples:
  portcullis check -- git status                       what would happen to this command here
  portcullis explain -- 'make && rm -rf \"$OUT\"'        … and why, stage by stage
  portcullis install claude-code                       have Claude Code ask before each tool call
  portcullis denials                                   what was stopped lately

Configuration: `portcullis config path` lists the files that count, `portcullis config show` what they add up to.";

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Decide one tool call, or a batch, and print the verdict
    ///
    /// By default a bash command given after `--`. Exit status: 0 allow (or gate off), 10 ask, 20 deny, 30 undecided
    /// (only with --local), 2 usage error.
    #[command(
        after_help = "Examples:\n  portcullis check -- git push origin main\n  portcullis check --tool write --input '{\"file_path\":\"/etc/hosts\",\"content\":\"\"}'\n  portcullis check --local --batch calls.jsonl"
    )]
    Check(CheckArgs),
    /// Decide one tool call and show every stage, rule and part of the analysis that led there
    Explain(ExplainArgs),
    /// Answer one hook event of a host (agents call this; JSON on stdin, the answer on stdout)
    ///
    /// Exit status 0 with at most one JSON document on stdout, or 2 with a reason on stderr, which every host takes for
    /// "do not run the tool". Never anything else. What each host does with it is in docs/hosts.md.
    Hook {
        /// Whose protocol to speak
        #[arg(value_name = "HOST")]
        host: String,
        /// Answer at the latest after this many milliseconds, below the host's own timeout
        #[arg(long, value_name = "MS")]
        deadline_ms: Option<u64>,
    },
    /// Put our hook into a host's settings (shows the change; keeps a backup; other hooks stay untouched)
    Install(InstallArgs),
    /// Take our hook out of a host's settings again
    Uninstall(InstallArgs),
    /// Check a host's hook end to end: wired, the right program, and a canary that must be denied in time
    Doctor {
        /// Which host; all known hosts if left out
        #[arg(value_name = "HOST")]
        host: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show, check or locate the configuration
    Config {
        #[command(subcommand)]
        view: Option<ConfigView>,
    },
    /// Print the built-in rules and lists
    Defaults {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show whether the gate is on, what is loaded, and the counters of a session
    Status(SessionArgs),
    /// Turn the gate on again for a session (--session) or for you everywhere (--global)
    On(SwitchArgs),
    /// Turn the gate off for a session (--session) or for you everywhere (--global): calls pass as if it were not there
    Off(SwitchArgs),
    /// Read the configuration anew and report problems (files are read at every call; nothing is cached)
    Reload,
    /// Forget a session's counters, denials, session allows and pause
    Reset(SessionArgs),
    /// List the latest denials
    Denials(SessionArgs),
    /// Add an allow rule
    #[command(
        after_help = "Examples:\n  portcullis allow 'Bash(npm run test:*)'\n  portcullis allow --global 'bash(git fetch*)'\n  portcullis allow --session 4f1c 'bash(make lint)'"
    )]
    Allow {
        /// The rule: `tool` or `tool(pattern)`
        rule: String,
        /// Into your global configuration instead of this project's local one
        #[arg(long, conflicts_with = "session")]
        global: bool,
        /// Only for this session id, kept in the gate's state
        #[arg(long, value_name = "ID")]
        session: Option<String>,
    },
    /// Trust a project directory, so that its own Portcullis files count
    Trust {
        /// The directory; the current one if left out
        dir: Option<PathBuf>,
        /// Stop trusting it
        #[arg(long)]
        remove: bool,
        /// List what is trusted
        #[arg(long, conflicts_with_all = ["dir", "remove"])]
        list: bool,
    },
    /// Print the decision log
    Log {
        /// Wait for new entries and print them as they come
        #[arg(long, short)]
        follow: bool,
        /// Only the last N entries
        #[arg(long, short = 'n', value_name = "N", default_value_t = 20)]
        lines: usize,
        /// Print the entries as they are stored
        #[arg(long)]
        json: bool,
        #[command(subcommand)]
        view: Option<LogView>,
    },
    /// Print a completion script for your shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

/// How a call for `check` and `explain` is given.
#[derive(Debug, Args)]
pub(crate) struct CallArgs {
    /// The tool, by any host's name for it
    #[arg(long, value_name = "TOOL", default_value = "bash")]
    pub(crate) tool: String,
    /// The tool's input as a JSON object, instead of a command
    #[arg(long, value_name = "JSON", conflicts_with = "words")]
    pub(crate) input: Option<String>,
    /// Working directory of the call [default: the current one]
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// Permission mode: default, acceptEdits, plan, auto, dontAsk, bypassPermissions
    #[arg(long, value_name = "MODE")]
    pub(crate) mode: Option<String>,
    /// Session id, for session allows and state
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Nobody can be asked: what would be asked is denied
    #[arg(long)]
    pub(crate) non_interactive: bool,
    /// Never call a model: a call that would need one is `undecided`
    #[arg(long)]
    pub(crate) local: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// The bash command: one word is taken as it is, several are quoted and joined
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) words: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) call: CallArgs,
    /// Decide many calls: JSON lines from FILE (`-`: stdin), one JSON line out per line, in order
    #[arg(long, value_name = "FILE", conflicts_with_all = ["words", "input"])]
    pub(crate) batch: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) call: CallArgs,
}

#[derive(Debug, Args)]
pub(crate) struct InstallArgs {
    /// Which host
    #[arg(value_name = "HOST")]
    pub(crate) host: String,
    /// Into this settings file instead of the host's user settings
    #[arg(long, value_name = "FILE")]
    pub(crate) settings: Option<PathBuf>,
    /// Change the file without asking first
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Show the change and write nothing
    #[arg(long, short = 'n')]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SessionArgs {
    /// Which session; the latest one if left out
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SwitchArgs {
    /// Only this session; the latest one if neither is given
    #[arg(long, value_name = "ID", conflicts_with = "global")]
    pub(crate) session: Option<String>,
    /// In your global configuration
    #[arg(long)]
    pub(crate) global: bool,
}

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum ConfigView {
    /// The effective settings and rules, each with the file it comes from (the default)
    Show {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Check a file (or every file that counts) and print each problem with its line
    Check {
        /// The file; all that count if left out
        file: Option<PathBuf>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Open your global configuration in $VISUAL or $EDITOR, and check it afterwards
    Edit,
    /// List the files that count, in order, and whether they exist
    Path,
}

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum LogView {
    /// Counts by verdict, stage and tool
    Stats {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}
