//! How far apart the levels are: each plays the level below it.
//!
//! `cargo run --release -p noughts-engine --example levels -- 100 3x3 15x15:5` plays 100 games for each
//! figure. Between two seats these are the games of `noughts arena`. With more seats, one player of the
//! level meets players of the level below, in each seat equally often, and a draw counts as an equal
//! share of a win.

use std::error::Error;

use noughts_arena::{Adjudication, Entrant, Openings, Schedule, Tournament, TournamentError};
use noughts_engine::{Budget, PlayerKind};
use noughts_rules::{Outcome, Position, Rules, Shape};

/// The games of the start screens.
const GAMES: [&str; 8] =
    ["3x3", "4x4", "4x4:3", "6x7:4+gravity", "4x4x4", "15x15:5", "ultimate", "7x7:4+3p"];

/// The nodes of a move, and in games whose `hard` searches more than that.
const NODES: u64 = 20_000;
const ANY_GAME_NODES: u64 = 400_000;

/// As in `noughts arena`.
const SEED: u64 = 1;
const MAX_CELLS_WITHOUT_OPENINGS: usize = 49;
const OPENING_PLIES: usize = 5;

#[allow(dead_code)]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let games = arguments.next().map_or(Ok(20), |games| games.parse())?;
    let names: Vec<String> = arguments.collect();
    if names.is_empty() {
        return GAMES.iter().try_for_each(|name| run(name, games));
    }
    names.iter().try_for_each(|name| run(name, games))
}

/// Measures the levels in one game.
pub(crate) fn run(name: &str, games: u32) -> Result<(), Box<dyn Error>> {
    let rules: Rules = name.parse()?;
    let levels: Vec<PlayerKind> = PlayerKind::computers().collect();
    println!("| `{name}` | Elo | won – drawn – lost |");
    for pair in levels.windows(2) {
        let (level, below) = (&pair[1], &pair[0]);
        let results = if rules.players() == 2 {
            between_two(&rules, [level, below], games)?
        } else {
            against_many(&rules, [level, below], games)?
        };
        let [won, drawn, lost] = results;
        let elo = elo(results, rules.players());
        println!("| `{level}` against `{below}` | {elo} | {won} – {drawn} – {lost} |");
    }
    Ok(())
}

fn budget(rules: &Rules) -> Budget {
    let is_grid = matches!(rules.shape(), Shape::Grid { .. });
    Budget::unlimited().with_nodes(if is_grid { NODES } else { ANY_GAME_NODES })
}

/// The results of a match, from the side of the first player.
fn between_two(
    rules: &Rules,
    players: [&PlayerKind; 2],
    games: u32,
) -> Result<[u32; 3], Box<dyn Error>> {
    let plies = if rules.cell_count() > MAX_CELLS_WITHOUT_OPENINGS { OPENING_PLIES } else { 0 };
    let tournament = Tournament {
        game: rules.to_string(),
        start: Position::new(rules),
        entrants: Entrant::all(players.into_iter().cloned().collect()),
        schedule: Schedule::round_robin(2, games.into()),
        budget: budget(rules),
        openings: Openings::balanced(plies),
        adjudication: Adjudication::default(),
        seed: SEED,
    };
    let on_game = |_: &_, _: Option<&_>| Ok::<(), TournamentError>(());
    let report = tournament.run(1, &Default::default(), None, on_game)?;
    let pairing = report.pairings.first().ok_or("no games")?;
    Ok([pairing.wins, pairing.draws, pairing.losses])
}

/// The results of the first player against players of the second kind.
fn against_many(
    rules: &Rules,
    [first, others]: [&PlayerKind; 2],
    games: u32,
) -> Result<[u32; 3], Box<dyn Error>> {
    let budget = budget(rules);
    let mut results = [0; 3];
    for game in 0..games {
        let seats = 0..rules.players();
        let own_seat = game as usize % rules.players();
        let mut players = Vec::new();
        for seat in seats {
            let kind = if seat == own_seat { first } else { others };
            let seed = u64::from(game) << 8 | seat as u64;
            players.push(kind.strategy(seed).ok_or("not a computer")?);
        }
        let mut position = Position::new(rules);
        while let Some(turn) = position.turn() {
            let choice = players[turn.index()].choose(&position, &budget)?;
            position.play(choice.mv).map_err(|refusal| refusal.to_string())?;
        }
        results[match position.outcome() {
            Some(Outcome::Win(seat)) if seat.index() == own_seat => 0,
            Some(Outcome::Win(_)) => 2,
            _ => 1,
        }] += 1;
    }
    Ok(results)
}

/// The difference in Elo with its 95 % error. A clean score is rated as if one more game had been drawn.
fn elo([won, drawn, lost]: [u32; 3], seats: usize) -> String {
    let others = (seats - 1) as f64;
    let drawn_share = 1.0 / seats as f64;
    let mut count = f64::from(won + drawn + lost);
    let mut points = f64::from(won) + drawn_share * f64::from(drawn);
    let is_clean = points == 0.0 || points == count;
    if is_clean {
        count += 1.0;
        points += drawn_share;
    }
    let share = points / count;
    let squares = f64::from(won) * (1.0 - share).powi(2)
        + f64::from(drawn) * (drawn_share - share).powi(2)
        + f64::from(lost) * share.powi(2);
    let binomial = share * (1.0 - share);
    let variance = if is_clean { binomial } else { (squares / count).max(binomial / count) };
    let per_odds = 400.0 / std::f64::consts::LN_10;
    let difference = per_odds * (others * share / (1.0 - share)).ln();
    let error = 1.96 * per_odds * (variance / count).sqrt() / binomial;
    format!("{difference:+.0} ± {error:.0}")
}
