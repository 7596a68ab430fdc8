//! The laws that every game obeys, as a test suite for games of your own.
//!
//! ```
//! use noughts_rules::{Position, Rules, laws};
//!
//! laws::check(&Position::new(&Rules::classic()), 20, 1);
//! ```

use std::collections::HashMap;
use std::fmt::Debug;

use crate::State;

/// A game that is longer fails the laws.
pub const MAX_PLIES: usize = 10_000;

/// Plays this many random games from a state, and checks at every step that
///
/// - the legal moves are distinct, as many as [`State::move_count`] says, and the same as
///   [`State::nth_move`] finds; there are some exactly if nobody has won yet and it is somebody's turn;
/// - every legal move is accepted, and undoing it gives back the turn, the outcome, the key and the
///   moves;
/// - moves that were legal before and are not now are refused, which changes nothing;
/// - keys tell positions apart: two states with the same key have the same turn and moves;
/// - no position occurs twice, unless the game [repeats](State::repeats);
/// - the game ends, and can be undone to the start.
///
/// # Panics
///
/// If a law does not hold.
pub fn check<S: State>(start: &S, games: usize, seed: u64) {
    let mut seen: HashMap<u64, View<S>> = HashMap::new();
    let mut random = Random(seed.wrapping_mul(2).wrapping_add(1));
    for _ in 0..games {
        let mut state = start.clone();
        let mut views: Vec<View<S>> = Vec::new();
        while state.outcome().is_none() {
            let view = View::of(&state);
            check_moves(&mut state, &view);
            if let Some(before) = views.last() {
                check_refusals(&mut state, &view, &before.moves);
            }
            let is_new = views.iter().all(|earlier| earlier.key != view.key);
            assert!(
                is_new || state.repeats(),
                "a position occurs twice in a game that never repeats"
            );
            let known = seen.entry(view.key).or_insert_with(|| view.clone());
            assert_eq!(known.turn, view.turn, "two positions with the key {}", view.key);
            assert_eq!(known.moves, view.moves, "two positions with the key {}", view.key);
            let mv = view.moves[random.below(view.moves.len())];
            views.push(view);
            assert!(views.len() < MAX_PLIES, "the game does not end");
            let outcome = state.play(mv).expect("a legal move");
            assert_eq!(outcome, state.outcome(), "play returns the outcome after {mv:?}");
        }
        assert_eq!(state.turn(), None, "a finished game is nobody's turn");
        check_moves(&mut state.clone(), &View::of(&state));
        if let Some(before) = views.last() {
            let view = View::of(&state);
            check_refusals(&mut state, &view, &before.moves);
        }
        while let Some(view) = views.pop() {
            assert!(state.undo(), "undo refused a move that was made");
            view.check(&state, "undo");
        }
        assert!(!state.undo() || start.clone().undo(), "undo went back beyond the start");
    }
}

/// Everything that is observable of a state.
#[derive(Debug, Clone)]
struct View<S: State> {
    turn: Option<crate::Seat>,
    outcome: Option<crate::Outcome>,
    key: u64,
    moves: Vec<S::Move>,
}

impl<S: State> View<S> {
    fn of(state: &S) -> View<S> {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        View { turn: state.turn(), outcome: state.outcome(), key: state.key(), moves }
    }

    /// Checks that the state looks like this again.
    fn check(&self, state: &S, after: &str) {
        let now = View::of(state);
        assert_eq!(now.turn, self.turn, "{after} keeps the turn");
        assert_eq!(now.outcome, self.outcome, "{after} keeps the outcome");
        assert_eq!(now.key, self.key, "{after} keeps the key");
        assert_eq!(now.moves, self.moves, "{after} keeps the moves");
    }
}

fn check_moves<S: State>(state: &mut S, view: &View<S>) {
    let moves = &view.moves;
    assert_eq!(state.move_count(), moves.len(), "the number of moves");
    for (n, mv) in moves.iter().enumerate() {
        assert_eq!(state.nth_move(n), Some(*mv), "move number {n}");
        assert!(!moves[..n].contains(mv), "{mv:?} is listed twice");
    }
    assert_eq!(state.nth_move(moves.len()), None, "there is no move after the last");
    if view.outcome.is_some() {
        assert!(moves.is_empty(), "a finished game has no moves");
        return;
    }
    assert!(!moves.is_empty(), "a game without moves is over");
    let turn = view.turn.expect("a game that is not over is somebody's turn");
    assert!(turn.index() < state.seats(), "the seat to move is in the game");
    for &mv in moves {
        let refused = format!("the legal move {mv:?}");
        state.play(mv).expect(&refused);
        assert!(state.undo(), "undo refused {mv:?}");
        view.check(state, "undo");
    }
}

/// Tries moves that were legal before.
fn check_refusals<S: State>(state: &mut S, view: &View<S>, earlier: &[S::Move]) {
    for mv in earlier.iter().filter(|mv| !view.moves.contains(mv)) {
        assert!(state.play(*mv).is_err(), "{mv:?} is accepted, but not listed as a move");
        view.check(state, "a refused move");
    }
}

/// A small generator (xorshift64), so that the rules need no dependency.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 32) as usize * limit) >> 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Outcome, Seat};

    /// Counts down from five by one or two; whoever says zero wins. `fault` breaks one law.
    #[derive(Clone)]
    struct Countdown {
        said: Vec<u8>,
        fault: &'static str,
    }

    impl Countdown {
        fn left(&self) -> u8 {
            5 - self.said.iter().sum::<u8>()
        }
    }

    impl State for Countdown {
        type Move = u8;
        type Refusal = ();

        fn turn(&self) -> Option<Seat> {
            (self.left() > 0).then(|| Seat::new(self.said.len() as u8 % 2).unwrap())
        }

        fn outcome(&self) -> Option<Outcome> {
            let winner = Seat::new((self.said.len() as u8 + 1) % 2).unwrap();
            (self.left() == 0).then_some(Outcome::Win(winner))
        }

        fn moves(&self, out: &mut Vec<u8>) {
            let least = u8::from(self.fault != "repetition");
            out.extend(
                (least..=2)
                    .filter(|&n| (n <= self.left() && self.left() > 0) || self.fault == "moves"),
            );
        }

        fn play(&mut self, mv: u8) -> Result<Option<Outcome>, ()> {
            if mv > self.left() || self.left() == 0 {
                if self.fault == "refusal" {
                    self.said.pop();
                }
                return Err(());
            }
            self.said.push(mv);
            Ok(self.outcome())
        }

        fn undo(&mut self) -> bool {
            if self.fault == "undo" {
                return self.said.pop().is_some() && self.said.pop().is_some();
            }
            self.said.pop().is_some()
        }

        fn key(&self) -> u64 {
            match self.fault {
                "key" => self.left().into(),
                _ => u64::from(self.left()) * 2 + self.said.len() as u64 % 2,
            }
        }
    }

    fn check_with(fault: &'static str) {
        check(&Countdown { said: Vec::new(), fault }, 20, 7);
    }

    #[test]
    fn lawful_game_passes() {
        check_with("");
    }

    #[test]
    #[should_panic(expected = "the legal move")]
    fn illegal_move_is_noticed() {
        check_with("moves");
    }

    #[test]
    #[should_panic(expected = "undo")]
    fn broken_undo_is_noticed() {
        check_with("undo");
    }

    #[test]
    #[should_panic(expected = "occurs twice")]
    fn undeclared_repetition_is_noticed() {
        check_with("repetition");
    }

    #[test]
    #[should_panic(expected = "a refused move keeps")]
    fn changing_refusal_is_noticed() {
        check_with("refusal");
    }

    #[test]
    #[should_panic(expected = "two positions with the key")]
    fn ambiguous_key_is_noticed() {
        check_with("key");
    }
}
