//! The state of an online game, which changes by events alone.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use foldhash::fast::RandomState;
use noughts_rules::{Cell, Game, Outcome, Rules, Seat};

use super::setup::VERSION;
use super::{Clocks, CommandKey, Holder, Joining, Millis, SeatSetup, Series, Setup, Why};
use noughts_store::{GameId, IdentityId};

/// An online game at a point of its log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnlineGame {
    pub(super) id: GameId,
    pub(super) setup: Arc<Setup>,
    pub(super) rules: Rules,
    /// The setup's seats with who has joined since.
    pub(super) seats: Arc<[SeatSetup]>,
    /// The last event that changed them.
    pub(super) seated: u32,
    /// Once everyone is there.
    pub(super) game: Option<Game>,
    pub(super) clocks: Option<Box<Clocks>>,
    pub(super) undo: Option<UndoAsked>,
    /// Since when players are away; empty while nobody is.
    pub(super) away: Vec<(Seat, Millis)>,
    pub(super) ending: Option<Ending>,
    /// The cells of the line that ended it.
    pub(super) line: Box<[Cell]>,
    /// A bit for each seat that would play again.
    pub(super) again: u8,
    pub(super) next: Option<GameId>,
    /// The last event.
    pub(super) seq: u32,
    /// The last event that a sender must have seen.
    pub(super) touched: u32,
    pub(super) created_at: Millis,
    /// As the setup has it, which lies elsewhere in memory.
    idle_ms: i64,
    pub(super) touched_at: Millis,
    pub(super) last_at: Millis,
    /// The commands that were done: a hash of whose and the key, and the sequence after it.
    pub(super) keys: HashMap<u64, u32, RandomState>,
}

/// A question that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UndoAsked {
    pub(super) seat: Seat,
    pub(super) to: u16,
    /// A bit for each seat that agrees.
    pub(super) agreed: u8,
}

/// Much longer than a computer thinks, in milliseconds.
pub(crate) const THINKING: Millis = 10_000;

/// Where a game is in its life.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, utoipa::ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Waiting for players.
    Open,
    /// Being played.
    Live,
    /// Over.
    Over,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// By a line, or because the board is full.
    Board(Outcome),
    /// Because the others were out of the game, the last of them for this reason.
    Out(Seat, Why),
    /// Before it really began.
    Aborted,
    /// Because nobody touched it.
    Abandoned,
}

impl Ending {
    /// What the game counts as, if it counts.
    #[must_use]
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Ending::Board(outcome) => Some(outcome),
            Ending::Out(winner, _) => Some(Outcome::Win(winner)),
            Ending::Aborted | Ending::Abandoned => None,
        }
    }
}

/// Events that do not make a game: the log was damaged, or written by a later version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("event {seq} of the game can't follow what was before it: {reason}")]
pub struct BrokenLog {
    /// The sequence number of the event.
    pub seq: u32,
    /// What is wrong.
    pub reason: String,
}

impl OnlineGame {
    /// The game that this setup creates. `rules` are those that the setup's text stands for:
    /// the caller shares one value among many games, because its tables are large.
    pub fn create(id: GameId, rules: Rules, setup: Setup, at: Millis) -> Result<Self, BrokenLog> {
        let broken = |reason: String| BrokenLog { seq: 1, reason };
        if setup.v != VERSION {
            return Err(broken(format!("version {}, expected {VERSION}", setup.v)));
        }
        if setup.seats.len() != rules.players() {
            return Err(broken(format!("{} seats", setup.seats.len())));
        }
        let mut game = OnlineGame {
            id,
            seats: setup.seats.clone().into(),
            seated: 1,
            idle_ms: setup.idle_ms,
            clocks: setup.clock.map(|rule| Box::new(Clocks::new(rule, rules.players()))),
            setup: Arc::new(setup),
            rules,
            game: None,
            undo: None,
            away: Vec::new(),
            ending: None,
            line: Box::default(),
            again: 0,
            next: None,
            seq: 1,
            touched: 1,
            created_at: at,
            touched_at: at,
            last_at: at,
            keys: HashMap::default(),
        };
        game.begin_if_complete(at).map_err(broken)?;
        Ok(game)
    }

    /// The id.
    #[must_use]
    pub fn id(&self) -> GameId {
        self.id
    }

    /// What the game was created with.
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Who sits where, in seat order.
    #[must_use]
    pub fn seats(&self) -> &[SeatSetup] {
        &self.seats
    }

    /// The sequence number of the last event that changed who sits where.
    pub(crate) fn seated(&self) -> u32 {
        self.seated
    }

    /// The game as the rules know it, once it has begun.
    #[must_use]
    pub fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// The clocks, if there are any.
    #[must_use]
    pub fn clocks(&self) -> Option<&Clocks> {
        self.clocks.as_deref()
    }

    /// The sequence number of the last event.
    #[must_use]
    pub fn seq(&self) -> u32 {
        self.seq
    }

    /// The sequence number of the last event that a sender must have seen.
    #[must_use]
    pub fn touched(&self) -> u32 {
        self.touched
    }

    /// When it was created.
    #[must_use]
    pub fn created_at(&self) -> Millis {
        self.created_at
    }

    /// When the last event was.
    #[must_use]
    pub fn last_at(&self) -> Millis {
        self.last_at
    }

    /// How it ended, if it did.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The rematch, if there is one.
    #[must_use]
    pub fn next(&self) -> Option<GameId> {
        self.next
    }

    /// Where it is in its life.
    #[must_use]
    pub fn phase(&self) -> Phase {
        match (&self.ending, &self.game) {
            (Some(_), _) => Phase::Over,
            (None, Some(_)) => Phase::Live,
            (None, None) => Phase::Open,
        }
    }

    /// Whose turn it is while it is played.
    #[must_use]
    pub fn turn(&self) -> Option<Seat> {
        if self.ending.is_some() { None } else { self.game.as_ref()?.turn() }
    }

    /// The level of the computer whose turn it is.
    #[must_use]
    pub fn computer_to_move(&self) -> Option<(Seat, &str)> {
        let seat = self.turn()?;
        match &self.seats[seat.index()].holder {
            Holder::Computer { level } => Some((seat, level)),
            _ => None,
        }
    }

    /// When something becomes overdue if nobody does anything: a clock or the game itself.
    #[must_use]
    pub fn due(&self) -> Option<Millis> {
        let idle = self.touched_at.saturating_add(self.idle_ms);
        match (self.phase(), &self.clocks) {
            (Phase::Over, _) => None,
            (Phase::Open, _) => {
                Some(self.setup.open_ms.map_or(idle, |open| self.touched_at.saturating_add(open)))
            }
            (Phase::Live, Some(clocks)) => clocks.deadline(self.turn()?.index()),
            _ => Some(idle),
        }
    }

    /// When a server has to look at the game although nobody asks: something is overdue, or a
    /// computer should have moved.
    #[must_use]
    pub fn wake(&self) -> Option<Millis> {
        let computer = self.computer_to_move().map(|_| self.touched_at.saturating_add(THINKING));
        self.due().into_iter().chain(computer).min()
    }

    /// Whether it matters if players are there: until it is over, and then to whoever would play again,
    /// where the next game would cost them something without them.
    pub(crate) fn needs_players(&self) -> bool {
        let costs = self.setup.clock.is_some() || self.setup.league.is_some();
        self.phase() != Phase::Over || (costs && self.again != 0 && self.next.is_none())
    }

    /// The undo that is asked for. Nobody takes back what another game has followed.
    pub(super) fn undo_asked(&self) -> Option<UndoAsked> {
        self.undo.filter(|_| self.next.is_none())
    }

    /// The seats that an account holds, in seat order.
    pub fn seats_of(&self, account: IdentityId) -> impl Iterator<Item = Seat> + '_ {
        let held = move |seat: &Seat| match &self.seats[seat.index()].holder {
            Holder::Taken(joining) => joining.account == account,
            _ => false,
        };
        self.rules.seats().filter(held)
    }

    /// The sequence number after the command with this key of this account, if it was done.
    #[must_use]
    pub fn done(&self, account: IdentityId, key: &CommandKey) -> Option<u32> {
        self.keys.get(&hash(account, key)).copied()
    }

    /// Since when the player at a seat is away.
    #[must_use]
    pub fn away_since(&self, seat: Seat) -> Option<Millis> {
        self.away.iter().find(|(away, _)| *away == seat).map(|(_, since)| *since)
    }

    /// The setup of the next game between the same players: who moved second begins.
    #[must_use]
    pub fn rematch(&self) -> Setup {
        let mut seats = self.seats.to_vec();
        seats.rotate_left(1);
        let mut series = self.series();
        series.wins.rotate_left(1);
        Setup {
            seats,
            rematch_of: Some(self.id),
            series: Some(series),
            moves: Vec::new(),
            // Everybody is there already.
            open_ms: None,
            ..(*self.setup).clone()
        }
    }

    /// How this game and the ones before it ended.
    fn series(&self) -> Series {
        let before = self.setup.series.clone();
        let none = || Series { wins: vec![0; self.seats.len()], draws: 0 };
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

    /// Whether two seats are of one account.
    pub(super) fn is_same_person(&self, a: Seat, b: Seat) -> bool {
        let account = |seat: Seat| match &self.seats[seat.index()].holder {
            Holder::Taken(Joining { account, .. }) => Some(*account),
            _ => None,
        };
        account(a).is_some() && account(a) == account(b)
    }
}

pub(super) fn hash(account: IdentityId, key: &CommandKey) -> u64 {
    let mut hasher = DefaultHasher::new();
    account.hash(&mut hasher);
    key.as_str().hash(&mut hasher);
    hasher.finish()
}
