//! All games of a player over a WebSocket, for pages: browsers limit open responses, but not these.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use axum::response::Response;
use noughts_api::ErrorBody;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::Caller;
use super::error::ApiError;
use super::input::QueryParams;
use super::origin::SameSiteUpgrade;
use super::socket::SIGNED_OUT;
use super::stream::{StreamQuery, follow_games};
use crate::accept::ReadLimit;
use crate::app::App;
use crate::limits::ClientAddress;

/// Clients have nothing to say here.
const MAX_MESSAGE_BYTES: usize = 4 << 10;

const READ_BUFFER_BYTES: usize = 256;

const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// A client that answers no ping for this long is gone.
const MAX_SILENCE: Duration = Duration::from_secs(60);

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(socket))
}

/// Follow all of your games over a WebSocket
///
/// The lines of `GET /stream` as messages. The server closes with 1012 when it restarts (reconnect), and
/// with 4401 when you were signed out.
#[utoipa::path(get, path = "/socket", tag = "games", params(StreamQuery),
    responses((status = 101, description = "the WebSocket opens"),
        (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 426, body = ErrorBody),
        (status = 429, body = ErrorBody)))]
async fn socket(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    Extension(read_limit): Extension<ReadLimit>,
    caller: Caller,
    QueryParams(query): QueryParams<StreamQuery>,
    SameSiteUpgrade(upgrade): SameSiteUpgrade,
) -> Result<Response, ApiError> {
    let lines = follow_games(&app, client, &caller, query)?;
    let running = app.lifecycle.connections.token();
    let upgrade = upgrade
        .read_buffer_size(READ_BUFFER_BYTES)
        .max_message_size(MAX_MESSAGE_BYTES)
        .max_frame_size(MAX_MESSAGE_BYTES);
    Ok(upgrade.on_upgrade(async move |socket| {
        let _running = running;
        read_limit.enable();
        pass_on(&app, socket, lines).await;
    }))
}

/// Sends lines as messages until they end or the client is gone.
async fn pass_on(app: &App, mut socket: WebSocket, mut lines: mpsc::Receiver<Bytes>) {
    let mut last_heard = Instant::now();
    loop {
        tokio::select! {
            line = lines.recv() => {
                let message = match line.as_deref().map(str::from_utf8) {
                    Some(Ok("\n")) if last_heard.elapsed() > MAX_SILENCE => return,
                    // A sign of life.
                    Some(Ok("\n")) => Message::Ping(Bytes::new()),
                    Some(Ok(text)) => Message::Text(Utf8Bytes::from(text.trim_end())),
                    Some(Err(_)) | None => {
                        let (code, reason) = match app.lifecycle.closing.is_cancelled() {
                            true => (close_code::RESTART, "restarting: reconnect"),
                            false => (SIGNED_OUT, "signed out"),
                        };
                        Message::Close(Some(CloseFrame { code, reason: reason.into() }))
                    }
                };
                let is_end = matches!(message, Message::Close(_));
                let sent = timeout(SEND_TIMEOUT, socket.send(message)).await;
                if is_end || !matches!(sent, Ok(Ok(()))) {
                    return;
                }
            }
            received = socket.recv() => match received {
                None | Some(Err(_) | Ok(Message::Close(_))) => return,
                Some(Ok(_)) => last_heard = Instant::now(),
            }
        }
    }
}
