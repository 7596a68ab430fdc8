//! Tactics of one turn: immediate wins, blocks and blunders.

use std::cmp::Reverse;

use noughts_rules::{Move, Outcome, Position};

use crate::StrategyError;
use crate::board::Board;
use crate::method::Method;
use crate::solve::MAX_SOLVABLE_CELLS;
use crate::threats::{cells_to_win, urgency, winning_cells};

/// The first move on a board too large to solve: the cell on most lines, nearest to the centre.
/// `None` later in the game, on smaller boards and in misère games.
pub(crate) fn opening_move(board: &Board) -> Option<usize> {
    let tables = board.tables();
    let applies = board.empty_count() == tables.cell_count
        && tables.cell_count > MAX_SOLVABLE_CELLS
        && !tables.misere;
    let worth = |&cell: &usize| (urgency(board, cell), Reverse(tables.off_centre(cell)));
    board.legal_moves().filter(|_| applies).max_by_key(worth)
}

/// The legal moves of a position, classified by looking one turn ahead.
#[derive(Debug)]
pub(crate) struct Tactics {
    /// Moves that do not lose at once; all legal moves if there is none.
    pub(crate) sound: Vec<Move>,
    /// Moves that win in this turn.
    pub(crate) wins: Vec<Move>,
    /// Moves that keep another seat from winning in its turn, if one threatens to.
    pub(crate) blocks: Vec<Move>,
    /// Sound moves that do not let another seat win at once; all sound moves if there is none.
    pub(crate) safe: Vec<Move>,
}

impl Tactics {
    /// Fails if the game is over.
    pub(crate) fn new(position: &Position) -> Result<Tactics, StrategyError> {
        if position.outcome().is_some() {
            return Err(StrategyError::GameOver);
        }
        Ok(match Method::of(position) {
            Method::Lines => Tactics::on_board(&Board::new(position)),
            Method::Opening => Tactics::by_trial(position, 0),
            Method::Renju | Method::AnyGame => Tactics::by_trial(position, MAX_TRIALS),
        })
    }

    /// By the lines that lack few stones.
    pub(crate) fn on_board(board: &Board) -> Tactics {
        let tables = board.tables();
        let (mover, misere) = (board.turn(), tables.misere);
        let others: Vec<usize> = board
            .active_seats()
            .iter()
            .map(|&s| s.into())
            .filter(|&s: &usize| s != mover)
            .collect();
        let others_complete = |cell: usize| others.iter().any(|&seat| board.completes(seat, cell));
        let stones = usize::from(tables.stones_per_turn);
        let turn_threats: Vec<usize> = match stones {
            1 => Vec::new(),
            _ => others.iter().flat_map(|&seat| cells_to_win(board, seat, stones)).collect(),
        };
        let winning = winning_cells(board);
        // With gravity, a move makes the cell above it playable.
        let hands_over =
            |cell: usize| tables.gravity && tables.above(cell).is_some_and(others_complete);
        let legal: Vec<usize> = board.legal_moves().collect();
        let select = |wanted: &dyn Fn(usize) -> bool| -> Vec<Move> {
            let cells = legal.iter().copied().filter(|&cell| wanted(cell));
            cells.map(|cell| board.cell(cell).into()).collect()
        };
        let sound = select(&|cell| !misere || !board.completes(mover, cell));
        let sound = if sound.is_empty() { select(&|_| true) } else { sound };
        let safe = select(&|cell| !misere && !hands_over(cell));
        let safe = if safe.is_empty() { sound.clone() } else { safe };
        Tactics {
            wins: select(&|cell| winning.contains(&cell)),
            blocks: select(&|cell| {
                !misere && (others_complete(cell) || turn_threats.contains(&cell))
            }),
            safe,
            sound,
        }
    }

    /// By making each move and each reply, at most this many.
    fn by_trial(position: &Position, max_trials: usize) -> Tactics {
        let mut trials = Trials { position: position.clone(), left: max_trials };
        let legal: Vec<Move> = position.legal_moves().collect();
        let mover = position.turn();
        let (mut wins, mut sound, mut safe) = (Vec::new(), Vec::new(), Vec::new());
        for &mv in &legal {
            let outcome = trials.play(mv);
            let same_seat = trials.position.turn() == mover;
            let decides = outcome.is_none() && trials.wins_at_once();
            trials.undo();
            match outcome {
                Some(Outcome::Win(winner)) if Some(winner) == mover => wins.push(mv),
                Some(Outcome::Win(_)) => continue,
                None if decides && same_seat => wins.push(mv),
                Some(Outcome::Draw) | None => {}
            }
            sound.push(mv);
            if !decides || same_seat {
                safe.push(mv);
            }
        }
        let threatened = safe.len() < sound.len();
        let holds = |mv: &&Move| threatened && !wins.contains(mv);
        let blocks = safe.iter().filter(holds).copied().collect();
        let sound = if sound.is_empty() { legal } else { sound };
        let safe = if safe.is_empty() { sound.clone() } else { safe };
        Tactics { sound, wins, blocks, safe }
    }
}

/// Moves and replies that are tried at most; beyond that, replies count as harmless.
const MAX_TRIALS: usize = 200_000;

struct Trials {
    position: Position,
    left: usize,
}

impl Trials {
    fn play(&mut self, mv: Move) -> Option<Outcome> {
        self.position.play(mv).expect("a legal move")
    }

    fn undo(&mut self) {
        _ = self.position.undo();
    }

    /// Whether a move of the seat to move wins.
    fn wins_at_once(&mut self) -> bool {
        let mover = self.position.turn();
        let mut moves = self.position.move_cursor();
        while let Some(mv) = moves.next(&self.position) {
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            let outcome = self.play(mv);
            self.undo();
            if outcome.is_some() && outcome == mover.map(Outcome::Win) {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, wins: &[&str], blocks: &[&str], unsafe_moves: &[&str]) {
        let position: Position = text.parse().unwrap();
        let tactics = Tactics::new(&position).unwrap();
        let names = |moves: &[Move]| moves.iter().map(Move::to_string).collect::<Vec<_>>();
        assert_eq!(names(&tactics.wins), wins, "wins in {text}");
        assert_eq!(names(&tactics.blocks), blocks, "blocks in {text}");
        let all = position.legal_moves().map(|mv| mv.to_string());
        let unsafe_found: Vec<String> =
            all.filter(|mv| !names(&tactics.safe).contains(mv)).collect();
        assert_eq!(unsafe_found, unsafe_moves, "unsafe moves in {text}");
    }

    #[test]
    fn lines_are_won_and_blocked() {
        check("3x3 xx1/oo1/3 x", &["A3"], &["B3"], &[]);
        check("3x3x3 xx1/3/3|3/oo1/3|3/3/3 x", &["A3"], &["2B3"], &[]);
        check("4x4+gravity 4/oox1/xxx1/oxo1 o", &[], &[], &["D4"]);
        check("3x3+misere xx1/oo1/3 x", &[], &[], &["A3"]);
    }

    /// With two stones a turn, a line that lacks two is won or must be blocked.
    #[test]
    fn turns_of_two_stones_count() {
        check("1x9:4+2s xx2oo3 x left:1", &[], &["A3", "A4", "A7", "A8"], &[]);
        check("1x9:4+2s xxx1oo3 o", &["A4", "A7", "A8"], &["A4"], &[]);
    }

    #[test]
    fn every_mark_is_tried_in_wild() {
        // Any second mark in a line hands over the win.
        let unsafe_moves: Vec<String> = ["B1", "B2", "B3", "C1", "C2", "C3"]
            .iter()
            .flat_map(|cell| ["x", "o"].map(|mark| format!("{cell}={mark}")))
            .collect();
        let unsafe_moves: Vec<&str> = unsafe_moves.iter().map(String::as_str).collect();
        check("3x3+wild xx1/3/3 x", &["A3=x"], &["A3=o"], &unsafe_moves);
    }
}
