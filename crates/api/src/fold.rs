//! Keeping a view up to date by the updates that follow it.

use noughts_rules::{Cell, Seat};

use crate::{Event, GamePhase, GameUpdate, GameView, UndoRequest};

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
        if let Some(clock) = &update.clock {
            self.clock = Some(clock.clone());
        }
        if let Some(players) = &update.players {
            self.players.clone_from(players);
        }
        for (index, cell) in update.opening.iter().enumerate() {
            let seat = Seat::new((index % self.players.len()) as u8);
            self.set(*cell, seat);
            self.moves.push(cell.to_string());
        }
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
            Event::Moved { seat, cell } => {
                self.set(*cell, Some(*seat));
                self.moves.push(cell.to_string());
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
                let undone = self.moves.split_off(usize::from(*to).min(self.moves.len()));
                // Resignations are never taken back.
                for cell in undone.iter().filter_map(|action| action.parse().ok()) {
                    self.set(cell, None);
                }
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

    fn set(&mut self, cell: Cell, seat: Option<Seat>) {
        let row = self.board.get_mut(usize::from(cell.row()));
        if let Some(place) = row.and_then(|row| row.get_mut(usize::from(cell.col()))) {
            *place = seat;
        }
    }

    fn offer_rematch(&mut self, seat: Seat) {
        if !self.rematch_offers.contains(&seat) {
            self.rematch_offers.push(seat);
            self.rematch_offers.sort_unstable();
        }
    }

    fn empty_cells(&self) -> Vec<Cell> {
        let cells = self.board.iter().enumerate().flat_map(|(row, cells)| {
            cells.iter().enumerate().filter(|(_, seat)| seat.is_none()).filter_map(
                move |(col, _)| Cell::new(u8::try_from(row).ok()?, u8::try_from(col).ok()?),
            )
        });
        cells.collect()
    }
}
