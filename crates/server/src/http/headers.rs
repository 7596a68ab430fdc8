//! Security headers of every response.

use std::convert::Infallible;

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, IntoResponseParts, Response, ResponseParts};

use super::error::ApiError;

/// Pages load only what this server serves. Who may frame them follows.
macro_rules! content_security_policy {
    ($frame_ancestors:literal) => {
        concat!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; ",
            "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; ",
            "form-action 'self'; frame-ancestors ",
            $frame_ancestors
        )
    };
}

const CONTENT_SECURITY_POLICY: &str = content_security_policy!("'none'");
const FRAMABLE_POLICY: &str = content_security_policy!("*");

pub(super) const RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (RESOURCE_POLICY, "same-origin"),
];

/// What only documents heed. The page has many scripts, which are a third smaller without.
const DOCUMENT_HEADERS: [HeaderName; 4] = [
    header::CONTENT_SECURITY_POLICY,
    header::X_FRAME_OPTIONS,
    header::REFERRER_POLICY,
    HeaderName::from_static("cross-origin-opener-policy"),
];

/// Content types that are never shown as documents.
const SUBRESOURCES: [&[u8]; 2] = [b"text/javascript; charset=utf-8", b"text/css; charset=utf-8"];

/// Refuses requests of HTTP/1.1 that do not name one host, as RFC 9112 demands: programs on the way
/// could take them for another host's.
pub(super) async fn require_host(request: Request, next: Next) -> Response {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    if hosts > 1 || (hosts == 0 && request.version() == Version::HTTP_11) {
        return ApiError::Malformed("expected one Host header".into()).into_response();
    }
    next.run(request).await
}

/// Lets pages of other sites read the API. Browsers show them only what anybody may see: with `*` they
/// refuse responses to requests with the user's cookie.
pub(super) async fn allow_reading(request: Request, next: Next) -> Response {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let mut response = next.run(request).await;
    if is_read {
        let headers = response.headers_mut();
        let anyone = HeaderValue::from_static("*");
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, anyone);
        headers.insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    }
    response
}

/// Part of a response that pages of other sites may show in a frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Framable;

impl IntoResponseParts for Framable {
    type Error = Infallible;

    fn into_response_parts(self, mut parts: ResponseParts) -> Result<ResponseParts, Infallible> {
        parts.extensions_mut().insert(self);
        Ok(parts)
    }
}

/// Adds the headers that a handler has not set.
pub(super) async fn secure(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let is_framable = response.extensions().get::<Framable>().is_some();
    let headers = response.headers_mut();
    if is_framable {
        let policy = HeaderValue::from_static(FRAMABLE_POLICY);
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        headers.insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    }
    let is_subresource = headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| SUBRESOURCES.contains(&kind.as_bytes()));
    for (name, value) in HEADERS {
        if is_framable && name == header::X_FRAME_OPTIONS
            || is_subresource && DOCUMENT_HEADERS.contains(&name)
        {
            continue;
        }
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}
