//! A lobby: your games, invitations, games to join and games to watch.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use noughts_api::{
    GameId, GamePhase, GameSummary, GameView, Level, NewGame, NewSeat, PairingRequest,
    PlayerCommand, StreamEvent,
};

use crate::backoff::Backoff;
use crate::client::{Client, ClientError, GameFilter};

/// What somebody in a lobby sees. Lists are as of the last news.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lobby {
    /// Your unfinished games, those that wait for you first.
    pub yours: Vec<GameView>,
    /// Games to which you are invited.
    pub invitations: Vec<GameView>,
    /// Public games of others that wait for a player.
    pub open: Vec<GameSummary>,
    /// Public games of others that are being played.
    pub live: Vec<GameSummary>,
}

/// News of a lobby.
#[derive(Debug)]
pub enum LobbyEvent {
    /// Something that concerns you.
    Yours(StreamEvent),
    /// Your games were forgotten, because the server sends them all again.
    Reset,
    /// The public lists.
    Lists {
        /// Games that wait for a player.
        open: Vec<GameSummary>,
        /// Games that are being played.
        live: Vec<GameSummary>,
    },
    /// The server did not answer; the lobby tries again.
    Unreachable(String),
}

/// What an event means for somebody who looks at the lobby.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attention {
    /// Nothing.
    None,
    /// It has become your turn, or you were invited.
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
        if client.token().is_some() {
            let me = client.me()?;
            for phase in [GamePhase::Live, GamePhase::Open] {
                let filter = GameFilter {
                    player: Some(&me.name),
                    phase: Some(phase),
                    limit: Some(MAX_LISTED_GAMES),
                    ..GameFilter::default()
                };
                for summary in client.games(&filter)? {
                    lobby.insert(client.game(summary.id, 0)?);
                }
            }
        }
        let (open, live) = lists(client)?;
        lobby.apply(LobbyEvent::Lists { open, live });
        Ok(lobby)
    }

    /// Takes over an event.
    pub fn apply(&mut self, event: LobbyEvent) -> Attention {
        match event {
            LobbyEvent::Reset => (self.yours, self.invitations) = (Vec::new(), Vec::new()),
            LobbyEvent::Lists { open, live } => (self.open, self.live) = (open, live),
            LobbyEvent::Unreachable(_) => {}
            LobbyEvent::Yours(event) => {
                let id = event.game().id;
                let waited = self.yours.iter().any(|game| game.id == id && waits_for_you(game));
                let was_invited = self.invitations.iter().any(|game| game.id == id);
                self.insert(event.game().clone());
                let waits = self.yours.iter().any(|game| game.id == id && waits_for_you(game));
                let is_invited = self.invitations.iter().any(|game| game.id == id);
                if waits && !waited || is_invited && !was_invited {
                    return Attention::Ring;
                }
            }
        }
        Attention::None
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
        self.yours.retain(|other| other.id != game.id);
        self.invitations.retain(|other| other.id != game.id);
        if game.phase == GamePhase::Finished {
            return;
        }
        match game.your_seats.is_empty() {
            true => self.invitations.push(game),
            false => self.yours.push(game),
        }
        self.yours.sort_by_key(|game| !waits_for_you(game));
    }
}

/// Whether a game can't go on without you.
fn waits_for_you(game: &GameView) -> bool {
    game.is_your_turn() || game.awaits_your_undo_answer()
}

fn lists(client: &Client) -> Result<(Vec<GameSummary>, Vec<GameSummary>), ClientError> {
    let list = |phase| {
        let limit = Some(MAX_LISTED_GAMES);
        client.games(&GameFilter {
            phase: Some(phase),
            limit,
            present: true,
            ..GameFilter::default()
        })
    };
    Ok((list(GamePhase::Open)?, list(GamePhase::Live)?))
}

/// What people can begin in a lobby.
impl Client {
    /// Takes a seat, or accepts an invitation.
    pub fn join(&self, game: GameId) -> Result<GameView, ClientError> {
        let seq = self.game(game, 0)?.seq;
        Ok(self.command(game, seq, PlayerCommand::Join { symbol: None })?.game)
    }

    /// Declines an invitation.
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

/// Follows a lobby in the background until it is dropped.
#[derive(Debug)]
pub struct LobbyConnection {
    is_closed: Arc<AtomicBool>,
}

/// How often the public lists are read.
const LIST_INTERVAL: Duration = Duration::from_secs(5);
const CLOSE_POLL_INTERVAL: Duration = Duration::from_millis(200);

impl LobbyConnection {
    /// Starts to follow a lobby. Without a token only the public lists are read.
    #[must_use]
    pub fn open(
        client: &Client,
        on_event: impl FnMut(LobbyEvent) + Clone + Send + 'static,
    ) -> LobbyConnection {
        let is_closed = Arc::new(AtomicBool::new(false));
        let start = |work: fn(&Client, &AtomicBool, &mut dyn FnMut(LobbyEvent))| {
            let (client, closed, mut on_event) =
                (client.clone(), Arc::clone(&is_closed), on_event.clone());
            thread::spawn(move || work(&client, &closed, &mut on_event));
        };
        start(read_lists);
        if client.token().is_some() {
            start(follow_player);
        }
        LobbyConnection { is_closed }
    }
}

impl Drop for LobbyConnection {
    fn drop(&mut self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }
}

fn read_lists(client: &Client, closed: &AtomicBool, on_event: &mut dyn FnMut(LobbyEvent)) {
    while !closed.load(Ordering::Relaxed) {
        on_event(match lists(client) {
            Ok((open, live)) => LobbyEvent::Lists { open, live },
            Err(error) => LobbyEvent::Unreachable(error.to_string()),
        });
        wait(LIST_INTERVAL, closed);
    }
}

fn follow_player(client: &Client, closed: &AtomicBool, on_event: &mut dyn FnMut(LobbyEvent)) {
    let mut backoff = Backoff::new();
    while !closed.load(Ordering::Relaxed) {
        let mut is_first = true;
        let ended = client.follow(|event| {
            if std::mem::take(&mut is_first) {
                on_event(LobbyEvent::Reset);
            }
            on_event(LobbyEvent::Yours(event));
            !closed.load(Ordering::Relaxed)
        });
        match ended {
            Ok(()) => backoff = Backoff::new(),
            Err(ClientError::Refused(error)) => {
                on_event(LobbyEvent::Unreachable(error.message));
                return;
            }
            Err(error) => on_event(LobbyEvent::Unreachable(error.to_string())),
        }
        wait(backoff.next_delay(), closed);
    }
}

/// Sleeps, but not past the end.
fn wait(time: Duration, closed: &AtomicBool) {
    let end = Instant::now() + time;
    while !closed.load(Ordering::Relaxed) {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        thread::sleep(left.min(CLOSE_POLL_INTERVAL));
    }
}
