//! A position as a picture, drawn as the page draws boards: paper with marks, wood with stones, or a frame
//! with discs. Everything is a shape, so that no fonts are needed.

use std::fmt::Write;

use noughts_rules::{Cell, Mark, Position, Rules, Shape};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// The size of a picture, as sites show it beside links.
pub(super) const WIDTH: u32 = 1200;
pub(super) const HEIGHT: u32 = 630;

/// The space around the boards, and between them.
const MARGIN: f32 = 45.0;
const GAP: f32 = 36.0;

/// The width and height from which boards have stones on crossings.
const STONES_FROM: u8 = 9;

/// The strokes of the marks in a cell of 100 by 100, as `pieces.js` has them.
const SHAPES: [&str; 8] = [
    "M25 24C40 38 60 59 76 77M76 23C61 39 40 58 24 76",
    "M56 21C36 19 20 32 20 51C20 68 34 80 51 80C68 80 80 67 80 50C80 34 69 23 52 21C49 20.7 46 21 43 22",
    "M52 19C60 37 71 58 80 77C60 79 40 79 20 77C30 58 41 38 51 21",
    "M25 24C42 22 60 24 77 23C79 42 77 60 78 77C60 79 42 77 24 78C22 60 24 42 24 22",
    "M50 15C59 27 69 38 80 50C69 62 59 73 50 85C41 73 31 62 20 50C31 38 41 27 50 15Z",
    "M50 14L60.5 37.5L86 40L66.5 57L72.5 82.5L50 69L27.5 82.5L33.5 57L14 40L39.5 37.5Z",
    "M51 18C49 40 51 60 49 82M18 49C40 51 60 49 82 51",
    "M52 30A20 20 0 1 1 49 30Z",
];

/// The colours of the seats on paper.
const COLOURS: [&str; 8] =
    ["#25211c", "#b0401f", "#1f55a5", "#b8852a", "#07503f", "#9270c9", "#9a0f6c", "#5593ab"];

const INK: &str = "#25211c";
const PAPER: &str = "#faf7f0";
const SHEET: &str = "#fffefb";
const PENCIL: &str = "#9a8d7b";
const GOLD: &str = "#ffd45c";
const WOOD: &str = "#dfb675";
const WOOD_LINE: &str = "#7a4f22";
const FRAME: &str = "#2f62aa";
const HOLE: &str = "#f1ebdf";
const DISCS: [&str; 2] = ["#f4c542", "#cd4a2a"];

/// What boards are made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Material {
    Paper,
    Wood,
    Frame,
}

fn material(rules: &Rules) -> Material {
    if rules.levels() > 1 || matches!(rules.parts().shape, Shape::Nested { .. }) {
        Material::Paper
    } else if rules.gravity() {
        Material::Frame
    } else if rules.rows().max(rules.cols()) >= STONES_FROM {
        Material::Wood
    } else {
        Material::Paper
    }
}

/// A position as an SVG with the winning line.
pub(super) fn position(position: &Position, line: &[Cell]) -> String {
    let mut out = paper();
    boards(&mut out, position, line, 0.0, WIDTH as f32);
    out.push_str("</svg>");
    out
}

/// A tournament as an SVG: a cup, a mark for each of the first eight players, and the board.
pub(super) fn tournament(rules: &Rules, players: usize) -> String {
    let mut out = paper();
    let middle = 0.24 * WIDTH as f32;
    let cup = if players == 0 { 150.0 } else { 90.0 };
    let _ = write!(
        out,
        "<g transform=\"translate({} {cup}) scale(3.3)\" fill=\"none\" stroke=\"{INK}\" \
         stroke-width=\"5\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\
         <path d=\"M28 14H72V38C72 55 63 64 50 64C37 64 28 55 28 38Z\" fill=\"{GOLD}\"/>\
         <path d=\"M28 22C13 21 13 45 31 47M72 22C87 21 87 45 69 47M50 64V80M34 84H66\"/></g>",
        middle - 165.0
    );
    let marks = players.min(SHAPES.len());
    let step = 64.0;
    let first = middle - marks as f32 * step / 2.0;
    for mark in 0..marks {
        let x = first + mark as f32 * step + 6.0;
        let _ = write!(out, "<g transform=\"translate({x:.1} 450) scale(0.52)\">");
        shape(&mut out, mark);
        out.push_str("</g>");
    }
    let x = 0.45 * WIDTH as f32;
    boards(&mut out, &Position::new(rules), &[], x, WIDTH as f32 - x);
    out.push_str("</svg>");
    out
}

/// The beginning of a picture.
fn paper() -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\">\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"{PAPER}\"/>"
    )
}

/// All boards of a position, as large as they can be in a part of the picture that is as high as the whole.
fn boards(out: &mut String, position: &Position, line: &[Cell], x: f32, width: f32) {
    let rules = position.rules();
    let levels = f32::from(rules.levels());
    let height = HEIGHT as f32;
    let across = (width - 2.0 * MARGIN - (levels - 1.0) * GAP) / levels;
    let (rows, cols) = (f32::from(rules.rows()), f32::from(rules.cols()));
    // Half a cell of paper, wood or frame around the cells.
    let cell = (across / (cols + 0.5)).min((height - 2.0 * MARGIN) / (rows + 0.5));
    let (board_width, board_height) = ((cols + 0.5) * cell, (rows + 0.5) * cell);
    let left = x + (width - levels * board_width - (levels - 1.0) * GAP) / 2.0;
    let top = (height - board_height) / 2.0;
    for level in 0..rules.levels() {
        let x = left + f32::from(level) * (board_width + GAP) + 0.25 * cell;
        let y = top + 0.25 * cell;
        // Units within a board: a cell is 100 wide.
        let _ =
            write!(out, "<g transform=\"translate({x:.1} {y:.1}) scale({:.4})\">", cell / 100.0);
        board(out, position, level, line);
        out.push_str("</g>");
    }
}

/// One board or level.
fn board(out: &mut String, position: &Position, level: u8, line: &[Cell]) {
    let rules = position.rules();
    let (width, height) = (u32::from(rules.cols()) * 100, u32::from(rules.rows()) * 100);
    let material = material(rules);
    let (fill, edge) = match material {
        Material::Paper => (SHEET, "#e6dfd2"),
        Material::Wood => (WOOD, "#b98b4e"),
        Material::Frame => (FRAME, "#1d4379"),
    };
    let _ = write!(
        out,
        "<rect x=\"-25\" y=\"-25\" width=\"{}\" height=\"{}\" rx=\"22\" fill=\"{fill}\" \
         stroke=\"{edge}\" stroke-width=\"4\"/>",
        width + 50,
        height + 50
    );
    match material {
        Material::Paper => paper_lines(out, rules),
        Material::Wood => wood_lines(out, rules),
        Material::Frame => {}
    }
    for row in 0..rules.rows() {
        for col in 0..rules.cols() {
            let Some(cell) = Cell::in_space(level, row, col) else { continue };
            let mark = position.mark_at(cell);
            let (x, y) = (u32::from(col) * 100, u32::from(row) * 100);
            let _ = write!(out, "<g transform=\"translate({x} {y})\">");
            square(out, material, mark, line.contains(&cell));
            out.push_str("</g>");
        }
    }
}

fn square(out: &mut String, material: Material, mark: Option<Mark>, is_winning: bool) {
    match (material, mark.map(Mark::index)) {
        (Material::Paper, Some(mark)) => {
            if is_winning {
                let _ = write!(
                    out,
                    "<rect x=\"8\" y=\"8\" width=\"84\" height=\"84\" rx=\"20\" fill=\"{GOLD}\"/>"
                );
            }
            shape(out, mark);
        }
        (Material::Wood, Some(mark)) => {
            let (fill, rim) = match mark {
                0 => ("#26231f", "#0f0e0c"),
                1 => ("#f6f3ec", "#b9b0a2"),
                other => (COLOURS[other % 8], "#25211c"),
            };
            let ring = if is_winning { (GOLD, 9) } else { (rim, 2) };
            let _ = write!(
                out,
                "<circle cx=\"50\" cy=\"50\" r=\"44\" fill=\"{fill}\" stroke=\"{}\" stroke-width=\"{}\"/>",
                ring.0, ring.1
            );
        }
        (Material::Frame, mark) => {
            let fill =
                mark.map_or(HOLE, |mark| DISCS.get(mark).copied().unwrap_or(COLOURS[mark % 8]));
            let rim = if is_winning { "#ffffff" } else { "#1d4379" };
            let width = if is_winning { 9 } else { 4 };
            let _ = write!(
                out,
                "<circle cx=\"50\" cy=\"50\" r=\"42\" fill=\"{fill}\" stroke=\"{rim}\" stroke-width=\"{width}\"/>"
            );
        }
        (_, None) => {}
    }
}

/// The shape of a seat in its colour, in a cell of 100 by 100.
fn shape(out: &mut String, seat: usize) {
    let _ = write!(
        out,
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"10.5\" \
         stroke-linecap=\"round\" stroke-linejoin=\"round\"/>",
        SHAPES[seat % 8],
        COLOURS[seat % 8]
    );
}

/// The inner lines of a board of paper; those between the boards of ultimate are thick.
fn paper_lines(out: &mut String, rules: &Rules) {
    let (width, height) = (u32::from(rules.cols()) * 100, u32::from(rules.rows()) * 100);
    let (row_step, col_step) = match rules.parts().shape {
        Shape::Nested { rows, cols } => (rows, cols),
        _ => (u8::MAX, u8::MAX),
    };
    let mut rule = |d: String, is_thick: bool| {
        let (colour, stroke) = if is_thick { (INK, 8) } else { (PENCIL, 4) };
        let _ = write!(
            out,
            "<path d=\"{d}\" stroke=\"{colour}\" stroke-width=\"{stroke}\" stroke-linecap=\"round\"/>"
        );
    };
    for col in 1..rules.cols() {
        rule(format!("M{} 0V{height}", u32::from(col) * 100), col % col_step == 0);
    }
    for row in 1..rules.rows() {
        rule(format!("M0 {}H{width}", u32::from(row) * 100), row % row_step == 0);
    }
}

/// The lines of a wooden board, which cross where stones are set.
fn wood_lines(out: &mut String, rules: &Rules) {
    let (right, bottom) = (u32::from(rules.cols()) * 100 - 50, u32::from(rules.rows()) * 100 - 50);
    let mut lines = String::new();
    for col in 0..rules.cols() {
        let _ = write!(lines, "M{} 50V{bottom}", u32::from(col) * 100 + 50);
    }
    for row in 0..rules.rows() {
        let _ = write!(lines, "M50 {}H{right}", u32::from(row) * 100 + 50);
    }
    let _ = write!(
        out,
        "<path d=\"{lines}\" fill=\"none\" stroke=\"{WOOD_LINE}\" stroke-width=\"3\"/>"
    );
}

/// An SVG as a PNG; `None` if it can't be drawn.
pub(super) fn png(svg: &str) -> Option<Vec<u8>> {
    let tree = Tree::from_str(svg, &Options::default()).ok()?;
    let mut pixels = Pixmap::new(WIDTH, HEIGHT)?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rules: &str, moves: &str, line: &[&str], shapes: &[(&str, usize)]) {
        let rules: Rules = rules.parse().unwrap();
        let mut position = Position::new(&rules);
        for text in moves.split_whitespace() {
            position.play(text.parse::<noughts_rules::Move>().unwrap()).unwrap();
        }
        let line: Vec<Cell> = line.iter().map(|cell| cell.parse().unwrap()).collect();
        let text = super::position(&position, &line);
        for (shape, count) in shapes {
            assert_eq!(text.matches(shape).count(), *count, "{rules}: {shape} in {text}");
        }
        check_size(&text);
    }

    fn check_size(svg: &str) {
        let png = png(svg).unwrap();
        assert_eq!(png[..4], *b"\x89PNG");
        let size = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        assert_eq!((size(16), size(20)), (WIDTH, HEIGHT));
    }

    #[test]
    fn boards_are_drawn_in_their_material() {
        check(
            "3x3",
            "A1 B1 A2 B2 A3",
            &["A1", "A2", "A3"],
            &[(SHAPES[0], 3), (SHAPES[1], 2), (GOLD, 3)],
        );
        check("15x15:5", "H8 G9", &[], &[("#26231f", 1), ("#f6f3ec", 1), (WOOD, 1)]);
        check("6x7:4+gravity", "F4 E4", &[], &[(DISCS[0], 1), (DISCS[1], 1), (HOLE, 40)]);
        check("4x4x4", "A1", &[], &[(SHEET, 4), (SHAPES[0], 1)]);
        check("3x3+ultimate", "E5", &[], &[(SHAPES[0], 1), ("stroke-width=\"8\"", 4)]);
        check("5x5:4+8p", "A1 A2 A3 A4 A5 B1 B2 B3", &[], &[(SHAPES[7], 1)]);
    }

    #[test]
    fn tournaments_show_their_board_and_players() {
        for (rules, players, shown) in [("3x3", 0, 0), ("15x15:5", 3, 3), ("3x3+ultimate", 20, 8)] {
            let svg = tournament(&rules.parse().unwrap(), players);
            let count = SHAPES.iter().filter(|shape| svg.contains(*shape)).count();
            assert_eq!(count, shown, "{rules}");
            check_size(&svg);
        }
    }
}
