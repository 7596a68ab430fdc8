//! Parsers on untrusted input: random text, valid text with random edits, and huge text. The fuzz
//! targets check the same properties.

mod properties;

use proptest::prelude::*;

const VALID_TEXTS: &[&str] = &[
    "15x15:5+misere+gravity+wrap+exact+8p",
    "gomoku-standard",
    "4x4x4+gravity+swap",
    "3x3:[A1-A2-A3,A1-B2-C3]+fade3",
    "6x6:5+order+exact",
    "C2",
    "2B3=o",
    "25 25",
    "4x4:3+3p xoa1/4/4/4 o x",
    "3x3 xxx/oo1/3 -",
    "3x3+ultimate 9/9/9/9/4x4/9/9/9/9 o in:B2",
    "2x2x2 2/2|1x/2 o",
    "3x3+fade3 xo1/3/3 x old:A1,A2",
    "3x3+fade3 xox/oxo/3 - draw:repetition old:A1-A3-B2,A2-B1-B3",
    "5x5:4+swap2 1x3/5/2o2/5/4x o stage:choose",
    "3x3+swap 3/1x1/3 x swapped",
    "6x6:4+2s 6/6/2xo2/6/6/6 o left:1",
    "3x3+notakto+2b xx1/3/3|3/3/3 x",
    "rules 3x3\nplayer X John\nplayer 🛑 Jane\nmoves A1 B1 A2 resign:1\nresult 🛑 wins",
    "rules 3x3+ultimate+swap\nplayer X A\nplayer O B\nmoves B2.C1 swap G1 A3\nresult in progress",
    "Piskvorky 20x15, 11:11, 0\n1,2,0\n3,4,1532\na\nb\n-1\n1,Freestyle\n",
    "(;FF[4]GM[4]SZ[20:15]PB[Ann \\] B]PW[Bob]RE[B+R];B[hh](;W[hi])(;W[ab]))",
    "3\nmove 0 0\nmove 1 1\nmove -1 7\n",
];

/// A valid text with some characters replaced, removed, doubled or inserted.
fn edited_text() -> impl Strategy<Value = String> {
    let edit = (any::<prop::sample::Index>(), 0..4u8, any::<char>());
    (prop::sample::select(VALID_TEXTS), prop::collection::vec(edit, 0..4)).prop_map(
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
