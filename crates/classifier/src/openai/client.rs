//! The HTTP client: one attempt, bounded body, nothing ambient.

use std::{
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use async_openai::{Client, config::Config, error::OpenAIError, middleware::HttpRequestFactory};
use http::{HeaderMap, HeaderName, HeaderValue};
use secrecy::SecretString;
use serde_json::Value;

use super::{
    failures::{self, FailureError},
    settings::{Key, ProviderSettings, SettingsError},
};
use crate::{BoxFuture, Failure, FailureKind, Secret};

/// Bytes of a response body that are read. An answer has at most 1,200 tokens; the rest is for hidden reasoning and envelopes.
const MAX_BODY: usize = 1024 * 1024;
/// A connection that is not there after this long will not come. The caller's budget is usually shorter.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// A bound for callers that set none.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(300);

/// A client for one endpoint.
#[derive(Debug)]
pub(super) struct Connection {
    client: Client<Endpoint>,
    settings: Arc<ProviderSettings>,
}

impl Connection {
    pub(super) fn new(settings: &ProviderSettings) -> Result<Self, SettingsError> {
        let endpoint = Endpoint::new(settings)?;
        let http = http_client(settings)?;
        let settings = Arc::new(settings.clone());
        let service = OneAttempt { http: http.clone(), settings: Arc::clone(&settings) };
        let client = Client::build(http, endpoint).with_http_service(service);
        Ok(Self { client, settings })
    }

    /// Posts a chat completion and returns the JSON of a successful answer.
    pub(super) async fn post(&self, body: &Value) -> Result<Value, Failure> {
        let answer: Result<Value, OpenAIError> = self.client.chat().create_byot(body).await;
        answer.map_err(|error| failures::from_client(error, &self.settings))
    }
}

fn http_client(settings: &ProviderSettings) -> Result<reqwest::Client, SettingsError> {
    // reqwest is built without a crypto provider of its own and takes the process's. A second installation is refused and does
    // not matter.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("portcullis/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .referer(false)
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(REQUEST_TIMEOUT);
    if let Some(proxy) = &settings.proxy {
        let proxy =
            reqwest::Proxy::all(proxy).map_err(|_| SettingsError::Proxy { provider: settings.provider.clone() })?;
        builder = builder.proxy(proxy);
    }
    builder.build().map_err(|error| SettingsError::Tls { problem: failures::chain(&error.without_url()) })
}

/// What the client knows of the endpoint. Written here because the client's own configuration reads the environment and panics on
/// a key with a line break.
#[derive(Clone)]
struct Endpoint {
    base: String,
    headers: HeaderMap,
    key: SecretString,
}

impl std::fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Endpoint").field("base", &self.base).finish_non_exhaustive()
    }
}

impl Endpoint {
    fn new(settings: &ProviderSettings) -> Result<Self, SettingsError> {
        let rows: Vec<(HeaderName, HeaderValue)> = settings.header_rows()?;
        let key = match &settings.key {
            Key::Bearer(secret) | Key::Header(_, secret) => Secret::inner(secret).clone(),
            Key::Missing | Key::NotNeeded => SecretString::default(),
        };
        Ok(Self { base: settings.checked_base()?, headers: rows.into_iter().collect(), key })
    }
}

impl Config for Endpoint {
    fn headers(&self) -> HeaderMap {
        self.headers.clone()
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    fn query(&self) -> Vec<(&str, &str)> {
        Vec::new()
    }

    fn api_base(&self) -> &str {
        &self.base
    }

    fn api_key(&self) -> &SecretString {
        &self.key
    }
}

/// Sends a request once, reads at most [`MAX_BODY`] bytes and hands on only what is a success and JSON.
///
/// Whatever else happens becomes a [`Failure`] here, where status and headers are still known, and before the client could log a
/// body.
#[derive(Clone)]
struct OneAttempt {
    http: reqwest::Client,
    settings: Arc<ProviderSettings>,
}

impl tower::Service<HttpRequestFactory> for OneAttempt {
    type Response = reqwest::Response;
    type Error = FailureError;
    type Future = BoxFuture<'static, Result<reqwest::Response, FailureError>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, factory: HttpRequestFactory) -> Self::Future {
        let service = self.clone();
        Box::pin(async move { service.attempt(factory).await.map_err(FailureError) })
    }
}

impl OneAttempt {
    async fn attempt(&self, factory: HttpRequestFactory) -> Result<reqwest::Response, Failure> {
        let request = factory.build().await.map_err(|error| failures::from_client(error, &self.settings))?;
        let mut response =
            self.http.execute(request).await.map_err(|error| failures::from_http(error, &self.settings))?;
        let status = response.status();
        let headers = response.headers().clone();
        let with_headers = |failure| failures::with_headers(failure, &headers);
        let body = self.read(&mut response).await.map_err(with_headers)?;
        if !status.is_success() {
            return Err(with_headers(failures::from_status(status.as_u16(), &body, &self.settings)));
        }
        if serde_json::from_slice::<Value>(&body).is_err() {
            return Err(with_headers(Failure::new(FailureKind::Malformed, "the endpoint's answer is not JSON")));
        }
        Ok(http::Response::new(body).into())
    }

    /// The whole body. Counted while it is read: a declared length can lie, and an endless body has none.
    async fn read(&self, response: &mut reqwest::Response) -> Result<Vec<u8>, Failure> {
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| failures::from_http(error, &self.settings))? {
            if body.len().saturating_add(chunk.len()) > MAX_BODY {
                return Err(Failure::new(
                    FailureKind::Malformed,
                    format!("the endpoint's answer is longer than {MAX_BODY} bytes"),
                ));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }
}
