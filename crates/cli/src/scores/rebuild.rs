//! Counting everything again.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use anyhow::anyhow;
use noughts_rules::Game;
use noughts_scores::{GameResult, League, Outcome, Report, System};
use noughts_server::game::OnlineGame;
use noughts_server::{LoadError, read_game};
use noughts_store::{CountedGame, GameId, GameQuery, State};
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
    /// Online games that are over and should count.
    uncounted: Vec<GameId>,
    /// Whether the standings are the same, ratings to the last digit.
    same: bool,
}

#[derive(Serialize)]
struct Fault {
    result: u64,
    reason: String,
}

/// A league twice: as it is stored, and as the games say.
#[derive(Default)]
struct Twice {
    /// None where the league has no results at all.
    leagues: Option<(League, League)>,
    results: usize,
    faults: Vec<Fault>,
    uncounted: Vec<GameId>,
}

impl Recount {
    fn is_right(&self) -> bool {
        self.same && self.faults.is_empty() && self.uncounted.is_empty()
    }
}

impl Scores {
    /// Plays every game that counts again and compares what comes out with what is stored.
    pub(super) fn rebuild(&self, check: bool) -> Result<(), Failure> {
        let mut leagues: BTreeMap<String, Twice> = BTreeMap::new();
        for league in self.data.block_on(self.data.store.leagues())? {
            leagues.insert(league.name, Twice::new(league.system));
        }
        // First the games, because a server may be ending some: their results come with them.
        let mut over = self.rated_and_over()?;
        let mut last = None;
        loop {
            let games = self.data.block_on(self.data.store.counted_games(last, PAGE))?;
            let Some(newest) = games.last() else { break };
            last = Some(newest.id);
            for game in &games {
                let league = leagues.get_mut(&game.league);
                let league = league.ok_or_else(|| anyhow!("the league {} is gone", game.league))?;
                game.online.and_then(|key| over.remove(&key));
                let played = self.played(game)?;
                if let Some(right) = league.count(game, played)
                    && !check
                {
                    self.data.block_on(self.data.store.correct_result(game.id, &right))?;
                }
            }
        }
        for (key, league) in over {
            if self.should_count(key)? {
                leagues.entry(league).or_default().uncounted.push(key);
            }
        }
        let recounts: Vec<Recount> = leagues.into_iter().map(recount).collect();
        self.report_recount(&recounts)?;
        match recounts.iter().filter(|recount| !recount.is_right()).count() {
            0 => Ok(()),
            _ if !check => Ok(()),
            1 => Err(anyhow!("one league is not what its games say").into()),
            several => Err(anyhow!("{several} leagues are not what their games say").into()),
        }
    }

    /// What comes out when the game is played again: from its log where it was an online one, and
    /// from its record otherwise.
    fn played(&self, game: &CountedGame) -> Result<Result<GameResult, String>, Failure> {
        let Some(key) = game.online else { return Ok(recorded_result(&game.record)) };
        Ok(match self.data.block_on(read_game(&*self.data.store.log(), key)) {
            Ok(online) => logged_result(game, &online),
            Err(LoadError::NoGame) => Err("there is no log of its game".into()),
            Err(LoadError::Broken(error)) => Err(format!("its log is broken: {error}")),
            Err(LoadError::Store(error)) => return Err(error.into()),
        })
    }

    /// Online games that are over and were rated, with their leagues.
    fn rated_and_over(&self) -> Result<HashMap<GameId, String>, Failure> {
        let log = self.data.store.log();
        let mut query = GameQuery {
            state: Some(State::Finished),
            player: None,
            public_only: false,
            rules: None,
            before: None,
            most: PAGE,
        };
        let mut over = HashMap::new();
        loop {
            let games = self.data.block_on(log.games(&query))?;
            let Some(last) = games.last() else { return Ok(over) };
            query.before = Some(last.game);
            over.extend(
                games.into_iter().filter_map(|game| Some((game.game, game.listing.league?))),
            );
        }
    }

    /// Whether an online game has a result. One that was aborted or abandoned has none.
    fn should_count(&self, key: GameId) -> Result<bool, Failure> {
        Ok(match self.data.block_on(read_game(&*self.data.store.log(), key)) {
            Ok(online) => online.ending().is_some_and(|ending| ending.outcome().is_some()),
            Err(LoadError::NoGame | LoadError::Broken(_)) => true,
            Err(LoadError::Store(error)) => return Err(error.into()),
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
        for Recount { league, results, players, faults, uncounted, same } in recounts {
            let verdict = match (faults.len() + uncounted.len(), same) {
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
            for game in uncounted {
                writeln!(output, "  game {game}: it is over and does not count")?;
            }
        }
        Ok(())
    }
}

impl Twice {
    fn new(system: System) -> Twice {
        Twice { leagues: Some((League::new(system), League::new(system))), ..Twice::default() }
    }

    /// Counts a game in both, and answers what it should have been counted as if that is not what
    /// is stored.
    fn count(
        &mut self,
        game: &CountedGame,
        played: Result<GameResult, String>,
    ) -> Option<GameResult> {
        let stored = stored_result(game);
        if let (Ok(stored), Ok(played)) = (&stored, &played)
            && stored.outcome() != played.outcome()
        {
            let says = |result: &GameResult| match result.outcome() {
                Outcome::Won { seat } => format!("seat {seat} won"),
                Outcome::Draw => "a draw".to_string(),
            };
            self.fault(game, format!("stored is {}, the game says {}", says(stored), says(played)));
        } else if let (Ok(stored), Ok(played)) = (&stored, &played)
            && stored.players() != played.players()
        {
            self.fault(game, "the players are not those of the game".into());
        }
        for broken in [&stored, &played].into_iter().filter_map(|result| result.as_ref().err()) {
            self.fault(game, broken.clone());
        }
        if !game.retracted {
            self.results += 1;
            let leagues = self.leagues.iter_mut().flat_map(|(stored, counted)| [stored, counted]);
            for (league, result) in leagues.zip([&stored, &played]) {
                let Ok(result) = result else { continue };
                let result = keyed(game, result);
                if let Err(error) = league.report(&Report { id: game.id, at: game.at, result }) {
                    self.faults.push(Fault { result: game.id.0, reason: error.to_string() });
                }
            }
        }
        let (stored, played) = (stored.ok(), played.ok()?);
        let right = stored.is_some_and(|stored| stored == played);
        (!right).then_some(played)
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

/// The result that comes out when a record is played again.
fn recorded_result(record: &str) -> Result<GameResult, String> {
    let played: Game = record.parse().map_err(|error| format!("its game is broken: {error}"))?;
    result_of(&played, played.position().outcome())
}

/// The result that comes out when the log of an online game is played again.
fn logged_result(game: &CountedGame, online: &OnlineGame) -> Result<GameResult, String> {
    if online.setup().league.as_ref() != Some(&game.league) {
        return Err("its game does not count in this league".into());
    }
    let Some(played) = online.game() else { return Err("its game never began".into()) };
    let result = result_of(played, online.ending().and_then(|ending| ending.outcome()))?;
    if played.to_string() != game.record {
        return Err("its log has another game than its record".into());
    }
    let sat = online.seats().iter().zip(&game.players).all(|(seat, player)| {
        seat.holder.is_seated()
            && match seat.holder.identity() {
                Some(identity) => player.identity == Some(identity),
                None => player.identity.is_some(),
            }
    });
    if sat { Ok(result) } else { Err("others sat in its game".into()) }
}

fn result_of(game: &Game, outcome: Option<noughts_rules::Outcome>) -> Result<GameResult, String> {
    let outcome = match outcome {
        Some(noughts_rules::Outcome::Win(seat)) => Outcome::Won { seat: seat.index() as u8 },
        Some(noughts_rules::Outcome::Draw) => Outcome::Draw,
        None => return Err("its game is not over".into()),
    };
    let names = game.players().iter().map(|player| player.name());
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
    let Twice { leagues, results, faults, uncounted } = twice;
    let same = leagues.as_ref().is_none_or(|(stored, counted)| {
        stored.len() == counted.len()
            && stored.top(stored.len()).zip(counted.top(counted.len())).all(|(a, b)| a == b)
    });
    let players = leagues.map_or(0, |(_, counted)| counted.len());
    Recount { league, results, players, faults, uncounted, same }
}
