//! Counting how often the same players, or the same addresses, meet in rated games of a day.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use noughts_scores::{Weight, weights};
use serde::Serialize;

use crate::database::{AppendTransaction, BulkInsert, ColumnType, write};
use crate::log::ResultPlayer;
use crate::{Store, StoreError};

use ColumnType::{Integer, Text};

const DAY_MS: i64 = 24 * 3600 * 1000;

/// The address from which each identity signed in last, if it is known.
static ADDRESSES: LazyLock<BulkInsert> = LazyLock::new(|| {
    BulkInsert::new(
        &[("identity_id", Integer)],
        "SELECT input.identity_id, (SELECT address FROM tokens
             WHERE tokens.identity_id = input.identity_id AND address IS NOT NULL
             ORDER BY created_at DESC LIMIT 1)
         FROM input",
    )
});

#[derive(Serialize)]
struct IdentityRow {
    identity_id: i64,
}

/// Counts games, and returns how many there are now.
static DAILY_GAMES: LazyLock<BulkInsert> = LazyLock::new(|| {
    BulkInsert::new(
        &[("league_id", Integer), ("day", Integer), ("pair", Text), ("games", Integer)],
        // Inserting in the order of the keys keeps servers from deadlocks.
        "INSERT INTO daily_games (league_id, day, pair, games)
         SELECT league_id, day, pair, games FROM input
         WHERE true ORDER BY league_id, day, pair
         ON CONFLICT (league_id, day, pair)
             DO UPDATE SET games = daily_games.games + excluded.games
         RETURNING league_id, day, pair, games",
    )
});

#[derive(Serialize)]
struct DailyGamesRow<'a> {
    league_id: i64,
    day: i64,
    pair: &'a str,
    games: i64,
}

/// A rated game to be weighed.
#[derive(Debug)]
pub(crate) struct Unweighed<'a> {
    pub(crate) league_id: i64,
    /// When it ended.
    pub(crate) at: i64,
    pub(crate) players: &'a [ResultPlayer],
}

/// A pair in a league on a day.
type Key = (i64, i64, String);

/// Decides how much each of some games counts for its players, in the order of the games, and counts
/// them. The caller has locked their leagues.
pub(crate) async fn weigh(
    transaction: &mut AppendTransaction<'_>,
    games: &[Unweighed<'_>],
) -> Result<Vec<Vec<Weight>>, StoreError> {
    let identities: BTreeSet<i64> =
        games.iter().flat_map(|game| game.players).map(|player| player.identity.0).collect();
    let rows: Vec<IdentityRow> =
        identities.into_iter().map(|identity_id| IdentityRow { identity_id }).collect();
    let addresses = transaction.fetch_addresses(&ADDRESSES, &rows).await?;
    let addresses: HashMap<i64, String> =
        addresses.into_iter().filter_map(|(id, address)| Some((id, address?))).collect();

    let keys: Vec<BTreeSet<Key>> = games.iter().map(|game| keys(game, &addresses)).collect();
    let mut added: BTreeMap<&Key, i64> = BTreeMap::new();
    for key in keys.iter().flatten() {
        *added.entry(key).or_default() += 1;
    }
    let rows: Vec<DailyGamesRow<'_>> = added
        .iter()
        .map(|((league_id, day, pair), games)| DailyGamesRow {
            league_id: *league_id,
            day: *day,
            pair,
            games: *games,
        })
        .collect();
    let counted = transaction.fetch_daily_games(&DAILY_GAMES, &rows).await?;
    let mut games_before: HashMap<Key, i64> = counted
        .into_iter()
        .map(|(league_id, day, pair, games)| {
            let key = (league_id, day, pair);
            let before = games - added.get(&key).copied().unwrap_or_default();
            (key, before)
        })
        .collect();

    let mut weighed = Vec::with_capacity(games.len());
    for (game, keys) in games.iter().zip(&keys) {
        let mut nth = 0;
        for key in keys {
            let count = games_before.entry(key.clone()).or_default();
            *count += 1;
            nth = nth.max(*count);
        }
        let provisional: Vec<bool> =
            game.players.iter().map(|player| player.is_provisional).collect();
        let of_game = Weight::of_nth_game(u64::try_from(nth).unwrap_or(0));
        weighed.push(weights(&provisional, of_game));
    }
    Ok(weighed)
}

/// The pairs of players and of their addresses. A computer and a guest have no address, and stand for
/// themselves.
fn keys(game: &Unweighed<'_>, addresses: &HashMap<i64, String>) -> BTreeSet<Key> {
    let day = game.at.div_euclid(DAY_MS);
    let player = |id: i64| format!("player {id}");
    let origin = |id: i64| addresses.get(&id).map_or_else(|| player(id), |a| format!("from {a}"));
    let key = |mut pair: [String; 2]| {
        pair.sort();
        (game.league_id, day, pair.join(", "))
    };
    let ids: Vec<i64> = game.players.iter().map(|player| player.identity.0).collect();
    let mut keys = BTreeSet::new();
    for (index, &first) in ids.iter().enumerate() {
        for &second in &ids[index + 1..] {
            keys.insert(key([player(first), player(second)]));
            keys.insert(key([origin(first), origin(second)]));
        }
    }
    keys
}

impl Store {
    /// Forgets how often players met on days before the one before this time, in milliseconds since
    /// 1970.
    pub async fn forget_daily_games(&self, now: i64) -> Result<(), StoreError> {
        write!(&*self.database, connection => {
            sqlx::query("DELETE FROM daily_games WHERE day < $1")
                .bind(now.div_euclid(DAY_MS) - 1)
                .execute(connection)
                .await?;
            Ok(())
        })
    }
}
