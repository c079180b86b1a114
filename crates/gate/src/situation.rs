//! What kind of call it is, as the mode table tells kinds apart.

use std::path::PathBuf;

use portcullis_matcher::{Access, ToolKind};
use portcullis_paths::{
    ResolvedPath, cargo_config_runs_code, git_config_runs_code, inside, npm_config_runs_code, resolve,
    working_tree_problem,
};
use portcullis_shell_ast::{AccessMode, Need};

use crate::facts::{CallFacts, ShellAccess};
use crate::modes::BOOKKEEPING;
use crate::secrets;
use crate::stages::{Context, denied_in_shell};
use crate::words::Target;

/// Kinds of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// a read-only file tool
    Read,
    /// a shell command that is proven to read only
    ShellRead,
    /// a read-only file tool on a path that may hold secrets
    SensitiveRead,
    /// the plan file is written, and nothing else
    PlanFile,
    /// something in the memory or scratch directory is written
    SessionPlace,
    /// an edit inside the working directory, not protected
    InTreeEdit,
    /// a protected path is changed
    ProtectedWrite,
    /// a task for another agent
    Delegation,
    /// the agent's own books
    Bookkeeping,
    /// anything else
    Other,
}

impl Kind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Read => "a read",
            Self::ShellRead => "a read-only command",
            Self::SensitiveRead => "a read of what may be secret",
            Self::PlanFile => "a write of the plan file",
            Self::SessionPlace => "a write to the session's own place",
            Self::InTreeEdit => "an edit inside the working directory",
            Self::ProtectedWrite => "a change of a protected path",
            Self::Delegation => "a task for another agent",
            Self::Bookkeeping => "bookkeeping",
            Self::Other => "a call that no rule decides",
        }
    }
}

/// The kind, and what was found on the way.
#[derive(Debug)]
pub(crate) struct Situation {
    pub(crate) kind: Kind,
    /// The working directory and the additional ones.
    pub(crate) tree: Vec<ResolvedPath>,
    /// Why the working directory is no working tree.
    pub(crate) tree_problem: Option<String>,
    /// A protected path that is changed.
    pub(crate) protected: Option<String>,
    /// A sensitive path that is touched, and why it is one.
    pub(crate) sensitive: Option<(String, &'static str)>,
    /// A denied path that a shell command meets, and the pattern.
    pub(crate) denied: Option<(String, String)>,
    /// Why a shell command is not proven to read only.
    pub(crate) why_not_read_only: Option<String>,
}

impl Situation {
    pub(crate) fn new(context: &Context<'_>, facts: &CallFacts) -> Self {
        let tree = tree(context, facts);
        let tree_problem = working_tree_problem(&facts.cwd, &facts.base);
        let mut situation = Self {
            kind: Kind::Other,
            sensitive: secrets::touched(facts, if tree_problem.is_none() { &tree } else { &[] }),
            tree,
            tree_problem,
            protected: protected(context, facts),
            denied: facts.shell.iter().find_map(|access| {
                denied_in_shell(context, access).map(|found| (access.text.clone(), found.pattern().to_owned()))
            }),
            why_not_read_only: None,
        };
        situation.kind = situation.kind(context, facts);
        situation
    }

    fn kind(&mut self, context: &Context<'_>, facts: &CallFacts) -> Kind {
        let call = context.call;
        if BOOKKEEPING.iter().any(|row| row.tool == call.tool.as_str()) {
            return Kind::Bookkeeping;
        }
        match call.kind() {
            ToolKind::Read | ToolKind::Grep | ToolKind::Find | ToolKind::Ls => match self.sensitive {
                None => Kind::Read,
                Some(_) => Kind::SensitiveRead,
            },
            ToolKind::Write | ToolKind::Edit | ToolKind::NotebookEdit => self.edit(context, facts),
            ToolKind::Agent => Kind::Delegation,
            ToolKind::Bash => self.shell(context, facts),
            ToolKind::Mcp | ToolKind::Other | ToolKind::WebFetch | ToolKind::WebSearch => {
                if self.protected.is_some() {
                    Kind::ProtectedWrite
                } else {
                    Kind::Other
                }
            }
        }
    }

    fn edit(&self, context: &Context<'_>, facts: &CallFacts) -> Kind {
        let all = |test: &dyn Fn(&ResolvedPath) -> bool| {
            !facts.files.is_empty() && facts.files.iter().all(|file| test(&file.path))
        };
        let place = |text: &Option<String>| -> Option<PathBuf> {
            // Judged by the resolved target, on both sides.
            Some(resolve(context.ports.fs, text.as_deref()?, &facts.base).ok()?.resolved)
        };
        if let Some(plan) = place(&context.session.plan_file)
            && all(&|path| path.resolved == plan)
        {
            return Kind::PlanFile;
        }
        let places: Vec<PathBuf> =
            [place(&context.session.memory_dir), place(&context.session.scratchpad)].into_iter().flatten().collect();
        if all(&|path| places.iter().any(|place| path.resolved.starts_with(place))) {
            return Kind::SessionPlace;
        }
        if self.protected.is_some() {
            return Kind::ProtectedWrite;
        }
        if self.tree_problem.is_none() && all(&|path| inside(path, &self.tree)) {
            return Kind::InTreeEdit;
        }
        Kind::Other
    }

    fn shell(&mut self, context: &Context<'_>, facts: &CallFacts) -> Kind {
        self.why_not_read_only = self.not_read_only(context, facts);
        if self.why_not_read_only.is_none() {
            return Kind::ShellRead;
        }
        if self.protected.is_some() { Kind::ProtectedWrite } else { Kind::Other }
    }

    /// Why a shell command does not count as a read.
    fn not_read_only(&self, context: &Context<'_>, facts: &CallFacts) -> Option<String> {
        let (Some(analysis), Some(effects)) = (&facts.analysis, &facts.effects) else {
            return Some("no analysis".to_owned());
        };
        if !context.policy.config().auto_mode.shell_read_only {
            return Some("`shellReadOnly` is off".to_owned());
        }
        if !analysis.is_whole() {
            return Some(match analysis.opaque.first() {
                Some(opaque) => format!("the analysis can't see everything: {}", opaque.detail),
                None => "the analysis is not whole".to_owned(),
            });
        }
        if !effects.read_only {
            return Some(effects.why_not.clone().unwrap_or_else(|| "not proven to read only".to_owned()));
        }
        if let Some((path, pattern)) = &self.denied {
            return Some(format!("`{path}` may be a denied path (`{pattern}`)"));
        }
        if let Some((path, reason)) = &self.sensitive {
            return Some(format!("`{path}` {reason}"));
        }
        let unknown =
            |access: &&ShellAccess| matches!(access.target, Target::Unknown) && access.mode != AccessMode::Inspect;
        if let Some(access) = facts.shell.iter().find(unknown) {
            return Some(format!("it reads `{}`, which can't be told", access.text));
        }
        if let Some(access) = facts.shell.iter().find(|access| access.mode.changes()) {
            return Some(format!("it changes `{}`", access.text));
        }
        let effects = effects.commands.iter().chain(&effects.extra);
        effects.into_iter().find_map(|effect| {
            if effect.reads_secrets {
                return Some(format!("it prints what may be secret: {}", effect.reason));
            }
            effect.needs.iter().find_map(|need| unmet(*need, context, facts, &effect.cwd))
        })
    }
}

/// Why a project's configuration may make a reading command run something.
fn unmet(need: Need, context: &Context<'_>, facts: &CallFacts, cwd: &portcullis_shell_ast::Cwd) -> Option<String> {
    let fs = context.ports.fs;
    let Some(base) = facts.directory(cwd, fs) else {
        return Some("the directory that it runs in is not known".to_owned());
    };
    match need {
        Need::TrustedGitConfig => git_config_runs_code(fs, &base.cwd),
        Need::TrustedCargoConfig => cargo_config_runs_code(fs, &base.cwd, &base),
        Need::TrustedNpmConfig => npm_config_runs_code(fs, &base.cwd, &base),
        Need::TrustedGoToolchain => Some("go may fetch and run the toolchain that the project names".to_owned()),
        Need::TrustedTerraformProviders => Some("terraform runs the provider programs of the project".to_owned()),
    }
}

/// The directories in which edits are routine. One that is a root itself is none.
fn tree(context: &Context<'_>, facts: &CallFacts) -> Vec<ResolvedPath> {
    let configured = context.policy.config().permissions.additional_directories.iter().map(|rule| rule.text.as_str());
    let named = context.session.additional_directories.iter().map(String::as_str);
    let more = configured
        .chain(named)
        .filter_map(|text| resolve(context.ports.fs, text, &facts.base).ok())
        .filter(|path| working_tree_problem(path, &facts.base).is_none());
    std::iter::once(facts.cwd.clone()).chain(more).collect()
}

fn protected(context: &Context<'_>, facts: &CallFacts) -> Option<String> {
    let protected = context.policy.protected();
    let written = facts.files.iter().filter(|file| file.access == Access::Write).map(|file| &file.path);
    let changed = facts.shell.iter().filter(|access| access.mode.changes()).filter_map(|access| match &access.target {
        Target::Path(path) => Some(path),
        Target::Glob(_) | Target::Unknown => None,
    });
    let hit = written.chain(changed).find(|path| protected.matches(path, &facts.base).is_some())?;
    Some(hit.resolved.to_string_lossy().into_owned())
}
