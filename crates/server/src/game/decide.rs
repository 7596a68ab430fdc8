//! Deciding what a command becomes: events, or a refusal.

use noughts_api::{
    CommandRequest, Event, ExitReason, GameId, GamePhase, IdentityId, Millis, Participant,
    PlayerCommand, SeatHolder, SeatSetup,
};
use noughts_rules::{Action, Game, Move, Seat};

use super::refusal::Away;
use super::setup::players;
use super::{Ending, OnlineGame, Refusal, ServerCommand};

/// Undo is refused once a game has this many events, plus four for each cell. Otherwise a game, and
/// the time to load it, could grow forever.
const MAX_EVENTS_BEFORE_UNDO: usize = 1_000;

/// What a player's command becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// These events, at least one.
    Events(Vec<Event>),
    /// Nothing: the command took effect before. The game was at this sequence number afterwards.
    Repeated(u32),
}

/// A seat may leave this often; then only so many milliseconds after it last left.
const FREE_DEPARTURES: u32 = 20;
const DEPARTURE_INTERVAL_MS: Millis = 10 * 60 * 1000;

impl OnlineGame {
    /// Decides what a player's command becomes. The game stays as it is.
    ///
    /// `new_game` provides the id of the rematch if the command starts one.
    pub fn decide(
        &self,
        player: &Participant,
        request: &CommandRequest,
        now: Millis,
        new_game: impl FnOnce() -> GameId,
    ) -> Result<Decision, Refusal> {
        if let Some(seq) = self.accepted_at(player.identity, &request.key) {
            return Ok(Decision::Repeated(seq));
        }
        if let PlayerCommand::Join { symbol } = &request.command {
            return self.join(player, request.seat, symbol.as_ref()).map(Decision::Events);
        }
        let seat = self.acting_seat(player.identity, request)?;
        // Players may agree to a rematch without having seen each other's offers.
        if request.command != PlayerCommand::Rematch {
            self.check_seq(request.seq)?;
        }
        let events = match &request.command {
            PlayerCommand::Join { .. } => return Err(Refusal::AlreadySeated),
            PlayerCommand::Move { mv } => self.make_move(seat, *mv)?,
            PlayerCommand::RequestUndo => self.request_undo(seat)?,
            PlayerCommand::AnswerUndo { accept } => self.answer_undo(seat, *accept)?,
            PlayerCommand::Resign => self.eliminate(seat, ExitReason::Resigned)?,
            PlayerCommand::Abort => self.abort(seat)?,
            PlayerCommand::Claim => self.claim(seat, now)?,
            PlayerCommand::Rematch => self.offer_rematch(seat, new_game)?,
        };
        Ok(Decision::Events(events))
    }

    /// Decides what a command of the server becomes: no events if there is nothing to do. The game
    /// stays as it is.
    pub fn decide_server(
        &self,
        command: &ServerCommand,
        now: Millis,
    ) -> Result<Vec<Event>, Refusal> {
        Ok(match command {
            ServerCommand::Tick => self.tick(now),
            ServerCommand::HoldClock { ms } => self.hold_clock(*ms),
            ServerCommand::Leave { seat } => self.leave(*seat, now),
            ServerCommand::Return { seat } => self.come_back(*seat),
            ServerCommand::Rename { player } => self.rename(player),
            ServerCommand::ComputerMove { seat, mv } => {
                self.check_computer(*seat)?;
                self.make_move(*seat, *mv)?
            }
            ServerCommand::Forfeit { seat } => {
                self.check_computer(*seat)?;
                self.eliminate(*seat, ExitReason::Forfeit)?
            }
        })
    }

    /// The seat a player acts for: the requested one, or else the one of theirs that can.
    fn acting_seat(&self, identity: IdentityId, request: &CommandRequest) -> Result<Seat, Refusal> {
        if request.command == PlayerCommand::Abort
            && let Some(seat) = self.seat_reserved_for(identity)
        {
            return Ok(seat);
        }
        let mut own = self.seats_of(identity).peekable();
        let first = *own.peek().ok_or(Refusal::NotAPlayer)?;
        if let Some(seat) = request.seat {
            return own.find(|own| *own == seat).ok_or(Refusal::NotYourSeat);
        }
        let can_act = |seat: &Seat| match request.command {
            PlayerCommand::AnswerUndo { .. } => self.must_answer(*seat),
            PlayerCommand::RequestUndo => self.last_mover() == Some(*seat),
            _ => self.turn() == Some(*seat),
        };
        Ok(own.find(can_act).unwrap_or(first))
    }

    fn check_computer(&self, seat: Seat) -> Result<(), Refusal> {
        match self.seats.get(seat.index()).map(|seat| &seat.holder) {
            Some(SeatHolder::Computer { .. }) => Ok(()),
            _ => Err(Refusal::NotAPlayer),
        }
    }

    fn check_seq(&self, seen: u32) -> Result<(), Refusal> {
        if (self.state_seq..=self.seq).contains(&seen) {
            Ok(())
        } else {
            Err(Refusal::Stale { seq: self.seq, seen })
        }
    }

    fn live_game(&self) -> Result<&Game, Refusal> {
        match (self.phase(), &self.game) {
            (GamePhase::Live, Some(game)) => Ok(game),
            (GamePhase::Finished, _) => Err(Refusal::GameOver),
            _ => Err(Refusal::NotStarted),
        }
    }

    fn join(
        &self,
        player: &Participant,
        seat: Option<Seat>,
        symbol: Option<&String>,
    ) -> Result<Vec<Event>, Refusal> {
        match self.phase() {
            GamePhase::Finished => return Err(Refusal::GameOver),
            GamePhase::Live => return Err(Refusal::NoFreeSeat),
            GamePhase::Open => {}
        }
        if self.seats_of(player.identity).next().is_some() {
            return Err(Refusal::AlreadySeated);
        }
        // Invited players take the seat reserved for them: nobody else could.
        let reserved = self.seat_reserved_for(player.identity);
        let is_free = |seat: &Seat| match reserved {
            Some(reserved) => reserved == *seat,
            None => self.seats[seat.index()].holder == SeatHolder::Open,
        };
        let is_requested = |other: &Seat| seat.is_none_or(|seat| seat == *other);
        let mut free = self.rules.seats().filter(|seat| is_free(seat) && is_requested(seat));
        let seat = free.next().ok_or(Refusal::NoFreeSeat)?;

        let mut seats = self.seats.to_vec();
        seats[seat.index()].holder = SeatHolder::Taken(player.clone());
        if symbol.is_some() {
            seats[seat.index()].symbol = symbol.cloned();
        }
        self.check_symbols(&seats)?;
        Ok(vec![Event::Joined { seat, player: player.clone(), symbol: symbol.cloned() }])
    }

    /// The seat that an identity is invited to.
    fn seat_reserved_for(&self, identity: IdentityId) -> Option<Seat> {
        self.rules.seats().find(|seat| {
            let holder = &self.seats[seat.index()].holder;
            matches!(holder, SeatHolder::Invited { identity: invited, .. } if *invited == identity)
        })
    }

    /// Checks that seated players keep their symbols if the seats change to these.
    fn check_symbols(&self, seats: &[SeatSetup]) -> Result<(), Refusal> {
        let before = players(&self.rules, &self.seats)?;
        let after = players(&self.rules, seats)?;
        for first in (0..seats.len()).filter(|&seat| self.seats[seat].holder.is_seated()) {
            if before[first].symbol() != after[first].symbol() {
                let taken = before[first].symbol();
                let second = after.iter().position(|player| player.symbol() == taken);
                let second = second.unwrap_or_default() + 1;
                return Err(Refusal::SameSymbol { first: first + 1, second });
            }
        }
        Ok(())
    }

    fn make_move(&self, seat: Seat, mv: Move) -> Result<Vec<Event>, Refusal> {
        let game = self.live_game()?;
        match game.turn() {
            Some(turn) if turn != seat => {
                Err(noughts_rules::Refusal::NotYourTurn { seat, turn })?;
            }
            _ => game.position().check(mv)?,
        }
        Ok(vec![Event::Moved { seat, mv }])
    }

    fn request_undo(&self, seat: Seat) -> Result<Vec<Event>, Refusal> {
        let game = match (&self.game, self.ending) {
            (None, _) => return Err(Refusal::NotStarted),
            (Some(game), None) => game,
            (Some(_), Some(Ending::Board(_))) if self.setup.league.is_some() => {
                return Err(Refusal::RatedIsFinal);
            }
            (Some(_), Some(Ending::Board(_))) if self.setup.tournament.is_some() => {
                return Err(Refusal::TournamentGame);
            }
            (Some(game), Some(Ending::Board(_))) if self.rematch.is_none() => game,
            (Some(_), Some(_)) => return Err(Refusal::GameOver),
        };
        if self.undo_request().is_some() {
            return Err(Refusal::UndoPending);
        }
        if self.seq as usize > MAX_EVENTS_BEFORE_UNDO + 4 * self.rules.cells().count() {
            return Err(Refusal::TooManyUndos);
        }
        let to = self.last_turn_of(seat, game).ok_or(Refusal::NothingToUndo)?;
        if game.history().skip(to).any(|action| matches!(action, Action::Resign { .. })) {
            return Err(Refusal::NothingToUndo);
        }
        let to = u16::try_from(to).map_err(|_| Refusal::NothingToUndo)?;
        if self.rules.seats().any(|other| self.decides_undo(seat, other)) {
            Ok(vec![Event::UndoRequested { seat, to }])
        } else if self.setup.league.is_some() {
            Err(Refusal::NobodyToAsk)
        } else {
            Ok(vec![Event::Undone { seat, to }])
        }
    }

    /// How many actions came before the last turn of a seat. A turn can have several stones, and
    /// opening choices.
    fn last_turn_of(&self, seat: Seat, game: &Game) -> Option<usize> {
        let actions: Vec<Action> = game.history().skip(self.setup.moves.len()).collect();
        let last = actions.iter().rposition(|action| action.seat() == seat)?;
        let earlier = actions[..last].iter().rev().take_while(|action| action.seat() == seat);
        Some(self.setup.moves.len() + last - earlier.count())
    }

    fn answer_undo(&self, seat: Seat, accept: bool) -> Result<Vec<Event>, Refusal> {
        let undo =
            self.undo_request().filter(|_| self.must_answer(seat)).ok_or(Refusal::NoUndoRequest)?;
        if !accept {
            return Ok(vec![Event::UndoDeclined { seat }]);
        }
        // A player with several seats answers for all of them.
        let asked = self.rules.seats().filter(|other| self.must_answer(*other));
        let (own, missing): (Vec<Seat>, Vec<Seat>) =
            asked.partition(|other| *other == seat || self.have_same_player(seat, *other));
        let mut events: Vec<Event> =
            own.into_iter().map(|seat| Event::UndoAccepted { seat }).collect();
        if missing.is_empty() {
            events.push(Event::Undone { seat: undo.seat, to: undo.to });
        }
        Ok(events)
    }

    /// Whether a seat was asked to allow an undo and has not accepted yet.
    fn must_answer(&self, seat: Seat) -> bool {
        self.undo_request()
            .is_some_and(|undo| self.decides_undo(undo.seat, seat) && !undo.accepted.contains(seat))
    }

    /// Whether `other` has to allow an undo of `asking`: other people who are still in the game.
    /// Computers always allow it.
    fn decides_undo(&self, asking: Seat, other: Seat) -> bool {
        let is_taken = matches!(self.seats[other.index()].holder, SeatHolder::Taken(_));
        other != asking && is_taken && !self.is_out(other) && !self.have_same_player(asking, other)
    }

    fn is_out(&self, seat: Seat) -> bool {
        self.game.as_ref().is_some_and(|game| game.position().has_resigned(seat))
    }

    fn check_not_out(&self, seat: Seat) -> Result<(), Refusal> {
        if self.is_out(seat) {
            Err(noughts_rules::Refusal::NotPlaying { seat })?;
        }
        Ok(())
    }

    fn last_mover(&self) -> Option<Seat> {
        self.game.as_ref()?.history().next_back().map(Action::seat)
    }

    fn eliminate(&self, seat: Seat, reason: ExitReason) -> Result<Vec<Event>, Refusal> {
        self.live_game()?;
        self.check_not_out(seat)?;
        Ok(vec![Event::Eliminated { seat, reason }])
    }

    fn abort(&self, seat: Seat) -> Result<Vec<Event>, Refusal> {
        if self.ending.is_some() {
            return Err(Refusal::GameOver);
        }
        self.check_not_out(seat)?;
        if self.setup.tournament.is_some() {
            return Err(Refusal::TournamentGame);
        }
        // The first turn can have several stones.
        let mut movers = self.game.iter().flat_map(Game::history).skip(self.setup.moves.len());
        let first = movers.next().map(Action::seat);
        if movers.any(|action| Some(action.seat()) != first) {
            return Err(Refusal::TooLateToAbort);
        }
        Ok(vec![Event::Aborted { seat }])
    }

    fn claim(&self, seat: Seat, now: Millis) -> Result<Vec<Event>, Refusal> {
        self.live_game()?;
        self.check_not_out(seat)?;
        let others = || self.away.iter().filter(|(away, _)| !self.have_same_player(seat, *away));
        let remaining = |since: Millis| since + self.setup.away_ms - now;
        let eliminated: Vec<Event> = others()
            .filter(|(_, since)| remaining(*since) <= 0)
            .map(|(away, _)| Event::Eliminated { seat: *away, reason: ExitReason::Left })
            .collect();
        if eliminated.is_empty() {
            let soonest = others().map(|(_, since)| remaining(*since)).min();
            let away = soonest.map_or(Away::Nobody, |left_ms| Away::For { left_ms });
            return Err(Refusal::NotAway(away));
        }
        Ok(eliminated)
    }

    fn offer_rematch(
        &self,
        seat: Seat,
        new_game: impl FnOnce() -> GameId,
    ) -> Result<Vec<Event>, Refusal> {
        match (self.phase(), &self.game) {
            (GamePhase::Finished, Some(_)) => {}
            (GamePhase::Finished, None) => return Err(Refusal::GameOver),
            _ => return Err(Refusal::NotOver),
        }
        if self.setup.tournament.is_some() {
            return Err(Refusal::TournamentGame);
        }
        if self.rematch.is_some() || self.rematch_offers.contains(seat) {
            return Err(Refusal::RematchOffered);
        }
        let is_missing = |other: &Seat| {
            matches!(self.seats[other.index()].holder, SeatHolder::Taken(_))
                && *other != seat
                && !self.have_same_player(seat, *other)
                && !self.rematch_offers.contains(*other)
        };
        Ok(match self.rules.seats().find(is_missing) {
            Some(_) => vec![Event::RematchOffered { seat }],
            None => vec![Event::RematchStarted { seat, game: new_game() }],
        })
    }

    fn tick(&self, now: Millis) -> Vec<Event> {
        if self.deadline().is_none_or(|deadline| now < deadline) {
            return Vec::new();
        }
        match (self.phase(), &self.clocks, self.turn()) {
            (GamePhase::Live, Some(_), Some(seat)) => {
                vec![Event::Eliminated { seat, reason: ExitReason::Time }]
            }
            _ => vec![Event::Abandoned],
        }
    }

    fn hold_clock(&self, ms: Millis) -> Vec<Event> {
        let is_waiting = self.clocks.is_some() || !self.away.is_empty();
        let holds = self.phase() == GamePhase::Live && is_waiting && ms > 0;
        if holds { vec![Event::ClockHeld { ms }] } else { Vec::new() }
    }

    /// Disconnecting withdraws a rematch offer that could cost the player something.
    fn leave(&self, seat: Seat, now: Millis) -> Vec<Event> {
        if self.needs_players() && self.phase() == GamePhase::Finished {
            let has_offered = self.rematch_offers.contains(seat);
            return if has_offered { vec![Event::RematchWithdrawn { seat }] } else { Vec::new() };
        }
        let holder = self.seats.get(seat.index()).map(|seat| &seat.holder);
        let can_leave = matches!(holder, Some(SeatHolder::Taken(_)))
            && self.phase() != GamePhase::Finished
            && !self.is_out(seat)
            && self.away_since(seat).is_none()
            && !self.leaves_too_often(seat, now);
        if can_leave { vec![Event::Left { seat }] } else { Vec::new() }
    }

    /// Clients that connect and disconnect all the time must not fill the log.
    fn leaves_too_often(&self, seat: Seat, now: Millis) -> bool {
        let mut departures = self.departures.iter();
        departures.find(|departures| departures.seat == seat).is_some_and(|departures| {
            departures.count >= FREE_DEPARTURES && now - departures.last < DEPARTURE_INTERVAL_MS
        })
    }

    fn come_back(&self, seat: Seat) -> Vec<Event> {
        match self.away_since(seat) {
            Some(_) => vec![Event::Returned { seat }],
            None => Vec::new(),
        }
    }

    /// Players with several seats share a screen with others, who keep the names they have.
    fn rename(&self, player: &Participant) -> Vec<Event> {
        let mut seats = self.seats_of(player.identity);
        let (Some(seat), None) = (seats.next(), seats.next()) else { return Vec::new() };
        let is_new = self.seats[seat.index()].holder != SeatHolder::Taken(player.clone());
        if is_new && self.phase() != GamePhase::Finished {
            vec![Event::Renamed { seat, player: player.clone() }]
        } else {
            Vec::new()
        }
    }
}
