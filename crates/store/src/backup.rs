//! A copy of the file while it is in use.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::database::{Database, create_private};
use crate::{Store, StoreError};

impl Store {
    /// Writes a copy of everything, as it is at one moment, to a file that does not exist yet.
    /// Others can read and write the store meanwhile. The copy is itself a store.
    ///
    /// # Errors
    ///
    /// Refuses to write over a file, and to copy a PostgreSQL database, which has tools of its own.
    /// A copy that fails is removed.
    pub async fn back_up(&self, to: &Path) -> Result<(), StoreError> {
        let file = match &*self.database {
            Database::Sqlite(file) => file,
            #[cfg(feature = "postgres")]
            Database::Postgres(_) => return Err(StoreError::NoFile),
        };
        let failed = |error| StoreError::File { path: to.to_path_buf(), error };
        if to.symlink_metadata().is_ok() {
            return Err(failed(io::Error::new(
                io::ErrorKind::AlreadyExists,
                "there is a file already, and backups are not written over files",
            )));
        }
        let unfinished = with_suffix(to, ".unfinished");
        let name = unfinished.to_str().ok_or_else(|| {
            failed(io::Error::new(io::ErrorKind::InvalidInput, "its name is not UTF-8"))
        })?;
        let unfinished = Unfinished::create(&unfinished)
            .map_err(|error| StoreError::File { path: unfinished.clone(), error })?;
        let copied = sqlx::query("VACUUM INTO $1").bind(name).execute(file.readers()).await;
        copied.map_err(|error| StoreError::from_database(file.path(), error))?;
        flush(&unfinished.0).map_err(failed)?;
        publish(&unfinished.0, to).map_err(failed)?;
        to.parent().filter(|folder| *folder != Path::new("")).map_or(Ok(()), flush).map_err(failed)
    }
}

/// Gives a file its final name. Unlike renaming, a link is refused where another file has appeared
/// in the meantime; but not every disk knows links.
fn publish(file: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(file, to) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => fs::rename(file, to),
        done => done,
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Waits until a file or a folder is on the disk.
fn flush(path: &Path) -> io::Result<()> {
    fs::File::open(path)?.sync_all()
}

/// A file that is removed in the end, whatever happens.
struct Unfinished(PathBuf);

impl Unfinished {
    /// Of two backups to the same place one fails here, and leaves the file of the other alone.
    fn create(path: &Path) -> io::Result<Unfinished> {
        match create_private(path) {
            Ok(()) => Ok(Unfinished(path.to_path_buf())),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(io::Error::new(
                error.kind(),
                "another backup is writing it; if none is, one was cut off: remove the file",
            )),
            Err(error) => Err(error),
        }
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
