//! Whether anybody is at a game.

use std::sync::Arc;

use noughts_api::{GameId, GamePhase, SeatHolder};
use noughts_rules::Seat;

use super::LiveGames;
use super::message::Snapshot;

impl Snapshot {
    /// Whether nobody is away. Players of other servers are known to be away only after they left.
    pub(crate) fn is_complete(&self, is_shared: bool) -> bool {
        let mut seats = self.game.rules().seats();
        seats.all(|seat| {
            self.game.seats()[seat.index()].holder.identity().is_none()
                || self.is_there(seat, is_shared)
        })
    }

    /// Whether any person is there.
    fn is_anybody_there(&self, is_shared: bool) -> bool {
        self.game.rules().seats().any(|seat| {
            matches!(self.game.seats()[seat.index()].holder, SeatHolder::Taken(_))
                && self.is_there(seat, is_shared)
        })
    }

    fn is_there(&self, seat: Seat, is_shared: bool) -> bool {
        let identity = self.game.seats()[seat.index()].holder.identity();
        self.game.away_since(seat).is_none()
            && (is_shared || identity.is_some_and(|player| self.present.contains(&player)))
    }

    /// Whether a seat is free for anybody.
    fn has_free_seat(&self) -> bool {
        self.game.seats().iter().any(|seat| matches!(seat.holder, SeatHolder::Open))
    }
}

impl LiveGames {
    /// Whether an open game can be joined and everyone in it is there, and whether a player of a live
    /// one is. Games that are over need nobody.
    pub(crate) async fn is_attended(self: &Arc<LiveGames>, game: GameId) -> bool {
        let is_shared = self.storage.is_shared;
        // Without other servers, players are only at games that have a task here.
        if !is_shared && self.registry.running(game).is_none() {
            return false;
        }
        let Ok(snapshot) = self.snapshot(game, None).await else { return false };
        match snapshot.game.phase() {
            GamePhase::Open => snapshot.has_free_seat() && snapshot.is_complete(is_shared),
            GamePhase::Live => snapshot.is_anybody_there(is_shared),
            GamePhase::Finished => true,
        }
    }
}
