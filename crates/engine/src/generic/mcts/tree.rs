//! The search tree: nodes in one vector, selection, expansion, backup.

use noughts_rules::{Outcome, Seat, State};
use rand::RngExt;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

/// A node. The tree has one root, and the children of a node are neighbours in the vector.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<M> {
    /// The move to this node; `None` for the root.
    pub(super) mv: Option<M>,
    /// The seat to move, or the last mover if the game is over.
    mover: Seat,
    /// The outcome with perfect play, and the plies until then at most, once they are proven.
    pub(super) proof: Option<Proof>,
    child_count: u32,
    first_child: u32,
    pub(super) visits: u32,
    /// The sum of the rewards of the seat that moved to this node.
    pub(super) reward: f32,
}

/// A proven outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Proof {
    pub(super) outcome: Outcome,
    pub(super) plies: u16,
}

impl Proof {
    fn before_move(self) -> Proof {
        Proof { plies: self.plies.saturating_add(1), ..self }
    }

    fn is_win_for(self, seat: Seat) -> bool {
        self.outcome == Outcome::Win(seat)
    }
}

pub(super) struct Tree<S: State> {
    root: S,
    nodes: Vec<Node<S::Move>>,
    max_nodes: usize,
    exploration: f32,
    draw_reward: f32,
    /// Scratch: the nodes from the root to the current one, and the moves of an expansion.
    path: Vec<u32>,
    moves: Vec<S::Move>,
}

const ROOT: u32 = 0;

/// The value of a child without visits: that of a win. Children that do better than this, with their
/// bonus, are visited again before the rest is tried.
const FIRST_PLAY_URGENCY: f32 = 1.0;

/// A leaf with this many moves is expanded one visit later, with twice as many two, and so on: wide
/// nodes are expensive.
const MOVES_PER_VISIT: u32 = 32;

/// A random game counts as a draw after this many moves.
const MAX_PLAYOUT_PLIES: usize = 10_000;

impl<S: State> Tree<S> {
    /// A tree with the root and its children; `None` if the game is over.
    pub(super) fn new(
        root: &S,
        max_nodes: usize,
        exploration: f32,
        rng: &mut SmallRng,
    ) -> Option<Tree<S>> {
        let mover = root.turn()?;
        let start = Node {
            mv: None,
            mover,
            proof: None,
            child_count: 0,
            first_child: 0,
            visits: 0,
            reward: 0.0,
        };
        let mut tree = Tree {
            root: root.clone(),
            nodes: vec![start],
            max_nodes,
            exploration,
            draw_reward: 1.0 / root.playing() as f32,
            path: Vec::new(),
            moves: Vec::new(),
        };
        tree.expand(ROOT, &mut root.clone(), rng);
        tree.prove(ROOT);
        Some(tree)
    }

    pub(super) fn root(&self) -> &Node<S::Move> {
        &self.nodes[0]
    }

    /// The seat to move at the root.
    pub(super) fn mover(&self) -> Seat {
        self.root().mover
    }

    /// The children of the root.
    pub(super) fn root_children(&self) -> &[Node<S::Move>] {
        self.children(ROOT)
    }

    fn children(&self, node: u32) -> &[Node<S::Move>] {
        let node = &self.nodes[node as usize];
        let first = node.first_child as usize;
        &self.nodes[first..first + node.child_count as usize]
    }

    /// Selects a leaf, plays a random game from it, and backs up its result.
    pub(super) fn visit(&mut self, rng: &mut SmallRng) {
        let mut state = self.root.clone();
        let mut node = ROOT;
        self.path.clear();
        self.path.push(ROOT);
        let outcome = loop {
            if let Some(proof) = self.nodes[node as usize].proof {
                break proof.outcome;
            }
            if self.nodes[node as usize].child_count == 0 {
                if !self.is_due(node, &state) {
                    break playout(&mut state, rng);
                }
                self.expand(node, &mut state, rng);
                self.prove_path();
                continue;
            }
            node = self.select(node);
            self.path.push(node);
            if let Some(mv) = self.nodes[node as usize].mv {
                // Moves in the tree are legal: their outcomes were seen when they were added.
                let _ = state.play(mv);
            }
        };
        self.back_up(outcome);
    }

    /// Whether a leaf is to be expanded.
    fn is_due(&self, node: u32, state: &S) -> bool {
        let visits = self.nodes[node as usize].visits;
        if visits == 0 {
            return false;
        }
        let moves = state.move_count();
        moves > 0
            && visits > moves as u32 / MOVES_PER_VISIT
            && self.nodes.len() + moves <= self.max_nodes
    }

    /// Adds the children of a leaf in random order. Those that end the game are proven.
    fn expand(&mut self, node: u32, state: &mut S, rng: &mut SmallRng) {
        self.moves.clear();
        state.moves(&mut self.moves);
        self.moves.shuffle(rng);
        let mover = self.nodes[node as usize].mover;
        let first_child = self.nodes.len() as u32;
        for &mv in &self.moves {
            let outcome = state.play(mv).expect("the move is in the list of moves");
            self.nodes.push(Node {
                mv: Some(mv),
                mover: state.turn().unwrap_or(mover),
                proof: outcome.map(|outcome| Proof { outcome, plies: 0 }),
                child_count: 0,
                first_child: 0,
                visits: 0,
                reward: 0.0,
            });
            state.undo();
        }
        let node = &mut self.nodes[node as usize];
        node.first_child = first_child;
        node.child_count = self.moves.len() as u32;
    }

    /// The child with the highest upper confidence bound (UCT) that is not proven lost.
    fn select(&self, node: u32) -> u32 {
        let Node { mover, visits, first_child, .. } = self.nodes[node as usize];
        let exploration = self.exploration * (visits.max(1) as f32).ln().sqrt();
        let mut best = (first_child, f32::NEG_INFINITY);
        for (i, child) in self.children(node).iter().enumerate() {
            let bound = match child.proof {
                // What is proven needs no exploration.
                Some(Proof { outcome: Outcome::Draw, .. }) => self.draw_reward,
                Some(proof) if proof.is_win_for(mover) => f32::INFINITY,
                Some(_) => -1.0,
                None if child.visits == 0 => FIRST_PLAY_URGENCY,
                None => {
                    let visits = child.visits as f32;
                    child.reward / visits + exploration / visits.sqrt()
                }
            };
            if bound > best.1 {
                best = (first_child + i as u32, bound);
            }
        }
        best.0
    }

    /// Proves the nodes of the path, from its end on, as far as their children allow.
    fn prove_path(&mut self) {
        for i in (0..self.path.len()).rev() {
            if !self.prove(self.path[i]) {
                break;
            }
        }
    }

    /// Proves a node from its children, if that is possible. Returns whether it is.
    ///
    /// A node is won with the first won child. If all children are proven without a win, its mover
    /// takes a draw if there is one, and else the loss that is farthest away. With several seats, a
    /// loss whose winner the mover can choose stays open.
    fn prove(&mut self, node: u32) -> bool {
        let mover = self.nodes[node as usize].mover;
        let proofs = || self.children(node).iter().map(|child| child.proof);
        let wins = proofs().flatten().filter(|proof| proof.is_win_for(mover));
        let proof = match wins.min_by_key(|proof| proof.plies) {
            Some(win) => Some(win),
            None if !proofs().all(|proof| proof.is_some()) => None,
            None => {
                let draw = proofs().flatten().find(|proof| proof.outcome == Outcome::Draw);
                let loss = proofs().flatten().max_by_key(|proof| proof.plies);
                let mut outcomes = proofs().flatten().map(|proof| proof.outcome);
                let first = outcomes.next();
                let same_winner = outcomes.all(|outcome| Some(outcome) == first);
                draw.or(loss.filter(|_| same_winner))
            }
        };
        self.nodes[node as usize].proof = proof.map(Proof::before_move);
        proof.is_some()
    }

    /// Adds the result of a game to all nodes of the path.
    fn back_up(&mut self, outcome: Outcome) {
        let mut chooser = self.nodes[ROOT as usize].mover;
        for &node in &self.path {
            let node = &mut self.nodes[node as usize];
            node.visits += 1;
            node.reward += match outcome {
                Outcome::Draw => self.draw_reward,
                Outcome::Win(seat) if seat == chooser => 1.0,
                Outcome::Win(_) => 0.0,
            };
            chooser = node.mover;
        }
    }

    /// The best child of a node for its mover: a proven win, the nearest first; else the most visited
    /// that is not lost; else the farthest loss.
    fn best_child(&self, node: u32) -> Option<u32> {
        let Node { mover, first_child, .. } = self.nodes[node as usize];
        let rank = |child: &Node<S::Move>| match child.proof {
            Some(proof) if proof.is_win_for(mover) => (2, u32::MAX - u32::from(proof.plies), 0.0),
            Some(Proof { outcome: Outcome::Win(_), plies }) => (0, u32::from(plies), 0.0),
            _ => (1, child.visits, child.reward),
        };
        let children = self.children(node).iter().enumerate();
        let best = children.max_by(|(_, a), (_, b)| {
            rank(a).partial_cmp(&rank(b)).unwrap_or(std::cmp::Ordering::Equal)
        });
        best.map(|(i, _)| first_child + i as u32)
    }

    /// The principal variation: best moves as far as nodes were visited or proven.
    pub(super) fn pv(&self) -> Vec<S::Move> {
        let mut pv = Vec::new();
        let mut node = ROOT;
        while let Some(child) = self.best_child(node) {
            let Node { mv, visits, proof, .. } = self.nodes[child as usize];
            if visits == 0 && proof.is_none() && !pv.is_empty() {
                break;
            }
            pv.extend(mv);
            node = child;
        }
        pv
    }
}

/// Plays random moves to the end.
fn playout<S: State>(state: &mut S, rng: &mut SmallRng) -> Outcome {
    for _ in 0..MAX_PLAYOUT_PLIES {
        let count = state.move_count();
        if count == 0 {
            break;
        }
        let Some(mv) = state.nth_move(rng.random_range(0..count as u32) as usize) else { break };
        if let Ok(Some(outcome)) = state.play(mv) {
            return outcome;
        }
    }
    state.outcome().unwrap_or(Outcome::Draw)
}
