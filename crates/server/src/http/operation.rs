//! Operation: health, readiness, metrics and request logging.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use metrics_exporter_prometheus::PrometheusHandle;

use crate::app::App;

/// Renders the collected metrics, if there is a recorder.
pub(crate) type Metrics = Option<PrometheusHandle>;

const PING_TIMEOUT: Duration = Duration::from_secs(2);

/// A server that stored nothing for this long is not ready.
const STORE_TIMEOUT: Duration = Duration::from_secs(6);

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/healthz", get(|| async { "ok\n" })).route("/readyz", get(ready))
}

/// The metrics, on an address of their own.
pub(crate) fn metrics_router(metrics: Metrics) -> Router {
    Router::new().route("/metrics", get(move || async move { exposition(metrics.as_ref()) }))
}

/// Whether the server should get requests: it is not stopping, its database responds, and what it
/// writes is stored.
async fn ready(State(app): State<Arc<App>>) -> Response {
    if app.lifecycle.closing.is_cancelled() {
        return (StatusCode::SERVICE_UNAVAILABLE, "stopping\n").into_response();
    }
    let refuse = |reason| (StatusCode::SERVICE_UNAVAILABLE, reason).into_response();
    let heartbeat_is_late = app.outages.outage_possible(app.outages.now());
    if heartbeat_is_late || app.storage.writer.is_failing(STORE_TIMEOUT) {
        return refuse("nothing can be stored\n");
    }
    match tokio::time::timeout(PING_TIMEOUT, app.storage.store.ping()).await {
        Ok(Ok(())) => "ready\n".into_response(),
        _ => refuse("no database\n"),
    }
}

fn exposition(metrics: Option<&PrometheusHandle>) -> Response {
    match metrics {
        Some(handle) => {
            let text = handle.render();
            ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Counts and logs every request. The log names the matched route, never the requested path, which
/// the client controls.
pub(super) async fn observe(request: Request, next: Next) -> Response {
    let start = Instant::now();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let method = request.method().clone();
    let response = next.run(request).await;
    let route = route.as_ref().map_or("none", MatchedPath::as_str);
    let (status, elapsed) = (response.status().as_u16(), start.elapsed());
    let labels = [("route", route.to_string()), ("status", status.to_string())];
    metrics::counter!("noughts_requests_total", &labels).increment(1);
    metrics::histogram!("noughts_request_seconds").record(elapsed);
    tracing::debug!(%method, route, status, ms = elapsed.as_millis() as u64, "request");
    response
}
