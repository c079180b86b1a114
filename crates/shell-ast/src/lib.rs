//! Sound analysis of bash command strings: every command, redirect and effect, or an opaque mark.
//!
//! A permission gate decides about a command string before bash sees it. What counts is not what the string looks like
//! but what bash would run, so this crate reads it as bash does: its own lexer and parser build a tree (`syntax`), a
//! walk turns the tree into an [`Analysis`] (`walk`), following the programs that run their arguments (`dispatch`:
//! `sudo`, `xargs`, `bash -c` …) and literal scripts inside scripts. What can't be known statically, such as a command
//! name from a variable, is not guessed but marked as [`Opaque`].
//!
//! The promise is soundness: every command bash could run is in [`Analysis::commands`], or its place is under an opaque
//! mark. Nobody should have to trust one parser with that, so a second, independent one (brush-parser) reads the same
//! text (`brush`), and [`Analysis::is_whole`] holds only if both found the same commands.
//!
//! [`effects()`] then says what the commands do, from specs that prove rather than guess.
//!
//! ```
//! let analysis = portcullis_shell_ast::analyze("cd src && sudo rm -rf \"$DIR\" | tee log");
//! let names: Vec<_> = analysis.commands.iter().map(|c| c.words[0].literal().unwrap_or_default()).collect();
//! assert_eq!(names, ["cd", "sudo", "rm", "tee"]);
//! assert!(analysis.is_whole());
//! ```
//!
//! Pure: no file system, no environment, no clock. Bounded: [`Limits`] cap size, nesting and work; the time is linear in
//! the input.

mod analysis;
mod brush;
mod dispatch;
mod effects;
mod limits;
mod redirect;
mod render;
mod span;
mod syntax;
mod walk;
mod word;

pub use analysis::{
    Analysis, Assignment, Command, Construct, Context, Cwd, Limit, Opaque, OpaqueKind, Origin, ParseOutcome, Part,
    PipePosition, Place, Redirect, RedirectOp, ScopedRedirect, SecondOpinion, Word,
};
pub use effects::{Access, AccessMode, CommandEffect, EffectKind, Effects, Need, effects};
pub use limits::Limits;
pub use span::Span;

/// Analyses `script` as `bash -c` would read it.
///
/// ```
/// let analysis = portcullis_shell_ast::analyze("echo \"$(git push origin main)\"");
/// assert_eq!(analysis.commands[1].words[1].literal().as_deref(), Some("push"));
/// ```
pub fn analyze(script: &str) -> Analysis {
    analyze_with(script, &Limits::default())
}

/// [`analyze`] with other limits.
pub fn analyze_with(script: &str, limits: &Limits) -> Analysis {
    walk::analyze(script, limits)
}
