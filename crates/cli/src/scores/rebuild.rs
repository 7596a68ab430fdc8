//! Counting everything again.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anyhow::anyhow;
use noughts_rules::Game;
use noughts_scores::{GameResult, League, Outcome, Report, System};
use noughts_store::{CountedGame, State};
use serde::Serialize;

use super::{Scores, print_json};
use crate::failure::Failure;

/// How many games are read at once.
const PAGE: u32 = 1000;

/// What came of counting a league again.
#[derive(Serialize)]
struct Recount {
    league: String,
    results: usize,
    players: usize,
    /// Results that are not what the games say.
    faults: Vec<Fault>,
    /// Whether the standings are the same, ratings to the last digit.
    same: bool,
}

#[derive(Serialize)]
struct Fault {
    result: u64,
    reason: String,
}

/// A league twice: as it is stored, and as the games say.
struct Twice {
    stored: League,
    counted: League,
    results: usize,
    faults: Vec<Fault>,
}

impl Scores {
    /// Plays every game that counts again and compares what comes out with what is stored.
    pub(super) fn rebuild(&self, check: bool) -> Result<(), Failure> {
        let mut leagues: BTreeMap<String, Twice> = BTreeMap::new();
        for league in self.data.wait(self.data.store.leagues())? {
            leagues.insert(league.name, Twice::new(league.system));
        }
        let mut last = None;
        loop {
            let games = self.data.wait(self.data.store.counted_games(last, PAGE))?;
            let Some(newest) = games.last() else { break };
            last = Some(newest.id);
            for game in &games {
                let league = leagues.get_mut(&game.league);
                let league = league.ok_or_else(|| anyhow!("the league {} is gone", game.league))?;
                if let Some(right) = league.count(game)
                    && !check
                {
                    self.data.wait(self.data.store.correct_result(game.id, &right))?;
                }
                if let Some(reason) = self.unlike_log(game)? {
                    league.fault(game, reason.into());
                }
            }
        }
        let recounts: Vec<Recount> = leagues.into_iter().map(recount).collect();
        self.report_recount(&recounts)?;
        let wrong = recounts.iter().filter(|recount| !recount.same || !recount.faults.is_empty());
        match wrong.count() {
            0 => Ok(()),
            _ if !check => Ok(()),
            1 => Err(anyhow!("one league is not what its games say").into()),
            several => Err(anyhow!("{several} leagues are not what their games say").into()),
        }
    }

    /// How the result of an online game differs from what its log came to.
    fn unlike_log(&self, game: &CountedGame) -> Result<Option<&'static str>, Failure> {
        let Some(key) = game.online else { return Ok(None) };
        let Some(listed) = self.data.wait(self.data.store.log().game(key))? else {
            return Ok(Some("there is no log of its game"));
        };
        let seats = game.players.iter().map(|player| player.identity);
        Ok(if listed.listing.state != State::Finished {
            Some("its game is not over in the log")
        } else if !listed.listing.rated || listed.listing.league.as_ref() != Some(&game.league) {
            Some("its game does not count in this league")
        } else if !seats.eq(listed.listing.seats) {
            Some("others sat in its game")
        } else {
            None
        })
    }

    fn report_recount(&self, recounts: &[Recount]) -> Result<(), Failure> {
        if self.json {
            return Ok(print_json(&recounts)?);
        }
        let mut output = io::stdout().lock();
        if recounts.is_empty() {
            writeln!(output, "There is no league yet.")?;
        }
        for Recount { league, results, players, faults, same } in recounts {
            let verdict = match (faults.len(), same) {
                (0, true) => "as stored".to_string(),
                (0, false) => "the standings differ".to_string(),
                (1, _) => "one result differs".to_string(),
                (several, _) => format!("{several} results differ"),
            };
            let plural = if *results == 1 { "" } else { "s" };
            writeln!(output, "{league}: {results} result{plural}, {players} players, {verdict}")?;
            for Fault { result, reason } in faults {
                writeln!(output, "  result {result}: {reason}")?;
            }
        }
        Ok(())
    }
}

impl Twice {
    fn new(system: System) -> Twice {
        let (stored, counted) = (League::new(system), League::new(system));
        Twice { stored, counted, results: 0, faults: Vec::new() }
    }

    /// Counts a game in both, and answers what it should have been counted as if that is not what
    /// is stored.
    fn count(&mut self, game: &CountedGame) -> Option<GameResult> {
        let stored = stored_result(game);
        let counted = played_result(game);
        if let (Ok(stored), Ok(counted)) = (&stored, &counted)
            && stored.outcome() != counted.outcome()
        {
            let says = |result: &GameResult| match result.outcome() {
                Outcome::Won { seat } => format!("seat {seat} won"),
                Outcome::Draw => "a draw".to_string(),
            };
            let reason = format!("stored is {}, the game says {}", says(stored), says(counted));
            self.fault(game, reason);
        } else if let (Ok(stored), Ok(counted)) = (&stored, &counted)
            && stored.players() != counted.players()
        {
            self.fault(game, "the players are not those of the game".into());
        }
        for broken in [&stored, &counted].into_iter().filter_map(|result| result.as_ref().err()) {
            self.fault(game, broken.clone());
        }
        if !game.retracted {
            self.results += 1;
            for (league, result) in [(&mut self.stored, &stored), (&mut self.counted, &counted)] {
                let Ok(result) = result else { continue };
                let result = keyed(game, result);
                if let Err(error) = league.report(&Report { id: game.id, at: game.at, result }) {
                    let result = game.id.0;
                    self.faults.push(Fault { result, reason: error.to_string() });
                }
            }
        }
        let (stored, counted) = (stored.ok(), counted.ok()?);
        let right = stored.is_some_and(|stored| stored == counted);
        (!right).then_some(counted)
    }

    fn fault(&mut self, game: &CountedGame, reason: String) {
        self.faults.push(Fault { result: game.id.0, reason });
    }
}

/// The result as it is stored.
fn stored_result(game: &CountedGame) -> Result<GameResult, String> {
    let outcome = match game.winner.map(u8::try_from) {
        None => Outcome::Draw,
        Some(Ok(seat)) => Outcome::Won { seat },
        Some(Err(_)) => return Err("the winner has no seat".into()),
    };
    let names = game.players.iter().map(|player| player.name.as_str());
    GameResult::new(names, outcome).map_err(|error| error.to_string())
}

/// The result that comes out when the game is played again.
fn played_result(game: &CountedGame) -> Result<GameResult, String> {
    let played: Game =
        game.record.parse().map_err(|error| format!("its game is broken: {error}"))?;
    let outcome = match played.position().outcome() {
        Some(noughts_rules::Outcome::Win(seat)) => Outcome::Won { seat: seat.index() as u8 },
        Some(noughts_rules::Outcome::Draw) => Outcome::Draw,
        None => return Err("its game is not over".into()),
    };
    let names = played.players().iter().map(|player| player.name());
    GameResult::new(names, outcome).map_err(|error| error.to_string())
}

/// The same result, of identities where there are some: they keep their ratings when they change
/// their names.
fn keyed(game: &CountedGame, result: &GameResult) -> GameResult {
    let identities: Option<Vec<String>> =
        game.players.iter().map(|player| player.identity.map(|id| id.to_string())).collect();
    let keyed = identities.and_then(|identities| {
        let keys = identities.iter().map(String::as_str);
        GameResult::new(keys, result.outcome()).ok()
    });
    keyed.unwrap_or_else(|| result.clone())
}

fn recount((league, twice): (String, Twice)) -> Recount {
    let Twice { stored, counted, results, faults } = twice;
    let same = stored.len() == counted.len()
        && stored.top(stored.len()).zip(counted.top(counted.len())).all(|(a, b)| a == b);
    Recount { league, results, players: counted.len(), faults, same }
}
