//! What a client says it runs on, in words that its owner recognises.

use axum::http::{HeaderMap, header};

/// In this order: most browsers claim to be others, too.
const BROWSERS: [(&str, &str); 7] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
];

/// In this order: Android is a Linux, and phones of Apple mention the Mac.
const SYSTEMS: [(&str, &str); 7] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// The device behind a request, such as `Firefox on Linux`.
pub(super) fn device(headers: &HeaderMap) -> Option<String> {
    let agent = headers.get(header::USER_AGENT)?.to_str().ok()?;
    if agent.starts_with("noughts/") {
        return Some("Noughts in a terminal".into());
    }
    let find = |names: &[(&str, &str)]| {
        names.iter().find(|(token, _)| agent.contains(token)).map(|(_, name)| name.to_string())
    };
    match (find(&BROWSERS), find(&SYSTEMS)) {
        (Some(browser), Some(system)) => Some(format!("{browser} on {system}")),
        (browser, system) => browser.or(system),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_and_systems_recognised() {
        for (agent, expected) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0",
                "Firefox on Linux",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 \
                 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
                "Safari on iPhone",
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/141.0.0.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            ("noughts/0.1.0", "Noughts in a terminal"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::USER_AGENT, agent.parse().unwrap());
            assert_eq!(device(&headers).as_deref(), Some(expected));
        }
        let mut headers = HeaderMap::new();
        assert_eq!(device(&headers), None);
        headers.insert(header::USER_AGENT, "curl/8.5.0".parse().unwrap());
        assert_eq!(device(&headers), None);
    }
}
