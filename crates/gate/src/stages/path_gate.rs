//! Denied paths, and scopes that could reach one.

use portcullis_config::DeniedPathsInShell;
use portcullis_matcher::{Access, ToolKind};
use portcullis_paths::absolute_globs;

use super::{Context, Found, Grounds};
use crate::facts::{CallFacts, ShellAccess};
use crate::messages::instead;
use crate::words::Target;

pub(super) fn look(context: &Context<'_>) -> Found {
    let Ok(facts) = context.facts else { return Found::Silent };
    let denied = context.policy.denied();
    if denied.is_empty() {
        return Found::Silent;
    }
    for file in &facts.files {
        if let Some(pattern) = denied.matches(&file.path) {
            return deny(&file.path.resolved.to_string_lossy(), pattern);
        }
        if file.access == Access::Scope
            && let Some(pattern) = denied.scope_may_contain(&file.path)
        {
            return deny_scope(&file.path.resolved.to_string_lossy(), pattern);
        }
    }
    if let Some((glob, pattern)) = denied_glob(context, facts) {
        return deny(&glob, &pattern);
    }
    let shell = facts.shell.iter().find_map(|access| denied_in_shell(context, access).map(|found| (access, found)));
    match (shell, context.policy.config().auto_mode.denied_paths_in_shell) {
        (None, _) => Found::Next("no denied path is touched".to_owned()),
        (Some((access, DeniedAccess::Touches(pattern))), DeniedPathsInShell::Deny) => deny(&access.text, &pattern),
        (Some((access, found)), _) => {
            Found::Next(format!("`{}` may touch `{}`: no local allow", access.text, found.pattern()))
        }
    }
}

/// How a shell access meets the denied paths.
pub(crate) enum DeniedAccess {
    /// It touches one.
    Touches(String),
    /// It goes through a tree that may hold one.
    MayReach(String),
}

impl DeniedAccess {
    pub(crate) fn pattern(&self) -> &str {
        match self {
            Self::Touches(pattern) | Self::MayReach(pattern) => pattern,
        }
    }
}

/// Whether an access of a shell command meets a denied path.
pub(crate) fn denied_in_shell(context: &Context<'_>, access: &ShellAccess) -> Option<DeniedAccess> {
    let denied = context.policy.denied();
    match &access.target {
        Target::Unknown => None,
        Target::Glob(globs) => {
            let pattern = globs.iter().find_map(|glob| denied.glob_may_match(glob))?;
            Some(DeniedAccess::Touches(pattern.to_owned()))
        }
        Target::Path(path) => {
            if let Some(pattern) = denied.matches(path) {
                return Some(DeniedAccess::Touches(pattern.to_owned()));
            }
            let pattern = access.recursive.then(|| denied.scope_may_contain(path)).flatten()?.to_owned();
            // A recursive reader prints what it finds, as the grep tool does; names alone and changes are left to judgement.
            Some(match access.mode {
                portcullis_shell_ast::AccessMode::Read => DeniedAccess::Touches(pattern),
                _ => DeniedAccess::MayReach(pattern),
            })
        }
    }
}

/// A file search whose own pattern reaches a denied path.
fn denied_glob(context: &Context<'_>, facts: &CallFacts) -> Option<(String, String)> {
    if context.call.kind() != ToolKind::Find {
        return None;
    }
    let pattern = context.call.input.get("pattern")?.as_str()?;
    facts.files.iter().find_map(|file| {
        let mut base = facts.base.clone();
        base.cwd.clone_from(&file.path.resolved);
        let globs = absolute_globs(context.ports.fs, pattern, &base).ok()?;
        let hit = globs.iter().find_map(|glob| context.policy.denied().glob_may_match(glob))?;
        Some((pattern.to_owned(), hit.to_owned()))
    })
}

fn deny(path: &str, pattern: &str) -> Found {
    let reason = format!("`{path}` is a denied path (`{pattern}`).");
    Found::Deny(Grounds::new(reason), instead::PATH)
}

fn deny_scope(path: &str, pattern: &str) -> Found {
    let reason = format!("A search below `{path}` could reach a denied path (`{pattern}`).");
    Found::Deny(Grounds::new(reason), instead::PATH)
}
