//! Nothing that is read panics, whatever it is: random text, and real text with mistakes in it.
//! The fuzz targets check the same properties without end.

use noughts_rules::notation::{psq, sgf};
use noughts_rules::replay::Replay;
use noughts_rules::{Cell, Game, Player, Position, Rules, Seat, Symbol};
use proptest::prelude::*;

const REAL: [&str; 10] = [
    "15x15:5+misere+gravity+wrap+exact+8p",
    "gomoku-standard",
    "C2",
    "25 25",
    "4x4:3+3p xoa1/4/4/4 o x",
    "3x3 xxx/oo1/3 -",
    "rules 3x3\nplayer X John\nplayer 🛑 Jane\nmoves A1 B1 A2 resign:1\nresult 🛑 wins",
    "Piskvorky 20x15, 11:11, 0\n1,2,0\n3,4,1532\na\nb\n-1\n1,Freestyle\n",
    "(;FF[4]GM[4]SZ[20:15]PB[Ann \\] B]PW[Bob]RE[B+R];B[hh](;W[hi])(;W[ab]))",
    "3\nmove 0 0\nmove 1 1\nmove -1 7\n",
];

/// A real text with some characters replaced, removed, doubled or put in.
fn mutated() -> impl Strategy<Value = String> {
    let edit = (any::<prop::sample::Index>(), 0..4u8, any::<char>());
    (prop::sample::select(&REAL[..]), prop::collection::vec(edit, 0..4)).prop_map(
        |(text, edits)| {
            let mut chars: Vec<char> = text.chars().collect();
            for (index, kind, c) in edits {
                let at = index.index(chars.len() + 1);
                match kind {
                    0 if at < chars.len() => chars[at] = c,
                    1 if at < chars.len() => drop(chars.remove(at)),
                    2 if at < chars.len() => chars.insert(at, chars[at]),
                    _ => chars.insert(at, c),
                }
            }
            chars.into_iter().collect()
        },
    )
}

/// Reads the text as everything there is. Whatever can be read must read back the same.
fn read_as_everything(text: &str) {
    if let Ok(rules) = text.parse::<Rules>() {
        assert_eq!(rules.to_string().parse::<Rules>(), Ok(rules));
    }
    if let Ok(cell) = text.parse::<Cell>() {
        assert_eq!(cell.to_string().parse::<Cell>(), Ok(cell));
    }
    if let Ok(position) = text.parse::<Position>() {
        assert_eq!(position.to_string().parse::<Position>().as_ref(), Ok(&position));
    }
    if let Ok(game) = text.parse::<Game>() {
        assert_eq!(game.to_string().parse::<Game>().as_ref(), Ok(&game));
    }
    if let Ok(game) = psq::read(text) {
        let again = psq::read(&psq::write(&game).unwrap()).unwrap();
        assert!(again.history().eq(game.history()));
    }
    if let Ok(game) = sgf::read(text) {
        let again = sgf::read(&sgf::write(&game).unwrap()).unwrap();
        assert!(again.history().eq(game.history()));
    }
    if let Ok(symbol) = text.parse::<Symbol>() {
        assert_eq!(symbol.as_str().parse::<Symbol>(), Ok(symbol));
    }
    let _ = Player::new(text, Symbol::default_for(Seat::FIRST));
    let mut replay = Replay::new(&Rules::classic());
    let _ = text.lines().try_for_each(|line| replay.line(line).map(drop));
    let _ = replay.end();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn random_text(text in any::<String>()) {
        read_as_everything(&text);
    }

    #[test]
    fn real_text_with_mistakes(text in mutated()) {
        read_as_everything(&text);
    }
}

#[test]
fn huge_text() {
    for part in ["9", "(", ";", "[", "x", "/", "+", "1,1,0\n", "move 0 0\n", "\u{301}", "👩‍🚀"]
    {
        for start in ["", "3x3", "(;GM[4]", "Piskvorky 15x15, 1, 1\n", "3x3 ", "1\n"] {
            read_as_everything(&format!("{start}{}", part.repeat(50_000)));
        }
    }
}
