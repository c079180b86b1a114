//! `permissions.allow`, and what the user allowed for the session.

use portcullis_matcher::RuleSet;

use super::{Context, Found, Grounds, with_matcher_facts};
use crate::original::with_original_for_allow;

pub(super) fn look(context: &Context<'_>) -> Found {
    let (Ok(facts), Some(situation)) = (context.facts, context.situation) else { return Found::Silent };
    if let Some(path) = &situation.protected {
        return Found::Next(format!("allow rules don't cover protected paths (`{path}`)"));
    }
    if let Some((path, pattern)) = &situation.denied {
        return Found::Next(format!("allow rules don't cover denied paths (`{path}`: `{pattern}`)"));
    }
    let allowed =
        context.state.session_allows.iter().any(|allow| {
            allow.tool == context.call.tool.as_str() && allow.command.as_deref() == facts.command.as_deref()
        });
    if allowed {
        return Found::Allow(Grounds::new("The user allowed this call for the session."));
    }
    let rules = context.policy.rules(context.mode);
    let hit = with_matcher_facts(context, facts, |facts| rules.allow(facts))
        .or_else(|| with_original_for_allow(context, |facts| rules.allow(facts)));
    match hit {
        None => Found::Next("no rule covers it".to_owned()),
        Some(hit) => {
            let reason = format!("Rule `{}` allows it.", hit.rule);
            let rule = Some(context.policy.rule_ref(hit));
            Found::Allow(Grounds { reason, rule, floor: None })
        }
    }
}
