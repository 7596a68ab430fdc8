//! A series of games between the same players: seats, score, and what may be undone.

use std::fmt;

use noughts_engine::{PlayerKind, Verdict};
use noughts_rules::{Event, Game, Outcome, Player, Position, Refusal, Rules, Seat, Symbol};

use crate::score::Score;

/// People and computers who play a series and take turns to start.
pub struct Series {
    /// The position with which each game begins.
    start: Position,
    /// The players in order of introduction.
    people: Vec<Player>,
    kinds: Vec<PlayerKind>,
    /// Whether results are final.
    is_rated: bool,
    score: Score,
    /// The index of the player who starts this game.
    starter: usize,
    /// How this game was counted, if it was: the index of the winner, or `None` for a draw.
    counted: Option<Option<usize>>,
}

/// Why the last move can't be undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UndoRefusal {
    /// No move was made.
    NothingToUndo,
    /// The game is rated.
    Rated,
}

impl Series {
    /// Starts a series of players in order of play, each with a unique symbol.
    pub fn new(
        rules: &Rules,
        people: Vec<Player>,
        kinds: Vec<PlayerKind>,
        is_rated: bool,
    ) -> Series {
        let score = Score::new(people.iter().map(|player| player.name().to_string()));
        let start = Position::new(rules);
        Series { start, people, kinds, is_rated, score, starter: 0, counted: None }
    }

    /// Lets every game begin with this position of the same rules.
    #[must_use]
    pub fn starting_from(self, start: Position) -> Series {
        debug_assert_eq!(start.rules(), self.rules());
        Series { start, ..self }
    }

    /// The position with which each game begins.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        self.start.rules()
    }

    /// The kinds of the players, in order of introduction.
    pub fn kinds(&self) -> &[PlayerKind] {
        &self.kinds
    }

    /// Whether a perfect player could only estimate its move.
    pub fn is_unproven(&self, person: usize, verdict: Option<Verdict>) -> bool {
        let plays_proven_moves = self.kinds[person].to_string() == "perfect";
        plays_proven_moves && matches!(verdict, Some(Verdict::Estimate(_)))
    }

    /// The score so far.
    pub fn score(&self) -> &Score {
        &self.score
    }

    /// Starts a game with the next starter in the first seat.
    pub fn new_game(&mut self) -> Game {
        self.counted = None;
        let mut seats = self.people.clone();
        seats.rotate_left(self.starter);
        let game = Game::from_position(self.start.clone(), seats);
        game.expect("each person chose a symbol of their own")
    }

    /// Passes the start to the next player.
    pub fn pass_start(&mut self) {
        self.starter = (self.starter + 1) % self.people.len();
    }

    /// Moves everyone to the seat before theirs, with its symbol.
    pub fn swap_sides(&mut self) {
        let mut symbols: Vec<Symbol> =
            self.people.iter().map(|player| player.symbol().clone()).collect();
        symbols.rotate_right(1);
        let players = self.people.iter().zip(symbols);
        self.people = players
            .map(|(player, symbol)| {
                Player::new(player.name(), symbol).expect("it is the player's name")
            })
            .collect();
        self.pass_start();
    }

    /// Whether results are final.
    pub fn is_rated(&self) -> bool {
        self.is_rated
    }

    /// The player in a seat of this game, as an index in order of introduction.
    pub fn person(&self, seat: Seat) -> usize {
        (self.starter + seat.index()) % self.people.len()
    }

    /// Whether a person plays in this seat.
    pub fn is_person(&self, seat: Seat) -> bool {
        self.kinds[self.person(seat)].is_human()
    }

    /// Checks whether the last move can be undone.
    pub fn check_undo(&self, game: &Game) -> Result<(), UndoRefusal> {
        if game.history().len() == 0 {
            Err(UndoRefusal::NothingToUndo)
        } else if self.is_rated() {
            Err(UndoRefusal::Rated)
        } else {
            Ok(())
        }
    }

    /// Updates the score.
    pub fn record_event(&mut self, event: &Event) {
        match event {
            Event::Finished { status } => {
                let winner = match status.outcome() {
                    Some(Outcome::Win(seat)) => Some(self.person(seat)),
                    _ => None,
                };
                self.score.count(winner);
                self.counted = Some(winner);
            }
            Event::MoveUndone { .. } | Event::ResignationUndone { .. } => {
                if let Some(winner) = self.counted.take() {
                    self.score.take_back(winner);
                }
            }
            _ => {}
        }
    }
}

impl fmt::Display for UndoRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UndoRefusal::NothingToUndo => f.write_str(&sentence(Refusal::NothingToUndo)),
            UndoRefusal::Rated => f.write_str("This game is rated: moves can't be taken back."),
        }
    }
}

/// Formats a refusal as a sentence.
pub fn sentence(refusal: Refusal) -> String {
    capitalised(&refusal.to_string()) + "."
}

/// Starts a text with a capital letter.
pub fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_uppercase());
    first.into_iter().flatten().chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series() -> Series {
        let people = vec![
            Player::new("Ann", "X".parse().unwrap()).unwrap(),
            Player::new("Bob", "O".parse().unwrap()).unwrap(),
        ];
        Series::new(&Rules::classic(), people, vec![PlayerKind::HUMAN; 2], false)
    }

    #[test]
    fn undone_result_does_not_count() {
        let mut series = series();
        let mut game = series.new_game();
        assert_eq!(series.check_undo(&game), Err(UndoRefusal::NothingToUndo));
        let events = game.resign(Seat::FIRST).unwrap();
        events.iter().for_each(|event| series.record_event(event));
        assert_eq!(series.score().to_string(), "Score: Ann 0, Bob 1, draws 0");
        let events = game.undo().unwrap();
        events.iter().for_each(|event| series.record_event(event));
        assert_eq!(series.score().to_string(), "Score: Ann 0, Bob 0, draws 0");
    }

    #[test]
    fn players_take_turns_to_start() {
        let mut series = series();
        assert_eq!(series.new_game().players()[0].name(), "Ann");
        series.pass_start();
        let game = series.new_game();
        assert_eq!(game.players()[0].name(), "Bob");
        assert_eq!(series.person(Seat::FIRST), 1);
    }
}
