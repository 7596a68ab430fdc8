//! What the lobby asks of its server.

use std::sync::mpsc::Sender;
use std::thread;

use noughts_api::{GameId, Level};
use noughts_client::{Client, ClientError};

use super::{Done, LobbyMessage};
use crate::workers::{Message, RequestId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LobbyRequest {
    /// Show a game.
    Open(GameId),
    /// Show a game, and take a free seat.
    Enter(GameId),
    /// Take a seat, and show the game.
    Join(GameId),
    /// Decline a challenge, or withdraw one.
    Decline(GameId),
    /// Accept the offer of a rematch of this game.
    Rematch(GameId),
    /// Find an opponent, or play a computer.
    Play {
        rules: String,
        level: Option<Level>,
    },
    Challenge {
        name: String,
        rules: String,
    },
}

/// Carries out each request on a thread of its own.
pub(super) fn carry_out_on_threads(
    page: RequestId,
    client: Client,
    sender: Sender<Message>,
) -> impl FnMut(LobbyRequest) {
    move |request| {
        let (client, sender) = (client.clone(), sender.clone());
        thread::spawn(move || {
            let done = carry_out(&client, request).map_err(|error| error.to_string());
            // Sending fails only while the program ends.
            let _ = sender.send(Message::Lobby(page, LobbyMessage::Done(done)));
        });
    }
}

fn carry_out(client: &Client, request: LobbyRequest) -> Result<Done, ClientError> {
    let view = match request {
        LobbyRequest::Open(game) => client.game(game, 0)?,
        LobbyRequest::Enter(game) => client.enter(game)?,
        LobbyRequest::Join(game) => client.join(game)?,
        LobbyRequest::Decline(game) => {
            client.decline(game)?;
            return Ok(Done::Ended(game));
        }
        LobbyRequest::Rematch(game) => client.accept_rematch(game)?,
        LobbyRequest::Play { rules, level } => client.play(&rules, level)?,
        LobbyRequest::Challenge { name, rules } => client.challenge(&name, &rules)?,
    };
    Ok(Done::Open(Box::new(view)))
}
