//! From a request to a WebSocket.
//!
//! `axum` has this too, but hides the stream behind a type of its own that only one task can write
//! to. Here whoever has something to say does so itself.

use axum::body::Body;
use axum::extract::FromRequestParts;
use axum::http::Request;
use axum::http::request::Parts;
use axum::response::Response;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tungstenite::handshake::server::create_response_with_body;

use super::error::ApiError;

/// A request that asks for a WebSocket.
pub(super) struct Upgrade {
    upgrade: OnUpgrade,
    /// What agrees to it.
    pub(super) response: Response,
}

impl Upgrade {
    /// The connection, once the client has been answered, and what was read of it too early.
    pub(super) async fn stream(self) -> Option<(TcpStream, Vec<u8>)> {
        let upgraded = self.upgrade.await.ok()?;
        let parts = upgraded.downcast::<TokioIo<TcpStream>>().ok()?;
        Some((parts.io.into_inner(), parts.read_buf.to_vec()))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Upgrade {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let mut request = Request::new(());
        *request.method_mut() = parts.method.clone();
        *request.version_mut() = parts.version;
        *request.headers_mut() = parts.headers.clone();
        let response = create_response_with_body(&request, Body::empty);
        let response = response.map_err(|_| ApiError::NotAWebSocket)?;
        let upgrade = parts.extensions.remove::<OnUpgrade>().ok_or(ApiError::NotAWebSocket)?;
        Ok(Upgrade { upgrade, response })
    }
}
