//! Plays each level against the next: `cargo run --release --example levels [GAMES] [RULES…]`.
//!
//! Both sides begin equally often, and the same numbers come out of every run.

use noughts_engine::{Budget, PlayerKind, Strategy};
use noughts_rules::{Outcome, Position, Rules};

const NODES: u64 = 100_000;

fn main() {
    let mut arguments = std::env::args().skip(1).peekable();
    let games: u64 = arguments
        .next_if(|a| a.parse::<u64>().is_ok())
        .map_or(100, |a| a.parse().expect("a number"));
    let mut boards: Vec<String> = arguments.collect();
    if boards.is_empty() {
        boards = ["3x3", "4x4:3", "6x7:4+gravity", "15x15:5"].map(str::to_owned).into();
    }
    println!("{:<14} {:<18} {:>5} {:>5} {:>6}", "rules", "players", "won", "drawn", "lost");
    let kinds: Vec<PlayerKind> = PlayerKind::computers().collect();
    for board in boards {
        let rules: Rules = board.parse().expect("rules");
        for pair in kinds.windows(2) {
            let (weaker, stronger) = (&pair[0], &pair[1]);
            let (mut won, mut drawn, mut lost) = (0, 0, 0);
            for game in 0..games {
                let mut seats =
                    [stronger, weaker].map(|kind| kind.strategy(game).expect("no person"));
                let first = game % 2 == 0;
                if !first {
                    seats.swap(0, 1);
                }
                match play(&rules, &mut seats) {
                    Outcome::Draw => drawn += 1,
                    Outcome::Win(seat) if (seat.index() == 0) == first => won += 1,
                    Outcome::Win(_) => lost += 1,
                }
            }
            let players = format!("{stronger}-{weaker}");
            println!("{board:<14} {players:<18} {won:>5} {drawn:>5} {lost:>6}");
        }
    }
}

fn play(rules: &Rules, seats: &mut [Box<dyn Strategy>; 2]) -> Outcome {
    let mut position = Position::new(rules);
    let budget = Budget::unlimited().with_nodes(NODES);
    loop {
        let turn = position.turn().expect("the game goes on");
        let choice = seats[turn.index()].choose(&position, &budget).expect("a move");
        if let Some(outcome) = position.play(choice.cell).expect("a legal move") {
            return outcome;
        }
    }
}
