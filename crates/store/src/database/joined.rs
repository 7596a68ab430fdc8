//! Writing a commit to the write-ahead log at once.
//!
//! SQLite writes each page of a commit with two calls to the system, one for 24 bytes that say which
//! page it is and one for the page, which lies across two pages of the system's memory. Where hundreds
//! of games share a commit, that takes longer than finding out what to write. Here the pieces are
//! put together, and written when SQLite wants them on the disk.
//!
//! That needs `unsafe`: what SQLite calls to reach its files are C functions in a table, and there is
//! no other way to stand between them. These are the system's own, all but six of them, on the
//! system's own file, behind which is room for what waits. What makes it sound:
//!
//! - SQLite makes the memory of a file, as large as its VFS says, and gives it to `open` first, to
//!   `close` last, and to nobody between them but the functions of its table. [`Joined`] is
//!   written there by `open` and dropped by `close`, so each other function finds it there.
//! - A file belongs to a connection, which one thread uses at a time (`rusqlite` lets nobody share
//!   one), so nobody else has a reference to it meanwhile.
//! - The system's VFS, and the tables of its functions, live as long as the program.
//! - Bytes from SQLite are read within a call, as many as it says there are.
//!
//! That it keeps what was committed: others look for pages in the log when its index names them,
//! which is after SQLite has synchronised the file, and before that everything is written. So it is
//! for connections with `synchronous=FULL` only, and with `cache_spill=OFF`: so what waits belongs to a
//! commit under way, and nothing is left of a transaction that was given up, where others may have
//! written since. And it is for files of which a sector can be written
//! without harm to the next (without `SQLITE_IOCAP_POWERSAFE_OVERWRITE` SQLite pads commits, and does
//! not synchronise the end of what it has padded). Whoever reads from the file, asks for its size
//! or changes it here has all of it written first.

#![allow(unsafe_code)]

use std::ffi::{CStr, c_int, c_void};
use std::mem::{align_of, size_of};
use std::sync::OnceLock;
use std::{ptr, slice};

use rusqlite::ffi::{
    SQLITE_ERROR, SQLITE_IOCAP_POWERSAFE_OVERWRITE, SQLITE_OK, SQLITE_OPEN_WAL, sqlite3_file,
    sqlite3_filename, sqlite3_io_methods, sqlite3_vfs, sqlite3_vfs_find, sqlite3_vfs_register,
};

const NAME: &CStr = c"noughts-joined";

/// How many bytes wait at most. SQLite's own functions write less than 128 KiB at once, and no page is
/// longer than 64 KiB.
const MOST: usize = 1 << 16;

/// What stands behind the system's file: what was not written to it yet.
#[repr(C)]
struct Joined {
    /// The functions that SQLite calls; first, so that whoever has the table has all of it.
    methods: sqlite3_io_methods,
    /// The system's.
    real: &'static sqlite3_io_methods,
    /// Where the bytes go.
    start: i64,
    waiting: Vec<u8>,
}

/// The name of the VFS, which is registered with the first call; or none where SQLite has no memory for
/// it.
pub(super) fn vfs() -> Option<&'static CStr> {
    static REGISTERED: OnceLock<bool> = OnceLock::new();
    REGISTERED.get_or_init(register).then_some(NAME)
}

fn register() -> bool {
    // SAFETY: the system's VFS is never taken back, and this one is leaked, so both live for ever. It
    // is the system's but for its name, its size and how it opens files.
    unsafe {
        let real = sqlite3_vfs_find(ptr::null());
        let Some(found) = real.as_ref() else { return false };
        let Ok(size) = c_int::try_from(place(found) + size_of::<Joined>()) else { return false };
        let joined = sqlite3_vfs {
            szOsFile: size,
            pNext: ptr::null_mut(),
            zName: NAME.as_ptr(),
            pAppData: real.cast(),
            xOpen: Some(open),
            ..*found
        };
        sqlite3_vfs_register(Box::into_raw(Box::new(joined)), 0) == SQLITE_OK
    }
}

/// Where [`Joined`] stands in the memory of a file: behind what the system has there.
fn place(real: &sqlite3_vfs) -> usize {
    usize::try_from(real.szOsFile).unwrap_or_default().next_multiple_of(align_of::<Joined>())
}

unsafe extern "C" fn open(
    vfs: *mut sqlite3_vfs,
    name: sqlite3_filename,
    file: *mut sqlite3_file,
    flags: c_int,
    opened: *mut c_int,
) -> c_int {
    // SAFETY: SQLite calls this with the VFS that was registered, whose data is the system's, and with
    // memory for a file of its size. The system's file is at its beginning and knows nothing of the
    // rest.
    unsafe {
        let real = (*vfs).pAppData.cast::<sqlite3_vfs>();
        let Some(open) = (*real).xOpen else { return SQLITE_ERROR };
        let code = open(real, name, file, flags, opened);
        if code != SQLITE_OK || flags & SQLITE_OPEN_WAL == 0 {
            return code;
        }
        let real_methods: &'static sqlite3_io_methods = &*(*file).pMethods;
        let traits = real_methods.xDeviceCharacteristics.map_or(0, |traits| traits(file));
        if traits & SQLITE_IOCAP_POWERSAFE_OVERWRITE != 0 {
            let joined = file.byte_add(place(&*real)).cast::<Joined>();
            let methods = sqlite3_io_methods {
                xClose: Some(close),
                xRead: Some(read),
                xWrite: Some(write),
                xTruncate: Some(truncate),
                xSync: Some(sync),
                xFileSize: Some(file_size),
                ..*real_methods
            };
            joined.write(Joined { methods, real: real_methods, start: 0, waiting: Vec::new() });
            (*file).pMethods = joined.cast();
        }
        code
    }
}

/// What stands behind a file.
///
/// # Safety
///
/// The file was opened by [`open`] as a write-ahead log and is not closed. What was found before for
/// the same file is not used any more.
unsafe fn joined<'a>(file: *mut sqlite3_file) -> &'a mut Joined {
    // SAFETY: SQLite calls these functions through the table that stands at the beginning of it.
    unsafe { &mut *(*file).pMethods.cast::<Joined>().cast_mut() }
}

impl Joined {
    /// Writes what waits. What can't be written is forgotten: SQLite hears of it, and gives up the
    /// commit that it belongs to.
    ///
    /// # Safety
    ///
    /// The file is the one that this stands behind.
    unsafe fn flush(&mut self, file: *mut sqlite3_file) -> c_int {
        let Some(write) = self.real.xWrite else { return SQLITE_ERROR };
        let length = self.waiting.len() as c_int;
        let code = match length {
            0 => SQLITE_OK,
            // SAFETY: it is the system's function for the system's file.
            _ => unsafe { write(file, self.waiting.as_ptr().cast(), length, self.start) },
        };
        self.waiting.clear();
        code
    }
}

/// Defines functions that the system's do after everything is written.
macro_rules! flushing {
    ($($name:ident = $real:ident($($argument:ident: $type:ty),*);)*) => {$(
        unsafe extern "C" fn $name(file: *mut sqlite3_file, $($argument: $type),*) -> c_int {
            // SAFETY: SQLite calls this with a file whose table has it, and passes on what belongs to it.
            unsafe {
                let joined = joined(file);
                match (joined.flush(file), joined.real.$real) {
                    (SQLITE_OK, Some(real)) => real(file, $($argument),*),
                    (SQLITE_OK, None) => SQLITE_ERROR,
                    (failed, _) => failed,
                }
            }
        }
    )*};
}

flushing! {
    read = xRead(into: *mut c_void, length: c_int, at: i64);
    truncate = xTruncate(size: i64);
    sync = xSync(flags: c_int);
    file_size = xFileSize(size: *mut i64);
}

unsafe extern "C" fn write(
    file: *mut sqlite3_file,
    bytes: *const c_void,
    length: c_int,
    at: i64,
) -> c_int {
    // SAFETY: SQLite calls this with a file whose table has it, and with so many bytes.
    unsafe {
        let joined = joined(file);
        let bytes = slice::from_raw_parts(bytes.cast::<u8>(), length as usize);
        let end = joined.start + joined.waiting.len() as i64;
        if at != end || joined.waiting.len() + bytes.len() > MOST {
            let code = joined.flush(file);
            if code != SQLITE_OK {
                return code;
            }
            joined.start = at;
        }
        joined.waiting.extend_from_slice(bytes);
        SQLITE_OK
    }
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    // SAFETY: SQLite calls this last. What waits was never committed. The table that the file had
    // before is the system's, which is never taken back.
    unsafe {
        let joined = (*file).pMethods.cast::<Joined>().cast_mut();
        let real = (*joined).real;
        ptr::drop_in_place(joined);
        (*file).pMethods = real;
        real.xClose.map_or(SQLITE_ERROR, |close| close(file))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use rusqlite::{Connection, OpenFlags};

    use super::*;

    /// A connection that keeps few pages, as the appending one is set up otherwise.
    fn connect(path: &Path) -> Connection {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let vfs = vfs().expect("SQLite has memory");
        let connection = Connection::open_with_flags_and_vfs(path, flags, vfs).unwrap();
        let settings =
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = 5;
            PRAGMA cache_spill = OFF;
            CREATE TABLE IF NOT EXISTS things (id INTEGER PRIMARY KEY, thing TEXT)";
        connection.execute_batch(settings).unwrap();
        connection
    }

    /// How many things there are, as others see it who use the system's VFS, and what is in them.
    fn look(path: &Path) -> (i64, Vec<String>) {
        let other = Connection::open(path).unwrap();
        let verdict: String =
            other.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(verdict, "ok");
        let count = other.query_row("SELECT count(*) FROM things", [], |row| row.get(0)).unwrap();
        let mut kinds = other.prepare("SELECT DISTINCT substr(thing, 1, 1) FROM things").unwrap();
        (count, kinds.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect())
    }

    const MANY: &str = "INSERT INTO things (thing) SELECT printf('%.*c', 3000, 'a') FROM
        (WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT i FROM n)";

    /// Pages that were written already are written again, and what follows them is checked anew.
    const CHANGE: &str = "UPDATE things SET thing = replace(thing, 'a', 'b')";

    #[test]
    fn others_see_what_was_committed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("things.db");
        let mut connection = connect(&path);
        for round in 1..=4 {
            let transaction = connection.transaction().unwrap();
            transaction.execute_batch(MANY).unwrap();
            assert_eq!(look(&path).0, 500 * (round - 1), "seen too early");
            transaction.execute_batch(CHANGE).unwrap();
            let kinds: i64 = transaction
                .query_row("SELECT count(*) FROM things WHERE thing LIKE 'b%'", [], |row| {
                    row.get(0)
                })
                .unwrap();
            assert_eq!(kinds, 500 * round, "it does not see its own");
            transaction.commit().unwrap();
            assert_eq!(look(&path), (500 * round, vec!["b".to_string()]));

            let transaction = connection.transaction().unwrap();
            transaction.execute_batch(MANY).unwrap();
            transaction.rollback().unwrap();
            // Another one writes where that would have stood.
            let other = Connection::open(&path).unwrap();
            other.execute_batch("UPDATE things SET thing = thing || 'c'").unwrap();
            connection.execute_batch("UPDATE things SET thing = thing || 'd'").unwrap();
            assert_eq!(look(&path), (500 * round, vec!["b".to_string()]));
            if round == 2 {
                connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
            }
        }
    }

    #[test]
    fn a_copy_of_the_files_after_a_commit_has_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("things.db");
        let connection = connect(&path);
        connection.execute_batch(MANY).unwrap();
        let copy = folder.path().join("copy.db");
        for end in ["", "-wal"] {
            let named = |path: &Path| format!("{}{end}", path.display());
            std::fs::copy(named(&path), named(&copy)).unwrap();
        }
        assert_eq!(look(&copy).0, 500);
    }
}
