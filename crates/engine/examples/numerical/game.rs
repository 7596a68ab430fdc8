//! Numerical tic-tac-toe: the first player has the odd numbers from 1 to 9, the second the even
//! ones, each once. A line of three numbers with the sum 15 wins for the player who completes it.

use noughts_rules::{Outcome, Seat, State};

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

#[derive(Clone, Default)]
pub(crate) struct Numerical {
    /// The number in each cell, 0 if it is empty.
    board: [u8; 9],
    /// The cells in the order in which they were filled.
    filled: Vec<usize>,
}

impl Numerical {
    fn is_legal(&self, (cell, number): (usize, u8)) -> bool {
        let is_own = (1..=9).contains(&number) && usize::from(number) % 2 != self.filled.len() % 2;
        is_own && self.board.get(cell) == Some(&0) && !self.board.contains(&number)
    }
}

impl State for Numerical {
    type Move = (usize, u8);
    type Refusal = &'static str;

    fn turn(&self) -> Option<Seat> {
        if self.outcome().is_some() { None } else { Seat::new(self.filled.len() as u8 % 2) }
    }
    fn outcome(&self) -> Option<Outcome> {
        let is_won = LINES
            .map(|line| line.map(|cell| self.board[cell]))
            .into_iter()
            .any(|line| !line.contains(&0) && line.into_iter().sum::<u8>() == 15);
        let last = Seat::new((self.filled.len() as u8 + 1) % 2)?;
        is_won.then_some(Outcome::Win(last)).or((self.filled.len() == 9).then_some(Outcome::Draw))
    }
    fn moves(&self, out: &mut Vec<(usize, u8)>) {
        if self.outcome().is_none() {
            let all = (0..9).flat_map(|cell| (1..=9).map(move |number| (cell, number)));
            out.extend(all.filter(|&mv| self.is_legal(mv)));
        }
    }
    fn play(&mut self, mv: (usize, u8)) -> Result<Option<Outcome>, &'static str> {
        if self.outcome().is_some() || !self.is_legal(mv) {
            return Err("the cell or the number is taken, or the number is not yours");
        }
        self.board[mv.0] = mv.1;
        self.filled.push(mv.0);
        Ok(self.outcome())
    }
    fn undo(&mut self) -> bool {
        self.filled.pop().map(|cell| self.board[cell] = 0).is_some()
    }
    fn key(&self) -> u64 {
        self.board.iter().fold(0, |key, &number| key * 10 + u64::from(number))
    }
}
