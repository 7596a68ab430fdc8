//! Passwords: which are accepted, and their hashes (Argon2id). Hashing takes long, so run it on the
//! threads for hashing.

use std::collections::HashSet;
use std::sync::LazyLock;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{Error, PasswordHasher, PasswordVerifier};

use super::names::case_skeleton;

/// A hash that no password has, with the same parameters as all others.
pub(crate) const UNMATCHABLE_HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$bm90aGluZyBhdCBhbGw$\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

static COMMON_PASSWORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let lines = include_str!("common_passwords.txt").lines();
    lines.filter(|line| !line.starts_with("# ")).flat_map(str::split_whitespace).collect()
});

/// Names of this site, as skeletons.
static SITE_NAMES: LazyLock<[String; 3]> =
    LazyLock::new(|| ["noughts", "noughtsandcrosses", "tictactoe"].map(case_skeleton));

/// Passwords with fewer different characters are too easy to guess.
const MIN_DIFFERENT_CHARS: usize = 4;

/// Why a password is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PasswordError {
    #[error("a password has 8 to 256 characters")]
    Length,
    #[error("this password is one of the first that others would guess: choose another")]
    TooCommon,
    #[error("your name is one of the first passwords that others would guess: choose another")]
    OwnName,
}

/// Checks a new password for the account with this name. Digits and punctuation around a common
/// password or a name don't make it better.
pub(crate) fn check(password: &str, name: &str) -> Result<(), PasswordError> {
    if !(8..=256).contains(&password.chars().count()) {
        return Err(PasswordError::Length);
    }
    let lower = password.to_lowercase();
    let word = inner_word(&lower);
    if lower.chars().collect::<HashSet<_>>().len() < MIN_DIFFERENT_CHARS
        || COMMON_PASSWORDS.contains(&*lower)
        || COMMON_PASSWORDS.contains(word)
    {
        return Err(PasswordError::TooCommon);
    }
    let skeletons = [case_skeleton(&lower), case_skeleton(word)];
    let is_only = |name: &str| {
        !name.is_empty()
            && skeletons.iter().any(|text| !text.is_empty() && text.replace(name, "").is_empty())
    };
    if SITE_NAMES.iter().any(|name| is_only(name)) {
        return Err(PasswordError::TooCommon);
    }
    let name = name.to_lowercase();
    if is_only(&case_skeleton(&name)) || is_only(&case_skeleton(inner_word(&name))) {
        return Err(PasswordError::OwnName);
    }
    Ok(())
}

/// A text without the digits and punctuation around it.
fn inner_word(text: &str) -> &str {
    text.trim_matches(|c: char| !c.is_alphabetic())
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
    fn easily_guessed_passwords_are_refused() {
        for (password, error) in [
            ("short", PasswordError::Length),
            ("12345678", PasswordError::TooCommon),
            ("password", PasswordError::TooCommon),
            ("Password123", PasswordError::TooCommon),
            ("qwertyuiop", PasswordError::TooCommon),
            ("!dragon99", PasswordError::TooCommon),
            ("abababab", PasswordError::TooCommon),
            ("Noughts1", PasswordError::TooCommon),
            ("tictactoe!", PasswordError::TooCommon),
            ("Jane Miller", PasswordError::OwnName),
            ("janemiller7", PasswordError::OwnName),
            ("JaneMillerJaneMiller", PasswordError::OwnName),
        ] {
            assert_eq!(check(password, "Jane Miller"), Err(error), "{password}");
        }
        assert_eq!(check(&"long ".repeat(60), "Jane"), Err(PasswordError::Length));
        for fine in ["correct horse", "Jane plays chess", "крестики-нолики", "8jU#2kq!"]
        {
            assert_eq!(check(fine, "Jane Miller"), Ok(()), "{fine}");
        }
        assert_eq!(check("annotate7", "ann"), Ok(()));
        assert_eq!(check("four 1234", "4"), Ok(()));
    }

    #[test]
    fn list_of_common_passwords_is_whole() {
        let long = COMMON_PASSWORDS.iter().filter(|password| password.chars().count() >= 8);
        assert_eq!(long.count(), 1_000);
        assert!(COMMON_PASSWORDS.contains("monkey"));
        assert!(!COMMON_PASSWORDS.contains("zxcvbn3.1.0") && !COMMON_PASSWORDS.contains("Burnett"));
    }

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
