//! Ends games early that are as good as decided.

use std::str::FromStr;

use noughts_engine::{Value, Verdict};
use noughts_rules::Seat;

/// When games end before the rules end them. The scores are those of the players themselves: of
/// built-in players their verdicts, and of engines what their messages say. Moves without a score
/// interrupt a count.
#[derive(Debug, Clone, Copy, Default)]
pub struct Adjudication {
    /// A draw when both players see no advantage.
    pub draw: Option<DrawRule>,
    /// A loss for a player without hope.
    pub resign: Option<ResignRule>,
    /// A draw after this many moves of each player.
    pub max_moves: Option<u32>,
}

/// A draw after `move_number` moves of each player, if each scored within `score` of zero at their last
/// `move_count` moves.
///
/// ```
/// use noughts_arena::DrawRule;
///
/// let rule: DrawRule = "movenumber=20,movecount=5,score=30".parse()?;
/// assert_eq!((rule.move_number, rule.move_count, rule.score), (20, 5, 30));
/// # Ok::<(), noughts_arena::ParseAdjudicationError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawRule {
    /// The moves of each player before the first adjudication.
    pub move_number: u32,
    /// The moves of each player that must score so.
    pub move_count: u32,
    /// The greatest distance from zero.
    pub score: i32,
}

/// A loss for a player who scored at most minus `score` at their last `move_count` moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResignRule {
    /// The moves that must score so.
    pub move_count: u32,
    /// How far below zero.
    pub score: i32,
}

/// Why a game was adjudicated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adjudicated {
    /// By a [`DrawRule`].
    Draw,
    /// By a [`ResignRule`].
    Resignation,
    /// It had as many moves as allowed.
    MaxMoves,
}

/// The text is no rule of adjudication.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {0}")]
pub struct ParseAdjudicationError(&'static str);

const DRAW_FORM: &str = "a rule such as movenumber=20,movecount=5,score=30";
const RESIGN_FORM: &str = "a rule such as movecount=3,score=1000";

impl FromStr for DrawRule {
    type Err = ParseAdjudicationError;

    fn from_str(text: &str) -> Result<DrawRule, ParseAdjudicationError> {
        let [Some(move_number), Some(move_count), Some(score)] =
            fields(text, ["movenumber", "movecount", "score"])
                .ok_or(ParseAdjudicationError(DRAW_FORM))?
        else {
            return Err(ParseAdjudicationError(DRAW_FORM));
        };
        let score = i32::try_from(score).map_err(|_| ParseAdjudicationError(DRAW_FORM))?;
        Ok(DrawRule { move_number, move_count, score })
    }
}

impl FromStr for ResignRule {
    type Err = ParseAdjudicationError;

    fn from_str(text: &str) -> Result<ResignRule, ParseAdjudicationError> {
        let [Some(move_count), Some(score)] =
            fields(text, ["movecount", "score"]).ok_or(ParseAdjudicationError(RESIGN_FORM))?
        else {
            return Err(ParseAdjudicationError(RESIGN_FORM));
        };
        let score = i32::try_from(score).map_err(|_| ParseAdjudicationError(RESIGN_FORM))?;
        Ok(ResignRule { move_count, score })
    }
}

/// The values of these keys in `key=value,…`; `None` if another key or no number is there.
fn fields<const N: usize>(text: &str, keys: [&str; N]) -> Option<[Option<u32>; N]> {
    let mut values = [None; N];
    for field in text.split(',') {
        let (key, value) = field.split_once('=')?;
        let place = keys.iter().position(|known| *known == key.trim())?;
        values[place] = Some(value.trim().parse().ok()?);
    }
    Some(values)
}

/// Follows the scores of a game.
pub(crate) struct Adjudicator<'a> {
    rules: &'a Adjudication,
    moves: u32,
    /// By seat: for how many moves it was level, and hopeless.
    level: [u32; 2],
    hopeless: [u32; 2],
}

impl<'a> Adjudicator<'a> {
    pub(crate) fn new(rules: &'a Adjudication) -> Adjudicator<'a> {
        Adjudicator { rules, moves: 0, level: [0; 2], hopeless: [0; 2] }
    }

    /// Counts moves of the opening, which have no scores.
    pub(crate) fn skip(&mut self, moves: usize) {
        self.moves = self.moves.saturating_add(u32::try_from(moves).unwrap_or(u32::MAX));
    }

    /// Whether the game ends after a move of a seat with this verdict.
    pub(crate) fn after_move(
        &mut self,
        seat: Seat,
        verdict: Option<Verdict>,
    ) -> Option<Adjudicated> {
        self.moves = self.moves.saturating_add(1);
        let (seat, score) = (seat.index(), verdict.map(score));
        let count = |streak: &mut u32, holds: Option<bool>| {
            *streak = if holds == Some(true) { *streak + 1 } else { 0 };
        };
        let Adjudication { draw, resign, max_moves } = self.rules;
        if let Some(rule) = resign {
            count(&mut self.hopeless[seat], score.map(|score| score <= -rule.score));
            if self.hopeless[seat] >= rule.move_count.max(1) {
                return Some(Adjudicated::Resignation);
            }
        }
        if let Some(rule) = draw {
            count(&mut self.level[seat], score.map(|score| score.abs() <= rule.score));
            let is_level = self.level.iter().all(|&moves| moves >= rule.move_count.max(1));
            if is_level && self.moves / 2 >= rule.move_number {
                return Some(Adjudicated::Draw);
            }
        }
        let is_long = max_moves.is_some_and(|max_moves| self.moves / 2 >= max_moves);
        is_long.then_some(Adjudicated::MaxMoves)
    }
}

/// Beyond every estimate.
const PROVEN_SCORE: i32 = 1_000_000;

fn score(verdict: Verdict) -> i32 {
    match verdict {
        Verdict::Estimate(score) => score.clamp(-PROVEN_SCORE, PROVEN_SCORE),
        Verdict::Proven(Value::Draw) => 0,
        Verdict::Proven(Value::Win { .. }) => PROVEN_SCORE,
        Verdict::Proven(Value::Loss { .. }) => -PROVEN_SCORE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of the move after which a game with these scores ends.
    fn end(rules: Adjudication, scores: &[Option<i32>]) -> Option<(usize, Adjudicated)> {
        let mut adjudicator = Adjudicator::new(&rules);
        (1..).zip(scores).find_map(|(number, score)| {
            let seat = Seat::new((number as u8 + 1) % 2)?;
            Some((number, adjudicator.after_move(seat, score.map(Verdict::Estimate))?))
        })
    }

    #[test]
    fn hopeless_players_lose() {
        let resign = Some("movecount=2,score=500".parse().unwrap());
        let rules = Adjudication { resign, ..Adjudication::default() };
        let lost = [Some(600), Some(-500), Some(700), Some(-900)];
        assert_eq!(end(rules, &lost), Some((4, Adjudicated::Resignation)));
        let silent = [Some(600), Some(-500), Some(700), None, None, Some(-900), Some(700)];
        assert_eq!(end(rules, &silent), None);
        let proven = Verdict::Proven(Value::Loss { plies: 4 });
        assert_eq!(score(proven), -PROVEN_SCORE);
    }

    #[test]
    fn level_games_are_drawn() {
        let draw = Some("movenumber=3,movecount=2,score=10".parse().unwrap());
        let rules = Adjudication { draw, ..Adjudication::default() };
        assert_eq!(end(rules, &[Some(0); 9]), Some((6, Adjudicated::Draw)));
        let late = [0, 90, -10, 10, 9, -9, 0, 0].map(Some);
        assert_eq!(end(rules, &late), Some((6, Adjudicated::Draw)));
        let uneven = [0, 90, 0, 90, 0, 90, 0, 90].map(Some);
        assert_eq!(end(rules, &uneven), None);
    }

    #[test]
    fn long_games_are_drawn() {
        let rules = Adjudication { max_moves: Some(2), ..Adjudication::default() };
        assert_eq!(end(rules, &[None; 9]), Some((4, Adjudicated::MaxMoves)));
    }

    #[test]
    fn rules_have_all_their_numbers() {
        for text in ["", "movecount=3", "movecount=3,score=x", "movecount=3,score=9,colour=1"] {
            let error = text.parse::<ResignRule>().unwrap_err();
            assert_eq!(error.to_string(), "expected a rule such as movecount=3,score=1000");
        }
        assert!("movecount=3,score=9".parse::<DrawRule>().is_err());
    }
}
