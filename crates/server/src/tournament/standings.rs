//! Who is ahead.

use std::cmp::Reverse;

use noughts_api::{TieBreaks, TournamentFormat};

use super::state::{Tournament, TournamentPlayer};

/// A player with a rank and what it follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankedPlayer {
    /// The rank, from 1. Players that nothing separates share one.
    pub rank: u32,
    /// The place in the list of players.
    pub number: usize,
    /// The player.
    pub player: TournamentPlayer,
    /// Points: 2 for a win or a bye, 1 for a draw.
    pub points: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Rounds that counted as won without a game.
    pub byes: u32,
    /// What separates players with the same number of points.
    pub tie_breaks: TieBreaks,
}

impl Tournament {
    /// All players, best first.
    #[must_use]
    pub fn standings(&self) -> Vec<RankedPlayer> {
        let mut standings: Vec<RankedPlayer> = self
            .players
            .iter()
            .enumerate()
            .map(|(number, player)| RankedPlayer {
                rank: 0,
                number,
                player: *player,
                points: player.points,
                wins: 0,
                draws: 0,
                losses: 0,
                byes: player.byes,
                tie_breaks: TieBreaks {
                    buchholz: player.byes * player.points,
                    ..TieBreaks::default()
                },
            })
            .collect();
        for game in self.games.iter().filter(|game| game.counts()) {
            let points = game.points();
            for side in 0..2 {
                let opponent = self.players[game.players[1 - side]].points;
                let player = &mut standings[game.players[side]];
                match points[side] {
                    2 => player.wins += 1,
                    1 => player.draws += 1,
                    _ => player.losses += 1,
                }
                player.tie_breaks.buchholz += opponent;
                player.tie_breaks.sonneborn_berger += opponent * points[side];
                if opponent == player.points {
                    player.tie_breaks.head_to_head += points[side];
                }
            }
        }
        let key = |player: &RankedPlayer| self.sort_key(player);
        standings.sort_by_key(|player| (Reverse(key(player)), player.number));
        for place in 0..standings.len() {
            let is_shared = place > 0 && key(&standings[place]) == key(&standings[place - 1]);
            let own = u32::try_from(place + 1).unwrap_or(u32::MAX);
            standings[place].rank = if is_shared { standings[place - 1].rank } else { own };
        }
        standings
    }

    /// What decides, most important first.
    fn sort_key(&self, player: &RankedPlayer) -> [u32; 4] {
        let TieBreaks { buchholz, sonneborn_berger, head_to_head } = player.tie_breaks;
        match self.setup.settings.format {
            TournamentFormat::Arena { .. } => [player.points, player.wins, 0, 0],
            TournamentFormat::RoundRobin { .. } => {
                [player.points, head_to_head, sonneborn_berger, player.wins]
            }
            TournamentFormat::Swiss { .. } => {
                [player.points, buchholz, sonneborn_berger, player.wins]
            }
        }
    }
}
