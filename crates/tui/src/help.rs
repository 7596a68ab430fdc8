//! The help page: how to play, and all keys.

use crossterm::event::{Event, KeyCode};
use noughts_play::takes_columns;
use noughts_rules::{Marks, Opening, Rules, Shape, describe};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::Navigation;
use super::keys::Keys;
use super::scroll_view::ScrollView;
use super::theme::{TextRole, Theme};
use super::widgets::click_map::ClickMap;
use super::widgets::key_bar::{KeyBar, hints};

/// A heading with keys and their meaning.
type Group = (&'static str, &'static [(&'static str, &'static str)]);

const B2: &str = "type a box to take it; where a command's letter names a row, use the menu: Esc u. hjkl \
                  work on boards of up to 7 rows";

/// Keys of a local game.
const LOCAL: [Group; 5] = [
    (
        "During a game",
        &[
            ("arrows, hjkl", "move the cursor; Home, End, Page Up and Page Down: to the edge"),
            ("Enter, Space", "take the box; while the computer thinks: move now"),
            ("B2", B2),
            ("mouse", "click a box to take it; the wheel scrolls large boards"),
            ("u, r", "undo the last move; redo it"),
            ("t", "hint: a star marks the best boxes"),
            ("v", "analysis: what each box is worth to the player to move"),
            ("z", "swap sides; the board stays"),
            ("s", "save the game to a file"),
            ("w", "resign"),
            ("p", "new game"),
            ("Esc", "the menu with all of these, and the scoreboard"),
            ("q", "leave the game"),
        ],
    ),
    (
        "After a game",
        &[
            ("Enter", "play again; the other player starts"),
            ("v", "review the game, with analysis"),
            ("u", "undo the last move, unless the game is rated"),
        ],
    ),
    (
        "Puzzles",
        &[
            ("t", "hint: three boxes, one is right; then the puzzle is not rated"),
            ("v, r", "the solution, for those who give up; begin anew"),
            ("p", "another puzzle"),
        ],
    ),
    ANALYSIS,
    EVERYWHERE,
];

/// Keys of an online game.
const ONLINE: [Group; 4] = [
    (
        "During a game",
        &[
            ("arrows, hjkl", "move the cursor; Home, End, Page Up and Page Down: to the edge"),
            ("Enter, Space", "take the box under the cursor"),
            ("B2", B2),
            ("mouse", "click a box to take it; the wheel scrolls large boards"),
            ("u", "ask to take back your last move"),
            ("y, n", "accept or decline an undo request"),
            ("w", "resign; before the second move: abort, which does not count"),
            ("z", "claim a win when another player has been away for too long"),
            ("s", "save the game to a file"),
            ("Esc", "the menu with all of these"),
            ("q", "leave; your seat is kept until you join again"),
        ],
    ),
    (
        "After a game",
        &[
            ("Enter", "offer or accept a rematch"),
            ("v", "review the game, with analysis"),
            ("u", "ask to undo the last move, unless the game is rated"),
        ],
    ),
    ANALYSIS,
    EVERYWHERE,
];

/// Keys of a server's lobby.
#[cfg(feature = "online")]
const LOBBY: [Group; 2] = [
    (
        "In the lobby",
        &[
            ("Enter", "go on with a game, join it or watch it; challenge a player; accept"),
            ("arrows, jk", "choose; the mouse does, too: a second click opens"),
            ("n", "new game: a board, and a level to play the computer: connect4 hard"),
            ("c", "challenge somebody by name, online or not"),
            ("d", "decline a challenge, or withdraw one of yours"),
            ("Esc", "leave; your games are kept at the server"),
        ],
    ),
    EVERYWHERE,
];

const ANALYSIS: Group = (
    "Analysis",
    &[
        ("W3  D  L4", "proven: win in 3 own moves, draw, loss in 4 of the winner's"),
        ("~+250  ~win", "an estimate, not proven: higher is better"),
        ("+2  +", "estimates in hundreds, where cells are small"),
        ("(X)  *X*  >X<", "the last move; the winning line; both"),
    ],
);

const EVERYWHERE: Group = (
    "Everywhere",
    &[
        ("?, F1", "this page"),
        ("Ctrl-Z", "suspend; continue with fg"),
        ("Ctrl-L", "redraw the screen"),
        ("Ctrl-C", "quit; an unfinished game is kept"),
    ],
);

/// Keys and signs of games with more than boxes.
fn own_keys(rules: &Rules) -> Vec<(&'static str, &'static str)> {
    let parts = rules.parts();
    let mut keys = Vec::new();
    if let Shape::Boards { boards: 2.., .. } = rules.shape() {
        keys.push(("2B3", "box B3 of board 2; board 1 needs no number"));
        keys.push(("arrows", "go on from board to board"));
    } else if rules.levels() > 1 {
        keys.push(("2B3", "box B3 of level 2; level 1 needs no number"));
        keys.push(("arrows", "go on from level to level"));
    }
    if takes_columns(rules) {
        keys.push(("4", "drop into column 4; any box of the column does the same"));
    }
    if parts.marks == Marks::Any {
        keys.push(("x, o", "choose the mark that Enter and a click place; Tab switches, too"));
        keys.push(("B3=o, B3o", "place O in B3; a star or a value with X is for an X there"));
    }
    if parts.opening != Opening::Free {
        keys.push(("1, 2, 3", "answer the question of the opening; arrows and Enter do, too"));
    }
    if parts.fade.is_some() {
        keys.push((":X:", "the mark that disappears with the next move"));
    }
    if parts.renju {
        keys.push(("!", "a box that the first player may not take"));
    }
    if matches!(rules.shape(), Shape::Nested { .. }) {
        keys.push(("B2.C1", "box C1 of small board B2; E5 counts through all boards"));
        keys.push(("double frame", "the board to play in; at the end, the boards that won"));
    }
    keys
}

/// The words of rules of one's own.
const CUSTOM_RULES: &[(&str, &str)] = &[
    ("5x6", "a board of 5 rows and 6 columns; 4x4x4 has 4 levels"),
    (":4", "four in a row; without it, as many as the shortest side"),
    (":[A1-B2-C3,…]", "the lines that win, each from box to box"),
    ("+3p", "three players, up to eight"),
    ("+misere", "who completes a row loses"),
    ("+gravity", "marks fall down"),
    ("+wrap", "the edges join"),
    ("+exact", "longer rows do not win"),
    ("+2s", "two stones a turn"),
    ("+fade3", "only the last three marks of each player stay"),
    ("+wild", "place any mark"),
    ("+notakto +2b", "everyone plays X, on two boards"),
    ("+order", "Order wants a row, Chaos a full board without one"),
    ("+ultimate", "a board of boards"),
    ("+swap, +swap2", "an opening after which one player chooses a side"),
    ("+renju", "some moves of the first player are forbidden"),
    ("connect4+wrap", "a name of the list takes the words too"),
];

/// What is explained.
enum Topic {
    Game(Rules),
    /// The parts that rules can be written with.
    CustomRules,
    #[cfg(feature = "online")]
    Lobby,
}

pub(crate) struct HelpPage {
    topic: Topic,
    keys: &'static [Group],
    own_keys: Keys,
    scroll: ScrollView,
    click_map: ClickMap,
}

impl HelpPage {
    pub(crate) fn new(rules: &Rules, is_online: bool) -> HelpPage {
        let keys: &[Group] = if is_online { &ONLINE } else { &LOCAL };
        HelpPage::about(Topic::Game(rules.clone()), keys)
    }

    /// Lists the parts that rules can be written with.
    pub(crate) fn of_custom_rules() -> HelpPage {
        HelpPage::about(Topic::CustomRules, &[])
    }

    /// Lists the keys of a server's lobby.
    #[cfg(feature = "online")]
    pub(crate) fn of_lobby() -> HelpPage {
        HelpPage::about(Topic::Lobby, &LOBBY)
    }

    fn about(topic: Topic, keys: &'static [Group]) -> HelpPage {
        let (scroll, click_map) = (ScrollView::default(), ClickMap::default());
        HelpPage { topic, keys, own_keys: Keys::default(), scroll, click_map }
    }

    /// Says which keys were chosen.
    pub(crate) fn with_keys(self, own_keys: Keys) -> HelpPage {
        HelpPage { own_keys, ..self }
    }

    pub(crate) fn click_map(&self) -> &ClickMap {
        &self.click_map
    }

    pub(crate) fn handle(&mut self, event: &Event) -> Navigation {
        if let Event::Key(key) = event
            && matches!(
                key.code,
                KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q' | '?') | KeyCode::F(1)
            )
        {
            return Navigation::Back;
        }
        self.scroll.handle(event);
        Navigation::Stay
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame, area: Rect, theme: Theme) {
        let body = Rect {
            x: area.x + 1,
            width: area.width.saturating_sub(2),
            height: area.height.saturating_sub(2),
            ..area
        };
        self.scroll.draw(frame, body, self.lines(theme, body.width));
        let keys = match self.scroll.has_more() {
            false => hints(&[("Esc", "back")]),
            true => hints(&[("Esc", "back"), (theme.pick("↑↓", "up/down"), "scroll")]),
        };
        let bottom = Rect { y: area.bottom().saturating_sub(1), height: 1, ..body };
        let bottom = bottom.intersection(area);
        self.click_map.clear();
        self.click_map.add_keys(&KeyBar { theme, keys: &keys }, bottom);
        frame.render_widget(KeyBar { theme, keys: &keys }, bottom);
    }

    fn lines(&self, theme: Theme, width: u16) -> Vec<Line<'static>> {
        let heading = |text: &str| Line::styled(text.to_string(), theme.role(TextRole::Title));
        let key_lines = |(key, what): &(&str, &str)| key_lines(key, what, theme, width.into());
        let mut lines = Vec::new();
        let mut own = Vec::new();
        match &self.topic {
            Topic::CustomRules => {
                lines.extend([heading("Rules of your own"), Line::default()]);
                lines.push(Line::raw("A board, then any of these words: 5x6:4+gravity+wrap+3p"));
                lines.push(Line::default());
                lines.extend(CUSTOM_RULES.iter().flat_map(key_lines));
            }
            #[cfg(feature = "online")]
            Topic::Lobby => lines.push(heading("Playing online")),
            Topic::Game(rules) => {
                let how_to_play = format!("How to play {rules}: {}", describe::title(rules));
                lines.extend([heading(&how_to_play), Line::default()]);
                lines.extend(describe::how_to_play(rules).into_iter().map(Line::raw));
                own = own_keys(rules);
            }
        }
        if self.own_keys != Keys::default() {
            lines.extend([Line::default(), heading("Your keys")]);
            let keys = self.own_keys.iter();
            lines.extend(keys.flat_map(|(name, key)| key_lines(&(&*key.to_string(), name))));
        }
        let own = (!own.is_empty()).then_some(("In this game", &*own));
        for (name, keys) in own.into_iter().chain(self.keys.iter().copied()) {
            lines.extend([Line::default(), heading(name)]);
            lines.extend(keys.iter().flat_map(key_lines));
        }
        lines
    }
}

/// A key and what it does beside it, or below it in narrow windows.
fn key_lines(key: &str, what: &str, theme: Theme, width: usize) -> Vec<Line<'static>> {
    const MIN_WIDTH_BESIDE: usize = 60;
    const KEY_WIDTH: usize = 15;
    const INDENT: usize = 4;
    let is_beside = width >= MIN_WIDTH_BESIDE;
    let indent = if is_beside { KEY_WIDTH } else { INDENT };
    let mut rows = vec![String::new()];
    for word in what.split(' ') {
        let row = rows.last_mut().expect("there is a row");
        let room = width.saturating_sub(indent + row.width());
        match row.is_empty() {
            true => row.push_str(word),
            false if word.width() < room => row.extend([" ", word]),
            false => rows.push(word.to_string()),
        }
    }
    let mut rows = rows.into_iter().map(|row| format!("{:indent$}{row}", ""));
    let key_style = theme.role(TextRole::Key);
    let first = match is_beside {
        true => {
            let row = rows.next().unwrap_or_default();
            let key = Span::styled(format!("  {key:<12} "), key_style);
            Line::from(vec![key, Span::raw(row.trim_start().to_string())])
        }
        false => Line::styled(format!("  {key}"), key_style),
    };
    [first].into_iter().chain(rows.map(Line::raw)).collect()
}

#[cfg(test)]
mod tests {
    use noughts_rules::notation::PRESETS;

    use super::*;

    #[test]
    fn keys_fit_eighty_columns() {
        let theme = Theme::new(false, true);
        for (_, rules) in PRESETS {
            let rules = rules.parse().unwrap();
            for page in [false, true].map(|is_online| HelpPage::new(&rules, is_online)) {
                // The sentences before the keys wrap.
                let lines = page.lines(theme, 78);
                let keys = lines.iter().filter(|line| line.spans.len() > 1);
                for line in keys {
                    assert!(line.width() <= 78, "{line}");
                }
            }
        }
    }

    #[test]
    fn explanations_are_indented() {
        let shown = |width| {
            let lines = key_lines("u", "undo the last move", Theme::new(false, true), width);
            lines.iter().map(Line::to_string).collect::<Vec<_>>()
        };
        assert_eq!(shown(78), ["  u            undo the last move"]);
        assert_eq!(shown(20), ["  u", "    undo the last", "    move"]);
    }

    #[test]
    fn help_explains_the_chosen_game() {
        let theme = Theme::new(false, true);
        let help = |rules: &str| {
            let lines = HelpPage::new(&rules.parse().unwrap(), false).lines(theme, 78);
            lines.iter().map(|line| format!("{line}\n")).collect::<String>()
        };
        assert!(help("ultimate").starts_with("How to play 3x3+ultimate: Ultimate tic-tac-toe\n"));
        assert!(help("qubic").contains("box B3 of level 2"));
        assert!(help("notakto").contains("box B3 of board 2"));
        assert!(help("wild").contains("choose the mark that Enter and a click place"));
        assert!(help("swap2").contains("answer the question of the opening"));
        assert!(help("fade").contains("the mark that disappears with the next move"));
        assert!(!help("3x3").contains("In this game"));
    }
}
