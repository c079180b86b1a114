//! What the mode says before the allow tiers: bypass allows, plan forbids, the session's own places are writable.

use portcullis_config::Mode;

use super::{Context, Found, Grounds};
use crate::messages::{instead, mode_denies};
use crate::modes::{Action, action};
use crate::situation::Kind;

pub(super) fn look(context: &Context<'_>) -> Found {
    let Some(situation) = context.situation else { return Found::Silent };
    let mode = context.mode;
    match mode {
        Mode::BypassPermissions => {
            return Found::Allow(Grounds::new("Mode bypassPermissions allows what nothing denies."));
        }
        Mode::Plan => match situation.kind {
            Kind::PlanFile => return Found::Allow(Grounds::new("The plan file may be written in plan mode.")),
            kind if action(mode, kind) == Action::Deny => {
                return Found::Deny(Grounds::new(mode_denies(mode)), instead::PLAN);
            }
            _ => {}
        },
        Mode::Default | Mode::AcceptEdits | Mode::Auto | Mode::DontAsk => {}
    }
    match situation.kind {
        Kind::SessionPlace => Found::Allow(Grounds::new("The session's own memory or scratch directory.")),
        Kind::InTreeEdit if mode == Mode::AcceptEdits => {
            Found::Allow(Grounds::new("Mode acceptEdits allows edits inside the working directory."))
        }
        _ => Found::Next(format!("mode {mode}: {}", situation.kind.name())),
    }
}
