//! The detailed answer: one JSON object with exactly three keys.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

use crate::{AllowTier, BlockTier, Outcome, Policy, prompt::is_hidden, text::one_line};

/// Characters of a reason that are kept.
const REASON_CHARS: usize = 1_000;

/// Reads the detailed answer. The error says what is wrong with it, without quoting it.
///
/// White space around the object is all that is forgiven.
pub(super) fn parse(text: &str, policy: &Policy) -> Result<Outcome, String> {
    let Raw { decision, tier, reason } =
        serde_json::from_str(text).map_err(|error| one_line(&error.to_string(), 200))?;
    if reason.chars().all(|c| c.is_whitespace() || c.is_control() || is_hidden(c)) {
        return Err("the reason is blank".to_owned());
    }
    let reason = one_line(&reason, REASON_CHARS);
    let block = |tier| {
        let rule_id = cited_rule(&reason, tier, policy);
        Outcome::Block { tier, reason: reason.clone(), rule_id }
    };
    match (decision.as_str(), tier.as_str()) {
        ("allow", "allow") => Ok(Outcome::Allow { tier: AllowTier::Allow, reason }),
        ("allow", "explicit_intent") => Ok(Outcome::Allow { tier: AllowTier::ExplicitIntent, reason }),
        ("allow", "none") => Ok(Outcome::Allow { tier: AllowTier::None, reason }),
        ("block", "hard_deny") => Ok(block(BlockTier::HardDeny)),
        ("block", "soft_deny") => Ok(block(BlockTier::SoftDeny)),
        ("block", "none") => Ok(block(BlockTier::None)),
        _ => Err("the decision and tier are not an allowed pair".to_owned()),
    }
}

/// The first rule that the reason cites and that exists in the tier's list. A made-up id is no id.
fn cited_rule(reason: &str, tier: BlockTier, policy: &Policy) -> Option<String> {
    let (letter, rules) = match tier {
        BlockTier::HardDeny => ("H", &policy.hard_deny),
        BlockTier::SoftDeny => ("S", &policy.soft_deny),
        BlockTier::None => return None,
    };
    reason
        .split(|c: char| !c.is_ascii_alphanumeric())
        .find(|word| {
            let number = word.strip_prefix(letter).filter(|digits| !digits.starts_with(['0', '+']));
            number
                .and_then(|digits| digits.parse().ok())
                .is_some_and(|number: usize| (1..=rules.len()).contains(&number))
        })
        .map(str::to_owned)
}

/// The object as written. Its own visitor, because serde's derive lets a later duplicate of an ignored key pass and `Value` keeps
/// the last of several: either would let an answer say two things.
struct Raw {
    decision: String,
    tier: String,
    reason: String,
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one JSON object with the keys decision, tier and reason")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Raw, A::Error> {
        let (mut decision, mut tier, mut reason) = (None, None, None);
        while let Some(key) = map.next_key::<String>()? {
            let slot: &mut Option<String> = match key.as_str() {
                "decision" => &mut decision,
                "tier" => &mut tier,
                "reason" => &mut reason,
                _ => return Err(Error::custom("unknown key")),
            };
            if slot.replace(map.next_value()?).is_some() {
                return Err(Error::custom("duplicate key"));
            }
        }
        Ok(Raw {
            decision: decision.ok_or_else(|| Error::missing_field("decision"))?,
            tier: tier.ok_or_else(|| Error::missing_field("tier"))?,
            reason: reason.ok_or_else(|| Error::missing_field("reason"))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn policy() -> Policy {
        let rules = |count: usize| vec!["rule".to_owned(); count];
        Policy { soft_deny: rules(2), hard_deny: rules(12), ..Policy::default() }
    }

    #[test]
    fn only_existing_rules_of_the_tier_are_cited() {
        for (tier, reason, id) in [
            ("hard_deny", "H3: no", Some("H3")),
            ("hard_deny", "by rule (H12).", Some("H12")),
            ("hard_deny", "H13, H0 or H03, then H1", Some("H1")),
            ("hard_deny", "S1", None),
            ("hard_deny", "SH1A", None),
            ("soft_deny", "S2 applies, not H1", Some("S2")),
            ("soft_deny", "S3", None),
            ("none", "H1", None),
        ] {
            let text = format!(r#"{{"decision":"block","tier":"{tier}","reason":"{reason}"}}"#);
            let Ok(Outcome::Block { rule_id, .. }) = parse(&text, &policy()) else { panic!("{text}") };
            assert_eq!(rule_id.as_deref(), id, "{tier}: {reason}");
        }
    }

    proptest::proptest! {
        #[test]
        fn nothing_but_one_exact_object_is_a_decision(
            head in "[ \n]{0,2}|[a-z{\\[\"`]{1,2}",
            order in Just(["decision", "tier", "reason"]).prop_shuffle(),
            kept in 2_usize..=3,
            extra in proptest::collection::vec("decision|tier|reason|other", 0..=1),
            (decision, tier, reason) in ("allow|block", "allow|none|hard_deny|x", "because|"),
            tail in "[ \n]{0,2}|[a-z}\\]\",`]{1,2}",
        ) {
            let keys: Vec<&str> = order.iter().copied().take(kept).chain(extra.iter().map(String::as_str)).collect();
            let members = keys.iter().map(|key| {
                let value = match *key { "decision" => &decision, "tier" => &tier, _ => &reason };
                format!(r#""{key}":"{value}""#)
            });
            let text = format!("{head}{{{}}}{tail}", members.collect::<Vec<_>>().join(","));
            let mut sorted = keys.clone();
            sorted.sort_unstable();
            let pair = matches!((decision.as_str(), tier.as_str()), ("allow", "allow" | "none") | ("block", "none" | "hard_deny"));
            let exact = head.trim().is_empty() && tail.trim().is_empty() && sorted == ["decision", "reason", "tier"];
            prop_assert_eq!(parse(&text, &policy()).is_ok(), exact && pair && !reason.is_empty(), "{}", text);
        }
    }
}
