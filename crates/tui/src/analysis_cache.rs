//! Background analysis of positions, with the results cached.

use std::time::Duration;

use noughts_engine::{Analysis, MoveVerdict, Value, Verdict};
use noughts_play::{capitalised, value_words, verdict_words, winner_moves};
use noughts_rules::{Cell, Game, Move, Position};

use super::theme::Theme;
use super::widgets::note::Note;
use super::workers::{Message, Search, Workers};

const ANALYSIS_TIME: Duration = Duration::from_secs(4);

const MAX_CACHED_ANALYSES: usize = 100;

/// Analyses one position at a time and keeps the latest results.
pub(crate) struct AnalysisCache {
    workers: Workers,
    running: Option<(Search, Position)>,
    done: Vec<(Position, Analysis)>,
}

impl AnalysisCache {
    pub(crate) fn new(workers: Workers) -> AnalysisCache {
        AnalysisCache { workers, running: None, done: Vec::new() }
    }

    /// Starts analysing a position, unless that is running or done.
    pub(crate) fn request(&mut self, position: &Position) {
        let under_way = self.running.as_ref().is_some_and(|(_, other)| other == position);
        if self.get(position).is_some() {
            self.running = None;
        } else if !under_way {
            self.running = Some((self.workers.analyse(position, ANALYSIS_TIME), position.clone()));
        }
    }

    /// Takes the result of an analysis; `false` if it was requested elsewhere.
    pub(crate) fn receive(&mut self, message: &Message) -> bool {
        let Message::Analysed { id, analysis } = message else { return false };
        let Some((_, position)) = self.running.take_if(|(search, _)| search.id == *id) else {
            return false;
        };
        if let Ok(analysis) = analysis {
            if self.done.len() == MAX_CACHED_ANALYSES {
                self.done.remove(0);
            }
            self.done.push((position, analysis.clone()));
        }
        true
    }

    pub(crate) fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Stops the search, which then returns its best result so far.
    pub(crate) fn stop(&self) {
        self.running.iter().for_each(|(search, _)| search.stop());
    }

    /// The cached analysis of a position.
    pub(crate) fn get(&self, position: &Position) -> Option<&Analysis> {
        self.done.iter().find(|(done, _)| done == position).map(|(_, analysis)| analysis)
    }

    /// Notes for the empty cells: their values, or only marks on the best ones. Where the mover
    /// chooses the mark, a cell has the value of the better one.
    pub(crate) fn notes(&self, game: &Game, verdicts: bool) -> Vec<(Cell, Note)> {
        let Some(analysis) = self.get(game.position()) else { return Vec::new() };
        let best = best_moves(analysis);
        let mut cells: Vec<Cell> = analysis.moves.iter().filter_map(|at| at.mv.cell()).collect();
        cells.dedup();
        let notes = cells.into_iter().filter_map(|cell| {
            let moves = moves_in(analysis, cell);
            let best_here = moves.iter().filter(|at| best.contains(&at.mv));
            let strongest = moves.iter().max_by_key(|at| strength(at.verdict));
            let chosen = best_here.clone().next().or(strongest)?;
            let is_equal = |at: &&MoveVerdict| at.verdict == chosen.verdict;
            let mark =
                chosen.mv.chosen_mark().filter(|_| moves.iter().filter(is_equal).count() == 1);
            let note = Note {
                verdict: verdicts.then_some(chosen.verdict),
                moves: moves_to_win(game.position(), chosen.verdict),
                best: best_here.count() > 0,
                mark: mark.map(|mark| game.mark_symbol(mark).to_string()),
            };
            Some((cell, note))
        });
        notes.filter(|(_, note)| verdicts || note.best).collect()
    }
}

/// The verdicts on the moves that take a cell: one for each mark where the mover chooses.
pub(crate) fn moves_in(analysis: &Analysis, cell: Cell) -> Vec<MoveVerdict> {
    analysis.moves.iter().filter(|at| at.mv.cell() == Some(cell)).copied().collect()
}

/// Verdicts in order, worst first.
fn strength(verdict: Verdict) -> i64 {
    /// More than every estimate.
    const PROVEN: i64 = 1 << 32;
    match verdict {
        Verdict::Proven(Value::Win { plies }) => PROVEN - i64::from(plies),
        Verdict::Proven(Value::Loss { plies }) => i64::from(plies) - PROVEN,
        Verdict::Proven(Value::Draw) => 0,
        Verdict::Estimate(score) => score.into(),
    }
}

/// The best move and all that are proven equal to it.
fn best_moves(analysis: &Analysis) -> Vec<Move> {
    match verdict_of(analysis, analysis.best) {
        Some(best @ Verdict::Proven(_)) => {
            analysis.moves.iter().filter(|at| at.verdict == best).map(|at| at.mv).collect()
        }
        _ => vec![analysis.best],
    }
}

/// The winner's own moves until the end, where that is proven.
fn moves_to_win(position: &Position, verdict: Verdict) -> Option<u16> {
    verdict.proven().and_then(|value| winner_moves(position, value))
}

/// The verdict on a move.
pub(crate) fn verdict_of(analysis: &Analysis, mv: Move) -> Option<Verdict> {
    analysis.moves.iter().find(|at| at.mv == mv).map(|at| at.verdict)
}

/// What follows an opening choice: its value, and whether it is best.
pub(crate) fn choice_value(
    position: &Position,
    analysis: &Analysis,
    choice: Move,
    verdicts: bool,
    theme: Theme,
) -> String {
    let star = if best_moves(analysis).contains(&choice) { theme.star() } else { "" };
    match verdict_of(analysis, choice).filter(|_| verdicts) {
        Some(verdict) => format!(" {star}({})", verdict_words(position, verdict)),
        None => format!(" {star}").trim_end().to_string(),
    }
}

/// Names the best moves, and says whether that is proven.
pub(crate) fn hint(game: &Game, analysis: &Analysis) -> String {
    let best = best_moves(analysis);
    let Some(Verdict::Proven(value)) = verdict_of(analysis, analysis.best) else {
        return capitalised(&format!("{} looks best.", move_words(game, analysis.best)));
    };
    const MAX_NAMED_MOVES: usize = 4;
    let value = value_words(game.position(), value);
    let mut names: Vec<String> =
        best.iter().map(|&mv| move_words(game, mv)).take(MAX_NAMED_MOVES).collect();
    if best.len() > MAX_NAMED_MOVES {
        names.push(format!("{} more", best.len() - MAX_NAMED_MOVES));
    }
    capitalised(&match names.as_slice() {
        [one] => format!("{one} is best: {value}."),
        [first @ .., last] => format!("{} and {last} are best: {value}.", first.join(", ")),
        [] => String::new(),
    })
}

/// A move as the subject of a sentence.
pub(crate) fn move_words(game: &Game, mv: Move) -> String {
    match mv {
        Move::Mark(cell, mark) => format!("{cell} with {}", game.mark_symbol(mark)),
        Move::Swap => "swapping".into(),
        Move::Keep => "not swapping".into(),
        Move::More => "placing two more stones".into(),
        mv => mv.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noughts_engine::{Budget, analyse};

    fn hint_for(position: &str) -> String {
        let position: Position = position.parse().unwrap();
        let game = Game::with_default_players(position.rules());
        hint(&game, &analyse(&position, &Budget::unlimited()).unwrap())
    }

    #[test]
    fn hints_name_best_moves() {
        assert_eq!(hint_for("3x3 xx1/oo1/3 x"), "A3 is best: win in 1.");
        assert_eq!(hint_for("3x3 x2/1o1/2x o"), "A2, B1, B3 and C2 are best: draw.");
        assert_eq!(hint_for("3x3 3/3/3 x"), "A1, A2, A3, B1 and 5 more are best: draw.");
    }

    #[test]
    fn cells_have_the_value_of_the_better_mark() {
        let game = Game::with_default_players(&"wild".parse().unwrap());
        let at = |mv: &str, value| MoveVerdict {
            mv: mv.parse().unwrap(),
            verdict: Verdict::Proven(value),
        };
        let loss = Value::Loss { plies: 4 };
        let budget = Budget::unlimited().with_nodes(100);
        let mut analysis = analyse(game.position(), &budget).unwrap();
        analysis.moves = vec![
            at("A1=x", loss),
            at("A1=o", loss),
            at("B2=x", Value::Draw),
            at("B2=o", Value::Win { plies: 7 }),
        ];
        analysis.best = "B2=o".parse().unwrap();
        let mut cache = AnalysisCache::new(Workers::new(std::sync::mpsc::channel().0));
        cache.done.push((game.position().clone(), analysis.clone()));
        let theme = Theme::new(true, false);
        let notes = cache.notes(&game, true);
        let texts = notes.iter().map(|(cell, note)| (cell.to_string(), note.text(11, theme)));
        let expected = [("A1", "loss 2"), ("B2", "* O win 4")];
        let expected = expected.map(|(cell, text)| (cell.to_string(), Some(text.to_string())));
        assert_eq!(texts.collect::<Vec<_>>(), expected);
        assert_eq!(cache.notes(&game, false).len(), 1);
        assert_eq!(hint(&game, &analysis), "B2 with O is best: win in 4.");
    }
}
