//! How much one address or one identity may ask for.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter};
use noughts_store::IdentityId;

use super::error::ApiError;
use crate::app::App;
use crate::config::Config;
use crate::counted::{self, Counts};

/// Browsers keep several connections for requests beside each WebSocket.
const CONNECTIONS_PER_SOCKET: usize = 10;

/// How many analyses of one address may wait or be computed at a time. The queue is longer, so that
/// one address does not take it from all others.
const ANALYSES_PER_ADDRESS: usize = 4;

/// How long an allowance is kept that nobody has asked for. It is a whole one again by then.
const KEPT: Duration = Duration::from_secs(10);

/// How many commands someone may send, over all their connections.
pub(crate) type Allowance = Arc<DefaultDirectRateLimiter>;

/// What is counted, and where it ends.
pub(crate) struct Limits {
    requests: DefaultKeyedRateLimiter<IpAddr>,
    sign_ins: DefaultKeyedRateLimiter<IpAddr>,
    /// Everyone's, and when somebody last asked for it. Sockets keep theirs: they hear so much.
    allowances: Mutex<HashMap<IdentityId, (Allowance, Instant)>>,
    allowed: Quota,
    analyses: DefaultKeyedRateLimiter<IpAddr>,
    analyses_under_way: Arc<Counts<IpAddr>>,
    sockets: Arc<Counts<IpAddr>>,
    sockets_per_address: usize,
    connections: Arc<Counts<IpAddr>>,
    connections_per_address: usize,
    proxies: Vec<IpAddr>,
    clock: DefaultClock,
}

impl Limits {
    pub(crate) fn new(config: &Config) -> Limits {
        let number = |n: u32| NonZeroU32::new(n).unwrap_or(NonZeroU32::MIN);
        // Short bursts are how people and pages use a server.
        let second = |n: u32| Quota::per_second(number(n)).allow_burst(number(n.saturating_mul(4)));
        let sockets_per_address = config.sockets_per_address();
        Limits {
            requests: RateLimiter::keyed(second(config.requests_per_second())),
            sign_ins: RateLimiter::keyed(Quota::per_minute(number(config.sign_ins_per_minute()))),
            allowances: Mutex::default(),
            allowed: second(config.commands_per_second()),
            analyses: RateLimiter::keyed(Quota::per_second(number(2)).allow_burst(number(40))),
            analyses_under_way: Arc::default(),
            sockets: Arc::default(),
            sockets_per_address,
            connections: Arc::default(),
            connections_per_address: sockets_per_address.saturating_mul(CONNECTIONS_PER_SOCKET),
            proxies: config.proxies.clone(),
            clock: DefaultClock::default(),
        }
    }

    /// Counts an attempt to sign in, or to become someone.
    pub(crate) fn sign_in(&self, address: Address) -> Result<(), ApiError> {
        self.check(self.sign_ins.check_key(&address.0))
    }

    fn allowances(&self) -> MutexGuard<'_, HashMap<IdentityId, (Allowance, Instant)>> {
        self.allowances.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Someone's allowance of commands.
    pub(crate) fn allowance(&self, identity: IdentityId) -> Allowance {
        let now = Instant::now();
        let mut allowances = self.allowances();
        let whole = || (Arc::new(RateLimiter::direct(self.allowed)), now);
        let (allowance, asked) = allowances.entry(identity).or_insert_with(whole);
        *asked = now;
        allowance.clone()
    }

    /// Counts a command of someone.
    pub(crate) fn command(&self, identity: IdentityId) -> Result<(), ApiError> {
        self.check(self.allowance(identity).check())
    }

    /// Counts a message that came over a socket: for whoever sent it, or for where it came from if
    /// they do not say who they are.
    pub(crate) fn message(
        &self,
        allowance: Option<&Allowance>,
        socket: &Counted,
    ) -> Result<(), ApiError> {
        self.check(match allowance {
            Some(allowance) => allowance.check(),
            None => self.requests.check_key(&socket.whose),
        })
    }

    /// Counts an analysis, as one that is under way for as long as the answer is kept.
    pub(crate) fn analysis(&self, address: Address) -> Result<Counted, ApiError> {
        let counted = self.analyses_under_way.count(address.0, ANALYSES_PER_ADDRESS);
        let Some(counted) = counted else {
            metrics::counter!("noughts_limited_total").increment(1);
            return Err(ApiError::TooMany(
                "too many analyses of your address are under way: wait for them",
            ));
        };
        self.check(self.analyses.check_key(&address.0))?;
        Ok(counted)
    }

    /// Counts a socket for as long as the answer is kept.
    pub(crate) fn socket(&self, address: Address) -> Result<Counted, ApiError> {
        let too_many = ApiError::TooMany("there are too many connections from your address");
        self.sockets.count(address.0, self.sockets_per_address).ok_or(too_many)
    }

    /// Counts a connection on which requests may come for as long as the answer is kept. There is
    /// none where there are too many, which for a proxy there never are.
    pub(crate) fn connection(&self, peer: IpAddr) -> Option<Counted> {
        let peer = peer.to_canonical();
        let is_proxy = self.proxies.contains(&peer);
        let most = if is_proxy { usize::MAX } else { self.connections_per_address };
        let counted = self.connections.count(network(peer), most);
        if counted.is_none() {
            metrics::counter!("noughts_limited_total").increment(1);
        }
        counted
    }

    /// Forgets those who have not come for a while.
    pub(crate) fn tidy(&self) {
        self.requests.retain_recent();
        self.sign_ins.retain_recent();
        self.allowances().retain(|_, (allowance, asked)| {
            if Arc::strong_count(allowance) > 1 {
                *asked = Instant::now();
            }
            asked.elapsed() < KEPT
        });
        self.analyses.retain_recent();
    }

    fn check(
        &self,
        outcome: Result<(), governor::NotUntil<<DefaultClock as Clock>::Instant>>,
    ) -> Result<(), ApiError> {
        outcome.map_err(|until| {
            metrics::counter!("noughts_limited_total").increment(1);
            ApiError::TooFast(until.wait_time_from(self.clock.now()).as_secs() + 1)
        })
    }

    /// Whose request it is. What a header says of that is believed from configured proxies only,
    /// and only up to the first address that is not one of them. What can't be read ends the search:
    /// what stands before it may be the sender's invention.
    fn address(&self, peer: IpAddr, headers: &HeaderMap) -> Address {
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
        Address(network(address))
    }
}

/// One customer has a whole network of 64 bits, so those count as one.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

/// Where a request comes from, as far as limits are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Address(IpAddr);

impl<S: Send + Sync> FromRequestParts<S> for Address {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        // The layer below has put it there.
        parts.extensions.get::<Address>().copied().ok_or(ApiError::Unavailable)
    }
}

/// Something of an address that is counted as long as it is there.
pub(crate) type Counted = counted::Counted<IpAddr>;

/// Counts every request of an address.
pub(crate) async fn count(
    State(app): State<Arc<App>>,
    mut request: Request,
    next: Next,
) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |peer| peer.0.ip());
    let address = app.limits.address(peer, request.headers());
    if let Err(error) = app.limits.check(app.limits.requests.check_key(&address.0)) {
        return error.into_response();
    }
    request.extensions_mut().insert(address);
    next.run(request).await
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
        let address = limits.address(peer.parse().unwrap(), &headers);
        assert_eq!(address.0, expected.parse::<IpAddr>().unwrap());
    }

    #[test]
    fn forwarded_addresses_are_believed_from_proxies_only() {
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
    fn an_allowance_is_one_however_it_is_used_and_is_forgotten_when_nobody_does() {
        let limits = Limits::new(&Config { commands_per_second: Some(1), ..Config::default() });
        let [ann, bob] = [1, 2].map(IdentityId);
        let socket = limits.socket(Address("1.1.1.1".parse().unwrap())).ok().unwrap();
        let allowance = limits.allowance(ann);
        for round in 0..4 {
            let counted = if round % 2 == 0 {
                limits.command(ann)
            } else {
                limits.message(Some(&allowance), &socket)
            };
            assert!(counted.is_ok(), "{round}");
        }
        assert!(limits.command(ann).is_err() && limits.message(Some(&allowance), &socket).is_err());
        assert!(limits.command(bob).is_ok());
        let long_ago = Instant::now() - KEPT;
        limits.allowances().values_mut().for_each(|(_, asked)| *asked = long_ago);
        limits.tidy();
        let known = limits.allowances().keys().copied().collect::<Vec<_>>();
        assert_eq!(known, [ann], "a socket has Ann's");
        drop(allowance);
        limits.tidy();
        assert!(limits.command(ann).is_err(), "it was used just now");
    }

    #[test]
    fn sockets_are_counted_while_they_are_open() {
        let limits = Limits::new(&Config { sockets_per_address: Some(1), ..Config::default() });
        let address = Address("1.1.1.1".parse().unwrap());
        let open = limits.socket(address).unwrap_or_else(|_| panic!("the first"));
        assert!(limits.socket(address).is_err());
        assert!(limits.socket(Address("2.2.2.2".parse().unwrap())).is_ok());
        drop(open);
        assert!(limits.socket(address).is_ok());
    }

    #[test]
    fn analyses_are_counted_while_they_are_under_way_and_by_the_second() {
        let limits = Limits::new(&Config::default());
        let [one, other] = ["1.1.1.1", "2.2.2.2"].map(|text| Address(text.parse().unwrap()));
        let mut under_way: Vec<_> =
            (0..ANALYSES_PER_ADDRESS).map(|_| limits.analysis(one).ok().unwrap()).collect();
        assert!(matches!(limits.analysis(one), Err(ApiError::TooMany(_))));
        assert!(limits.analysis(other).is_ok());
        under_way.pop();
        assert!(limits.analysis(one).is_ok());
        under_way.clear();
        let refused = (0..10_000).find_map(|_| limits.analysis(one).err());
        assert!(matches!(refused, Some(ApiError::TooFast(_))));
    }
}
