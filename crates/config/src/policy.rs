//! The map-style policy (`permission`) of pi-permission-system: reading and merging.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic as found;
use crate::effective::{MapAction, MapPolicy, MapRule, MapSurface};
use crate::json::Kind;
use crate::low::{Low, LowSurface, Shape};
use crate::reader::{At, MAX_RULE_UNITS, Reader, name};

/// Longest reason, in characters.
const MAX_REASON: usize = 500;

/// Reads `permission`.
pub(crate) fn read(low: &mut Low, r: &mut Reader, at: &At<'_>) {
    if !matches!(at.node.kind, Kind::Object(_)) {
        r.lose(at, format!("{} must be an object, found {}", name(&at.pointer), at.node.type_name()), None);
        return;
    }
    let Some(members) = r.members(at) else { return };
    let earlier = low.policy.take().unwrap_or_default();
    let mut places: BTreeMap<String, usize> =
        earlier.iter().enumerate().map(|(place, low)| (low.surface.name.clone(), place)).collect();
    let mut surfaces = earlier;
    for (surface, _, at) in members {
        if surface.trim().is_empty() {
            r.lose(&at, "a surface of the permission map has a blank name".to_owned(), None);
            continue;
        }
        let (shape, rules) = match &at.node.kind {
            Kind::Object(_) if !is_action_object(&at) => (Shape::Patterns, patterns(r, &at)),
            _ => {
                let (action, reason) = action(r, &at);
                let rule = MapRule { pattern: "*".to_owned(), action, reason, source: r.source(&at, 0) };
                (Shape::Single, vec![rule])
            }
        };
        match places.get(surface).and_then(|place| surfaces.get_mut(*place)) {
            None => {
                places.insert(surface.to_owned(), surfaces.len());
                surfaces.push(LowSurface { shape, surface: MapSurface { name: surface.to_owned(), rules } });
            }
            Some(known) => {
                known.shape = Shape::Patterns;
                known.surface.rules = both(std::mem::take(&mut known.surface.rules), rules);
            }
        }
    }
    low.policy = Some(surfaces);
}

/// `{"action": "deny", "reason": …}` in the place of a whole surface.
fn is_action_object(at: &At<'_>) -> bool {
    matches!(&at.node.kind, Kind::Object(members)
        if members.iter().any(|m| m.key == "action" && matches!(&m.value.kind, Kind::String(t) if t.parse::<MapAction>().is_ok()))
        && members.iter().all(|m| m.key == "action" || m.key == "reason"))
}

fn patterns(r: &mut Reader, at: &At<'_>) -> Vec<MapRule> {
    let mut rules = Rules::default();
    for (index, (pattern, _, at)) in r.members(at).unwrap_or_default().into_iter().enumerate() {
        if pattern.trim().is_empty() || pattern.encode_utf16().count() > MAX_RULE_UNITS {
            r.lose(&at, format!("a pattern of the permission map is blank or longer than {MAX_RULE_UNITS}"), None);
            continue;
        }
        let (action, reason) = action(r, &at);
        let rule = MapRule { pattern: pattern.to_owned(), action, reason, source: r.source(&at, index) };
        rules.put(rule, Clash::Stricter);
    }
    rules.rules
}

/// INVARIANT 1: what is not an action counts as deny.
fn action(r: &mut Reader, at: &At<'_>) -> (MapAction, Option<String>) {
    let reject = |r: &mut Reader, at: &At<'_>| {
        let message = format!("{} must be allow, ask or deny; it counts as deny", name(&at.pointer));
        let hint = Some(r#"or an object such as {"action": "deny", "reason": "why"}"#.to_owned());
        r.report(found::UNKNOWN_VALUE, at, message, hint);
        (MapAction::Deny, None)
    };
    match &at.node.kind {
        Kind::String(text) => match text.parse() {
            Ok(action) => (action, None),
            Err(_) => reject(r, at),
        },
        Kind::Object(_) => {
            let mut reason = None;
            let mut denies = false;
            for (key, _, at) in r.members(at).unwrap_or_default() {
                match (key, &at.node.kind) {
                    ("action", Kind::String(text)) => denies |= text == MapAction::Deny.name(),
                    ("reason", Kind::String(text)) if text.chars().count() <= MAX_REASON => {
                        reason = Some(text.trim().to_owned()).filter(|text| !text.is_empty());
                    }
                    ("reason", _) => {
                        let message = format!("a reason is a string of at most {MAX_REASON} characters; ignored");
                        r.report(found::OUT_OF_RANGE, &at, message, None);
                    }
                    _ => {
                        let message = format!("{} is not a known setting and was ignored", name(&at.pointer));
                        r.report(found::UNKNOWN_KEY, &at, message, None);
                    }
                }
            }
            if denies { (MapAction::Deny, reason) } else { reject(r, at) }
        }
        Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::Array(_) => reject(r, at),
    }
}

/// What happens to a pattern that is there already. It keeps its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Clash {
    /// A repeated key in one file.
    Stricter,
    /// A higher layer.
    Replace,
}

/// Rules in order, each pattern once.
#[derive(Default)]
struct Rules {
    rules: Vec<MapRule>,
    places: BTreeMap<String, usize>,
}

impl Rules {
    fn new(rules: Vec<MapRule>) -> Self {
        let places = rules.iter().enumerate().map(|(place, rule)| (rule.pattern.clone(), place)).collect();
        Self { rules, places }
    }

    fn put(&mut self, rule: MapRule, clash: Clash) {
        let last = self.rules.len().saturating_sub(1);
        let place = self.places.get(&rule.pattern).copied();
        match place.and_then(|place| self.rules.get_mut(place)) {
            Some(known) if clash == Clash::Replace => *known = rule,
            Some(known) if rule.action.max(known.action) == MapAction::Allow => {}
            Some(known) if place == Some(last) => {
                if rule.action > known.action {
                    *known = rule;
                }
            }
            // What restricts holds from both places: a pattern between them may allow.
            Some(known) => {
                let stricter = if rule.action > known.action { rule } else { known.clone() };
                *known = stricter.clone();
                self.places.insert(stricter.pattern.clone(), self.rules.len());
                self.rules.push(stricter);
            }
            None => {
                self.places.insert(rule.pattern.clone(), self.rules.len());
                self.rules.push(rule);
            }
        }
    }
}

/// One surface that answers at least as strictly as each of two readings of it.
///
/// INVARIANT 1: the last match wins, so denies come last and asks before them, and what only one reading allows is asked.
fn both(earlier: Vec<MapRule>, later: Vec<MapRule>) -> Vec<MapRule> {
    let allowed = |rules: &[MapRule]| -> BTreeSet<String> {
        rules.iter().filter(|rule| rule.action == MapAction::Allow).map(|rule| rule.pattern.clone()).collect()
    };
    let (first, second) = (allowed(&earlier), allowed(&later));
    let mut rules = Rules::default();
    for mut rule in earlier.into_iter().chain(later) {
        let in_both = first.contains(&rule.pattern) && second.contains(&rule.pattern);
        if rule.action == MapAction::Allow && !in_both {
            rule.action = MapAction::Ask;
        }
        rules.put(rule, Clash::Stricter);
    }
    rules.rules.sort_by_key(|rule| rule.action);
    rules.rules
}

/// Adds rules to those of an earlier reading.
fn put_all(into: &mut Vec<MapRule>, rules: impl IntoIterator<Item = MapRule>, clash: Clash) {
    let mut all = Rules::new(std::mem::take(into));
    rules.into_iter().for_each(|rule| all.put(rule, clash));
    *into = all.rules;
}

/// Merges the maps of several layers, lowest first.
pub(crate) fn merge(layers: &[&Vec<LowSurface>]) -> Option<MapPolicy> {
    if layers.is_empty() {
        return None;
    }
    let mut merged: Vec<LowSurface> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for incoming in layers.iter().copied().flatten() {
        let name = incoming.surface.name.as_str();
        match places.get(name).and_then(|place| merged.get_mut(*place)) {
            None => {
                places.insert(name, merged.len());
                merged.push(incoming.clone());
            }
            Some(known) => match (known.shape, incoming.shape) {
                (Shape::Patterns, Shape::Patterns) => {
                    put_all(&mut known.surface.rules, incoming.surface.rules.iter().cloned(), Clash::Replace);
                }
                (Shape::Single, _) | (_, Shape::Single) => *known = incoming.clone(),
            },
        }
    }
    let plain = |surfaces: &[LowSurface]| surfaces.iter().map(|low| low.surface.clone()).collect::<Vec<_>>();
    let floors = if layers.len() > 1 { layers.iter().map(|layer| plain(layer)).collect() } else { Vec::new() };
    Some(MapPolicy { surfaces: plain(&merged), floors })
}

/// Denies of one layer that a higher one tried to take back, each with the rule that tried.
pub(crate) fn overridden_denies<'a>(
    lower: &'a [LowSurface],
    higher: &'a [LowSurface],
) -> Vec<(&'a MapRule, &'a MapRule)> {
    let surfaces: BTreeMap<&str, &LowSurface> = higher.iter().map(|high| (high.surface.name.as_str(), high)).collect();
    let mut found = Vec::new();
    for low in lower {
        let Some(high) = surfaces.get(low.surface.name.as_str()) else {
            continue;
        };
        let loosening: BTreeMap<&str, &MapRule> = high
            .surface
            .rules
            .iter()
            .filter(|rule| rule.action != MapAction::Deny)
            .map(|rule| (rule.pattern.as_str(), rule))
            .collect();
        for denied in low.surface.rules.iter().filter(|rule| rule.action == MapAction::Deny) {
            let key = if high.shape == Shape::Single { "*" } else { denied.pattern.as_str() };
            if let Some(rule) = loosening.get(key) {
                found.push((denied, *rule));
            }
        }
    }
    found
}
