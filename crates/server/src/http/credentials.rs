//! Checking names with passwords, within the limits on guessing.

use noughts_api::{Credentials, Millis};
use noughts_store::{Identity, IdentityId};

use super::caller::Caller;
use super::error::ApiError;
use crate::accounts::{names, passwords};
use crate::app::App;
use crate::clock;
use crate::limits::ClientAddress;

/// Longer names and passwords are wrong without a look at the store. In bytes.
const MAX_CREDENTIAL_LENGTH: usize = 1024;

/// How long after its last session an address is known to an account.
const ADDRESS_MEMORY: Millis = 90 * 24 * 3600 * 1000;

/// The identity with a name and password. Answers, limits and times are the same for names that exist
/// and names that don't.
pub(super) async fn sign_in_identity(
    app: &App,
    client: ClientAddress,
    Credentials { name, password }: Credentials,
) -> Result<Identity, ApiError> {
    if name.len() > MAX_CREDENTIAL_LENGTH {
        return Err(ApiError::WrongPassword);
    }
    let skeleton = names::case_skeleton(&name);
    let found = app.storage.store.identity_named(&skeleton).await?;
    let (identity, hash) = match found {
        Some((identity, Some(hash))) => (Some(identity), hash),
        _ => (None, passwords::UNMATCHABLE_HASH.to_string()),
    };
    let id = identity.as_ref().map_or(IdentityId(0), |identity| identity.id);
    let is_known = knows_address(app, id, client).await?;
    let guess = app.limits.guesses.begin(&skeleton, client, is_known)?;
    let matches = verify_password(app, client, password, hash).await?;
    let identity = identity.filter(|_| matches).ok_or(ApiError::WrongPassword)?;
    guess.succeed();
    Ok(identity)
}

/// Whether an account was used from an address before.
async fn knows_address(app: &App, id: IdentityId, client: ClientAddress) -> Result<bool, ApiError> {
    let since = clock::now() - ADDRESS_MEMORY;
    Ok(app.storage.store.knows_address(id, &client.to_string(), since).await?)
}

/// Checks the password of an account that is signed in. A session that somebody else got hold of must
/// not be a way to guess it.
pub(super) async fn confirm_password(
    app: &App,
    client: ClientAddress,
    caller: &Caller,
    password: String,
) -> Result<(), ApiError> {
    let skeleton = names::case_skeleton(&caller.identity.name);
    let found = app.storage.store.identity_named(&skeleton).await?;
    let Some((_, Some(hash))) = found.filter(|(found, _)| found.id == caller.id()) else {
        return Err(ApiError::AccountNeeded);
    };
    let is_known = knows_address(app, caller.id(), client).await?;
    let guess = app.limits.guesses.begin(&skeleton, client, is_known)?;
    if !verify_password(app, client, password, hash).await? {
        return Err(ApiError::WrongCurrentPassword);
    }
    guess.succeed();
    Ok(())
}

pub(super) async fn hash_password(
    app: &App,
    client: ClientAddress,
    password: String,
) -> Result<String, ApiError> {
    let hash = app.compute.hashers.run(client.0, move || passwords::hash(&password)).await?;
    hash.map_err(|error| {
        tracing::error!(%error, "could not hash a password");
        ApiError::Unavailable
    })
}

async fn verify_password(
    app: &App,
    client: ClientAddress,
    password: String,
    hash: String,
) -> Result<bool, ApiError> {
    if password.len() > MAX_CREDENTIAL_LENGTH {
        return Ok(false);
    }
    Ok(app.compute.hashers.run(client.0, move || passwords::verify(&password, &hash)).await?)
}
