//! Decides a few calls under settings of one's own: `cargo run -p portcullis-gate --example decide`.

use std::io::Write;

use portcullis_config::{Layer, LayerContent, LayerInput, Profile, load};
use portcullis_gate::{
    Base, Gate, MemoryFs, NoClassifier, NoLog, NoPrompter, NoState, Person, Policy, Ports, Session, SystemClock,
    ToolCall, block_on,
};
use serde_json::json;

const SETTINGS: &str = r#"{
    "permissions": { "deny": ["bash(npm publish*)"], "ask": ["bash(git push*)"], "allow": ["bash(npm test)"] },
    "autoMode": { "deniedPaths": ["~/.ssh/**"] }
}"#;

fn main() -> std::io::Result<()> {
    // A real program uses `RealFs`, and layers from `portcullis_config::FsLayers`.
    let fs = MemoryFs::new().file("/home/dev/.ssh/id_ed25519").link("/home/dev/app/keys", "/home/dev/.ssh");
    let global = LayerInput {
        layer: Layer::Global,
        profile: Profile::Native,
        file: None,
        content: LayerContent::Text(SETTINGS.to_owned()),
        trusted: true,
    };
    let policy = Policy::compile(load(&vec![global]), &Base::new("/home/dev/app", Some("/home/dev")), &fs);
    let ports = Ports {
        fs: &fs,
        clock: &SystemClock,
        prompter: &NoPrompter,
        state: &NoState,
        log: &NoLog,
        classifiers: &NoClassifier,
    };
    let gate = Gate::new(&policy, ports);
    let session = Session { home: Some("/home/dev".to_owned()), person: Person::HostAsks, ..Session::default() };

    let mut out = std::io::stdout().lock();
    let shell = |command: &str| ToolCall::new("Bash", json!({"command": command}), "/home/dev/app");
    let calls = [
        shell("git log --oneline | head -3"),
        shell("npm test && npm publish"),
        shell("git push origin main"),
        shell("echo 'rm -rf /' > notes.txt"),
        shell("cd / && rm -rf home"),
        ToolCall::new("Read", json!({"file_path": "keys/id_ed25519"}), "/home/dev/app"),
    ];
    for call in &calls {
        let decision = block_on(gate.decide(call, &session));
        writeln!(out, "{:<6} {:<18} {}", decision.verdict, decision.stage, decision.reason)?;
    }
    Ok(())
}
