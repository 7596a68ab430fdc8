//! Random keys and delays.

use std::time::{SystemTime, UNIX_EPOCH};

use noughts_api::IdempotencyKey;
use rand::TryRng;
use rand::rngs::SysRng;

/// An idempotency key that no other command has.
pub(crate) fn new_key() -> IdempotencyKey {
    let text = hex::encode(random_bytes::<12>());
    IdempotencyKey::new(&text).expect("hexadecimal digits are valid in a key")
}

/// A random number from 0 to 1.
pub(crate) fn random_fraction() -> f64 {
    f64::from(u32::from_le_bytes(random_bytes())) / f64::from(u32::MAX)
}

fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    if SysRng.try_fill_bytes(&mut bytes).is_err() {
        // Without a random source the time still differs from call to call.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        bytes.iter_mut().zip(now.as_nanos().to_le_bytes()).for_each(|(byte, time)| *byte = time);
    }
    bytes
}
