//! What is never done, whoever allows it.

use super::{Context, Found, Grounds};
use crate::floor;

pub(super) fn look(context: &Context<'_>) -> Found {
    let Ok(facts) = context.facts else { return Found::Silent };
    match floor::check(&floor::Subject::new(context, facts)) {
        None => Found::Next("no floor rule is hit".to_owned()),
        Some(hit) => {
            Found::Floor(Grounds { reason: format!("{} [{}]", hit.text, hit.id), rule: None, floor: Some(hit.id) })
        }
    }
}
