//! The floor: what is never done, whoever allows it. One file a family, one row a rule.
//!
//! A rule looks at the analysis and at resolved paths, never at the raw string, so text that only mentions a danger (a commit
//! message, a search term) is not touched, and no spelling of the real thing escapes. An operand that merely *could* be a target
//! (`rm -rf "$X"`) is no floor hit: it goes on to the classifier or to a person.

mod deletion;
mod devices;
mod files;
mod fork_bomb;
mod gate_off;
mod permissions;
mod persistence;
mod platform;
mod tls;

use portcullis_matcher::Access;
use portcullis_paths::{Base, ControlFiles, FileSystem, ResolvedPath};
use portcullis_shell_ast::{Command, Part, Word};

use crate::Policy;
use crate::facts::{CallFacts, ShellAccess};
use crate::stages::Context;

/// A floor rule, for `defaults`, `explain` and the documentation.
pub struct FloorRule {
    /// Stable id.
    pub id: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Where the danger is described.
    pub source: &'static str,
    /// What it finds: words for people that complete "It …".
    check: fn(&Subject<'_>) -> Option<String>,
}

/// Every rule, in the order in which they look. The first hit decides.
static RULES: &[FloorRule] = &[
    // Before the files: it needs no look at where floor files are.
    deletion::RULE,
    files::RULE,
    devices::RULE,
    permissions::RULE,
    tls::RULE,
    persistence::RULE,
    platform::RULE,
    gate_off::RULE,
    fork_bomb::RULE,
];

/// The rules, in order.
pub fn floor_rules() -> &'static [FloorRule] {
    RULES
}

/// A hit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) id: &'static str,
    pub(crate) text: String,
}

/// The first rule that is hit.
pub(crate) fn check(subject: &Subject<'_>) -> Option<Hit> {
    RULES.iter().find_map(|rule| {
        let found = (rule.check)(subject)?;
        Some(Hit { id: rule.id, text: format!("It {found}.") })
    })
}

/// What a rule may look at.
pub(crate) struct Subject<'a> {
    /// Every command either parser found.
    pub(crate) programs: Vec<Program<'a>>,
    /// What shell commands touch, resolved. Nothing of other machines.
    pub(crate) shell: &'a [ShellAccess],
    /// What a file tool or an MCP tool would write.
    pub(crate) written: Vec<&'a ResolvedPath>,
    pub(crate) base: &'a Base,
    policy: &'a Policy,
    pub(crate) fs: &'a dyn FileSystem,
    pub(crate) facts: &'a CallFacts,
}

impl<'a> Subject<'a> {
    pub(crate) fn new(context: &Context<'a>, facts: &'a CallFacts) -> Self {
        let commands = facts.analysis.iter().flat_map(portcullis_shell_ast::Analysis::union);
        Self {
            programs: commands.map(Program::new).collect(),
            shell: &facts.shell,
            written: facts.files.iter().filter(|file| file.access == Access::Write).map(|file| &file.path).collect(),
            base: &facts.base,
            policy: context.policy,
            fs: context.ports.fs,
            facts,
        }
    }

    /// The gate's own files and the floor files of the user's home. Ask only where a path changes: the first call looks them all
    /// up on the disk.
    pub(crate) fn control(&self) -> &'a ControlFiles {
        self.policy.control(self.base, self.fs)
    }

    /// Every `name=value` that is given to a command, a shell or the environment, where the value is literal.
    pub(crate) fn assignments(&self) -> impl Iterator<Item = (String, String)> + '_ {
        let written = self
            .programs
            .iter()
            .flat_map(|program| &program.command.assignments)
            .filter_map(|assignment| Some((assignment.name.clone(), assignment.value.as_ref()?.literal()?)));
        // `export X=1`, `env X=1 cmd`, `declare -x X=1` … as ordinary words.
        let words =
            self.programs.iter().filter(|program| ASSIGNING.contains(&program.name.as_str())).flat_map(|program| {
                program.args.iter().flatten().filter_map(|word| {
                    let (name, value) = word.split_once('=')?;
                    Some((name.to_owned(), value.to_owned()))
                })
            });
        written.chain(words)
    }
}

/// Programs whose `NAME=value` words set variables (bash manual, "Bash Builtin Commands"; env(1), sudo(8)).
const ASSIGNING: &[&str] = &["export", "env", "declare", "typeset", "local", "readonly", "sudo", "doas", "setx"];

/// A command with the words that are known.
pub(crate) struct Program<'a> {
    /// Name without its directory; empty if it isn't known.
    pub(crate) name: String,
    /// The words after the name; `None` where the value isn't known.
    pub(crate) args: Vec<Option<String>>,
    pub(crate) command: &'a Command,
}

impl<'a> Program<'a> {
    fn new(command: &'a Command) -> Self {
        let mut words = command.words.iter();
        let name = words.next().and_then(name_of).unwrap_or_default();
        let name = name.strip_suffix(".exe").unwrap_or(&name).to_owned();
        Self { name, args: words.map(Word::literal).collect(), command }
    }

    /// The known words after the name.
    pub(crate) fn known(&self) -> impl Iterator<Item = &str> {
        self.args.iter().flatten().map(String::as_str)
    }

    /// The known words that are no options, in order.
    pub(crate) fn operands(&self) -> impl Iterator<Item = &str> {
        self.known().filter(|word| !word.starts_with('-'))
    }

    /// It is one of these programs.
    pub(crate) fn is(&self, names: &[&str]) -> bool {
        names.contains(&self.name.as_str())
    }

    /// One of these words stands among the arguments, as a whole.
    pub(crate) fn has(&self, words: &[&str]) -> bool {
        self.known().any(|word| words.contains(&word))
    }

    /// The long option `name`, in full, with a value, or in an abbreviation of at least `least` characters (getopt_long(3)).
    pub(crate) fn has_long(&self, name: &str, least: usize) -> bool {
        self.known().any(|word| {
            let word = word.split_once('=').map_or(word, |(option, _)| option);
            word.len() >= least && word.starts_with("--") && name.starts_with(word)
        })
    }

    /// The value of an option in any of its forms: `-o v`, `-ov`, `--opt v`, `--opt=v`; every one, in order.
    pub(crate) fn values_of<'b>(&'b self, short: Option<&'b str>, long: &'b str) -> impl Iterator<Item = &'b str> + 'b {
        let pairs = self.args.iter().zip(self.args.iter().skip(1).chain([&None]));
        pairs.filter_map(move |(word, next)| {
            let word = word.as_deref()?;
            if word == long || Some(word) == short {
                return next.as_deref();
            }
            if let Some(value) = word.strip_prefix(long).and_then(|rest| rest.strip_prefix('=')) {
                return Some(value);
            }
            short.and_then(|short| word.strip_prefix(short)).filter(|_| !word.starts_with("--"))
        })
    }
}

/// The program's name without its directory, which need not be known: `~/.cargo/bin/x` and `"$DIR"/x` are `x`.
fn name_of(word: &Word) -> Option<String> {
    let tail = match word.literal() {
        Some(text) => text.rsplit('/').next().map(str::to_owned),
        None => match word.parts.last() {
            Some(Part::Text(text)) => text.rsplit_once('/').map(|(_, name)| name.to_owned()),
            Some(_) | None => None,
        },
    };
    tail.filter(|name| !name.is_empty())
}

/// Whether a letter stands in a cluster of short options (`-sk`), given the letters that take a value, where a cluster ends.
pub(crate) fn in_cluster(word: &str, letter: char, with_value: &str) -> bool {
    let Some(cluster) = word.strip_prefix('-').filter(|rest| !rest.starts_with('-')) else { return false };
    cluster.chars().take_while(|c| !with_value.contains(*c)).any(|c| c == letter)
}
