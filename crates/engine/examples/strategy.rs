//! A strategy of your own: it gets a name, and plays a tournament against the levels.
//!
//! `cargo run --release -p noughts-engine --example strategy`

use std::error::Error;

use noughts_arena::{Adjudication, Entrant, Openings, Schedule, Tournament, TournamentError};
use noughts_engine::{Budget, Choice, Players, Strategy, StrategyError};
use noughts_rules::{Outcome, Position, Rules};

/// Wins where it can, blocks where it must, and otherwise takes the first free cell.
struct Careful;

impl Strategy for Careful {
    fn choose(&mut self, position: &Position, _: &Budget) -> Result<Choice, StrategyError> {
        let seat = position.turn().ok_or(StrategyError::GameOver)?;
        let moves: Vec<_> = position.legal_moves().collect();
        // The same cell wins for the opponent if the opponent has the turn.
        for other in [false, true] {
            for &mv in &moves {
                let mut next = position.clone();
                if other {
                    let Some(elsewhere) = moves.iter().find(|at| **at != mv) else { continue };
                    next.play(*elsewhere)
                        .map_err(|refusal| StrategyError::Other(refusal.to_string()))?;
                }
                if let Ok(Some(Outcome::Win(winner))) = next.play(mv)
                    && (winner != seat) == other
                {
                    return Ok(Choice::without_verdict(mv));
                }
            }
        }
        moves.first().copied().map(Choice::without_verdict).ok_or(StrategyError::GameOver)
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut players = Players::built_in();
    players.register("careful", |_seed| Box::new(Careful))?;

    // From here on a name is enough, as in the programs that let people choose a player.
    let kinds = ["careful", "random", "perfect"].map(|name| players.parse(name));
    let rules = Rules::classic();
    let tournament = Tournament {
        game: rules.to_string(),
        start: Position::new(&rules),
        entrants: Entrant::all(kinds.into_iter().collect::<Result<_, _>>()?),
        schedule: Schedule::round_robin(3, 20),
        budget: Budget::unlimited().with_nodes(1_000),
        openings: Openings::none(),
        adjudication: Adjudication::default(),
        seed: 1,
    };
    let on_game = |_: &_, _: Option<&_>| Ok::<(), TournamentError>(());
    let report = tournament.run(2, &Default::default(), None, on_game)?;
    for player in &report.players {
        println!("{:<8} {} – {} – {}", player.player, player.wins, player.draws, player.losses);
    }
    let careful = report.players.iter().find(|player| player.player == "careful");
    assert!(careful.is_some_and(|player| player.wins > 0 && player.forfeits == 0));
    Ok(())
}
