//! The speed of the checked API, compared with a minimal hand-written 3x3 bitboard.
//!
//! `cargo bench -p noughts-rules` runs each group in a process of its own, as the speed of one loop depends on
//! what else was compiled into its neighbourhood and ran before. `-- GROUP` runs one. Look at the ratios: both
//! sides run in the same process, in turns, and the best of several rounds counts.

mod baseline;
mod measure;

use std::env;
use std::hint::black_box;
use std::process::{Command, ExitCode};

use measure::{Shuffle, best_times, rates};
use noughts_rules::replay::Replay;
use noughts_rules::{Cell, Position, Rules, perft};

/// How much is measured.
#[derive(Clone, Copy)]
struct Effort {
    rounds: u32,
    games: u32,
}

type Group = (&'static str, fn(Effort));

/// The groups by name.
const GROUPS: [Group; 7] = [
    ("tree", tree),
    ("games", classic_games),
    ("boards", boards),
    ("levels", levels),
    ("ultimate", ultimate),
    ("mask", mask),
    ("replay", replay),
];

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    // `cargo test` runs benchmarks without this flag, just to see that they work.
    if !args.iter().any(|arg| arg == "--bench") {
        GROUPS.iter().for_each(|(_, run)| run(Effort { rounds: 1, games: 10 }));
        return ExitCode::SUCCESS;
    }
    let effort = Effort { rounds: 20, games: 2_000 };
    if let Some((_, run)) = GROUPS.iter().find(|(name, _)| args.iter().any(|arg| arg == name)) {
        run(effort);
        return ExitCode::SUCCESS;
    }
    let run_alone = |name: &str| {
        let program = env::current_exe().expect("the path of this program");
        let status = Command::new(program).args(["--bench", name]).status();
        status.is_ok_and(|status| status.success())
    };
    let succeeded = GROUPS.map(|(name, _)| run_alone(name));
    if succeeded.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
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

fn tree(Effort { rounds, .. }: Effort) {
    const NODES: u64 = 549_946;
    let mut position = Position::new(&Rules::classic());
    assert_eq!(baseline::nodes_by_value(0, 0), NODES);
    assert_eq!(baseline::Bitboard::default().nodes(), NODES);
    assert_eq!(nodes(&mut position), NODES);

    let times = best_times(
        5 * rounds,
        [
            &mut || black_box(baseline::Bitboard::default()).nodes(),
            &mut || baseline::nodes_by_value(black_box(0), 0),
            &mut || nodes(&mut position),
        ],
    );
    let [with_undo, by_value, ours] = times.map(|time| time.as_secs_f64() * 1e9 / NODES as f64);
    println!("3x3 game tree, {NODES} nodes by play and undo: {ours:.1} ns per node");
    println!(
        "  bitboard by value, the baseline: {by_value:.1} ns, we take {:.2} times that (at most 3)",
        ours / by_value
    );
    println!(
        "  bitboard with play and undo, as ours: {with_undo:.1} ns, we take {:.2} times that",
        ours / with_undo
    );
}

fn classic_games(Effort { rounds, games }: Effort) {
    let mut indices = Shuffle::new(0..9usize);
    let mut classic = RandomGames::new("3x3");
    let [base, ours] =
        rates(rounds, 50 * games, [&mut || baseline::game(indices.draw()), &mut || classic.play()]);
    println!(
        "3x3 random games: baseline {:.0} million moves/s, ours {:.0} million: {:.2} of it (at least 0.33)",
        base / 1e6,
        ours / 1e6,
        ours / base
    );
}

/// Random games on flat boards.
fn boards(effort: Effort) {
    random_games(effort, ["10x10:5", "15x15:5", "20x20:5", "26x26:5"]);
    println!("  15x15:5: at least 50");
}

/// Random games on boards with levels.
fn levels(effort: Effort) {
    random_games(effort, ["3x3x3", "4x4x4", "5x5x5", "10x10x10:5"]);
    println!("  4x4x4: at least 30");
}

fn random_games(Effort { rounds, games }: Effort, names: [&str; 4]) {
    let [mut a, mut b, mut c, mut d] = names.map(RandomGames::new);
    let found = rates(
        rounds,
        games,
        [&mut || a.play(), &mut || b.play(), &mut || c.play(), &mut || d.play()],
    );
    for (name, rate) in names.iter().zip(found) {
        println!("{name} random games: {:.0} million moves/s", rate / 1e6);
    }
}

fn ultimate(Effort { rounds, games }: Effort) {
    let (depth, leaves) = if games > 10 { (6, 4_020_960) } else { (3, 6_336) };
    let mut position = Position::new(&"ultimate".parse().expect("valid rules"));
    assert_eq!(perft::nodes(&mut position, depth), leaves);
    let [time] = best_times(rounds, [&mut || perft::nodes(&mut position, depth)]);
    let rate = leaves as f64 / time.as_secs_f64();
    println!("ultimate perft {depth}: {:.1} million leaves/s (at least 15)", rate / 1e6);
}

/// What filling the mask of legal moves costs, in moves.
fn mask(Effort { rounds, games }: Effort) {
    let mut random = RandomGames::new("15x15:5");
    let rules = random.position.rules().clone();
    let mut opened = Position::new(&rules);
    // Four rows of a checkerboard have no five in a row.
    for cell in rules.cells().take(60) {
        opened.play(cell).expect("an empty cell");
    }
    let mut legal = vec![false; rules.move_index_count()];
    let mut fill = || {
        for _ in 0..100 {
            black_box(&opened).fill_legal(black_box(&mut legal));
        }
        100
    };
    let [moves, fills] = rates(rounds, games, [&mut || random.play(), &mut fill]);
    println!(
        "15x15:5 legal mask: {:.1} ns, a move {:.1} ns: {:.2} times a move (at most 2)",
        1e9 / fills,
        1e9 / moves,
        moves / fills
    );
}

/// Lines per second of a replay. As in any long list, most come after the end of the game.
fn replay(Effort { rounds, games }: Effort) {
    let lines = 100 * games;
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
