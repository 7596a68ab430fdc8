//! Deciding what a command becomes: events, or a refusal.

use noughts_rules::{Action, Cell, Seat};
use smallvec::{SmallVec, smallvec};

use super::refusal::Away;
use super::setup::players;
use super::{
    Actor, Command, Ending, Event, Holder, Joining, Millis, OnlineGame, Order, Phase, Refusal,
    SeatSetup, Seen, StoredCell, StoredSeat, Why,
};
use noughts_store::{GameId, IdentityId};

/// What happens at once, which is one thing as a rule.
pub type Events = SmallVec<[Event; 1]>;

/// After so many events, besides four for each box, no more moves are taken back: otherwise a game would
/// have no end, nor would what it takes to read it.
const MOST_EVENTS: usize = 1_000;

/// What a command becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// These events; none where nothing needs to happen.
    Events(Events),
    /// It was done before, and the game was at this sequence number afterwards.
    DoneBefore(u32),
}

impl OnlineGame {
    /// Decides what an order becomes at this time. The game does not change by it.
    pub fn decide(&self, order: &Order, now: Millis) -> Result<Decision, Refusal> {
        if let (Actor::Identity(account), Some(seen)) = (&order.actor, &order.seen)
            && let Some(seq) = self.done(*account, &seen.key)
        {
            return Ok(Decision::DoneBefore(seq));
        }
        let events = match &order.command {
            Command::Join { who, symbol } => self.join(order, who, symbol.as_ref())?,
            Command::Tick => self.tick(now),
            Command::HoldClock { ms } => self.hold_clock(*ms),
            Command::Leave { seat } => self.leave(*seat),
            Command::Return { seat } => self.come_back(*seat),
            Command::Rename { who } => self.take_name(who),
            command => {
                let seat = self.acting_seat(order, command)?;
                self.play(seat, order, now)?
            }
        };
        Ok(Decision::Events(events))
    }

    /// What players do.
    fn play(&self, seat: Seat, order: &Order, now: Millis) -> Result<Events, Refusal> {
        // Whoever wants a rematch need not have seen that others want it too.
        if !matches!(order.command, Command::Rematch { .. }) {
            self.check_seen(order.seen.as_ref())?;
        }
        match &order.command {
            Command::Move { cell } => self.make_move(seat, *cell),
            Command::AskUndo => self.ask_undo(seat),
            Command::AnswerUndo { agree } => self.answer_undo(seat, *agree),
            Command::Resign => self.go_out(seat, Why::Resigned),
            Command::Forfeit => self.go_out(seat, Why::Forfeit),
            Command::Abort => self.abort(seat),
            Command::Claim => self.claim(seat, now),
            Command::Rematch { next } => self.play_again(seat, *next),
            _ => Ok(Events::new()),
        }
    }

    /// For which seat the sender acts: the one they name, or the one of theirs that can.
    fn acting_seat(&self, order: &Order, command: &Command) -> Result<Seat, Refusal> {
        let account = match order.actor {
            Actor::Identity(account) => account,
            Actor::Computer(seat) => {
                let holder = self.seats.get(seat.index()).map(|seat| &seat.holder);
                let is_computer = matches!(holder, Some(Holder::Computer { .. }));
                return if is_computer { Ok(seat) } else { Err(Refusal::NotAPlayer) };
            }
            Actor::Server => return Err(Refusal::NotAPlayer),
        };
        if matches!(command, Command::Abort)
            && let Some(kept) = self.seat_kept_for(account)
        {
            return Ok(kept);
        }
        let mut own = self.seats_of(account).peekable();
        let first = *own.peek().ok_or(Refusal::NotAPlayer)?;
        if let Some(seat) = order.seat {
            return own.find(|own| *own == seat).ok_or(Refusal::NotYourSeat);
        }
        let wanted = |seat: &Seat| match command {
            Command::AnswerUndo { .. } => self.must_agree(*seat),
            // Whose move was the last takes it back.
            Command::AskUndo => self.last_mover() == Some(*seat),
            _ => self.turn() == Some(*seat),
        };
        Ok(own.find(wanted).unwrap_or(first))
    }

    fn check_seen(&self, seen: Option<&Seen>) -> Result<(), Refusal> {
        match seen {
            Some(seen) if !(self.touched..=self.seq).contains(&seen.seq) => {
                Err(Refusal::Stale { seq: self.seq, seen: seen.seq })
            }
            _ => Ok(()),
        }
    }

    fn check_live(&self) -> Result<&noughts_rules::Game, Refusal> {
        match (self.phase(), &self.game) {
            (Phase::Live, Some(game)) => Ok(game),
            (Phase::Over, _) => Err(Refusal::GameOver),
            _ => Err(Refusal::NotStarted),
        }
    }

    fn join(
        &self,
        order: &Order,
        who: &Joining,
        symbol: Option<&String>,
    ) -> Result<Events, Refusal> {
        match self.phase() {
            Phase::Over => return Err(Refusal::GameOver),
            Phase::Live => return Err(Refusal::NoFreeSeat),
            Phase::Open => {}
        }
        if self.seats_of(who.account).next().is_some() {
            return Err(Refusal::AlreadySeated);
        }
        // A seat that is kept for someone is theirs: from any other, nobody could come to it.
        let kept = self.seat_kept_for(who.account);
        let is_free = |seat: &Seat| match kept {
            Some(kept) => kept == *seat,
            None => self.seats[seat.index()].holder == Holder::Open,
        };
        let is_wanted = |seat: &Seat| order.seat.is_none_or(|wanted| wanted == *seat);
        let mut free = self.rules.seats().filter(|seat| is_free(seat) && is_wanted(seat));
        let seat = free.next().ok_or(Refusal::NoFreeSeat)?;

        let mut seats = self.seats.to_vec();
        seats[seat.index()].holder = Holder::Taken(who.clone());
        if symbol.is_some() {
            seats[seat.index()].symbol = symbol.cloned();
        }
        self.check_symbols(&seats)?;
        Ok(smallvec![Event::Joined {
            seat: StoredSeat(seat),
            who: who.clone(),
            symbol: symbol.cloned(),
        }])
    }

    /// The seat to which an account is invited.
    fn seat_kept_for(&self, account: IdentityId) -> Option<Seat> {
        self.rules.seats().find(|seat| {
            let holder = &self.seats[seat.index()].holder;
            matches!(holder, Holder::Invited { account: invited, .. } if *invited == account)
        })
    }

    /// Whether everyone who sits there keeps their symbol when these seats are taken.
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

    fn make_move(&self, seat: Seat, cell: Cell) -> Result<Events, Refusal> {
        let game = self.check_live()?;
        match game.turn() {
            Some(turn) if turn != seat => {
                Err(noughts_rules::Refusal::NotYourTurn { seat, turn })?;
            }
            _ => game.position().check(cell)?,
        }
        Ok(smallvec![Event::Moved { seat: StoredSeat(seat), cell: StoredCell(cell) }])
    }

    fn ask_undo(&self, seat: Seat) -> Result<Events, Refusal> {
        let game = match (&self.game, self.ending) {
            (None, _) => return Err(Refusal::NotStarted),
            (Some(game), None) => game,
            (Some(_), Some(Ending::Board(_))) if self.setup.league.is_some() => {
                return Err(Refusal::RatedIsFinal);
            }
            (Some(game), Some(Ending::Board(_))) if self.next.is_none() => game,
            (Some(_), Some(_)) => return Err(Refusal::GameOver),
        };
        if self.undo_asked().is_some() {
            return Err(Refusal::UndoPending);
        }
        if self.seq as usize > MOST_EVENTS + 4 * self.rules.cells().count() {
            return Err(Refusal::TooManyUndos);
        }
        let actions: Vec<Action> = game.history().collect();
        let to = actions.iter().rposition(|action| action.seat() == seat);
        let to = to.filter(|to| *to >= self.setup.moves.len()).ok_or(Refusal::NothingToUndo)?;
        if actions[to..].iter().any(|action| matches!(action, Action::Resign { .. })) {
            return Err(Refusal::NothingToUndo);
        }
        let to = u16::try_from(to).map_err(|_| Refusal::NothingToUndo)?;
        let seat_stored = StoredSeat(seat);
        Ok(if self.rules.seats().any(|other| self.has_a_say(seat, other)) {
            smallvec![Event::UndoAsked { seat: seat_stored, to }]
        } else if self.setup.league.is_some() {
            return Err(Refusal::NobodyToAsk);
        } else {
            smallvec![Event::Undone { seat: seat_stored, to }]
        })
    }

    fn answer_undo(&self, seat: Seat, agree: bool) -> Result<Events, Refusal> {
        let undo =
            self.undo_asked().filter(|_| self.must_agree(seat)).ok_or(Refusal::NoUndoAsked)?;
        let stored = StoredSeat(seat);
        if !agree {
            return Ok(smallvec![Event::UndoRefused { seat: stored }]);
        }
        let agreed = Event::UndoAgreed { seat: stored };
        let missing = |other: &Seat| self.must_agree(*other) && !self.is_same_person(seat, *other);
        Ok(match self.rules.seats().find(missing) {
            Some(_) => smallvec![agreed],
            None => smallvec![agreed, Event::Undone { seat: StoredSeat(undo.seat), to: undo.to }],
        })
    }

    /// Whether the seat was asked and has not agreed yet.
    fn must_agree(&self, seat: Seat) -> bool {
        self.undo_asked().is_some_and(|undo| {
            self.has_a_say(undo.seat, seat) && undo.agreed >> seat.index() & 1 == 0
        })
    }

    /// Whether a seat must agree before another one takes a move back: other people who are still
    /// in the game. Computers agree to everything.
    fn has_a_say(&self, asker: Seat, other: Seat) -> bool {
        let is_account = matches!(self.seats[other.index()].holder, Holder::Taken(_));
        other != asker && is_account && !self.is_out(other) && !self.is_same_person(asker, other)
    }

    fn is_out(&self, seat: Seat) -> bool {
        self.game.as_ref().is_some_and(|game| game.position().has_resigned(seat))
    }

    fn check_plays(&self, seat: Seat) -> Result<(), Refusal> {
        if self.is_out(seat) {
            Err(noughts_rules::Refusal::NotPlaying { seat })?;
        }
        Ok(())
    }

    fn last_mover(&self) -> Option<Seat> {
        self.game.as_ref()?.history().next_back().map(Action::seat)
    }

    fn go_out(&self, seat: Seat, why: Why) -> Result<Events, Refusal> {
        self.check_live()?;
        self.check_plays(seat)?;
        Ok(smallvec![Event::Resigned { seat: StoredSeat(seat), why }])
    }

    fn abort(&self, seat: Seat) -> Result<Events, Refusal> {
        if self.ending.is_some() {
            return Err(Refusal::GameOver);
        }
        self.check_plays(seat)?;
        let made = self.game.as_ref().map_or(0, |game| game.history().len());
        if made >= self.setup.moves.len() + 2 {
            return Err(Refusal::TooLateToAbort);
        }
        Ok(smallvec![Event::Aborted { seat: StoredSeat(seat) }])
    }

    fn claim(&self, seat: Seat, now: Millis) -> Result<Events, Refusal> {
        self.check_live()?;
        self.check_plays(seat)?;
        let others = || self.away.iter().filter(|(away, _)| !self.is_same_person(seat, *away));
        let left = |since: Millis| since + self.setup.away_ms - now;
        let gone: Events = others()
            .filter(|(_, since)| left(*since) <= 0)
            .map(|(away, _)| Event::Resigned { seat: StoredSeat(*away), why: Why::Left })
            .collect();
        if gone.is_empty() {
            let soonest = others().map(|(_, since)| left(*since)).min();
            let away = soonest.map_or(Away::Nobody, |left_ms| Away::For { left_ms });
            return Err(Refusal::NotAway(away));
        }
        Ok(gone)
    }

    fn play_again(&self, seat: Seat, next: GameId) -> Result<Events, Refusal> {
        match (self.phase(), &self.game) {
            (Phase::Over, Some(_)) => {}
            (Phase::Over, None) => return Err(Refusal::GameOver),
            _ => return Err(Refusal::NotOver),
        }
        if self.next.is_some() || self.would_play_again(seat) {
            return Err(Refusal::RematchAsked);
        }
        let missing = |other: &Seat| {
            matches!(self.seats[other.index()].holder, Holder::Taken(_))
                && *other != seat
                && !self.is_same_person(seat, *other)
                && !self.would_play_again(*other)
        };
        let seat = StoredSeat(seat);
        Ok(match self.rules.seats().find(missing) {
            Some(_) => smallvec![Event::RematchAsked { seat }],
            None => smallvec![Event::Rematch { seat, game: next }],
        })
    }

    fn would_play_again(&self, seat: Seat) -> bool {
        self.again >> seat.index() & 1 == 1
    }

    fn tick(&self, now: Millis) -> Events {
        if self.due().is_none_or(|due| now < due) {
            return Events::new();
        }
        match (self.phase(), &self.clocks, self.turn()) {
            (Phase::Live, Some(_), Some(turn)) => {
                smallvec![Event::Resigned { seat: StoredSeat(turn), why: Why::Time }]
            }
            _ => smallvec![Event::Abandoned],
        }
    }

    fn hold_clock(&self, ms: i64) -> Events {
        let waits = self.clocks.is_some() || !self.away.is_empty();
        let runs = self.phase() == Phase::Live && waits && ms > 0;
        if runs { smallvec![Event::ClockHeld { ms }] } else { Events::new() }
    }

    /// Whoever waits for others may leave as well as whoever plays, and so may who waits for a rematch.
    fn leave(&self, seat: Seat) -> Events {
        if self.needs_players() && self.phase() == Phase::Over {
            let withdrawn = Event::RematchWithdrawn { seat: StoredSeat(seat) };
            return if self.would_play_again(seat) { smallvec![withdrawn] } else { Events::new() };
        }
        let holder = self.seats.get(seat.index()).map(|seat| &seat.holder);
        let can = matches!(holder, Some(Holder::Taken(_)))
            && self.phase() != Phase::Over
            && !self.is_out(seat);
        if can && self.away_since(seat).is_none() {
            smallvec![Event::Left { seat: StoredSeat(seat) }]
        } else {
            Events::new()
        }
    }

    /// Someone is called something else from now on. Who has several seats plays on one screen with
    /// others, who have names of their own.
    fn take_name(&self, who: &Joining) -> Events {
        let mut seats = self.seats_of(who.account);
        let (Some(seat), None) = (seats.next(), seats.next()) else { return Events::new() };
        let is_news = self.seats[seat.index()].holder != Holder::Taken(who.clone());
        if is_news && self.phase() != Phase::Over {
            smallvec![Event::Renamed { seat: StoredSeat(seat), who: who.clone() }]
        } else {
            Events::new()
        }
    }

    fn come_back(&self, seat: Seat) -> Events {
        match self.away_since(seat) {
            Some(_) => smallvec![Event::Returned { seat: StoredSeat(seat) }],
            None => Events::new(),
        }
    }
}
