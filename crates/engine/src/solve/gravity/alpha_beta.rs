//! Alpha-beta on bitboards for games in which stones drop into columns.

use super::book::OpeningBook;
use super::bounds_table::{Bounds, BoundsTable};
use super::columns::{Bitboard, Columns, MAX_COLS};
use crate::budget::{Budget, Meter, OutOfBudget};

/// The result for the seat to move: 0 for a draw, positive for a win. A win is worth as many points as
/// the winner would have stones left, plus one, so a faster win is worth more.
pub(super) type Score = i32;

/// The stones of the seat to move, and of both seats.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stones {
    pub(super) own: Bitboard,
    pub(super) occupied: Bitboard,
}

impl Stones {
    pub(super) fn other(self) -> Bitboard {
        self.own ^ self.occupied
    }

    /// After the seat to move has taken a cell.
    #[inline]
    pub(super) fn after(self, cell: Bitboard) -> Stones {
        Stones { own: self.other(), occupied: self.occupied | cell }
    }
}

/// Proves scores of positions.
#[derive(Debug)]
pub(super) struct AlphaBeta<const K: usize> {
    pub(super) columns: Columns,
    pub(super) meter: Meter,
    table: BoundsTable,
    book: Option<OpeningBook>,
    /// The fewest empty cells at which a position and its mirror image share a table entry.
    min_empty_for_symmetry: Score,
}

/// Moves, the most promising first, with the number of threats they leave.
#[derive(Debug, Default)]
struct Moves {
    moves: [(u8, Bitboard); MAX_COLS],
    count: usize,
}

impl Moves {
    /// Before the moves with fewer threats.
    #[inline]
    fn insert(&mut self, threats: u8, cell: Bitboard) {
        let mut at = self.count;
        while at > 0 && self.moves[at - 1].0 < threats {
            self.moves[at] = self.moves[at - 1];
            at -= 1;
        }
        self.moves[at] = (threats, cell);
        self.count += 1;
    }

    #[inline]
    fn cells(&self) -> impl Iterator<Item = Bitboard> {
        self.moves[..self.count].iter().map(|&(_, cell)| cell)
    }
}

impl<const K: usize> AlphaBeta<K> {
    /// Prepares a search of positions with at most `empty` empty cells.
    pub(super) fn new(
        columns: Columns,
        book: Option<OpeningBook>,
        empty: usize,
        budget: &Budget,
    ) -> AlphaBeta<K> {
        // As many as such positions fill: the table of a short search stays in the cache.
        let buckets = 1 << (empty / 2 + 3).clamp(8, 20);
        AlphaBeta::with_table(columns, book, buckets, budget)
    }

    /// Prepares a search whose transposition table has at most `buckets` buckets.
    pub(super) fn with_table(
        columns: Columns,
        book: Option<OpeningBook>,
        buckets: u64,
        budget: &Budget,
    ) -> AlphaBeta<K> {
        let buckets = budget.table_slots(buckets, BoundsTable::BUCKET_BYTES);
        let cells = columns.cell_count() as Score;
        AlphaBeta {
            meter: Meter::new(budget),
            table: BoundsTable::new(buckets),
            book,
            min_empty_for_symmetry: cells - cells / 4,
            columns,
        }
    }

    /// The score of an ongoing game.
    pub(super) fn score(&mut self, stones: Stones) -> Result<Score, OutOfBudget> {
        let empty = self.empty(stones);
        if self.can_complete(stones) {
            return Ok((empty + 1) / 2);
        }
        let (mut lower, mut upper) = (-(empty / 2), (empty - 1) / 2);
        while lower < upper {
            // Extreme scores are refuted fast, so the range is not always halved in its middle.
            let middle = lower + (upper - lower) / 2;
            let middle = if middle <= 0 { middle.min(lower / 2) } else { middle.max(upper / 2) };
            let found = self.search(stones, empty, middle, middle + 1)?;
            if found <= middle { upper = found } else { lower = found }
        }
        Ok(lower)
    }

    /// Whether the score of an ongoing game is at most this.
    pub(super) fn is_at_most(&mut self, stones: Stones, score: Score) -> Result<bool, OutOfBudget> {
        let empty = self.empty(stones);
        if self.can_complete(stones) {
            return Ok((empty + 1) / 2 <= score);
        }
        Ok(self.search(stones, empty, score, score + 1)? <= score)
    }

    fn empty(&self, stones: Stones) -> Score {
        (self.columns.board ^ stones.occupied).count_ones() as Score
    }

    /// Whether the seat to move can complete a line.
    pub(super) fn can_complete(&self, stones: Stones) -> bool {
        self.columns.completions::<K>(stones.own) & self.columns.playable(stones.occupied) != 0
    }

    /// The score of a position in which the seat to move can't complete a line now. Fail-soft: exact
    /// inside (alpha, beta), otherwise a bound.
    fn search(
        &mut self,
        stones: Stones,
        empty: Score,
        alpha: Score,
        beta: Score,
    ) -> Result<Score, OutOfBudget> {
        self.meter.spend()?;
        let free = self.columns.board ^ stones.occupied;
        let threats = self.columns.completions::<K>(stones.other()) & free;
        let playable = self.columns.playable(stones.occupied);
        let blocks = playable & threats;
        let loss_in_two = -(empty / 2);
        if blocks & blocks.wrapping_sub(1) != 0 {
            return Ok(loss_in_two);
        }
        // Nobody plays below a cell that the opponent waits for.
        let moves = if blocks == 0 { playable } else { blocks } & !(threats >> 1);
        if moves == 0 {
            return Ok(loss_in_two);
        }
        if empty <= 2 {
            return Ok(0);
        }
        // The opponent can't complete a line with its next move, nor the seat to move with this one.
        let mut bounds = Bounds { lower: -((empty - 2) / 2), upper: (empty - 1) / 2 };
        if let Some(score) = bounds.cutoff(alpha, beta) {
            return Ok(score);
        }
        if blocks != 0 {
            return Ok(-self.search(stones.after(moves), empty - 1, -beta, -alpha)?);
        }
        if let Some(score) = self.book.and_then(|book| book.score(&self.columns, stones, empty)) {
            return Ok(score);
        }
        let key = self.key(stones, empty);
        if let Some(known) = self.table.get(key) {
            bounds = bounds.and(known);
        }
        if let Some(upper) = self.follow_up_bound(stones, playable) {
            bounds.upper = bounds.upper.min(upper);
        }
        if let Some(score) = bounds.cutoff(alpha, beta) {
            return Ok(score);
        }
        let Some(moves) = self.ordered(stones, moves) else {
            return Ok((empty - 1) / 2);
        };
        let window = (alpha.max(bounds.lower), beta.min(bounds.upper));
        if let Some(score) = self.known_reply(stones, empty, &moves, window.1) {
            return Ok(score);
        }
        let nodes = self.meter.nodes();
        let score = self.search_moves(stones, empty, &moves, window)?;
        if score > window.0 {
            bounds.lower = bounds.lower.max(score);
        }
        if score < window.1 {
            bounds.upper = bounds.upper.min(score);
        }
        self.table.insert(key, bounds, self.meter.nodes() - nodes);
        Ok(score)
    }

    fn search_moves(
        &mut self,
        stones: Stones,
        empty: Score,
        moves: &Moves,
        (mut alpha, beta): (Score, Score),
    ) -> Result<Score, OutOfBudget> {
        let mut best = Score::MIN;
        for cell in moves.cells() {
            let score = -self.search(stones.after(cell), empty - 1, -beta, -alpha)?;
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// If every column has an even number of empty cells, the opponent can always reply in the same
    /// column. The seat to move then gets the lower cell of every pair, and the opponent the other.
    #[inline]
    fn follow_up_bound(&self, stones: Stones, playable: Bitboard) -> Option<Score> {
        let lower = self.columns.lower_of_pairs;
        if playable & !lower != 0 {
            return None;
        }
        let free = self.columns.board ^ stones.occupied;
        if self.columns.has_line::<K>(stones.own | free & lower) {
            return None;
        }
        let wins = self.columns.has_line::<K>(stones.other() | free & !lower);
        Some(if wins { -1 } else { 0 })
    }

    /// The moves in the order of the search; `None` if one of them wins with the move after it.
    #[inline]
    fn ordered(&self, stones: Stones, moves: Bitboard) -> Option<Moves> {
        let mut ordered = Moves::default();
        for &column in &self.columns.from_centre {
            let cell = moves & column;
            if cell == 0 {
                continue;
            }
            let occupied = stones.occupied | cell;
            let threats = self.columns.completions::<K>(stones.own | cell) & !occupied;
            let now = threats & self.columns.playable(occupied);
            // Two threats at once, or one on top of the other.
            if now & now.wrapping_sub(1) != 0 || now << 1 & threats != 0 {
                return None;
            }
            ordered.insert(threats.count_ones() as u8, cell);
        }
        Some(ordered)
    }

    /// A score of at least `beta` that the table has for a position after one of the moves.
    #[inline]
    fn known_reply(
        &self,
        stones: Stones,
        empty: Score,
        moves: &Moves,
        beta: Score,
    ) -> Option<Score> {
        moves.cells().find_map(|cell| {
            let known = self.table.get(self.key(stones.after(cell), empty - 1))?;
            (-known.upper >= beta).then_some(-known.upper)
        })
    }

    #[inline]
    fn key(&self, stones: Stones, empty: Score) -> u64 {
        if empty >= self.min_empty_for_symmetry {
            self.columns.symmetric_key(stones.own, stones.occupied)
        } else {
            self.columns.key(stones.own, stones.occupied)
        }
    }
}
