//! What the mode says of everything that is still open: the mode table.

use portcullis_config::Mode;

use super::{Context, Found, Grounds};
use crate::Route;
use crate::messages::{self, instead, mode_denies};
use crate::modes::{Action, action};
use crate::situation::{Kind, Situation};

pub(super) fn look(context: &Context<'_>) -> Found {
    let Some(situation) = context.situation else { return Found::Silent };
    // In auto mode a read that comes here left the read-only tier (`classifyReadOnlyTools`, an ask rule): it is undecided like
    // anything else. In other modes it is still a read, and whoever closed the tier has the say.
    let kind = match situation.kind {
        Kind::Read | Kind::ShellRead | Kind::Bookkeeping if context.mode == Mode::Auto => Kind::Other,
        kind => kind,
    };
    let (route, why) = route(situation);
    match action(context.mode, kind) {
        Action::Allow => Found::Allow(Grounds::new(format!("Mode {} allows {}.", context.mode, kind.name()))),
        Action::Deny => Found::Deny(Grounds::new(mode_denies(context.mode)), deny_instead(context.mode)),
        Action::Classify => Found::Classify(route, why),
        Action::Ask if context.policy.config().auto_mode.resolve_asks => Found::Classify(route, why),
        Action::Ask => Found::Person(format!("Mode {} asks about {}.", context.mode, kind.name())),
    }
}

fn deny_instead(mode: Mode) -> &'static str {
    match mode {
        Mode::Plan => instead::PLAN,
        Mode::Default | Mode::AcceptEdits | Mode::Auto | Mode::DontAsk | Mode::BypassPermissions => instead::DONT_ASK,
    }
}

fn route(situation: &Situation) -> (Route, String) {
    if let Some((path, pattern)) = &situation.denied {
        return (Route::DeniedPath, messages::denied_in_shell(path, pattern));
    }
    if let Some(path) = &situation.protected {
        return (Route::ProtectedPath, messages::protected(path));
    }
    if situation.kind == Kind::Delegation {
        return (Route::Delegation, messages::DELEGATION.to_owned());
    }
    if let Some((path, reason)) = &situation.sensitive {
        return (Route::SensitivePath, messages::sensitive(path, reason));
    }
    (Route::Residual, messages::RESIDUAL.to_owned())
}
