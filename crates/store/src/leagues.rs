//! Leagues and what counts in them.

use std::collections::BTreeMap;

use noughts_scores::{GameResult, League, Outcome, Report, ResultId, System};
use sqlx::{Row, SqliteConnection};

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

impl Store {
    /// All leagues by name.
    pub async fn leagues(&self) -> Result<Vec<LeagueSummary>, StoreError> {
        let rows = sqlx::query(
            "SELECT name, system, (SELECT count(*) FROM results
                 WHERE league = leagues.id AND retracted_at IS NULL)
             FROM leagues ORDER BY name",
        )
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                let system: &str = row.try_get(1)?;
                Ok(LeagueSummary {
                    name: row.try_get(0)?,
                    system: system.parse().map_err(|_| self.damaged())?,
                    results: row.try_get::<i64, _>(2)? as u64,
                })
            })
            .collect()
    }

    /// Makes a league.
    ///
    /// # Errors
    ///
    /// Refuses a name that is no name, and one that a league has already.
    pub async fn create_league(&self, choice: &LeagueChoice) -> Result<(), StoreError> {
        check_name(&choice.name)?;
        let mut transaction = self.pool.begin_with("BEGIN IMMEDIATE").await?;
        if let Some((_, system)) = self.find_league(&mut transaction, &choice.name).await? {
            return Err(StoreError::LeagueExists { name: choice.name.clone(), system });
        }
        insert_league(&mut transaction, choice).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// The league with everything that counts in it, or `None` where there is none of that name.
    pub async fn league(&self, name: &str) -> Result<Option<League>, StoreError> {
        // One transaction, so that all queries see the same results.
        let mut transaction = self.pool.begin().await?;
        let Some((id, system)) = self.find_league(&mut transaction, name).await? else {
            return Ok(None);
        };
        let rows = sqlx::query(
            "SELECT results.id, at, winner, name FROM results
             JOIN result_players ON result = results.id
             WHERE league = ? AND retracted_at IS NULL
             ORDER BY results.id, seat",
        )
        .bind(id)
        .fetch_all(&mut *transaction)
        .await?;
        let mut games: BTreeMap<i64, (i64, Option<i64>, Vec<&str>)> = BTreeMap::new();
        for row in &rows {
            let (id, name) = (row.try_get(0)?, row.try_get(3)?);
            let game = games.entry(id).or_insert((row.try_get(1)?, row.try_get(2)?, Vec::new()));
            game.2.push(name);
        }
        let reports: Option<Vec<Report>> = games
            .into_iter()
            .map(|(id, (at, winner, names))| report(id, at, winner, names))
            .collect();
        let mut league = League::new(system);
        let reported = reports.map(|reports| league.report_all(&reports));
        match reported {
            Some(Ok(())) => Ok(Some(league)),
            _ => Err(self.damaged()),
        }
    }

    /// The league's row and rating system.
    pub(crate) async fn find_league(
        &self,
        connection: &mut SqliteConnection,
        name: &str,
    ) -> Result<Option<(i64, System)>, StoreError> {
        let row = sqlx::query("SELECT id, system FROM leagues WHERE name = ?")
            .bind(name)
            .fetch_optional(connection)
            .await?;
        row.map(|row| {
            let system: &str = row.try_get(1)?;
            Ok((row.try_get(0)?, system.parse().map_err(|_| self.damaged())?))
        })
        .transpose()
    }

    /// The league's row and rating system, made where it is missing.
    pub(crate) async fn find_or_create_league(
        &self,
        connection: &mut SqliteConnection,
        choice: &LeagueChoice,
    ) -> Result<(i64, System), StoreError> {
        if let Some(found) = self.find_league(connection, &choice.name).await? {
            return Ok(found);
        }
        check_name(&choice.name)?;
        Ok((insert_league(connection, choice).await?, choice.system))
    }
}

async fn insert_league(
    connection: &mut SqliteConnection,
    choice: &LeagueChoice,
) -> Result<i64, StoreError> {
    let inserted = sqlx::query("INSERT INTO leagues (name, system) VALUES (?, ?)")
        .bind(&choice.name)
        .bind(choice.system.as_str())
        .execute(connection)
        .await?;
    Ok(inserted.last_insert_rowid())
}

fn check_name(name: &str) -> Result<(), StoreError> {
    let fits = (1..=LONGEST_NAME).contains(&name.chars().count());
    if fits && name.trim() == name && !name.chars().any(char::is_control) {
        Ok(())
    } else {
        Err(StoreError::LeagueName)
    }
}

fn report(id: i64, at: i64, winner: Option<i64>, names: Vec<&str>) -> Option<Report> {
    let outcome = match winner {
        Some(seat) => Outcome::Won { seat: u8::try_from(seat).ok()? },
        None => Outcome::Draw,
    };
    let result = GameResult::new(names, outcome).ok()?;
    Some(Report { id: ResultId(u64::try_from(id).ok()?), at, result })
}
