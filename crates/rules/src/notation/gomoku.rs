//! Shared by the file formats of gomoku programs.

use crate::{Game, Player, Rules, RulesError, RulesParts, Seat, Symbol};

/// The rules are not gomoku, so the format cannot express them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{rules} is not gomoku: expected five in a row for two players without misere, gravity or wrap"
)]
pub struct NotGomoku {
    rules: Rules,
}

/// Gomoku on a board of this size.
pub(super) fn rules(rows: u8, cols: u8, exact: bool) -> Result<Rules, RulesError> {
    RulesParts { rows, cols, k: Some(5), exact, ..RulesParts::default() }.build()
}

/// Checks that the game is gomoku.
pub(super) fn check(game: &Game) -> Result<(), NotGomoku> {
    let RulesParts { players, misere, gravity, wrap, .. } = game.rules().parts();
    if game.rules().k() == 5 && players == 2 && !misere && !gravity && !wrap {
        Ok(())
    } else {
        Err(NotGomoku { rules: game.rules().clone() })
    }
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

/// Whether the rule with this name is `exact`; `None` if it is not gomoku.
pub(super) fn is_exact(name: &str) -> Option<bool> {
    let name = name.to_ascii_lowercase();
    if name.contains("renju") || name.contains("caro") {
        None
    } else {
        Some(name.contains("standard") || name.contains("exact"))
    }
}

/// The rule name in a file, see [`is_exact`].
pub(super) fn rule_name(rules: &Rules) -> &'static str {
    if rules.exact() { "Standard" } else { "Freestyle" }
}

/// If the file names a winner but nobody has five, the other player resigned.
pub(super) fn resign_loser(game: &mut Game, winner: Option<Seat>) {
    if let (Some(winner), Some(_)) = (winner, game.turn()) {
        // Both seats are in the game, so this is not refused.
        let _ = game.resign(Seat::from_index(1 - winner.index() as u8));
    }
}
