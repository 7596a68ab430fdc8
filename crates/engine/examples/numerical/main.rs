//! A game of your own: its type implements `State`, and everything else works for it.
//!
//! `cargo run --release -p noughts-engine --example numerical`

mod game;

use std::error::Error;

use noughts_arena::{Adjudication, Entrant, Openings, Schedule, Tournament, TournamentError};
use noughts_engine::{AlphaBeta, Budget, Mcts, Players, Value, solve_game};
use noughts_rules::{laws, perft};

use game::Numerical;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let start = Numerical::default();
    laws::check(&start, 5, 1);
    for depth in 1..=3 {
        println!("{} nodes after {depth} moves", perft::nodes(&mut start.clone(), depth));
    }

    let solution = solve_game(&start, &Budget::unlimited())?;
    let value = solution.value.ok_or("the budget is unlimited")?;
    println!("{value} for the first player: {:?}, {} nodes", solution.pv, solution.nodes);
    assert!(matches!(value, Value::Win { .. }));

    let budget = Budget::unlimited().with_nodes(5_000);
    let searched = AlphaBeta::default().search(&start, &budget)?;
    println!("alpha-beta: {:?}, {}", searched.mv, searched.verdict);
    let sampled = Mcts::new(1).search(&start, &budget)?;
    println!("MCTS: {:?}, {}", sampled.mv, sampled.verdict);

    let tournament = Tournament {
        game: "numerical".into(),
        start,
        entrants: Entrant::named(Players::of_any_game().iter().cloned()),
        schedule: Schedule::round_robin(3, 10),
        budget: Budget::unlimited().with_nodes(1_000),
        openings: Openings::random(1),
        adjudication: Adjudication::default(),
        seed: 1,
    };
    let on_game = |_: &_, _: Option<&_>| Ok::<(), TournamentError>(());
    let report = tournament.run(2, &Default::default(), None, on_game)?;
    for player in report.players {
        let record = format!("{} – {} – {}", player.wins, player.draws, player.losses);
        println!("{:<12} {:>+5.0} ± {:.0} Elo, {record}", player.player, player.elo, player.error);
    }
    Ok(())
}
