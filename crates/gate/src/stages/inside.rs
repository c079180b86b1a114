//! `allowInsideWorkingDirectory`.

use portcullis_matcher::Access;
use portcullis_paths::inside;

use super::{Context, Found, Grounds};
use crate::situation::Kind;

pub(super) fn look(context: &Context<'_>) -> Found {
    let (Ok(facts), Some(situation)) = (context.facts, context.situation) else { return Found::Silent };
    if !context.policy.config().auto_mode.allow_inside_working_directory || facts.files.is_empty() {
        return Found::Silent;
    }
    let kind = context.call.kind();
    if !(kind.changes_files() || kind.reads_files()) {
        return Found::Silent;
    }
    if let Some(problem) = &situation.tree_problem {
        return Found::Next(problem.clone());
    }
    if situation.sensitive.is_some() {
        return Found::Next("it may hold secrets".to_owned());
    }
    let all_inside = facts.files.iter().all(|file| inside(&file.path, &situation.tree));
    let writes = facts.files.iter().any(|file| file.access == Access::Write);
    match (all_inside, writes, situation.kind) {
        (false, _, _) => Found::Next("outside the working directory".to_owned()),
        (true, true, Kind::InTreeEdit) | (true, false, _) => {
            Found::Allow(Grounds::new("Inside the working directory."))
        }
        (true, true, _) => Found::Next("a protected path takes no local allow".to_owned()),
    }
}
