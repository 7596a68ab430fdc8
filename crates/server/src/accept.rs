//! Accepting connections, with timeouts and a limit for each address.
//!
//! `axum::serve` has no timeout for request headers, and a listener can't add one: it does not know
//! where requests begin. Hence this loop.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, Sleep};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use crate::limits::{AddressPermit, Limits};

/// The pause after an error such as too many open files.
const ACCEPT_RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// Bytes read from a WebSocket in a second: many more than a player sends, and much fewer than a flood.
/// The rate limit of commands does not see pongs and fragments of messages.
const WEBSOCKET_BYTES_PER_SECOND: usize = 128 << 10;

/// Accepts connections until `closing` is cancelled, and then waits for running requests to finish.
/// Closes connections that take longer than `timeout` to send a request's headers or to receive a
/// response, and those beyond the limit of their address.
pub(crate) async fn accept(
    listener: TcpListener,
    app: Router,
    limits: Arc<Limits>,
    timeout: Duration,
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
                    let served = serve(stream, peer, app.clone(), timeout, closing.clone(), permit);
                    connections.spawn(served);
                }
            }
            Err(error) if is_of_one_connection(&error) => {}
            Err(error) => {
                tracing::error!(%error, "could not accept a connection");
                tokio::select! {
                    () = tokio::time::sleep(ACCEPT_RETRY_INTERVAL) => {}
                    () = closing.cancelled() => break,
                }
            }
        }
    }
    // New connections are refused from here on, and can go to another server.
    drop(listener);
    connections.close();
    connections.wait().await;
}

async fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    app: Router,
    timeout: Duration,
    closing: CancellationToken,
    _permit: AddressPermit,
) {
    // Moves are small and should not wait for more data.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "could not set TCP_NODELAY");
    }
    #[cfg(target_os = "linux")]
    if let Err(error) = socket2::SockRef::from(&stream).set_tcp_user_timeout(Some(timeout)) {
        tracing::debug!(%error, "could not set TCP_USER_TIMEOUT");
    }
    let stream = LimitedStream::new(stream);
    let read_limit = stream.limit.clone();
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        request.extensions_mut().insert(read_limit.clone());
        app.clone().oneshot(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(timeout)
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

/// Whether an error concerns a single connection, and not the listener.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Limits the rate at which a connection is read, once it is a WebSocket.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReadLimit(Arc<AtomicBool>);

impl ReadLimit {
    pub(crate) fn enable(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_enabled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A connection with a [`ReadLimit`]. The network makes the client of a paused one wait.
struct LimitedStream {
    stream: TcpStream,
    limit: ReadLimit,
    /// Bytes read since `window_start`.
    read: usize,
    window_start: Instant,
    pause: Option<Pin<Box<Sleep>>>,
}

impl LimitedStream {
    fn new(stream: TcpStream) -> LimitedStream {
        let limit = ReadLimit::default();
        LimitedStream { stream, limit, read: 0, window_start: Instant::now(), pause: None }
    }

    /// Counts bytes, and begins a pause if there were too many in this second.
    fn count(&mut self, bytes: usize) {
        self.read += bytes;
        if self.read > WEBSOCKET_BYTES_PER_SECOND {
            let window_end = self.window_start + Duration::from_secs(1);
            self.pause = Some(Box::pin(tokio::time::sleep_until(window_end)));
        }
    }
}

impl AsyncRead for LimitedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(pause) = &mut self.pause {
            ready!(pause.as_mut().poll(cx));
            self.pause = None;
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buffer))?;
        if self.limit.is_enabled() {
            if self.window_start.elapsed() >= Duration::from_secs(1) {
                self.read = 0;
                self.window_start = Instant::now();
            }
            self.count(buffer.filled().len() - before);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for LimitedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
