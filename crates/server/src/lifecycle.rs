//! How the server stops: connections first, then games and background tasks.

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// What runs, and the signals that stop it. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lifecycle {
    pub(crate) connections: TaskTracker,
    pub(crate) tasks: TaskTracker,
    /// Cancelled to end connections.
    pub(crate) closing: CancellationToken,
    /// Cancelled to end games and background tasks.
    pub(crate) stop: CancellationToken,
}
