//! What a game is created with, and who sits where.

use noughts_engine::PlayerKind;
use noughts_rules::{Player, Position, Rules, Seat, Symbol};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{ClockRule, Refusal, StoredCell};
use noughts_store::{GameId, Identity, IdentityId};

/// What a game is created with: the first event of every log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// The version of the events in this log.
    pub v: u8,
    /// The text form of the rules.
    pub rules: String,
    /// Who may sit where, in seat order.
    pub seats: Vec<SeatSetup>,
    /// The league in which the game counts; casual games have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub league: Option<String>,
    /// The clocks, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockRule>,
    /// Whether everyone finds the game in lists.
    pub public: bool,
    /// Who made it.
    pub creator: IdentityId,
    /// How long a player may stay away before the others can claim the game.
    pub away_ms: i64,
    /// How long nobody needs to touch the game until it is abandoned.
    pub idle_ms: i64,
    /// The same while it waits for players, if it ever does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_ms: Option<i64>,
    /// The game after which this is the rematch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch_of: Option<GameId>,
    /// How the games before it ended, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<Series>,
    /// Moves that are made when the game begins: it is played on from a position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<StoredCell>,
}

/// How the games of a chain of rematches ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Series {
    /// Games won, in seat order.
    pub wins: Vec<u32>,
    /// Games that nobody won.
    pub draws: u32,
}

/// One seat of a game that is created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatSetup {
    /// Who may sit there.
    #[serde(flatten)]
    pub holder: Holder,
    /// What their cells show, if it is not the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
}

/// Whose a seat is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "held", rename_all = "snake_case")]
pub enum Holder {
    /// Nobody's yet; whoever comes first.
    Open,
    /// Nobody's yet; waiting for the account with this name.
    Invited {
        /// Who is waited for.
        account: IdentityId,
        /// Their name.
        name: String,
    },
    /// A person's or a program's.
    Taken(Joining),
    /// A computer player's.
    Computer {
        /// Its level, such as `hard`.
        level: String,
    },
}

/// Who sits down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joining {
    /// Who they are.
    pub account: IdentityId,
    /// The name that the others see.
    pub name: String,
    /// What kind of player they are.
    pub kind: PlayerType,
}

impl Joining {
    /// Someone with a name of their own.
    #[must_use]
    pub fn named(identity: &Identity) -> Joining {
        Joining { account: identity.id, name: identity.name.clone(), kind: PlayerType::Named }
    }
}

/// What kind of player someone is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlayerType {
    /// A person without a name of their own.
    Guest,
    /// A person with a name and a password.
    Named,
    /// A program of someone's.
    Bot,
    /// A computer player of the server.
    Computer,
}

/// The version that this program writes.
pub(super) const VERSION: u8 = 1;

impl Setup {
    /// Whether a game can begin with this, before anything is stored. `rules` are those that the
    /// text stands for.
    pub fn check(&self, rules: &Rules) -> Result<(), Refusal> {
        if self.seats.len() != rules.players() {
            let (expected, got) = (rules.players(), self.seats.len());
            return Err(Refusal::SeatCount { expected, got });
        }
        if self.clock.is_some_and(|clock| !clock.is_sensible()) {
            return Err(Refusal::ClockRule);
        }
        for (i, seat) in self.seats.iter().enumerate() {
            if let Holder::Computer { level } = &seat.holder {
                computer(level)?;
            }
            let twice = |other: &SeatSetup| match (&seat.holder, &other.holder) {
                (Holder::Computer { level }, Holder::Computer { level: other }) => level == other,
                (one, other) => one.account().is_some() && one.account() == other.account(),
            };
            let is_twice = self.seats[..i].iter().any(twice);
            if self.league.is_some() && is_twice {
                return Err(Refusal::RatedAgainstOneself);
            }
            if is_twice && matches!(seat.holder, Holder::Invited { .. }) {
                return Err(Refusal::InvitedTwice);
            }
        }
        let mut position = Position::new(rules);
        for cell in &self.moves {
            position.play(cell.0)?;
        }
        if position.outcome().is_some() {
            return Err(Refusal::GameOver);
        }
        // Seats that are still free get names that fit for certain.
        players(rules, &self.seats)?;
        Ok(())
    }
}

impl Holder {
    /// The account that the seat belongs to or waits for.
    #[must_use]
    pub fn account(&self) -> Option<IdentityId> {
        match self {
            Holder::Taken(joining) => Some(joining.account),
            Holder::Invited { account, .. } => Some(*account),
            Holder::Open | Holder::Computer { .. } => None,
        }
    }

    /// Whether someone sits there.
    #[must_use]
    pub fn is_seated(&self) -> bool {
        matches!(self, Holder::Taken(_) | Holder::Computer { .. })
    }

    pub(super) fn name(&self, seat: Seat) -> String {
        match self {
            Holder::Open => Player::default_for(seat).name().to_string(),
            Holder::Invited { name, .. } => name.clone(),
            Holder::Taken(joining) => joining.name.clone(),
            Holder::Computer { level } => format!("Computer ({level})"),
        }
    }
}

/// The kind of a computer player. Engines are programs of whoever runs the server, so nobody may
/// name one over the network.
pub(crate) fn computer(level: &str) -> Result<PlayerKind, Refusal> {
    let known = PlayerKind::computers().find(|kind| kind.to_string() == level);
    known.ok_or_else(|| Refusal::UnknownLevel(level.chars().take(40).collect()))
}

/// The players as the rules know them.
pub(super) fn players(rules: &Rules, seats: &[SeatSetup]) -> Result<Vec<Player>, Refusal> {
    let mut players: Vec<Player> = Vec::with_capacity(seats.len());
    let chosen = seats.iter().map(|seat| match &seat.symbol {
        Some(text) => text.parse::<Symbol>().map(Some).map_err(Refusal::Symbol),
        None => Ok(None),
    });
    let chosen: Vec<Option<Symbol>> = chosen.collect::<Result<_, _>>()?;
    for (seat, setup) in rules.seats().zip(seats) {
        let symbol = match &chosen[seat.index()] {
            Some(symbol) => symbol.clone(),
            None => free_symbol(seat, &players, &chosen),
        };
        let player = Player::new(&setup.holder.name(seat), symbol).map_err(Refusal::Name)?;
        if let Some(first) = players.iter().position(|other| other.symbol() == player.symbol()) {
            return Err(Refusal::SameSymbol { first: first + 1, second: seat.index() + 1 });
        }
        players.push(player);
    }
    Ok(players)
}

/// The seat's own default, or another where someone has chosen that.
fn free_symbol(seat: Seat, earlier: &[Player], chosen: &[Option<Symbol>]) -> Symbol {
    let is_free = |symbol: &Symbol| {
        !chosen.iter().flatten().any(|other| other == symbol)
            && !earlier.iter().any(|player| player.symbol() == symbol)
    };
    let own = Symbol::default_for(seat);
    let mut others = (0..8).filter_map(Seat::new).map(Symbol::default_for);
    if is_free(&own) { own } else { others.find(is_free).unwrap_or(own) }
}
