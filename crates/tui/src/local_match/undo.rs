//! Taking moves back, making them again, and swapping sides.

use std::time::Instant;

use noughts_engine::Decision;
use noughts_rules::Action;

use super::LocalMatch;

impl LocalMatch {
    /// Undoes the last move of a person and the computers' replies to it.
    pub(crate) fn undo(&mut self, now: Instant) -> Result<(), String> {
        self.check_undo()?;
        let history: Vec<Action> = self.game.history().collect();
        // Redo comes back to these times.
        if let (Some(clock), Some(left)) = (&self.clock, self.clock_log.get_mut(history.len())) {
            *left = clock.all_left(now);
        }
        let (game, mut observer) = self.game_and_observer(now);
        let Ok(()) = noughts_engine::undo_to_person(game, &mut observer);
        self.undone.splice(..0, history[self.game.history().len()..].iter().copied());
        self.restore_clocks();
        self.start_turn(None, now);
        Ok(())
    }

    pub(crate) fn check_undo(&self) -> Result<(), String> {
        self.series.check_undo(&self.game).map_err(|refusal| refusal.to_string())?;
        if self.flag_fell && self.game.turn().is_none() {
            return Err("The game ended on time: its result is final.".into());
        }
        Ok(())
    }

    /// Redoes actions up to the next turn of a person.
    pub(crate) fn redo(&mut self, now: Instant) -> Result<(), String> {
        if self.undone.is_empty() {
            return Err("There is no move to do again.".into());
        }
        while !self.undone.is_empty() {
            let action = self.undone.remove(0);
            let decision = match action {
                Action::Move { mv, .. } => Decision::Move(mv),
                Action::Resign { .. } => Decision::Resign,
            };
            self.apply(decision, now);
            self.restore_clocks();
            if self.person_to_move().is_some() {
                break;
            }
        }
        self.start_turn(None, now);
        Ok(())
    }

    /// Sets the clocks to the times that they showed in this position.
    pub(super) fn restore_clocks(&mut self) {
        if let (Some(clock), Some(left)) =
            (&mut self.clock, self.clock_log.get(self.game.history().len()))
        {
            clock.set_left(left);
        }
    }

    /// Swaps the players' seats in the position on the board.
    pub(crate) fn swap_sides(&mut self, now: Instant) -> Result<(), String> {
        if self.game.turn().is_none() {
            return Err("The game is over.".into());
        }
        let begun = self.series.start().history().len();
        let history: Vec<Action> = self.game.history().skip(begun).collect();
        if !history.is_empty() && self.series.is_rated() {
            return Err("This game is rated: sides can't be swapped any more.".into());
        }
        self.series.swap_sides();
        self.game = self.series.new_game();
        for action in history {
            let replayed = match action {
                Action::Move { seat, mv } => self.game.play(seat, mv),
                Action::Resign { seat } => self.game.resign(seat),
            };
            debug_assert!(replayed.is_ok(), "the same moves by the same rules");
        }
        self.save(now);
        self.start_turn(None, now);
        Ok(())
    }
}
