//! Shared by the file formats of gomoku programs.

use crate::{Game, Opening, Player, Rules, RulesError, RulesParts, Seat, Symbol};

/// Why the formats of gomoku programs can't express a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotGomoku {
    /// The game has other rules.
    #[error(
        "{rules} is not gomoku: expected five in a row for two players on a flat board, with exact or renju at most"
    )]
    Rules {
        /// Its rules.
        rules: Rules,
    },
    /// The game did not begin with an empty board.
    #[error("expected a game from the empty board")]
    Start,
}

/// The rules of gomoku that files name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    Freestyle,
    Standard,
    Renju,
}

impl Rule {
    /// The rule with this name; `None` if it is not supported.
    pub(super) fn named(name: &str) -> Option<Rule> {
        let name = name.to_ascii_lowercase();
        if name.contains("caro") {
            None
        } else if name.contains("renju") {
            Some(Rule::Renju)
        } else if name.contains("standard") || name.contains("exact") {
            Some(Rule::Standard)
        } else {
            Some(Rule::Freestyle)
        }
    }

    fn of(rules: &Rules) -> Rule {
        if rules.parts().renju {
            Rule::Renju
        } else if rules.exact() {
            Rule::Standard
        } else {
            Rule::Freestyle
        }
    }

    /// These rules on a board of this size.
    pub(super) fn on_board(self, rows: u8, cols: u8) -> Result<Rules, RulesError> {
        let parts = RulesParts::grid(rows, cols).k(5);
        parts.exact(self == Rule::Standard).renju(self == Rule::Renju).build()
    }
}

/// Checks that the game is gomoku.
pub(super) fn check(game: &Game) -> Result<(), NotGomoku> {
    let rules = game.rules();
    let parts = rules.parts();
    let is_flat_line_game =
        rules.is_plain() || (rules.is_line_game() && parts.renju && parts.opening == Opening::Free);
    let is_restricted = rules.misere() || rules.gravity() || rules.wrap();
    if !is_flat_line_game || rules.k() != 5 || rules.players() != 2 || is_restricted {
        return Err(NotGomoku::Rules { rules: rules.clone() });
    }
    if game.start().stone_count() > 0 { Err(NotGomoku::Start) } else { Ok(()) }
}

/// A new game between two names from a file. Invalid names are replaced by the default.
pub(super) fn game(rules: &Rules, names: [Option<&str>; 2]) -> Game {
    let players: Vec<Player> = rules
        .seats()
        .zip(names)
        .map(|(seat, name)| {
            let named = name.and_then(|name| Player::new(name, Symbol::default_for(seat)).ok());
            named.unwrap_or_else(|| Player::default_for(seat))
        })
        .collect();
    Game::new(rules, players).unwrap_or_else(|_| Game::with_default_players(rules))
}

/// The name of the rule in a file.
pub(super) fn rule_name(rules: &Rules) -> &'static str {
    match Rule::of(rules) {
        Rule::Freestyle => "Freestyle",
        Rule::Standard => "Standard",
        Rule::Renju => "Renju",
    }
}

/// If the file names a winner but nobody has five, the other player resigned.
pub(super) fn resign_loser(game: &mut Game, winner: Option<Seat>) {
    if let (Some(winner), Some(_)) = (winner, game.turn()) {
        // Both seats are in the game, so this is not refused.
        let _ = game.resign(Seat::from_index(1 - winner.index() as u8));
    }
}
