//! How players have done, by kind of game and by opponent.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use noughts_api::{
    EndReason, ErrorBody, GamePhase, IdentityId, IdentityKind, KindRecord, OpponentRecord,
    PlayerStatistics, SummaryDetails,
};
use noughts_rules::Rules;
use noughts_rules::describe::kind;
use noughts_store::{GameQuery, ListedGame};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::AnyCaller;
use super::error::ApiError;
use super::input::PathParams;
use super::leagues::{find_player, title};
use crate::app::App;

const PAGE_SIZE: u32 = 200;

const MAX_PAGES: usize = 5;

const MAX_OPPONENTS: usize = 20;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(statistics))
}

/// Get a player's statistics
///
/// By kind of game and by opponent, rated or not. Games that were aborted or abandoned don't count.
#[utoipa::path(get, path = "/players/{name}/statistics", tag = "people",
    params(("name" = String, Path, description = "The player")),
    responses((status = 200, body = PlayerStatistics), (status = 404, body = ErrorBody)))]
async fn statistics(
    State(app): State<Arc<App>>,
    caller: AnyCaller,
    PathParams(name): PathParams<String>,
) -> Result<Json<PlayerStatistics>, ApiError> {
    let player = find_player(&app, &name).await?;
    let mut query = GameQuery {
        phase: Some(GamePhase::Finished),
        player: Some(player.id),
        public_only: caller.id() != Some(player.id),
        rules: None,
        before: None,
        limit: PAGE_SIZE,
    };
    let mut counts = Counts::default();
    for _ in 0..MAX_PAGES {
        let page = app.storage.log.games(&query).await?;
        page.iter().for_each(|game| counts.add(game, player.id));
        query.before = page.last().map(|game| game.game);
        if page.len() < PAGE_SIZE as usize {
            break;
        }
    }
    Ok(Json(counts.into_statistics()))
}

/// How a game ended for a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum PlayerResult {
    /// They won.
    Won,
    /// Somebody else won.
    Lost,
    /// Nobody won.
    Drawn,
}

impl PlayerResult {
    /// The result of a finished game for a player with one seat. None if the game does not count.
    pub(super) fn of(
        game: &ListedGame,
        details: &SummaryDetails,
        player: IdentityId,
    ) -> Option<PlayerResult> {
        let mut seats = (0..).zip(&game.listing.seats).filter(|(_, seat)| **seat == Some(player));
        let (Some((seat, _)), None) = (seats.next(), seats.next()) else { return None };
        match (details.winner, details.reason?) {
            (_, EndReason::Aborted | EndReason::Abandoned) => None,
            (Some(winner), _) if winner.index() == seat => Some(PlayerResult::Won),
            (Some(_), _) => Some(PlayerResult::Lost),
            (None, _) => Some(PlayerResult::Drawn),
        }
    }
}

/// Won, lost and drawn games.
#[derive(Debug, Clone, Copy, Default)]
struct Record {
    wins: u32,
    losses: u32,
    draws: u32,
}

impl Record {
    fn add(&mut self, result: PlayerResult) {
        *match result {
            PlayerResult::Won => &mut self.wins,
            PlayerResult::Lost => &mut self.losses,
            PlayerResult::Drawn => &mut self.draws,
        } += 1;
    }

    fn games(self) -> u32 {
        self.wins + self.losses + self.draws
    }
}

/// Under the name of the newest game.
#[derive(Debug)]
struct Opponent {
    name: String,
    kind: IdentityKind,
    record: Record,
}

#[derive(Debug, Default)]
struct Counts {
    games: u32,
    kinds: HashMap<String, Record>,
    opponents: HashMap<IdentityId, Opponent>,
    /// The kinds of rules that were seen before.
    kinds_of_rules: HashMap<String, String>,
}

impl Counts {
    fn add(&mut self, game: &ListedGame, player: IdentityId) {
        let Ok(details) = serde_json::from_str::<SummaryDetails>(&game.listing.detail) else {
            return;
        };
        let Some(result) = PlayerResult::of(game, &details, player) else { return };
        self.games += 1;
        let kind = self.kind_of(&game.listing.rules);
        self.kinds.entry(kind).or_default().add(result);
        let mut others = game.listing.seats.iter().zip(&details.players);
        let other = others.find(|(seat, _)| **seat != Some(player));
        if let (2, Some((Some(identity), other))) = (details.players.len(), other)
            && let (Some(name), Some(kind)) = (&other.name, other.kind)
        {
            // The newest game comes first.
            let opponent = self.opponents.entry(*identity).or_insert_with(|| Opponent {
                name: name.clone(),
                kind,
                record: Record::default(),
            });
            opponent.record.add(result);
        }
    }

    fn kind_of(&mut self, rules: &str) -> String {
        if let Some(kind) = self.kinds_of_rules.get(rules) {
            return kind.clone();
        }
        let kind = rules.parse::<Rules>().map_or("other", |rules| kind(&rules)).to_string();
        self.kinds_of_rules.insert(rules.into(), kind.clone());
        kind
    }

    fn into_statistics(self) -> PlayerStatistics {
        let mut kinds: Vec<_> = self.kinds.into_iter().collect();
        kinds.sort_by_key(|(kind, record)| (Reverse(record.games()), kind.clone()));
        let mut opponents: Vec<_> = self.opponents.into_values().collect();
        opponents.sort_by_key(|other| (Reverse(other.record.games()), other.name.clone()));
        PlayerStatistics {
            games: self.games,
            kinds: kinds
                .into_iter()
                .map(|(kind, Record { wins, losses, draws })| KindRecord {
                    title: title(&kind),
                    kind,
                    wins,
                    losses,
                    draws,
                })
                .collect(),
            opponents: opponents
                .into_iter()
                .take(MAX_OPPONENTS)
                .map(|Opponent { name, kind, record: Record { wins, losses, draws } }| {
                    OpponentRecord { name, kind, wins, losses, draws }
                })
                .collect(),
        }
    }
}
