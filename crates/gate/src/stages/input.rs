//! Can the call be understood? What can't be is denied, since no later stage could tell what it does.

use super::{Context, Found, Grounds};
use crate::messages::instead;

pub(super) fn look(context: &Context<'_>) -> Found {
    match context.facts {
        Ok(_) => Found::Silent,
        Err(why) => Found::Deny(Grounds::new(format!("The call can't be understood: {why}.")), instead::INPUT),
    }
}
