//! Password hashes: Argon2id. Hashing takes long, so run it on the threads for computing.

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{Error, PasswordHasher, PasswordVerifier};

/// A hash that no password has, with the same parameters as all others.
pub(crate) const UNMATCHABLE_HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$bm90aGluZyBhdCBhbGw$\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Whether a password has an accepted length.
pub(crate) fn is_valid(password: &str) -> bool {
    (8..=256).contains(&password.chars().count())
}

pub(crate) fn hash(password: &str) -> Result<String, Error> {
    let hash: PasswordHash = Argon2::default().hash_password(password.as_bytes())?;
    Ok(hash.to_string())
}

pub(crate) fn verify(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash)
        .is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_hashed_password_verifies() {
        let stored = hash("correct horse").unwrap();
        assert!(verify("correct horse", &stored));
        assert!(!verify("battery staple", &stored));
        assert!(!verify("correct horse", "not a hash"));
    }

    #[test]
    fn unmatchable_hash_costs_the_same() {
        assert!(!verify("anything", UNMATCHABLE_HASH));
        let real = hash("anything").unwrap();
        let [real, unmatchable] =
            [&real, UNMATCHABLE_HASH].map(|text| PasswordHash::new(text).unwrap());
        assert_eq!(real.params.to_string(), unmatchable.params.to_string());
        assert_eq!(real.algorithm, unmatchable.algorithm);
    }
}
