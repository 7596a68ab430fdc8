//! Background analysis of positions, with the results cached.

use std::time::Duration;

use noughts_engine::{Analysis, Verdict};
use noughts_rules::{Cell, Move, Position};

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

    /// Notes for the empty cells: their values, or only marks on the best ones.
    pub(crate) fn notes(&self, position: &Position, verdicts: bool) -> Vec<(Cell, Note)> {
        let Some(analysis) = self.get(position) else { return Vec::new() };
        let best = best_moves(analysis);
        analysis
            .moves
            .iter()
            .filter_map(|at| {
                let verdict = verdicts.then_some(at.verdict);
                Some((at.mv.cell()?, Note { verdict, best: best.contains(&at.mv) }))
            })
            .filter(|(_, note)| verdicts || note.best)
            .collect()
    }
}

/// The best move and all that are proven equal to it.
pub(crate) fn best_moves(analysis: &Analysis) -> Vec<Move> {
    let worth = |mv| analysis.moves.iter().find(|at| at.mv == mv).map(|at| at.verdict);
    match worth(analysis.best) {
        Some(best @ Verdict::Proven(_)) => {
            analysis.moves.iter().filter(|at| at.verdict == best).map(|at| at.mv).collect()
        }
        _ => vec![analysis.best],
    }
}

/// Names the best moves, and says whether that is proven.
pub(crate) fn hint(analysis: &Analysis) -> String {
    let best = best_moves(analysis);
    let verdict = analysis.moves.iter().find(|at| at.mv == analysis.best).map(|at| at.verdict);
    let Some(Verdict::Proven(value)) = verdict else {
        return format!("{} looks best.", analysis.best);
    };
    const MAX_NAMED_MOVES: usize = 4;
    let mut names: Vec<String> = best.iter().map(Move::to_string).take(MAX_NAMED_MOVES).collect();
    if best.len() > MAX_NAMED_MOVES {
        names.push(format!("{} more", best.len() - MAX_NAMED_MOVES));
    }
    match names.as_slice() {
        [one] => format!("{one} is best: {value}."),
        [first @ .., last] => format!("{} and {last} are best: {value}.", first.join(", ")),
        [] => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noughts_engine::{Budget, analyse};

    fn hint_for(position: &str) -> String {
        hint(&analyse(&position.parse().unwrap(), &Budget::unlimited()).unwrap())
    }

    #[test]
    fn hints_name_best_moves() {
        assert_eq!(hint_for("3x3 xx1/oo1/3 x"), "A3 is best: win in 1.");
        assert_eq!(hint_for("3x3 x2/1o1/2x o"), "A2, B1, B3 and C2 are best: draw.");
        assert_eq!(hint_for("3x3 3/3/3 x"), "A1, A2, A3, B1 and 5 more are best: draw.");
    }
}
