//! Addresses of servers and games.

use std::str::FromStr;

use noughts_api::GameId;
use ureq::http::Uri;

/// A server, and perhaps a game there.
///
/// ```
/// use noughts_client::Address;
///
/// let address: Address = "http://localhost:8000/game/01hf7yat0060rk4csm6mv3ee1s".parse()?;
/// assert_eq!(address.server, "http://localhost:8000");
/// assert!(address.game.is_some());
/// # Ok::<(), noughts_client::ParseAddressError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// The server, such as `http://localhost:8000`.
    pub server: String,
    /// The game.
    pub game: Option<GameId>,
}

/// A text that is not the address of a server or a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected an address such as http://localhost:8000 or http://localhost:8000/game/ID, not {0:?}"
)]
pub struct ParseAddressError(String);

impl FromStr for Address {
    type Err = ParseAddressError;

    /// Takes the address of a server or its lobby, or of a game on its page or in its API. Without a
    /// scheme, addresses with a port and those of this machine get `http`, others `https`.
    fn from_str(text: &str) -> Result<Address, ParseAddressError> {
        let invalid = || ParseAddressError(text.into());
        let uri: Uri = with_scheme(text.trim()).parse().map_err(|_| invalid())?;
        let scheme = uri.scheme_str().filter(|scheme| ["http", "https"].contains(scheme));
        let scheme = scheme.ok_or_else(invalid)?;
        let authority = uri.authority().ok_or_else(invalid)?;
        let game = match uri.path().trim_matches('/').split('/').collect::<Vec<_>>()[..] {
            [""] | ["lobby"] => None,
            ["game" | "games", id] | ["api", "v1", "games", id] => {
                Some(id.parse().map_err(|_| invalid())?)
            }
            _ => return Err(invalid()),
        };
        Ok(Address { server: format!("{scheme}://{authority}"), game })
    }
}

/// Completes an address that people typed without a scheme.
fn with_scheme(text: &str) -> String {
    let authority = text.split('/').next().unwrap_or_default();
    let is_complete = text.contains("://") || authority.is_empty();
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
    let is_local = authority.contains(':') || host == "localhost" || host.starts_with("127.");
    match (is_complete, is_local, host.contains('.')) {
        (true, ..) => text.to_string(),
        (false, true, _) => format!("http://{text}"),
        (false, false, true) => format!("https://{text}"),
        // One word is no address.
        (false, false, false) => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "01hf7yat0060rk4csm6mv3ee1s";

    fn check(text: &str, server: &str, game: Option<&str>) {
        let game = game.map(|id| id.parse().unwrap());
        assert_eq!(text.parse(), Ok(Address { server: server.into(), game }), "{text}");
    }

    #[test]
    fn addresses_of_servers_and_games() {
        check("http://localhost:8000", "http://localhost:8000", None);
        check("http://[::1]:8000/lobby", "http://[::1]:8000", None);
        check(&format!("http://localhost:8000/game/{ID}"), "http://localhost:8000", Some(ID));
        check(&format!("https://n.example/api/v1/games/{ID}"), "https://n.example", Some(ID));
        check(&format!("https://n.example/game/{ID}/?x=1"), "https://n.example", Some(ID));
        check("localhost", "http://localhost", None);
        check("localhost:8000", "http://localhost:8000", None);
        check(&format!("192.168.1.5:8000/game/{ID}"), "http://192.168.1.5:8000", Some(ID));
        check("n.example/lobby", "https://n.example", None);
    }

    #[test]
    fn other_addresses_are_refused() {
        let truncated = format!("http://localhost:8000/game/{}", &ID[..25]);
        let longer = format!("http://localhost:8000/game/{ID}/analysis");
        let others =
            ["http://localhost:8000/game", "http://localhost:8000/foo", &truncated, &longer];
        for text in ["", "nonsense", "ftp://x/y", "/game/x", "http://"].iter().chain(&others) {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }
}
