//! A bare relay: what a server costs that only passes moves on. It knows no rules, stores nothing,
//! and asks nobody who they are.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::get;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio::sync::mpsc;

/// The buffers are as small as the server's.
const READ_BUFFER: usize = 512;
const WRITE_BUFFER: usize = 1 << 10;
const QUEUE: usize = 128;

type Rooms = Arc<Mutex<HashMap<String, Arc<Room>>>>;

/// Both ends of a game.
#[derive(Debug, Default)]
struct Room {
    ends: Mutex<Vec<(u64, mpsc::Sender<Utf8Bytes>)>>,
}

impl Room {
    fn pass_on(&self, own: u64, text: &Utf8Bytes) {
        let ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, queue) in ends.iter().filter(|(end, _)| *end != own) {
            let _ = queue.try_send(text.clone());
        }
    }
}

/// Serves until the process is ended.
pub(crate) async fn run() -> anyhow::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("The relay is at http://{}", listener.local_addr()?);
    let app = Router::new().route("/rooms/{name}/{end}", get(join)).with_state(Rooms::default());
    // As the server does: a move that waits for others to be sent with it waits for nothing.
    let listener = listener.tap_io(|stream| {
        if let Err(error) = stream.set_nodelay(true) {
            eprintln!("a connection sends in its own time: {error}");
        }
    });
    axum::serve(listener, app).await?;
    Ok(())
}

async fn join(
    State(rooms): State<Rooms>,
    Path((name, end)): Path<(String, u64)>,
    upgrade: WebSocketUpgrade,
) -> Response {
    // Whoever is told that the connection is there hears what is said from then on.
    let (queue, told) = mpsc::channel(QUEUE);
    let room = {
        let mut rooms = rooms.lock().unwrap_or_else(PoisonError::into_inner);
        let room = rooms.entry(name.clone()).or_default().clone();
        room.ends.lock().unwrap_or_else(PoisonError::into_inner).push((end, queue));
        room
    };
    let upgrade = upgrade.read_buffer_size(READ_BUFFER).write_buffer_size(WRITE_BUFFER);
    upgrade.on_upgrade(move |socket| async move {
        serve(&room, end, socket, told).await;
        let mut rooms = rooms.lock().unwrap_or_else(PoisonError::into_inner);
        let mut ends = room.ends.lock().unwrap_or_else(PoisonError::into_inner);
        ends.retain(|(other, _)| *other != end);
        if ends.is_empty() {
            rooms.remove(&name);
        }
    })
}

/// Passes what comes in on to the other end, and sends it back as the acknowledgement.
async fn serve(room: &Room, own: u64, mut socket: WebSocket, mut told: mpsc::Receiver<Utf8Bytes>) {
    loop {
        let sent = tokio::select! {
            Some(text) = told.recv() => socket.send(Message::Text(text)).await,
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    room.pass_on(own, &text);
                    socket.send(Message::Text(text)).await
                }
                Some(Ok(_)) => Ok(()),
                Some(Err(_)) | None => return,
            },
        };
        if sent.is_err() {
            return;
        }
    }
}
