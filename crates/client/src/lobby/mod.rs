//! A lobby: your games, invitations and offered rematches, games to join and to watch, and who is there.

mod connection;

use noughts_api::{
    GameId, GamePhase, GameSummary, GameView, Level, NewGame, NewSeat, PairingRequest, PersonView,
    PlayerCommand, StreamEvent,
};

pub use connection::LobbyConnection;

use crate::client::{Client, ClientError, GameFilter};

/// What somebody in a lobby sees. Lists are as of the last news.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lobby {
    /// Your unfinished games, those that wait for you first.
    pub yours: Vec<GameView>,
    /// Games to which you are invited.
    pub invitations: Vec<GameView>,
    /// Finished games whose other players offer you a rematch.
    pub rematches: Vec<GameView>,
    /// Public games of others that wait for a player.
    pub open: Vec<GameSummary>,
    /// Public games of others that are being played.
    pub live: Vec<GameSummary>,
    /// Other players who are connected, those you follow first. Long lists are cut.
    pub players: Vec<PersonView>,
    /// How many players are connected, with you.
    pub online: usize,
    /// The games for which the user was called, and which still wait.
    called: Vec<GameId>,
}

/// What a lobby asks for from time to time.
#[derive(Debug, Clone, Default)]
pub struct LobbyLists {
    /// Games that wait for players, in which you have a seat or are invited.
    pub yours: Vec<GameView>,
    /// Games that wait for a player.
    pub open: Vec<GameSummary>,
    /// Games that are being played.
    pub live: Vec<GameSummary>,
    /// Finished games whose other players offer you a rematch.
    pub rematches: Vec<GameView>,
    /// Other players who are connected.
    pub players: Vec<PersonView>,
    /// How many players are connected.
    pub online: usize,
}

/// News of a lobby.
#[derive(Debug)]
pub enum LobbyEvent {
    /// Something that concerns you.
    Yours(StreamEvent),
    /// Your games were forgotten, because the server sends them all again.
    Reset,
    /// What there is now.
    Lists(Box<LobbyLists>),
    /// The server did not answer; the lobby tries again.
    Unreachable(String),
}

/// What an event means for somebody who looks at the lobby.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attention {
    /// Nothing.
    None,
    /// It has become your turn, you were invited, or a rematch was offered.
    Ring,
}

/// How many games a list shows.
const MAX_LISTED_GAMES: usize = 30;

impl Lobby {
    /// The lobby once: its lists, and your games and invitations.
    ///
    /// # Errors
    ///
    /// If the server does not answer.
    pub fn load(client: &Client) -> Result<Lobby, ClientError> {
        let mut lobby = Lobby::default();
        let name = client.token().map(|_| client.me()).transpose()?.map(|me| me.name);
        for view in games_of(client, name.as_deref(), GamePhase::Live)? {
            lobby.insert(view);
        }
        lobby.apply(LobbyEvent::Lists(Box::new(LobbyLists::load(client, name.as_deref())?)));
        Ok(lobby)
    }

    /// Takes over an event.
    pub fn apply(&mut self, event: LobbyEvent) -> Attention {
        let mut changed = None;
        match event {
            LobbyEvent::Reset => (self.yours, self.invitations) = (Vec::new(), Vec::new()),
            LobbyEvent::Lists(lists) => {
                let LobbyLists { yours, open, live, rematches, players, online } = *lists;
                self.yours.retain(|game| game.phase != GamePhase::Open);
                yours.into_iter().for_each(|game| self.insert(game));
                (self.open, self.live, self.rematches) = (open, live, rematches);
                (self.players, self.online) = (players, online);
            }
            LobbyEvent::Unreachable(_) => {}
            LobbyEvent::Yours(event) => {
                let game = event.game().clone();
                changed = Some(game.id);
                match event {
                    StreamEvent::RematchOffered { .. } => {
                        self.remove(game.id);
                        self.rematches.push(game);
                    }
                    _ => self.insert(game),
                }
            }
        }
        let calls = self.calls();
        self.called.retain(|call| changed != Some(*call) || calls.contains(call));
        let new: Vec<GameId> = calls.into_iter().filter(|id| !self.called.contains(id)).collect();
        self.called.extend(&new);
        if new.is_empty() { Attention::None } else { Attention::Ring }
    }

    /// The games that wait for your move or your answer.
    fn calls(&self) -> Vec<GameId> {
        let waiting = self.yours.iter().filter(|game| waits_for_you(game));
        let asked = self.invitations.iter().chain(&self.rematches);
        waiting.chain(asked).map(|game| game.id).collect()
    }

    /// Games of others that wait for a player, without those that are listed as yours.
    pub fn open_to_join(&self) -> impl Iterator<Item = &GameSummary> {
        self.open.iter().filter(|game| !self.is_yours(game.id))
    }

    /// Games of others that are being played.
    pub fn live_to_watch(&self) -> impl Iterator<Item = &GameSummary> {
        self.live.iter().filter(|game| !self.is_yours(game.id))
    }

    fn is_yours(&self, id: GameId) -> bool {
        self.yours.iter().chain(&self.invitations).any(|game| game.id == id)
    }

    /// Puts a game where it belongs now.
    fn insert(&mut self, game: GameView) {
        let mut known = self.yours.iter().chain(&self.invitations);
        if known.any(|other| other.id == game.id && other.seq > game.seq) {
            return;
        }
        self.remove(game.id);
        if game.phase == GamePhase::Finished {
            return;
        }
        match game.your_seats.is_empty() {
            true => self.invitations.push(game),
            false => self.yours.push(game),
        }
        self.yours.sort_by_key(|game| !waits_for_you(game));
    }

    /// Takes a game out of the lists in which it waits, because it was answered.
    pub fn remove(&mut self, id: GameId) {
        for games in [&mut self.yours, &mut self.invitations, &mut self.rematches] {
            games.retain(|game| game.id != id);
        }
    }
}

/// Whether a game can't go on without you.
fn waits_for_you(game: &GameView) -> bool {
    game.is_your_turn() || game.awaits_your_undo_answer()
}

impl LobbyLists {
    /// For the player with this name, or for somebody who only watches.
    pub(crate) fn load(client: &Client, name: Option<&str>) -> Result<LobbyLists, ClientError> {
        let list = |phase| {
            client.games(&GameFilter {
                phase: Some(phase),
                limit: Some(MAX_LISTED_GAMES),
                present: true,
                ..GameFilter::default()
            })
        };
        let inbox = client.token().map(|_| client.inbox()).transpose()?.unwrap_or_default();
        let players = client.players(None)?;
        Ok(LobbyLists {
            yours: games_of(client, name, GamePhase::Open)?,
            open: list(GamePhase::Open)?,
            live: list(GamePhase::Live)?,
            rematches: inbox.rematches,
            players: players.players,
            online: players.online,
        })
    }
}

/// The games of a player in this phase.
fn games_of(
    client: &Client,
    player: Option<&str>,
    phase: GamePhase,
) -> Result<Vec<GameView>, ClientError> {
    if player.is_none() {
        return Ok(Vec::new());
    }
    let (phase, limit) = (Some(phase), Some(MAX_LISTED_GAMES));
    let filter = GameFilter { player, phase, limit, ..GameFilter::default() };
    client.games(&filter)?.into_iter().map(|summary| client.game(summary.id, 0)).collect()
}

/// What people can begin in a lobby.
impl Client {
    /// Takes a seat, or accepts an invitation.
    pub fn join(&self, game: GameId) -> Result<GameView, ClientError> {
        let seq = self.game(game, 0)?.seq;
        Ok(self.command(game, seq, PlayerCommand::Join { symbol: None })?.game)
    }

    /// Shows a game, and takes a free seat of one that has not begun.
    pub fn enter(&self, game: GameId) -> Result<GameView, ClientError> {
        let view = self.game(game, 0)?;
        if self.token().is_none() || view.phase != GamePhase::Open || !view.your_seats.is_empty() {
            return Ok(view);
        }
        match self.command(game, view.seq, PlayerCommand::Join { symbol: None }) {
            Ok(reply) => Ok(reply.game),
            // Without a free seat, the player watches.
            Err(ClientError::Refused(_)) => Ok(view),
            Err(error) => Err(error),
        }
    }

    /// Accepts the offer of a rematch, and shows it.
    pub fn accept_rematch(&self, game: GameId) -> Result<GameView, ClientError> {
        let seq = self.game(game, 0)?.seq;
        let view = self.command(game, seq, PlayerCommand::Rematch)?.game;
        match view.rematch {
            Some(rematch) => self.game(rematch, 0),
            None => Ok(view),
        }
    }

    /// Declines an invitation, or withdraws one of the player's own.
    pub fn decline(&self, game: GameId) -> Result<(), ClientError> {
        let seq = self.game(game, 0)?.seq;
        self.command(game, seq, PlayerCommand::Abort).map(|_| ())
    }

    /// Finds an opponent for a casual game, or plays a computer of this level.
    pub fn play(&self, rules: &str, level: Option<Level>) -> Result<GameView, ClientError> {
        let rules = rules.to_string();
        match level {
            None => self.pair(PairingRequest { rules, rated: false, clock: None, key: None }),
            Some(level) => {
                let computer = NewSeat::Computer { level, symbol: None };
                self.create_game(NewGame::new(rules, vec![own_seat(), computer]))
            }
        }
    }

    /// Invites a player to a casual game.
    pub fn challenge(&self, name: &str, rules: &str) -> Result<GameView, ClientError> {
        let opponent = NewSeat::Player { name: name.to_string(), symbol: None };
        self.create_game(NewGame::new(rules, vec![own_seat(), opponent]))
    }
}

fn own_seat() -> NewSeat {
    NewSeat::Me { name: None, symbol: None }
}

/// Reads the rules of a new game, and after a space the level of a computer that shall play it:
/// `connect4` or `connect4 hard`. The server checks the rules.
///
/// ```
/// use noughts_api::Level;
/// use noughts_client::rules_and_level;
///
/// assert_eq!(rules_and_level("3x3"), ("3x3", None));
/// assert_eq!(rules_and_level("connect4 hard"), ("connect4", Some(Level::Hard)));
/// ```
#[must_use]
pub fn rules_and_level(text: &str) -> (&str, Option<Level>) {
    let level = |word: &str| Level::ALL.into_iter().find(|level| level.as_str() == word);
    let text = text.trim();
    match text.rsplit_once(' ').and_then(|(rules, word)| Some((rules.trim(), level(word)?))) {
        Some((rules, level)) => (rules, Some(level)),
        None => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// Something about Ann's game with Bob, in which she has the first seat.
    fn event(kind: &str, fields: Value) -> LobbyEvent {
        let player = |name: &str| json!({"seat": 0, "name": name, "symbol": "X", "out": false});
        let mut game = json!({
            "id": "01hf7yat0060rk4csm6mv3ee1s", "seq": 3, "phase": "live", "rules": "3x3",
            "shape": {"type": "grid", "rows": 3, "cols": 3, "levels": 1}, "k": 3, "board": [],
            "details": {"stones_left": 1, "owners": [], "board_to_play": null, "boards": [],
                "fading": null},
            "moves": [], "legal": [], "turn": 0, "rated": false, "public": true,
            "players": [player("Ann"), player("Bob")], "rematch_offers": [],
            "created_at": 0, "updated_at": 0, "away_ms": 60000, "your_seats": [0],
        });
        for (name, value) in fields.as_object().unwrap() {
            game[name] = value.clone();
        }
        LobbyEvent::Yours(serde_json::from_value(json!({"type": kind, "game": game})).unwrap())
    }

    #[test]
    fn each_wait_rings_once() {
        let mut lobby = Lobby::default();
        let your_turn = || event("your_turn", json!({}));
        assert_eq!(lobby.apply(your_turn()), Attention::Ring);
        assert_eq!(lobby.apply(your_turn()), Attention::None);
        // The server tells everything again after a lost connection.
        assert_eq!(lobby.apply(LobbyEvent::Reset), Attention::None);
        assert_eq!(lobby.apply(your_turn()), Attention::None);
        assert_eq!(lobby.apply(event("game_started", json!({"turn": 1}))), Attention::None);
        assert_eq!(lobby.apply(your_turn()), Attention::Ring);
    }

    #[test]
    fn rematches_are_offered_and_gone() {
        let mut lobby = Lobby::default();
        let finished = json!({"phase": "finished", "turn": null, "rematch_offers": [1]});
        assert_eq!(lobby.apply(event("game_ended", finished.clone())), Attention::None);
        assert_eq!(lobby.apply(event("rematch_offered", finished)), Attention::Ring);
        assert_eq!((lobby.yours.len(), lobby.rematches.len()), (0, 1));
        // The offer was withdrawn.
        assert_eq!(lobby.apply(LobbyEvent::Lists(Box::default())), Attention::None);
        assert_eq!(lobby.rematches, []);
    }
}
