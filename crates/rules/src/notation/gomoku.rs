//! What the file formats of gomoku programs have in common.

use crate::{Game, Player, Rules, RulesError, RulesParts, Seat, Symbol};

/// The rules are not gomoku: the format has no way to write them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{rules} is not gomoku: expected five in a row for two players without misere, gravity or wrap"
)]
pub struct NotGomoku {
    rules: Rules,
}

/// Gomoku on a board of this size; exact where more than five do not win.
pub(super) fn rules(rows: u8, cols: u8, exact: bool) -> Result<Rules, RulesError> {
    RulesParts { rows, cols, k: Some(5), exact, ..RulesParts::default() }.build()
}

/// Refuses games of other rules.
pub(super) fn check(game: &Game) -> Result<(), NotGomoku> {
    let RulesParts { players, misere, gravity, wrap, .. } = game.rules().parts();
    if game.rules().k() == 5 && players == 2 && !misere && !gravity && !wrap {
        Ok(())
    } else {
        Err(NotGomoku { rules: game.rules().clone() })
    }
}

/// A new game between two names from a file; one that is no name here becomes the default.
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

/// What a rule's name says: whether more than five win, or `None` where the rule is another game.
pub(super) fn is_exact(name: &str) -> Option<bool> {
    let name = name.to_ascii_lowercase();
    if name.contains("renju") || name.contains("caro") {
        None
    } else {
        Some(name.contains("standard") || name.contains("exact"))
    }
}

/// The name that [`is_exact`] reads.
pub(super) fn rule_name(rules: &Rules) -> &'static str {
    if rules.exact() { "Standard" } else { "Freestyle" }
}

/// Ends a game that a file says was won although nobody has five: the other player gave it up.
pub(super) fn give_up(game: &mut Game, winner: Option<Seat>) {
    if let (Some(winner), Some(_)) = (winner, game.turn()) {
        // Both seats are in the game, so this is not refused.
        let _ = game.resign(Seat::of_game(1 - winner.index() as u8));
    }
}
