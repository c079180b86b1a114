//! Laws of merging, tried on made-up layers.
#![expect(clippy::indexing_slicing, clippy::string_slice, reason = "a test helper that fails should fail the test")]

use std::collections::BTreeSet;

use portcullis_config::{Layer, LayerContent, LayerInput, Loaded, Mode, OnBlock, Profile, load};
use proptest::prelude::*;
use serde_json::{Value, json};

const LAYERS: [Layer; 5] = [Layer::Global, Layer::SharedProject, Layer::ProjectLocal, Layer::Inline, Layer::Managed];

fn input(layer: Layer, text: String) -> LayerInput {
    LayerInput { layer, profile: Profile::Native, file: None, content: LayerContent::Text(text), trusted: true }
}

/// Anything that might stand where a list is wanted.
fn list() -> impl Strategy<Value = Value> {
    let entry = prop_oneof![
        5 => "[a-d]".prop_map(Value::from),
        1 => Just(json!("$defaults")),
        1 => Just(json!("")),
        1 => Just(json!(7)),
    ];
    prop_oneof![6 => prop::collection::vec(entry, 0..4).prop_map(Value::from), 1 => Just(json!("a")), 1 => Just(Value::Null)]
}

fn anything() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!(true)),
        Just(json!(false)),
        Just(json!("false")),
        Just(json!("ask")),
        Just(json!("auto")),
        Just(json!("bypassPermissions")),
        Just(json!(1)),
        Just(json!(5000)),
        Just(json!([])),
        Just(Value::Null),
        list(),
    ]
}

fn settings() -> impl Strategy<Value = Value> {
    let rules = prop::collection::btree_map(prop::sample::select(vec!["deny", "ask", "allow"]), list(), 0..3);
    let keys = vec![
        "enabled",
        "deniedPaths",
        "hard_deny",
        "soft_deny",
        "allow",
        "environment",
        "protectedPaths",
        "shellReadOnly",
        "allowInsideWorkingDirectory",
        "fallback",
        "onFloor",
        "onSoftBlock",
        "resolveAsks",
        "maxTokens",
        "log",
        "pause",
    ];
    let auto = prop::collection::btree_map(prop::sample::select(keys), anything(), 0..5);
    (rules, auto, prop::option::of(anything()), prop::option::of(anything())).prop_map(|(rules, auto, mode, map)| {
        let mut file = json!({ "permissions": rules, "autoMode": auto });
        if let Some(mode) = mode {
            file["mode"] = mode;
        }
        if let Some(map) = map {
            file["permission"] = json!({ "bash": map });
        }
        file
    })
}

fn layers() -> impl Strategy<Value = Vec<LayerInput>> {
    prop::collection::vec((prop::sample::select(LAYERS.to_vec()), settings()), 0..5)
        .prop_map(|all| all.into_iter().map(|(layer, file)| input(layer, file.to_string())).collect())
}

/// Everything that restricts, as a set.
fn restrictions(loaded: &Loaded) -> BTreeSet<(&'static str, String)> {
    let auto = &loaded.config.auto_mode;
    let permissions = &loaded.config.permissions;
    [
        ("deny", &permissions.deny),
        ("ask", &permissions.ask),
        ("deniedPaths", &auto.denied_paths),
        ("hard_deny", &auto.hard_deny),
        ("soft_deny", &auto.soft_deny),
        ("protectedPaths", &auto.protected_paths),
    ]
    .into_iter()
    .flat_map(|(name, rules)| rules.iter().map(move |rule| (name, rule.text.clone())))
    .collect()
}

/// INVARIANT 2, as far as settings go: `after` allows nothing that `before` did not.
fn not_looser(before: &Loaded, after: &Loaded) {
    assert!(restrictions(before).is_subset(&restrictions(after)));
    assert!(before.degraded.is_none() || after.degraded.is_some());
    let (b, a) = (&before.config, &after.config);
    let allows =
        |loaded: &Loaded| loaded.config.permissions.allow.iter().map(|r| r.text.clone()).collect::<BTreeSet<_>>();
    assert!(allows(after).is_subset(&allows(before)));
    assert_eq!(
        (b.mode, &b.policy, &b.providers, b.trust_shared_allow),
        (a.mode, &a.policy, &a.providers, a.trust_shared_allow)
    );
    assert_eq!(b.auto_mode.enabled, a.auto_mode.enabled);
    assert_eq!(b.auto_mode.shell_read_only, a.auto_mode.shell_read_only);
    assert_eq!(b.auto_mode.fallback, a.auto_mode.fallback);
    assert_eq!(b.auto_mode.allow, a.auto_mode.allow);
    assert_eq!(b.auto_mode.environment, a.auto_mode.environment);
}

proptest! {
    #[test]
    fn adding_a_restriction_in_any_layer_removes_none(
        layers in layers(),
        layer in prop::sample::select(LAYERS.to_vec()),
        key in prop::sample::select(vec!["deny", "ask", "deniedPaths"]),
    ) {
        let before = load(&layers);
        let added = match key {
            "deniedPaths" => json!({ "autoMode": { "deniedPaths": ["new"] } }),
            list => json!({ "permissions": { list: ["new"] } }),
        };
        let mut more = layers;
        more.push(input(layer, added.to_string()));
        let after = load(&more);
        not_looser(&before, &after);
        let ignored = key == "deniedPaths" && layer == Layer::SharedProject;
        prop_assert_eq!(restrictions(&after).contains(&(key, "new".to_owned())), !ignored);
    }

    #[test]
    fn a_shared_project_file_never_loosens(layers in layers(), shared in settings()) {
        let before = load(&layers);
        let mut more = layers;
        more.push(input(Layer::SharedProject, shared.to_string()));
        not_looser(&before, &load(&more));
    }

    #[test]
    fn what_managed_sets_stands(layers in layers(), lower in settings()) {
        let managed = json!({
            "mode": "default",
            "autoMode": { "enabled": true, "fallback": "deny", "shellReadOnly": false, "hard_deny": ["$defaults", "m"], "deniedPaths": ["m"] },
            "permissions": { "deny": ["m"], "ask": ["m"] },
        });
        let mut all: Vec<LayerInput> = layers.into_iter().filter(|layer| layer.layer != Layer::Managed).collect();
        all.push(input(Layer::Managed, managed.to_string()));
        let alone = load(&vec![input(Layer::Managed, managed.to_string())]);
        for layer in [Layer::Global, Layer::ProjectLocal, Layer::Inline] {
            all.push(input(layer, lower.to_string()));
        }
        let loaded = load(&all);
        let auto = &loaded.config.auto_mode;
        prop_assert!(auto.enabled && !auto.shell_read_only && auto.fallback == OnBlock::Deny);
        prop_assert_eq!(loaded.config.mode, Mode::Default);
        for (list, text) in restrictions(&alone).iter().filter(|(list, _)| ["deny", "ask", "deniedPaths", "hard_deny"].contains(list)) {
            prop_assert!(restrictions(&loaded).contains(&(*list, text.clone())), "{} {}", list, text);
        }
        prop_assert_eq!(&loaded.config.permissions.deny[0].text, "m");
    }

    #[test]
    fn any_text_is_read_without_a_panic_and_bad_text_degrades(text in "[\\[\\]{}:,\"/*\\\\ a1\n]{0,40}") {
        let loaded = load(&vec![input(Layer::Global, text.clone())]);
        if serde_json::from_str::<serde_json::Map<String, Value>>(&text).is_err() {
            // Comments and trailing commas are fine too; everything else must degrade.
            prop_assert!(loaded.degraded.is_some() || text.contains('/') || text.contains(','), "{}", text);
        }
    }

    #[test]
    fn a_cut_off_file_always_degrades(cut in 0usize..70) {
        let whole = r#"{ "permissions": { "deny": ["bash(git push*)"] }, "mode": "plan" }"#;
        prop_assume!(cut < whole.len());
        prop_assert!(load(&vec![input(Layer::Global, whole[..cut].to_owned())]).degraded.is_some());
    }
}
