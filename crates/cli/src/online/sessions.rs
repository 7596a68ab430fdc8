//! Who one is at which server, kept between runs.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::client::{Client, Failed};

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
        let mut known = self.read();
        if let Some(token) = known.get(server) {
            let client = Client::new(server, Some(token.clone()));
            match client.get::<Value>("/me") {
                Ok(_) => return Ok(client),
                Err(Failed::Refused(_)) => {}
                Err(Failed::Lost(error)) => return Err(error),
            }
        }
        let session: Value = Client::new(server, None).post("/guests", &json!({}))?;
        let token = session["token"].as_str().context("the server gave no token")?;
        known.insert(server.to_string(), token.to_string());
        self.write(&known)?;
        Ok(Client::new(server, Some(token.to_string())))
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
