//! The speed of the checked API, compared with a minimal hand-written 3x3 bitboard.
//!
//! `cargo bench -p noughts-rules`. Look at the ratios: both sides run in the same process, one
//! right after the other, and the best of several rounds counts.

use std::hint::black_box;
use std::time::{Duration, Instant};

use noughts_rules::replay::Replay;
use noughts_rules::{Cell, Position, Rules};

/// The minimum that can play 3x3: two bitboards, no checks, no history.
mod baseline {
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
}

fn nodes(position: &mut Position) -> u64 {
    let mut count = 1;
    let mut moves = position.move_cursor();
    while let Some(cell) = moves.next(position) {
        let over = position.play(cell).expect("a legal move").is_some();
        count += if over { 1 } else { nodes(position) };
        position.undo().expect("a move was made");
    }
    count
}

/// Plays the cells in order until the game ends, then clears the board. Returns the number of
/// moves.
fn game(position: &mut Position, cells: impl Iterator<Item = Cell>) -> u64 {
    let mut moves = 0;
    for cell in cells {
        moves += 1;
        if position.play(cell).expect("an empty cell").is_some() {
            break;
        }
    }
    position.clear();
    moves
}

/// Random games on one position.
struct RandomGames {
    position: Position,
    cells: Shuffle<Cell>,
}

impl RandomGames {
    fn new(rules: &str) -> Self {
        let rules: Rules = rules.parse().expect("valid rules");
        RandomGames { position: Position::new(&rules), cells: Shuffle::new(rules.cells()) }
    }

    /// Plays a game. Returns the number of moves.
    fn play(&mut self) -> u64 {
        game(&mut self.position, self.cells.draw())
    }
}

/// Draws items in random order, again and again.
struct Shuffle<T> {
    items: Vec<T>,
    state: u64,
}

impl<T: Copy> Shuffle<T> {
    fn new(items: impl Iterator<Item = T>) -> Self {
        Shuffle { items: items.collect(), state: 0x9e37_79b9_7f4a_7c15 }
    }

    fn draw(&mut self) -> impl Iterator<Item = T> {
        (0..self.items.len()).map(|i| {
            self.state ^= self.state << 13;
            self.state ^= self.state >> 7;
            self.state ^= self.state << 17;
            let left = (self.items.len() - i) as u64;
            let j = i + (((self.state >> 32) * left) >> 32) as usize;
            self.items.swap(i, j);
            self.items[i]
        })
    }
}

/// The best time of each task. The tasks alternate, so that other load on the machine hits all.
fn best_times<const N: usize>(
    rounds: u32,
    mut tasks: [&mut dyn FnMut() -> u64; N],
) -> [Duration; N] {
    let mut best = [Duration::MAX; N];
    for _ in 0..rounds {
        for (best, task) in best.iter_mut().zip(&mut tasks) {
            let start = Instant::now();
            black_box(task());
            *best = start.elapsed().min(*best);
        }
    }
    best
}

fn tree(rounds: u32) {
    const NODES: u64 = 549_946;
    let mut position = Position::new(&Rules::classic());
    assert_eq!(baseline::nodes_by_value(0, 0), NODES);
    assert_eq!(baseline::Bitboard::default().nodes(), NODES);
    assert_eq!(nodes(&mut position), NODES);

    let times = best_times(
        rounds,
        [
            &mut || black_box(baseline::Bitboard::default()).nodes(),
            &mut || baseline::nodes_by_value(black_box(0), 0),
            &mut || nodes(&mut position),
        ],
    );
    let [with_undo, by_value, ours] = times.map(|time| time.as_secs_f64() * 1e9 / NODES as f64);
    println!("3x3 game tree, {NODES} nodes by play and undo: {ours:.1} ns per node");
    println!(
        "  bitboard by value, the baseline: {by_value:.1} ns, we take {:.2} times that (limit 4, aim 3)",
        ours / by_value
    );
    println!(
        "  bitboard with play and undo, as ours: {with_undo:.1} ns, we take {:.2} times that",
        ours / with_undo
    );
}

/// Lines per second of a replay. As in any long list, most come after the end of the game.
fn replay(rounds: u32, lines: u32) {
    let list: Vec<String> =
        (0..lines).map(|i| format!("move {} {}", i * 7 % 26, i * 3 % 26)).collect();
    let [time] = best_times(
        rounds,
        [&mut || {
            let mut replay = Replay::new(&"26x26:5".parse().expect("valid rules"));
            replay.line(&lines.to_string()).expect("a count");
            let mut written = 0;
            for line in &list {
                let result = replay.line(line).expect("a move");
                written += result.map_or(0, |result| result.to_string().len() as u64);
            }
            written
        }],
    );
    let rate = f64::from(lines) / time.as_secs_f64();
    println!("replay: {:.1} million lines/s (aims at 1)", rate / 1e6);
}

/// The best rate of moves per second in each kind of random game. The kinds alternate.
fn rates<const N: usize>(
    rounds: u32,
    games: u32,
    mut play: [&mut dyn FnMut() -> u64; N],
) -> [f64; N] {
    let mut best = [0f64; N];
    for _ in 0..rounds {
        for (best, play) in best.iter_mut().zip(&mut play) {
            let start = Instant::now();
            let moves: u64 = (0..games).map(|_| play()).sum();
            *best = best.max(moves as f64 / start.elapsed().as_secs_f64());
        }
    }
    best
}

fn main() {
    // `cargo test` runs benchmarks without this flag, just to see that they work.
    let quick = !std::env::args().any(|arg| arg == "--bench");
    let (rounds, games) = if quick { (1, 10) } else { (20, 2_000) };

    tree(5 * rounds);

    replay(rounds, 100 * games);

    let mut indices = Shuffle::new(0..9usize);
    let mut classic = RandomGames::new("3x3");
    let [base, ours] =
        rates(rounds, 50 * games, [&mut || baseline::game(indices.draw()), &mut || classic.play()]);
    println!(
        "3x3 random games: baseline {:.0} million moves/s, ours {:.0} million: {:.2} of it (aim 0.33)",
        base / 1e6,
        ours / 1e6,
        ours / base
    );

    let boards = ["10x10:5", "15x15:5", "20x20:5", "26x26:5"];
    let [mut a, mut b, mut c, mut d] = boards.map(RandomGames::new);
    let found = rates(
        rounds,
        games,
        [&mut || a.play(), &mut || b.play(), &mut || c.play(), &mut || d.play()],
    );
    for (board, rate) in boards.iter().zip(found) {
        println!(
            "{board} random games: {:.0} million moves/s (15x15:5 aims at 50), {:.2} of the first board's",
            rate / 1e6,
            rate / found[0]
        );
    }
}
