//! Leagues and what counts in them.

use std::fmt::Display;

use noughts_scores::{GameResult, League, Name, Outcome, Report, ResultId, System};

use crate::database::{read, write};
use crate::{Store, StoreError};

const LONGEST_NAME: usize = 64;

/// A league that is named, and the rating system it gets if it does not exist yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeagueChoice {
    /// The league's name.
    pub name: String,
    /// The rating system of a new league.
    pub system: System,
}

impl Default for LeagueChoice {
    /// `local`, in which a win is a point.
    fn default() -> Self {
        LeagueChoice { name: "local".into(), system: System::Wins }
    }
}

impl LeagueChoice {
    /// Whether a league can be called that.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeagueName`] says what was expected.
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
    /// How many results count.
    pub results: u64,
}

/// A league's row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeagueRow {
    pub(crate) id: i64,
    pub(crate) system: System,
    /// Whether it is for games of the server, or for those at the terminal.
    pub(crate) online: bool,
}

impl Store {
    /// All leagues by name.
    pub async fn leagues(&self) -> Result<Vec<LeagueSummary>, StoreError> {
        let rows: Vec<(String, String, i64)> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT name, system, (SELECT count(*) FROM results
                 WHERE league = leagues.id AND retracted_at IS NULL)
             FROM leagues ORDER BY name",
        )
        .fetch_all(executor)
        .await)?;
        rows.into_iter()
            .map(|(name, system, results)| {
                let system = system.parse().map_err(|_| self.damaged())?;
                Ok(LeagueSummary { name, system, results: results as u64 })
            })
            .collect()
    }

    /// Makes a league. It becomes one of the terminal or of the server with its first result.
    ///
    /// # Errors
    ///
    /// Refuses a name that is no name, and one that a league has already.
    pub async fn create_league(&self, choice: &LeagueChoice) -> Result<(), StoreError> {
        check_name(&choice.name)?;
        if self.insert_league(choice, false).await? {
            return Ok(());
        }
        let found = self.find_league(&choice.name).await?.ok_or_else(|| self.damaged())?;
        Err(StoreError::LeagueExists { name: choice.name.clone(), system: found.system })
    }

    /// Has online games count in a league, which is made where it is missing and `is_made`.
    ///
    /// # Errors
    ///
    /// Refuses a league in which games of the terminal count, and one of another rating system.
    pub async fn claim_league(
        &self,
        choice: &LeagueChoice,
        is_made: bool,
    ) -> Result<(), StoreError> {
        let name = choice.name.clone();
        let row = match self.find_league(&name).await? {
            Some(found) => self.claim_for_server(found).await?,
            None if is_made => self.find_or_create_league(choice, true).await?,
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

    /// The league with everything that counts in it, or `None` where there is none of that name.
    /// Who has played online goes by the name they have today.
    pub async fn league(&self, name: &str) -> Result<Option<League<Name>>, StoreError> {
        let Some(row) = self.find_league(name).await? else { return Ok(None) };
        let rows: Vec<(i64, i64, Option<i64>, String)> = read!(&*self.database, executor =>
            sqlx::query_as(
                "SELECT results.id, at, winner, coalesce(identities.name, result_players.name)
                 FROM results JOIN result_players ON result = results.id
                 LEFT JOIN identities ON identities.id = identity
                 WHERE league = $1 AND retracted_at IS NULL
                 ORDER BY results.id, seat",
            )
            .bind(row.id)
            .fetch_all(executor)
            .await)?;
        let reports: Option<Vec<Report<Name>>> = rows
            .chunk_by(|left, right| left.0 == right.0)
            .map(|seats| {
                let (id, at, winner, _) = seats[0];
                let names: Result<Vec<Name>, _> =
                    seats.iter().map(|(_, _, _, name)| Name::new(name)).collect();
                report(id, at, winner, names.ok()?)
            })
            .collect();
        let mut league = League::new(row.system);
        let reported = reports.map(|reports| league.report_all(&reports));
        match reported {
            Some(Ok(())) => Ok(Some(league)),
            _ => Err(self.damaged()),
        }
    }

    /// The league's row.
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

    /// The league's row, made where it is missing.
    pub(crate) async fn find_or_create_league(
        &self,
        choice: &LeagueChoice,
        online: bool,
    ) -> Result<LeagueRow, StoreError> {
        if let Some(found) = self.find_league(&choice.name).await? {
            return if online { self.claim_for_server(found).await } else { Ok(found) };
        }
        check_name(&choice.name)?;
        self.insert_league(choice, online).await?;
        self.find_league(&choice.name).await?.ok_or_else(|| self.damaged())
    }

    /// Makes a league one of the server, if nothing has counted in it yet: then it was made with
    /// `noughts scores create`, which does not know what it is for.
    async fn claim_for_server(&self, league: LeagueRow) -> Result<LeagueRow, StoreError> {
        if league.online {
            return Ok(league);
        }
        let claimed = write!(&*self.database, connection => {
            // First the lock, so that a result which is just being counted is seen.
            sqlx::query("UPDATE leagues SET online = online WHERE id = $1")
                .bind(league.id)
                .execute(&mut *connection)
                .await?;
            let claimed = sqlx::query(
                "UPDATE leagues SET online = 1 WHERE id = $1
                     AND NOT EXISTS (SELECT 1 FROM results WHERE league = $1)",
            )
            .bind(league.id)
            .execute(connection)
            .await?;
            Ok(claimed.rows_affected() == 1)
        })?;
        Ok(LeagueRow { online: claimed, ..league })
    }

    /// Makes a league unless there is one of that name.
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
    let fits = (1..=LONGEST_NAME).contains(&name.chars().count());
    if fits && name.trim() == name && !name.chars().any(char::is_control) {
        Ok(())
    } else {
        Err(StoreError::LeagueName)
    }
}

pub(crate) fn report<K: Eq + Display>(
    id: i64,
    at: i64,
    winner: Option<i64>,
    players: Vec<K>,
) -> Option<Report<K>> {
    let outcome = match winner {
        Some(seat) => Outcome::Won { seat: u8::try_from(seat).ok()? },
        None => Outcome::Draw,
    };
    let result = GameResult::new(players, outcome).ok()?;
    Some(Report { id: ResultId(u64::try_from(id).ok()?), at, result })
}
