//! The state of an online game.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use foldhash::fast::RandomState;
use noughts_api::{
    ExitReason, GameId, GamePhase, GameSetup, IdempotencyKey, IdentityId, Level, Millis,
    SeatHolder, SeatSetup, SeriesScore,
};
use noughts_rules::describe::kind;
use noughts_rules::{Action, Cell, Game, Outcome, Rules, Seat};

use noughts_store::LEGACY_LEAGUES;

use super::Clocks;
use super::setup::VERSION;

/// An online game at a point of its log. Only events change it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnlineGame {
    pub(super) id: GameId,
    pub(super) setup: Arc<GameSetup>,
    pub(super) rules: Rules,
    /// The seats as they are now; the setup has them as they were at first.
    pub(super) seats: Arc<[SeatSetup]>,
    /// The last event that changed the seats.
    pub(super) seats_seq: u32,
    /// The event that started the game, or 0.
    pub(super) started_seq: u32,
    /// Present once every seat is taken.
    pub(super) game: Option<Game>,
    pub(super) clocks: Option<Box<Clocks>>,
    pub(super) undo: Option<UndoState>,
    /// Who is away, and since when.
    pub(super) away: Vec<(Seat, Millis)>,
    /// How often each seat left, and when last; only of seats that did.
    pub(super) departures: Vec<Departures>,
    pub(super) ending: Option<Ending>,
    /// The cells of the line that ended the game.
    pub(super) line: Box<[Cell]>,
    pub(super) rematch_offers: SeatSet,
    pub(super) rematch: Option<GameId>,
    /// The last event.
    pub(super) seq: u32,
    /// The last event that commands depend on: senders must have seen it.
    pub(super) state_seq: u32,
    /// When that event happened.
    pub(super) state_at: Millis,
    pub(super) created_at: Millis,
    pub(super) updated_at: Millis,
    /// Accepted commands: a hash of sender and key, and the sequence number afterwards.
    pub(super) accepted: HashMap<u64, u32, RandomState>,
}

/// A pending undo request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UndoState {
    pub(super) seat: Seat,
    pub(super) to: u16,
    pub(super) accepted: SeatSet,
}

/// A set of seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct SeatSet(u8);

impl SeatSet {
    pub(super) fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.index() & 1 == 1
    }

    pub(super) fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << seat.index();
    }

    pub(super) fn remove(&mut self, seat: Seat) {
        self.0 &= !(1 << seat.index());
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Seat> {
        (0..8).filter_map(Seat::new).filter(move |seat| self.contains(*seat))
    }
}

/// How often a seat left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Departures {
    pub(super) seat: Seat,
    pub(super) count: u32,
    pub(super) last: Millis,
}

/// A computer player that has not moved for this long is asked again. Much longer than its thinking
/// time.
pub(crate) const COMPUTER_OVERDUE_MS: Millis = 10_000;

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// By a line, or by a full board.
    Board(Outcome),
    /// All others were out of the game.
    Eliminated {
        /// The only seat left.
        winner: Seat,
        /// Why the last of the others was out.
        last_exit: ExitReason,
    },
    /// Aborted before the second player moved.
    Aborted,
    /// Nobody touched the game for too long.
    Abandoned,
}

impl Ending {
    /// The outcome, if the game counts.
    #[must_use]
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Ending::Board(outcome) => Some(outcome),
            Ending::Eliminated { winner, .. } => Some(Outcome::Win(winner)),
            Ending::Aborted | Ending::Abandoned => None,
        }
    }
}

/// A log whose events don't make a game: it is damaged, or a later version wrote it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("event {seq} of the game is invalid: {reason}")]
pub struct BrokenLog {
    /// The sequence number of the event.
    pub seq: u32,
    /// What is wrong.
    pub reason: String,
}

impl OnlineGame {
    /// Creates a game. `rules` are those of the setup's text: many games share one value, because
    /// its tables are large.
    pub fn create(
        id: GameId,
        rules: Rules,
        mut setup: GameSetup,
        at: Millis,
    ) -> Result<Self, BrokenLog> {
        let broken = |reason: String| BrokenLog { seq: 1, reason };
        if setup.v != VERSION {
            return Err(broken(format!("version {}, expected {VERSION}", setup.v)));
        }
        if setup.seats.len() != rules.players() {
            return Err(broken(format!("{} seats", setup.seats.len())));
        }
        // Older logs name leagues that several kinds of games shared.
        if let Some(league) = &mut setup.league
            && LEGACY_LEAGUES.contains(&league.as_str())
        {
            *league = kind(&rules).into();
        }
        let mut game = OnlineGame {
            id,
            seats: setup.seats.clone().into(),
            seats_seq: 1,
            started_seq: 0,
            clocks: setup.clock.map(|control| Box::new(Clocks::new(control, rules.players()))),
            setup: Arc::new(setup),
            rules,
            game: None,
            undo: None,
            away: Vec::new(),
            departures: Vec::new(),
            ending: None,
            line: Box::default(),
            rematch_offers: SeatSet::default(),
            rematch: None,
            seq: 1,
            state_seq: 1,
            state_at: at,
            created_at: at,
            updated_at: at,
            accepted: HashMap::default(),
        };
        game.start_if_complete(at).map_err(broken)?;
        Ok(game)
    }

    /// The id.
    #[must_use]
    pub fn id(&self) -> GameId {
        self.id
    }

    /// What the game was created with.
    #[must_use]
    pub fn setup(&self) -> &GameSetup {
        &self.setup
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The seats with their current holders, in seat order.
    #[must_use]
    pub fn seats(&self) -> &[SeatSetup] {
        &self.seats
    }

    /// The sequence number of the last event that changed the seats.
    pub(crate) fn seats_seq(&self) -> u32 {
        self.seats_seq
    }

    /// The game as `noughts_rules` has it, once it has started.
    #[must_use]
    pub fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// The clocks.
    #[must_use]
    pub fn clocks(&self) -> Option<&Clocks> {
        self.clocks.as_deref()
    }

    /// The sequence number of the last event.
    #[must_use]
    pub fn seq(&self) -> u32 {
        self.seq
    }

    /// The sequence number of the last event that commands depend on: a move, but not a disconnect.
    #[must_use]
    pub fn state_seq(&self) -> u32 {
        self.state_seq
    }

    /// When the game was created.
    #[must_use]
    pub fn created_at(&self) -> Millis {
        self.created_at
    }

    /// When the last event happened.
    #[must_use]
    pub fn updated_at(&self) -> Millis {
        self.updated_at
    }

    /// How the game ended.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The rematch, once everyone has agreed to one.
    #[must_use]
    pub fn rematch(&self) -> Option<GameId> {
        self.rematch
    }

    /// Where the game is in its life.
    #[must_use]
    pub fn phase(&self) -> GamePhase {
        match (&self.ending, &self.game) {
            (Some(_), _) => GamePhase::Finished,
            (None, Some(_)) => GamePhase::Live,
            (None, None) => GamePhase::Open,
        }
    }

    /// The seat to move.
    #[must_use]
    pub fn turn(&self) -> Option<Seat> {
        if self.ending.is_some() { None } else { self.game.as_ref()?.turn() }
    }

    /// The seat to move and its level, if it is a computer's.
    #[must_use]
    pub fn computer_to_move(&self) -> Option<(Seat, Level)> {
        let seat = self.turn()?;
        match self.seats[seat.index()].holder {
            SeatHolder::Computer { level } => Some((seat, level)),
            _ => None,
        }
    }

    /// When the seat to move runs out of time, or else when the game is abandoned.
    #[must_use]
    pub fn deadline(&self) -> Option<Millis> {
        let idle = self.state_at.saturating_add(self.setup.idle_ms);
        match (self.phase(), &self.clocks) {
            (GamePhase::Finished, _) => None,
            (GamePhase::Open, _) => {
                let open = self.setup.open_ms.map(|ms| self.state_at.saturating_add(ms));
                Some(open.unwrap_or(idle))
            }
            (GamePhase::Live, Some(clocks)) => {
                let clock = clocks.deadline(self.turn()?.index())?;
                Some(self.first_move_deadline().map_or(clock, |first| first.min(clock)))
            }
            (GamePhase::Live, None) => Some(idle),
        }
    }

    /// When the seat to move loses unless it has made its first move.
    #[must_use]
    pub fn first_move_deadline(&self) -> Option<Millis> {
        let limit = self.setup.first_move_ms?;
        self.turn().filter(|turn| !self.has_moved(*turn))?;
        Some(self.clocks()?.turn_began()?.saturating_add(limit))
    }

    /// Whether a seat has made a move that was not taken back.
    #[must_use]
    pub fn has_moved(&self, seat: Seat) -> bool {
        let mut actions = self.game.iter().flat_map(Game::history).skip(self.setup.moves.len());
        actions.any(|action| matches!(action, Action::Move { seat: mover, .. } if mover == seat))
    }

    /// When a server has to load the game by itself: at its deadline, or for a computer's move.
    #[must_use]
    pub fn wake_at(&self) -> Option<Millis> {
        let overdue = self.state_at.saturating_add(COMPUTER_OVERDUE_MS);
        let computer = self.computer_to_move().map(|_| overdue);
        self.deadline().into_iter().chain(computer).min()
    }

    /// Whether a player's absence matters: until the game is over, and after that for a rematch
    /// offer, if the rematch could cost an absent player time or rating.
    pub(crate) fn needs_players(&self) -> bool {
        let has_cost = self.setup.clock.is_some() || self.setup.league.is_some();
        let awaits_rematch = !self.rematch_offers.is_empty() && self.rematch.is_none();
        self.phase() != GamePhase::Finished || (has_cost && awaits_rematch)
    }

    /// The pending undo request. A game that has a rematch stays as it is.
    pub(super) fn undo_request(&self) -> Option<UndoState> {
        self.undo.filter(|_| self.rematch.is_none())
    }

    /// The seats an identity holds, in seat order.
    pub fn seats_of(&self, identity: IdentityId) -> impl Iterator<Item = Seat> + '_ {
        let holds = move |seat: &Seat| match &self.seats[seat.index()].holder {
            SeatHolder::Taken(player) => player.identity == identity,
            _ => false,
        };
        self.rules.seats().filter(holds)
    }

    /// The sequence number right after an identity's command with this key, if it was accepted.
    #[must_use]
    pub fn accepted_at(&self, identity: IdentityId, key: &IdempotencyKey) -> Option<u32> {
        self.accepted.get(&key_hash(identity, key)).copied()
    }

    /// Since when the player at a seat is away.
    #[must_use]
    pub fn away_since(&self, seat: Seat) -> Option<Millis> {
        self.away.iter().find(|(away, _)| *away == seat).map(|(_, since)| *since)
    }

    pub(super) fn count_departure(&mut self, seat: Seat, at: Millis) {
        match self.departures.iter_mut().find(|departures| departures.seat == seat) {
            Some(departures) => (departures.count, departures.last) = (departures.count + 1, at),
            None => self.departures.push(Departures { seat, count: 1, last: at }),
        }
    }

    /// The setup of the rematch: the player who moved second moves first.
    #[must_use]
    pub fn rematch_setup(&self) -> GameSetup {
        let mut seats = self.seats.to_vec();
        seats.rotate_left(1);
        let mut series = self.series();
        series.wins.rotate_left(1);
        GameSetup {
            seats,
            rematch_of: Some(self.id),
            series: Some(series),
            moves: Vec::new(),
            // Every seat is taken.
            open_ms: None,
            ..(*self.setup).clone()
        }
    }

    /// The score of the series including this game.
    fn series(&self) -> SeriesScore {
        let before = self.setup.series.clone();
        let none = || SeriesScore { wins: vec![0; self.seats.len()], draws: 0 };
        let mut series = before.unwrap_or_else(none);
        match self.ending.and_then(Ending::outcome) {
            Some(Outcome::Win(seat)) => {
                if let Some(wins) = series.wins.get_mut(seat.index()) {
                    *wins += 1;
                }
            }
            Some(Outcome::Draw) => series.draws += 1,
            None => {}
        }
        series
    }

    /// Whether one identity holds both seats.
    pub(super) fn have_same_player(&self, a: Seat, b: Seat) -> bool {
        let identity = |seat: Seat| match &self.seats[seat.index()].holder {
            SeatHolder::Taken(player) => Some(player.identity),
            _ => None,
        };
        identity(a).is_some() && identity(a) == identity(b)
    }
}

pub(super) fn key_hash(identity: IdentityId, key: &IdempotencyKey) -> u64 {
    let mut hasher = DefaultHasher::new();
    (identity, key).hash(&mut hasher);
    hasher.finish()
}
