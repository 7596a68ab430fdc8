//! The wall clock.

use std::time::{SystemTime, UNIX_EPOCH};

use noughts_api::Millis;

/// The current time, in milliseconds since 1970.
pub(crate) fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
