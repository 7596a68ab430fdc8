//! `noughts scores rebuild`: recomputes every league from its games and compares it with what is stored.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use anyhow::anyhow;
use noughts_api::SeatHolder;
use noughts_rules::Game;
use noughts_scores::{GameResult, League, Name, Outcome, Report, System, Weight};
use noughts_server::game::OnlineGame;
use noughts_server::{LoadError, read_game};
use noughts_store::{AuditedResult, GameId, GamePhase, GameQuery};
use serde::Serialize;

use super::{Scores, print_json};
use crate::failure::Failure;

/// Games read at once.
const PAGE_SIZE: u32 = 1000;

/// The comparison of a league with its games.
#[derive(Serialize)]
struct Audit {
    league: String,
    results: usize,
    players: usize,
    /// Results that differ from their games.
    mismatches: Vec<Mismatch>,
    /// Finished rated games without a result.
    uncounted: Vec<GameId>,
    /// Whether the standings are equal, ratings to the last digit.
    same: bool,
    /// Whether the stored snapshots of ratings follow from the results, to the last bit.
    snapshots_match: bool,
}

#[derive(Serialize)]
struct Mismatch {
    result: u64,
    reason: String,
}

/// A league computed twice: from the stored results and from the games.
#[derive(Default)]
struct LeagueAudit {
    /// Stored and recomputed. `None` for a league that only uncounted games name.
    leagues: Option<(League<Name>, League<Name>)>,
    results: usize,
    mismatches: Vec<Mismatch>,
    uncounted: Vec<GameId>,
}

impl Audit {
    fn is_correct(&self) -> bool {
        self.same && self.snapshots_match && self.mismatches.is_empty() && self.uncounted.is_empty()
    }
}

impl Scores {
    /// Replays every rated game and compares the results with the stored ones. Corrects those that differ
    /// unless it only checks.
    pub(super) fn rebuild(&self, check: bool) -> Result<(), Failure> {
        let mut leagues: BTreeMap<String, LeagueAudit> = BTreeMap::new();
        for league in self.data.leagues()? {
            leagues.insert(league.name, LeagueAudit::new(league.system));
        }
        // Games first: a server may finish some meanwhile, together with their results.
        let mut finished = self.finished_rated_games()?;
        let mut last = None;
        loop {
            let games =
                self.data.block_on(self.data.store().results_for_audit(None, last, PAGE_SIZE))?;
            let Some(newest) = games.last() else { break };
            last = Some(newest.id);
            for game in &games {
                let league = leagues.get_mut(&game.league);
                let league = league.ok_or_else(|| anyhow!("the league {} is gone", game.league))?;
                game.online.and_then(|key| finished.remove(&key));
                let replayed = self.replay(game)?;
                if let Some(correct) = league.add(game, replayed)
                    && !check
                {
                    self.data.block_on(self.data.store().correct_result(game.id, &correct))?;
                }
            }
        }
        for (key, league) in finished {
            if self.should_count(key)? {
                leagues.entry(league).or_default().uncounted.push(key);
            }
        }
        let mut audits = Vec::with_capacity(leagues.len());
        for (name, league) in leagues {
            let store = self.data.store();
            let snapshots_match = self.data.block_on(store.check_snapshots(&name))?;
            if !snapshots_match && !check {
                self.data.block_on(store.remove_snapshots(&name))?;
            }
            audits.push(audit(name, league, snapshots_match));
        }
        self.print_audits(&audits)?;
        match audits.iter().filter(|audit| !audit.is_correct()).count() {
            0 => Ok(()),
            _ if !check => Ok(()),
            1 => Err(anyhow!("one league differs from its games").into()),
            several => Err(anyhow!("{several} leagues differ from their games").into()),
        }
    }

    /// The result of replaying a game: an online game from its log, others from their record.
    fn replay(&self, game: &AuditedResult) -> Result<Result<GameResult<Name>, String>, Failure> {
        let Some(key) = game.online else { return Ok(recorded_result(&game.record)) };
        Ok(match self.data.block_on(read_game(&*self.data.store().log(), key)) {
            Ok(online) => logged_result(game, &online),
            Err(LoadError::NoGame) => Err("there is no log of its game".into()),
            Err(LoadError::Broken(error)) => Err(format!("its log is broken: {error}")),
            Err(LoadError::Store(error)) => return Err(error.into()),
        })
    }

    /// Finished rated online games, with their leagues.
    fn finished_rated_games(&self) -> Result<HashMap<GameId, String>, Failure> {
        let log = self.data.store().log();
        let mut query = GameQuery {
            phase: Some(GamePhase::Finished),
            player: None,
            public_only: false,
            rules: None,
            before: None,
            limit: PAGE_SIZE,
        };
        let mut finished = HashMap::new();
        loop {
            let games = self.data.block_on(log.games(&query))?;
            let Some(last) = games.last() else { return Ok(finished) };
            query.before = Some(last.game);
            finished.extend(
                games.into_iter().filter_map(|game| Some((game.game, game.listing.league?))),
            );
        }
    }

    /// Whether an online game has a result; games that were aborted, abandoned or too short have none.
    fn should_count(&self, key: GameId) -> Result<bool, Failure> {
        Ok(match self.data.block_on(read_game(&*self.data.store().log(), key)) {
            Ok(online) => online.rated_outcome().is_some(),
            Err(LoadError::NoGame | LoadError::Broken(_)) => true,
            Err(LoadError::Store(error)) => return Err(error.into()),
        })
    }

    fn print_audits(&self, audits: &[Audit]) -> Result<(), Failure> {
        if self.json {
            return Ok(print_json(&audits)?);
        }
        let mut output = io::stdout().lock();
        if audits.is_empty() {
            writeln!(output, "There is no league yet.")?;
        }
        for audit in audits {
            let Audit { league, results, players, mismatches, uncounted, same, .. } = audit;
            let verdict = match (mismatches.len() + uncounted.len(), same) {
                (0, true) => "as stored".to_string(),
                (0, false) => "the standings differ".to_string(),
                (1, _) => "one result differs".to_string(),
                (several, _) => format!("{several} results differ"),
            };
            let plural = if *results == 1 { "" } else { "s" };
            writeln!(output, "{league}: {results} result{plural}, {players} players, {verdict}")?;
            for Mismatch { result, reason } in mismatches {
                writeln!(output, "  result {result}: {reason}")?;
            }
            for game in uncounted {
                writeln!(output, "  game {game}: it is finished and has no result")?;
            }
            if !audit.snapshots_match {
                writeln!(output, "  the stored snapshots of ratings differ from the results")?;
            }
        }
        Ok(())
    }
}

impl LeagueAudit {
    fn new(system: System) -> LeagueAudit {
        let leagues = Some((League::new(system), League::new(system)));
        LeagueAudit { leagues, ..LeagueAudit::default() }
    }

    /// Adds a game to both leagues. Returns the correct result if the stored one differs.
    fn add(
        &mut self,
        game: &AuditedResult,
        replayed: Result<GameResult<Name>, String>,
    ) -> Option<GameResult<Name>> {
        let stored = stored_result(game);
        if let (Ok(stored), Ok(replayed)) = (&stored, &replayed)
            && stored.outcome() != replayed.outcome()
        {
            let says = |result: &GameResult<Name>| match result.outcome() {
                Outcome::Won { seat } => format!("seat {seat} won"),
                Outcome::Draw => "a draw".to_string(),
            };
            self.report(game, format!("stored: {}; replayed: {}", says(stored), says(replayed)));
        } else if let (Ok(stored), Ok(replayed)) = (&stored, &replayed)
            && stored.players() != replayed.players()
        {
            self.report(game, "the players are not those of the game".into());
        }
        // A result may have been retracted because its game does not count.
        let results = [&stored, &replayed].into_iter().filter(|_| !game.retracted);
        for broken in results.filter_map(|result| result.as_ref().err()) {
            self.report(game, broken.clone());
        }
        if !game.retracted {
            self.results += 1;
            let leagues =
                self.leagues.iter_mut().flat_map(|(stored, recomputed)| [stored, recomputed]);
            for (league, result) in leagues.zip([&stored, &replayed]) {
                let Ok(result) = result else { continue };
                let result = by_identity(game, result);
                if let Err(error) = league.report(&Report { id: game.id, at: game.at, result }) {
                    self.mismatches.push(Mismatch { result: game.id.0, reason: error.to_string() });
                }
            }
        }
        let (stored, replayed) = (stored.ok(), replayed.ok()?);
        let is_correct = stored.is_some_and(|stored| stored == replayed);
        (!is_correct).then_some(replayed)
    }

    fn report(&mut self, game: &AuditedResult, reason: String) {
        self.mismatches.push(Mismatch { result: game.id.0, reason });
    }
}

/// The stored result.
fn stored_result(game: &AuditedResult) -> Result<GameResult<Name>, String> {
    let outcome = match game.winner.map(u8::try_from) {
        None => Outcome::Draw,
        Some(Ok(seat)) => Outcome::Won { seat },
        Some(Err(_)) => return Err("the winner has no seat".into()),
    };
    let names = game.players.iter().map(|player| player.name.as_str());
    GameResult::from_names(names, outcome).map_err(|error| error.to_string())
}

/// The result of replaying a record.
fn recorded_result(record: &str) -> Result<GameResult<Name>, String> {
    let played: Game = record.parse().map_err(|error| format!("its game is broken: {error}"))?;
    result_of(&played, played.position().outcome())
}

/// The result of replaying the log of an online game.
fn logged_result(game: &AuditedResult, online: &OnlineGame) -> Result<GameResult<Name>, String> {
    if online.league() != Some(&game.league) {
        return Err("its game is not rated in this league".into());
    }
    let Some(played) = online.game() else { return Err("its game never started".into()) };
    if online.ending().is_some() && online.rated_outcome().is_none() {
        return Err("its game does not count".into());
    }
    let result = result_of(played, online.rated_outcome())?;
    if played.to_string() != game.record {
        return Err("its log and its record have different games".into());
    }
    let same_players =
        online.seats().iter().zip(&game.players).all(|(seat, player)| match &seat.holder {
            SeatHolder::Taken(participant) => player.identity == Some(participant.identity),
            SeatHolder::Computer { .. } => player.identity.is_some(),
            SeatHolder::Open | SeatHolder::Invited { .. } => false,
        });
    if same_players { Ok(result) } else { Err("its players are not those of the game".into()) }
}

fn result_of(
    game: &Game,
    outcome: Option<noughts_rules::Outcome>,
) -> Result<GameResult<Name>, String> {
    let outcome = match outcome {
        Some(noughts_rules::Outcome::Win(seat)) => Outcome::Won { seat: seat.index() as u8 },
        Some(noughts_rules::Outcome::Draw) => Outcome::Draw,
        None => return Err("its game is not over".into()),
    };
    let names = game.players().iter().map(|player| player.name());
    GameResult::from_names(names, outcome).map_err(|error| error.to_string())
}

/// The result with identities instead of names, if it has any, as ratings survive renaming; and with the
/// weights that were decided when the game ended.
fn by_identity(game: &AuditedResult, result: &GameResult<Name>) -> GameResult<Name> {
    let identities: Option<Vec<String>> =
        game.players.iter().map(|player| player.identity.map(|id| id.to_string())).collect();
    let by_identity = identities.and_then(|identities| {
        let keys = identities.iter().map(String::as_str);
        GameResult::from_names(keys, result.outcome()).ok()
    });
    let weights: Vec<Weight> = game.players.iter().map(|player| player.weight).collect();
    by_identity.unwrap_or_else(|| result.clone()).with_weights(&weights)
}

fn audit(league: String, audit: LeagueAudit, snapshots_match: bool) -> Audit {
    let LeagueAudit { leagues, results, mismatches, uncounted } = audit;
    let same = leagues.as_ref().is_none_or(|(stored, recomputed)| {
        stored.len() == recomputed.len()
            && stored.top(stored.len()).zip(recomputed.top(recomputed.len())).all(|(a, b)| a == b)
    });
    let players = leagues.map_or(0, |(_, recomputed)| recomputed.len());
    Audit { league, results, players, mismatches, uncounted, same, snapshots_match }
}
