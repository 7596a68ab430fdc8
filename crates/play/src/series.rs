//! Games one after the other between the same players: who sits where, what counts, and what may
//! be taken back.

use std::fmt;

use noughts_engine::{PlayerKind, Verdict};
use noughts_rules::{Event, Game, Outcome, Player, Refusal, Rules, Seat, Symbol};

use crate::score::Score;

/// People and computers who play one game after the other and take turns to start.
pub struct Series {
    rules: Rules,
    /// The players in the order in which they introduced themselves.
    people: Vec<Player>,
    kinds: Vec<PlayerKind>,
    /// Whether the end of a game is final.
    is_rated: bool,
    score: Score,
    /// Which of them has the first seat in this game.
    starter: usize,
    /// What was counted for this game, if it was: the person who won it, if one did.
    counted: Option<Option<usize>>,
}

/// Why a move can't be taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UndoRefusal {
    /// No move was made.
    NothingToUndo,
    /// The game is rated and over.
    EndIsFinal,
}

impl Series {
    /// Players of these kinds, in the order of play, with symbols of their own.
    pub fn new(
        rules: &Rules,
        people: Vec<Player>,
        kinds: Vec<PlayerKind>,
        is_rated: bool,
    ) -> Series {
        let score = Score::new(people.iter().map(|player| player.name().to_string()));
        Series { rules: rules.clone(), people, kinds, is_rated, score, starter: 0, counted: None }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What each of the players is, in the order in which they introduced themselves.
    pub fn kinds(&self) -> &[PlayerKind] {
        &self.kinds
    }

    /// Whether a move of somebody who plays proven moves where there are any is not one.
    pub fn is_unproven(&self, person: usize, verdict: Option<Verdict>) -> bool {
        let plays_proven_moves = self.kinds[person].to_string() == "perfect";
        plays_proven_moves && matches!(verdict, Some(Verdict::Estimate(_)))
    }

    /// The score so far.
    pub fn score(&self) -> &Score {
        &self.score
    }

    /// An empty board with whoever starts at the first seat.
    pub fn new_game(&mut self) -> Game {
        self.counted = None;
        let mut seats = self.people.clone();
        seats.rotate_left(self.starter);
        Game::new(&self.rules, seats).expect("each person chose a symbol of their own")
    }

    /// Lets the next person start.
    pub fn pass_start(&mut self) {
        self.starter = (self.starter + 1) % self.people.len();
    }

    /// Lets everybody take the seat before theirs, and the symbol that belongs to it.
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

    /// Whether the end of a game is final.
    pub fn is_rated(&self) -> bool {
        self.is_rated
    }

    /// Who sits at a seat in this game, counted from 0 in the order of the introductions.
    pub fn person(&self, seat: Seat) -> usize {
        (self.starter + seat.index()) % self.people.len()
    }

    /// Whether it is a person who sits there, and not a computer.
    pub fn is_person(&self, seat: Seat) -> bool {
        self.kinds[self.person(seat)].is_human()
    }

    /// Why the last move can't be taken back, if it can't.
    pub fn check_undo(&self, game: &Game) -> Result<(), UndoRefusal> {
        if game.history().len() == 0 {
            Err(UndoRefusal::NothingToUndo)
        } else if game.turn().is_none() && self.is_rated() {
            Err(UndoRefusal::EndIsFinal)
        } else {
            Ok(())
        }
    }

    /// Keeps the score by what happens in the game.
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
            UndoRefusal::EndIsFinal => {
                f.write_str("This game is rated: its end can't be taken back.")
            }
        }
    }
}

/// A refusal as a sentence.
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
    fn an_end_that_is_taken_back_does_not_count() {
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
    fn who_starts_changes_from_game_to_game() {
        let mut series = series();
        assert_eq!(series.new_game().players()[0].name(), "Ann");
        series.pass_start();
        let game = series.new_game();
        assert_eq!(game.players()[0].name(), "Bob");
        assert_eq!(series.person(Seat::FIRST), 1);
    }
}
