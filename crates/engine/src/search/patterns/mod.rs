//! Search on large boards for two on which k in a row, up to six, win: patterns are kept for each
//! cell and direction, so that threats are known before they are looked for.

mod field;
mod fours;
mod shape;
mod threat;
mod threes;

use std::sync::Arc;

use noughts_rules::{Position, Rules};

use super::memory::{Bound, Memory, Remembered};
use super::{Effort, Found, MATE, Outlook, Way};
use crate::budget::{Budget, Meter, OutOfBudget};
use crate::verdict::{Value, Verdict};
use field::{Field, Spot};
use fours::{Failed, Fours, Win};
use shape::Shapes;
use threat::Threat;

/// What may be spent on continuous fours at the root, and where the search ends.
const NODES_FOR_FOURS: u32 = 20_000;
const NODES_FOR_FOURS_AT_LEAVES: u32 = 48;

/// One of so many parts of the budget goes into continuous threes.
const PARTS: usize = 8;

/// How many plies of answers to threats are followed beyond the depth.
const MOST_PLIES_BEYOND: i32 = 4;

/// The most plies from the root.
const MOST_PLIES: u32 = 120;

#[derive(Clone)]
pub(super) struct PatternSearch {
    field: Field,
    meter: Meter,
    effort: Effort,
    memory: Arc<Memory>,
    failed: Failed,
    /// For each ply the last two moves that refuted what came before.
    killers: Vec<[Spot; 2]>,
    /// For each seat and cell, how often a move there refuted something.
    history: [Vec<i32>; 2],
    /// The candidate moves of all positions on the way to the current one.
    moves: Vec<(i32, Spot)>,
}

/// Whether the rules are such that this search is made for them.
pub(super) fn are_for(rules: &Rules) -> bool {
    let plain = !rules.misere() && !rules.gravity() && !rules.wrap() && rules.players() == 2;
    plain && Shapes::exist(rules.k().into(), rules.exact())
}

impl PatternSearch {
    /// `None` for rules that it is not made for.
    pub(super) fn new(
        position: &Position,
        budget: &Budget,
        effort: Effort,
    ) -> Option<PatternSearch> {
        let field = Field::new(position)?;
        // A place for each node that may be spent, if that is not too much.
        let nodes = budget.nodes().unwrap_or(u64::MAX).clamp(1 << 10, 1 << 20);
        let places = budget.places(nodes, Memory::BYTES_OF_A_PLACE);
        let spots = field.spot(position.rules().cell_count() - 1) as usize + 1;
        Some(PatternSearch {
            field,
            meter: Meter::new(budget),
            effort,
            memory: Arc::new(Memory::new(places as usize)),
            failed: Failed::new(),
            killers: vec![[0; 2]; MOST_PLIES as usize + 1],
            history: [vec![0; spots], vec![0; spots]],
            moves: Vec::new(),
        })
    }

    /// A win by fours alone, or by threes and fours.
    fn forced_win(&mut self) -> Option<Win> {
        let most_nodes = self.meter.nodes_left().min(NODES_FOR_FOURS.into()) as u32;
        let (win, nodes) = Fours::find(&mut self.field, &mut self.failed, most_nodes);
        self.meter.charge(nodes.into());
        if win.is_some() {
            return win;
        }
        let part = self.meter.begin_part(PARTS);
        let win = threes::find(&mut self.field, &mut self.failed, &mut self.meter);
        self.meter.end_part(part);
        win
    }

    /// Searches within growing bounds around what was found before. The best move comes to the
    /// front, also where the budget runs out on the way.
    fn search_root(
        &mut self,
        moves: &mut [Spot],
        depth: i32,
        before: i32,
    ) -> Result<i32, OutOfBudget> {
        let mut margin = 60;
        let (mut alpha, mut beta) = (before - margin, before + margin);
        if depth < 4 || before.abs() > MATE / 2 {
            (alpha, beta) = (-MATE, MATE);
        }
        loop {
            let score = self.search_moves(moves, depth, alpha, beta)?;
            margin *= 4;
            if score <= alpha && alpha > -MATE {
                alpha = if margin > 4000 { -MATE } else { score - margin };
            } else if score >= beta && beta < MATE {
                beta = if margin > 4000 { MATE } else { score + margin };
            } else {
                return Ok(score);
            }
        }
    }

    fn search_moves(
        &mut self,
        moves: &mut [Spot],
        depth: i32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, OutOfBudget> {
        let start = self.field.depth();
        let mut best = -MATE;
        for i in 0..moves.len() {
            self.moves.clear();
            let late = (i > 0).then_some(0);
            let score = self.score_of(moves[i], late, depth, (alpha.max(best), beta), 0);
            self.field.undo_to(start);
            let score = score?;
            if score > best {
                best = score;
                if i == 0 || score > alpha {
                    moves[..=i].rotate_right(1);
                }
            }
            if best >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// What a move is worth for who makes it. A move that is late in its list is first asked
    /// whether it is better than the others at all, searched so many plies less.
    fn score_of(
        &mut self,
        spot: Spot,
        late: Option<i32>,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: u32,
    ) -> Result<i32, OutOfBudget> {
        self.field.play(spot);
        let mut score = MATE;
        if let Some(less) = late {
            score = -self.score(depth - 1 - less, -alpha - 1, -alpha, ply + 1)?;
            if score > alpha && less > 0 {
                score = -self.score(depth - 1, -alpha - 1, -alpha, ply + 1)?;
            }
        }
        if late.is_none() || (score > alpha && score < beta) {
            score = -self.score(depth - 1, -beta, -alpha, ply + 1)?;
        }
        self.field.undo();
        Ok(score)
    }

    /// What the position is worth for the seat to move.
    fn score(
        &mut self,
        depth: i32,
        mut alpha: i32,
        mut beta: i32,
        ply: u32,
    ) -> Result<i32, OutOfBudget> {
        self.meter.spend()?;
        let (me, other) = (self.field.turn(), 1 - self.field.turn());
        let wins_in = |plies: u32| MATE - (ply + plies) as i32;
        if self.field.empty() == 0 {
            return Ok(0);
        }
        if self.field.count(me, Threat::Line) > 0 {
            return Ok(wins_in(1));
        }
        match self.field.count(other, Threat::Line) {
            0 => {}
            1 if ply < MOST_PLIES => {
                let must = self.field.with_threat(other, Threat::Line).next().unwrap_or_default();
                // A forced reply takes nothing from the depth.
                return self.score_of(must, None, depth + 1, (alpha, beta), ply);
            }
            1 => return Ok(self.field.estimate()),
            _ => return Ok(-wins_in(2)),
        }
        if self.field.count(me, Threat::TwoFours) > 0 {
            return Ok(wins_in(3));
        }
        if ply >= MOST_PLIES {
            return Ok(self.field.estimate());
        }
        alpha = alpha.max(-wins_in(4));
        beta = beta.min(wins_in(5));
        if alpha >= beta {
            return Ok(alpha);
        }

        let key = self.field.key();
        let known = self.memory.get(key);
        let least = depth.max(0) as u32;
        if let Some(score) = known.and_then(|known| from_root(known, ply).cuts(least, alpha, beta))
        {
            return Ok(score);
        }
        let threatened = self.field.count(other, Threat::TwoFours) > 0;
        if depth <= 0 {
            if self.field.count(me, Threat::Four) + self.field.count(me, Threat::FourAndThree) > 0 {
                let most_nodes =
                    self.meter.nodes_left().min(NODES_FOR_FOURS_AT_LEAVES.into()) as u32;
                let (win, nodes) = Fours::find(&mut self.field, &mut self.failed, most_nodes);
                self.meter.charge(nodes.into());
                if let Some(win) = win {
                    let score = wins_in(win.plies);
                    self.remember(key, 0, score, Bound::AtLeast, win.spot, ply);
                    return Ok(score);
                }
            }
            if !threatened || depth <= -MOST_PLIES_BEYOND {
                return Ok(self.field.estimate());
            }
        }

        let first = self.moves.len();
        let hash_move = known.map(|known| known.best);
        self.list_moves(threatened, hash_move, ply, self.effort.width);
        let (low, mut best) = (alpha, -MATE);
        let mut best_spot = 0;
        for i in first..self.moves.len() {
            let spot = self.moves[i].1;
            let place = i - first;
            let quiet = !threatened && self.field.threat(me, spot) < Threat::Four;
            let less = if quiet && depth >= 2 && place >= 2 { reduction(depth, place) } else { 0 };
            let late = (place > 0).then_some(less);
            let score = self.score_of(spot, late, depth, (alpha, beta), ply)?;
            if score > best {
                (best, best_spot) = (score, spot);
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                self.learn(spot, depth, ply);
                break;
            }
        }
        self.moves.truncate(first);
        let bound = match best {
            _ if best <= low => Bound::AtMost,
            _ if best >= beta => Bound::AtLeast,
            _ => Bound::Exact,
        };
        self.remember(key, least, best, bound, best_spot, ply);
        Ok(best)
    }

    /// Lists the moves to look at, the most promising first.
    fn list_moves(&mut self, threatened: bool, hash_move: Option<Spot>, ply: u32, width: usize) {
        let PatternSearch { field, killers, history, moves, .. } = self;
        let (me, other) = (field.turn(), 1 - field.turn());
        let killers = killers[ply as usize];
        let first = moves.len();
        let urgency =
            |spot| 2 * i32::from(field.urgency(me, spot)) + i32::from(field.urgency(other, spot));
        for spot in field.empties() {
            // Only what makes a four, or hinders one, answers a threat of two fours.
            if threatened && field.threat(me, spot).max(field.threat(other, spot)) < Threat::Four {
                continue;
            }
            let urgency = urgency(spot);
            if urgency == 0 {
                continue;
            }
            let mut promise = urgency * 4 + history[me][usize::from(spot)].min(400) / 4;
            promise += if killers.contains(&spot) { 60 } else { 0 };
            if hash_move == Some(spot) {
                promise = i32::MAX;
            }
            moves.push((promise, spot));
        }
        if moves.len() == first {
            // Nothing can be completed any more, nothing answers, or there is nothing on the board.
            moves.extend(field.empties().map(|spot| (urgency(spot), spot)));
        }
        moves[first..].sort_unstable_by(|a, b| b.cmp(a));
        moves.truncate(first + width);
    }

    fn root_moves(&mut self) -> Vec<usize> {
        let other = 1 - self.field.turn();
        if let Some(must) = self.field.with_threat(other, Threat::Line).next() {
            return vec![self.field.number(must)];
        }
        self.moves.clear();
        let threatened = self.field.count(other, Threat::TwoFours) > 0;
        self.list_moves(threatened, None, 0, self.effort.root_width);
        self.moves.drain(..).map(|(_, spot)| self.field.number(spot)).collect()
    }

    /// What the seat to move will do, as far as that is clear or remembered.
    fn expected_move(&self) -> Option<Spot> {
        let (me, other) = (self.field.turn(), 1 - self.field.turn());
        let clear = [(me, Threat::Line), (other, Threat::Line), (me, Threat::TwoFours)];
        let mut clear =
            clear.into_iter().filter_map(|(seat, t)| self.field.with_threat(seat, t).next());
        let is_best = |known: &Remembered| match known.bound {
            Bound::Exact => true,
            Bound::AtLeast => known.score > MATE / 2,
            Bound::AtMost => false,
        };
        let remembered = || self.memory.get(self.field.key()).filter(is_best);
        let best = clear.next().or_else(|| remembered().map(|known| known.best))?;
        self.field.empties().find(|&spot| spot == best)
    }

    /// Remembers that a move refuted what came before it.
    fn learn(&mut self, spot: Spot, depth: i32, ply: u32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != spot {
            *killers = [spot, killers[0]];
        }
        let count = &mut self.history[self.field.turn()][usize::from(spot)];
        *count = (*count + depth.max(0) * depth.max(0)).min(1 << 20);
    }

    fn remember(&self, key: u64, depth: u32, score: i32, bound: Bound, best: Spot, ply: u32) {
        // The distance of a win is counted from the position, not from the root.
        let score = match score {
            score if score > MATE / 2 => score + ply as i32,
            score if score < -MATE / 2 => score - ply as i32,
            score => score,
        };
        self.memory.put(key, Remembered { score, best, depth: depth.min(255) as u8, bound });
    }
}

impl Way for PatternSearch {
    fn look(&mut self) -> Option<Outlook> {
        if let Some(win) = self.forced_win() {
            let verdict = Verdict::Proven(Value::Win { plies: win.plies as u16 });
            return Some(Outlook::Won(Found { cell: self.field.number(win.spot), verdict }));
        }
        let moves = self.root_moves();
        (!moves.is_empty()).then_some(Outlook::Open(moves))
    }

    fn deepen(&mut self, moves: &[usize], first_depth: u32) -> (Found, u32) {
        let mut moves: Vec<Spot> = moves.iter().map(|&cell| self.field.spot(cell)).collect();
        let (mut score, mut reached) = (self.field.estimate(), 0);
        let plies = self.most_plies();
        for depth in first_depth.min(plies)..=plies {
            let Ok(searched) = self.search_root(&mut moves, depth as i32, score) else { break };
            (score, reached) = (searched, depth);
            if score.abs() > MATE / 2 || moves.len() == 1 {
                break;
            }
            self.history.iter_mut().flatten().for_each(|count| *count /= 2);
        }
        (Found { cell: self.field.number(moves[0]), verdict: Verdict::Estimate(score) }, reached)
    }

    fn score_at(&mut self, cell: usize, depth: u32) -> Result<i32, OutOfBudget> {
        let spot = self.field.spot(cell);
        if self.field.threat(self.field.turn(), spot) == Threat::Line {
            return Ok(MATE - 1);
        }
        self.search_moves(&mut [spot], depth as i32, -MATE, MATE)
    }

    fn glimpse(&mut self, cell: usize) -> i32 {
        let spot = self.field.spot(cell);
        if self.field.threat(self.field.turn(), spot) == Threat::Line {
            return MATE - 1;
        }
        self.field.play(spot);
        let score = -self.field.estimate();
        self.field.undo();
        score
    }

    fn most_plies(&self) -> u32 {
        self.effort.most_plies.min(self.field.empty() as u32)
    }

    fn line(&mut self, found: Found) -> Vec<usize> {
        let (start, me) = (self.field.depth(), self.field.turn());
        let mut line = Vec::new();
        let mut next = Some(self.field.spot(found.cell));
        while let Some(spot) = next {
            line.push(self.field.number(spot));
            let completes = self.field.threat(self.field.turn(), spot) == Threat::Line;
            self.field.play(spot);
            if completes || self.field.empty() == 0 {
                break;
            }
            let wins = found.verdict.proven().is_some() && self.field.turn() == me;
            let forced = if wins { self.forced_win().map(|win| win.spot) } else { None };
            next = forced.or_else(|| self.expected_move());
        }
        self.field.undo_to(start);
        line
    }

    fn meter(&mut self) -> &mut Meter {
        &mut self.meter
    }
}

/// What was remembered of a position that is so many plies from the root.
fn from_root(known: Remembered, ply: u32) -> Remembered {
    let score = match known.score {
        score if score > MATE / 2 => score - ply as i32,
        score if score < -MATE / 2 => score + ply as i32,
        score => score,
    };
    Remembered { score, ..known }
}

/// How many plies less the late moves of a list are searched at first.
fn reduction(depth: i32, i: usize) -> i32 {
    let less = f64::from(depth).ln() * (i as f64).ln() * 0.9 + 0.5;
    (less as i32).clamp(0, depth - 1)
}
