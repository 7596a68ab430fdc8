//! Where games and results are kept, as the commands' flags say.

use std::path::PathBuf;

use anyhow::{Context, Result};
use etcetera::BaseStrategy;
use noughts_play::Database;
use noughts_store::LeagueChoice;

/// The flag that chooses the file.
#[derive(Clone, clap::Args)]
pub(crate) struct DataArguments {
    /// The file with games and scores; by default one in the user's data folder
    #[arg(long, value_name = "FILE", env = "NOUGHTS_DATA")]
    pub(crate) data: Option<PathBuf>,
}

impl DataArguments {
    pub(crate) fn path(&self) -> Result<PathBuf> {
        if let Some(file) = &self.data {
            return Ok(file.clone());
        }
        let folders = etcetera::choose_base_strategy().context("can't find your data folder")?;
        Ok(folders.data_dir().join("noughts").join("noughts.db"))
    }

    /// Opens the file to read it: a file named by the flag must exist, the default one may be new.
    pub(crate) fn open_to_read(&self) -> Result<Database> {
        let path = self.path()?;
        if self.data.is_some() && !path.exists() {
            anyhow::bail!("there is no file {}", path.display());
        }
        Database::open_to_read(&path)
    }
}

/// The flags that choose the database of a server: a file, or PostgreSQL.
#[cfg(feature = "server")]
#[derive(clap::Args)]
pub(crate) struct ServerDataArguments {
    #[command(flatten)]
    data: DataArguments,
    #[cfg(feature = "postgres")]
    /// The PostgreSQL database of the server, instead of a file: postgres://USER:PASSWORD@HOST/DATABASE
    #[arg(long, value_name = "URL", env = "NOUGHTS_DATABASE", hide_env_values = true)]
    database: Option<String>,
}

#[cfg(feature = "server")]
impl ServerDataArguments {
    /// Opens the database, which must exist.
    pub(crate) fn open(&self) -> Result<Database> {
        #[cfg(feature = "postgres")]
        if let Some(url) = &self.database {
            return Database::connect(url);
        }
        Database::open_existing(&self.data.path()?)
    }
}

/// The league of games that name none.
pub(crate) fn default_league() -> String {
    LeagueChoice::default().name
}
