//! What a position holds beside its stones, in games that are more than a line game.

use crate::action::Before;
use crate::cell_set::CellSet;
use crate::layout::Layout;
use crate::position::stones::Stones;
use crate::renju::{RenjuBoard, Stone};
use crate::{Cell, DrawReason, Mark, Opening, Rules, RulesParts, Seat, Shape, Win, Zone};

/// The maximum number of moves of a game in which positions can repeat.
pub const MAX_MOVES: usize = 1_000;

/// How far an opening with a choice of marks has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum OpeningStage {
    /// The opening is over, or there is none.
    #[default]
    Done,
    /// The first seat places the opening stones.
    Place,
    /// The second seat chooses.
    Choose,
    /// The second seat places two more stones (swap2).
    PlaceMore,
    /// The first seat chooses (swap2).
    ChooseLast,
}

impl OpeningStage {
    /// Whether a choice of marks is due.
    pub(crate) fn is_choice(self) -> bool {
        matches!(self, OpeningStage::Choose | OpeningStage::ChooseLast)
    }

    /// Whether opening stones are placed, whose marks alternate.
    pub(crate) fn is_placing(self) -> bool {
        matches!(self, OpeningStage::Place | OpeningStage::PlaceMore)
    }

    pub(crate) fn first(rules: &Rules) -> OpeningStage {
        match rules.parts().opening {
            Opening::Free => OpeningStage::Done,
            Opening::Swap | Opening::Swap2 => OpeningStage::Place,
        }
    }
}

/// What a position holds beside its stones. In a line game all of it stays as it is.
#[derive(Clone)]
pub(super) struct Variant {
    /// How many stones the seat to move may still place.
    pub(super) stones_left: u8,
    pub(super) stage: OpeningStage,
    /// Whether the two seats have exchanged their marks.
    pub(super) swapped: bool,
    pub(super) draw_reason: DrawReason,
    pub(super) zones: Option<Box<Zones>>,
    pub(super) fading: Option<Box<Fading>>,
    pub(super) renju: Option<Box<RenjuBoard>>,
}

impl Variant {
    pub(super) fn new(rules: &Rules) -> Variant {
        let parts = rules.parts();
        let renju = || Box::new(RenjuBoard::new(rules.rows(), rules.cols()));
        Variant {
            stones_left: 1,
            stage: OpeningStage::first(rules),
            swapped: false,
            draw_reason: DrawReason::Full,
            zones: rules.zone_tables().map(|tables| Box::new(Zones::new(tables, rules.layout()))),
            fading: parts.fade.map(|_| Box::new(Fading::new(rules))),
            renju: parts.renju.then(renju),
        }
    }

    /// Resets to the start without reallocating.
    pub(super) fn clear(&mut self, rules: &Rules) {
        self.stones_left = 1;
        self.stage = OpeningStage::first(rules);
        self.swapped = false;
        self.draw_reason = DrawReason::Full;
        if let (Some(zones), Some(tables)) = (&mut self.zones, rules.zone_tables()) {
            **zones = Zones::new(tables, rules.layout());
        }
        if let Some(fading) = &mut self.fading {
            fading.clear();
        }
        if let Some(renju) = &mut self.renju {
            **renju = RenjuBoard::new(rules.rows(), rules.cols());
        }
    }

    /// The seat's own mark, or the mark's owner: with two seats both are the same exchange.
    #[inline]
    pub(super) fn exchange(&self, index: usize) -> u8 {
        index as u8 ^ u8::from(self.swapped)
    }

    pub(super) fn before(&self, turn: Seat) -> Before {
        let board_to_play = self.zones.as_ref().and_then(|zones| zones.board_to_play);
        Before {
            turn,
            stones_left: self.stones_left,
            stage: self.stage,
            board_to_play: board_to_play.map_or(0, |zone| zone.index() as u8 + 1),
            closed: false,
        }
    }

    pub(super) fn restore(&mut self, before: Before) {
        self.stones_left = before.stones_left;
        self.stage = before.stage;
        if let Some(zones) = &mut self.zones {
            zones.board_to_play = before.board_to_play.checked_sub(1).map(Zone::new);
        }
    }

    /// Adds a stone to the renju board.
    #[inline]
    pub(super) fn place_renju(&mut self, cell: Cell, mark: Mark) {
        if let Some(renju) = &mut self.renju {
            let stone = if mark == Mark::FIRST { Stone::Black } else { Stone::White };
            renju.place(cell.row(), cell.col(), stone);
        }
    }

    /// Removes a stone from the renju board.
    #[inline]
    pub(super) fn remove_renju(&mut self, cell: Cell) {
        if let Some(renju) = &mut self.renju {
            renju.remove(cell.row(), cell.col());
        }
    }

    /// Whether two positions with the same board can go on alike.
    pub(super) fn continues_like(&self, other: &Variant) -> bool {
        let scalars = |v: &Variant| (v.stones_left, v.stage, v.swapped);
        let board_to_play = |v: &Variant| v.zones.as_ref().and_then(|zones| zones.board_to_play);
        fn queues(variant: &Variant) -> Option<&[Vec<Cell>]> {
            variant.fading.as_ref().map(|fading| &fading.queues[..])
        }
        scalars(self) == scalars(other)
            && board_to_play(self) == board_to_play(other)
            && queues(self) == queues(other)
    }
}

/// The cells of each sub-board, and the board whose cells are the sub-boards (ultimate).
pub(crate) struct ZoneTables {
    pub(crate) cells: Vec<CellSet>,
    pub(crate) outer: Option<Layout>,
}

impl ZoneTables {
    /// `None` if the board is one piece.
    pub(crate) fn new(parts: &RulesParts, layout: &Layout) -> Option<ZoneTables> {
        let mut cells = vec![CellSet::EMPTY; parts.shape.zone_count()];
        for cell in layout.grid().cells() {
            cells[parts.shape.zone(cell)?.index()].flip(layout.bits(cell));
        }
        let outer = match (parts.shape, &parts.win) {
            (Shape::Nested { rows, cols }, Win::Row(k)) => {
                let outer = RulesParts::grid(rows, cols).k(*k).players(parts.players);
                Some(Layout::new(&outer, *k))
            }
            _ => None,
        };
        Some(ZoneTables { cells, outer })
    }
}

impl ZoneTables {
    /// The bytes of the tables behind pointers.
    pub(crate) fn heap_bytes(&self) -> usize {
        size_of_val(&*self.cells) + self.outer.as_ref().map_or(0, Layout::heap_bytes)
    }
}

/// The state of the sub-boards.
#[derive(Clone)]
pub(super) struct Zones {
    /// The cells of the open sub-boards.
    pub(super) open: CellSet,
    pub(super) board_to_play: Option<Zone>,
    /// The sub-boards that a mark has won, as stones on the outer board.
    pub(super) claims: Option<Stones>,
}

impl Zones {
    fn new(tables: &ZoneTables, layout: &Layout) -> Zones {
        Zones {
            open: CellSet::all(layout),
            board_to_play: None,
            claims: tables.outer.as_ref().map(Stones::new),
        }
    }
}

/// The cell of the outer board that stands for a sub-board.
pub(super) fn outer_cell(outer: &Layout, zone: Zone) -> Cell {
    outer.cell(zone.index())
}

/// The order in which marks disappear, and the positions so far.
#[derive(Clone)]
pub(super) struct Fading {
    /// The cells of each mark, oldest first.
    pub(super) queues: Vec<Vec<Cell>>,
    /// The keys of the positions since the first, without that after the last move.
    pub(super) earlier_keys: Vec<u64>,
}

impl Fading {
    fn new(rules: &Rules) -> Fading {
        Fading { queues: vec![Vec::new(); rules.marks().len()], earlier_keys: Vec::new() }
    }

    fn clear(&mut self) {
        self.queues.iter_mut().for_each(Vec::clear);
        self.earlier_keys.clear();
    }
}
