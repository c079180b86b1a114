//! What is proven to change nothing and to reveal nothing that is closed.

use portcullis_config::Mode;

use super::{Context, Found, Grounds};
use crate::modes::BOOKKEEPING;
use crate::situation::Kind;

pub(super) fn look(context: &Context<'_>) -> Found {
    let Some(situation) = context.situation else { return Found::Silent };
    match situation.kind {
        Kind::Bookkeeping => {
            let row = BOOKKEEPING.iter().find(|row| row.tool == context.call.tool.as_str());
            Found::Allow(Grounds::new(row.map_or("Harmless bookkeeping.", |row| row.reason)))
        }
        Kind::Read if context.mode == Mode::Auto && context.policy.config().auto_mode.classify_read_only_tools => {
            Found::Next("`classifyReadOnlyTools` is on".to_owned())
        }
        Kind::Read => Found::Allow(Grounds::new("A read-only file tool.")),
        Kind::ShellRead => Found::Allow(Grounds::new("The command is proven to read only.")),
        Kind::PlanFile
        | Kind::SessionPlace
        | Kind::InTreeEdit
        | Kind::ProtectedWrite
        | Kind::Delegation
        | Kind::SensitiveRead
        | Kind::Other => Found::Next(situation.why_not_read_only.clone().unwrap_or_else(|| "not a read".to_owned())),
    }
}
