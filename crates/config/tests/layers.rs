//! Rows of `data/layers.jsonl`: layers in, effective values and finding ids out.
//!
//! A layer is `{"layer", "profile"?, "trusted"?, and one of "json", "text", "unreadable", "missing"}`. `expect` names
//! values of [`view`]; a list with built-ins is given without them, `NAME.builtins` says whether they are in.
//! `found` lists finding ids in order, `degraded` whether local allows must be off.
#![expect(clippy::panic, clippy::unwrap_used, reason = "a test helper that fails should fail the test")]

use portcullis_config::{
    EffectiveConfig, Layer, LayerContent, LayerInput, Loaded, Profile, SourcedRule, defaults, load,
};
use serde_json::{Value, json};

fn layer(name: &str) -> Layer {
    match name {
        "global" => Layer::Global,
        "shared" => Layer::SharedProject,
        "local" => Layer::ProjectLocal,
        "inline" => Layer::Inline,
        "managed" => Layer::Managed,
        other => panic!("no layer {other}"),
    }
}

fn input(row: &Value) -> LayerInput {
    let content = if let Some(why) = row["unreadable"].as_str() {
        LayerContent::Unreadable(why.to_owned())
    } else if let Some(text) = row["text"].as_str() {
        LayerContent::Text(text.to_owned())
    } else if row.get("missing").is_some() {
        LayerContent::Missing
    } else {
        LayerContent::Text(row["json"].to_string())
    };
    let profile = row["profile"].as_str().unwrap_or("native");
    LayerInput {
        layer: layer(row["layer"].as_str().unwrap()),
        profile: *Profile::ALL.iter().find(|known| known.name() == profile).unwrap(),
        file: None,
        content,
        trusted: row["trusted"].as_bool().unwrap_or(true),
    }
}

fn texts(rules: &[SourcedRule]) -> Value {
    rules.iter().map(|rule| rule.text.clone()).collect()
}

fn split(view: &mut serde_json::Map<String, Value>, name: &str, rules: &[SourcedRule], built_in: &[&str]) {
    let own: Vec<_> = rules.iter().filter(|rule| rule.source.layer != Layer::BuiltIn).cloned().collect();
    view.insert(name.to_owned(), texts(&own));
    let held = rules.iter().filter(|rule| built_in.contains(&rule.text.as_str())).count();
    view.insert(format!("{name}.builtins"), (held == built_in.len()).into());
}

fn view(config: &EffectiveConfig) -> Value {
    let auto = &config.auto_mode;
    let surfaces = |surfaces: &[portcullis_config::MapSurface]| -> Value {
        surfaces
            .iter()
            .map(|surface| {
                let rules: Vec<_> =
                    surface.rules.iter().map(|r| json!([r.pattern, r.action.name(), r.reason])).collect();
                json!([surface.name, rules])
            })
            .collect()
    };
    let mut view = json!({
        "deny": texts(&config.permissions.deny), "ask": texts(&config.permissions.ask),
        "allow": texts(&config.permissions.allow), "dirs": texts(&config.permissions.additional_directories),
        "bypass": format!("{:?}", config.permissions.bypass),
        "mode": config.mode.name(), "mode.layer": config.mode_source.as_ref().map(|s| s.layer.name()),
        "trustSharedAllow": config.trust_shared_allow,
        "providers": config.providers.iter().map(|(name, p)| json!([name, p.base_url, p.usable])).collect::<Vec<_>>(),
        "policy": config.policy.as_ref().map(|p| surfaces(&p.surfaces)),
        "floors": config.policy.as_ref().map(|p| p.floors.len()),
        "enabled": auto.enabled, "models": auto.classifier_model,
        "reasoning": auto.classifier_reasoning_level.map(portcullis_config::ReasoningLevel::name),
        "classifyReadOnlyTools": auto.classify_read_only_tools, "classifyAllShell": auto.classify_all_shell,
        "fastClassifierMaxTokens": auto.fast_classifier_max_tokens, "classifierTimeoutMs": auto.classifier_timeout_ms,
        "allowInside": auto.allow_inside_working_directory, "deniedPaths": texts(&auto.denied_paths),
        "userTokens": auto.max_user_transcript_tokens, "toolTokens": auto.max_tool_transcript_tokens,
        "log": auto.log.enabled, "classifierIo": auto.log.classifier_io,
        "protocol": auto.protocol.name(), "resolveAsks": auto.resolve_asks, "onSoftBlock": auto.on_soft_block.name(),
        "onFloor": auto.on_floor.name(), "fallback": auto.fallback.name(), "shellReadOnly": auto.shell_read_only,
        "deniedPathsInShell": auto.denied_paths_in_shell.name(),
        "pause": [auto.pause.consecutive, auto.pause.total],
        "maxTokens": auto.max_tokens, "maxRetries": auto.max_retries,
    });
    let object = view.as_object_mut().unwrap();
    split(object, "environment", &auto.environment, defaults::ENVIRONMENT);
    split(object, "proseAllow", &auto.allow, defaults::ALLOW);
    split(object, "soft_deny", &auto.soft_deny, defaults::SOFT_DENY);
    split(object, "hard_deny", &auto.hard_deny, defaults::HARD_DENY);
    split(object, "protectedPaths", &auto.protected_paths, defaults::PROTECTED_PATHS);
    view
}

fn check(row: &Value, loaded: &Loaded) -> Vec<String> {
    let mut wrong = Vec::new();
    let view = view(&loaded.config);
    for (name, expected) in row["expect"].as_object().unwrap() {
        match view.get(name) {
            None => wrong.push(format!("no value {name}")),
            Some(found) if found != expected => wrong.push(format!("{name}: found {found}, expected {expected}")),
            Some(_) => {}
        }
    }
    let found: Vec<&str> = loaded.diagnostics.iter().map(|finding| finding.id).collect();
    let expected = row["found"].as_array().cloned().unwrap_or_default();
    if json!(found) != json!(expected) {
        wrong.push(format!("found {found:?}, expected {expected:?}"));
    }
    if loaded.degraded.is_some() != row["degraded"].as_bool().unwrap_or(false) {
        wrong.push(format!("degraded: {:?}", loaded.degraded));
    }
    wrong
}

#[test]
fn every_row_of_the_table_holds() {
    let rows: Vec<Value> =
        include_str!("data/layers.jsonl").lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    assert!(rows.len() >= 120, "{} rows", rows.len());
    let mut failures = Vec::new();
    for row in &rows {
        let inputs: Vec<LayerInput> = row["layers"].as_array().unwrap().iter().map(input).collect();
        for wrong in check(row, &load(&inputs)) {
            failures.push(format!("{}: {wrong}", row["name"].as_str().unwrap()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn findings_name_file_pointer_and_line() {
    let text =
        "{\n  // people comment\n  \"autoMode\": {\n    \"enabled\": \"false\",\n    \"enviroment\": []\n  }\n}\n";
    let loaded = load(&vec![LayerInput {
        layer: Layer::Global,
        profile: Profile::Native,
        file: Some("/home/dev/.config/portcullis/config.json".into()),
        content: LayerContent::Text(text.to_owned()),
        trusted: true,
    }]);
    let shown: Vec<_> = loaded
        .diagnostics
        .iter()
        .map(|d| (d.id, d.pointer.as_str(), d.line, d.hint.as_deref(), d.file.is_some()))
        .collect();
    assert_eq!(
        shown,
        [
            ("wrong-type", "/autoMode/enabled", Some(4), Some("write false without quotes"), true),
            ("unknown-key", "/autoMode/enviroment", Some(5), Some("did you mean \"environment\"?"), true),
        ]
    );
}

#[test]
fn rules_remember_where_they_were_written() {
    let text = "{ \"permissions\": {\n \"deny\": [\"a\",\n \"b\"] } }";
    let loaded = load(&vec![LayerInput {
        layer: Layer::Inline,
        profile: Profile::Native,
        file: None,
        content: LayerContent::Text(text.to_owned()),
        trusted: true,
    }]);
    let source = &loaded.config.permissions.deny[1].source;
    assert_eq!((source.layer, source.index, source.line), (Layer::Inline, 1, Some(3)));
    assert_eq!(source.pointer, "/permissions/deny/1");
}

#[test]
fn a_key_in_a_provider_is_never_echoed() {
    let secret = "sk-very-secret value";
    let text = json!({ "providers": { "x": { "keyVariable": secret, "apiKey": secret, "headers": { "a": format!("{secret}\n") } } } });
    for finding in portcullis_config::check_text(&text.to_string()) {
        assert!(!finding.message.contains("very-secret"), "{}", finding.message);
        assert!(!finding.hint.unwrap_or_default().contains("very-secret"));
    }
}

#[test]
fn a_file_full_of_faults_gives_a_bounded_list_of_findings() {
    let text = json!({ "permissions": { "deny": vec![1; 5000] } }).to_string();
    let findings = portcullis_config::check_text(&text);
    assert_eq!((findings.len(), findings.last().unwrap().id), (501, "too-many"));
}
