//! The baseline: a bare WebSocket relay. It forwards moves, and knows neither rules nor storage nor
//! accounts.

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

const READ_BUFFER_SIZE: usize = 512;
const WRITE_BUFFER_SIZE: usize = 1 << 10;
const QUEUE_CAPACITY: usize = 128;

type Rooms = Arc<Mutex<HashMap<String, Arc<Room>>>>;

/// The clients of a game.
#[derive(Debug, Default)]
struct Room {
    clients: Mutex<Vec<(u64, mpsc::Sender<Utf8Bytes>)>>,
}

impl Room {
    fn forward(&self, sender: u64, text: &Utf8Bytes) {
        let clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, queue) in clients.iter().filter(|(client, _)| *client != sender) {
            let _ = queue.try_send(text.clone());
        }
    }
}

/// Serves until the process is killed.
pub(crate) async fn run() -> anyhow::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("The relay is at http://{}", listener.local_addr()?);
    let app = Router::new().route("/rooms/{name}/{client}", get(join)).with_state(Rooms::default());
    // Like the server: moves must not wait for more data.
    let listener = listener.tap_io(|stream| {
        if let Err(error) = stream.set_nodelay(true) {
            eprintln!("can't set TCP_NODELAY: {error}");
        }
    });
    axum::serve(listener, app).await?;
    Ok(())
}

async fn join(
    State(rooms): State<Rooms>,
    Path((name, client)): Path<(String, u64)>,
    upgrade: WebSocketUpgrade,
) -> Response {
    // Registered before the upgrade, so that a connected client misses nothing.
    let (queue, outgoing) = mpsc::channel(QUEUE_CAPACITY);
    let room = {
        let mut rooms = rooms.lock().unwrap_or_else(PoisonError::into_inner);
        let room = rooms.entry(name.clone()).or_default().clone();
        room.clients.lock().unwrap_or_else(PoisonError::into_inner).push((client, queue));
        room
    };
    let upgrade = upgrade.read_buffer_size(READ_BUFFER_SIZE).write_buffer_size(WRITE_BUFFER_SIZE);
    upgrade.on_upgrade(move |socket| async move {
        serve(&room, client, socket, outgoing).await;
        let mut rooms = rooms.lock().unwrap_or_else(PoisonError::into_inner);
        let mut clients = room.clients.lock().unwrap_or_else(PoisonError::into_inner);
        clients.retain(|(other, _)| *other != client);
        if clients.is_empty() {
            rooms.remove(&name);
        }
    })
}

/// Forwards messages to the other client, and echoes them as acknowledgements.
async fn serve(
    room: &Room,
    client: u64,
    mut socket: WebSocket,
    mut outgoing: mpsc::Receiver<Utf8Bytes>,
) {
    loop {
        let sent = tokio::select! {
            Some(text) = outgoing.recv() => socket.send(Message::Text(text)).await,
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    room.forward(client, &text);
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
