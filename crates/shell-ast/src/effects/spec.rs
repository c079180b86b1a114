//! The language that command families are described in: consts, read by [`super::options`] and [`super::judge`].
//!
//! Options are written the way a man page's synopsis writes them, blank-separated:
//! `-abc` three options without value, `-n=` / `--name=` an option that takes a value (`-n5`, `-n 5`, `--name=5`,
//! `--name 5`), `-u?` / `--name?` one whose value can only be attached, `--arg==` one that takes two words, `-#` a number
//! (`head -5`).

use super::judge::Judge;
use super::options::Parsed;
use super::{AccessMode, EffectKind, Need};

/// A program and how it is used.
pub(super) type Entry = (&'static str, Form);

/// How a program's words are read.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// One grammar for everything.
    Simple(&'static Usage),
    /// Global options, then a subcommand.
    Tree(&'static Tree),
    /// A language of its own (`find`, `dd`, `test` …).
    Special(fn(&mut Judge<'_>)),
    /// One effect, whatever the words are.
    Always(EffectKind, &'static str),
}

/// Options and operands of a program or subcommand.
#[derive(Clone, Copy)]
pub(super) struct Usage {
    /// Options that change nothing.
    pub options: &'static str,
    /// Options that mean something to us.
    pub rows: &'static [Row],
    /// What the operands are.
    pub operands: Operands,
    /// How options and operands mix.
    pub order: Order,
    /// The effect that the bare command has, and why.
    pub kind: EffectKind,
    /// Why.
    pub reason: &'static str,
    /// Operands are reached with everything below them.
    pub recursive: bool,
    /// What must hold in the project.
    pub needs: &'static [Need],
    /// Further judgement that a table can't hold.
    pub check: Option<fn(&mut Judge<'_>, &Parsed<'_>)>,
}

/// An option that means something.
#[derive(Clone, Copy)]
pub(super) struct Row {
    /// In the notation of [`Usage::options`].
    pub spell: &'static str,
    /// What it does.
    pub act: Act,
    /// One sentence for people.
    pub reason: &'static str,
    /// Where that is written.
    pub source: &'static str,
}

/// What an option does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Its value is a file that is touched this way.
    Path(AccessMode),
    /// Its value is the program or pattern, so that the first operand is a file.
    Pattern,
    /// Its value is a file of patterns, so that the first operand is a file.
    PatternFile,
    /// The operands are reached with everything below them.
    Recursive,
    /// The operands are changed in place.
    Edits,
    /// Its value is the directory that the operands go to, which is then no operand.
    Target,
    /// It has this effect.
    Has(EffectKind),
    /// It shows secrets.
    Secret,
    /// It ends the program before it does anything (`--help`, `--version`).
    Stops,
}

/// What operands are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operands {
    /// There are none; one makes the command unknown.
    None,
    /// Text, names, revisions: no files.
    Text,
    /// Files.
    Files(AccessMode),
    /// Files; without any, the working directory.
    FilesOrCwd(AccessMode),
    /// A pattern or mode, then files.
    TextThen(AccessMode),
    /// A pattern, then files; without any, the working directory if the scope is recursive.
    PatternThenCwd(AccessMode),
    /// `SOURCE… DEST`
    SourcesThen {
        /// How sources are touched.
        source: AccessMode,
        /// How the destination is.
        dest: AccessMode,
    },
    /// `[INPUT [OUTPUT]]`
    InputOutput,
}

/// How options and operands mix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Options anywhere before `--` (GNU getopt).
    Permute,
    /// Options end at the first operand (POSIX guideline 9).
    Posix,
    /// `-name`, `-name=value`, `--name`: no clusters (Go's flag package, terraform).
    SingleDash,
    /// Like [`Order::Permute`], but options outside the table are taken for flags: for commands that are not read-only
    /// anyway, of which only the accesses matter.
    Lenient,
}

/// Global options and subcommands.
#[derive(Clone, Copy)]
pub(super) struct Tree {
    /// Options before a subcommand. With [`Order::Permute`] they may also follow it.
    pub globals: &'static Usage,
    /// Subcommands; the first whose path matches counts.
    pub subs: &'static [Sub],
    /// What any other subcommand does.
    pub other: (EffectKind, &'static str),
}

/// Subcommands with one grammar.
#[derive(Clone, Copy)]
pub(super) struct Sub {
    /// `view|list`, `pr view|pr list`: paths, `|` between alternatives; `*` stands for any one word.
    pub paths: &'static str,
    /// Its grammar.
    pub usage: Usage,
}

/// Reads nothing, changes nothing.
pub(super) const PLAIN: &str = "it only prints";

impl Usage {
    /// A command proven to change nothing with these options.
    pub(super) const fn safe(options: &'static str, operands: Operands) -> Self {
        Self {
            options,
            rows: &[],
            operands,
            order: Order::Permute,
            kind: EffectKind::ReadOnly,
            reason: PLAIN,
            recursive: false,
            needs: &[],
            check: None,
        }
    }

    /// A command with an effect of its own, of which the accesses are worked out as well as they can be.
    pub(super) const fn does(
        kind: EffectKind,
        reason: &'static str,
        options: &'static str,
        operands: Operands,
    ) -> Self {
        Self { kind, reason, order: Order::Lenient, ..Self::safe(options, operands) }
    }

    /// With rows.
    pub(super) const fn rows(self, rows: &'static [Row]) -> Self {
        Self { rows, ..self }
    }

    /// With another order.
    pub(super) const fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// With needs.
    pub(super) const fn needs(self, needs: &'static [Need]) -> Self {
        Self { needs, ..self }
    }

    /// With a check.
    pub(super) const fn check(self, check: fn(&mut Judge<'_>, &Parsed<'_>)) -> Self {
        Self { check: Some(check), ..self }
    }

    /// Reaching everything below its operands.
    pub(super) const fn recursive(self) -> Self {
        Self { recursive: true, ..self }
    }

    /// Some option does more than reading, so a word that could turn out to be an option spoils the proof.
    pub(super) fn has_dangerous_option(&self) -> bool {
        self.rows.iter().any(|row| match row.act {
            Act::Has(kind) => kind != EffectKind::ReadOnly,
            Act::Edits | Act::Secret | Act::Target => true,
            Act::Path(mode) => mode.changes(),
            Act::Pattern | Act::PatternFile | Act::Recursive | Act::Stops => false,
        })
    }
}

impl Sub {
    /// Subcommands with one grammar.
    pub(super) const fn new(paths: &'static str, usage: Usage) -> Self {
        Self { paths, usage }
    }
}

/// A row.
pub(super) const fn row(spell: &'static str, act: Act, reason: &'static str, source: &'static str) -> Row {
    Row { spell, act, reason, source }
}

/// Its value is a file that is read.
pub(super) const fn reads(spell: &'static str) -> Row {
    row(spell, Act::Path(AccessMode::Read), "reads the named file", "its man page")
}

/// Its value is a file that is written.
pub(super) const fn writes(spell: &'static str, reason: &'static str, source: &'static str) -> Row {
    row(spell, Act::Path(AccessMode::Write), reason, source)
}

/// It runs a program.
pub(super) const fn runs(spell: &'static str, reason: &'static str, source: &'static str) -> Row {
    row(spell, Act::Has(EffectKind::ExecutesCode), reason, source)
}

/// It talks to a host or sends data there.
pub(super) const fn sends(spell: &'static str, reason: &'static str, source: &'static str) -> Row {
    row(spell, Act::Has(EffectKind::Network), reason, source)
}

/// It changes something other than files.
pub(super) const fn changes(spell: &'static str, reason: &'static str, source: &'static str) -> Row {
    row(spell, Act::Has(EffectKind::ChangesSystem), reason, source)
}

/// The operands are reached with everything below them.
pub(super) const fn recursive(spell: &'static str) -> Row {
    row(spell, Act::Recursive, "goes through everything below", "its man page")
}

/// Help and version texts.
pub(super) const HELP: Row =
    row("--help --version", Act::Stops, "prints its help or version", "GNU coding standards, 4.8");
