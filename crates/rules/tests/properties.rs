//! Properties of random games under random rules.

use noughts_rules::{
    Action, Cell, DrawReason, Event, Game, Goal, Mark, Move, Outcome, Position, Refusal, Rules,
    RulesParts, Seat, Status,
};
use proptest::prelude::*;

/// Random rules, mostly on boards small enough that games end.
fn rules() -> impl Strategy<Value = Rules> {
    let side = prop_oneof![6 => 1..=5u8, 2 => 6..=9u8, 1 => 10..=26u8];
    let parts = (side.clone(), side, 0..=26u8, 2..=8u8, any::<[bool; 4]>());
    parts.prop_map(|(rows, cols, k, players, [misere, gravity, wrap, exact])| {
        let k = 1 + k % rows.max(cols);
        let players = if misere { 2 } else { players };
        let goal = if misere { Goal::Avoid } else { Goal::Line };
        let parts = RulesParts::grid(rows, cols).k(k).players(players).goal(goal);
        parts.gravity(gravity).wrap(wrap).exact(exact).build().expect("these parts fit together")
    })
}

/// Random choices among the legal moves, see [`play_out`].
fn choices() -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 0..80)
}

/// Plays the chosen legal moves until the game or the choices end, with a callback before each.
fn play_out(position: &mut Position, choices: &[u16], mut before: impl FnMut(&mut Position, Move)) {
    for &choice in choices {
        let legal: Vec<Move> = position.legal_moves().collect();
        if legal.is_empty() {
            return;
        }
        let mv = legal[usize::from(choice) % legal.len()];
        before(position, mv);
        position.play(mv).expect("a legal move");
    }
}

fn any_cell() -> impl Strategy<Value = Cell> {
    (0..26u8, 0..26u8).prop_map(|(row, col)| Cell::new(row, col).unwrap())
}

/// The cells of all lines, from a naive scan of every cell in every direction that shares no code
/// with the crate.
fn naive_line_cells(position: &Position) -> Vec<Cell> {
    let rules = position.rules();
    let (rows, cols, k) = (i32::from(rules.rows()), i32::from(rules.cols()), i32::from(rules.k()));
    let at = |row: i32, col: i32| {
        let on_board = (0..rows).contains(&row) && (0..cols).contains(&col);
        let (row, col) = match (on_board, rules.wrap()) {
            (true, _) => (row, col),
            (false, true) => (row.rem_euclid(rows), col.rem_euclid(cols)),
            (false, false) => return None,
        };
        Cell::new(row as u8, col as u8)
    };
    let seat = |cell: Option<Cell>| cell.and_then(|cell| position.mark_at(cell));
    let mut line_cells = std::collections::BTreeSet::new();
    for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
        let Some(owner) = seat(at(row, col)) else { continue };
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let line: Vec<Cell> =
                (0..k).filter_map(|i| at(row + i * down, col + i * right)).collect();
            let distinct: std::collections::BTreeSet<Cell> = line.iter().copied().collect();
            if distinct.len() < k as usize || line.iter().any(|&c| seat(Some(c)) != Some(owner)) {
                continue;
            }
            let longer = |i: i32| {
                let beyond = at(row + i * down, col + i * right);
                beyond.is_some_and(|cell| !distinct.contains(&cell)) && seat(beyond) == Some(owner)
            };
            if !rules.exact() || !(longer(-1) || longer(k)) {
                line_cells.extend(distinct);
            }
        }
    }
    line_cells.into_iter().collect()
}

/// The status, from the board and the last mover alone.
fn naive_status(position: &Position, mover: Seat) -> Status {
    let cells = naive_line_cells(position);
    let players = position.rules().players();
    if !cells.is_empty() {
        let loser_completes = position.rules().misere();
        let seat =
            if loser_completes { Seat::new(1 - mover.index() as u8).unwrap() } else { mover };
        return Status::Won { seat, cells };
    }
    if position.rules().cells().all(|cell| position.mark_at(cell).is_some()) {
        return Status::Draw { reason: DrawReason::Full };
    }
    Status::InProgress { turn: Seat::new(((mover.index() + 1) % players) as u8).unwrap() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn status_matches_a_naive_scan(rules in rules(), choices in choices()) {
        let mut position = Position::new(&rules);
        let mut mover = None;
        play_out(&mut position, &choices, |position, _| {
            if let Some(mover) = mover {
                assert_eq!(position.status(), naive_status(position, mover), "{position}");
            }
            mover = position.turn();
        });
        if let Some(mover) = mover {
            prop_assert_eq!(position.status(), naive_status(&position, mover), "{}", position);
        }
    }

    #[test]
    fn undo_reverts_play_at_every_depth(rules in rules(), choices in choices()) {
        let mut position = Position::new(&rules);
        let mut before = Vec::new();
        play_out(&mut position, &choices, |position, mv| {
            before.push((position.clone(), position.status(), position.turn(), mv));
        });
        while let Some((earlier, status, turn, mv)) = before.pop() {
            let undone = position.undo().unwrap();
            prop_assert_eq!(undone, Action::Move { seat: turn.unwrap(), mv });
            prop_assert_eq!(&position, &earlier);
            prop_assert_eq!(position.status(), status);
            prop_assert!(position.legal_moves().eq(earlier.legal_moves()));
            prop_assert!(position.history().eq(earlier.history()));
        }
        prop_assert_eq!(position.undo(), Err(Refusal::NothingToUndo));
        prop_assert_eq!(&position, &Position::new(&rules));
    }

    #[test]
    fn legal_moves_are_what_play_accepts(rules in rules(), choices in choices()) {
        let mut position = Position::new(&rules);
        play_out(&mut position, &choices[..choices.len().min(12)], |_, _| {});
        let legal: Vec<Move> = position.legal_moves().collect();
        for cell in (0..26).flat_map(|row| (0..26).map(move |col| Cell::new(row, col).unwrap())) {
            let is_listed = legal.contains(&cell.into());
            prop_assert_eq!(position.is_legal(cell), is_listed);
            prop_assert_eq!(position.check(cell).is_ok(), is_listed);
            prop_assert_eq!(position.clone().play(cell).map(drop), position.check(cell));
        }
    }

    #[test]
    fn refused_move_changes_nothing(
        rules in rules(),
        choices in choices(),
        tries in prop::collection::vec((0..8u8, any_cell()), 20),
    ) {
        let mut game = Game::with_default_players(&rules);
        for &choice in &choices {
            let legal: Vec<Move> = game.position().legal_moves().collect();
            let Some(turn) = game.turn() else { break };
            game.play(turn, legal[usize::from(choice) % legal.len()]).unwrap();
        }
        for (seat, cell) in tries {
            let seat = Seat::new(seat).unwrap();
            let before = game.clone();
            let refusal = match game.play(seat, cell) {
                Ok(_) => { game.undo().unwrap(); continue }
                Err(refusal) => refusal,
            };
            prop_assert_eq!(&game, &before);
            prop_assert!(game.history().eq(before.history()));
            let expected = match game.turn() {
                None => matches!(refusal, Refusal::GameOver),
                Some(turn) if turn != seat => matches!(refusal, Refusal::NotYourTurn { .. }),
                Some(_) if !rules.contains(cell) => matches!(refusal, Refusal::OffBoard { .. }),
                Some(_) if game.position().mark_at(cell).is_some() => matches!(refusal, Refusal::Taken { .. }),
                Some(_) => matches!(refusal, Refusal::Floating { .. }),
            };
            prop_assert!(expected, "{:?}", refusal);
        }
    }

    #[test]
    fn text_forms_round_trip(rules in rules(), choices in choices(), resignations in prop::collection::vec((0..80usize, 0..8u8), 0..4)) {
        prop_assert_eq!(rules.to_string().parse::<Rules>(), Ok(rules.clone()));
        let mut game = Game::with_default_players(&rules);
        for (i, &choice) in choices.iter().enumerate() {
            for (_, seat) in resignations.iter().filter(|(when, _)| *when == i) {
                let _ = game.resign(Seat::new(*seat).unwrap());
            }
            let Some(turn) = game.turn() else { break };
            let legal: Vec<Move> = game.position().legal_moves().collect();
            game.play(turn, legal[usize::from(choice) % legal.len()]).unwrap();
            let text = game.position().to_string();
            let read: Position = text.parse().unwrap();
            prop_assert_eq!(&read, game.position(), "{}", text);
        }
        let read: Game = game.to_string().parse().unwrap();
        prop_assert_eq!(&read, &game);
        prop_assert!(read.history().eq(game.history()));
    }

    #[test]
    fn symmetric_games_end_alike(rules in rules(), choices in choices()) {
        let mut position = Position::new(&rules);
        play_out(&mut position, &choices, |_, _| {});
        for symmetry in rules.symmetries() {
            let image_of = |cell| rules.cell_at(symmetry[rules.cell_index(cell).unwrap()]).unwrap();
            let mut image = Position::new(&rules);
            for action in position.history() {
                if let Some(cell) = action.cell() {
                    image.play(image_of(cell)).unwrap();
                }
            }
            prop_assert_eq!(image.outcome(), position.outcome());
            if let (Status::Won { cells, .. }, Status::Won { cells: images, .. }) = (position.status(), image.status()) {
                let mut expected: Vec<Cell> = cells.into_iter().map(image_of).collect();
                expected.sort();
                prop_assert_eq!(images, expected);
            }
        }
    }

    /// The turn order skips resigned seats, and the last seat left wins.
    #[test]
    fn turn_order_skips_resigned_seats(
        rules in rules(),
        steps in prop::collection::vec((any::<u16>(), prop::option::weighted(0.2, 0..8u8)), 0..60),
    ) {
        let mut game = Game::with_default_players(&rules);
        let mut left: Vec<Seat> = rules.seats().collect();
        for (choice, resigning) in steps {
            let Some(turn) = game.turn() else { break };
            if let Some(seat) = resigning.and_then(Seat::new) {
                let known = left.contains(&seat);
                let events = game.resign(seat);
                prop_assert_eq!(events.is_ok(), known);
                if known {
                    let next = left.iter().copied().cycle().skip_while(|&s| s != seat).nth(1);
                    left.retain(|&s| s != seat);
                    let expected = if left.len() == 1 { None } else if turn == seat { next } else { Some(turn) };
                    prop_assert_eq!(game.turn(), expected);
                    if let [last] = left[..] {
                        prop_assert_eq!(game.position().outcome(), Some(Outcome::Win(last)));
                    }
                }
                continue;
            }
            let legal: Vec<Move> = game.position().legal_moves().collect();
            let events = game.play(turn, legal[usize::from(choice) % legal.len()]).unwrap();
            let mark = Some(Mark::new(turn.index() as u8).unwrap());
            let moved_by_turn =
                matches!(events[0], Event::Moved { seat, mark: m, .. } if seat == turn && m == mark);
            prop_assert!(moved_by_turn && events.len() == 2);
            if let Event::Turn { seat, stones, board } = events[1] {
                let next = left.iter().copied().cycle().skip_while(|&s| s != turn).nth(1);
                prop_assert_eq!((Some(seat), stones, board), (next, 1, None));
            }
        }
        while game.undo().is_ok() {}
        prop_assert_eq!(game, Game::with_default_players(&rules));
    }
}
