//! Scores that the search has found, by the keys of positions.

/// What a remembered score says about the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Remembered {
    key: u64,
    score: i32,
    best: u16,
    depth: u8,
    bound: Bound,
}

impl Remembered {
    /// The score, if it was searched deep enough to settle the question that is asked.
    pub(super) fn cuts(&self, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        let settles = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => self.score >= beta,
            Bound::AtMost => self.score <= alpha,
        };
        (u32::from(self.depth) >= depth && settles).then_some(self.score)
    }

    pub(super) fn best(&self) -> usize {
        self.best.into()
    }
}

/// A table of fixed size in which the newest stays.
#[derive(Debug)]
pub(super) struct Memory {
    places: Vec<Option<Remembered>>,
}

impl Memory {
    /// A memory that suits a board with so many cells.
    pub(super) fn new(cells: usize) -> Memory {
        Memory { places: vec![None; 1 << cells.clamp(8, 17)] }
    }

    pub(super) fn get(&self, key: u64) -> Option<Remembered> {
        self.places[self.index(key)].filter(|known| known.key == key)
    }

    pub(super) fn put(&mut self, key: u64, depth: u32, score: i32, bound: Bound, best: usize) {
        let index = self.index(key);
        let depth = depth.min(255) as u8;
        self.places[index] = Some(Remembered { key, score, best: best as u16, depth, bound });
    }

    fn index(&self, key: u64) -> usize {
        key as usize & (self.places.len() - 1)
    }
}
