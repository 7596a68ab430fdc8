//! Keeping a view up to date by the updates that follow it.

use noughts_rules::{Cell, Move, Seat};

use crate::{CellChange, Event, GamePhase, GameUpdate, GameView, UndoRequest};

impl GameView {
    /// Applies the next update. The result is what the server would show after it.
    ///
    /// `fixtures/` beside this crate's sources holds this fold, the server's and the web page's to the
    /// same results.
    pub fn apply(&mut self, update: &GameUpdate) {
        self.seq = update.seq;
        self.updated_at = update.at;
        self.phase = update.phase;
        self.turn = update.turn;
        self.result.clone_from(&update.result);
        if let Some(ratings) = &update.ratings {
            self.ratings = Some(ratings.clone());
        }
        if let Some(clock) = &update.clock {
            self.clock = Some(clock.clone());
        }
        if let Some(players) = &update.players {
            self.players.clone_from(players);
        }
        if let Some(details) = &update.details {
            self.details.clone_from(details);
        }
        update.cells.iter().for_each(|change| self.set(change));
        self.moves.extend(update.opening.iter().map(Move::to_string));
        self.apply_event(update);
        if let Some(seat) = update.event.actor()
            && !matches!(update.event, Event::Left { .. })
            && let Some(player) = self.players.get_mut(seat.index())
        {
            player.away_since = None;
        }
        self.legal = match &update.legal {
            _ if self.phase != GamePhase::Live => Vec::new(),
            Some(legal) => legal.clone(),
            None => self.empty_cells(),
        };
    }

    fn apply_event(&mut self, update: &GameUpdate) {
        match &update.event {
            Event::Joined { seat, player, .. } => {
                if self.viewer == Some(player.identity) {
                    self.your_seats.push(*seat);
                    self.your_seats.sort_unstable();
                }
            }
            Event::Moved { mv, .. } => {
                self.moves.push(mv.to_string());
                self.undo_request = None;
            }
            Event::UndoRequested { seat, to } => {
                self.undo_request =
                    Some(UndoRequest { seat: *seat, to: *to, accepted: Vec::new() });
            }
            Event::UndoAccepted { seat } => {
                if let Some(undo) = &mut self.undo_request {
                    undo.accepted.push(*seat);
                    undo.accepted.sort_unstable();
                }
            }
            Event::UndoDeclined { .. } => self.undo_request = None,
            Event::Undone { to, .. } => {
                self.moves.truncate((*to).into());
                self.undo_request = None;
                self.rematch_offers.clear();
            }
            Event::Eliminated { seat, .. } => {
                self.moves.push(format!("resign:{seat}"));
                if let Some(player) = self.players.get_mut(seat.index()) {
                    player.out = true;
                }
                self.undo_request = None;
            }
            Event::Aborted { .. } | Event::Abandoned => self.undo_request = None,
            Event::Left { seat } => {
                if let Some(player) = self.players.get_mut(seat.index()) {
                    player.away_since = Some(update.at);
                }
            }
            Event::ClockHeld { ms } => {
                let away = self.players.iter_mut().filter_map(|player| player.away_since.as_mut());
                away.for_each(|since| *since = since.saturating_add(*ms));
            }
            Event::RematchOffered { seat } => self.offer_rematch(*seat),
            Event::RematchWithdrawn { seat } => self.rematch_offers.retain(|other| other != seat),
            Event::RematchStarted { seat, game } => {
                self.offer_rematch(*seat);
                self.rematch = Some(*game);
                // Nobody takes back a move of a game that another one has followed.
                self.undo_request = None;
            }
            Event::Created(_) | Event::Returned { .. } | Event::Renamed { .. } => {}
        }
    }

    fn set(&mut self, change: &CellChange) {
        let [level, row, col] =
            [change.cell.level(), change.cell.row(), change.cell.col()].map(usize::from);
        let row = self.board.get_mut(level).and_then(|level| level.get_mut(row));
        if let Some(place) = row.and_then(|row| row.get_mut(col)) {
            *place = change.mark;
        }
    }

    fn offer_rematch(&mut self, seat: Seat) {
        if !self.rematch_offers.contains(&seat) {
            self.rematch_offers.push(seat);
            self.rematch_offers.sort_unstable();
        }
    }

    fn empty_cells(&self) -> Vec<Move> {
        let mut empty = Vec::new();
        for (level, rows) in (0..).zip(&self.board) {
            for (row, cells) in (0..).zip(rows) {
                let free = (0..).zip(cells).filter(|(_, mark)| mark.is_none());
                empty.extend(free.filter_map(|(col, _)| Cell::in_space(level, row, col)));
            }
        }
        empty.into_iter().map(Move::from).collect()
    }
}
