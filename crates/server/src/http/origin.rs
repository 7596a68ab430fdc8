//! Which sites' pages may open WebSockets with a browser's cookie.

use std::sync::Arc;

use axum::extract::{FromRequestParts, WebSocketUpgrade};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use super::error::ApiError;
use crate::app::App;

/// A WebSocket upgrade by a page of this site, or by no page at all. Browsers don't protect WebSockets
/// from other sites: they send the cookie and let the page read the messages.
pub(crate) struct SameSiteUpgrade(pub(crate) WebSocketUpgrade);

impl FromRequestParts<Arc<App>> for SameSiteUpgrade {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        if !is_same_site(&parts.headers, &app.config.origins) {
            return Err(ApiError::CrossSite);
        }
        let upgrade = WebSocketUpgrade::from_request_parts(parts, app).await;
        upgrade.map(SameSiteUpgrade).map_err(|_| ApiError::NotAWebSocket)
    }
}

fn is_same_site(headers: &HeaderMap, trusted: &[String]) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    if trusted.iter().any(|trusted| trusted == origin) {
        return true;
    }
    let authority = origin.split_once("://").map(|(_, authority)| authority);
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    authority.is_some() && authority == host
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(origin: Option<&str>, host: &str, expected: bool) {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        let trusted = ["https://friend.example".to_string()];
        assert_eq!(is_same_site(&headers, &trusted), expected, "{origin:?} at {host}");
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        check(None, "noughts.example", true);
        check(Some("https://noughts.example"), "noughts.example", true);
        check(Some("http://localhost:8000"), "localhost:8000", true);
        check(Some("https://friend.example"), "noughts.example", true);
        check(Some("https://evil.example"), "noughts.example", false);
        check(Some("https://noughts.example.evil.example"), "noughts.example", false);
        check(Some("http://localhost:8001"), "localhost:8000", false);
        check(Some("null"), "null", false);
    }
}
