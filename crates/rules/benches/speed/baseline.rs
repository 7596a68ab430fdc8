//! The minimum that can play 3x3: two bitboards, no checks, no history.

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

pub(crate) fn wins(stones: u16) -> bool {
    LINES.iter().any(|line| stones & line == *line)
}

/// With play and undo, as ours.
#[derive(Default)]
pub(crate) struct Bitboard {
    stones: [u16; 2],
    turn: usize,
}

impl Bitboard {
    fn play(&mut self, cell: u16) -> bool {
        self.stones[self.turn] |= cell;
        let won = wins(self.stones[self.turn]);
        self.turn ^= 1;
        won
    }

    fn undo(&mut self, cell: u16) {
        self.turn ^= 1;
        self.stones[self.turn] ^= cell;
    }

    pub(crate) fn nodes(&mut self) -> u64 {
        let mut count = 1;
        let mut free = !(self.stones[0] | self.stones[1]) & 0o777;
        while free != 0 {
            let cell = free & free.wrapping_neg();
            free ^= cell;
            count += if self.play(cell) { 1 } else { self.nodes() };
            self.undo(cell);
        }
        count
    }
}

/// The same by value: stones stay in registers and there is no undo.
pub(crate) fn nodes_by_value(mine: u16, theirs: u16) -> u64 {
    let mut count = 1;
    let mut free = !(mine | theirs) & 0o777;
    while free != 0 {
        let cell = free & free.wrapping_neg();
        free ^= cell;
        let stones = mine | cell;
        count += if wins(stones) { 1 } else { nodes_by_value(theirs, stones) };
    }
    count
}

/// Plays the cells in order until the game ends. Returns the number of moves.
pub(crate) fn game(cells: impl Iterator<Item = usize>) -> u64 {
    let (mut mine, mut theirs) = (0, 0);
    let mut moves = 0;
    for cell in cells {
        mine |= 1 << cell;
        moves += 1;
        if wins(mine) {
            break;
        }
        (mine, theirs) = (theirs, mine);
    }
    moves
}
