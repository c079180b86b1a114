//! The OpenAI-compatible transport against real sockets.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic")]

mod support;

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use portcullis_classifier::{
    ActionJson, Case, Classifier, FailureKind, Message, ModelState, Outcome, Policy, Request, Secret, Settings,
    StopReason, Transport,
    openai::{Key, OpenAi, ProviderSettings},
};
use serde_json::{Value, json};
use support::{Behaviour, Server};
use wiremock::{
    Mock, MockServer, ResponseTemplate,
    matchers::{header, method, path},
};

const KEY: &str = "sk-very-secret-0123456789";

fn settings(url: &str) -> ProviderSettings {
    ProviderSettings::new("mock", "model-x", url, Key::Bearer(Secret::new(&format!(" {KEY}\n")).unwrap()))
}

fn request() -> Request {
    Request {
        system: "S".into(),
        messages: vec![Message::new("U")],
        max_tokens: 16,
        reasoning: None,
        cache_key: None,
        json: None,
    }
}

fn answer(text: &str) -> Value {
    json!({
        "id": "x", "object": "chat.completion", "created": 1, "model": "model-x",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12, "prompt_tokens_details": {"cached_tokens": 4}, "cost": 0.5}
    })
}

async fn mock(template: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("POST")).and(path("/v1/chat/completions")).respond_with(template).mount(&server).await;
    server
}

fn transport(server: &MockServer) -> OpenAi {
    OpenAi::new(settings(&format!("{}/v1", server.uri())))
}

#[tokio::test]
async fn a_reply_is_read_and_the_request_is_what_the_provider_wants() {
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .and(path("/v1/chat/completions"))
        .and(header("authorization", format!("Bearer {KEY}").as_str()))
        .and(header("content-type", "application/json"))
        .respond_with(ResponseTemplate::new(200).set_body_json(answer(" 0\n")))
        .expect(1)
        .mount(&server)
        .await;
    let reply = OpenAi::new(settings(&format!("{}/v1/", server.uri()))).send(request()).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.stop), (" 0\n", StopReason::Stop));
    assert_eq!(
        (reply.usage.input, reply.usage.output, reply.usage.cache_read, reply.usage.cost),
        (10, 2, 4, Some(0.5))
    );
    let sent = server.received_requests().await.unwrap();
    let body: Value = sent[0].body_json().unwrap();
    assert!(body.get("temperature").is_none() && body.get("stream").is_none(), "{body}");
    assert_eq!(sent[0].url.path(), "/v1/chat/completions", "no double slash");
}

#[tokio::test]
async fn deviations_of_compatible_servers_are_read_or_refused() {
    for line in include_str!("data/replies.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let server = mock(ResponseTemplate::new(200).set_body_json(&row["body"])).await;
        let got = transport(&server).send(request()).await;
        if let Some(text) = row["text"].as_str() {
            let reply = got.unwrap_or_else(|failure| panic!("{line}: {failure:?}"));
            let stop: StopReason = serde_json::from_value(row["stop"].clone()).unwrap();
            assert_eq!((reply.text.as_str(), reply.stop), (text, stop), "{line}");
        } else {
            assert_eq!(got.unwrap_err().kind, FailureKind::Malformed, "{line}");
        }
    }
}

#[tokio::test]
async fn every_error_status_has_its_kind_and_is_tried_once() {
    for (status, kind) in [
        (400, FailureKind::Http(400)),
        (401, FailureKind::Auth),
        (403, FailureKind::Auth),
        (404, FailureKind::Http(404)),
        (408, FailureKind::Http(408)),
        (429, FailureKind::RateLimited),
        (500, FailureKind::Http(500)),
        (503, FailureKind::Http(503)),
        (529, FailureKind::Http(529)),
    ] {
        let body = json!({"error": {"message": format!("no, {KEY} is wrong"), "code": status}});
        let template = ResponseTemplate::new(status)
            .set_body_json(body)
            .insert_header("retry-after", "3600")
            .insert_header("x-request-id", "req-1");
        let server = mock(template).await;
        let failure = transport(&server).send(request()).await.unwrap_err();
        assert_eq!(failure.kind, kind);
        assert_eq!(failure.message, format!("HTTP status {status}: no, *** is wrong"));
        assert_eq!(failure.retry_after, Some(Duration::from_secs(3_600)), "reported, not slept");
        assert_eq!(failure.request_id.as_deref(), Some("req-1"));
        assert_eq!(server.received_requests().await.unwrap().len(), 1, "{status}");
    }
}

#[tokio::test]
async fn an_error_body_in_a_success_is_a_failure() {
    let server = mock(ResponseTemplate::new(200).set_body_json(json!({"error": {"code": 429, "message": "slow"}, "choices": [{"message": {"content": "0"}, "finish_reason": "stop"}]}))).await;
    assert_eq!(transport(&server).send(request()).await.unwrap_err().kind, FailureKind::RateLimited);
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_carries_no_key() {
    let other = mock(ResponseTemplate::new(200).set_body_json(answer("0"))).await;
    for status in [301, 302, 303, 307, 308] {
        let location = format!("{}/v1/chat/completions", other.uri());
        let server = mock(ResponseTemplate::new(status).insert_header("location", location.as_str())).await;
        assert_eq!(transport(&server).send(request()).await.unwrap_err().kind, FailureKind::Http(status));
    }
    assert!(other.received_requests().await.unwrap().is_empty());
}

/// What the classifier makes of a server's behaviour within `budget`, and how often it connected.
async fn behaviour(behaviour: Behaviour, budget: Duration) -> (FailureKind, u32) {
    let server = Server::start(behaviour).await;
    let classifier = Classifier::new(
        vec![OpenAi::new(settings(&server.url))],
        Policy::default(),
        Settings { timeout: budget, ..Settings::default() },
    );
    let case = Case::new(ActionJson::new("bash", &json!({"command": "ls"})).unwrap());
    let verdict = classifier.classify(&case, &ModelState::default()).await;
    drop(classifier);
    match verdict.outcome {
        Outcome::Failed { kind, .. } => (kind, server.connections().await),
        other => panic!("{other:?}"),
    }
}

fn http(headers: &str, body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n{headers}\r\n\r\n{body}")
}

#[tokio::test]
async fn every_broken_connection_fails_in_time_with_its_kind_after_one_attempt() {
    let good = answer("0").to_string();
    let length = good.len();
    for (what, does, kind) in [
        ("hang before headers", Behaviour::Hang, FailureKind::Timeout),
        ("drip inside the body", Behaviour::Drip(http("content-length: 100000", "{")), FailureKind::Timeout),
        ("drip inside the headers", Behaviour::Drip("HTTP/1.1 200 OK\r\nx: ".into()), FailureKind::Timeout),
        (
            "stall after a good body without its end",
            Behaviour::Drip(http(&format!("content-length: {}", length + 1_000), &good)),
            FailureKind::Timeout,
        ),
        (
            "truncated body",
            Behaviour::Send(http(&format!("content-length: {}", length + 10), &good)),
            FailureKind::Transport,
        ),
        (
            "truncated chunk",
            Behaviour::Send(http("transfer-encoding: chunked", &format!("{length:x}\r\n{good}\r\n"))),
            FailureKind::Transport,
        ),
        ("closed without a word", Behaviour::Close, FailureKind::Transport),
        ("not HTTP", Behaviour::Send("SSH-2.0-OpenSSH_9.9\r\n".into()), FailureKind::Transport),
        ("not JSON", Behaviour::Send(http("content-length: 5", "<htm>")), FailureKind::Malformed),
        (
            "two JSON values",
            Behaviour::Send(http(&format!("content-length: {}", 2 * length), &format!("{good}{good}"))),
            FailureKind::Malformed,
        ),
        ("empty body", Behaviour::Send(http("content-length: 0", "")), FailureKind::Malformed),
        ("endless body", Behaviour::Endless(http("x: y", "{")), FailureKind::Malformed),
        ("endless error body", Behaviour::Endless("HTTP/1.1 500 No\r\n\r\n".into()), FailureKind::Malformed),
    ] {
        // Only those that must run out of it are given a short budget, so that a busy machine changes no outcome.
        let budget = Duration::from_millis(if kind == FailureKind::Timeout { 300 } else { 60_000 });
        assert_eq!(behaviour(does, budget).await, (kind, 1), "{what}");
    }
}

#[tokio::test]
async fn a_refused_connection_is_a_transport_failure() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let failure = OpenAi::new(settings(&format!("http://{free}/v1"))).send(request()).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Transport);
    assert!(failure.message.contains("refused"), "says why: {}", failure.message);
}

#[tokio::test]
async fn dropping_the_future_closes_the_connection() {
    for does in [Behaviour::Hang, Behaviour::Drip(http("content-length: 100000", "{"))] {
        let server = Server::start(does).await;
        let transport = OpenAi::new(settings(&server.url));
        let sent = tokio::time::timeout(Duration::from_millis(200), transport.send(request())).await;
        assert!(sent.is_err(), "still waiting when dropped");
        tokio::time::timeout(Duration::from_secs(5), server.closed)
            .await
            .expect("the server sees the end of the connection")
            .unwrap();
    }
}

#[tokio::test]
async fn settings_that_can_not_work_fail_without_a_connection() {
    let server = mock(ResponseTemplate::new(200).set_body_json(answer("0"))).await;
    let url = format!("{}/v1", server.uri());
    for broken in [
        ProviderSettings { key: Key::Missing, ..settings(&url) },
        settings("http://203.0.113.1/v1"),
        settings("nonsense"),
        ProviderSettings { proxy: Some("::".into()), ..settings(&url) },
        ProviderSettings { headers: vec![("bad name".into(), Secret::new("x").unwrap())], ..settings(&url) },
    ] {
        let failure = OpenAi::new(broken.clone()).send(request()).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::NoModel, "{broken:?}");
    }
    assert!(server.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn only_a_configured_proxy_is_used() {
    let proxy = mock(ResponseTemplate::new(200)).await;
    Mock::given(method("POST")).respond_with(ResponseTemplate::new(200).set_body_json(answer("1"))).mount(&proxy).await;
    let server = mock(ResponseTemplate::new(200).set_body_json(answer("0"))).await;
    let url = format!("{}/v1", server.uri());
    let direct = OpenAi::new(settings(&url)).send(request()).await.unwrap();
    assert_eq!((direct.text.as_str(), proxy.received_requests().await.unwrap().len()), ("0", 0));
    let through = OpenAi::new(ProviderSettings { proxy: Some(proxy.uri()), ..settings(&url) });
    let _ = through.send(request()).await;
    assert_eq!(proxy.received_requests().await.unwrap().len(), 1);
    assert_eq!(server.received_requests().await.unwrap().len(), 1);
}

/// Collects what is logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn neither_key_nor_body_is_logged_by_anything_beneath() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber =
        tracing_subscriber::fmt().with_max_level(tracing::Level::DEBUG).with_writer(move || writer.clone()).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    tracing::info!("the log works");
    for (status, body) in
        [(200, "not json"), (200, "{}"), (200, "[]"), (400, "{\"error\":{\"code\":400}}"), (500, "oops")]
    {
        let server = mock(ResponseTemplate::new(status).set_body_string(format!("{body} body-marker {KEY}"))).await;
        transport(&server).send(request()).await.unwrap_err();
    }
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(text.contains("the log works"));
    assert!(!text.contains(KEY) && !text.contains("body-marker"), "{text}");
}

#[tokio::test]
async fn the_key_is_in_no_debug_text_error_or_record() {
    let mut shown = Vec::new();
    for status in [200, 401, 500] {
        let server = mock(ResponseTemplate::new(status).set_body_string(format!("you sent Bearer {KEY}"))).await;
        let mut with_header = settings(&format!("{}/v1", server.uri()));
        with_header.headers.push(("x-tenant".into(), Secret::new("tenant-secret-42").unwrap()));
        let transport = OpenAi::new(with_header);
        let failure = transport.send(request()).await.unwrap_err();
        shown.extend([format!("{failure}"), format!("{failure:?}"), format!("{transport:?}")]);
        let classifier = Classifier::new(vec![transport], Policy::default(), Settings::default());
        let case = Case::new(ActionJson::new("bash", &json!({})).unwrap());
        let verdict = classifier.classify(&case, &ModelState::default()).await;
        shown.extend([format!("{verdict:?}"), format!("{classifier:?}")]);
    }
    shown.push(format!("{:?}", settings("https://x.example")));
    shown.push(format!("{:?}", Secret::new(KEY)));
    shown.push(Secret::new("sk-\nbad").unwrap_err().to_string());
    for text in shown {
        assert!(!text.contains(KEY) && !text.contains("tenant-secret-42") && !text.contains("sk-\n"), "{text}");
    }
}

/// Run by the test below in a process of its own, whose environment is set against us.
#[tokio::test]
#[ignore = "needs the environment that `ambient_variables_choose_nothing` gives it"]
async fn child_with_a_hostile_environment() {
    let url = std::env::var("CLASSIFIER_TEST_URL").unwrap();
    let reply = OpenAi::new(settings(&url)).send(request()).await.unwrap();
    assert_eq!(reply.text, "1");
}

#[tokio::test]
async fn ambient_variables_choose_nothing() {
    let trap = MockServer::start().await;
    Mock::given(method("POST")).respond_with(ResponseTemplate::new(200).set_body_json(answer("0"))).mount(&trap).await;
    let server = mock(ResponseTemplate::new(200).set_body_json(answer("1"))).await;
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "child_with_a_hostile_environment", "--ignored"]);
    child.env("CLASSIFIER_TEST_URL", format!("{}/v1", server.uri()));
    for name in [
        "HTTP_PROXY",
        "http_proxy",
        "HTTPS_PROXY",
        "https_proxy",
        "ALL_PROXY",
        "all_proxy",
        "OPENAI_BASE_URL",
        "OPENAI_API_BASE",
    ] {
        child.env(name, trap.uri());
    }
    for name in ["OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"] {
        child.env(name, "ambient-value");
    }
    // Under a CGI-like variable reqwest mistrusts HTTP_PROXY by itself; that must not be what saves us.
    child.env_remove("REQUEST_METHOD");
    let output = tokio::task::spawn_blocking(move || child.output()).await.unwrap().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(trap.received_requests().await.unwrap().is_empty());
    let sent = server.received_requests().await.unwrap();
    assert_eq!(sent.len(), 1, "the child did run");
    assert!(!format!("{:?}", sent[0].headers).contains("ambient-value"));
}
