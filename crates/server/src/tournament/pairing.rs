//! Who plays whom in the next round.

use noughts_api::TournamentFormat;
use noughts_arena::pairing::{Swiss, round_robin};

use super::state::Tournament;

/// Players who play each other, as places in the list of players; the first of a pair moves first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Pairing {
    pub(super) pairs: Vec<[usize; 2]>,
    /// Players who count as winners without a game.
    pub(super) byes: Vec<usize>,
}

impl Tournament {
    /// The next round. None if there is none: all rounds are played, nobody is left, or everyone has met
    /// everyone.
    pub(super) fn pair_round(&self) -> Option<Pairing> {
        if self.round >= self.rounds() || self.active_players() < 2 {
            return None;
        }
        match self.setup.settings.format {
            TournamentFormat::Arena { .. } => None,
            TournamentFormat::RoundRobin { .. } => self.pair_round_robin(),
            TournamentFormat::Swiss { .. } => self.pair_swiss(),
        }
    }

    /// A round of Berger's tables. The opponents of those who have left win without a game.
    fn pair_round_robin(&self) -> Option<Pairing> {
        let rounds = round_robin(self.starters);
        let round = usize::from(self.round);
        let is_reversed = (round / rounds.len().max(1)) % 2 == 1;
        let mut pairing = Pairing::default();
        for [first, second] in &rounds.get(round % rounds.len().max(1))?.pairs {
            let pair = if is_reversed { [*second, *first] } else { [*first, *second] };
            match pair.map(|number| self.players[number].is_active) {
                [true, true] => pairing.pairs.push(pair),
                [true, false] => pairing.byes.push(pair[0]),
                [false, true] => pairing.byes.push(pair[1]),
                [false, false] => {}
            }
        }
        Some(pairing)
    }

    fn pair_swiss(&self) -> Option<Pairing> {
        let mut swiss = Swiss::new(self.players.len());
        for game in &self.games {
            swiss.report(game.players, game.points());
        }
        for (number, player) in self.players.iter().enumerate() {
            (0..player.byes).for_each(|_| swiss.report_bye(number, 2));
            if !player.is_active {
                swiss.withdraw(number);
            }
        }
        let round = swiss.next_round()?;
        Some(Pairing { pairs: round.pairs, byes: round.byes })
    }
}
