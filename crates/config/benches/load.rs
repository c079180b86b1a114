//! How long loading takes. `cargo bench -p portcullis-config`.

use portcullis_config::{Layer, LayerContent, LayerInput, Profile, load};

fn main() {
    divan::main();
}

fn settings(rules: usize) -> Vec<LayerInput> {
    let list: Vec<String> = (0..rules).map(|number| format!("bash(tool-{number} --flag *)")).collect();
    let map: serde_json::Map<_, _> = list.iter().map(|rule| (rule.clone(), "deny".into())).collect();
    let text = serde_json::json!({ "permissions": { "deny": list }, "permission": { "bash": map } }).to_string();
    vec![LayerInput {
        layer: Layer::Global,
        profile: Profile::Native,
        file: None,
        content: LayerContent::Text(text),
        trusted: true,
    }]
}

#[divan::bench(args = [0, 100, 10_000])]
fn load_rules(bencher: divan::Bencher<'_, '_>, rules: usize) {
    let layers = settings(rules);
    bencher.bench(|| load(&layers));
}
