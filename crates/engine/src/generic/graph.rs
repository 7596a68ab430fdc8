//! Retrograde analysis, for games whose positions can repeat.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use noughts_rules::{Outcome, Seat, State};

use super::move_order::MultiplyHasher;
use super::value_of_outcome;
use crate::budget::{Meter, OutOfBudget};
use crate::{Budget, Value};

/// The positions that can be reached from a root, each with its value.
///
/// Positions that differ only in how often others occurred are one node, and play that never ends is
/// a draw. A seat that can win needs no repetition for it, so this is also the value under a rule that
/// ends the game as a draw after some repetitions. Moves to positions that this rule ends at once,
/// because of what was played before the root, are draws.
pub(super) struct Graph<M> {
    nodes: Vec<Node<M>>,
    edges: Vec<Target>,
}

struct Node<M> {
    /// The node from which this one was first reached, and the move.
    parent: u32,
    mv: Option<M>,
    depth: u32,
    mover: Seat,
    /// The edges of a node, in the order of its moves, end where those of the next one begin.
    first_edge: u32,
    /// The winner and the plies to the end; `None` is a draw.
    win: Option<(Seat, u16)>,
}

#[derive(Debug, Clone, Copy)]
enum Target {
    Node(u32),
    Over(Outcome),
}

const ROOT: u32 = 0;

/// Most nodes of a graph, and about the bytes that each takes.
const MAX_NODES: u64 = 1 << 23;
const NODE_BYTES: u64 = 128;

type Index = HashMap<u64, u32, BuildHasherDefault<MultiplyHasher>>;

impl<M: Copy> Graph<M> {
    /// Visits everything that can be reached, breadth first, and values it.
    pub(super) fn new<S: State<Move = M>>(
        root: &S,
        mover: Seat,
        budget: &Budget,
        meter: &mut Meter,
    ) -> Result<Graph<M>, OutOfBudget> {
        let max_nodes = budget.table_slots(MAX_NODES, NODE_BYTES) as usize;
        let start = Node { parent: ROOT, mv: None, depth: 0, mover, first_edge: 0, win: None };
        let mut graph = Graph { nodes: vec![start], edges: Vec::new() };
        let mut index = Index::default();
        index.insert(root.key(), ROOT);
        let mut state = root.clone();
        let mut moves = Vec::new();
        let (mut here, mut next) = (ROOT, ROOT);
        while (next as usize) < graph.nodes.len() {
            graph.walk(&mut state, here, next);
            here = next;
            graph.nodes[here as usize].first_edge = graph.edges.len() as u32;
            moves.clear();
            state.moves(&mut moves);
            for &mv in &moves {
                meter.spend()?;
                let target = match state.play(mv).expect("the move is in the list of moves") {
                    Some(outcome) => Target::Over(outcome),
                    None => {
                        let node = graph.node_of(&state, &mut index, here, mv);
                        Target::Node(
                            node.filter(|_| graph.nodes.len() <= max_nodes).ok_or(OutOfBudget)?,
                        )
                    }
                };
                graph.edges.push(target);
                state.undo();
            }
            next += 1;
        }
        graph.solve();
        Ok(graph)
    }

    /// The node of a state that was reached by a move; `None` if it is nobody's turn.
    fn node_of<S: State<Move = M>>(
        &mut self,
        state: &S,
        index: &mut Index,
        parent: u32,
        mv: M,
    ) -> Option<u32> {
        let mover = state.turn()?;
        let depth = self.nodes[parent as usize].depth + 1;
        let new = self.nodes.len() as u32;
        let node = *index.entry(state.key()).or_insert(new);
        if node == new {
            self.nodes.push(Node { parent, mv: Some(mv), depth, mover, first_edge: 0, win: None });
        }
        Some(node)
    }

    /// Takes a state from one node to another by way of their common ancestor.
    fn walk<S: State<Move = M>>(&self, state: &mut S, from: u32, to: u32) {
        let (mut up, mut down) = (from, to);
        let mut moves = Vec::new();
        while up != down {
            let (from, to) = (&self.nodes[up as usize], &self.nodes[down as usize]);
            if from.depth >= to.depth {
                state.undo();
                up = from.parent;
            } else {
                moves.extend(to.mv);
                down = to.parent;
            }
        }
        for mv in moves.into_iter().rev() {
            state.play(mv).expect("the move was legal before");
        }
    }

    fn edges_of(&self, node: u32) -> &[Target] {
        let first = |node: usize| self.nodes.get(node).map(|node| node.first_edge as usize);
        let end = first(node as usize + 1).unwrap_or(self.edges.len());
        &self.edges[self.nodes[node as usize].first_edge as usize..end]
    }

    /// Finds all wins and losses, those with the fewest plies to the end first. A node is won with
    /// the first move to a win of its mover, and lost with the last of its moves to a loss.
    fn solve(&mut self) {
        let predecessors = self.predecessors();
        // Moves that may still avoid a loss.
        let mut open: Vec<u32> = Vec::with_capacity(self.nodes.len());
        let mut current: Vec<(u32, Seat)> = Vec::new();
        for node in 0..self.nodes.len() as u32 {
            let mover = self.nodes[node as usize].mover;
            let edges = self.edges_of(node);
            let is_loss =
                |edge: &&Target| matches!(edge, Target::Over(Outcome::Win(seat)) if *seat != mover);
            let losses: Vec<&Target> = edges.iter().filter(is_loss).collect();
            let wins =
                |edge: &Target| matches!(edge, Target::Over(Outcome::Win(seat)) if *seat == mover);
            open.push((edges.len() - losses.len()) as u32);
            if edges.iter().any(wins) {
                current.push((node, mover));
            } else if let (Some(Target::Over(Outcome::Win(seat))), 0) =
                (losses.first(), open[node as usize])
            {
                current.push((node, *seat));
            }
        }
        let mut plies = 1;
        while !current.is_empty() {
            let mut next = Vec::new();
            for (node, winner) in current {
                let win = &mut self.nodes[node as usize].win;
                if win.is_some() {
                    continue;
                }
                *win = Some((winner, plies));
                for &before in predecessors.of(node) {
                    let left = &mut open[before as usize];
                    if self.nodes[before as usize].mover == winner {
                        next.push((before, winner));
                    } else {
                        *left -= 1;
                        if *left == 0 {
                            next.push((before, winner));
                        }
                    }
                }
            }
            current = next;
            plies += 1;
        }
    }

    /// For each node, those with a move to it.
    fn predecessors(&self) -> Predecessors {
        let targets = || {
            self.edges.iter().filter_map(|edge| match edge {
                Target::Node(node) => Some(*node as usize),
                Target::Over(_) => None,
            })
        };
        let mut ends = vec![0; self.nodes.len()];
        targets().for_each(|node| ends[node] += 1);
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        let mut sources = vec![0; sum];
        let mut starts = ends.clone();
        for source in 0..self.nodes.len() as u32 {
            for edge in self.edges_of(source) {
                if let Target::Node(node) = edge {
                    let start = &mut starts[*node as usize];
                    *start -= 1;
                    sources[*start] = source;
                }
            }
        }
        Predecessors { ends, sources }
    }

    /// The value of the root for the seat to move.
    pub(super) fn value(&self) -> Value {
        self.value_of_node(ROOT, self.nodes[ROOT as usize].mover)
    }

    fn value_of_node(&self, node: u32, seat: Seat) -> Value {
        match self.nodes[node as usize].win {
            Some((winner, plies)) => value_of_outcome(Outcome::Win(winner), seat, plies),
            None => Value::Draw,
        }
    }

    /// The value of the move with this index, for the seat to move at the root.
    pub(super) fn value_of(&self, index: usize) -> Option<Value> {
        Some(self.value_of_edge(*self.edges_of(ROOT).get(index)?, self.nodes[ROOT as usize].mover))
    }

    fn value_of_edge(&self, edge: Target, seat: Seat) -> Value {
        match edge {
            Target::Over(outcome) => value_of_outcome(outcome, seat, 1),
            Target::Node(node) => match self.value_of_node(node, seat) {
                Value::Win { plies } => Value::Win { plies: plies + 1 },
                Value::Draw => Value::Draw,
                Value::Loss { plies } => Value::Loss { plies: plies + 1 },
            },
        }
    }

    /// The principal variation; that of a draw ends where a position would repeat.
    pub(super) fn pv<S: State<Move = M>>(&self, root: &S) -> Vec<M> {
        let mut pv = Vec::new();
        let mut state = root.clone();
        let mut visited = vec![ROOT];
        while let Some(&node) = visited.last() {
            let mover = self.nodes[node as usize].mover;
            let value = self.value_of_node(node, mover);
            let edges = self.edges_of(node).iter().enumerate();
            let is_new =
                |edge: &Target| !matches!(edge, Target::Node(node) if visited.contains(node));
            let mut best = edges
                .filter(|(_, edge)| is_new(edge) && self.value_of_edge(**edge, mover) == value);
            let Some((index, edge)) = best.next() else { break };
            let Some(mv) = state.nth_move(index) else { break };
            pv.push(mv);
            match (state.play(mv), edge) {
                (Ok(None), Target::Node(next)) => visited.push(*next),
                _ => break,
            }
        }
        pv
    }
}

struct Predecessors {
    ends: Vec<usize>,
    sources: Vec<u32>,
}

impl Predecessors {
    fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        let start = node.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.sources[start..self.ends[node]]
    }
}
