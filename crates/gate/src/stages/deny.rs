//! `permissions.deny`.

use portcullis_matcher::RuleSet;

use super::{Context, Found, Grounds, with_matcher_facts};
use crate::messages::instead;
use crate::original::with_original;

pub(super) fn look(context: &Context<'_>) -> Found {
    let Ok(facts) = context.facts else { return Found::Silent };
    let rules = context.policy.rules(context.mode);
    let hit = with_matcher_facts(context, facts, |facts| rules.deny(facts))
        .or_else(|| with_original(context, |facts| rules.deny(facts)));
    let Some(hit) = hit else { return Found::Next("no rule matches".to_owned()) };
    let reason = match &hit.reason {
        Some(reason) => format!("Rule `{}` denies it: {reason}", hit.rule),
        None => format!("Rule `{}` denies it.", hit.rule),
    };
    let rule = Some(context.policy.rule_ref(hit));
    Found::Deny(Grounds { reason, rule, floor: None }, instead::RULE)
}
