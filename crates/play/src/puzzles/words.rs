//! Puzzles in words.

use noughts_engine::{PuzzleFeedback, PuzzleKind, Value};
use noughts_rules::{Move, Position, Seat};

use super::{PuzzleSession, puzzle_game};
use crate::{capitalised, describe_move, winner_moves};

/// The name of a seat in a sentence: its symbol, or `Player 1` where seats have no marks of their own.
fn seat_name(position: &Position, seat: Seat) -> String {
    let game = puzzle_game(position);
    let symbol = position.mark_of(seat).map(|mark| game.mark_symbol(mark).to_string());
    symbol.unwrap_or_else(|| format!("Player {seat}"))
}

/// What the present puzzle asks for: `X to move and win in 3.`
#[must_use]
pub fn puzzle_task(session: &PuzzleSession) -> String {
    let puzzle = session.puzzle();
    let player = seat_name(puzzle.position(), puzzle.seat());
    match puzzle.kind() {
        PuzzleKind::Win => format!("{player} to move and win in {}.", puzzle.own_moves()),
        PuzzleKind::Draw => format!("{player} to move: only one move does not lose."),
    }
}

/// What a move did, in sentences. `before` is the position in which it was made.
#[must_use]
pub fn describe_feedback(
    session: &PuzzleSession,
    before: &Position,
    mv: Move,
    feedback: &PuzzleFeedback,
) -> Vec<String> {
    let mut after = before.clone();
    _ = after.play(mv);
    match feedback {
        PuzzleFeedback::Right { replies } => {
            let left = match session.attempt().own_moves_left() {
                1 => "One more move to find.".to_string(),
                left => format!("{left} more moves to find."),
            };
            vec!["Yes!".to_string(), replies_text(&after, replies), left]
        }
        PuzzleFeedback::Solved { replies, continuation } => {
            let mut sentences = vec![match session.puzzle().kind() {
                PuzzleKind::Win => "Solved! That wins.".to_string(),
                PuzzleKind::Draw => "Solved! That holds the draw.".to_string(),
            }];
            if !replies.is_empty() {
                sentences.push(replies_text(&after, replies));
            }
            if !continuation.is_empty() {
                sentences.push(format!("It may go on: {}.", moves_text(continuation)));
            }
            sentences
        }
        PuzzleFeedback::Wrong { value, refutation } => {
            let mut sentences = vec![wrong_move(session, before, mv, *value)];
            if !refutation.is_empty() {
                let player = after.turn().map(|seat| seat_name(&after, seat));
                let player = player.unwrap_or_default();
                sentences.push(format!("{player} answers {}.", moves_text(refutation)));
            }
            sentences
        }
    }
}

fn wrong_move(
    session: &PuzzleSession,
    before: &Position,
    mv: Move,
    value: Option<Value>,
) -> String {
    let mv = capitalised(&mv.to_string());
    let moves = session.attempt().own_moves_left();
    match (session.puzzle().kind(), value) {
        (_, Some(value @ Value::Loss { .. })) => match winner_moves(before, value) {
            Some(0 | 1) | None => format!("{mv} loses."),
            Some(moves) => format!("{mv} loses in {moves}."),
        },
        (_, Some(Value::Draw)) => format!("{mv} lets the win slip: that is a draw."),
        (PuzzleKind::Win, _) => format!("{mv} doesn't win in {moves}."),
        (PuzzleKind::Draw, _) => format!("{mv} is not the move."),
    }
}

fn replies_text(position: &Position, replies: &[Move]) -> String {
    let mut position = position.clone();
    let mut text = String::new();
    for &reply in replies {
        let player = position.turn().map(|seat| seat_name(&position, seat)).unwrap_or_default();
        let done = describe_move(&puzzle_game(&position), reply);
        text += &format!("{}{player} {done}.", if text.is_empty() { "" } else { " " });
        _ = position.play(reply);
    }
    text
}

fn moves_text(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

/// The solution in a sentence.
#[must_use]
pub fn describe_solution(moves: &[Move]) -> String {
    format!("The solution is {}.", moves_text(moves))
}

/// How far the player has come: `Rating 1540, 12 of 15 solved, 3 days in a row.`
#[must_use]
pub fn describe_progress(session: &PuzzleSession) -> String {
    let progress = session.progress();
    let (rating, solved, tried) = (progress.rating.shown(), progress.solved, progress.tried);
    let streak = match session.streak() {
        0 => String::new(),
        1 => ", 1 day in a row".to_string(),
        days => format!(", {days} days in a row"),
    };
    format!("Rating {rating}, {solved} of {tried} solved{streak}.")
}
