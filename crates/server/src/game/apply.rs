//! How events change the state of a game.

use noughts_rules::{Action, Game, Outcome, Seat, Status};
use noughts_store::IdentityId;

use super::setup::players;
use super::state::{UndoAsked, hash};
use super::{BrokenLog, CommandKey, Ending, Event, Holder, Joining, Millis, OnlineGame, SeatSetup};

impl OnlineGame {
    /// Changes the state by what happened next, at a time. `key` is whose command it was due to,
    /// if anybody's, and its key.
    pub fn apply(
        &mut self,
        event: &Event,
        at: Millis,
        key: Option<(IdentityId, &CommandKey)>,
    ) -> Result<(), BrokenLog> {
        let seq = self.seq + 1;
        self.happen(event, at).map_err(|reason| BrokenLog { seq, reason })?;
        self.seq = seq;
        self.last_at = at;
        if touches(event) {
            self.touched = seq;
            self.touched_at = at;
        }
        if let Some(seat) = seat_of(event)
            && !matches!(event, Event::Left { .. })
        {
            self.away.retain(|(away, _)| *away != seat);
        }
        if let Some((account, key)) = key {
            // A command may be several events, and is done with the last of them.
            self.keys.insert(hash(account, key), seq);
        }
        Ok(())
    }

    fn happen(&mut self, event: &Event, at: Millis) -> Result<(), String> {
        match event {
            Event::Created(_) => Err("a game is created once".into()),
            Event::Joined { seat, who, symbol } => self.seat(seat.0, who, symbol.as_ref(), at),
            Event::Moved { seat, cell } => {
                self.playing()?.play(seat.0, cell.0).map_err(text)?;
                self.turn_ended(seat.0, true, at);
                Ok(())
            }
            Event::Resigned { seat, why } => {
                let game = self.playing()?;
                let had_turn = game.turn() == Some(seat.0);
                game.resign(seat.0).map_err(text)?;
                let winner = game.position().outcome();
                self.away.retain(|(away, _)| *away != seat.0);
                self.undo = None;
                if had_turn {
                    self.turn_ended(seat.0, false, at);
                }
                if let Some(Outcome::Win(winner)) = winner {
                    self.end(Ending::Out(winner, *why));
                }
                Ok(())
            }
            Event::UndoAsked { seat, to } => {
                self.playing_or_over()?;
                self.undo = Some(UndoAsked { seat: seat.0, to: *to, agreed: 0 });
                Ok(())
            }
            Event::UndoAgreed { seat } => {
                let seats: Vec<Seat> = self
                    .rules
                    .seats()
                    .filter(|&other| self.is_same_person(seat.0, other))
                    .collect();
                let undo = self.undo.as_mut().ok_or("nobody asked")?;
                seats.iter().for_each(|seat| undo.agreed |= 1 << seat.index());
                Ok(())
            }
            Event::UndoRefused { .. } => {
                self.undo.take().map(|_| ()).ok_or_else(|| "nobody asked".into())
            }
            Event::Undone { to, .. } => self.take_back(usize::from(*to), at),
            Event::Aborted { .. } => {
                self.end(Ending::Aborted);
                Ok(())
            }
            Event::Abandoned => {
                self.end(Ending::Abandoned);
                Ok(())
            }
            Event::Left { seat } => {
                self.away.push((seat.0, at));
                Ok(())
            }
            Event::Renamed { seat, who } => self.rename(seat.0, who),
            // Whoever does something is back; that is settled where all events pass.
            Event::Returned { .. } => Ok(()),
            Event::ClockHeld { ms } => {
                self.clocks.iter_mut().for_each(|clocks| clocks.hold(*ms));
                // Nor could anybody come back.
                self.away.iter_mut().for_each(|(_, since)| *since = since.saturating_add(*ms));
                Ok(())
            }
            Event::RematchAsked { seat } => {
                self.again |= 1 << seat.0.index();
                Ok(())
            }
            Event::RematchWithdrawn { seat } => {
                self.again &= !(1 << seat.0.index());
                Ok(())
            }
            Event::Rematch { seat, game } => {
                self.again |= 1 << seat.0.index();
                self.next = Some(*game);
                Ok(())
            }
        }
    }

    fn seat(
        &mut self,
        seat: Seat,
        who: &Joining,
        symbol: Option<&String>,
        at: Millis,
    ) -> Result<(), String> {
        let mut seats = self.seats.to_vec();
        let place = seats.get_mut(seat.index()).ok_or("there is no such seat")?;
        if place.holder.is_seated() || self.ending.is_some() {
            return Err("the seat is not free".into());
        }
        place.holder = Holder::Taken(who.clone());
        if symbol.is_some() {
            place.symbol = symbol.cloned();
        }
        self.change_seats(seats);
        self.begin_if_complete(at)
    }

    /// Nothing else changes, so the game is played again by those who are called so now.
    fn rename(&mut self, seat: Seat, who: &Joining) -> Result<(), String> {
        let mut seats = self.seats.to_vec();
        let place = seats.get_mut(seat.index()).ok_or("there is no such seat")?;
        place.holder = Holder::Taken(who.clone());
        if let Some(game) = &mut self.game {
            let players = players(&self.rules, &seats).map_err(text)?;
            let mut renamed = Game::new(&self.rules, players).map_err(text)?;
            for action in game.history() {
                match action {
                    Action::Move { seat, cell } => renamed.play(seat, cell).map_err(text)?,
                    Action::Resign { seat } => renamed.resign(seat).map_err(text)?,
                };
            }
            *game = renamed;
        }
        self.change_seats(seats);
        Ok(())
    }

    fn change_seats(&mut self, seats: Vec<SeatSetup>) {
        self.seats = seats.into();
        self.seated = self.seq + 1;
    }

    pub(super) fn begin_if_complete(&mut self, at: Millis) -> Result<(), String> {
        if self.seats.iter().all(|seat| seat.holder.is_seated()) {
            let players = players(&self.rules, &self.seats).map_err(text)?;
            let mut game = Game::new(&self.rules, players).map_err(text)?;
            for cell in &self.setup.moves {
                let turn = game.turn().ok_or("the moves it begins with end it")?;
                game.play(turn, cell.0).map_err(text)?;
            }
            self.game = Some(game);
            self.clocks.iter_mut().for_each(|clocks| clocks.start(at));
            // Nobody could be missed before.
            self.away.iter_mut().for_each(|(_, since)| *since = at);
        }
        Ok(())
    }

    fn playing(&mut self) -> Result<&mut Game, String> {
        if self.ending.is_some() {
            return Err("the game is over".into());
        }
        self.playing_or_over()
    }

    fn playing_or_over(&mut self) -> Result<&mut Game, String> {
        self.game.as_mut().ok_or_else(|| "the game has not begun".into())
    }

    fn turn_ended(&mut self, seat: Seat, moved: bool, at: Millis) {
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

    fn take_back(&mut self, to: usize, at: Millis) -> Result<(), String> {
        let over = self.ending.is_some();
        let game = self.playing_or_over()?;
        let turn = game.turn();
        let undone: Vec<Action> = game.history().skip(to).collect();
        while game.history().len() > to {
            game.undo().map_err(text)?;
        }
        if let Some(clocks) = &mut self.clocks {
            match turn {
                Some(turn) if !over => clocks.switch(turn.index(), false, at),
                _ => clocks.start(at),
            }
            for action in undone {
                if let Action::Move { seat, .. } = action {
                    clocks.take_increment_back(seat.index());
                }
            }
        }
        (self.undo, self.ending, self.again) = (None, None, 0);
        self.line = Box::default();
        Ok(())
    }
}

/// Whether a sender who has not seen the event does not know how the game stands.
fn touches(event: &Event) -> bool {
    !matches!(
        event,
        Event::Left { .. }
            | Event::Returned { .. }
            | Event::Renamed { .. }
            | Event::ClockHeld { .. }
            | Event::RematchAsked { .. }
            | Event::RematchWithdrawn { .. }
            | Event::Rematch { .. }
    )
}

/// Whose doing an event is.
fn seat_of(event: &Event) -> Option<Seat> {
    match event {
        Event::Joined { seat, .. }
        | Event::Moved { seat, .. }
        | Event::UndoAsked { seat, .. }
        | Event::UndoAgreed { seat }
        | Event::UndoRefused { seat }
        | Event::Undone { seat, .. }
        | Event::Resigned { seat, .. }
        | Event::Aborted { seat }
        | Event::Left { seat }
        | Event::Returned { seat }
        | Event::RematchAsked { seat }
        | Event::RematchWithdrawn { seat }
        | Event::Rematch { seat, .. } => Some(seat.0),
        Event::Created(_) | Event::Abandoned | Event::ClockHeld { .. } | Event::Renamed { .. } => {
            None
        }
    }
}

fn text(error: impl ToString) -> String {
    error.to_string()
}
