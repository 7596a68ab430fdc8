//! Tournaments as folds of their events.

mod properties;

use noughts_api::{
    GameId, IdentityId, Millis, TimeControl, TournamentFormat, TournamentId, TournamentOutcome,
    TournamentPhase, TournamentSettings,
};
use noughts_server::tournament::{
    MAX_PLAYERS, Tournament, TournamentEvent, TournamentRefusal, TournamentSetup,
};

const TEACHER: IdentityId = IdentityId(1_000);
const BREAK_MS: Millis = 5_000;

fn player(number: i64) -> IdentityId {
    IdentityId(number)
}

fn setup(format: TournamentFormat) -> TournamentSetup {
    TournamentSetup {
        v: 1,
        settings: TournamentSettings {
            name: "Club".into(),
            format,
            rules: "3x3".into(),
            clock: TimeControl { initial_ms: 60_000, increment_ms: 0 },
            league: None,
            bots: false,
            public: true,
            starts_at: None,
        },
        creator: TEACHER,
        break_ms: BREAK_MS,
        first_move_ms: 30_000,
        waiting_ms: 86_400_000,
        away_ms: 60_000,
        idle_ms: 86_400_000,
    }
}

/// A tournament with its log and a clock.
struct Log {
    state: Tournament,
    events: Vec<(TournamentEvent, Millis)>,
    setup: TournamentSetup,
    now: Millis,
    games: i64,
}

impl Log {
    fn new(setup: TournamentSetup) -> Log {
        let id = TournamentId::from_bytes([7; 16]);
        let state = Tournament::create(id, setup.clone(), 0).unwrap();
        Log { state, events: Vec::new(), setup, now: 0, games: 0 }
    }

    fn with_players(format: TournamentFormat, count: i64) -> Log {
        let mut log = Log::new(setup(format));
        for number in 0..count {
            log.apply(log.state.join(player(number), false).unwrap());
        }
        log
    }

    fn started(format: TournamentFormat, count: i64) -> Log {
        let mut log = Log::with_players(format, count);
        log.apply(log.state.start(TEACHER).unwrap());
        log.tick();
        log
    }

    fn apply(&mut self, events: Vec<TournamentEvent>) {
        for event in events {
            // As the log stores it.
            let text = serde_json::to_string(&event).unwrap();
            let event: TournamentEvent = serde_json::from_str(&text).unwrap();
            self.state.apply(&event, self.now).unwrap();
            self.events.push((event, self.now));
        }
    }

    /// Does what is due. Returns whether anything was.
    fn tick(&mut self) -> bool {
        let mut games = self.games;
        let events = self.state.tick(self.now, || {
            games += 1;
            GameId::new(games, [0; 10])
        });
        self.games = games;
        let is_due = !events.is_empty();
        self.apply(events);
        is_due
    }

    /// Lets time pass until something is due, and does it.
    fn wait(&mut self) {
        self.now = self.now.max(self.state.due_at().expect("nothing is due"));
        assert!(self.tick(), "nothing was due");
    }

    fn end(&mut self, game: GameId, outcome: TournamentOutcome) {
        self.apply(self.state.game_ended(game, outcome, [false; 2]));
    }

    /// Ends all games that are being played; of two players, the one with the smaller number wins.
    fn end_games(&mut self) {
        for game in self.state.pending_games() {
            let [first, second] = game.players.map(|place| self.state.players()[place].identity);
            let won =
                if first < second { TournamentOutcome::First } else { TournamentOutcome::Second };
            self.end(game.game, won);
        }
    }

    fn play_out(&mut self) {
        while !self.state.phase().is_over() {
            self.end_games();
            self.wait();
        }
    }

    fn ranking(&self) -> Vec<(u32, i64, u32)> {
        let ranked = self.state.standings().into_iter();
        ranked.map(|ranked| (ranked.rank, ranked.player.identity.0, ranked.points)).collect()
    }
}

const ROUND_ROBIN: TournamentFormat = TournamentFormat::RoundRobin { cycles: 1 };
const ARENA: TournamentFormat = TournamentFormat::Arena { minutes: 5 };

#[test]
fn round_robin_from_start_to_end() {
    let mut log = Log::started(ROUND_ROBIN, 4);
    assert_eq!((log.state.round(), log.state.rounds(), log.state.pending_games().len()), (1, 3, 2));
    assert_eq!(log.state.due_at(), None, "the round is played");
    log.end_games();
    assert_eq!(log.state.due_at(), Some(log.now + BREAK_MS));
    assert!(!log.tick(), "there is a break between the rounds");
    log.play_out();
    assert_eq!(log.state.phase(), TournamentPhase::Finished);
    assert_eq!(log.ranking(), [(1, 0, 6), (2, 1, 4), (3, 2, 2), (4, 3, 0)]);
    assert_eq!(log.state.standings()[0].tie_breaks.sonneborn_berger, 2 * (4 + 2));
    assert_eq!(log.state.standings()[3].tie_breaks.buchholz, 6 + 4 + 2);
}

#[test]
fn second_cycle_reverses_the_first_move() {
    let mut log = Log::started(TournamentFormat::RoundRobin { cycles: 2 }, 3);
    log.play_out();
    let pairs: Vec<[usize; 2]> = log.state.games().iter().map(|game| game.players).collect();
    assert_eq!((log.state.rounds(), pairs.len()), (6, 6));
    for [a, b] in &pairs {
        assert!(pairs.contains(&[*b, *a]), "{a} moves first against {b}, but not second");
    }
}

#[test]
fn odd_player_has_a_bye_in_swiss() {
    let mut log = Log::started(TournamentFormat::Swiss { rounds: 2 }, 3);
    log.play_out();
    let byes: u32 = log.state.standings().iter().map(|player| player.byes).sum();
    assert_eq!((byes, log.state.games().len()), (2, 2));
    let points: u32 = log.state.standings().iter().map(|player| player.points).sum();
    assert_eq!(points, 8);
}

#[test]
fn swiss_ends_when_everyone_has_met() {
    let mut log = Log::started(TournamentFormat::Swiss { rounds: 9 }, 4);
    log.play_out();
    assert_eq!((log.state.phase(), log.state.games().len()), (TournamentPhase::Finished, 6));
}

#[test]
fn late_players_join_swiss_but_not_round_robin() {
    let mut swiss = Log::started(TournamentFormat::Swiss { rounds: 3 }, 4);
    swiss.apply(swiss.state.join(player(9), false).unwrap());
    swiss.end_games();
    swiss.wait();
    assert_eq!(swiss.state.pending_games().len(), 2);
    swiss.end_games();
    swiss.wait();
    assert_eq!(swiss.state.join(player(10), false), Err(TournamentRefusal::Begun), "last round");
    let round_robin = Log::started(ROUND_ROBIN, 4);
    assert_eq!(round_robin.state.join(player(9), false), Err(TournamentRefusal::Begun));
}

#[test]
fn player_who_never_moves_loses_and_is_paused() {
    let mut log = Log::started(ROUND_ROBIN, 3);
    let game = log.state.pending_games()[0];
    let absent = log.state.players()[game.players[1]].identity;
    let events = log.state.game_ended(game.game, TournamentOutcome::First, [false, true]);
    log.apply(events);
    assert!(!log.state.players()[game.players[1]].is_active);
    // The next round counts as won for the opponent.
    log.wait();
    log.play_out();
    assert_eq!(log.state.games().len(), 2);
    assert_eq!(log.state.standings().iter().map(|player| player.byes).sum::<u32>(), 1);
    assert_eq!(log.state.join(absent, false), Err(TournamentRefusal::Over));
}

#[test]
fn paused_player_comes_back() {
    let mut log = Log::started(ROUND_ROBIN, 4);
    let game = log.state.pending_games()[0];
    let absent = log.state.players()[game.players[0]].identity;
    log.apply(log.state.game_ended(game.game, TournamentOutcome::Second, [true, true]));
    log.apply(log.state.join(absent, false).unwrap());
    assert!(log.state.join(absent, false).unwrap().is_empty(), "joining twice is joining once");
    log.play_out();
    assert_eq!(log.state.games().len(), 6);
}

#[test]
fn arena_pairs_again_until_the_time_is_over() {
    let mut log = Log::started(ARENA, 4);
    assert_eq!(log.state.pending_games().len(), 2);
    let first = log.state.pending_games()[0];
    log.end(first.game, TournamentOutcome::First);
    // The two who are free have just met.
    assert_eq!(log.state.next_pairing_at(), None);
    let second = log.state.pending_games()[0];
    log.end(second.game, TournamentOutcome::Draw);
    log.wait();
    let met = |game: &noughts_server::tournament::PlayedGame| {
        let mut players = game.players;
        players.sort_unstable();
        players
    };
    let again = log.state.pending_games();
    assert!(again.len() == 2 && again.iter().all(|game| met(game) != met(&first)));
    // Games that are not over in time don't count.
    log.wait();
    assert_eq!((log.state.phase(), log.now), (TournamentPhase::Finished, 5 * 60_000));
    assert!(log.state.pending_games().is_empty());
    assert_eq!(log.state.standings().iter().map(|player| player.points).sum::<u32>(), 4);
    assert!(log.state.game_ended(again[0].game, TournamentOutcome::First, [false; 2]).is_empty());
}

#[test]
fn two_players_meet_again_in_an_arena() {
    let mut log = Log::started(ARENA, 2);
    for _ in 0..4 {
        log.end_games();
        log.wait();
    }
    let firsts = log.state.games().iter().filter(|game| game.players[0] == 0).count();
    assert!((2..=3).contains(&firsts), "first moves are shared: {firsts} of 5");
}

#[test]
fn start_needs_its_creator_and_two_players() {
    let mut log = Log::with_players(ARENA, 1);
    assert_eq!(log.state.start(player(0)), Err(TournamentRefusal::NotYours));
    assert_eq!(log.state.start(TEACHER), Err(TournamentRefusal::TooFewPlayers));
    log.apply(log.state.join(player(1), false).unwrap());
    assert_eq!(log.state.join(player(2), true), Err(TournamentRefusal::NotForBots));
    log.apply(log.state.start(TEACHER).unwrap());
    assert_eq!(log.state.start(TEACHER), Err(TournamentRefusal::Started));
    assert_eq!(log.state.cancel(TEACHER), Err(TournamentRefusal::Started));
}

#[test]
fn tournament_starts_at_its_time_or_not_at_all() {
    let mut settings = setup(ARENA);
    settings.settings.starts_at = Some(60_000);
    let mut log = Log::new(settings.clone());
    log.wait();
    assert_eq!((log.state.phase(), log.now), (TournamentPhase::Cancelled, 60_000));
    let mut log = Log::new(settings);
    for number in 0..3 {
        log.apply(log.state.join(player(number), false).unwrap());
    }
    log.apply(log.state.leave(player(1)).unwrap());
    log.wait();
    assert_eq!((log.state.phase(), log.state.players().len()), (TournamentPhase::Running, 2));
    // Nobody starts this one.
    let mut forgotten = Log::with_players(ARENA, 5);
    forgotten.wait();
    assert_eq!(forgotten.state.phase(), TournamentPhase::Cancelled);
}

#[test]
fn tournaments_fill_up() {
    let most = i64::try_from(MAX_PLAYERS).unwrap();
    let mut log = Log::with_players(ARENA, most);
    assert_eq!(log.state.join(player(most), false), Err(TournamentRefusal::Full));
    log.apply(log.state.start(TEACHER).unwrap());
    log.tick();
    assert_eq!(log.state.pending_games().len(), MAX_PLAYERS / 2);
}
