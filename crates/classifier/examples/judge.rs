//! Judges one bash command, with a scripted model by default or a real endpoint:
//!
//! ```text
//! cargo run -p portcullis-classifier --example judge -- 'git push --force'
//! cargo run -p portcullis-classifier --example judge -- 'git push --force' http://localhost:11434/v1 qwen3:8b
//! ```
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use portcullis_classifier::{
    ActionJson, Case, Classifier, ModelState, Policy, Settings, Transport,
    openai::{Key, OpenAi, ProviderSettings},
    scripted::Scripted,
};

const SCRIPT: &str = r#"
{"text": "1"}
{"text": "{\"decision\":\"block\",\"tier\":\"soft_deny\",\"reason\":\"S1: it replaces the remote's history.\"}"}
"#;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().unwrap_or_else(|| "git push --force".to_owned());
    let model: Box<dyn Transport> = match (arguments.next(), arguments.next()) {
        (Some(url), Some(model)) => {
            Box::new(OpenAi::new(ProviderSettings::new("endpoint", model, url, Key::NotNeeded)))
        }
        _ => Box::new(Scripted::from_jsonl("demo/scripted", SCRIPT)?),
    };
    let policy = Policy {
        soft_deny: vec!["Force pushes and other rewriting of remote history".to_owned()],
        ..Policy::default()
    };
    let case = Case::new(ActionJson::new("bash", &serde_json::json!({ "command": command }))?);
    let verdict =
        Classifier::new(vec![model], policy, Settings::default()).classify(&case, &ModelState::default()).await;
    for attempt in &verdict.attempts {
        println!("{:?} {} in {:?}: {:?}", attempt.stage, attempt.model, attempt.duration, attempt.text);
    }
    println!("{:?}", verdict.outcome);
    Ok(())
}
