//! The user's rules, lists and maps, as one set.

use portcullis_config as config;
use portcullis_matcher::{
    Facts, Hit, List, ListRules, MapAction, MapEntry, MapPolicy, MapSurface, RuleProblem, RuleSet, ShellRules,
    Suspended,
};

/// `permissions.*` and the map-style `permission` policy. The lists are asked first; what restricts counts wherever it stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    lists: ListRules,
    map: MapPolicy,
    /// The map of each layer by itself.
    floors: Vec<MapPolicy>,
}

impl Rules {
    pub(crate) fn compile(config: &config::EffectiveConfig) -> (Self, Vec<RuleProblem>) {
        let permissions = &config.permissions;
        let texts = |rules: &'_ [config::SourcedRule]| rules.iter().map(|rule| rule.text.clone()).collect::<Vec<_>>();
        let (deny, ask, allow) = (texts(&permissions.deny), texts(&permissions.ask), texts(&permissions.allow));
        let (lists, mut problems) = ListRules::compile(&borrowed(&deny), &borrowed(&ask), &borrowed(&allow));
        let policy = config.policy.clone().unwrap_or_default();
        let mut compiled = |surfaces: &[config::MapSurface]| {
            let (map, more) = MapPolicy::compile(&surfaces.iter().map(surface).collect::<Vec<_>>());
            problems.extend(more);
            map
        };
        let map = compiled(&policy.surfaces);
        let floors = policy.floors.iter().map(|surfaces| compiled(surfaces)).collect();
        (Self { lists, map, floors }, problems)
    }

    /// Without the list rules that hand over arbitrary execution. A map says for each command what it allows, and stays.
    pub(crate) fn suspend_broad(self, shell: ShellRules) -> (Self, Vec<Suspended>) {
        let (lists, suspended) = self.lists.suspend_broad(shell);
        (Self { lists, ..self }, suspended)
    }
}

impl RuleSet for Rules {
    fn deny(&self, facts: &Facts<'_>) -> Option<Hit> {
        let by_map = || std::iter::once(&self.map).chain(&self.floors).find_map(|map| map.deny(facts));
        self.lists.deny(facts).or_else(by_map)
    }

    fn ask(&self, facts: &Facts<'_>) -> Option<Hit> {
        self.lists.ask(facts).or_else(|| self.map.ask(facts))
    }

    fn allow(&self, facts: &Facts<'_>) -> Option<Hit> {
        self.lists.allow(facts).or_else(|| self.map.allow(facts))
    }
}

fn borrowed(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

fn surface(surface: &config::MapSurface) -> MapSurface {
    let entry = |rule: &config::MapRule| MapEntry {
        pattern: rule.pattern.clone(),
        action: match rule.action {
            config::MapAction::Allow => MapAction::Allow,
            config::MapAction::Ask => MapAction::Ask,
            config::MapAction::Deny => MapAction::Deny,
        },
        reason: rule.reason.clone(),
    };
    MapSurface { name: surface.name.clone(), entries: surface.rules.iter().map(entry).collect() }
}

/// Where the rule of a list was written. A rule of a map has no place in a list.
pub(crate) fn written(
    config: &config::EffectiveConfig,
    list: List,
    index: usize,
    text: &str,
) -> Option<config::RuleSource> {
    let rules = match list {
        List::Deny => &config.permissions.deny,
        List::Ask => &config.permissions.ask,
        List::Allow => &config.permissions.allow,
    };
    rules.get(index).filter(|rule| rule.text == text).map(|rule| rule.source.clone())
}

/// Where the rule of a hit was written, by its list or by its surface and pattern.
pub(crate) fn source_of(config: &config::EffectiveConfig, hit: &Hit) -> Option<config::RuleSource> {
    let of_map = || {
        let policy = config.policy.as_ref()?;
        let surfaces = policy.surfaces.iter().chain(policy.floors.iter().flatten());
        let mut rules = surfaces.flat_map(|surface| surface.rules.iter().map(move |rule| (surface, rule)));
        let wanted = rules.find(|(surface, rule)| format!("{}: {}", surface.name, rule.pattern.trim()) == hit.rule);
        wanted.map(|(_, rule)| rule.source.clone())
    };
    written(config, hit.list, hit.index, &hit.rule).or_else(of_map)
}
