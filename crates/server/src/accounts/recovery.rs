//! Recovery codes: how the owner of an account sets a new password without the old one.

use noughts_store::{Store, StoreError, TokenHash};

use super::{names, secrets};

/// Crockford's Base32: without letters that look like digits.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// 100 random bits: too many to guess, so that a fast hash will do.
const CODE_LENGTH: usize = 20;

const GROUP_LENGTH: usize = 5;

/// A new code, such as `7K3QM-01VZX-9T4DE-H2RBC`.
pub(crate) fn code() -> String {
    let random = secrets::random::<CODE_LENGTH>();
    let chars: Vec<u8> = random.iter().map(|byte| ALPHABET[usize::from(byte % 32)]).collect();
    let groups: Vec<_> = chars.chunks(GROUP_LENGTH).map(String::from_utf8_lossy).collect();
    groups.join("-")
}

/// The hash under which a code is stored, however it is written.
pub(crate) fn hash(code: &str) -> TokenHash {
    let written = |c: char| match c.to_ascii_uppercase() {
        'O' => Some('0'),
        'I' | 'L' => Some('1'),
        c if c.is_ascii_alphanumeric() => Some(c),
        _ => None,
    };
    secrets::hash(&code.chars().filter_map(written).collect::<String>())
}

/// Gives an account a new recovery code, for a person who has lost both password and code. The code
/// before becomes invalid; password and sessions stay until the new one is used. `None` if there is
/// no account with this name.
pub async fn reset_account(store: &Store, name: &str) -> Result<Option<String>, StoreError> {
    let found = store.identity_named(&names::case_skeleton(name)).await?;
    let Some((account, Some(_))) = found else { return Ok(None) };
    let code = code();
    store.set_recovery_code(account.id, hash(&code)).await?;
    Ok(Some(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_as_written_down() {
        let code = code();
        assert_eq!(code.len(), CODE_LENGTH + 3);
        assert_eq!(hash(&code), hash(&code.to_lowercase().replace('-', " ")));
        assert_eq!(hash("0O1lI"), hash("00-111"));
        assert_ne!(hash(&code), hash(&super::code()));
    }
}
