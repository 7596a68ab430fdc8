//! What a player needs to know about the turn besides whose it is.

use noughts_rules::{Game, OpeningStage, Shape};
use ratatui::text::Line;

use super::theme::{TextRole, Theme};

/// Lines about the opening, the stones of the turn, the board to play and the mark that disappears.
pub(crate) fn turn_notes(game: &Game, theme: Theme) -> Vec<Line<'static>> {
    let (rules, position) = (game.rules(), game.position());
    if game.turn().is_none() {
        return Vec::new();
    }
    let mut notes = Vec::new();
    let stones = |count: u8| if count == 1 { "1 stone".into() } else { format!("{count} stones") };
    let left = position.stones_left();
    match (position.opening_stage(), position.mark_to_place()) {
        (OpeningStage::Place | OpeningStage::PlaceMore, Some(mark)) => {
            notes.push(format!("Opening: place {}", game.mark_symbol(mark)));
        }
        (OpeningStage::Done, _) if rules.parts().stones_per_turn > 1 => {
            notes.push(format!("{} left in this turn", stones(left)));
        }
        _ => {}
    }
    if let Some(board) = position.board_to_play() {
        notes.push(format!("Play in board {}", rules.zone_name(board)));
    } else if matches!(rules.shape(), Shape::Nested { .. }) {
        notes.push("Play in any open board".into());
    }
    if let Some(cell) = position.fading_cell() {
        notes.push(format!("{cell} disappears next"));
    }
    notes.into_iter().map(|note| Line::styled(note, theme.role(TextRole::Even))).collect()
}
