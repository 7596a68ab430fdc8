//! Many games at once, as arrays: the part of the batched environment that does not know Python.

use std::sync::{Mutex, PoisonError};

use noughts_engine::{Budget, NamedPlayer, Strategy, StrategyError};
use noughts_rules::{Move, Opening, Outcome, Position, Refusal, Rules};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::outcome::reward;
use crate::playouts::random_move;

/// Fewer games than this are not worth another thread.
const MIN_GAMES_PER_THREAD: usize = 32;

/// How often a game is started again that ends before the caller's first move.
const MAX_STARTS: u32 = 1_000;

/// Who plays the other seats.
#[derive(Clone)]
pub(crate) enum Opponent {
    Random,
    Player(NamedPlayer),
}

/// What an environment consists of.
pub(crate) struct BatchOptions {
    pub(crate) rules: Rules,
    pub(crate) count: usize,
    /// Game `i` has the opponent `i` modulo their number; without any, every move is the caller's.
    pub(crate) opponents: Vec<Opponent>,
    /// The caller's seat against opponents; `None` changes it from game to game.
    pub(crate) seat: Option<usize>,
    pub(crate) threads: usize,
}

/// The arrays of a batch, one row for each game.
pub(crate) struct Arrays<'a> {
    pub(crate) boards: &'a mut [u8],
    pub(crate) masks: &'a mut [bool],
    pub(crate) turns: &'a mut [u8],
    pub(crate) rewards: &'a mut [f32],
    pub(crate) dones: &'a mut [bool],
}

/// Why a step was refused or failed.
#[derive(Debug)]
pub(crate) enum StepError {
    /// There is no such move.
    NoMove { game: usize, index: i64 },
    /// A move is not legal. No game was changed.
    Refused { game: usize, refusal: Refusal },
    /// An opponent failed.
    Opponent { game: usize, error: StrategyError },
}

/// Games that are played side by side. A finished one starts again within the same step.
pub(crate) struct Batch {
    context: Context,
    games: Vec<BatchGame>,
    pool: Option<ThreadPool>,
}

/// What all games have in common.
struct Context {
    rules: Rules,
    opponents: Vec<Opponent>,
    seat: Option<usize>,
    /// Whether a move changes one cell of the board, its own.
    changes_one_cell: bool,
}

struct BatchGame {
    position: Position,
    rng: SmallRng,
    opponent: Option<BatchOpponent>,
    /// The caller's seat, if there are opponents.
    seat: usize,
}

enum BatchOpponent {
    Random,
    /// Never locked: a strategy is not [`Sync`], and a class of Python must be.
    Strategy(Mutex<Box<dyn Strategy>>),
}

/// The row of one game.
struct Row<'a> {
    board: &'a mut [u8],
    mask: &'a mut [bool],
    turn: &'a mut u8,
    reward: &'a mut f32,
    done: &'a mut bool,
}

impl Batch {
    pub(crate) fn new(options: BatchOptions) -> Result<Batch, ThreadPoolBuildError> {
        let BatchOptions { rules, count, opponents, seat, threads } = options;
        let changes_one_cell = rules.is_line_game() && rules.parts().opening == Opening::Free;
        let new_game = |_| BatchGame {
            position: Position::new(&rules),
            rng: SmallRng::seed_from_u64(0),
            opponent: None,
            seat: 0,
        };
        let games = (0..count).map(new_game).collect();
        let threads = threads.min(count.div_ceil(MIN_GAMES_PER_THREAD));
        let pool = match threads {
            0 | 1 => None,
            _ => Some(ThreadPoolBuilder::new().num_threads(threads).build()?),
        };
        Ok(Batch { context: Context { rules, opponents, seat, changes_one_cell }, games, pool })
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.context.rules
    }

    pub(crate) fn position(&self, game: usize) -> Option<&Position> {
        self.games.get(game).map(|game| &game.position)
    }

    /// Whether a step may take long.
    pub(crate) fn has_strategies(&self) -> bool {
        self.context.opponents.iter().any(|opponent| matches!(opponent, Opponent::Player(_)))
    }

    /// Starts all games again, with new random numbers.
    pub(crate) fn reset(
        &mut self,
        seed: u64,
        budget: &Budget,
        arrays: Arrays<'_>,
    ) -> Result<(), StepError> {
        let mut seeds = SmallRng::seed_from_u64(seed);
        for (i, game) in self.games.iter_mut().enumerate() {
            game.rng = SmallRng::seed_from_u64(seeds.random());
            game.seat = i;
            let opponents = &self.context.opponents;
            game.opponent = match opponents.get(i % opponents.len().max(1)) {
                None => None,
                Some(Opponent::Random) => Some(BatchOpponent::Random),
                Some(Opponent::Player(player)) => {
                    let strategy = player.strategy(game.rng.random());
                    Some(BatchOpponent::Strategy(Mutex::new(strategy)))
                }
            };
        }
        self.for_each_row(arrays, |context, i, game, row| {
            *row.reward = 0.0;
            *row.done = false;
            game.start(context, budget, row).map_err(|error| StepError::Opponent { game: i, error })
        })
    }

    /// Plays a move in every game, given by its index. Refuses all if one is not legal.
    pub(crate) fn step(
        &mut self,
        moves: &[i64],
        budget: &Budget,
        arrays: Arrays<'_>,
    ) -> Result<(), StepError> {
        let rules = &self.context.rules;
        let check = |(i, game): (usize, &BatchGame)| {
            let mv = move_at(rules, i, moves[i])?;
            let refused = |refusal| StepError::Refused { game: i, refusal };
            game.position.check(mv).map_err(refused)
        };
        match &self.pool {
            None => self.games.iter().enumerate().try_for_each(check)?,
            Some(pool) => pool.install(|| {
                let games = self.games.par_iter().enumerate();
                games.with_min_len(MIN_GAMES_PER_THREAD).try_for_each(check)
            })?,
        }
        self.for_each_row(arrays, |context, i, game, row| {
            let mv = move_at(&context.rules, i, moves[i])?;
            game.step(context, mv, budget, row)
                .map_err(|error| StepError::Opponent { game: i, error })
        })
    }

    /// Draws a random legal move for every game.
    pub(crate) fn sample(&mut self, out: &mut [i64]) {
        let rules = &self.context.rules;
        let draw = |(game, out): (&mut BatchGame, &mut i64)| {
            let mv = random_move(&game.position, &mut game.rng);
            *out = mv.and_then(|mv| rules.move_index(mv)).map_or(-1, |index| index as i64);
        };
        match &self.pool {
            None => self.games.iter_mut().zip(out).for_each(draw),
            Some(pool) => pool.install(|| {
                let games = self.games.par_iter_mut().zip(out);
                games.with_min_len(MIN_GAMES_PER_THREAD).for_each(draw);
            }),
        }
    }

    fn for_each_row(
        &mut self,
        arrays: Arrays<'_>,
        run: impl Fn(&Context, usize, &mut BatchGame, Row<'_>) -> Result<(), StepError> + Sync,
    ) -> Result<(), StepError> {
        let Arrays { boards, masks, turns, rewards, dones } = arrays;
        let context = &self.context;
        let (cells, moves) = (context.rules.cell_count(), context.rules.move_index_count());
        match &self.pool {
            None => {
                let rows = boards.chunks_exact_mut(cells).zip(masks.chunks_exact_mut(moves));
                let values = turns.iter_mut().zip(rewards).zip(dones);
                let mut rows = self.games.iter_mut().zip(rows).zip(values).enumerate();
                rows.try_for_each(|(i, ((game, (board, mask)), ((turn, reward), done)))| {
                    run(context, i, game, Row { board, mask, turn, reward, done })
                })
            }
            Some(pool) => pool.install(|| {
                let rows =
                    boards.par_chunks_exact_mut(cells).zip(masks.par_chunks_exact_mut(moves));
                let values = turns.par_iter_mut().zip(rewards).zip(dones);
                let rows = self.games.par_iter_mut().zip(rows).zip(values).enumerate();
                rows.with_min_len(MIN_GAMES_PER_THREAD).try_for_each(
                    |(i, ((game, (board, mask)), ((turn, reward), done)))| {
                        run(context, i, game, Row { board, mask, turn, reward, done })
                    },
                )
            }),
        }
    }
}

fn move_at(rules: &Rules, game: usize, index: i64) -> Result<Move, StepError> {
    let mv = usize::try_from(index).ok().and_then(|index| rules.move_at(index));
    mv.ok_or(StepError::NoMove { game, index })
}

impl BatchGame {
    /// Starts the game; opponents move until it is the caller's turn.
    fn start(
        &mut self,
        context: &Context,
        budget: &Budget,
        mut row: Row<'_>,
    ) -> Result<(), StrategyError> {
        for _ in 0..MAX_STARTS {
            self.position.clear();
            row.board.fill(0);
            let players = context.rules.players();
            self.seat = context.seat.unwrap_or((self.seat + 1) % players);
            // A game that ends before the caller moves does not count.
            if self.play_opponents(context, budget, &mut row)?.is_none() {
                self.show(context, row);
                return Ok(());
            }
        }
        Err(StrategyError::Other("the game is over before your first move".into()))
    }

    /// Plays the caller's move and those of opponents; starts again if that ends the game.
    fn step(
        &mut self,
        context: &Context,
        mv: Move,
        budget: &Budget,
        mut row: Row<'_>,
    ) -> Result<(), StrategyError> {
        let seat = self.position.turn().map_or(0, |seat| seat.index());
        let mut outcome = self.play(context, mv, &mut row);
        if outcome.is_none() {
            outcome = self.play_opponents(context, budget, &mut row)?;
        }
        *row.done = outcome.is_some();
        *row.reward = outcome.map_or(0.0, |outcome| reward(outcome, seat));
        if outcome.is_some() {
            return self.start(context, budget, row);
        }
        self.show(context, row);
        Ok(())
    }

    fn play_opponents(
        &mut self,
        context: &Context,
        budget: &Budget,
        row: &mut Row<'_>,
    ) -> Result<Option<Outcome>, StrategyError> {
        let Some(mut opponent) = self.opponent.take() else { return Ok(None) };
        let mut outcome = Ok(None);
        while let Ok(None) = outcome
            && self.position.turn().is_some_and(|turn| turn.index() != self.seat)
        {
            let mv = match &mut opponent {
                BatchOpponent::Random => {
                    random_move(&self.position, &mut self.rng).ok_or(StrategyError::GameOver)
                }
                BatchOpponent::Strategy(strategy) => {
                    let strategy = strategy.get_mut().unwrap_or_else(PoisonError::into_inner);
                    strategy.choose(&self.position, budget).map(|choice| choice.mv)
                }
            };
            outcome = mv.map(|mv| self.play(context, mv, row));
        }
        self.opponent = Some(opponent);
        outcome
    }

    /// Plays a legal move.
    fn play(&mut self, context: &Context, mv: Move, row: &mut Row<'_>) -> Option<Outcome> {
        let mark = self.position.turn().map_or(0, |seat| seat.index() as u8 + 1);
        let outcome = self.position.play(mv).ok()?;
        if context.changes_one_cell
            && let Some(cell) = mv.cell().and_then(|cell| context.rules.cell_index(cell))
        {
            row.board[cell] = mark;
        }
        outcome
    }

    /// Writes the arrays of a game that goes on.
    fn show(&self, context: &Context, row: Row<'_>) {
        if !context.changes_one_cell {
            self.position.fill_marks(row.board);
        }
        self.position.fill_legal(row.mask);
        *row.turn = self.position.turn().map_or(0, |seat| seat.index() as u8);
    }
}
