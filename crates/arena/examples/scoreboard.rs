//! A scoreboard that subscribes to the events of games. Neither the game nor its players know of it.
//!
//! `cargo run --release -p noughts-arena --example scoreboard`

use std::error::Error;

use noughts_engine::{
    Budget, Computer, Decision, Forfeit, GameHost, GameObserver, PlayerKind, run_game,
};
use noughts_rules::{Event, Game, Player, Rules, Seat, Status, Symbol};
use noughts_scores::{GameResult, League, Name, Outcome, Report, ResultId, System};

/// Reports finished games to a league.
struct Scoreboard {
    league: League<Name>,
    games: u64,
}

impl Scoreboard {
    fn on_event(&mut self, game: &Game, event: &Event) -> Result<(), Box<dyn Error>> {
        let Event::Finished { status } = event else { return Ok(()) };
        let outcome = match status {
            Status::Won { seat, .. } => Outcome::Won { seat: seat.index() as u8 },
            _ => Outcome::Draw,
        };
        self.games += 1;
        let names = game.players().iter().map(Player::name);
        let result = GameResult::from_names(names, outcome)?;
        self.league.report(&Report { id: ResultId(self.games), at: 0, result })?;
        Ok(())
    }
}

/// Computers at both seats, and a subscriber.
struct Match<'a> {
    computers: Vec<Computer>,
    scoreboard: &'a mut Scoreboard,
}

impl GameObserver for Match<'_> {
    type Error = Box<dyn Error>;

    fn is_person(&self, _: Seat) -> bool {
        false
    }

    fn on_event(&mut self, game: &Game, event: &Event) -> Result<(), Box<dyn Error>> {
        self.scoreboard.on_event(game, event)
    }

    fn on_forfeit(&mut self, _: &Game, forfeit: &Forfeit) -> Result<(), Box<dyn Error>> {
        println!("player {} forfeits: {}", forfeit.seat, forfeit.reason);
        Ok(())
    }
}

impl GameHost for Match<'_> {
    fn decide(&mut self, game: &Game, seat: Seat) -> Result<Decision, Box<dyn Error>> {
        Ok(self.computers[seat.index()].decide(game))
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut scoreboard = Scoreboard { league: League::new(System::Elo), games: 0 };
    let rules: Rules = "4x4:3".parse()?;
    let names = ["easy", "medium", "hard"];
    for round in 0..6 {
        let pairing = [names[round % 3], names[(round + 1 + round / 3) % 3]];
        play(&rules, pairing, round as u64, &mut scoreboard)?;
    }
    for standing in scoreboard.league.top(3) {
        let (record, rating) = (standing.record, standing.rating.shown);
        println!(
            "{} {:<8} {rating:>5} {} – {} – {}",
            standing.rank,
            standing.player.as_str(),
            record.wins,
            record.draws,
            record.losses
        );
    }
    assert_eq!(scoreboard.league.len(), 3);
    Ok(())
}

fn play(
    rules: &Rules,
    names: [&str; 2],
    seed: u64,
    scoreboard: &mut Scoreboard,
) -> Result<(), Box<dyn Error>> {
    let (mut players, mut computers) = (Vec::new(), Vec::new());
    for (seat, name) in rules.seats().zip(names) {
        players.push(Player::new(name, Symbol::default_for(seat))?);
        let strategy = name.parse::<PlayerKind>()?.strategy(seed).ok_or("a person")?;
        computers.push(Computer::new(strategy, Budget::unlimited().with_nodes(1_000)));
    }
    let mut game = Game::new(rules, players)?;
    run_game(&mut game, &mut Match { computers, scoreboard })?;
    Ok(())
}
