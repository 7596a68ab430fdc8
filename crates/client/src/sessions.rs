//! What earlier runs of a program leave for later ones: tokens by server, and the last server.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use noughts_api::{Credentials, Session};

use crate::{Client, ClientError};

/// Tokens by server, in a file that only its owner can read.
#[derive(Debug, Clone)]
pub struct Sessions {
    tokens: PathBuf,
    last_server: PathBuf,
}

/// Why there is no session.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The server refused, or did not answer.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The session can't be stored.
    #[error("can't write {}: {error}", path.display())]
    NotStored {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
}

impl Sessions {
    /// The files beside the one with a player's games.
    #[must_use]
    pub fn beside(data: &Path) -> Sessions {
        Sessions {
            tokens: data.with_file_name("sessions.json"),
            last_server: data.with_file_name("server.txt"),
        }
    }

    /// A client with the last session at a server, or as a new guest.
    pub fn resume_or_create_guest(&self, server: &str) -> Result<Client, SessionError> {
        let client = Client::new(server, None);
        match self.resume(&client)? {
            Some(client) => Ok(client),
            None => self.keep(&client, &client.create_guest()?),
        }
    }

    /// Signs in to an account.
    pub fn sign_in(&self, server: &str, credentials: &Credentials) -> Result<Client, SessionError> {
        let client = Client::new(server, None);
        self.keep(&client, &client.sign_in(credentials)?)
    }

    /// Creates an account, to which a guest's games come along. The session has the recovery code.
    pub fn create_account(
        &self,
        server: &str,
        credentials: &Credentials,
    ) -> Result<(Client, Session), SessionError> {
        let client = Client::new(server, None);
        let client = self.resume(&client)?.unwrap_or(client);
        let session = client.create_account(credentials)?;
        Ok((self.keep(&client, &session)?, session))
    }

    /// The server that was used last, as it was typed.
    #[must_use]
    pub fn last_server(&self) -> Option<String> {
        let text = fs::read_to_string(&self.last_server).ok()?;
        Some(text.trim().to_string()).filter(|text| !text.is_empty())
    }

    /// Remembers the server for [`last_server`](Sessions::last_server).
    pub fn remember_server(&self, address: &str) -> Result<(), SessionError> {
        write(&self.last_server, format!("{address}\n").as_bytes())
    }

    /// A client with the last session, if the server still accepts it.
    fn resume(&self, client: &Client) -> Result<Option<Client>, ClientError> {
        let Some(token) = self.read().remove(client.server()) else { return Ok(None) };
        let client = client.with_token(token);
        match client.me() {
            Ok(_) => Ok(Some(client)),
            Err(ClientError::Refused(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Stores a session for the next run.
    fn keep(&self, client: &Client, session: &Session) -> Result<Client, SessionError> {
        let mut tokens = self.read();
        tokens.insert(client.server().to_string(), session.token.clone());
        // Strings can always be written as JSON.
        write(&self.tokens, &serde_json::to_vec_pretty(&tokens).unwrap_or_default())?;
        Ok(client.with_token(session.token.clone()))
    }

    fn read(&self) -> BTreeMap<String, String> {
        let text = fs::read_to_string(&self.tokens).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }
}

/// Writes a file that only its owner can read.
fn write(path: &Path, content: &[u8]) -> Result<(), SessionError> {
    let write = || {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path)?.write_all(content)
    };
    write().map_err(|error| SessionError::NotStored { path: path.to_owned(), error })
}
