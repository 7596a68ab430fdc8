//! What every cell of the position on the board is worth, worked out behind the screen.

use std::time::Duration;

use noughts_engine::{Analysis, Verdict};
use noughts_rules::{Cell, Position};

use super::widgets::note::Note;
use super::workers::{Job, Message, Workers};

/// How long an analysis may take.
const TIME: Duration = Duration::from_secs(4);

/// The most analyses that are remembered.
const MOST: usize = 100;

/// The analysis of one position at a time, and those that were done before.
pub(crate) struct AnalysisCache {
    workers: Workers,
    job: Option<(Job, Position)>,
    done: Vec<(Position, Analysis)>,
}

impl AnalysisCache {
    pub(crate) fn new(workers: Workers) -> AnalysisCache {
        AnalysisCache { workers, job: None, done: Vec::new() }
    }

    /// Begins with a position, unless that is under way or done.
    pub(crate) fn begin(&mut self, position: &Position) {
        let under_way = self.job.as_ref().is_some_and(|(_, other)| other == position);
        if self.of(position).is_some() {
            self.job = None;
        } else if !under_way {
            self.job = Some((self.workers.analyse(position, TIME), position.clone()));
        }
    }

    /// Hears of work that is done; `true` if it was asked for here.
    pub(crate) fn receive(&mut self, message: &Message) -> bool {
        let Message::Analysed { id, analysis } = message else { return false };
        let Some((_, position)) = self.job.take_if(|(job, _)| job.id == *id) else {
            return false;
        };
        if let Ok(analysis) = analysis {
            if self.done.len() == MOST {
                self.done.remove(0);
            }
            self.done.push((position, analysis.clone()));
        }
        true
    }

    pub(crate) fn is_working(&self) -> bool {
        self.job.is_some()
    }

    /// Has an answer soon, with what is known by then.
    pub(crate) fn move_now(&self) {
        self.job.iter().for_each(|(job, _)| job.stop());
    }

    /// What is known of this position.
    pub(crate) fn of(&self, position: &Position) -> Option<&Analysis> {
        self.done.iter().find(|(done, _)| done == position).map(|(_, analysis)| analysis)
    }

    /// What to write into the empty cells of this position: what each is worth, or only which of
    /// them are best.
    pub(crate) fn notes(&self, position: &Position, verdicts: bool) -> Vec<(Cell, Note)> {
        let Some(analysis) = self.of(position) else { return Vec::new() };
        let best = best_cells(analysis);
        analysis
            .cells
            .iter()
            .map(|at| {
                let verdict = verdicts.then_some(at.verdict);
                (at.cell, Note { verdict, best: best.contains(&at.cell) })
            })
            .filter(|(_, note)| verdicts || note.best)
            .collect()
    }
}

/// The best cell, and those that are proven to be as good.
pub(crate) fn best_cells(analysis: &Analysis) -> Vec<Cell> {
    let worth = |cell| analysis.cells.iter().find(|at| at.cell == cell).map(|at| at.verdict);
    match worth(analysis.best) {
        Some(best @ Verdict::Proven(_)) => {
            analysis.cells.iter().filter(|at| at.verdict == best).map(|at| at.cell).collect()
        }
        _ => vec![analysis.best],
    }
}

/// The best cells in words, and whether that is known or believed.
pub(crate) fn hint(analysis: &Analysis) -> String {
    let best = best_cells(analysis);
    let verdict = analysis.cells.iter().find(|at| at.cell == analysis.best).map(|at| at.verdict);
    let Some(Verdict::Proven(value)) = verdict else {
        return format!("{} looks best.", analysis.best);
    };
    const MOST_NAMED: usize = 4;
    let mut names: Vec<String> = best.iter().map(Cell::to_string).take(MOST_NAMED).collect();
    if best.len() > MOST_NAMED {
        names.push(format!("{} more", best.len() - MOST_NAMED));
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
    fn hints_name_the_best_cells() {
        assert_eq!(hint_for("3x3 xx1/oo1/3 x"), "A3 is best: win in 1.");
        assert_eq!(hint_for("3x3 x2/1o1/2x o"), "A2, B1, B3 and C2 are best: draw.");
        assert_eq!(hint_for("3x3 3/3/3 x"), "A1, A2, A3, B1 and 5 more are best: draw.");
    }
}
