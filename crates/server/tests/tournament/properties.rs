//! Laws that hold whatever players do.

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;

#[derive(Debug, Clone)]
enum Action {
    Join(i64),
    Leave(i64),
    Start,
    /// The place of the game among those being played, how it ends, and who has not moved.
    End(usize, TournamentOutcome, [bool; 2]),
    Wait,
}

fn any_action() -> impl Strategy<Value = Action> {
    let outcome = prop_oneof![
        4 => Just(TournamentOutcome::First),
        4 => Just(TournamentOutcome::Second),
        3 => Just(TournamentOutcome::Draw),
        1 => Just(TournamentOutcome::None),
    ];
    prop_oneof![
        3 => (0..9i64).prop_map(Action::Join),
        1 => (0..9i64).prop_map(Action::Leave),
        1 => Just(Action::Start),
        8 => (any::<usize>(), outcome, prop::array::uniform2(prop::bool::weighted(0.1)))
            .prop_map(|(place, outcome, absent)| Action::End(place, outcome, absent)),
        4 => Just(Action::Wait),
    ]
}

fn any_format() -> impl Strategy<Value = TournamentFormat> {
    prop_oneof![
        (1..=2u8).prop_map(|cycles| TournamentFormat::RoundRobin { cycles }),
        (1..=6u8).prop_map(|rounds| TournamentFormat::Swiss { rounds }),
        (1..=3u16).prop_map(|minutes| TournamentFormat::Arena { minutes }),
    ]
}

impl Log {
    fn act(&mut self, action: &Action) {
        let events = match action {
            Action::Join(number) => self.state.join(player(*number), false),
            Action::Leave(number) => self.state.leave(player(*number)),
            Action::Start => self.state.start(TEACHER),
            Action::End(place, outcome, absent) => {
                let pending = self.state.pending_games();
                let game = pending.get(place % pending.len().max(1));
                Ok(game
                    .map_or(Vec::new(), |game| self.state.game_ended(game.game, *outcome, *absent)))
            }
            Action::Wait => {
                if self.state.phase() == TournamentPhase::Running
                    && let Some(due) = self.state.due_at()
                {
                    self.now = self.now.max(due);
                }
                Ok(Vec::new())
            }
        };
        self.apply(events.unwrap_or_default());
        while self.tick() {}
    }

    fn check(&self) {
        let state = &self.state;
        // The log alone makes the state.
        let mut replayed = Tournament::create(state.id(), self.setup.clone(), 0).unwrap();
        for (event, at) in &self.events {
            replayed.apply(event, *at).unwrap();
        }
        assert_eq!(&replayed, state);
        // Everybody plays one game at a time.
        let pending = state.pending_games();
        let playing: HashSet<usize> = pending.iter().flat_map(|game| game.players).collect();
        assert_eq!(playing.len(), 2 * pending.len());
        // No point comes from nowhere.
        let standings = state.standings();
        let counted = state.games().iter().filter(|game| game.counts()).count();
        let points: u32 = standings.iter().map(|player| player.points).sum();
        let byes: u32 = standings.iter().map(|player| player.byes).sum();
        assert_eq!(points as usize, 2 * (counted + byes as usize));
        for ranked in &standings {
            assert_eq!(ranked.points, 2 * (ranked.wins + ranked.byes) + ranked.draws);
        }
        assert!(standings.is_sorted_by_key(|ranked| std::cmp::Reverse(ranked.points)));
        assert!(standings.is_sorted_by_key(|ranked| ranked.rank));
        let most = match self.setup.settings.format {
            TournamentFormat::Arena { .. } => usize::MAX,
            TournamentFormat::RoundRobin { cycles } => cycles.into(),
            TournamentFormat::Swiss { .. } => 1,
        };
        for game in state.games() {
            let [a, b] = game.players;
            let is_same = |other: &[usize; 2]| *other == [a, b] || *other == [b, a];
            let met = state.games().iter().filter(|game| is_same(&game.players)).count();
            assert!(met <= most, "{a} and {b} met {met} times");
        }
    }
}

proptest! {
    #[test]
    fn laws_hold_at_every_event(
        format in any_format(),
        players in 2..8i64,
        actions in prop::collection::vec(any_action(), 0..60),
    ) {
        let mut log = Log::with_players(format, players);
        for action in &actions {
            log.act(action);
            log.check();
        }
    }

    #[test]
    fn every_tournament_ends(format in any_format(), players in 2..20i64) {
        let mut log = Log::started(format, players);
        for _ in 0..10_000 {
            if log.state.phase().is_over() {
                break;
            }
            log.end_games();
            log.wait();
        }
        log.check();
        prop_assert_eq!(log.state.phase(), TournamentPhase::Finished);
        if let TournamentFormat::RoundRobin { cycles } = format {
            let meetings = players * (players - 1) / 2 * i64::from(cycles);
            prop_assert_eq!(log.state.games().len() as i64, meetings);
        }
    }
}
