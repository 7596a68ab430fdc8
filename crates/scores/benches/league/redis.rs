//! A Redis sorted set of the same size, over a loopback socket.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::{BATCH, Options, Rng, mebibytes};

pub(crate) fn measure(options: &Options) {
    println!("Redis, ZINCRBY + ZREVRANK over a loopback socket");
    match Server::start() {
        Ok(server) => {
            if let Err(error) = measure_server(&server, options) {
                println!("  stopped: {error}");
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            println!("  skipped: redis-server is not installed");
        }
        Err(error) => println!("  skipped: redis-server does not start: {error}"),
    }
}

fn measure_server(server: &Server, options: &Options) -> io::Result<()> {
    let mut connection = server.connect()?;
    let mut rng = Rng(1);

    let start = Instant::now();
    let players: Vec<usize> = (0..options.players).collect();
    for players in players.chunks(1_000) {
        for &player in players {
            // A spread of whole ratings around 1500.
            let rating = 1_200 + rng.below(300) + rng.below(300);
            connection.send(&["ZADD", "league", &rating.to_string(), &name(player)])?;
        }
        connection.receive(players.len())?;
    }
    println!("  filled, pipelined, in {:.1?}", start.elapsed());
    println!("  memory, MiB: {}", mebibytes(connection.used_memory()?));

    for pairs_at_once in [1, BATCH] {
        let mut pairs = 0;
        let start = Instant::now();
        while start.elapsed() < options.redis_time {
            for _ in 0..pairs_at_once {
                let player = name(rng.below(options.players));
                connection.send(&["ZINCRBY", "league", "1", &player])?;
                connection.send(&["ZREVRANK", "league", &player])?;
            }
            connection.receive(2 * pairs_at_once)?;
            pairs += pairs_at_once;
        }
        println!(
            "  {:.0} players/s updated and ranked, {pairs_at_once} at a time",
            pairs as f64 / start.elapsed().as_secs_f64(),
        );
    }
    Ok(())
}

/// A Redis server on a free port, without persistence. It stops when dropped.
struct Server {
    process: Child,
    port: u16,
    folder: PathBuf,
}

impl Server {
    fn start() -> io::Result<Self> {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let folder = std::env::temp_dir().join(format!("noughts-redis-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let process = Command::new("redis-server")
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1"])
            .args(["--save", "", "--appendonly", "no", "--dir"])
            .arg(&folder)
            .stdout(Stdio::null())
            .spawn()
            .inspect_err(|_| drop(fs::remove_dir(&folder)))?;
        Ok(Self { process, port, folder })
    }

    /// Connects once the server listens.
    fn connect(&self) -> io::Result<Connection> {
        let deadline = Instant::now() + Duration::from_secs(10);
        let stream = loop {
            match TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)) {
                Ok(stream) => break stream,
                Err(error) if Instant::now() > deadline => return Err(error),
                Err(_) => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        stream.set_nodelay(true)?;
        Ok(Connection { outgoing: Vec::new(), incoming: BufReader::new(stream) })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Nothing can be done about a failure here.
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A connection that speaks a subset of RESP, the protocol of Redis.
struct Connection {
    outgoing: Vec<u8>,
    incoming: BufReader<TcpStream>,
}

impl Connection {
    /// Queues a command. `receive` sends what is queued.
    fn send(&mut self, words: &[&str]) -> io::Result<()> {
        write!(self.outgoing, "*{}\r\n", words.len())?;
        for word in words {
            write!(self.outgoing, "${}\r\n{word}\r\n", word.len())?;
        }
        Ok(())
    }

    /// Waits for this many replies and returns the last one.
    fn receive(&mut self, replies: usize) -> io::Result<String> {
        self.incoming.get_mut().write_all(&self.outgoing)?;
        self.outgoing.clear();
        let mut reply = String::new();
        for _ in 0..replies {
            reply = self.receive_one()?;
        }
        Ok(reply)
    }

    fn receive_one(&mut self) -> io::Result<String> {
        let mut line = String::new();
        self.incoming.read_line(&mut line)?;
        let text = line.trim_end();
        match text.chars().next() {
            Some(':' | '+') => Ok(text[1..].to_owned()),
            Some('$') => {
                let length: usize = text[1..].parse().map_err(io::Error::other)?;
                let mut bytes = vec![0; length + "\r\n".len()];
                io::Read::read_exact(&mut self.incoming, &mut bytes)?;
                Ok(String::from_utf8_lossy(&bytes[..length]).into_owned())
            }
            _ => Err(io::Error::other(format!("unexpected reply {text:?}"))),
        }
    }

    fn used_memory(&mut self) -> io::Result<usize> {
        self.send(&["INFO", "memory"])?;
        let info = self.receive(1)?;
        info.lines()
            .find_map(|line| line.strip_prefix("used_memory_rss:")?.parse().ok())
            .ok_or_else(|| io::Error::other("no used_memory_rss"))
    }
}

fn name(player: usize) -> String {
    format!("player{player}")
}
