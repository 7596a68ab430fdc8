//! Who plays whom: round robin, Swiss and knockout.
//!
//! Everything here is pure. Players are numbers from 0, in the order of their seeding, and the caller
//! reports results.
//!
//! ```
//! use noughts_arena::pairing::{Knockout, Swiss, round_robin};
//!
//! assert_eq!(round_robin(4).len(), 3);
//!
//! let mut swiss = Swiss::new(4);
//! let first = swiss.next_round().expect("nobody has met");
//! assert_eq!(first.pairs, [[0, 2], [3, 1]]);
//! swiss.report([0, 2], [2, 0]);
//! swiss.report([3, 1], [0, 2]);
//! assert_eq!(swiss.next_round().expect("the winners have not met").pairs, [[1, 0], [2, 3]]);
//!
//! let mut knockout = Knockout::new(3);
//! assert_eq!(knockout.round().pairs, [[1, 2]]);
//! knockout.win(2);
//! assert_eq!(knockout.round().pairs, [[0, 2]]);
//! knockout.win(2);
//! assert_eq!(knockout.champion(), Some(2));
//! ```

mod knockout;
mod round_robin;
mod swiss;

pub use knockout::Knockout;
pub use round_robin::round_robin;
pub use swiss::{Swiss, SwissStanding};

/// The pairs of a round, who play at the same time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Round {
    /// The first player of each pair moves first.
    pub pairs: Vec<[usize; 2]>,
    /// Players without an opponent in this round.
    pub byes: Vec<usize>,
}
