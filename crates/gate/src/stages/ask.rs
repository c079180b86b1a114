//! `permissions.ask`.

use portcullis_config::Mode;
use portcullis_matcher::RuleSet;

use super::{Context, Found, Grounds, with_matcher_facts};
use crate::messages::instead;
use crate::original::with_original;

pub(super) fn look(context: &Context<'_>) -> Found {
    let Ok(facts) = context.facts else { return Found::Silent };
    let rules = context.policy.rules(context.mode);
    let hit = with_matcher_facts(context, facts, |facts| rules.ask(facts))
        .or_else(|| with_original(context, |facts| rules.ask(facts)));
    let Some(hit) = hit else { return Found::Next("no rule matches".to_owned()) };
    let rule = context.policy.rule_ref(hit);
    match context.mode {
        Mode::BypassPermissions => Found::Next(format!("rule `{}` asks; this mode does not", rule.text)),
        Mode::DontAsk => {
            let reason = format!("Rule `{}` wants a person to be asked, and mode dontAsk asks nobody.", rule.text);
            Found::Deny(Grounds { reason, rule: Some(rule), floor: None }, instead::DONT_ASK)
        }
        Mode::Default | Mode::AcceptEdits | Mode::Plan | Mode::Auto => Found::AskRule(rule),
    }
}
