//! Who is there: players connect, disconnect and come back.

use noughts_api::{GamePhase, IdentityId, SeatHolder};
use noughts_rules::Seat;
use tokio::time::Instant;

use super::game_task::{GameTask, OutOfSync};
use crate::game::ServerCommand;

/// What the task knows of players besides their open sockets.
#[derive(Debug, Default)]
pub(super) struct Presence {
    /// When players last sent a request, as bots do that keep no socket open.
    visits: Vec<(IdentityId, Instant)>,
    /// When players who disconnected will be noted as away.
    departures: Vec<(IdentityId, Instant)>,
}

impl GameTask {
    pub(super) fn is_player(&self, identity: IdentityId) -> bool {
        self.game.seats_of(identity).next().is_some()
    }

    fn players(&self) -> Vec<IdentityId> {
        let holders = self.game.seats().iter().map(|seat| &seat.holder);
        let mut players: Vec<IdentityId> = holders
            .filter_map(|holder| match holder {
                SeatHolder::Taken(player) => Some(player.identity),
                _ => None,
            })
            .collect();
        players.sort_unstable();
        players.dedup();
        players
    }

    /// The players that are connected, or were a moment ago.
    pub(super) fn present(&self) -> Vec<IdentityId> {
        self.players().into_iter().filter(|player| self.is_present(*player)).collect()
    }

    fn is_present(&self, identity: IdentityId) -> bool {
        let grace = self.games.config.grace();
        let mut visits = self.presence.visits.iter();
        self.subscribers.includes(identity)
            || self.games.streams.includes(identity)
            || visits.any(|(visitor, at)| *visitor == identity && at.elapsed() <= grace)
    }

    /// Notes that a player sent a request.
    pub(super) fn note_visit(&mut self, player: IdentityId) {
        self.presence.visits.retain(|(visitor, _)| *visitor != player);
        self.presence.visits.push((player, Instant::now()));
        // Other servers learn only from an event that somebody who waits for players has gone.
        if self.game.phase() == GamePhase::Open && self.games.storage.is_shared {
            self.expect_departure(player);
        }
    }

    pub(super) fn unsubscribe(&mut self, id: u64) {
        let subscriber = self.subscribers.remove(id);
        let is_stopping = self.games.lifecycle.closing.is_cancelled();
        if let Some(identity) = subscriber.and_then(|subscriber| subscriber.identity)
            && !is_stopping
            && self.game.needs_players()
            && self.is_player(identity)
        {
            self.expect_departure(identity);
        }
    }

    /// Notes a player as away soon, unless they come back: a page that reloads is not away.
    fn expect_departure(&mut self, player: IdentityId) {
        let at = Instant::now() + self.games.config.grace();
        self.presence.departures.retain(|(other, _)| *other != player);
        self.presence.departures.push((player, at));
    }

    /// When the next player may have to be noted as away.
    pub(super) fn next_departure(&self) -> Option<Instant> {
        self.presence.departures.iter().map(|(_, at)| *at).min()
    }

    /// After an outage nobody is connected: players who don't come back in time are away.
    pub(super) fn expect_players_after_outage(&mut self) {
        let had_outage = self.games.outages.since(self.game.updated_at()) > 0;
        if had_outage && self.game.phase() != GamePhase::Finished {
            self.players().into_iter().for_each(|player| self.expect_departure(player));
        }
    }

    /// Notes players as away whose time to come back has passed.
    pub(super) async fn check_departures(&mut self) -> Result<(), OutOfSync> {
        let now = Instant::now();
        let is_due = |(_, at): &mut (IdentityId, Instant)| *at <= now;
        let due: Vec<_> = self.presence.departures.extract_if(.., is_due).collect();
        for (player, _) in due {
            if !self.is_present(player) {
                for seat in self.game.seats_of(player).collect::<Vec<_>>() {
                    self.server_command(ServerCommand::Leave { seat }).await?;
                }
            }
        }
        Ok(())
    }

    /// Players who are present are not away, even if another server that doesn't see them says so.
    pub(super) async fn return_present_players(&mut self) -> Result<(), OutOfSync> {
        let is_back = |seat: &Seat| {
            let identity = self.game.seats()[seat.index()].holder.identity();
            self.game.away_since(*seat).is_some()
                && identity.is_some_and(|identity| self.is_present(identity))
        };
        let back: Vec<Seat> = self.game.rules().seats().filter(is_back).collect();
        for seat in back {
            self.server_command(ServerCommand::Return { seat }).await?;
        }
        Ok(())
    }

    /// Somebody claims the game while nobody is noted as away: absent players are from now on.
    /// Returns whether there are any.
    pub(super) async fn note_absences(&mut self, claimant: IdentityId) -> Result<bool, OutOfSync> {
        let is_absent = |seat: &Seat| match &self.game.seats()[seat.index()].holder {
            SeatHolder::Taken(player) => {
                player.identity != claimant && !self.is_present(player.identity)
            }
            _ => false,
        };
        let absent: Vec<Seat> = self.game.rules().seats().filter(is_absent).collect();
        let mut noted = false;
        for seat in absent {
            noted |= self.server_command(ServerCommand::Leave { seat }).await?;
        }
        Ok(noted)
    }
}
