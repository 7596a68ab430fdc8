//! Tokens of earlier runs, by server.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use noughts_api::{Credentials, Session};
use noughts_client::{Client, ClientError};

/// Tokens by server, in a file that only its owner can read.
pub(super) struct Sessions {
    path: PathBuf,
}

impl Sessions {
    /// The file beside the one with the games.
    pub(super) fn beside(data: &Path) -> Sessions {
        Sessions { path: data.with_file_name("sessions.json") }
    }

    /// A client with the last session at a server, or as a new guest.
    pub(super) fn resume_or_create_guest(&self, server: &str) -> Result<Client> {
        let client = Client::new(server, None);
        match self.resume(&client)? {
            Some(client) => Ok(client),
            None => self.keep(&client, client.create_guest()?),
        }
    }

    /// Signs in to an account.
    pub(super) fn sign_in(&self, server: &str, credentials: &Credentials) -> Result<Client> {
        let client = Client::new(server, None);
        self.keep(&client, client.sign_in(credentials)?)
    }

    /// Creates an account. A guest's games come along.
    pub(super) fn create_account(&self, server: &str, credentials: &Credentials) -> Result<Client> {
        let client = Client::new(server, None);
        let client = self.resume(&client)?.unwrap_or(client);
        let session = client.create_account(credentials)?;
        if let Some(code) = &session.recovery_code {
            println!("Your recovery code, in case you lose your password: {code}");
        }
        self.keep(&client, session)
    }

    /// A client with the last session, if the server still accepts it.
    fn resume(&self, client: &Client) -> Result<Option<Client>> {
        let Some(token) = self.read().remove(client.server()) else { return Ok(None) };
        let client = client.with_token(token);
        match client.me() {
            Ok(_) => Ok(Some(client)),
            Err(ClientError::Refused(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Stores a session for the next run.
    fn keep(&self, client: &Client, session: Session) -> Result<Client> {
        let mut tokens = self.read();
        tokens.insert(client.server().to_string(), session.token.clone());
        self.write(&tokens)?;
        Ok(client.with_token(session.token))
    }

    fn read(&self) -> BTreeMap<String, String> {
        let text = fs::read_to_string(&self.path).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    fn write(&self, tokens: &BTreeMap<String, String>) -> Result<()> {
        let failed = || format!("can't write {}", self.path.display());
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder).with_context(failed)?;
        }
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&self.path).with_context(failed)?;
        file.write_all(serde_json::to_string_pretty(tokens)?.as_bytes()).with_context(failed)
    }
}
