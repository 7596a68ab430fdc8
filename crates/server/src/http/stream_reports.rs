//! What a player's stream reports of each game.

use std::collections::HashMap;

use noughts_api::{GameId, GamePhase, GameView, IdentityId, Millis, SeatHolder, StreamEvent};

use crate::game::OnlineGame;

/// Finished games are forgotten when this many games are known.
const MAX_KNOWN_GAMES: usize = 1_000;

/// What was reported of each game.
pub(super) struct Reports {
    known: HashMap<GameId, Known>,
    /// Finished games that are not known are reported if they were created after this time: they began and
    /// ended before the stream looked.
    since: Millis,
}

/// What was reported of a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Known {
    phase: Option<GamePhase>,
    /// The event after which it was the player's turn.
    turn_at: Option<u32>,
    rematch_offered: bool,
}

impl Reports {
    pub(super) fn new(now: Millis) -> Reports {
        Reports { known: HashMap::new(), since: now }
    }

    /// The games that the stream has reported.
    pub(super) fn games(&self) -> impl Iterator<Item = GameId> {
        self.known.keys().copied()
    }

    /// Forgets finished games if there are many.
    pub(super) fn forget_finished(&mut self, now: Millis) {
        if self.known.len() > MAX_KNOWN_GAMES {
            self.known.retain(|_, known| known.phase != Some(GamePhase::Finished));
            self.since = now;
        }
    }

    /// What has happened in a game since it was reported last, with its view for the player.
    pub(super) fn events(
        &mut self,
        game: &OnlineGame,
        player: IdentityId,
        view: &GameView,
    ) -> Vec<StreamEvent> {
        let before = self.known.get(&view.id).copied();
        let after = known(view, game.state_seq());
        let is_invited = game.seats().iter().any(|seat| match &seat.holder {
            SeatHolder::Invited { identity, .. } => *identity == player,
            _ => false,
        });
        let is_old = after.phase == Some(GamePhase::Finished) && view.created_at < self.since;
        if before.is_none() && (is_old || !concerns(view, is_invited)) {
            return Vec::new();
        }
        self.known.insert(view.id, after);
        let before = before.unwrap_or_default();
        let has_new_phase = before.phase != after.phase;
        let game = || Box::new(view.clone());
        let mut events = Vec::new();
        match view.phase {
            GamePhase::Open if has_new_phase && is_invited => {
                events.push(StreamEvent::Challenge { game: game() });
            }
            GamePhase::Live if has_new_phase => {
                events.push(StreamEvent::GameStarted { game: game() });
            }
            GamePhase::Finished if has_new_phase => {
                events.push(StreamEvent::GameEnded { game: game() });
            }
            _ => {}
        }
        if after.turn_at.is_some() && after.turn_at != before.turn_at {
            events.push(StreamEvent::YourTurn { game: game() });
        }
        if after.rematch_offered && !before.rematch_offered {
            events.push(StreamEvent::RematchOffered { game: game() });
        }
        events
    }
}

/// Whether a player has a seat, or may take the one that is kept for them.
fn concerns(view: &GameView, is_invited: bool) -> bool {
    is_invited || !view.your_seats.is_empty()
}

fn known(view: &GameView, state_seq: u32) -> Known {
    let is_due =
        view.phase == GamePhase::Live && (view.is_your_turn() || view.awaits_your_undo_answer());
    let offers = &view.rematch_offers;
    let others_offer = offers.iter().any(|seat| !view.your_seats.contains(seat));
    let has_offered = offers.iter().any(|seat| view.your_seats.contains(seat));
    Known {
        phase: Some(view.phase),
        turn_at: is_due.then_some(state_seq),
        rematch_offered: others_offer && !has_offered && view.rematch.is_none(),
    }
}

#[cfg(test)]
mod tests {
    use noughts_api::{Event, ExitReason, IdentityKind, Participant};
    use noughts_rules::{Rules, Seat};
    use serde_json::json;

    use super::*;

    const ANN: IdentityId = IdentityId(1);

    /// A game of Ann and Bob that has just begun.
    fn game(number: u8, created_at: Millis) -> OnlineGame {
        let player = |identity, name: &str| {
            let kind = IdentityKind::Account;
            SeatHolder::Taken(Participant { identity, name: name.into(), kind })
        };
        let holders = [player(ANN, "Ann"), player(IdentityId(2), "Bob")];
        let seats = holders.map(|holder| json!({"holder": holder}));
        let setup = json!({"v": 1, "rules": "3x3", "seats": seats, "public": true, "creator": ANN,
            "away_ms": 60_000, "idle_ms": 60_000});
        let setup = serde_json::from_value(setup).unwrap();
        let id = GameId::new(created_at, [number; 10]);
        OnlineGame::create(id, Rules::classic(), setup, created_at).unwrap()
    }

    fn resign(game: &mut OnlineGame) {
        let resigned = Event::Eliminated { seat: Seat::FIRST, reason: ExitReason::Resigned };
        game.apply(&resigned, game.updated_at() + 1, None).unwrap();
    }

    /// The types of the events that the stream of Ann reports.
    fn reported(reports: &mut Reports, game: &OnlineGame) -> Vec<String> {
        let view = game.view(Some(ANN), game.updated_at());
        let events = reports.events(game, ANN, &view);
        let kind = |event| serde_json::to_value(event).unwrap()["type"].as_str().unwrap().into();
        events.iter().map(kind).collect()
    }

    #[test]
    fn games_that_end_at_once_are_reported() {
        let mut reports = Reports::new(1_000);
        let mut slow = game(1, 2_000);
        assert_eq!(reported(&mut reports, &slow), ["game_started", "your_turn"]);
        resign(&mut slow);
        assert_eq!(reported(&mut reports, &slow), ["game_ended"]);
        let mut quick = game(2, 2_000);
        resign(&mut quick);
        assert_eq!(reported(&mut reports, &quick), ["game_ended"]);
        assert_eq!(reported(&mut reports, &quick), [""; 0]);
        let mut old = game(3, 500);
        resign(&mut old);
        assert_eq!(reported(&mut reports, &old), [""; 0]);
    }

    #[test]
    fn forgotten_games_do_not_end_again() {
        let mut reports = Reports::new(1_000);
        let mut games = Vec::new();
        for number in 0..=MAX_KNOWN_GAMES {
            let mut game = game(0, 2_000 + number as Millis);
            resign(&mut game);
            assert_eq!(reported(&mut reports, &game), ["game_ended"]);
            games.push(game);
        }
        reports.forget_finished(10_000);
        assert_eq!(reports.games().count(), 0);
        assert_eq!(reported(&mut reports, &games[0]), [""; 0]);
    }
}
