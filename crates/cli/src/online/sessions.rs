//! Who one is at which server, kept between runs.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use noughts_client::{Client, Failed};
use serde_json::{Value, json};

/// Since when somebody has their name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    Before,
    Now,
}

/// Tokens by server, in a file that only its owner can read.
pub(super) struct Sessions {
    path: PathBuf,
}

impl Sessions {
    /// The file beside the one with the games.
    pub(super) fn beside(data: &Path) -> Sessions {
        Sessions { path: data.with_file_name("sessions.json") }
    }

    /// Someone at a server: who they were before, or a new guest.
    pub(super) fn client(&self, server: &str, token: Option<String>) -> Result<Client> {
        if token.is_some() {
            return Ok(Client::new(server, token));
        }
        match self.known(server)? {
            Some(client) => Ok(client),
            None => self.begin(&Client::new(server, None), "/guests", &json!({})),
        }
    }

    /// Someone with a name and a password, who is known here from then on.
    pub(super) fn sign_in(
        &self,
        server: &str,
        named: Named,
        name: &str,
        password: &str,
    ) -> Result<Client> {
        let nobody = || Client::new(server, None);
        let (client, path) = match named {
            Named::Before => (nobody(), "/sessions"),
            Named::Now => (self.known(server)?.unwrap_or_else(nobody), "/names"),
        };
        self.begin(&client, path, &json!({"name": name, "password": password}))
    }

    /// Who one was at a server before, if it still knows.
    fn known(&self, server: &str) -> Result<Option<Client>> {
        let Some(token) = self.read().remove(server) else { return Ok(None) };
        let client = Client::new(server, Some(token));
        match client.get::<Value>("/me") {
            Ok(_) => Ok(Some(client)),
            Err(Failed::Refused(_)) => Ok(None),
            Err(Failed::Lost(error)) => Err(error),
        }
    }

    /// Begins a session, and keeps its token.
    fn begin(&self, client: &Client, path: &str, who: &Value) -> Result<Client> {
        let session: Value = client.post(path, who)?;
        let token = session["token"].as_str().context("the server gave no token")?;
        let mut known = self.read();
        known.insert(client.server.clone(), token.to_string());
        self.write(&known)?;
        Ok(Client::new(&client.server, Some(token.to_string())))
    }

    fn read(&self) -> BTreeMap<String, String> {
        let text = fs::read_to_string(&self.path).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    fn write(&self, known: &BTreeMap<String, String>) -> Result<()> {
        let failed = || format!("can't write {}", self.path.display());
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder).with_context(failed)?;
        }
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&self.path).with_context(failed)?;
        file.write_all(serde_json::to_string_pretty(known)?.as_bytes()).with_context(failed)
    }
}
