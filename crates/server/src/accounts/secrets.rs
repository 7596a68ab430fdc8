//! Random bytes, tokens and their hashes.

use noughts_store::TokenHash;
use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};

/// Cryptographically secure random bytes.
pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // Without a source of randomness no token is secret: better not to serve.
    SysRng.try_fill_bytes(&mut bytes).expect("the system has a source of randomness");
    bytes
}

/// A new token of 256 random bits.
pub(crate) fn token() -> String {
    hex::encode(random::<32>())
}

/// The hash under which a token is stored.
pub(crate) fn hash(token: &str) -> TokenHash {
    TokenHash(Sha256::digest(token.as_bytes()).into())
}
