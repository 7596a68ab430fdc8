//! Notices as the text that `NOTIFY` carries.
//!
//! A payload is words with spaces between them: the server that sends it, then `g` with a game's
//! key, `:` and its sequence, `l` with a league's name as hexadecimal digits, `i` with an identity.

use crate::{GameId, IdentityId, Notice};

/// PostgreSQL takes fewer than 8000 bytes.
const MOST_BYTES: usize = 7900;

/// Puts notices into as few payloads as possible.
pub(super) fn write(server: u64, notices: impl IntoIterator<Item = Notice>) -> Vec<String> {
    let head = format!("{server:x}");
    let mut payloads: Vec<String> = Vec::new();
    for notice in notices {
        let word = match notice {
            Notice::Game { game, sequence } => format!(" g{game}:{sequence}"),
            Notice::League { name } => {
                format!(" l{}", name.bytes().map(|byte| format!("{byte:02x}")).collect::<String>())
            }
            Notice::Identity { identity } => format!(" i{identity}"),
            Notice::Resync => continue,
        };
        match payloads.last_mut() {
            Some(payload) if payload.len() + word.len() <= MOST_BYTES => payload.push_str(&word),
            _ => payloads.push(format!("{head}{word}")),
        }
    }
    payloads
}

/// Who sent a payload, and what it says. Words of a later version are skipped.
pub(super) fn read(payload: &str) -> Option<(u64, impl Iterator<Item = Notice>)> {
    let mut words = payload.split(' ');
    let server = u64::from_str_radix(words.next()?, 16).ok()?;
    Some((server, words.filter_map(notice)))
}

fn notice(word: &str) -> Option<Notice> {
    let (kind, rest) = word.split_at_checked(1)?;
    match kind {
        "g" => {
            let (game, sequence) = rest.split_once(':')?;
            let game: GameId = game.parse().ok()?;
            Some(Notice::Game { game, sequence: sequence.parse().ok()? })
        }
        "l" if !rest.is_empty() && rest.len().is_multiple_of(2) => {
            let digits = rest.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok());
            let bytes = digits.map(|pair| u8::from_str_radix(pair?, 16).ok());
            let name = String::from_utf8(bytes.collect::<Option<Vec<u8>>>()?).ok()?;
            Some(Notice::League { name })
        }
        "i" => Some(Notice::Identity { identity: IdentityId(rest.parse().ok()?) }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: u16, sequence: u64) -> Notice {
        let [high, low] = number.to_be_bytes();
        let game = GameId::new(0, [high, low, 0, 0, 0, 0, 0, 0, 0, 0]);
        Notice::Game { game, sequence }
    }

    #[test]
    fn notices_read_back() {
        let notices = [
            game(1, 7),
            Notice::League { name: "Straße 7".into() },
            Notice::Identity { identity: IdentityId(12) },
        ];
        let payloads = write(0xbeef, notices.clone());
        assert_eq!(payloads.len(), 1);
        let (server, read) = read(&payloads[0]).unwrap();
        assert_eq!(server, 0xbeef);
        assert_eq!(read.collect::<Vec<_>>(), notices);
    }

    #[test]
    fn many_notices_take_several_payloads() {
        let notices: Vec<Notice> = (0..1000).map(|number| game(number, u64::MAX)).collect();
        let payloads = write(u64::MAX, notices.clone());
        assert!(payloads.iter().all(|payload| payload.len() < 8000));
        let read = payloads.iter().flat_map(|payload| read(payload).unwrap().1);
        assert_eq!(read.collect::<Vec<_>>(), notices);
        assert!(write(1, [Notice::Resync]).is_empty());
    }

    #[test]
    fn rubbish_says_nothing() {
        for payload in ["", "x", "g", "1 g l i é l6 lzz gé:1 i1x g:1", "1 g0:0", "1 lff"] {
            let notices = read(payload).map(|(_, notices)| notices.count());
            assert!(notices.unwrap_or(0) == 0, "{payload}");
        }
    }
}
