//! How events change the state of a game.

use noughts_api::{Event, IdempotencyKey, IdentityId, Millis, Participant, SeatHolder, SeatSetup};
use noughts_rules::{Action, Cell, Event as RulesEvent, Game, Move, Outcome, Seat, Status};

use super::online_game::{SeatSet, UndoState, key_hash};
use super::setup::players;
use super::{BrokenLog, Ending, OnlineGame};

impl OnlineGame {
    /// Applies the next event, and returns the cells that it changed. `key` is the idempotency key of
    /// the command it came from, with the identity of its sender.
    pub fn apply(
        &mut self,
        event: &Event,
        at: Millis,
        key: Option<(IdentityId, &IdempotencyKey)>,
    ) -> Result<Vec<Cell>, BrokenLog> {
        let seq = self.seq + 1;
        let changed = self.apply_event(event, at).map_err(|reason| BrokenLog { seq, reason })?;
        self.seq = seq;
        self.updated_at = at;
        if changes_state(event) {
            self.state_seq = seq;
            self.state_at = at;
        }
        if let Some(seat) = event.actor()
            && !matches!(event, Event::Left { .. })
        {
            self.away.retain(|(away, _)| *away != seat);
        }
        if let Some((identity, key)) = key {
            // Of several events, the last one counts.
            self.accepted.insert(key_hash(identity, key), seq);
        }
        Ok(changed)
    }

    fn apply_event(&mut self, event: &Event, at: Millis) -> Result<Vec<Cell>, String> {
        match event {
            Event::Created(_) => return Err("the game exists already".into()),
            Event::Joined { seat, player, symbol } => {
                self.take_seat(*seat, player, symbol.as_ref(), at)?;
            }
            Event::Moved { seat, mv } => return self.play(*seat, *mv, at),
            Event::Eliminated { seat, reason } => {
                let game = self.playing()?;
                let had_turn = game.turn() == Some(*seat);
                game.resign(*seat).map_err(text)?;
                let outcome = game.position().outcome();
                self.undo = None;
                if had_turn {
                    self.end_turn(*seat, false, at);
                }
                if let Some(Outcome::Win(winner)) = outcome {
                    self.end(Ending::Eliminated { winner, last_exit: *reason });
                }
            }
            Event::UndoRequested { seat, to } => {
                self.started()?;
                self.undo = Some(UndoState { seat: *seat, to: *to, accepted: SeatSet::default() });
            }
            Event::UndoAccepted { seat } => {
                let undo = self.undo.as_mut().ok_or("there is no undo request")?;
                undo.accepted.insert(*seat);
            }
            Event::UndoDeclined { .. } => {
                self.undo.take().ok_or("there is no undo request")?;
            }
            Event::Undone { to, .. } => return self.undo_to(usize::from(*to), at),
            Event::Aborted { .. } => self.end(Ending::Aborted),
            Event::Abandoned => self.end(Ending::Abandoned),
            Event::Left { seat } => {
                self.away.push((*seat, at));
                self.count_departure(*seat, at);
            }
            // `apply` ends the absence, as for every event of a seat.
            Event::Returned { .. } => {}
            Event::Renamed { seat, player } => self.rename_player(*seat, player)?,
            Event::ClockHeld { ms } => {
                self.clocks.iter_mut().for_each(|clocks| clocks.hold(*ms));
                // Nobody could reconnect either.
                self.away.iter_mut().for_each(|(_, since)| *since = since.saturating_add(*ms));
            }
            Event::RematchOffered { seat } => self.rematch_offers.insert(*seat),
            Event::RematchWithdrawn { seat } => self.rematch_offers.remove(*seat),
            Event::RematchStarted { seat, game } => {
                self.rematch_offers.insert(*seat);
                self.rematch = Some(*game);
            }
        }
        Ok(Vec::new())
    }

    fn play(&mut self, seat: Seat, mv: Move, at: Millis) -> Result<Vec<Cell>, String> {
        let game = self.playing()?;
        let effects = game.play(seat, mv).map_err(text)?;
        let goes_on = game.turn() == Some(seat);
        self.undo = None;
        // The clock of a turn with several stones runs on.
        if !goes_on {
            self.end_turn(seat, true, at);
        }
        let changed = effects.iter().filter_map(|effect| match effect {
            RulesEvent::Moved { mv, .. } => mv.cell(),
            RulesEvent::Faded { cell, .. } => Some(*cell),
            _ => None,
        });
        Ok(changed.collect())
    }

    fn take_seat(
        &mut self,
        seat: Seat,
        player: &Participant,
        symbol: Option<&String>,
        at: Millis,
    ) -> Result<(), String> {
        let mut seats = self.seats.to_vec();
        let place = seats.get_mut(seat.index()).ok_or("there is no such seat")?;
        if place.holder.is_seated() || self.ending.is_some() {
            return Err("the seat is not free".into());
        }
        place.holder = SeatHolder::Taken(player.clone());
        if symbol.is_some() {
            place.symbol = symbol.cloned();
        }
        self.set_seats(seats);
        self.start_if_complete(at)
    }

    /// Replays the game with the new name: `Game` has no other way to change one.
    fn rename_player(&mut self, seat: Seat, player: &Participant) -> Result<(), String> {
        let mut seats = self.seats.to_vec();
        let place = seats.get_mut(seat.index()).ok_or("there is no such seat")?;
        place.holder = SeatHolder::Taken(player.clone());
        if let Some(game) = &mut self.game {
            let players = players(&self.rules, &seats).map_err(text)?;
            let mut renamed = Game::new(&self.rules, players).map_err(text)?;
            for action in game.history() {
                match action {
                    Action::Move { seat, mv } => renamed.play(seat, mv).map_err(text)?,
                    Action::Resign { seat } => renamed.resign(seat).map_err(text)?,
                };
            }
            *game = renamed;
        }
        self.set_seats(seats);
        Ok(())
    }

    fn set_seats(&mut self, seats: Vec<SeatSetup>) {
        self.seats = seats.into();
        self.seats_seq = self.seq + 1;
    }

    pub(super) fn start_if_complete(&mut self, at: Millis) -> Result<(), String> {
        if self.seats.iter().all(|seat| seat.holder.is_seated()) {
            let players = players(&self.rules, &self.seats).map_err(text)?;
            let mut game = Game::new(&self.rules, players).map_err(text)?;
            for mv in &self.setup.moves {
                let turn = game.turn().ok_or("the opening moves end the game")?;
                game.play(turn, *mv).map_err(text)?;
            }
            self.game = Some(game);
            self.started_seq = self.seats_seq;
            self.clocks.iter_mut().for_each(|clocks| clocks.start(at));
            // Absence counts from the start of the game.
            self.away.iter_mut().for_each(|(_, since)| *since = at);
        }
        Ok(())
    }

    fn playing(&mut self) -> Result<&mut Game, String> {
        if self.ending.is_some() {
            return Err("the game is over".into());
        }
        self.started()
    }

    fn started(&mut self) -> Result<&mut Game, String> {
        self.game.as_mut().ok_or_else(|| "the game has not started".into())
    }

    fn end_turn(&mut self, seat: Seat, moved: bool, at: Millis) {
        self.undo = None;
        self.clocks.iter_mut().for_each(|clocks| clocks.switch(seat.index(), moved, at));
        if let Some(outcome) = self.game.as_ref().and_then(|game| game.position().outcome()) {
            self.end(Ending::Board(outcome));
        }
    }

    fn end(&mut self, ending: Ending) {
        self.ending = Some(ending);
        if let Some(Status::Won { cells, .. }) = self.game.as_ref().map(Game::status) {
            self.line = cells.into();
        }
        self.undo = None;
        self.clocks.iter_mut().for_each(|clocks| clocks.stop());
    }

    fn undo_to(&mut self, to: usize, at: Millis) -> Result<Vec<Cell>, String> {
        let was_over = self.ending.is_some();
        let game = self.started()?;
        let before = game.position().clone();
        let mut ended_turns = Vec::new();
        while game.history().len() > to {
            let turn = game.turn();
            if let Some(Action::Move { seat, .. }) = game.history().next_back()
                && turn != Some(seat)
            {
                ended_turns.push(seat);
            }
            game.undo().map_err(text)?;
        }
        let after = game.position();
        let is_changed = |cell: &Cell| before.mark_at(*cell) != after.mark_at(*cell);
        let changed = after.rules().cells().filter(is_changed).collect();
        if let Some(clocks) = &mut self.clocks {
            match before.turn() {
                Some(turn) if !was_over => clocks.switch(turn.index(), false, at),
                _ => clocks.start(at),
            }
            for seat in ended_turns {
                clocks.revoke_increment(seat.index());
            }
        }
        (self.undo, self.ending) = (None, None);
        self.rematch_offers = SeatSet::default();
        self.line = Box::default();
        Ok(changed)
    }
}

/// Whether a command sent without having seen the event is stale.
fn changes_state(event: &Event) -> bool {
    !matches!(
        event,
        Event::Left { .. }
            | Event::Returned { .. }
            | Event::Renamed { .. }
            | Event::ClockHeld { .. }
            | Event::RematchOffered { .. }
            | Event::RematchWithdrawn { .. }
            | Event::RematchStarted { .. }
    )
}

fn text(error: impl ToString) -> String {
    error.to_string()
}
