//! Leagues and their results.

use std::collections::HashMap;
use std::fmt::Display;

use noughts_scores::{GameResult, League, Name, Outcome, Report, ResultId, System, Weight};

use crate::database::{read, write};
use crate::{IdentityId, IdentityKind, Store, StoreError};

const MAX_NAME_CHARS: usize = 64;

/// The leagues of online games before each kind of game had its own: of two players, and of more.
/// [`Store::move_results`] empties them.
pub const LEGACY_LEAGUES: [&str; 2] = ["online", "online-many"];

/// A league by name, with the rating system it gets if it is created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeagueChoice {
    /// The league's name.
    pub name: String,
    /// The rating system of a new league.
    pub system: System,
}

impl Default for LeagueChoice {
    /// `local`, with a point for each win.
    fn default() -> Self {
        LeagueChoice { name: "local".into(), system: System::Wins }
    }
}

impl LeagueChoice {
    /// Checks the name.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeagueName`] if it is invalid.
    pub fn check(&self) -> Result<(), StoreError> {
        check_name(&self.name)
    }
}

/// A league at a glance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeagueSummary {
    /// The name.
    pub name: String,
    /// The rating system.
    pub system: System,
    /// The number of results that count.
    pub results: u64,
}

/// A row of `leagues`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeagueRow {
    pub(crate) id: i64,
    pub(crate) system: System,
    /// Whether it takes the results of online games, or those of terminal games.
    pub(crate) online: bool,
}

/// Consecutive results of an online league.
pub(crate) struct ResultPage {
    /// Those that were not retracted.
    pub(crate) reports: Vec<Report<IdentityId>>,
    /// The id of the last one, retracted or not.
    pub(crate) newest: i64,
}

impl Store {
    /// All leagues by name.
    pub async fn leagues(&self) -> Result<Vec<LeagueSummary>, StoreError> {
        let rows: Vec<(String, String, i64)> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT name, system, (SELECT count(*) FROM results
                 WHERE league_id = leagues.id AND retracted_at IS NULL)
             FROM leagues ORDER BY name",
        )
        .fetch_all(executor)
        .await)?;
        let is_used = |(name, _, results): &(String, String, i64)| {
            *results > 0 || !LEGACY_LEAGUES.contains(&name.as_str())
        };
        rows.into_iter()
            .filter(is_used)
            .map(|(name, system, results)| {
                let system = system.parse().map_err(|_| self.damaged())?;
                Ok(LeagueSummary { name, system, results: results as u64 })
            })
            .collect()
    }

    /// Creates a league. Its first result decides whether it is for terminal or online games.
    ///
    /// # Errors
    ///
    /// Refuses an invalid name, and the name of a league that exists.
    pub async fn create_league(&self, choice: &LeagueChoice) -> Result<(), StoreError> {
        check_name(&choice.name)?;
        if self.insert_league(choice, false).await? {
            return Ok(());
        }
        let found = self.find_league(&choice.name).await?.ok_or_else(|| self.damaged())?;
        Err(StoreError::LeagueExists { name: choice.name.clone(), system: found.system })
    }

    /// Reserves a league for online games. A league that does not exist is created if `create`.
    ///
    /// # Errors
    ///
    /// Refuses a league with results of terminal games, and one with another rating system.
    pub async fn reserve_online_league(
        &self,
        choice: &LeagueChoice,
        create: bool,
    ) -> Result<(), StoreError> {
        let name = choice.name.clone();
        let row = match self.find_league(&name).await? {
            Some(found) => self.try_make_online(found).await?,
            None if create => self.find_or_create_league(choice, true).await?,
            None => return Ok(()),
        };
        if !row.online {
            return Err(StoreError::OtherLeague { name, online: false });
        }
        if row.system != choice.system {
            return Err(StoreError::LeagueExists { name, system: row.system });
        }
        Ok(())
    }

    /// A league with its results that were not retracted. Online players go by their current names;
    /// guests are not listed.
    pub async fn league(&self, name: &str) -> Result<Option<League<Name>>, StoreError> {
        match self.find_league(name).await? {
            Some(row) if row.online => self.online_league(row).await.map(Some),
            Some(row) => self.terminal_league(row).await.map(Some),
            None => Ok(None),
        }
    }

    async fn online_league(&self, row: LeagueRow) -> Result<League<Name>, StoreError> {
        let mut league = self.load_league(row).await?.league;
        let ids: Vec<IdentityId> = league.players().copied().collect();
        let players = self.kinds_and_names_of(&ids).await?;
        let guests = players.iter().filter(|(_, (kind, _))| *kind == IdentityKind::Guest);
        guests.for_each(|(id, _)| league.set_listed(id, false));
        let unknown = |id: &IdentityId| Name::new(&format!("#{id}")).map_err(|_| self.damaged());
        let mut names: HashMap<IdentityId, Name> = HashMap::with_capacity(players.len());
        for id in league.keys() {
            let name = players.get(id).and_then(|(_, name)| Name::new(name).ok());
            names.insert(*id, name.map_or_else(|| unknown(id), Ok)?);
        }
        league.map_keys(|id| names[&id].clone()).ok_or_else(|| self.damaged())
    }

    async fn terminal_league(&self, row: LeagueRow) -> Result<League<Name>, StoreError> {
        type Row = (i64, i64, Option<i64>, i64, String);
        let rows: Vec<Row> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT results.id, ended_at, winner_seat, weight, name
             FROM results JOIN result_players ON result_id = results.id
             WHERE league_id = $1 AND retracted_at IS NULL
             ORDER BY results.id, seat",
        )
        .bind(row.id)
        .fetch_all(executor)
        .await)?;
        let reports: Option<Vec<Report<Name>>> = rows
            .chunk_by(|left, right| left.0 == right.0)
            .map(|seats| {
                let (id, at, winner, ..) = seats[0];
                let names: Result<Vec<Name>, _> =
                    seats.iter().map(|(.., name)| Name::new(name)).collect();
                report(id, at, winner, names.ok()?, seats.iter().map(|seat| seat.3))
            })
            .collect();
        let mut league = League::new(row.system);
        match reports.map(|reports| league.report_all(&reports)) {
            Some(Ok(())) => Ok(league),
            _ => Err(self.damaged()),
        }
    }

    /// The next results of an online league after one of them, at most `limit`; `None` at the end.
    pub(crate) async fn results_after(
        &self,
        league_id: i64,
        after: i64,
        limit: i64,
    ) -> Result<Option<ResultPage>, StoreError> {
        type Row = (i64, i64, Option<i64>, Option<i64>, i64, i64);
        let rows: Vec<Row> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT results.id, ended_at, winner_seat, retracted_at, weight,
                 coalesce(identity_id, 0)
             FROM results JOIN result_players ON result_id = results.id
             WHERE results.id IN (SELECT id FROM results
                 WHERE league_id = $1 AND id > $2 ORDER BY id LIMIT $3)
             ORDER BY results.id, seat",
        )
        .bind(league_id)
        .bind(after)
        .bind(limit)
        .fetch_all(executor)
        .await)?;
        let Some(&(newest, ..)) = rows.last() else { return Ok(None) };
        let results = rows.chunk_by(|left, right| left.0 == right.0);
        let counting = results.filter(|seats| seats[0].3.is_none());
        let reports = counting.map(|seats| {
            let (id, at, winner, ..) = seats[0];
            let players = seats.iter().map(|seat| IdentityId(seat.5)).collect();
            report(id, at, winner, players, seats.iter().map(|seat| seat.4))
        });
        let reports: Option<Vec<_>> = reports.collect();
        Ok(Some(ResultPage { reports: reports.ok_or_else(|| self.damaged())?, newest }))
    }

    /// The league with this name.
    pub(crate) async fn find_league(&self, name: &str) -> Result<Option<LeagueRow>, StoreError> {
        let row: Option<(i64, String, i64)> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT id, system, online FROM leagues WHERE name = $1",
        )
        .bind(name)
        .fetch_optional(executor)
        .await)?;
        row.map(|(id, system, online)| {
            let system = system.parse().map_err(|_| self.damaged())?;
            Ok(LeagueRow { id, system, online: online != 0 })
        })
        .transpose()
    }

    /// The league with this name, created if it does not exist.
    pub(crate) async fn find_or_create_league(
        &self,
        choice: &LeagueChoice,
        online: bool,
    ) -> Result<LeagueRow, StoreError> {
        if let Some(found) = self.find_league(&choice.name).await? {
            return if online { self.try_make_online(found).await } else { Ok(found) };
        }
        check_name(&choice.name)?;
        self.insert_league(choice, online).await?;
        self.find_league(&choice.name).await?.ok_or_else(|| self.damaged())
    }

    /// Turns a league without results into one for online games.
    async fn try_make_online(&self, league: LeagueRow) -> Result<LeagueRow, StoreError> {
        if league.online {
            return Ok(league);
        }
        let online = write!(&*self.database, connection => {
            // Takes the lock first, so that a concurrent result is seen.
            sqlx::query("UPDATE leagues SET online = online WHERE id = $1")
                .bind(league.id)
                .execute(&mut *connection)
                .await?;
            let updated = sqlx::query(
                "UPDATE leagues SET online = 1 WHERE id = $1
                     AND NOT EXISTS (SELECT 1 FROM results WHERE league_id = $1)",
            )
            .bind(league.id)
            .execute(connection)
            .await?;
            Ok(updated.rows_affected() == 1)
        })?;
        Ok(LeagueRow { online, ..league })
    }

    /// Creates a league, and returns whether the name was free.
    async fn insert_league(&self, choice: &LeagueChoice, online: bool) -> Result<bool, StoreError> {
        write!(&*self.database, connection => {
            let inserted = sqlx::query(
                "INSERT INTO leagues (name, system, online) VALUES ($1, $2, $3)
                 ON CONFLICT DO NOTHING",
            )
            .bind(&choice.name)
            .bind(choice.system.as_str())
            .bind(i64::from(online))
            .execute(connection)
            .await?;
            Ok(inserted.rows_affected() == 1)
        })
    }
}

fn check_name(name: &str) -> Result<(), StoreError> {
    let fits = (1..=MAX_NAME_CHARS).contains(&name.chars().count());
    if fits && name.trim() == name && !name.chars().any(char::is_control) {
        Ok(())
    } else {
        Err(StoreError::LeagueName)
    }
}

/// A report of a stored result; `None` for invalid data.
pub(crate) fn report<K: Eq + Display>(
    id: i64,
    at: i64,
    winner: Option<i64>,
    players: Vec<K>,
    weights: impl Iterator<Item = i64>,
) -> Option<Report<K>> {
    let outcome = match winner {
        Some(seat) => Outcome::Won { seat: u8::try_from(seat).ok()? },
        None => Outcome::Draw,
    };
    let weights: Vec<Weight> = weights.map(weight).collect::<Option<_>>()?;
    let result = GameResult::new(players, outcome).ok()?.with_weights(&weights);
    Some(Report { id: ResultId(u64::try_from(id).ok()?), at, result })
}

/// A weight as stored.
pub(crate) fn weight(percent: i64) -> Option<Weight> {
    Weight::from_percent(u8::try_from(percent).ok()?)
}
