//! Players who reconnect after every failure and resend unanswered commands with the same key.

use std::sync::Arc;

use noughts_api::{
    CommandRequest, ErrorCode, GameId, GamePhase, GameView, IdempotencyKey, IdentityId,
    IdentityKind, Participant, PlayerCommand, ServerMessage,
};
use noughts_checker::Acknowledged;
use noughts_rules::Seat;
use tokio::time::{Duration, sleep, timeout};

use super::games::Game;
use super::server::Server;
use super::world::World;
use crate::live::{Failure, Resume, Subscription, Text};

const RECONNECT_DELAY: Duration = Duration::from_millis(50);

/// How long a player waits for a message before reconnecting.
const MESSAGE_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a player waits for the other one to agree to a rematch.
const REMATCH_TIMEOUT: Duration = Duration::from_secs(10);

/// How long players think at most, in milliseconds.
const MAX_THINK_MS: u64 = 1_500;

pub(super) struct Player {
    world: Arc<World>,
    game: Game,
    participant: Arc<Participant>,
    seat: Seat,
    /// The game as of the last message.
    view: Option<GameView>,
    /// A command without a reply.
    pending: Option<CommandRequest>,
    commands: u32,
    connections: usize,
    wants_rematch: bool,
}

/// The connection was lost, or cut on purpose.
struct Disconnected;

pub(super) fn participant(seat: usize) -> Participant {
    let identity = IdentityId(1 + seat as i64);
    let name = ["Ann", "Bob"][seat].to_string();
    Participant { identity, name, kind: IdentityKind::Account }
}

impl Player {
    /// A player of a game. Identities play on another seat in a rematch.
    pub(super) fn new(world: Arc<World>, game: Game, person: usize) -> Player {
        let seat = if game.is_swapped { 1 - person } else { person };
        Player {
            participant: Arc::new(participant(person)),
            seat: Seat::new(seat as u8).expect("two seats"),
            view: None,
            pending: None,
            commands: 0,
            connections: person,
            wants_rematch: world.chance(40),
            game,
            world,
        }
    }

    /// Plays to the end of the game. Returns the rematch, if both agreed to one.
    pub(super) async fn run(mut self) -> Option<GameId> {
        while !self.is_finished() {
            self.connections += 1;
            let server = self.world.server(self.connections % self.world.server_count());
            if let Some(server) = server {
                self.visit(&server).await;
            }
            sleep(RECONNECT_DELAY).await;
        }
        self.view.and_then(|view| view.rematch)
    }

    /// Uses one connection until it breaks.
    async fn visit(&mut self, server: &Server) {
        let visit = async {
            let identity = Some(self.participant.identity);
            let seq = self.view.as_ref().map(|view| view.seq);
            // Some clients ask for the whole game.
            let since = seq.filter(|_| self.world.chance(80));
            let resume = Resume { since, seq: seq.unwrap_or(0) };
            let subscribing = server.games.subscribe(self.game.id, identity, resume);
            let Ok(Ok((mut socket, first))) = timeout(MESSAGE_TIMEOUT, subscribing).await else {
                return;
            };
            for text in first {
                if self.receive(&text).is_err() {
                    return;
                }
            }
            let _ = self.converse(server, &mut socket).await;
        };
        tokio::select! {
            biased;
            () = server.disconnected.cancelled() => {}
            () = visit => {}
        }
    }

    /// A player with a pending command resends it even after the game is over.
    fn is_finished(&self) -> bool {
        let is_over = self.view.as_ref().is_some_and(|view| {
            let waits = self.wants_rematch && view.rematch.is_none();
            view.phase == GamePhase::Finished && !waits
        });
        is_over && self.pending.is_none()
    }

    async fn converse(
        &mut self,
        server: &Server,
        socket: &mut Subscription,
    ) -> Result<(), Disconnected> {
        if let Some(pending) = self.pending.clone() {
            self.send(server, socket, &pending).await?;
        }
        while !self.is_finished() {
            if self.pending.is_none()
                && let Some(request) = self.next_command().await
            {
                self.pending = Some(request.clone());
                self.send(server, socket, &request).await?;
            }
            let is_over = self.view.as_ref().is_some_and(|view| view.phase == GamePhase::Finished);
            let patience = if is_over { REMATCH_TIMEOUT } else { MESSAGE_TIMEOUT };
            match timeout(patience, socket.next()).await {
                Ok(Some(text)) => self.receive(&text)?,
                Ok(None) => return Err(Disconnected),
                Err(_) => {
                    // The other player may not want a rematch.
                    self.wants_rematch &= !is_over || self.pending.is_some();
                    return Err(Disconnected);
                }
            }
        }
        Ok(())
    }

    /// What the player does next, after some thought.
    async fn next_command(&mut self) -> Option<CommandRequest> {
        let view = self.view.as_ref()?;
        let is_mine = view.turn == Some(self.seat);
        let command = if view.phase == GamePhase::Open {
            let is_seated = view.your_seats.contains(&self.seat);
            (!is_seated).then_some(PlayerCommand::Join { symbol: None })?
        } else if view.phase == GamePhase::Finished {
            let offers = !view.rematch_offers.contains(&self.seat) && view.rematch.is_none();
            (self.wants_rematch && offers).then_some(PlayerCommand::Rematch)?
        } else if view.undo_request.as_ref().is_some_and(|undo| undo.seat != self.seat) {
            PlayerCommand::AnswerUndo { accept: self.world.chance(50) }
        } else if is_mine {
            let seq = view.seq;
            self.world.delay(MAX_THINK_MS).await;
            let view = self.view.as_ref().filter(|view| view.seq == seq)?;
            match self.world.up_to(99) {
                0..3 => PlayerCommand::Resign,
                3..8 => PlayerCommand::RequestUndo,
                8..10 => PlayerCommand::Claim,
                10 => PlayerCommand::Abort,
                _ => PlayerCommand::Move { mv: self.world.pick(&view.legal) },
            }
        } else {
            return None;
        };
        self.commands += 1;
        let key = IdempotencyKey::new(&format!("{}.{}", self.seat, self.commands));
        let seq = self.view.as_ref()?.seq;
        Some(CommandRequest { command, seq, key: key.expect("a valid key"), seat: None })
    }

    /// Sends a command by the socket, and sometimes also by a request to any server.
    async fn send(
        &mut self,
        server: &Server,
        socket: &mut Subscription,
        request: &CommandRequest,
    ) -> Result<(), Disconnected> {
        self.note(|| format!("sends {} {:?}", request.key.as_str(), request.command));
        if self.world.chance(10) {
            self.request(request.clone());
        }
        socket.command(self.participant.clone(), request.clone(), None).await;
        if self.world.chance(5) {
            socket.command(self.participant.clone(), request.clone(), None).await;
        }
        if self.world.fault(10) || server.disconnected.is_cancelled() {
            return Err(Disconnected);
        }
        Ok(())
    }

    /// Sends a duplicate of a command by a request.
    fn request(&self, request: CommandRequest) {
        let (world, game, player) = (self.world.clone(), self.game.id, self.participant.clone());
        tokio::spawn(async move {
            world.delay(300).await;
            let index = world.up_to(world.server_count() as u64 - 1) as usize;
            let Some(server) = world.server(index) else { return };
            let answered = tokio::select! {
                biased;
                () = server.disconnected.cancelled() => return,
                answered = server.games.command(game, player, request.clone(), None) => answered,
            };
            match answered {
                Ok(accepted) => {
                    let seq = accepted.seq;
                    world.record.acknowledged(game, Acknowledged { request, seq });
                }
                Err(Failure::Refused(..)) => world.refused(game, &request),
                Err(_) => {}
            }
        });
    }

    fn receive(&mut self, text: &Text) -> Result<(), Disconnected> {
        self.note(|| format!("receives {text}"));
        match serde_json::from_str(text).expect("a message of the protocol") {
            ServerMessage::State { game } => {
                let seen = self.view.as_ref().map_or(0, |view| view.seq);
                if game.seq < seen {
                    let what = format!("got the game at {} after {seen}", game.seq);
                    self.world.violation(self.game.id, what);
                }
                self.view = Some(*game);
            }
            ServerMessage::Lag { .. }
            | ServerMessage::Emote { .. }
            | ServerMessage::Spectators { .. } => {}
            ServerMessage::Accepted { key, seq } => {
                if let Some(request) = self.pending.take_if(|pending| pending.key == key) {
                    self.world.record.acknowledged(self.game.id, Acknowledged { request, seq });
                }
            }
            ServerMessage::Refused { error, key } => {
                // The command may have been stored: only sending it again can tell.
                if error.code == ErrorCode::Unavailable {
                    return Err(Disconnected);
                }
                if let Some(request) =
                    self.pending.take_if(|pending| Some(&pending.key) == key.as_ref())
                {
                    self.world.refused(self.game.id, &request);
                }
                if let Some(game) = error.game {
                    self.view = Some(*game);
                }
            }
            ServerMessage::Update(update) => {
                let view = self.view.as_mut().expect("a state before updates");
                if update.seq != view.seq + 1 {
                    let seq = view.seq;
                    self.world.violation(self.game.id, format!("{update:?} follows {seq}"));
                    self.view = None;
                    return Err(Disconnected);
                }
                view.apply(&update);
                self.world.record.update(self.game.id, *update);
            }
        }
        Ok(())
    }

    fn note(&self, what: impl FnOnce() -> String) {
        self.world.note(|| format!("{} in {}: {}", self.participant.name, self.game.id, what()));
    }
}
