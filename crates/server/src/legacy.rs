//! Ratings of earlier versions, in which all kinds of games shared two leagues and every game counted.

use std::time::{SystemTime, UNIX_EPOCH};

use noughts_api::IdentityId;
use noughts_rules::describe::{OTHER_KIND, kind};
use noughts_rules::{Game, Rules};
use noughts_store::{
    AuditedResult, IdentityKind, LEGACY_LEAGUES, MovedResult, ResultPlayer, Store, StoreError,
};

use crate::config::Config;
use crate::game::uncounted;

/// Results moved at once.
const PAGE_SIZE: u32 = 1_000;

/// Moves the results of earlier versions to the leagues of their kinds of games, weighs them, and
/// retracts those that would not count today.
pub(crate) async fn move_legacy_results(store: &Store, config: &Config) -> Result<(), StoreError> {
    let league = |rules: &str| Some(config.league_of(&rules.parse().ok()?).name);
    store.rename_legacy_leagues(league).await?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = i64::try_from(now.as_millis()).unwrap_or(i64::MAX);
    for legacy in LEGACY_LEAGUES {
        let mut last = None;
        loop {
            let results = store.results_for_audit(Some(legacy), last, PAGE_SIZE).await?;
            match (results.last(), last) {
                (Some(result), _) => last = Some(result.id),
                (None, None) => break,
                // Another server may have been moving some of these, or storing more.
                (None, Some(_)) => {
                    last = None;
                    continue;
                }
            }
            tracing::info!(league = legacy, results = results.len(), "moving results");
            let moved = moved(store, config, &results).await?;
            store.move_results(&moved, now).await?;
        }
    }
    Ok(())
}

async fn moved(
    store: &Store,
    config: &Config,
    results: &[AuditedResult],
) -> Result<Vec<MovedResult>, StoreError> {
    let players = results.iter().flat_map(|result| &result.players);
    let identities: Vec<IdentityId> = players.filter_map(|player| player.identity).collect();
    let kinds = store.kinds_of(&identities).await?;
    let has_kind = |id: Option<IdentityId>, kind: IdentityKind| {
        id.and_then(|id| kinds.get(&id)).is_some_and(|found| *found == kind)
    };
    let moved = results.iter().map(|result| {
        let game = result.record.parse::<Game>().ok();
        let is_computer = |seat: usize| {
            let player = result.players.get(seat);
            has_kind(player.and_then(|player| player.identity), IdentityKind::Computer)
        };
        let counts = |game: &Game| uncounted(game, |seat| is_computer(seat.index())).is_none();
        let kind = game.as_ref().map(Game::rules).map_or(OTHER_KIND, |rules: &Rules| kind(rules));
        let player = |player: &noughts_store::AuditedPlayer| ResultPlayer {
            identity: player.identity.unwrap_or(IdentityId(0)),
            name: player.name.clone(),
            is_provisional: has_kind(player.identity, IdentityKind::Guest),
        };
        MovedResult {
            id: result.id,
            at: result.at,
            league: config.league(kind).expect("every kind of game has a league"),
            players: result.players.iter().map(player).collect(),
            counts: game.as_ref().is_some_and(counts),
        }
    });
    Ok(moved.collect())
}
