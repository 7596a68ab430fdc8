//! Configuration by flags, environment variables and a TOML file.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use axum::http::Uri;
use clap::builder::BoolishValueParser;
use noughts_rules::describe::{OTHER_KIND, kind, kind_title, kinds};
use noughts_rules::{ParseRulesError, Rules};
use noughts_scores::System;
use noughts_store::{LEGACY_LEAGUES, LeagueChoice};
use serde::Deserialize;

use crate::metrics::MetricsAddress;
use crate::puzzles::Puzzles;

/// The rules that are rated unless the operator says otherwise: the presets, without those in which a
/// beginner can learn in a minute to win every game as the first player.
const RATED_RULES: &str = "classic,ultimate,gomoku,connect4,qubic,misere,fade,notakto,\
    order-and-chaos,score-four,gomoku-standard,swap2,renju,connect6";

const HOUR_SECONDS: u64 = 3_600;
const YEAR_SECONDS: u64 = 365 * 24 * HOUR_SECONDS;

/// A hundred years.
const MAX_DAYS: u64 = 36_500;

/// High enough to mean no limit.
const MAX_RATE: u64 = 1_000_000_000;

macro_rules! settings {
    ($($(#[doc = $doc:literal])* $(#[arg($($arg:tt)*)])* $field:ident: $type:ty,)*) => {
        /// The settings of a server. Those that are not set have defaults.
        #[derive(Debug, Clone, Default, PartialEq, clap::Args, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Config {
            $($(#[doc = $doc])* $(#[arg($($arg)*)])* pub $field: $type,)*
        }

        impl Config {
            /// These settings, completed by those of a file.
            #[must_use]
            pub fn or(self, file: Config) -> Config {
                Config { $($field: Setting::or(self.$field, file.$field),)* }
            }
        }
    };
}

settings! {
    /// Address and port to listen on [default: 127.0.0.1:8000]
    #[arg(long, value_name = "ADDRESS", env = "NOUGHTS_LISTEN", help_heading = "Network", value_parser = listen_address)]
    listen: Option<SocketAddr>,
    /// Address and port of the metrics, for monitoring only, or `off` [default: 127.0.0.1, 1000 ports above]
    #[arg(long, value_name = "ADDRESS", env = "NOUGHTS_METRICS", help_heading = "Network")]
    metrics: Option<MetricsAddress>,
    /// Additional origin from which the page may send requests, such as `https://noughts.example`
    #[arg(long = "origin", value_name = "ORIGIN", env = "NOUGHTS_ORIGINS", value_delimiter = ',', help_heading = "Network")]
    origins: Vec<String>,
    /// Address of a proxy whose X-Forwarded-For and X-Forwarded-Proto headers are trusted
    #[arg(long = "proxy", value_name = "ADDRESS", env = "NOUGHTS_PROXIES", value_delimiter = ',', help_heading = "Network")]
    proxies: Vec<IpAddr>,
    /// Mark cookies as secure [default: if a trusted proxy says that the request came over HTTPS]
    #[arg(long, env = "NOUGHTS_SECURE_COOKIES", value_parser = BoolishValueParser::new(), num_args = 0..=1, default_missing_value = "true", help_heading = "Network")]
    secure_cookies: Option<bool>,
    /// PostgreSQL database to use instead of a file: postgres://USER:PASSWORD@HOST/DATABASE
    #[arg(long, value_name = "URL", env = "NOUGHTS_DATABASE", hide_env_values = true, help_heading = "Storage")]
    database: Option<String>,
    /// Threads for computer players [default: half of the processors]
    #[arg(long, env = "NOUGHTS_THINKERS", help_heading = "Computers")]
    thinkers: Option<usize>,
    /// Computer moves that may wait for a thread; others are retried [default: 20000]
    #[arg(long, env = "NOUGHTS_THINKERS_QUEUE", help_heading = "Computers")]
    thinkers_queue: Option<usize>,
    /// Time limit for a move of a computer player in milliseconds [default: 1000]
    #[arg(long, env = "NOUGHTS_THINK_MS", help_heading = "Computers")]
    think_ms: Option<u64>,
    /// Time limit for an analysis in milliseconds [default: 1000]
    #[arg(long, env = "NOUGHTS_ANALYSIS_MS", help_heading = "Computers")]
    analysis_ms: Option<u64>,
    /// Seconds until others can claim the win against an absent player, unless the game says otherwise [default: 60]
    #[arg(long, env = "NOUGHTS_AWAY_SECONDS", help_heading = "Games")]
    away_seconds: Option<u32>,
    /// Seconds without activity until a game is abandoned [default: 604800]
    #[arg(long, env = "NOUGHTS_ABANDON_SECONDS", help_heading = "Games")]
    abandon_seconds: Option<u32>,
    /// Seconds until an open game that nobody joins is abandoned [default: 86400]
    #[arg(long, env = "NOUGHTS_OPEN_SECONDS", help_heading = "Games")]
    open_seconds: Option<u32>,
    /// Milliseconds without a connection until a player counts as away [default: 5000]
    #[arg(long, env = "NOUGHTS_GRACE_MS", help_heading = "Games")]
    grace_ms: Option<u64>,
    /// Seconds without use until a game is unloaded from memory [default: 60]
    #[arg(long, env = "NOUGHTS_IDLE_SECONDS", help_heading = "Games")]
    idle_seconds: Option<u64>,
    /// Seconds that a player of a tournament has for the first move of a game [default: 30]
    #[arg(long, env = "NOUGHTS_FIRST_MOVE_SECONDS", help_heading = "Games")]
    first_move_seconds: Option<u32>,
    /// Seconds between the rounds of a tournament [default: 5]
    #[arg(long, env = "NOUGHTS_TOURNAMENT_BREAK_SECONDS", help_heading = "Games")]
    tournament_break_seconds: Option<u32>,
    /// Additional league for rated games with its rating system, such as club=elo
    #[arg(long = "league", value_name = "NAME=SYSTEM", env = "NOUGHTS_LEAGUES", value_delimiter = ',', help_heading = "Games")]
    leagues: Vec<String>,
    /// Rules that can be rated, such as 3x3 or connect4 [default: classic,ultimate,gomoku,connect4,qubic,misere,fade,notakto,order-and-chaos,score-four,gomoku-standard,swap2,renju,connect6]
    #[arg(long = "rated-rules", value_name = "RULES", env = "NOUGHTS_RATED_RULES", value_delimiter = ',', help_heading = "Games")]
    rated_rules: Vec<String>,
    /// Unfinished games per player [default: 50]
    #[arg(long, env = "NOUGHTS_GAMES_PER_PLAYER", help_heading = "Limits")]
    games_per_player: Option<u32>,
    /// Spectators per game on this server [default: 1000]
    #[arg(long, env = "NOUGHTS_WATCHERS_PER_GAME", help_heading = "Limits")]
    watchers_per_game: Option<usize>,
    /// WebSockets per client address [default: 100]
    #[arg(long, env = "NOUGHTS_SOCKETS_PER_ADDRESS", help_heading = "Limits")]
    sockets_per_address: Option<usize>,
    /// Seconds to begin a request and send its head, and again for its body [default: 30]
    #[arg(long, env = "NOUGHTS_REQUEST_SECONDS", help_heading = "Limits")]
    request_seconds: Option<u64>,
    /// Requests per second from one address, on average [default: 50]
    #[arg(long, env = "NOUGHTS_REQUESTS_PER_SECOND", help_heading = "Limits")]
    requests_per_second: Option<u32>,
    /// Commands per second from one player, on average [default: 20]
    #[arg(long, env = "NOUGHTS_COMMANDS_PER_SECOND", help_heading = "Limits")]
    commands_per_second: Option<u32>,
    /// Sign-ins, new accounts and new guests per minute from one address, on average [default: 30]
    #[arg(long, env = "NOUGHTS_SIGN_INS_PER_MINUTE", help_heading = "Limits")]
    sign_ins_per_minute: Option<u32>,
    /// Games that one player can create per day [default: 1000]
    #[arg(long, env = "NOUGHTS_GAMES_PER_DAY", help_heading = "Limits")]
    games_per_day: Option<u32>,
    /// Games that can be created from one address per day [default: 5000]
    #[arg(long, env = "NOUGHTS_GAMES_PER_ADDRESS_PER_DAY", help_heading = "Limits")]
    games_per_address_per_day: Option<u32>,
    /// Commands per day from one player [default: 100000]
    #[arg(long, env = "NOUGHTS_COMMANDS_PER_DAY", help_heading = "Limits")]
    commands_per_day: Option<u32>,
    /// Commands per day from one address [default: 1000000]
    #[arg(long, env = "NOUGHTS_COMMANDS_PER_ADDRESS_PER_DAY", help_heading = "Limits")]
    commands_per_address_per_day: Option<u32>,
    /// Sign-ins, new accounts and new guests per day from one address [default: 2000]
    #[arg(long, env = "NOUGHTS_SIGN_INS_PER_DAY", help_heading = "Limits")]
    sign_ins_per_day: Option<u32>,
    /// Days after which a game without a result is removed; 0 keeps it [default: 7]
    #[arg(long, env = "NOUGHTS_ABORTED_DAYS", help_heading = "Retention")]
    aborted_days: Option<u32>,
    /// Days without use after which a guest without games is removed; 0 keeps it [default: 30]
    #[arg(long, env = "NOUGHTS_UNUSED_GUEST_DAYS", help_heading = "Retention")]
    unused_guest_days: Option<u32>,
    /// Days after which a revoked token or an expired session is removed; 0 keeps it [default: 90]
    #[arg(long, env = "NOUGHTS_TOKEN_DAYS", help_heading = "Retention")]
    token_days: Option<u32>,
    /// Days after which a finished game is folded into one row; 0 does not [default: 30]
    #[arg(long, env = "NOUGHTS_FOLD_DAYS", help_heading = "Retention")]
    fold_days: Option<u32>,
    /// Days without use until a session of an account ends [default: 30]
    #[arg(long, env = "NOUGHTS_SESSION_DAYS", help_heading = "Accounts")]
    session_days: Option<u32>,
    /// Days until a session of an account ends in any case [default: 365]
    #[arg(long, env = "NOUGHTS_SESSION_MAX_DAYS", help_heading = "Accounts")]
    session_max_days: Option<u32>,
    /// Days without use until a guest is signed out [default: 180]
    #[arg(long, env = "NOUGHTS_GUEST_DAYS", help_heading = "Accounts")]
    guest_days: Option<u32>,
    /// Seconds to wait for connections and games on shutdown [default: 10]
    #[arg(long, env = "NOUGHTS_SHUTDOWN_SECONDS", help_heading = "Operation")]
    shutdown_seconds: Option<u64>,
    /// JSON file of puzzles to serve instead of the built-in ones, as `noughts puzzle make --json` writes it
    #[arg(long, value_name = "FILE", env = "NOUGHTS_PUZZLES", help_heading = "Games")]
    puzzles: Option<PathBuf>,
    /// Directory with the page, instead of the built-in one
    #[arg(long, value_name = "DIRECTORY", env = "NOUGHTS_PAGE", help_heading = "Operation")]
    page: Option<PathBuf>,
}

fn listen_address(text: &str) -> Result<SocketAddr, &'static str> {
    let local = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    let address = local.as_deref().unwrap_or(text).parse();
    address.map_err(|_| "expected an address and a port, such as 127.0.0.1:8000 or [::]:8000")
}

/// A setting with a fallback.
trait Setting {
    fn or(self, other: Self) -> Self;
}

impl<T> Setting for Option<T> {
    fn or(self, other: Self) -> Self {
        self.or(other)
    }
}

impl<T> Setting for Vec<T> {
    fn or(self, other: Self) -> Self {
        if self.is_empty() { other } else { self }
    }
}

impl Config {
    /// The address to listen on.
    #[must_use]
    pub fn listen(&self) -> SocketAddr {
        self.listen.unwrap_or(SocketAddr::from((Ipv4Addr::LOCALHOST, 8000)))
    }

    /// Threads for computer players. By default half of the processors, so that the others serve.
    #[must_use]
    pub fn thinkers(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.thinkers.unwrap_or_else(|| cores() / 2).max(1)
    }

    pub(crate) fn thinkers_queue(&self) -> usize {
        self.thinkers_queue.unwrap_or(20_000)
    }

    /// The puzzles to serve.
    pub(crate) fn puzzles(&self) -> Result<Puzzles, String> {
        self.puzzles.as_deref().map_or_else(|| Ok(Puzzles::default()), Puzzles::read)
    }

    pub(crate) fn think_time(&self) -> Duration {
        Duration::from_millis(self.think_ms.unwrap_or(1_000))
    }

    pub(crate) fn analysis_time(&self) -> Duration {
        Duration::from_millis(self.analysis_ms.unwrap_or(1_000))
    }

    pub(crate) fn away_ms(&self) -> i64 {
        i64::from(self.away_seconds.unwrap_or(60)) * 1_000
    }

    pub(crate) fn first_move_ms(&self) -> i64 {
        i64::from(self.first_move_seconds.unwrap_or(30)) * 1_000
    }

    pub(crate) fn tournament_break_ms(&self) -> i64 {
        i64::from(self.tournament_break_seconds.unwrap_or(5)) * 1_000
    }

    pub(crate) fn abandon_ms(&self) -> i64 {
        i64::from(self.abandon_seconds.unwrap_or(7 * 24 * 3600)) * 1_000
    }

    pub(crate) fn open_ms(&self) -> i64 {
        i64::from(self.open_seconds.unwrap_or(24 * 3600)) * 1_000
    }

    pub(crate) fn grace(&self) -> Duration {
        Duration::from_millis(self.grace_ms.unwrap_or(5_000))
    }

    pub(crate) fn idle_after(&self) -> Duration {
        Duration::from_secs(self.idle_seconds.unwrap_or(60))
    }

    pub(crate) fn games_per_player(&self) -> u32 {
        self.games_per_player.unwrap_or(50)
    }

    pub(crate) fn watchers_per_game(&self) -> usize {
        self.watchers_per_game.unwrap_or(1_000)
    }

    pub(crate) fn sockets_per_address(&self) -> usize {
        self.sockets_per_address.unwrap_or(100)
    }

    pub(crate) fn request_time(&self) -> Duration {
        Duration::from_secs(self.request_seconds.unwrap_or(30))
    }

    pub(crate) fn requests_per_second(&self) -> u32 {
        self.requests_per_second.unwrap_or(50)
    }

    pub(crate) fn commands_per_second(&self) -> u32 {
        self.commands_per_second.unwrap_or(20)
    }

    pub(crate) fn sign_ins_per_minute(&self) -> u32 {
        self.sign_ins_per_minute.unwrap_or(30)
    }

    pub(crate) fn games_per_day(&self) -> u32 {
        self.games_per_day.unwrap_or(1_000)
    }

    pub(crate) fn games_per_address_per_day(&self) -> u32 {
        self.games_per_address_per_day.unwrap_or(5_000)
    }

    pub(crate) fn commands_per_day(&self) -> u32 {
        self.commands_per_day.unwrap_or(100_000)
    }

    pub(crate) fn commands_per_address_per_day(&self) -> u32 {
        self.commands_per_address_per_day.unwrap_or(1_000_000)
    }

    pub(crate) fn sign_ins_per_day(&self) -> u32 {
        self.sign_ins_per_day.unwrap_or(2_000)
    }

    pub(crate) fn aborted_days(&self) -> u32 {
        self.aborted_days.unwrap_or(7)
    }

    pub(crate) fn unused_guest_days(&self) -> u32 {
        self.unused_guest_days.unwrap_or(30)
    }

    pub(crate) fn token_days(&self) -> u32 {
        self.token_days.unwrap_or(90)
    }

    pub(crate) fn fold_days(&self) -> u32 {
        self.fold_days.unwrap_or(30)
    }

    pub(crate) fn session_days(&self) -> u32 {
        self.session_days.unwrap_or(30)
    }

    pub(crate) fn session_max_days(&self) -> u32 {
        self.session_max_days.unwrap_or(365)
    }

    pub(crate) fn guest_days(&self) -> u32 {
        self.guest_days.unwrap_or(180)
    }

    /// How long to wait for connections and games on shutdown.
    #[must_use]
    pub fn shutdown_time(&self) -> Duration {
        Duration::from_secs(self.shutdown_seconds.unwrap_or(10))
    }

    /// The configured league with this name.
    #[must_use]
    pub fn league(&self, name: &str) -> Option<LeagueChoice> {
        let system = match kind_title(name) {
            // These games may have more than two players.
            Some(_) if name == OTHER_KIND => System::WengLin,
            Some(_) => System::Glicko2,
            None => self.leagues.iter().find_map(|text| {
                let (own, system) = text.split_once('=')?;
                if own == name { system.parse().ok() } else { None }
            })?,
        };
        Some(LeagueChoice { name: name.into(), system })
    }

    /// The league of a kind of game.
    pub(crate) fn league_of(&self, rules: &Rules) -> LeagueChoice {
        self.league(kind(rules)).expect("every kind of game has a league")
    }

    /// Whether a league exists without being configured: that of a kind of game.
    pub(crate) fn is_built_in(&self, league: &str) -> bool {
        kind_title(league).is_some()
    }

    /// The rules that can be rated.
    pub(crate) fn rated_rules(&self) -> Result<Vec<Rules>, ParseRulesError> {
        let default = || RATED_RULES.split(',').map(str::parse).collect();
        match self.rated_rules.as_slice() {
            [] => default(),
            own => own.iter().map(|text| text.trim().parse()).collect(),
        }
    }

    /// The leagues for rated games: those of the kinds of games, and those configured.
    pub fn leagues(&self) -> impl Iterator<Item = LeagueChoice> {
        let own = self.leagues.iter().filter_map(|text| text.split_once('='));
        let own = own.filter_map(|(name, _)| self.league(name));
        kinds().filter_map(|name| self.league(name)).chain(own)
    }

    /// Checks that every setting is valid.
    pub fn check(&self) -> Result<(), String> {
        let url = self.database.as_deref().unwrap_or("postgres://");
        if !["postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme)) {
            return Err("database: expected an address such as postgres://HOST/DATABASE".into());
        }
        for text in &self.leagues {
            let Some((name, system)) = text.split_once('=') else {
                return Err(format!("league `{text}`: expected NAME=SYSTEM such as club=elo"));
            };
            let fits = (1..=64).contains(&name.chars().count()) && name.trim() == name;
            if !fits || name.chars().any(char::is_control) {
                return Err(format!("league `{text}`: expected a name of 1 to 64 characters"));
            }
            system.parse::<System>().map_err(|error| format!("league `{text}`: {error}"))?;
            if self.is_built_in(name) || LEGACY_LEAGUES.contains(&name) {
                return Err(format!("league `{text}`: the league {name} is built in"));
            }
            let same_name = self
                .leagues
                .iter()
                .filter(|other| other.split_once('=').is_some_and(|(other, _)| other == name));
            if same_name.count() > 1 {
                return Err(format!("league `{text}`: this league is configured twice"));
            }
        }
        self.rated_rules().map_err(|error| format!("rated_rules: {error}"))?;
        for origin in &self.origins {
            let is_valid = origin.parse::<Uri>().is_ok_and(|uri| {
                uri.scheme().is_some() && uri.authority().is_some() && !origin.ends_with('/')
            });
            if !is_valid || origin.matches('/').count() > 2 {
                return Err(format!(
                    "origin `{origin}`: expected an origin such as https://noughts.example"
                ));
            }
        }
        self.puzzles().map_err(|error| format!("puzzles: {error}"))?;
        let number = |setting: Option<u32>| setting.map(u64::from);
        let size = |setting: Option<usize>| setting.map(|size| size as u64);
        let numbers = [
            ("thinkers", size(self.thinkers), 1..=1_000),
            ("thinkers_queue", size(self.thinkers_queue), 1..=1_000_000),
            ("think_ms", self.think_ms, 1..=HOUR_SECONDS * 1_000),
            ("analysis_ms", self.analysis_ms, 1..=HOUR_SECONDS * 1_000),
            ("grace_ms", self.grace_ms, 0..=HOUR_SECONDS * 1_000),
            ("idle_seconds", self.idle_seconds, 0..=YEAR_SECONDS),
            ("first_move_seconds", number(self.first_move_seconds), 5..=HOUR_SECONDS),
            ("tournament_break_seconds", number(self.tournament_break_seconds), 0..=HOUR_SECONDS),
            ("games_per_player", number(self.games_per_player), 1..=1_000_000),
            ("request_seconds", self.request_seconds, 1..=HOUR_SECONDS),
            ("requests_per_second", number(self.requests_per_second), 1..=MAX_RATE),
            ("commands_per_second", number(self.commands_per_second), 1..=MAX_RATE),
            ("sign_ins_per_minute", number(self.sign_ins_per_minute), 1..=MAX_RATE),
            ("games_per_day", number(self.games_per_day), 1..=MAX_RATE),
            ("games_per_address_per_day", number(self.games_per_address_per_day), 1..=MAX_RATE),
            ("commands_per_day", number(self.commands_per_day), 1..=MAX_RATE),
            (
                "commands_per_address_per_day",
                number(self.commands_per_address_per_day),
                1..=MAX_RATE,
            ),
            ("sign_ins_per_day", number(self.sign_ins_per_day), 1..=MAX_RATE),
            ("aborted_days", number(self.aborted_days), 0..=MAX_DAYS),
            ("unused_guest_days", number(self.unused_guest_days), 0..=MAX_DAYS),
            ("token_days", number(self.token_days), 0..=MAX_DAYS),
            ("fold_days", number(self.fold_days), 0..=MAX_DAYS),
            ("session_days", number(self.session_days), 1..=MAX_DAYS),
            ("session_max_days", number(self.session_max_days), 1..=MAX_DAYS),
            ("guest_days", number(self.guest_days), 1..=MAX_DAYS),
            ("shutdown_seconds", self.shutdown_seconds, 0..=HOUR_SECONDS),
        ];
        for (name, number, range) in numbers {
            if number.is_some_and(|number| !range.contains(&number)) {
                let (min, max) = range.into_inner();
                return Err(format!("{name}: expected a number from {min} to {max}"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_override_file_and_defaults() {
        let flags = Config { think_ms: Some(5), ..Config::default() };
        let file: Config = toml::from_str(
            "think_ms = 7\nthinkers = 3\nlisten = \"[::1]:9\"\norigins = [\"https://a.example\"]",
        )
        .unwrap();
        let config = flags.or(file);
        assert_eq!(config.think_time(), Duration::from_millis(5));
        assert_eq!((config.thinkers(), config.listen().port()), (3, 9));
        assert_eq!((config.origins.len(), config.games_per_player()), (1, 50));
    }

    #[test]
    fn leagues_have_names_and_systems() {
        let leagues = Config { leagues: vec!["club=elo".into()], ..Config::default() };
        assert_eq!(leagues.check(), Ok(()));
        assert_eq!(leagues.league("club").unwrap().system, System::Elo);
        assert_eq!(leagues.league("gomoku").unwrap().system, System::Glicko2);
        assert_eq!(leagues.league("other").unwrap().system, System::WengLin);
        assert_eq!(leagues.league("pub"), None);
        for text in ["club", "=elo", "club=chess", "online=elo", "gomoku=elo"] {
            let wrong = Config { leagues: vec![text.into()], ..Config::default() };
            assert!(wrong.check().unwrap_err().starts_with("league `"), "{text}");
        }
    }

    #[test]
    fn invalid_settings_are_refused() {
        for wrong in [
            "leagues = [\"club=elo\", \"club=wins\"]",
            "origins = [\"foo\"]",
            "origins = [\"https://a.example/page\"]",
            "origins = [\"https://a.example/\"]",
            "rated_rules = [\"3x3\", \"chess\"]",
            "games_per_player = 0",
            "idle_seconds = 9223372036854775807",
            "think_ms = 0",
            "thinkers = 1000000",
        ] {
            assert!(toml::from_str::<Config>(wrong).unwrap().check().is_err(), "{wrong}");
        }
        assert_eq!(listen_address("localhost:80"), Ok("127.0.0.1:80".parse().unwrap()));
        assert!(listen_address("80").unwrap_err().starts_with("expected an address"));
        let wrong = toml::from_str::<Config>("thinker = 3").unwrap_err();
        assert!(wrong.to_string().contains("unknown field `thinker`"), "{wrong}");
    }

    #[test]
    fn first_players_rarely_win_rated_games_easily() {
        let rated = Config::default().rated_rules().unwrap();
        let is_rated = |text: &str| rated.contains(&text.parse().unwrap());
        assert!(is_rated("3x3") && is_rated("15x15:5+swap2") && is_rated("connect4"));
        assert!(!is_rated("3x3:1") && !is_rated("3d") && !is_rated("wild") && !is_rated("5x5:3"));
    }

    #[test]
    fn help_states_the_defaults() {
        let config = Config::default();
        let seconds = |ms: i64| (ms / 1_000).to_string();
        let millis = |time: Duration| time.as_millis().to_string();
        let defaults = [
            ("listen", config.listen().to_string()),
            ("thinkers_queue", config.thinkers_queue().to_string()),
            ("think_ms", millis(config.think_time())),
            ("analysis_ms", millis(config.analysis_time())),
            ("away_seconds", seconds(config.away_ms())),
            ("abandon_seconds", seconds(config.abandon_ms())),
            ("open_seconds", seconds(config.open_ms())),
            ("grace_ms", millis(config.grace())),
            ("idle_seconds", config.idle_after().as_secs().to_string()),
            ("first_move_seconds", seconds(config.first_move_ms())),
            ("tournament_break_seconds", seconds(config.tournament_break_ms())),
            ("rated_rules", RATED_RULES.to_string()),
            ("games_per_player", config.games_per_player().to_string()),
            ("watchers_per_game", config.watchers_per_game().to_string()),
            ("sockets_per_address", config.sockets_per_address().to_string()),
            ("request_seconds", config.request_time().as_secs().to_string()),
            ("requests_per_second", config.requests_per_second().to_string()),
            ("commands_per_second", config.commands_per_second().to_string()),
            ("sign_ins_per_minute", config.sign_ins_per_minute().to_string()),
            ("games_per_day", config.games_per_day().to_string()),
            ("games_per_address_per_day", config.games_per_address_per_day().to_string()),
            ("commands_per_day", config.commands_per_day().to_string()),
            ("commands_per_address_per_day", config.commands_per_address_per_day().to_string()),
            ("sign_ins_per_day", config.sign_ins_per_day().to_string()),
            ("aborted_days", config.aborted_days().to_string()),
            ("unused_guest_days", config.unused_guest_days().to_string()),
            ("token_days", config.token_days().to_string()),
            ("fold_days", config.fold_days().to_string()),
            ("session_days", config.session_days().to_string()),
            ("session_max_days", config.session_max_days().to_string()),
            ("guest_days", config.guest_days().to_string()),
            ("shutdown_seconds", config.shutdown_time().as_secs().to_string()),
        ];
        let command = <Config as clap::Args>::augment_args(clap::Command::new("serve"));
        for (name, default) in defaults {
            let mut arguments = command.get_arguments();
            let help = arguments.find(|argument| argument.get_id() == name).unwrap().get_help();
            let help = help.unwrap().to_string();
            assert!(help.ends_with(&format!("[default: {default}]")), "{name}: {help}");
        }
    }
}
