//! Leagues: ratings, ranks and retraction.

use noughts_scores as scores;
use noughts_scores::{GameResult, Name, Report, ResultId};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::value_error;

/// Wins, losses and draws.
#[pyclass(module = "noughts", frozen, eq, hash, get_all)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Record {
    /// Games won.
    wins: u32,
    /// Games lost.
    losses: u32,
    /// Games drawn.
    draws: u32,
}

impl From<scores::Record> for Record {
    fn from(record: scores::Record) -> Record {
        Record { wins: record.wins, losses: record.losses, draws: record.draws }
    }
}

#[pymethods]
impl Record {
    fn __repr__(&self) -> String {
        let Record { wins, losses, draws } = self;
        format!("Record(wins={wins}, losses={losses}, draws={draws})")
    }
}

/// A rating.
#[pyclass(module = "noughts", frozen, eq, get_all)]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Rating {
    /// The whole number that is shown, and that ranks go by.
    shown: i64,
    /// The estimate on the scale of the system.
    value: f64,
    /// The uncertainty of the value, in systems that have one.
    deviation: Option<f64>,
    /// How much results vary, in `glicko2`.
    volatility: Option<f64>,
}

impl From<scores::Rating> for Rating {
    fn from(rating: scores::Rating) -> Rating {
        let scores::Rating { shown, value, deviation, volatility, .. } = rating;
        Rating { shown, value, deviation, volatility }
    }
}

#[pymethods]
impl Rating {
    fn __repr__(&self) -> String {
        format!("Rating(shown={}, value={})", self.shown, self.value)
    }
}

/// A row of a league's table.
#[pyclass(module = "noughts", frozen, eq, get_all)]
#[derive(Clone, PartialEq)]
pub(crate) struct Standing {
    /// One more than the number of players with a higher rating.
    rank: usize,
    /// The player's name.
    player: String,
    /// The rating.
    rating: Rating,
    /// Games won, lost and drawn.
    record: Record,
}

impl From<scores::Standing<'_, Name>> for Standing {
    fn from(standing: scores::Standing<'_, Name>) -> Standing {
        Standing {
            rank: standing.rank,
            player: standing.player.as_str().into(),
            rating: standing.rating.into(),
            record: standing.record.into(),
        }
    }
}

#[pymethods]
impl Standing {
    fn __repr__(&self) -> String {
        let Standing { rank, player, rating, record } = self;
        format!(
            "Standing(rank={rank}, player={player:?}, rating={}, record={})",
            rating.__repr__(),
            record.__repr__()
        )
    }
}

/// A rated group of players: `wins`, `plus-minus`, `elo`, `glicko2` or `weng-lin`.
///
/// Names compare without regard to case.
///
/// >>> league = noughts.League("elo")
/// >>> first = league.report(["Ann", "Bob"], winner=0)
/// >>> for row in league.top(2):
/// ...     print(row.rank, row.player, row.rating.shown, row.record)
/// 1 Ann 1516 Record(wins=1, losses=0, draws=0)
/// 2 Bob 1484 Record(wins=0, losses=1, draws=0)
/// >>> league.retract(first)
/// >>> len(league)
/// 0
#[pyclass(module = "noughts")]
pub(crate) struct League {
    league: scores::League<Name>,
    next_id: u64,
}

fn name(text: &str) -> PyResult<Name> {
    Name::new(text).map_err(value_error)
}

#[pymethods]
impl League {
    #[new]
    #[pyo3(signature = (system="elo"))]
    fn new(system: &str) -> PyResult<League> {
        let system = system.parse().map_err(value_error)?;
        Ok(League { league: scores::League::new(system), next_id: 1 })
    }

    /// The rating system.
    #[getter]
    fn system(&self) -> &'static str {
        self.league.system().as_str()
    }

    /// Adds the result of a game between players in the order of their seats, and returns its id.
    /// Without a winner, which is a seat, it is a draw. The time is on a scale of your choice.
    #[pyo3(signature = (players, *, winner=None, at=0))]
    fn report(&mut self, players: Vec<String>, winner: Option<u8>, at: i64) -> PyResult<u64> {
        let outcome = match winner {
            Some(seat) => scores::Outcome::Won { seat },
            None => scores::Outcome::Draw,
        };
        let names = players.iter().map(String::as_str);
        let result = GameResult::from_names(names, outcome).map_err(value_error)?;
        let id = self.next_id;
        self.league.report(&Report { id: ResultId(id), at, result }).map_err(value_error)?;
        self.next_id += 1;
        Ok(id)
    }

    /// Takes back a result: the league is then what it would be without it.
    fn retract(&mut self, id: u64) -> PyResult<()> {
        self.league.retract(ResultId(id)).map_err(value_error)
    }

    /// A player's rating, rank and record; `None` for someone without results.
    fn standing(&self, player: &str) -> PyResult<Option<Standing>> {
        Ok(self.league.standing(&name(player)?).map(Standing::from))
    }

    /// The first rows of the table.
    #[pyo3(signature = (count=10))]
    fn top(&self, count: usize) -> Vec<Standing> {
        self.league.top(count).map(Standing::from).collect()
    }

    /// Rows of the table from a row on; the first row is 1.
    fn page(&self, row: usize, count: usize) -> PyResult<Vec<Standing>> {
        if row == 0 {
            return Err(PyValueError::new_err("rows count from 1"));
        }
        Ok(self.league.page(row, count).map(Standing::from).collect())
    }

    /// A player's row, with up to `count` rows above and below; empty for someone without results.
    #[pyo3(signature = (player, count=2))]
    fn neighbours(&self, player: &str, count: usize) -> PyResult<Vec<Standing>> {
        let Some(found) = self.league.neighbours(&name(player)?, count) else {
            return Ok(Vec::new());
        };
        let rows = found.above.into_iter().chain([found.standing]).chain(found.below);
        Ok(rows.map(Standing::from).collect())
    }

    /// A player's ratings after each of their results, newest first: id, time and rating.
    fn rating_over_time(&self, player: &str) -> PyResult<Vec<(u64, i64, Rating)>> {
        let player = name(player)?;
        let points = self.league.rating_over_time(&player);
        Ok(points.map(|point| (point.result.0, point.at, point.rating.into())).collect())
    }

    /// A player's record in games with another.
    fn head_to_head(&self, player: &str, other: &str) -> PyResult<Record> {
        Ok(self.league.head_to_head(&name(player)?, &name(other)?).into())
    }

    /// A player's opponents and the record against each, most games first.
    fn opponents(&self, player: &str) -> PyResult<Vec<(String, Record)>> {
        let opponents = self.league.opponents(&name(player)?);
        Ok(opponents
            .into_iter()
            .map(|(name, record)| (name.as_str().into(), record.into()))
            .collect())
    }

    fn __len__(&self) -> usize {
        self.league.len()
    }

    fn __repr__(&self) -> String {
        format!("League('{}', {} players)", self.system(), self.league.len())
    }
}
