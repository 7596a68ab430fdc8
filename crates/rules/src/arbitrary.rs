//! Values from unstructured data, for fuzzing. Positions and games are reached by legal moves.

use ::arbitrary::{Arbitrary, Result, Unstructured};

use crate::shape::{MAX_LEVELS, MAX_SIDE};
use crate::{
    Cell, Game, Goal, MAX_PLAYERS, Mark, Marks, Move, Opening, Player, Position, Rules, RulesParts,
    Seat, Symbol,
};

/// The most moves of a position.
const MAX_PLIES: u32 = 100;

impl<'a> Arbitrary<'a> for Seat {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Seat> {
        Ok(Seat::from_index(u.int_in_range(0..=MAX_PLAYERS - 1)?))
    }
}

impl<'a> Arbitrary<'a> for Mark {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Mark> {
        Ok(Mark::from_index(u.int_in_range(0..=MAX_PLAYERS - 1)?))
    }
}

impl<'a> Arbitrary<'a> for Cell {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Cell> {
        let level = u.int_in_range(0..=MAX_LEVELS - 1)?;
        let side = 0..=MAX_SIDE - 1;
        Ok(Cell::on_board(level, u.int_in_range(side.clone())?, u.int_in_range(side)?))
    }
}

impl<'a> Arbitrary<'a> for Move {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Move> {
        Ok(match u.int_in_range(0..=7)? {
            0 => Move::Swap,
            1 => Move::Keep,
            2 => Move::More,
            3 => Move::Mark(u.arbitrary()?, u.arbitrary()?),
            _ => Move::Place(u.arbitrary()?),
        })
    }
}

/// Mostly a letter; the default of the first seat where the data are not a symbol.
impl<'a> Arbitrary<'a> for Symbol {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Symbol> {
        let text = u.arbitrary::<char>()?.to_string();
        Ok(text.parse().unwrap_or_else(|_| Symbol::default_for(Seat::FIRST)))
    }
}

/// The default name where the data are not a name.
impl<'a> Arbitrary<'a> for Player {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Player> {
        let symbol: Symbol = u.arbitrary()?;
        let player = Player::new(u.arbitrary()?, symbol);
        Ok(player.unwrap_or_else(|_| Player::default_for(Seat::FIRST)))
    }
}

/// Small boards more often than large ones. Options that do not go together are left out.
impl<'a> Arbitrary<'a> for Rules {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Rules> {
        let side = |u: &mut Unstructured<'a>| {
            let max = if u.ratio(1, 8)? { MAX_SIDE } else { 6 };
            u.int_in_range(1..=max)
        };
        let (rows, cols, small) = (side(u)?, side(u)?, u.int_in_range(2..=3)?);
        let mut parts = match u.int_in_range(0..=9)? {
            0 => RulesParts::ultimate(small, u.int_in_range(2..=3)?),
            1 => RulesParts::notakto(rows.min(4), cols.min(4), small),
            2 => RulesParts::grid(rows, cols).marks(Marks::Any),
            3 => RulesParts::grid(rows, cols).marks(Marks::Any).goal(Goal::Maker),
            4 => RulesParts::space(rows.min(6), cols.min(6), small),
            _ => RulesParts::grid(rows, cols),
        };
        let accepts = |parts: &RulesParts| parts.clone().build().is_ok();
        if !accepts(&parts) {
            parts = RulesParts::grid(3, 3);
        }
        let number = u.int_in_range(1..=8)?;
        let options: [fn(RulesParts, u8) -> RulesParts; 10] = [
            |parts, k| parts.k(k),
            |parts, _| parts.gravity(true),
            |parts, _| parts.wrap(true),
            |parts, _| parts.exact(true),
            |parts, _| parts.goal(Goal::Avoid),
            |parts, _| parts.renju(true),
            |parts, marks| parts.fade(marks),
            |parts, stones| parts.stones_per_turn(stones),
            |parts, players| parts.players(players),
            |parts, two| parts.opening(if two < 5 { Opening::Swap } else { Opening::Swap2 }),
        ];
        for option in options {
            if u.ratio(1, 4)? {
                let changed = option(parts.clone(), number);
                parts = if accepts(&changed) { changed } else { parts };
            }
        }
        Ok(parts.build().unwrap_or_default())
    }
}

impl<'a> Arbitrary<'a> for Position {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Position> {
        let mut position = Position::new(&u.arbitrary()?);
        u.arbitrary_loop(None, Some(MAX_PLIES), |u| {
            if u.ratio(1, 50)? {
                // Refused for seats that the game does not have.
                let _ = position.resign(u.arbitrary()?);
            }
            match position.move_count() {
                0 => return Ok(std::ops::ControlFlow::Break(())),
                count => {
                    let mv = position.nth_move(u.choose_index(count)?);
                    mv.map(|mv| position.play(mv));
                }
            }
            Ok(std::ops::ControlFlow::Continue(()))
        })?;
        Ok(position)
    }
}

/// Begins with the rules' first position or a later one.
impl<'a> Arbitrary<'a> for Game {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Game> {
        let mut position: Position = u.arbitrary()?;
        let seats = position.rules().seats();
        let default: Vec<Player> = seats.map(Player::default_for).collect();
        let named = default.iter().map(|player| {
            let named = Player::new(u.arbitrary()?, player.symbol().clone());
            Ok(named.unwrap_or_else(|_| player.clone()))
        });
        let named = named.collect::<Result<Vec<Player>>>()?;
        if u.ratio(1, 3)? {
            position = position.to_string().parse().unwrap_or(position);
        }
        Game::from_position(position, named).map_err(|_| ::arbitrary::Error::IncorrectFormat)
    }
}
