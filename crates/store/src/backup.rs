//! Online backups of the file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::database::create_private;
use crate::{Store, StoreError};

impl Store {
    /// Writes a consistent snapshot to a new file, which is itself a store. The store can be read and
    /// written meanwhile.
    ///
    /// # Errors
    ///
    /// Refuses to overwrite a file, and to copy a PostgreSQL database, which has tools of its own.
    /// Removes a snapshot that fails.
    pub async fn back_up(&self, to: &Path) -> Result<(), StoreError> {
        let Some(file) = self.database.sqlite() else { return Err(StoreError::NoFile) };
        let failed = |error| StoreError::File { path: to.to_path_buf(), error };
        if to.symlink_metadata().is_ok() {
            return Err(failed(io::Error::new(
                io::ErrorKind::AlreadyExists,
                "the file exists, and backups never overwrite files",
            )));
        }
        let unfinished = with_suffix(to, ".unfinished");
        let name = unfinished.to_str().ok_or_else(|| {
            failed(io::Error::new(io::ErrorKind::InvalidInput, "its name is not UTF-8"))
        })?;
        let unfinished = TemporaryFile::create(&unfinished)
            .map_err(|error| StoreError::File { path: unfinished.clone(), error })?;
        let copied = sqlx::query("VACUUM INTO $1").bind(name).execute(file.readers()).await;
        copied.map_err(|error| StoreError::from_database(file.path(), error))?;
        sync(&unfinished.0).map_err(failed)?;
        publish(&unfinished.0, to).map_err(failed)?;
        to.parent().filter(|folder| *folder != Path::new("")).map_or(Ok(()), sync).map_err(failed)
    }
}

impl Store {
    /// Returns unused space of the file to the file system. Returns false, and does nothing, on PostgreSQL
    /// and while a server uses the file, which would have to wait.
    pub async fn shrink(&self) -> Result<bool, StoreError> {
        let Some(file) = self.database.sqlite() else { return Ok(false) };
        match file.lock_for_server() {
            Ok(()) => {}
            Err(StoreError::InUse { .. }) => return Ok(false),
            Err(error) => return Err(error),
        }
        for statement in ["VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"] {
            let done = sqlx::query(statement).execute(file.readers()).await;
            done.map_err(|error| StoreError::from_database(file.path(), error))?;
        }
        Ok(true)
    }
}

/// Gives a file its final name. A hard link fails if another file has appeared meanwhile; a rename
/// is the fallback for file systems without links.
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

/// Flushes a file or a folder to the disk.
fn sync(path: &Path) -> io::Result<()> {
    fs::File::open(path)?.sync_all()
}

/// A temporary file, removed when dropped.
struct TemporaryFile(PathBuf);

impl TemporaryFile {
    /// Fails if another backup to the same place is running, and leaves its file alone.
    fn create(path: &Path) -> io::Result<TemporaryFile> {
        match create_private(path) {
            Ok(()) => Ok(TemporaryFile(path.to_path_buf())),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(io::Error::new(
                error.kind(),
                "another backup is writing it; if none is running, remove the file",
            )),
            Err(error) => Err(error),
        }
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
