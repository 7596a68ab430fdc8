//! Checking what a game is created with, and naming its players.

use noughts_api::{GameSetup, SeatHolder, SeatSetup};
use noughts_rules::{Player, Position, Rules, Seat, Symbol};

use super::Refusal;

/// The version of the events that this program writes.
pub(super) const VERSION: u8 = 1;

/// Checks whether a game can start from a setup. `rules` are those of its text.
pub fn check_setup(setup: &GameSetup, rules: &Rules) -> Result<(), Refusal> {
    if setup.seats.len() != rules.players() {
        let (expected, got) = (rules.players(), setup.seats.len());
        return Err(Refusal::SeatCount { expected, got });
    }
    if setup.clock.is_some_and(|clock| !clock.is_valid()) {
        return Err(Refusal::TimeControl);
    }
    for (i, seat) in setup.seats.iter().enumerate() {
        let is_same = |other: &SeatSetup| match (&seat.holder, &other.holder) {
            (SeatHolder::Computer { level }, SeatHolder::Computer { level: other }) => {
                level == other
            }
            (one, other) => one.identity().is_some() && one.identity() == other.identity(),
        };
        let is_repeated = setup.seats[..i].iter().any(is_same);
        if setup.league.is_some() && is_repeated {
            return Err(Refusal::RatedAgainstOneself);
        }
        if is_repeated && matches!(seat.holder, SeatHolder::Invited { .. }) {
            return Err(Refusal::InvitedTwice);
        }
    }
    let mut position = Position::new(rules);
    for mv in &setup.moves {
        position.play(*mv)?;
    }
    if position.outcome().is_some() {
        return Err(Refusal::GameOver);
    }
    // Free seats get default names, which are always valid.
    players(rules, &setup.seats)?;
    Ok(())
}

/// The name shown for the holder of a seat.
pub(super) fn display_name(holder: &SeatHolder, seat: Seat) -> String {
    match holder {
        SeatHolder::Open => Player::default_for(seat).name().to_string(),
        SeatHolder::Invited { name, .. } => name.clone(),
        SeatHolder::Taken(player) => player.name.clone(),
        SeatHolder::Computer { level } => format!("Computer ({level})"),
    }
}

/// The players as `noughts_rules` has them.
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
        let name = display_name(&setup.holder, seat);
        let player = Player::new(&name, symbol).map_err(Refusal::Name)?;
        if let Some(first) = players.iter().position(|other| other.symbol() == player.symbol()) {
            return Err(Refusal::SameSymbol { first: first + 1, second: seat.index() + 1 });
        }
        players.push(player);
    }
    Ok(players)
}

/// The seat's default symbol, or another default if somebody has chosen that one.
fn free_symbol(seat: Seat, earlier: &[Player], chosen: &[Option<Symbol>]) -> Symbol {
    let is_free = |symbol: &Symbol| {
        !chosen.iter().flatten().any(|other| other == symbol)
            && !earlier.iter().any(|player| player.symbol() == symbol)
    };
    let own = Symbol::default_for(seat);
    let mut others = (0..8).filter_map(Seat::new).map(Symbol::default_for);
    if is_free(&own) { own } else { others.find(is_free).unwrap_or(own) }
}
