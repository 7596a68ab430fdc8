//! The score of a series.

use std::fmt;

/// Wins by player, in order of introduction, and draws.
pub struct Score {
    names: Vec<String>,
    wins: Vec<u32>,
    draws: u32,
}

impl Score {
    /// An empty score of players with these names.
    pub fn new(names: impl Iterator<Item = String>) -> Score {
        let names: Vec<String> = names.collect();
        Score { wins: vec![0; names.len()], names, draws: 0 }
    }

    /// Counts a game: the index of its winner, or `None` for a draw.
    pub fn count(&mut self, winner: Option<usize>) {
        *self.tally(winner) += 1;
    }

    /// Uncounts a game.
    pub fn take_back(&mut self, winner: Option<usize>) {
        *self.tally(winner) -= 1;
    }

    /// The wins of a player.
    pub fn wins(&self, person: usize) -> u32 {
        self.wins[person]
    }

    /// The number of draws.
    pub fn draws(&self) -> u32 {
        self.draws
    }

    fn tally(&mut self, winner: Option<usize>) -> &mut u32 {
        match winner {
            Some(person) => &mut self.wins[person],
            None => &mut self.draws,
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Score: ")?;
        for (name, wins) in self.names.iter().zip(&self.wins) {
            write!(f, "{name} {wins}, ")?;
        }
        write!(f, "draws {}", self.draws)
    }
}
