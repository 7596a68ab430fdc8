//! Taking connections: each is a task of its own, and has to send its requests, and to take the
//! answers, in time.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use crate::limits::{AddressPermit, Limits};

/// How long to wait where no connection can be taken, for want of files or memory.
const PAUSE: Duration = Duration::from_secs(1);

/// Takes connections until the token is cancelled, and then waits for them to finish what they
/// have begun. One on which a request is not begun and its head sent within `patience`, or nothing of
/// an answer taken for so long, is closed; and one too many from an address is closed at once.
pub(crate) async fn accept(
    listener: TcpListener,
    app: Router,
    limits: Arc<Limits>,
    patience: Duration,
    closing: CancellationToken,
) {
    let connections = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = closing.cancelled() => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                if let Some(permit) = limits.open_connection(peer.ip()) {
                    let served =
                        serve(stream, peer, app.clone(), patience, closing.clone(), permit);
                    connections.spawn(served);
                }
            }
            Err(error) if is_of_one_connection(&error) => {}
            Err(error) => {
                tracing::error!(%error, "could not take a connection");
                tokio::select! {
                    () = tokio::time::sleep(PAUSE) => {}
                    () = closing.cancelled() => break,
                }
            }
        }
    }
    // Whoever comes now is refused, and goes to another server.
    drop(listener);
    connections.close();
    connections.wait().await;
}

async fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    app: Router,
    patience: Duration,
    closing: CancellationToken,
    _permit: AddressPermit,
) {
    // Moves are small and should not wait for more to be sent with them.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection sends in its own time");
    }
    #[cfg(target_os = "linux")]
    if let Err(error) = socket2::SockRef::from(&stream).set_tcp_user_timeout(Some(patience)) {
        tracing::debug!(%error, "a connection that does not read is kept");
    }
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        app.clone().oneshot(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = closing.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection failed");
    }
}

/// Whether it went wrong for whoever wanted to connect, and not for the listener.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
