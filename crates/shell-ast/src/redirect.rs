//! Redirects.

use serde::Serialize;

use crate::Span;
use crate::analysis::{Cwd, Place};
use crate::word::Word;

/// A redirect.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Redirect {
    /// The descriptor before the operator, if written.
    pub fd: Option<u32>,
    /// `{name}>`: the variable that receives the descriptor.
    pub fd_var: Option<String>,
    /// The operator.
    pub op: RedirectOp,
    /// File name, descriptor word or here-string; for a here-document the delimiter.
    pub target: Word,
    /// The body of a here-document or the text of a here-string, if literal.
    pub body: Option<String>,
    /// The whole redirect.
    pub span: Span,
}

/// A redirect of a compound command.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScopedRedirect {
    /// The redirect.
    pub redirect: Redirect,
    /// The directory its target is relative to.
    pub cwd: Cwd,
    /// What encloses the compound command.
    pub place: Place,
}

/// Redirection operators (bash manual, "Redirections").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RedirectOp {
    /// `<`
    Read,
    /// `>`
    Write,
    /// `>>`
    Append,
    /// `>|`
    Clobber,
    /// `<>`: opens for writing too, and creates
    ReadWrite,
    /// `<&`
    DupInput,
    /// `>&` with a descriptor or `-`; with any other word it is [`RedirectOp::WriteBoth`]
    DupOutput,
    /// `&>`, `>&word`
    WriteBoth,
    /// `&>>`
    AppendBoth,
    /// `<<`, `<<-`
    HereDoc,
    /// `<<<`
    HereString,
}

impl RedirectOp {
    /// The operator as written; the shorter spelling where there are two.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Read => "<",
            Self::Write => ">",
            Self::Append => ">>",
            Self::Clobber => ">|",
            Self::ReadWrite => "<>",
            Self::DupInput => "<&",
            Self::DupOutput => ">&",
            Self::WriteBoth => "&>",
            Self::AppendBoth => "&>>",
            Self::HereDoc => "<<",
            Self::HereString => "<<<",
        }
    }

    /// The target is opened for writing.
    pub const fn writes(self) -> bool {
        match self {
            Self::Write | Self::Append | Self::Clobber | Self::ReadWrite | Self::WriteBoth | Self::AppendBoth => true,
            Self::Read | Self::DupInput | Self::DupOutput | Self::HereDoc | Self::HereString => false,
        }
    }
}
