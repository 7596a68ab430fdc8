//! What the screen says about a position: the last turn, the line that decided, and what is due.

use noughts_rules::{Action, Cell, Game, Goal, OpeningStage, Rules, Shape, Zone};
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

/// The cells of the last turn: all of them if a turn has several stones.
pub(crate) fn last_cells(game: &Game) -> Vec<Cell> {
    let stones = usize::from(game.rules().parts().stones_per_turn);
    let Some(last) = game.history().next_back() else { return Vec::new() };
    let turn = game.history().rev().take(stones).take_while(|action| action.seat() == last.seat());
    turn.filter_map(Action::cell).collect()
}

/// The completed line in words.
pub(crate) fn line_words(rules: &Rules, cells: &[Cell]) -> String {
    if matches!(rules.shape(), Shape::Nested { .. }) {
        let mut boards: Vec<Zone> = cells.iter().filter_map(|&cell| rules.zone(cell)).collect();
        boards.sort_unstable();
        boards.dedup();
        let names: Vec<String> = boards.into_iter().map(|board| rules.zone_name(board)).collect();
        return format!("The boards: {}", names.join(" "));
    }
    let names: Vec<String> = cells.iter().map(ToString::to_string).collect();
    let loses = matches!(rules.parts().goal, Goal::Avoid | Goal::LastBoard);
    let whose = if loses { "The loser's line" } else { "The line" };
    format!("{whose}: {}", names.join(" "))
}
