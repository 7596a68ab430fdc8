//! Which rules go together.

use super::{Goal, Marks, Opening, RulesError, RulesParts, Win};
use crate::shape::Shape;

/// A rule by the name of its variant, and whether the parts have it.
type Rule = (&'static str, fn(&RulesParts) -> bool);

const ULTIMATE: Rule = ("ultimate", |parts| matches!(parts.shape, Shape::Nested { .. }));
const LEVELS: Rule =
    ("a board with levels", |parts| matches!(parts.shape, Shape::Grid { levels: 2.., .. }));
const NOTAKTO: Rule =
    ("notakto", |parts| parts.marks == Marks::One || parts.goal == Goal::LastBoard);
const BOARDS: Rule =
    ("a game on several boards", |parts| matches!(parts.shape, Shape::Boards { boards: 2.., .. }));
const ORDER: Rule = ("order", |parts| parts.goal == Goal::Maker);
const WILD: Rule = ("wild", |parts| parts.marks == Marks::Any && parts.goal != Goal::Maker);
const MISERE: Rule = ("misere", |parts| parts.goal == Goal::Avoid);
const GRAVITY: Rule = ("gravity", |parts| parts.gravity);
const WRAP: Rule = ("wrap", |parts| parts.wrap);
const EXACT: Rule = ("exact", |parts| parts.exact);
const FADE: Rule = ("fade", |parts| parts.fade.is_some());
const RENJU: Rule = ("renju", |parts| parts.renju);
const STONES: Rule = ("several stones a turn", |parts| parts.stones_per_turn > 1);
const SWAP: Rule = ("swap", |parts| parts.opening == Opening::Swap);
const SWAP2: Rule = ("swap2", |parts| parts.opening == Opening::Swap2);
const LINES: Rule = ("a list of lines", |parts| matches!(parts.win, Win::Lines(_)));

const IN_SUB_BOARDS: &str = "the lines of ultimate are rows in its boards";
const NO_OWN_MARKS: &str = "it needs a mark for each player";
const RENJU_BOARD: &str = "renju is defined on flat boards with ordinary lines";
const MARK_HAS_NO_OWNER: &str = "its marks belong to nobody";

/// The pairs that have no meaning together, with the reason.
const REFUSED: &[(Rule, Rule, &str)] = &[
    (ULTIMATE, NOTAKTO, NO_OWN_MARKS),
    (ULTIMATE, ORDER, NO_OWN_MARKS),
    (ULTIMATE, WILD, NO_OWN_MARKS),
    (ULTIMATE, GRAVITY, "stones would fall from board to board"),
    (ULTIMATE, WRAP, IN_SUB_BOARDS),
    (ULTIMATE, EXACT, IN_SUB_BOARDS),
    (ULTIMATE, LINES, IN_SUB_BOARDS),
    (ULTIMATE, FADE, "a won board would be lost again"),
    (ULTIMATE, RENJU, RENJU_BOARD),
    (ULTIMATE, STONES, "a turn is one move to the next board"),
    (ULTIMATE, SWAP2, "its stones would be sent from board to board"),
    (NOTAKTO, ORDER, "everyone places the same mark"),
    (NOTAKTO, WILD, "everyone places the same mark"),
    (NOTAKTO, MISERE, "the last line loses already"),
    (NOTAKTO, EXACT, "boards without a line could fill up"),
    (NOTAKTO, FADE, MARK_HAS_NO_OWNER),
    (NOTAKTO, RENJU, NO_OWN_MARKS),
    (NOTAKTO, STONES, "who closes the last board must be the one who moves last"),
    (NOTAKTO, SWAP, NO_OWN_MARKS),
    (NOTAKTO, SWAP2, NO_OWN_MARKS),
    (BOARDS, GRAVITY, "the boards have no common floor"),
    (BOARDS, LINES, "lines are listed for one board"),
    (ORDER, MISERE, "only the first player wants lines"),
    (ORDER, FADE, "the board would never be full"),
    (WILD, FADE, MARK_HAS_NO_OWNER),
    (WILD, RENJU, NO_OWN_MARKS),
    (ORDER, RENJU, NO_OWN_MARKS),
    (WILD, SWAP, NO_OWN_MARKS),
    (ORDER, SWAP, NO_OWN_MARKS),
    (WILD, SWAP2, NO_OWN_MARKS),
    (ORDER, SWAP2, NO_OWN_MARKS),
    (MISERE, RENJU, "renju is won by five in a row"),
    (GRAVITY, FADE, "stones would lose their support"),
    (GRAVITY, RENJU, RENJU_BOARD),
    (WRAP, RENJU, RENJU_BOARD),
    (WRAP, LINES, "the lines are listed"),
    (EXACT, LINES, "the lines are listed"),
    (EXACT, RENJU, "renju has its own rule for long rows"),
    (LEVELS, RENJU, RENJU_BOARD),
    (LINES, RENJU, RENJU_BOARD),
    (FADE, RENJU, RENJU_BOARD),
    (STONES, RENJU, RENJU_BOARD),
    (STONES, FADE, "a turn would remove several marks"),
    (STONES, SWAP2, "swap2 decides who places which stone"),
];

/// Rules for two players.
const TWO_PLAYERS: &[Rule] = &[MISERE, NOTAKTO, ORDER, WILD, RENJU, SWAP, SWAP2];

pub(super) fn check(parts: &RulesParts) -> Result<(), RulesError> {
    for &((first, has_first), (second, has_second), reason) in REFUSED {
        if has_first(parts) && has_second(parts) {
            return Err(RulesError::Combination { first, second, reason });
        }
    }
    let needs_two = TWO_PLAYERS.iter().find(|(_, has)| has(parts));
    if let Some(&(rule, _)) = needs_two.filter(|_| parts.players != 2) {
        return Err(RulesError::TwoPlayers { rule, players: parts.players });
    }
    check_goal(parts)
}

/// Notakto and order are a kind of marks with a goal of their own, and boards side by side are for
/// notakto.
fn check_goal(parts: &RulesParts) -> Result<(), RulesError> {
    let refuse = |first, second, reason| Err(RulesError::Combination { first, second, reason });
    match (parts.marks, parts.goal) {
        (Marks::Own | Marks::Any, Goal::Line | Goal::Avoid)
        | (Marks::Any, Goal::Maker)
        | (Marks::One, Goal::LastBoard) => {}
        (Marks::Own, Goal::Maker) => {
            return refuse("order", "a mark for each player", "both players place both marks");
        }
        (_, Goal::LastBoard) => {
            return refuse("notakto", "several marks", "everyone places the same mark");
        }
        (Marks::One, _) => {
            return refuse(
                "one mark for all",
                "this goal",
                "the player who closes the last board loses",
            );
        }
    }
    match parts.shape {
        Shape::Boards { .. } if parts.goal != Goal::LastBoard => Err(RulesError::SeveralBoards),
        _ => Ok(()),
    }
}
