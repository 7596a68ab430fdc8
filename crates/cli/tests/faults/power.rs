//! Power cuts: the server is killed, and of its files only what it had synchronised is left.
//!
//! A library that is loaded before the program (`power.c`) journals what the program does to the files. From
//! that, the test builds them again as a disk without power has them: the contents of a file as of its last
//! synchronisation, and its name as of the last synchronisation of the folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::Ordering;

use noughts_checker::Record;
use tempfile::TempDir;

use crate::checker::violations;
use crate::fault_count;
use crate::player::{Behaviour, play};
use crate::server::{Database, Server};

const RULES: &str = "5x5:4";
const GAMES: usize = 12;

/// A file in memory: what SQLite shares between processes. It builds it anew after a crash.
const SHARED_MEMORY: &str = "-shm";

/// The disk of a folder, whose power can be cut.
struct Disk {
    folder: PathBuf,
    tools: TempDir,
}

/// A file as it is, and as it is without power.
#[derive(Default)]
struct File {
    current: Vec<u8>,
    synchronised: Vec<u8>,
}

/// One operation of the program.
struct Operation<'a> {
    kind: u8,
    name: &'a str,
    number: u64,
    data: &'a [u8],
}

impl Disk {
    /// Compiles the library. Files that are in the folder are synchronised.
    fn new(folder: &Path) -> Disk {
        let disk = Disk { folder: folder.into(), tools: tempfile::tempdir().unwrap() };
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/power.c");
        let compiled = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(disk.library())
            .arg(source)
            .status();
        assert!(compiled.expect("a C compiler").success(), "the library compiles");
        disk.save_base();
        disk
    }

    fn library(&self) -> PathBuf {
        self.tools.path().join("power.so")
    }

    fn journal(&self) -> PathBuf {
        self.tools.path().join("journal")
    }

    fn base(&self) -> PathBuf {
        self.tools.path().join("base")
    }

    /// What a command has to begin with.
    fn prefix(&self) -> Vec<String> {
        vec![
            "env".into(),
            format!("LD_PRELOAD={}", self.library().display()),
            format!("NOUGHTS_POWER_FOLDER={}", self.folder.display()),
            format!("NOUGHTS_POWER_JOURNAL={}", self.journal().display()),
        ]
    }

    /// The files as they are now are those that the journal begins with.
    fn save_base(&self) {
        let _ = fs::remove_dir_all(self.base());
        fs::create_dir(self.base()).unwrap();
        for file in self.folder.read_dir().unwrap().map(Result::unwrap) {
            fs::copy(file.path(), self.base().join(file.file_name())).unwrap();
        }
        let _ = fs::remove_file(self.journal());
    }

    /// Replaces the files by what was synchronised. Returns how many bytes were not.
    fn cut_power(&self) -> usize {
        let journal = fs::read(self.journal()).unwrap_or_default();
        let (files, lost) = rebuild(&self.base(), &journal);
        for file in self.folder.read_dir().unwrap() {
            fs::remove_file(file.unwrap().path()).unwrap();
        }
        for (name, contents) in files {
            fs::write(self.folder.join(name), contents).unwrap();
        }
        self.save_base();
        lost
    }
}

/// The synchronised files, and how many bytes of others are lost.
fn rebuild(base: &Path, journal: &[u8]) -> (BTreeMap<String, Vec<u8>>, usize) {
    let mut files: Vec<File> = Vec::new();
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for file in base.read_dir().unwrap().map(Result::unwrap) {
        let contents = fs::read(file.path()).unwrap();
        names.insert(file.file_name().into_string().unwrap(), files.len());
        files.push(File { current: contents.clone(), synchronised: contents });
    }
    let mut synchronised_names = names.clone();
    let mut rest = journal;
    let mut lost = 0;
    while let Some(Operation { kind, name, number, data }) = read_operation(&mut rest) {
        if name.is_empty() {
            synchronised_names = names.clone();
            continue;
        }
        if kind == b'u' {
            names.remove(name);
            continue;
        }
        let index = *names.entry(name.into()).or_insert_with(|| {
            files.push(File::default());
            files.len() - 1
        });
        let File { current, synchronised } = &mut files[index];
        let start = usize::try_from(number).unwrap();
        match kind {
            b'c' => {}
            b't' => current.resize(start, 0),
            b'w' => {
                let end = start + data.len();
                current.resize(current.len().max(end), 0);
                current[start..end].copy_from_slice(data);
                lost += data.len();
            }
            b's' => {
                synchronised.clone_from(current);
                lost = 0;
            }
            other => panic!("an operation: {other}"),
        }
    }
    let kept = synchronised_names.into_iter().filter(|(name, _)| !name.ends_with(SHARED_MEMORY));
    (kept.map(|(name, index)| (name, files[index].synchronised.clone())).collect(), lost)
}

/// The next operation; `None` at the end, where the last one may be incomplete.
fn read_operation<'a>(journal: &mut &'a [u8]) -> Option<Operation<'a>> {
    let (&kind, mut rest) = journal.split_first()?;
    let length = read_number(&mut rest)?;
    let (name, mut rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    let (number, length) = (read_number(&mut rest)?, read_number(&mut rest)?);
    let (data, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    *journal = rest;
    Some(Operation { kind, name: std::str::from_utf8(name).ok()?, number, data })
}

fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let (&number, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u64::from_le_bytes(number))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn power_cuts_lose_no_acknowledged_move() {
    let times = fault_count(2);
    let folder = tempfile::tempdir().unwrap();
    let disk = Disk::new(folder.path());
    let database = Database::Sqlite(folder);
    let server = Server::start_with_prefix(&database, disk.prefix());
    let mut rounds = Vec::new();
    for round in 0..=times {
        let names = [format!("Ann {round}"), format!("Bob {round}")];
        rounds.push(server.agent().games([&names[0], &names[1]], RULES, GAMES));
    }
    let (record, behaviour) = (Record::default(), Behaviour::default());
    let addresses = [server.address.clone()];
    let mut lost = 0;
    for (round, games) in rounds.iter().enumerate() {
        let playing = play(&addresses, games, &behaviour, &record);
        let enough = record.moves() + GAMES * (1 + round % 5);
        let breaking = async {
            record.until_moves(enough).await;
            if round < times {
                tokio::task::block_in_place(|| {
                    server.kill();
                    lost += disk.cut_power();
                    server.restart();
                });
            }
        };
        tokio::join!(playing, breaking);
    }
    let found = violations(&database, &record, Some(&server.address)).await;
    assert_eq!(found, [""; 0]);
    assert!(record.moves() > (times + 1) * GAMES * 7, "all games were played");
    println!("{times} power cuts, {} acknowledged moves, {lost} bytes lost", record.moves());
}

/// With `synchronous=NORMAL`, SQLite does not synchronise when it commits: what was acknowledged is lost. A
/// test that did not notice would prove nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn power_cuts_lose_moves_that_are_not_synchronised() {
    let folder = tempfile::tempdir().unwrap();
    let disk = Disk::new(folder.path());
    let database = Database::Sqlite(folder);
    let prefix = disk.prefix().into_iter().chain(["NOUGHTS_TEST_SYNCHRONOUS=normal".into()]);
    let server = Server::start_with_prefix(&database, prefix.collect());
    let games = server.agent().games(["Ann", "Bob"], RULES, GAMES);
    let (record, behaviour) = (Record::default(), Behaviour::default());
    let playing = play(std::slice::from_ref(&server.address), &games, &behaviour, &record);
    let breaking = async {
        record.until_moves(GAMES * 3).await;
        behaviour.stop.store(true, Ordering::Relaxed);
        tokio::task::block_in_place(|| server.kill());
    };
    tokio::join!(playing, breaking);
    assert!(disk.cut_power() > 0);
    server.restart();
    let found = violations(&database, &record, None).await;
    assert!(found.iter().any(|text| text.contains("is in the log 0 times")), "{found:#?}");
}
