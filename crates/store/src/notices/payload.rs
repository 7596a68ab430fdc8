//! The payloads of `NOTIFY`.
//!
//! A payload is a list of words: the id of the sending server, then `g` with a game's id, `:` and its
//! sequence, `t` with the same of a tournament, `l` with a league's name in hexadecimal digits, `i` with an
//! identity's id, or `e` with a game's id, a seat and an emote.

use noughts_api::TournamentId;

use noughts_rules::Seat;

use crate::{Emote, GameId, IdentityId, Notice};

/// PostgreSQL's limit is below 8000 bytes.
const MAX_PAYLOAD_BYTES: usize = 7900;

/// Packs notices into as few payloads as possible.
pub(super) fn encode(server: u64, notices: impl IntoIterator<Item = Notice>) -> Vec<String> {
    let head = format!("{server:x}");
    let mut payloads: Vec<String> = Vec::new();
    for notice in notices {
        let word = match notice {
            Notice::Game { game, sequence } => format!(" g{game}:{sequence}"),
            Notice::League { name } => format!(" l{}", hex::encode(name)),
            Notice::Tournament { tournament, sequence } => format!(" t{tournament}:{sequence}"),
            Notice::Identity { identity } => format!(" i{identity}"),
            Notice::Emote { game, seat, emote } => {
                format!(" e{game}:{}:{}", seat.index(), emote.as_str())
            }
            Notice::Resync => continue,
        };
        match payloads.last_mut() {
            Some(payload) if payload.len() + word.len() <= MAX_PAYLOAD_BYTES => {
                payload.push_str(&word)
            }
            _ => payloads.push(format!("{head}{word}")),
        }
    }
    payloads
}

/// The sending server and the notices of a payload. Unknown words, of a newer version, are skipped.
pub(super) fn decode(payload: &str) -> Option<(u64, impl Iterator<Item = Notice>)> {
    let mut words = payload.split(' ');
    let server = u64::from_str_radix(words.next()?, 16).ok()?;
    Some((server, words.filter_map(decode_word)))
}

fn decode_word(word: &str) -> Option<Notice> {
    let (kind, rest) = word.split_at_checked(1)?;
    match kind {
        "g" => {
            let (game, sequence) = rest.split_once(':')?;
            let game: GameId = game.parse().ok()?;
            Some(Notice::Game { game, sequence: sequence.parse().ok()? })
        }
        "t" => {
            let (tournament, sequence) = rest.split_once(':')?;
            let tournament: TournamentId = tournament.parse().ok()?;
            Some(Notice::Tournament { tournament, sequence: sequence.parse().ok()? })
        }
        "l" if !rest.is_empty() => {
            let name = String::from_utf8(hex::decode(rest).ok()?).ok()?;
            Some(Notice::League { name })
        }
        "i" => Some(Notice::Identity { identity: IdentityId(rest.parse().ok()?) }),
        "e" => {
            let mut parts = rest.split(':');
            let (game, seat, emote) = (parts.next()?, parts.next()?, parts.next()?);
            let emote = Emote::ALL.into_iter().find(|known| known.as_str() == emote)?;
            let seat = Seat::new(seat.parse().ok()?)?;
            Some(Notice::Emote { game: game.parse().ok()?, seat, emote })
        }
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
            Notice::Tournament { tournament: TournamentId::new(7, [1; 10]), sequence: 9 },
            Notice::Identity { identity: IdentityId(12) },
            Notice::Emote {
                game: GameId::new(0, [1; 10]),
                seat: Seat::FIRST,
                emote: Emote::GoodGame,
            },
        ];
        let payloads = encode(0xbeef, notices.clone());
        assert_eq!(payloads.len(), 1);
        let (server, decoded) = decode(&payloads[0]).unwrap();
        assert_eq!(server, 0xbeef);
        assert_eq!(decoded.collect::<Vec<_>>(), notices);
    }

    #[test]
    fn large_batches_are_split() {
        let notices: Vec<Notice> = (0..1000).map(|number| game(number, u64::MAX)).collect();
        let payloads = encode(u64::MAX, notices.clone());
        assert!(payloads.iter().all(|payload| payload.len() < 8000));
        let read = payloads.iter().flat_map(|payload| decode(payload).unwrap().1);
        assert_eq!(read.collect::<Vec<_>>(), notices);
        assert!(encode(1, [Notice::Resync]).is_empty());
    }

    #[test]
    fn invalid_words_are_skipped() {
        for payload in ["", "x", "g", "1 g l i é l6 lzz gé:1 i1x g:1 e1:2:x e", "1 g0:0", "1 lff"]
        {
            let notices = decode(payload).map(|(_, notices)| notices.count());
            assert!(notices.unwrap_or(0) == 0, "{payload}");
        }
    }
}
