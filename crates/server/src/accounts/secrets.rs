//! Random bytes that nobody can foretell, and what is made of them.

use noughts_store::TokenHash;
use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};

/// Bytes from the system's own source.
pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // A system without a source of randomness can't keep any secret: better not to serve.
    SysRng.try_fill_bytes(&mut bytes).expect("the system has a source of randomness");
    bytes
}

/// A token of 256 random bits, as text.
pub(crate) fn token() -> String {
    hex(&random::<32>())
}

/// What is stored of a token.
pub(crate) fn hash(token: &str) -> TokenHash {
    TokenHash(Sha256::digest(token.as_bytes()).into())
}

/// Bytes as text.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
