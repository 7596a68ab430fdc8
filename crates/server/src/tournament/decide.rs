//! Deciding what requests, results and the passing of time become: events, or a refusal.

use noughts_api::{
    ErrorCode, GameId, IdentityId, Millis, TournamentFormat, TournamentOutcome, TournamentPhase,
};

use super::event::{PairedGame, TournamentEvent, WithdrawalReason};
use super::pairing::Pairing;
use super::state::Tournament;

/// The most players of a tournament.
pub const MAX_PLAYERS: usize = 200;

/// Why a request is refused. It changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TournamentRefusal {
    /// It is over.
    #[error("the tournament is over")]
    Over,
    /// It has begun, and nobody can join any more.
    #[error("the tournament has begun: nobody can join any more")]
    Begun,
    /// It has begun, and so can't be started or cancelled.
    #[error("the tournament has begun already")]
    Started,
    /// Everybody is there.
    #[error("the tournament is full: it has {MAX_PLAYERS} players")]
    Full,
    /// Fewer than two players.
    #[error("a tournament needs at least two players")]
    TooFewPlayers,
    /// Bots may not play.
    #[error("this tournament is for people, not for bots")]
    NotForBots,
    /// Somebody else created it.
    #[error("only the player who created the tournament may do that")]
    NotYours,
}

impl TournamentRefusal {
    /// The stable code for programs.
    #[must_use]
    pub fn code(self) -> ErrorCode {
        match self {
            TournamentRefusal::Over | TournamentRefusal::Begun | TournamentRefusal::Started => {
                ErrorCode::TournamentClosed
            }
            TournamentRefusal::Full => ErrorCode::TournamentFull,
            TournamentRefusal::TooFewPlayers => ErrorCode::TooFewPlayers,
            TournamentRefusal::NotForBots => ErrorCode::NotForBots,
            TournamentRefusal::NotYours => ErrorCode::NotYours,
        }
    }
}

impl Tournament {
    /// A player joins, or comes back. No events if the player is there.
    pub fn join(
        &self,
        player: IdentityId,
        bot: bool,
    ) -> Result<Vec<TournamentEvent>, TournamentRefusal> {
        self.check_not_over()?;
        if bot && !self.setup.settings.bots {
            return Err(TournamentRefusal::NotForBots);
        }
        let known = self.player(player).map(|number| self.players[number]);
        if known.is_some_and(|known| known.is_active && known.is_bot == bot) {
            return Ok(Vec::new());
        }
        if self.phase == TournamentPhase::Running {
            let is_late = match self.setup.settings.format {
                TournamentFormat::Arena { .. } => false,
                TournamentFormat::RoundRobin { .. } => known.is_none(),
                TournamentFormat::Swiss { .. } => self.round() >= self.rounds(),
            };
            if is_late {
                return Err(TournamentRefusal::Begun);
            }
        }
        if known.is_none() && self.players.len() >= MAX_PLAYERS {
            return Err(TournamentRefusal::Full);
        }
        Ok(vec![TournamentEvent::Joined { player, bot }])
    }

    /// A player leaves. A game that is being played goes on. No events if the player is not there.
    pub fn leave(&self, player: IdentityId) -> Result<Vec<TournamentEvent>, TournamentRefusal> {
        self.check_not_over()?;
        let is_there = self.player(player).is_some_and(|number| self.players[number].is_active);
        Ok(match is_there {
            true => {
                vec![TournamentEvent::Withdrawn { player, reason: WithdrawalReason::Left }]
            }
            false => Vec::new(),
        })
    }

    /// The creator starts the tournament.
    pub fn start(&self, by: IdentityId) -> Result<Vec<TournamentEvent>, TournamentRefusal> {
        self.check_waiting_for(by)?;
        if self.active_players() < 2 {
            return Err(TournamentRefusal::TooFewPlayers);
        }
        Ok(vec![TournamentEvent::Started])
    }

    /// The creator cancels the tournament before it starts.
    pub fn cancel(&self, by: IdentityId) -> Result<Vec<TournamentEvent>, TournamentRefusal> {
        self.check_waiting_for(by)?;
        Ok(vec![TournamentEvent::Cancelled])
    }

    fn check_not_over(&self) -> Result<(), TournamentRefusal> {
        if self.phase.is_over() { Err(TournamentRefusal::Over) } else { Ok(()) }
    }

    fn check_waiting_for(&self, by: IdentityId) -> Result<(), TournamentRefusal> {
        self.check_not_over()?;
        if by != self.setup.creator {
            return Err(TournamentRefusal::NotYours);
        }
        if self.phase != TournamentPhase::Waiting {
            return Err(TournamentRefusal::Started);
        }
        Ok(())
    }

    /// A game ended, and `absent` tells which of its players did not come. The loser, if absent, is not
    /// paired again. No events for a game that does not matter any more.
    #[must_use]
    pub fn game_ended(
        &self,
        game: GameId,
        outcome: TournamentOutcome,
        absent: [bool; 2],
    ) -> Vec<TournamentEvent> {
        let Some(players) = self.pending_players(game) else { return Vec::new() };
        let mut events = vec![TournamentEvent::GameEnded { game, outcome }];
        let loser = match outcome {
            TournamentOutcome::First => Some(1),
            TournamentOutcome::Second => Some(0),
            TournamentOutcome::Draw | TournamentOutcome::None => None,
        };
        if let Some(loser) = loser.filter(|loser| absent[*loser]) {
            let player = self.players[players[loser]];
            if player.is_active {
                let (player, reason) = (player.identity, WithdrawalReason::NoShow);
                events.push(TournamentEvent::Withdrawn { player, reason });
            }
        }
        events
    }

    /// What is due at a time: the start, the next pairing, the end.
    #[must_use]
    pub fn tick(&self, now: Millis, new_game: impl FnMut() -> GameId) -> Vec<TournamentEvent> {
        if self.due_at().is_none_or(|due| now < due) {
            return Vec::new();
        }
        match self.phase {
            TournamentPhase::Waiting => vec![match self.setup.settings.starts_at {
                Some(_) if self.active_players() >= 2 => TournamentEvent::Started,
                _ => TournamentEvent::Cancelled,
            }],
            TournamentPhase::Running => vec![self.next_step(now, new_game)],
            TournamentPhase::Finished | TournamentPhase::Cancelled => Vec::new(),
        }
    }

    fn next_step(&self, now: Millis, mut new_game: impl FnMut() -> GameId) -> TournamentEvent {
        let pairing = match self.is_arena() {
            true if self.ends_at().is_some_and(|end| now >= end) => None,
            true => Some(self.pair_free_players()),
            false => self.pair_round(),
        };
        let Some(Pairing { pairs, byes }) = pairing else { return TournamentEvent::Finished };
        let identity = |number: usize| self.players[number].identity;
        let game = |[first, second]: [usize; 2]| PairedGame {
            game: new_game(),
            first: identity(first),
            second: identity(second),
        };
        TournamentEvent::Paired {
            games: pairs.into_iter().map(game).collect(),
            byes: byes.into_iter().map(identity).collect(),
        }
    }

    /// When something is due although nobody asks.
    #[must_use]
    pub fn due_at(&self) -> Option<Millis> {
        match self.phase {
            TournamentPhase::Waiting => {
                let deadline = self.created_at().saturating_add(self.setup.waiting_ms);
                Some(self.setup.settings.starts_at.unwrap_or(deadline))
            }
            TournamentPhase::Running if self.is_arena() => {
                self.ends_at().into_iter().chain(self.next_pairing_at()).min()
            }
            TournamentPhase::Running => self.next_pairing_at(),
            TournamentPhase::Finished | TournamentPhase::Cancelled => None,
        }
    }

    /// When the next games are paired, or it turns out that there are none left.
    #[must_use]
    pub fn next_pairing_at(&self) -> Option<Millis> {
        let can_pair = self.phase == TournamentPhase::Running
            && if self.is_arena() {
                self.can_pair_free_players()
            } else {
                !self.has_pending_games()
            };
        can_pair.then_some(self.pairing_at)
    }
}
