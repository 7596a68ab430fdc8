//! The metrics: their names and meanings, and the address at which they are served.

use std::net::SocketAddr;
use std::str::FromStr;
use std::sync::OnceLock;

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use serde::Deserialize;

const COUNTERS: [(&str, &str); 7] = [
    ("noughts_limited_total", "Requests and connections refused by a limit"),
    ("noughts_slow_clients_dropped_total", "WebSockets closed because the client did not read"),
    ("noughts_games_created_total", "Games created by this server"),
    ("noughts_games_ended_total", "Games ended by this server"),
    ("noughts_events_total", "Events stored by this server"),
    ("noughts_thinking_put_off_total", "Computer moves postponed because the queue was full"),
    ("noughts_conflicts_total", "Appends that lost to another server"),
];

const GAUGES: [(&str, &str); 2] =
    [("noughts_sockets", "Open WebSockets"), ("noughts_games_in_memory", "Games in memory")];

/// Where the metrics are served, if at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum MetricsAddress {
    /// Nowhere.
    Off,
    /// At an address of their own.
    At(SocketAddr),
}

impl FromStr for MetricsAddress {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<MetricsAddress, &'static str> {
        match text {
            "off" => Ok(MetricsAddress::Off),
            _ => text
                .parse()
                .map(MetricsAddress::At)
                .map_err(|_| "expected an address and a port, such as 127.0.0.1:9000, or `off`"),
        }
    }
}

impl TryFrom<String> for MetricsAddress {
    type Error = &'static str;

    fn try_from(text: String) -> Result<MetricsAddress, &'static str> {
        text.parse()
    }
}

/// The recorder. It belongs to the process: servers in one process share it.
pub(crate) fn recorder() -> Option<PrometheusHandle> {
    static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    let handle = HANDLE.get_or_init(|| match PrometheusBuilder::new().install_recorder() {
        Ok(handle) => {
            describe();
            Some(handle)
        }
        Err(error) => {
            tracing::warn!(%error, "could not collect metrics");
            None
        }
    });
    handle.clone()
}

/// Describes the metrics, and shows them from the start: a counter that is missing until its first
/// increment hides that increment from Prometheus.
fn describe() {
    for (name, help) in COUNTERS {
        metrics::describe_counter!(name, help);
        metrics::counter!(name).increment(0);
    }
    for (name, help) in GAUGES {
        metrics::describe_gauge!(name, help);
        metrics::gauge!(name).increment(0.0);
    }
    metrics::describe_counter!("noughts_requests_total", "Requests by route and status");
    metrics::describe_histogram!("noughts_request_seconds", "Request durations");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_parse() {
        assert_eq!("off".parse(), Ok(MetricsAddress::Off));
        let at = MetricsAddress::At("127.0.0.1:9000".parse().unwrap());
        assert_eq!("127.0.0.1:9000".parse(), Ok(at));
        assert!("9000".parse::<MetricsAddress>().is_err());
    }
}
