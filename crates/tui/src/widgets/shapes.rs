//! X and O drawn large.

use noughts_rules::Symbol;

/// Lines of equal width.
type Shape = &'static [&'static str];

const X: [Shape; 4] = [
    &["▀█▄     ▄█▀", "  ▀█▄ ▄█▀  ", "    ███    ", "  ▄█▀ ▀█▄  ", "▄█▀     ▀█▄"],
    &["▀█▄ ▄█▀", "  ███  ", "▄█▀ ▀█▄"],
    &["▀▄ ▄▀", "  █  ", "▄▀ ▀▄"],
    &["▀▄▄▀", "▄▀▀▄"],
];

const O: [Shape; 4] = [
    &["  ▄█▀▀▀█▄  ", " █▀     ▀█ ", " █       █ ", " █▄     ▄█ ", "  ▀█▄▄▄█▀  "],
    &["▄█▀▀▀█▄", "██   ██", "▀█▄▄▄█▀"],
    &["▄▀▀▀▄", "█   █", "▀▄▄▄▀"],
    &["▄▀▀▄", "▀▄▄▀"],
];

const ASCII_X: [Shape; 2] = [
    &[r"\       /", r"  \   /  ", r"    X    ", r"  /   \  ", r"/       \"],
    &[r"\   /", r"  X  ", r"/   \"],
];

const ASCII_O: [Shape; 2] = [
    &[r"  .---.  ", r" /     \ ", r"|       |", r" \     / ", r"  `---'  "],
    &[r" .-. ", r"(   )", r" `-' "],
];

/// The largest shape of a symbol that fits into a cell with a margin, if the symbol has shapes.
pub(crate) fn shape(symbol: &Symbol, width: u16, height: u16, ascii: bool) -> Option<Shape> {
    let shapes: &[Shape] = match (symbol.as_str(), ascii) {
        ("X" | "x", false) => &X,
        ("O" | "o", false) => &O,
        ("X" | "x", true) => &ASCII_X,
        ("O" | "o", true) => &ASCII_O,
        _ => return None,
    };
    let fits = |shape: &&Shape| {
        let (columns, rows) = (shape[0].chars().count(), shape.len());
        // In low cells a shape fills all rows; in larger ones it keeps off the grid lines.
        let above_and_below = if height > 3 { 2 } else { 0 };
        let beside = if width >= 9 { 4 } else { 2 };
        columns + beside <= usize::from(width) && rows + above_and_below <= usize::from(height)
    };
    shapes.iter().find(fits).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shape_lines_have_equal_width() {
        for shape in X.iter().chain(&O).chain(&ASCII_X).chain(&ASCII_O) {
            let widths: Vec<usize> = shape.iter().map(|line| line.chars().count()).collect();
            assert!(widths.iter().all(|&width| width == widths[0]), "{shape:?}");
        }
    }

    #[test]
    fn largest_fitting_shape_is_chosen() {
        let x: Symbol = "X".parse().unwrap();
        assert_eq!(shape(&x, 15, 7, false).map(<[_]>::len), Some(5));
        assert_eq!(shape(&x, 11, 5, false).map(<[_]>::len), Some(3));
        assert_eq!(shape(&x, 6, 2, false), Some(X[3]));
        assert_eq!(shape(&x, 5, 1, false), None);
        assert_eq!(shape(&"❎".parse().unwrap(), 15, 7, false), None);
    }
}
