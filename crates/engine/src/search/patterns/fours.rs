//! Wins by continuous fours: each move threatens to complete a line, so that each reply is forced.

use super::field::{Field, Spot};
use super::threat::Threat;

/// A win of the seat to move, found by looking at so many positions at most.
#[derive(Debug)]
pub(super) struct Fours<'a> {
    field: &'a mut Field,
    nodes_left: u32,
    /// Positions from which there is no win; a small table in which the newest stays.
    failed: &'a mut Failed,
}

/// A win: its first move, and after how many plies it is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Win {
    pub(super) spot: Spot,
    pub(super) plies: u32,
}

/// Keys of positions that are known not to be won by fours alone.
#[derive(Debug, Clone)]
pub(super) struct Failed {
    keys: Vec<u64>,
}

impl Failed {
    pub(super) fn new() -> Failed {
        Failed { keys: vec![0; 1 << 14] }
    }

    fn contains(&self, key: u64) -> bool {
        self.keys[self.place(key)] == key
    }

    fn insert(&mut self, key: u64) {
        let place = self.place(key);
        self.keys[place] = key;
    }

    fn place(&self, key: u64) -> usize {
        (key >> 32) as usize & (self.keys.len() - 1)
    }
}

impl<'a> Fours<'a> {
    /// A win of the seat to move, and how many positions were looked at.
    pub(super) fn find(
        field: &'a mut Field,
        failed: &'a mut Failed,
        most_nodes: u32,
    ) -> (Option<Win>, u32) {
        let depth = field.depth();
        let mut fours = Fours { field, nodes_left: most_nodes, failed };
        let win = fours.win(None);
        let nodes = most_nodes - fours.nodes_left;
        fours.field.undo_to(depth);
        (win, nodes)
    }

    /// A win in which, if that matters, the last reply is near.
    fn win(&mut self, last_reply: Option<Spot>) -> Option<Win> {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        let (me, other) = (self.field.turn(), 1 - self.field.turn());
        if self.field.count(me, Threat::Line) > 0 {
            let spot = self.field.with_threat(me, Threat::Line).next()?;
            return Some(Win { spot, plies: 1 });
        }
        let must = match self.field.count(other, Threat::Line) {
            0 => None,
            1 => self.field.with_threat(other, Threat::Line).next(),
            _ => return None,
        };
        if must.is_none() && self.field.count(me, Threat::TwoFours) > 0 {
            let spot = self.field.with_threat(me, Threat::TwoFours).next()?;
            return Some(Win { spot, plies: 3 });
        }
        let key = self.field.key();
        if self.failed.contains(key) {
            return None;
        }
        let mut moves: Vec<Spot> = match must {
            Some(spot) if self.field.threat(me, spot) >= Threat::Four => vec![spot],
            Some(_) => return None,
            None => self.field.with_threat(me, Threat::Four).collect(),
        };
        // Fours that leave a three behind first, then those that go on where the last one was.
        moves.sort_by_key(|&spot| {
            let three = self.field.threat(me, spot) > Threat::Four;
            (!three, last_reply.map_or(0, |last| self.field.distance(last, spot)))
        });
        for spot in moves {
            self.field.play(spot);
            let reply = match self.field.count(me, Threat::Line) {
                // With `exact` a move can spoil the very line that it should have completed.
                0 => None,
                1 => self.field.with_threat(me, Threat::Line).next(),
                _ => {
                    self.field.undo();
                    return Some(Win { spot, plies: 3 });
                }
            };
            let win = reply.and_then(|reply| {
                self.field.play(reply);
                let win = self.win(Some(spot));
                self.field.undo();
                win
            });
            self.field.undo();
            if let Some(win) = win {
                return Some(Win { spot, plies: win.plies + 2 });
            }
            if self.nodes_left == 0 {
                return None;
            }
        }
        self.failed.insert(key);
        None
    }
}
