//! Parsers on untrusted input: random text, valid text with random edits, and huge text. The fuzz
//! targets check the same properties.

mod properties;

use proptest::prelude::*;

const VALID_TEXTS: [&str; 10] = [
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

/// A valid text with some characters replaced, removed, doubled or inserted.
fn edited_text() -> impl Strategy<Value = String> {
    let edit = (any::<prop::sample::Index>(), 0..4u8, any::<char>());
    (prop::sample::select(&VALID_TEXTS[..]), prop::collection::vec(edit, 0..4)).prop_map(
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

fn check_all(text: &str) {
    for (parser, _) in properties::PROPERTIES {
        properties::check(parser, text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn parsers_survive_random_text(text in any::<String>()) {
        check_all(&text);
    }

    #[test]
    fn parsers_survive_edited_text(text in edited_text()) {
        check_all(&text);
    }
}

#[test]
fn parsers_survive_huge_text() {
    for part in ["9", "(", ";", "[", "x", "/", "+", "1,1,0\n", "move 0 0\n", "\u{301}", "👩‍🚀"]
    {
        for start in ["", "3x3", "(;GM[4]", "Piskvorky 15x15, 1, 1\n", "3x3 ", "1\n"] {
            check_all(&format!("{start}{}", part.repeat(50_000)));
        }
    }
}
