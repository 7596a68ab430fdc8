//! External engines, tried before they play.

use anyhow::anyhow;
use noughts_engine::{Budget, PlayerKind};
use noughts_rules::Position;

use crate::failure::Failure;

/// Refuses an engine that can't be started or does not know the game: it would forfeit every game.
pub(crate) fn check(kinds: &[PlayerKind], start: &Position) -> Result<(), Failure> {
    for kind in kinds {
        let Some(mut player) = kind.strategy(0) else { continue };
        player
            .prepare(start, &Budget::unlimited())
            .map_err(|error| Failure::malformed(anyhow!("{kind} can't play: {error}")))?;
    }
    Ok(())
}

/// Parses a player who needs no asking.
pub(crate) fn computer(text: &str) -> Result<PlayerKind, String> {
    match text.parse::<PlayerKind>() {
        Ok(kind) if kind.is_human() => Err("a person can't play here".into()),
        Ok(kind) => Ok(kind),
        Err(error) => Err(error.to_string().replace("human, ", "")),
    }
}
