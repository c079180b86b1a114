//! The request body.

use serde_json::{Map, Value, json};

use super::settings::{CacheField, ProviderSettings, ReasoningField, StructuredOutput, TokenField};
use crate::{JsonShape, Request};

/// The JSON to post. There is no temperature: some providers reject any, and none needs one.
pub(super) fn body(settings: &ProviderSettings, request: &Request) -> Value {
    let system = json!({"role": "system", "content": request.system});
    let users = request.messages.iter().map(|message| json!({"role": "user", "content": message.text}));
    let messages: Vec<Value> = std::iter::once(system).chain(users).collect();
    let mut body = Map::new();
    let mut put = |name: &str, value: Value| body.insert(name.to_owned(), value);
    put("model", Value::from(settings.model.as_str()));
    put("messages", Value::from(messages));
    match settings.token_field {
        TokenField::MaxCompletionTokens => put("max_completion_tokens", Value::from(request.max_tokens)),
        TokenField::MaxTokens => put("max_tokens", Value::from(request.max_tokens)),
    };
    if let Some(level) = request.reasoning {
        match settings.reasoning_field {
            ReasoningField::None => None,
            ReasoningField::Effort => put("reasoning_effort", Value::from(level.as_str())),
            ReasoningField::Object => put("reasoning", json!({"effort": level.as_str()})),
        };
    }
    match (settings.cache_field, &request.cache_key) {
        (CacheField::PromptCacheKey, Some(key)) => put("prompt_cache_key", Value::from(key.as_str())),
        (CacheField::PromptCacheKey, None) | (CacheField::None, _) => None,
    };
    if let Some(format) = request.json.as_ref().and_then(|shape| response_format(settings.structured_output, shape)) {
        put("response_format", format);
    }
    Value::Object(body)
}

fn response_format(mode: StructuredOutput, shape: &JsonShape) -> Option<Value> {
    match mode {
        StructuredOutput::None => None,
        StructuredOutput::JsonObject => Some(json!({"type": "json_object"})),
        StructuredOutput::JsonSchema => Some(json!({
            "type": "json_schema",
            "json_schema": {"name": shape.name, "strict": true, "schema": shape.schema}
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Message, ReasoningLevel, openai::Key};

    fn request() -> Request {
        Request {
            system: "S".into(),
            messages: vec![Message::new("a"), Message::new("b")],
            max_tokens: 512,
            reasoning: Some(ReasoningLevel::Low),
            cache_key: Some("k".into()),
            json: Some(JsonShape { name: "decision", schema: json!({"type": "object"}) }),
        }
    }

    #[test]
    fn only_fields_that_the_provider_wants_are_sent() {
        let plain = ProviderSettings::new("p", "org/m", "https://x.example", Key::NotNeeded);
        let messages =
            r#"[{"role":"system","content":"S"},{"role":"user","content":"a"},{"role":"user","content":"b"}]"#;
        assert_eq!(
            body(&plain, &request()).to_string(),
            format!(
                r#"{{"model":"org/m","messages":{messages},"max_completion_tokens":512,"reasoning_effort":"low"}}"#
            )
        );
        let other = ProviderSettings {
            token_field: TokenField::MaxTokens,
            reasoning_field: ReasoningField::Object,
            cache_field: CacheField::PromptCacheKey,
            structured_output: StructuredOutput::JsonSchema,
            ..plain.clone()
        };
        assert_eq!(
            body(&other, &request()).to_string(),
            format!(
                r#"{{"model":"org/m","messages":{messages},"max_tokens":512,"reasoning":{{"effort":"low"}},"prompt_cache_key":"k","response_format":{{"type":"json_schema","json_schema":{{"name":"decision","strict":true,"schema":{{"type":"object"}}}}}}}}"#
            )
        );
        let bare = ProviderSettings { reasoning_field: ReasoningField::None, ..plain };
        let sent = body(&bare, &Request { json: None, cache_key: None, ..request() });
        assert_eq!(
            sent.as_object().unwrap().keys().collect::<Vec<_>>(),
            ["model", "messages", "max_completion_tokens"]
        );
    }
}
