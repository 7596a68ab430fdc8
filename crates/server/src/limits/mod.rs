//! Rate limits and quotas, per address and per identity.

mod daily;
mod guesses;
mod quota;
mod semaphore;

use daily::DailyLimits;
use guesses::Guesses;
pub(crate) use quota::{GamePermit, GameQuota};
pub(crate) use semaphore::{KeyedSemaphore, Permit};

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::Arc;

use axum::http::HeaderMap;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use noughts_store::{IdentityId, StoreError};

use crate::config::Config;

/// Browsers keep several connections for requests beside each WebSocket.
const CONNECTIONS_PER_SOCKET: usize = 10;

/// Analyses of one address that may wait or run. The queue is longer, so that one address can't fill
/// it.
const ANALYSES_PER_ADDRESS: usize = 4;

const EMOTES_PER_MINUTE: u32 = 20;

const EMOTES_AT_ONCE: u32 = 4;

/// Counts a socket, connection or analysis of an address until it is dropped.
pub(crate) type AddressPermit = Permit<IpAddr>;

/// Why a limit refuses something.
#[derive(Debug)]
pub(crate) enum LimitError {
    /// The rate is too high: retry after this many seconds.
    TooFast(u64),
    /// A day's worth of something is used up: retry after this many seconds.
    DayUsedUp {
        what: &'static str,
        seconds: u64,
    },
    /// There are too many at the same time: the message says of what.
    TooMany(&'static str),
    Store(StoreError),
}

impl From<StoreError> for LimitError {
    fn from(error: StoreError) -> LimitError {
        LimitError::Store(error)
    }
}

pub(crate) struct Limits {
    requests: DefaultKeyedRateLimiter<IpAddr>,
    sign_ins: DefaultKeyedRateLimiter<IpAddr>,
    pub(crate) guesses: Guesses,
    commands: DefaultKeyedRateLimiter<IdentityId>,
    emotes: DefaultKeyedRateLimiter<IdentityId>,
    daily: DailyLimits,
    analyses: DefaultKeyedRateLimiter<IpAddr>,
    running_analyses: Arc<KeyedSemaphore<IpAddr>>,
    sockets: Arc<KeyedSemaphore<IpAddr>>,
    sockets_per_address: usize,
    connections: Arc<KeyedSemaphore<IpAddr>>,
    connections_per_address: usize,
    proxies: Vec<IpAddr>,
    clock: DefaultClock,
}

impl Limits {
    pub(crate) fn new(config: &Config) -> Limits {
        let number = |n: u32| NonZeroU32::new(n).unwrap_or(NonZeroU32::MIN);
        // Pages load in short bursts.
        let second = |n: u32| Quota::per_second(number(n)).allow_burst(number(n.saturating_mul(4)));
        let sockets_per_address = config.sockets_per_address();
        Limits {
            requests: RateLimiter::keyed(second(config.requests_per_second())),
            sign_ins: RateLimiter::keyed(Quota::per_minute(number(config.sign_ins_per_minute()))),
            guesses: Guesses::default(),
            commands: RateLimiter::keyed(second(config.commands_per_second())),
            emotes: RateLimiter::keyed(
                Quota::per_minute(number(EMOTES_PER_MINUTE)).allow_burst(number(EMOTES_AT_ONCE)),
            ),
            daily: DailyLimits::new(config),
            analyses: RateLimiter::keyed(Quota::per_second(number(2)).allow_burst(number(40))),
            running_analyses: Arc::default(),
            sockets: Arc::default(),
            sockets_per_address,
            connections: Arc::default(),
            connections_per_address: sockets_per_address.saturating_mul(CONNECTIONS_PER_SOCKET),
            proxies: config.proxies.clone(),
            clock: DefaultClock::default(),
        }
    }

    pub(crate) fn check_request(&self, client: ClientAddress) -> Result<(), LimitError> {
        self.check(self.requests.check_key(&client.0))
    }

    /// Counts an attempt to sign in or to create an identity.
    pub(crate) fn check_sign_in(&self, client: ClientAddress) -> Result<(), LimitError> {
        self.check(self.sign_ins.check_key(&client.0))?;
        self.daily.check_sign_in(client.0)
    }

    /// Counts a command of an identity, over all its connections.
    pub(crate) fn check_command(
        &self,
        client: ClientAddress,
        identity: IdentityId,
    ) -> Result<(), LimitError> {
        self.check(self.commands.check_key(&identity))?;
        self.daily.check_command(identity, client.0)
    }

    /// Counts an emote of an identity.
    pub(crate) fn check_emote(&self, identity: IdentityId) -> Result<(), LimitError> {
        self.check(self.emotes.check_key(&identity))
    }

    /// Counts a game that an identity is about to create with some moves that are given.
    pub(crate) fn check_new_game(
        &self,
        client: ClientAddress,
        identity: IdentityId,
        given_moves: usize,
    ) -> Result<(), LimitError> {
        self.check(self.commands.check_key(&identity))?;
        self.daily.check_new_game(identity, client.0, given_moves)
    }

    /// Counts a command that came in a message, which was counted before.
    pub(crate) fn check_message_command(
        &self,
        identity: IdentityId,
        socket: &AddressPermit,
    ) -> Result<(), LimitError> {
        self.daily.check_command(identity, socket.key)
    }

    /// Counts a message from a socket: for its identity, or for its address if it has none.
    pub(crate) fn check_message(
        &self,
        identity: Option<IdentityId>,
        socket: &AddressPermit,
    ) -> Result<(), LimitError> {
        self.check(match identity {
            Some(identity) => self.commands.check_key(&identity),
            None => self.requests.check_key(&socket.key),
        })
    }

    pub(crate) fn start_analysis(
        &self,
        client: ClientAddress,
    ) -> Result<AddressPermit, LimitError> {
        let Some(permit) = self.running_analyses.try_acquire(client.0, ANALYSES_PER_ADDRESS) else {
            count_refusal();
            return Err(LimitError::TooMany("too many analyses are running: wait for them"));
        };
        self.check(self.analyses.check_key(&client.0))?;
        Ok(permit)
    }

    pub(crate) fn open_socket(&self, client: ClientAddress) -> Result<AddressPermit, LimitError> {
        let too_many = LimitError::TooMany("too many connections from your address");
        self.sockets.try_acquire(client.0, self.sockets_per_address).ok_or(too_many)
    }

    /// Counts a TCP connection, or refuses it. Proxies have no limit.
    pub(crate) fn open_connection(&self, peer: IpAddr) -> Option<AddressPermit> {
        let peer = peer.to_canonical();
        let is_proxy = self.proxies.contains(&peer);
        let max = if is_proxy { usize::MAX } else { self.connections_per_address };
        let permit = self.connections.try_acquire(network(peer), max);
        if permit.is_none() {
            count_refusal();
        }
        permit
    }

    /// Drops the state of clients that have not come for a while.
    pub(crate) fn evict_idle(&self) {
        self.requests.retain_recent();
        self.sign_ins.retain_recent();
        self.commands.retain_recent();
        self.emotes.retain_recent();
        self.analyses.retain_recent();
        self.daily.evict_idle();
    }

    fn check(
        &self,
        outcome: Result<(), governor::NotUntil<<DefaultClock as Clock>::Instant>>,
    ) -> Result<(), LimitError> {
        outcome.map_err(|until| {
            count_refusal();
            LimitError::TooFast(until.wait_time_from(self.clock.now()).as_secs() + 1)
        })
    }

    /// Whether the client of a request uses HTTPS, as a configured proxy says. Of several entries, the
    /// first one is about the client itself.
    pub(crate) fn is_https(&self, peer: IpAddr, headers: &HeaderMap) -> bool {
        let scheme = headers.get("x-forwarded-proto").and_then(|value| value.to_str().ok());
        let scheme = scheme.and_then(|text| text.split(',').next()).unwrap_or_default();
        self.proxies.contains(&peer.to_canonical()) && scheme.trim().eq_ignore_ascii_case("https")
    }

    /// The client of a request. `X-Forwarded-For` is trusted from configured proxies only, from
    /// right to left up to the first address that is not a proxy. An unreadable entry ends the search:
    /// the client may have invented those before it.
    pub(crate) fn client_address(&self, peer: IpAddr, headers: &HeaderMap) -> ClientAddress {
        let peer = peer.to_canonical();
        let mut address = peer;
        if self.proxies.contains(&peer) {
            let values = headers.get_all("x-forwarded-for").iter().rev();
            for text in values.flat_map(|value| value.as_bytes().rsplit(|byte| *byte == b',')) {
                let text = str::from_utf8(text).unwrap_or_default();
                match text.trim().parse::<IpAddr>() {
                    Ok(named) => address = named.to_canonical(),
                    Err(_) => break,
                }
                if !self.proxies.contains(&address) {
                    break;
                }
            }
        }
        ClientAddress(network(address))
    }
}

fn count_refusal() {
    metrics::counter!("noughts_limited_total").increment(1);
}

/// IPv6 customers get a whole /64 network, which counts as one address.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

/// The address to which a request counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClientAddress(pub(crate) IpAddr);

impl fmt::Display for ClientAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn check(proxies: &[&str], peer: &str, forwarded: &[&str], expected: &str) {
        let proxies = proxies.iter().map(|text| text.parse().unwrap()).collect();
        let limits = Limits::new(&Config { proxies, ..Config::default() });
        let mut headers = HeaderMap::new();
        for value in forwarded {
            let value = HeaderValue::from_bytes(value.as_bytes()).unwrap();
            headers.append("x-forwarded-for", value);
        }
        let address = limits.client_address(peer.parse().unwrap(), &headers);
        assert_eq!(address.0, expected.parse::<IpAddr>().unwrap());
    }

    #[test]
    fn forwarded_addresses_trusted_from_proxies_only() {
        check(&[], "9.9.9.9", &["1.1.1.1"], "9.9.9.9");
        check(&["10.0.0.1"], "9.9.9.9", &["1.1.1.1"], "9.9.9.9");
        check(&["10.0.0.1"], "10.0.0.1", &["1.1.1.1"], "1.1.1.1");
        check(&["10.0.0.1"], "10.0.0.1", &["6.6.6.6, 1.1.1.1"], "1.1.1.1");
        check(&["10.0.0.1"], "10.0.0.1", &["6.6.6.6", "1.1.1.1"], "1.1.1.1");
        check(&["10.0.0.1", "10.0.0.2"], "10.0.0.1", &["1.1.1.1, 10.0.0.2"], "1.1.1.1");
        check(&["10.0.0.1"], "10.0.0.1", &["6.6.6.6, rubbish"], "10.0.0.1");
        check(&["10.0.0.1"], "10.0.0.1", &["6.6.6.6", "ümlaut"], "10.0.0.1");
        check(&["10.0.0.1"], "10.0.0.1", &["6.6.6.6, ümlaut"], "10.0.0.1");
        check(&["10.0.0.1"], "10.0.0.1", &["6.6.6.6", "ümlaut, 1.1.1.1"], "1.1.1.1");
        check(&["10.0.0.1"], "::ffff:10.0.0.1", &["1.1.1.1"], "1.1.1.1");
        check(&[], "2001:db8:1:2:3:4:5:6", &[], "2001:db8:1:2::");
    }

    #[test]
    fn https_believed_from_proxies_only() {
        let proxies = vec!["10.0.0.1".parse().unwrap()];
        let limits = Limits::new(&Config { proxies, ..Config::default() });
        let is_https = |peer: &str, scheme: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("x-forwarded-proto", scheme.parse().unwrap());
            limits.is_https(peer.parse().unwrap(), &headers)
        };
        assert!(is_https("10.0.0.1", "https") && is_https("10.0.0.1", "HTTPS, http"));
        assert!(!is_https("10.0.0.1", "http") && !is_https("9.9.9.9", "https"));
        assert!(!limits.is_https("10.0.0.1".parse().unwrap(), &HeaderMap::new()));
    }

    #[test]
    fn commands_and_messages_share_a_limit() {
        let limits = Limits::new(&Config { commands_per_second: Some(1), ..Config::default() });
        let [ann, bob] = [1, 2].map(IdentityId);
        let socket = limits.open_socket(ClientAddress("1.1.1.1".parse().unwrap())).ok().unwrap();
        let client = ClientAddress("1.1.1.1".parse().unwrap());
        let command = || limits.check_command(client, ann).is_ok();
        let message = || limits.check_message(Some(ann), &socket).is_ok();
        assert!(command() && message() && command() && message());
        assert!(!command() && !message());
        assert!(limits.check_command(client, bob).is_ok());
        limits.evict_idle();
        assert!(!command(), "limits in use are kept");
    }

    #[test]
    fn open_sockets_count_per_address() {
        let limits = Limits::new(&Config { sockets_per_address: Some(1), ..Config::default() });
        let address = ClientAddress("1.1.1.1".parse().unwrap());
        let open = limits.open_socket(address).unwrap_or_else(|_| panic!("the first"));
        assert!(limits.open_socket(address).is_err());
        assert!(limits.open_socket(ClientAddress("2.2.2.2".parse().unwrap())).is_ok());
        drop(open);
        assert!(limits.open_socket(address).is_ok());
    }

    #[test]
    fn analyses_limited_by_number_and_rate() {
        let limits = Limits::new(&Config::default());
        let [one, other] = ["1.1.1.1", "2.2.2.2"].map(|text| ClientAddress(text.parse().unwrap()));
        let mut running: Vec<_> =
            (0..ANALYSES_PER_ADDRESS).map(|_| limits.start_analysis(one).ok().unwrap()).collect();
        assert!(matches!(limits.start_analysis(one), Err(LimitError::TooMany(_))));
        assert!(limits.start_analysis(other).is_ok());
        running.pop();
        assert!(limits.start_analysis(one).is_ok());
        running.clear();
        let refused = (0..10_000).find_map(|_| limits.start_analysis(one).err());
        assert!(matches!(refused, Some(LimitError::TooFast(_))));
    }
}
