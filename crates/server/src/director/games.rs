//! The games of a tournament: created like all others, with the tournament in their setup.

use futures_util::future::join_all;
use noughts_api::{GamePhase, GameSetup, IdentityKind, Participant, SeatHolder, SeatSetup};
use noughts_store::StoreError;

use super::Directors;
use crate::live::{EndedGame, ended_game};
use crate::tournament::{PlayedGame, Tournament};

impl Directors {
    /// Creates games that were paired, unless they exist. What fails is tried again when a server next
    /// looks after the tournament.
    pub(super) async fn create_games(&self, tournament: &Tournament, games: &[PlayedGame]) {
        let created = join_all(games.iter().map(async |game| {
            let setup =
                self.game_setup(tournament, game).await.map_err(|error| error.to_string())?;
            let created = self.games.create(game.game, setup, None).await;
            created.map_err(|error| error.to_string())
        }));
        for error in created.await.into_iter().filter_map(Result::err) {
            tracing::warn!(error, tournament = %tournament.id(), "could not create a game");
        }
    }

    async fn game_setup(
        &self,
        tournament: &Tournament,
        game: &PlayedGame,
    ) -> Result<GameSetup, StoreError> {
        let setup = tournament.setup();
        let mut seats = Vec::new();
        for number in game.players {
            let player = tournament.players()[number];
            let (name, kind) = self.player(player.identity).await?;
            let kind = if player.is_bot { IdentityKind::Bot } else { kind };
            let holder = SeatHolder::Taken(Participant { identity: player.identity, name, kind });
            seats.push(SeatSetup { holder, symbol: None });
        }
        Ok(GameSetup {
            v: 1,
            rules: setup.settings.rules.clone(),
            seats,
            league: setup.settings.league.clone(),
            clock: Some(setup.settings.clock),
            public: setup.settings.public,
            creator: setup.creator,
            away_ms: setup.away_ms,
            idle_ms: setup.idle_ms,
            open_ms: None,
            rematch_of: None,
            series: None,
            moves: Vec::new(),
            tournament: Some(tournament.id()),
            first_move_ms: Some(setup.first_move_ms),
        })
    }

    /// Compares the games that should be played with the log: creates those that are missing, and returns
    /// those that have ended.
    pub(super) async fn check_games(
        self: &std::sync::Arc<Directors>,
        tournament: &Tournament,
    ) -> Result<Vec<EndedGame>, StoreError> {
        let (mut missing, mut ended) = (Vec::new(), Vec::new());
        for pending in tournament.pending_games() {
            match self.storage.log.game(pending.game).await? {
                None => missing.push(pending),
                Some(listed) if listed.listing.phase == GamePhase::Finished => {
                    // One that can't be read now is looked at again later.
                    if let Ok(snapshot) = self.games.snapshot(pending.game, None).await {
                        ended.extend(ended_game(&snapshot.game));
                    }
                }
                Some(_) => {}
            }
        }
        self.create_games(tournament, &missing).await;
        Ok(ended)
    }
}
