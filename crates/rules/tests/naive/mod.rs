//! A slow reading of the rules that shares no code with the crate but its plain data.
//!
//! The game is replayed from its list of moves on a map of cells; lines are found by trying every
//! direction from every cell.

use std::collections::{BTreeMap, BTreeSet};

use noughts_rules::{
    Action, Cell, DrawReason, Goal, Marks, Move, Opening, Outcome, Position, Rules, Shape, Status,
    Win,
};

type Place = (i32, i32, i32);

struct Board<'a> {
    rules: &'a Rules,
    marks: BTreeMap<Place, usize>,
}

fn place(cell: Cell) -> Place {
    (cell.level().into(), cell.row().into(), cell.col().into())
}

impl Board<'_> {
    fn sides(&self) -> Place {
        (self.rules.levels().into(), self.rules.rows().into(), self.rules.cols().into())
    }

    /// The size of the blocks in which lines run.
    fn block(&self) -> Place {
        let (levels, rows, cols) = self.sides();
        match self.rules.shape() {
            Shape::Nested { rows, cols } => (1, rows.into(), cols.into()),
            Shape::Boards { .. } => (1, rows, cols),
            _ => (levels, rows, cols),
        }
    }

    fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let (levels, rows, cols) = self.sides();
        (0..levels)
            .flat_map(move |l| (0..rows).flat_map(move |r| (0..cols).map(move |c| (l, r, c))))
    }

    fn block_of(&self, (l, r, c): Place) -> Place {
        let (levels, rows, cols) = self.block();
        (l / levels, r / rows, c / cols)
    }

    fn step(&self, from: Place, by: Place, times: i32) -> Option<Place> {
        let (levels, rows, cols) = self.sides();
        let to = (from.0 + by.0 * times, from.1 + by.1 * times, from.2 + by.2 * times);
        if self.rules.wrap() {
            let wrapped = (to.0.rem_euclid(levels), to.1.rem_euclid(rows), to.2.rem_euclid(cols));
            return Some(wrapped);
        }
        let inside =
            (0..levels).contains(&to.0) && (0..rows).contains(&to.1) && (0..cols).contains(&to.2);
        (inside && self.block_of(from) == self.block_of(to)).then_some(to)
    }

    fn mark(&self, at: Option<Place>) -> Option<usize> {
        self.marks.get(&at?).copied()
    }

    /// All completed lines with their marks.
    fn lines(&self) -> Vec<(usize, BTreeSet<Place>)> {
        if let Win::Lines(lines) = &self.rules.parts().win {
            let complete = lines.iter().filter_map(|line| {
                let marks: BTreeSet<_> =
                    line.iter().map(|&cell| self.mark(Some(place(cell)))).collect();
                match Vec::from_iter(marks)[..] {
                    [Some(mark)] => Some((mark, line.iter().map(|&cell| place(cell)).collect())),
                    _ => None,
                }
            });
            return complete.collect();
        }
        let k = i32::from(self.rules.k());
        let single_level = self.block().0 == 1;
        let mut found = Vec::new();
        for start in self.places() {
            let Some(mark) = self.mark(Some(start)) else { continue };
            for by in directions() {
                if single_level && by.0 != 0 {
                    continue;
                }
                let cells: BTreeSet<Place> =
                    (0..k).filter_map(|i| self.step(start, by, i)).collect();
                let all = cells.iter().all(|&at| self.mark(Some(at)) == Some(mark));
                if cells.len() < k as usize || !all {
                    continue;
                }
                let exact = self.rules.exact() || (self.rules.parts().renju && mark == 0);
                let longer = |i: i32| {
                    let beyond = self.step(start, by, i).filter(|at| !cells.contains(at));
                    self.mark(beyond) == Some(mark)
                };
                if !exact || !(longer(-1) || longer(k)) {
                    found.push((mark, cells));
                }
            }
        }
        found
    }

    fn blocks(&self) -> BTreeSet<Place> {
        self.places().map(|at| self.block_of(at)).collect()
    }

    fn is_full(&self, block: Place) -> bool {
        self.places()
            .filter(|&at| self.block_of(at) == block)
            .all(|at| self.marks.contains_key(&at))
    }

    /// The mark with a line in each sub-board.
    fn claims(&self) -> BTreeMap<Place, usize> {
        let claim = |(mark, line): &(usize, BTreeSet<Place>)| {
            (self.block_of(*line.first().unwrap()), *mark)
        };
        self.lines().iter().map(claim).collect()
    }

    fn is_closed(&self, block: Place) -> bool {
        self.claims().contains_key(&block) || self.is_full(block)
    }
}

fn directions() -> impl Iterator<Item = Place> {
    let all = (0..=1).flat_map(|l| (-1..=1).flat_map(move |r| (-1..=1).map(move |c| (l, r, c))));
    all.filter(|&by| by > (0, 0, 0))
}

/// Checks the status and the legal moves of a position that was played from the start.
pub(crate) fn check(position: &Position) {
    let rules = position.rules();
    let parts = rules.parts();
    let mut board = Board { rules, marks: BTreeMap::new() };
    let players = rules.players();
    let (mut turn, mut stones_left, mut swapped) = (0, 1, false);
    let mut order: Vec<Vec<Place>> = vec![Vec::new(); players];
    let (mut last, mut mover) = (None, 0);
    let mut placed = 0;
    let mut choice_due = false;
    let mut choices = 0;
    for action in position.history() {
        let Action::Move { seat, mv } = action else { unreachable!("nobody resigns") };
        assert_eq!(seat.index(), turn, "{position}");
        mover = turn;
        let Some(cell) = mv.cell() else {
            assert!(choice_due);
            choice_due = false;
            choices += 1;
            if mv == Move::More {
                continue;
            }
            (swapped, choices) = (mv == Move::Swap, 9);
            turn = usize::from(!swapped);
            stones_left = parts.stones_per_turn;
            continue;
        };
        let in_opening = parts.opening != Opening::Free && choices < 9;
        let own = if swapped { 1 - turn } else { turn };
        let mark = match (parts.marks, mv) {
            (Marks::One, _) => 0,
            (Marks::Any, Move::Mark(_, mark)) => mark.index(),
            _ if in_opening => placed % 2,
            _ => own,
        };
        let at = place(cell);
        let keeps = parts.fade.map_or(usize::MAX, usize::from);
        if order[mark].len() >= keeps {
            board.marks.remove(&order[mark].remove(0));
        }
        order[mark].push(at);
        assert_eq!(board.marks.insert(at, mark), None, "{position}");
        placed += 1;
        last = Some(at);
        if in_opening {
            let due = match (parts.opening, choices) {
                (Opening::Swap, _) => 1,
                (_, 0) => 3,
                _ => 5,
            };
            choice_due = placed == due;
            if choice_due {
                turn = 1 - turn;
            }
            continue;
        }
        stones_left -= 1;
        if stones_left == 0 {
            turn = (turn + 1) % players;
            stones_left = parts.stones_per_turn;
        }
    }
    let expected = outcome(&board, position, mover, swapped, last);
    let drawn_by_length = matches!(
        position.status(),
        Status::Draw { reason: DrawReason::Repetition | DrawReason::Length }
    );
    if drawn_by_length {
        assert!(rules.repeats() && expected.is_none());
        return;
    }
    assert_eq!(position.outcome().map(winner), expected, "{position}");
    if expected.is_some() {
        return;
    }
    assert_eq!(position.turn().unwrap().index(), turn, "{position}");
    if choice_due {
        let legal: Vec<Move> = position.legal_moves().collect();
        let more = parts.opening == Opening::Swap2 && choices == 0;
        assert_eq!(legal.len(), if more { 3 } else { 2 });
        return;
    }
    let legal: BTreeSet<Place> = position.legal_moves().filter_map(Move::cell).map(place).collect();
    let target = last.and_then(|(_, row, col)| match rules.shape() {
        Shape::Nested { rows, cols } => {
            Some((0, row % i32::from(rows), col % i32::from(cols))).filter(|&b| !board.is_closed(b))
        }
        _ => None,
    });
    let has_zones = rules.zones().len() > 0;
    for at in board.places() {
        let block = board.block_of(at);
        let mut allowed = !board.marks.contains_key(&at)
            && (!has_zones || !board.is_closed(block))
            && target.is_none_or(|target| target == block);
        if rules.gravity() {
            let floor =
                if rules.levels() > 1 { at.0 == 0 } else { at.1 == i32::from(rules.rows()) - 1 };
            let below =
                if rules.levels() > 1 { (at.0 - 1, at.1, at.2) } else { (0, at.1 + 1, at.2) };
            allowed &= floor || board.marks.contains_key(&below);
        }
        // The renju rules have a suite of their own.
        assert!(!legal.contains(&at) || allowed, "{position}: {at:?}");
        assert!(legal.contains(&at) || !allowed || parts.renju, "{position}: {at:?}");
    }
}

fn winner(outcome: Outcome) -> Option<usize> {
    match outcome {
        Outcome::Win(seat) => Some(seat.index()),
        Outcome::Draw => None,
    }
}

/// The outcome: `Some(None)` is a draw.
fn outcome(
    board: &Board,
    position: &Position,
    mover: usize,
    swapped: bool,
    last: Option<Place>,
) -> Option<Option<usize>> {
    let rules = board.rules;
    let parts = rules.parts();
    let lines = board.lines();
    let decide = |mark: usize| {
        let by = if swapped { 1 - mark } else { mark };
        Some(Some(if parts.goal == Goal::Avoid { 1 - by } else { by }))
    };
    let blocks = board.blocks();
    if parts.goal == Goal::LastBoard {
        let over = match rules.zones().len() {
            0 => !lines.is_empty(),
            _ => blocks.iter().all(|&block| board.is_closed(block)),
        };
        return over.then_some(Some(1 - mover));
    }
    if let Shape::Nested { rows, cols } = rules.shape() {
        let claims = board.claims();
        let k = i32::from(rules.k());
        let (rows, cols) = (i32::from(rows), i32::from(cols));
        for (start, mark) in &claims {
            for by in directions().filter(|by| by.0 == 0) {
                let row = (0..k).map(|i| (0, start.1 + by.1 * i, start.2 + by.2 * i));
                let mut row = row.filter(|at| at.1 < rows && (0..cols).contains(&at.2));
                if row.clone().count() == k as usize && row.all(|at| claims.get(&at) == Some(mark))
                {
                    return decide(*mark);
                }
            }
        }
        return blocks.iter().all(|&block| board.is_closed(block)).then_some(None);
    }
    if let Some((mark, _)) =
        lines.iter().find(|(_, line)| last.is_some_and(|at| line.contains(&at)))
    {
        return match (parts.goal, parts.marks) {
            (Goal::Maker, _) => Some(Some(0)),
            (Goal::Avoid, Marks::Any) => Some(Some(1 - mover)),
            (_, Marks::Any) => Some(Some(mover)),
            _ => decide(*mark),
        };
    }
    let full = board.places().all(|at| board.marks.contains_key(&at));
    let nothing_legal = parts.renju && position.legal_moves().next().is_none();
    let over = full || (nothing_legal && last.is_some());
    over.then_some((parts.goal == Goal::Maker).then_some(1))
}
