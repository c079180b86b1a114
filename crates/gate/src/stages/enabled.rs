//! Is the gate on, and does the turn still run?

use super::{Context, Found, Grounds};
use crate::Turn;
use crate::messages::instead;

pub(super) fn enabled(context: &Context<'_>) -> Found {
    let configured = context.policy.config().auto_mode.enabled;
    match (context.state.enabled_override, configured) {
        (Some(false), _) => Found::Off("switched off for this session".to_owned()),
        (None, false) => Found::Off("switched off by `autoMode.enabled`".to_owned()),
        (Some(true), _) | (None, true) => Found::Next(match context.policy.degraded() {
            Some(why) => format!("on, degraded: nothing is allowed without a person ({why})"),
            None => format!("on, mode {}", context.mode),
        }),
    }
}

pub(super) fn cancelled(context: &Context<'_>) -> Found {
    match context.session.turn {
        Turn::Running => Found::Silent,
        Turn::Cancelled => Found::Deny(Grounds::new("The turn was cancelled."), instead::CANCELLED),
    }
}
