//! The checks.

use std::collections::{BTreeMap, BTreeSet};

use noughts_api::{Event, ExitReason, GameId, GameView, IdentityId, Millis, PlayerCommand};
use noughts_rules::Outcome;
use noughts_scores::{
    GameResult, League, MAX_PLAYERS, Outcome as ScoreOutcome, Report, ResultId, System, Weight,
};
use noughts_server::game::OnlineGame;
use noughts_server::read_game;
use noughts_store::{Log, LoggedEvent};

use crate::record::{Acknowledged, GameRecord, Record};

/// More events than any game of a test has.
const MAX_EVENTS: u32 = 100_000;

const DAY_MS: i64 = 24 * 3600 * 1000;

/// A log compared with what clients received.
#[derive(Debug)]
pub struct Check {
    games: BTreeMap<GameId, OnlineGame>,
    violations: Vec<String>,
}

/// A stored result of an online game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedResult {
    /// Its id: results count in this order.
    pub id: i64,
    /// When the game ended.
    pub at: Millis,
    /// The game.
    pub game: GameId,
    /// How much it counts for each of its players.
    pub weight: Weight,
}

impl Check {
    /// Compares the games in a log with what clients received of them.
    pub async fn of_log(log: &dyn Log, record: &Record) -> Check {
        let mut check = Check { games: BTreeMap::new(), violations: Vec::new() };
        for (id, received) in record.games() {
            match log.events(id, 0, MAX_EVENTS).await {
                Ok(logged) => check.received(id, &logged, &received),
                Err(error) => check.violation(id, error),
            }
            match read_game(log, id).await {
                Ok(game) => drop(check.games.insert(id, game)),
                Err(error) => check.violation(id, error),
            }
        }
        check
    }

    /// The games as the log has them.
    pub fn games(&self) -> impl Iterator<Item = &OnlineGame> {
        self.games.values()
    }

    /// Adds a violation that was found elsewhere.
    pub fn violation(&mut self, game: GameId, what: impl ToString) {
        self.violations.push(format!("{game}: {}", what.to_string()));
    }

    /// All violations found, as sentences.
    #[must_use]
    pub fn violations(self) -> Vec<String> {
        self.violations
    }

    fn received(&mut self, id: GameId, logged: &[LoggedEvent], received: &GameRecord) {
        self.order(id, logged);
        for acknowledged in &received.acknowledged {
            if let Some(violation) = acknowledgement_violation(logged, acknowledged) {
                self.violation(id, violation);
            }
        }
        for update in &received.updates {
            let has_sequence = |event: &&LoggedEvent| event.sequence == u64::from(update.seq);
            let stored: Vec<&LoggedEvent> = logged.iter().filter(has_sequence).collect();
            let is_same = matches!(stored[..], [stored]
                if stored.at == update.at && parse(stored).as_ref() == Some(&update.event));
            if !is_same {
                self.violation(id, format!("received {update:?}, the log has {stored:?}"));
            }
        }
    }

    /// Sequence numbers have no gaps, time never goes back, and no clock is held for longer than time
    /// has passed.
    fn order(&mut self, id: GameId, logged: &[LoggedEvent]) {
        let sequence: Vec<u64> = logged.iter().map(|event| event.sequence).collect();
        if sequence != (1..=logged.len() as u64).collect::<Vec<_>>() {
            self.violation(id, format!("the log has the sequence {sequence:?}"));
        }
        for pair in logged.windows(2) {
            let passed = pair[1].at - pair[0].at;
            if passed < 0 {
                self.violation(id, format!("time goes backwards in the log: {pair:?}"));
            }
            if let Some(Event::ClockHeld { ms }) = parse(&pair[1])
                && ms > passed
            {
                self.violation(id, format!("a clock is held for {ms} ms after {passed} ms"));
            }
        }
    }

    /// Checks that a served game is the one in the log.
    pub fn served(&mut self, served: &GameView) {
        let Some(game) = self.games.get(&served.id) else { return };
        if let Some(violation) = difference(game, served) {
            self.violation(served.id, violation);
        }
    }

    /// The leagues of the games.
    #[must_use]
    pub fn leagues(&self) -> BTreeSet<String> {
        self.games.values().filter_map(OnlineGame::league).map(str::to_string).collect()
    }

    /// Checks that every finished rated game that counts has exactly one result, and no other game has one.
    pub fn results(&mut self, results: &[CountedResult]) {
        let mut found = Vec::new();
        for (id, game) in &self.games {
            let count = results.iter().filter(|result| result.game == *id).count();
            if count != usize::from(game.rated_outcome().is_some()) {
                found.push((*id, format!("the game has {count} results")));
            }
        }
        for result in results.iter().filter(|result| !self.games.contains_key(&result.game)) {
            found.push((result.game, "a result without a game".into()));
        }
        found.into_iter().for_each(|(id, what)| self.violation(id, what));
    }

    /// Checks that a league's players, best first, are those that the results give, if all players have
    /// accounts and one address.
    pub fn ratings(
        &mut self,
        name: &str,
        system: System,
        results: &[CountedResult],
        stored: &[String],
    ) {
        let mut league = League::new(system);
        let mut games_of_day: BTreeMap<i64, u64> = BTreeMap::new();
        for CountedResult { id, at, game, weight } in results {
            let Some(game) = self.games.get(game).filter(|game| game.league() == Some(name)) else {
                continue;
            };
            let Some(outcome) = game.rated_outcome().map(score_outcome) else { continue };
            let nth = games_of_day.entry(at.div_euclid(DAY_MS)).or_default();
            *nth += 1;
            let expected = Weight::of_nth_game(*nth);
            if *weight != expected {
                let what = format!("{}: counts {weight}, expected {expected}", game.id());
                self.violations.push(what);
            }
            let players = game.seats().iter().map(|seat| seat.holder.identity());
            let counted = players.collect::<Option<Vec<_>>>().map(|players| {
                let result =
                    GameResult::new(players, outcome).map_err(|error| error.to_string())?;
                let result = result.with_weights(&[*weight; MAX_PLAYERS]);
                let report = Report { id: ResultId(id.unsigned_abs()), at: *at, result };
                league.report(&report).map_err(|error| error.to_string())
            });
            if !matches!(counted, Some(Ok(_))) {
                let what = format!("{}: the result can't count: {counted:?}", game.id());
                self.violations.push(what);
            }
        }
        let expected = Check::listed(&league);
        if stored != expected {
            self.violations.push(format!("ratings are {stored:#?}, recomputed {expected:#?}"));
        }
    }

    /// The players of a league as [`Check::ratings`] compares them.
    #[must_use]
    pub fn listed(league: &League<IdentityId>) -> Vec<String> {
        league.top(1000).map(|standing| format!("{standing:?}")).collect()
    }
}

/// What is wrong with a served game, compared with the log as it is now, if anything.
pub async fn serving_violation(log: &dyn Log, served: &GameView) -> Option<String> {
    match read_game(log, served.id).await {
        Ok(game) => difference(&game, served),
        Err(error) => Some(error.to_string()),
    }
}

/// How a served game differs from the one in the log, if it does. Connections may change between the two
/// reads, so what depends on them is left out.
fn difference(logged: &OnlineGame, served: &GameView) -> Option<String> {
    let logged = logged.view(None, logged.updated_at());
    let compared = |view: &GameView| {
        let GameView { phase, board, moves, turn, result, rated, .. } = view;
        format!("{phase:?} {board:?} {moves:?} {turn:?} {result:?} {rated}")
    };
    let is_same = compared(&logged) == compared(served);
    (!is_same).then(|| format!("the log says {logged:?}, served {served:?}"))
}

/// What is wrong with an acknowledged command in the log, if anything. All its events have its key.
fn acknowledgement_violation(
    logged: &[LoggedEvent],
    acknowledged: &Acknowledged,
) -> Option<String> {
    let Acknowledged { request, seq } = acknowledged;
    let has_key =
        |event: &&LoggedEvent| event.key.as_ref().is_some_and(|stored| stored.key == request.key);
    let found: Vec<&LoggedEvent> = logged.iter().filter(has_key).collect();
    let [first, .., last] = found[..] else {
        return match found[..] {
            [event] if is_effect(&request.command, event) && event.sequence == u64::from(*seq) => {
                None
            }
            [event] => Some(format!("{acknowledged:?} is in the log as {event:?}")),
            _ => Some(format!("{request:?} is in the log {} times", found.len())),
        };
    };
    let is_whole = last.sequence - first.sequence + 1 == found.len() as u64;
    if !is_whole || matches!(request.command, PlayerCommand::Move { .. }) {
        return Some(format!("{request:?} is in the log {} times", found.len()));
    }
    let is_right = is_effect(&request.command, first) && last.sequence == u64::from(*seq);
    (!is_right).then(|| format!("{acknowledged:?} is in the log as {found:?}"))
}

/// Whether an event is what a command becomes.
fn is_effect(command: &PlayerCommand, event: &LoggedEvent) -> bool {
    let Some(event) = parse(event) else { return false };
    match command {
        PlayerCommand::Join { .. } => matches!(event, Event::Joined { .. }),
        PlayerCommand::Move { mv: sent } => {
            matches!(event, Event::Moved { mv, .. } if mv == *sent)
        }
        PlayerCommand::RequestUndo => {
            matches!(event, Event::UndoRequested { .. } | Event::Undone { .. })
        }
        PlayerCommand::AnswerUndo { accept: true } => matches!(event, Event::UndoAccepted { .. }),
        PlayerCommand::AnswerUndo { accept: false } => matches!(event, Event::UndoDeclined { .. }),
        PlayerCommand::Resign => {
            matches!(event, Event::Eliminated { reason: ExitReason::Resigned, .. })
        }
        PlayerCommand::Abort => matches!(event, Event::Aborted { .. }),
        PlayerCommand::Claim => {
            matches!(event, Event::Eliminated { reason: ExitReason::Left, .. })
        }
        PlayerCommand::Rematch => {
            matches!(event, Event::RematchOffered { .. } | Event::RematchStarted { .. })
        }
    }
}

fn parse(event: &LoggedEvent) -> Option<Event> {
    serde_json::from_str(&event.body).ok()
}

fn score_outcome(outcome: Outcome) -> ScoreOutcome {
    match outcome {
        Outcome::Win(seat) => ScoreOutcome::Won { seat: seat.index() as u8 },
        Outcome::Draw => ScoreOutcome::Draw,
    }
}
