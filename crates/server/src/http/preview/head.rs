//! The title, the description and the picture of a screen, as other sites show them beside a link.

use std::fmt::Write;

use noughts_api::{
    GamePhase, GameView, IdentityKind, PlayerView, TournamentFormat, TournamentPhase,
    TournamentSettings, TournamentView,
};
use noughts_engine::{Puzzle, PuzzleKind};
use noughts_rules::{Rules, describe};

/// What a document says about its screen.
pub(super) struct Head {
    title: String,
    description: String,
    /// The address of the picture on this site.
    picture: String,
}

const DESCRIPTION: &str = "Tic-tac-toe and its whole family: alone, on one screen, or online. \
    Free, and no account needed.";

impl Head {
    /// Of a screen that looks the same for everybody.
    pub(super) fn general() -> Head {
        Head {
            title: "Noughts".into(),
            description: DESCRIPTION.into(),
            picture: "/share.png".into(),
        }
    }

    /// Of a puzzle, or of the puzzle of today.
    pub(super) fn puzzle(puzzle: &Puzzle, is_daily: bool) -> Head {
        let game = describe::title(puzzle.rules());
        let task = match (puzzle.kind(), puzzle.own_moves()) {
            (PuzzleKind::Draw, _) => "Find the only move that holds the draw.".into(),
            (PuzzleKind::Win, own) => format!("Play and win in {}. Can you see how?", count(own)),
        };
        Head {
            title: if is_daily {
                format!("Puzzle of the day: {game} · Noughts")
            } else {
                format!("Puzzle: {game} · Noughts")
            },
            description: task,
            picture: format!("/picture/puzzle/{}.png", puzzle.id()),
        }
    }

    pub(super) fn tournament(view: &TournamentView) -> Head {
        let TournamentSettings { name, format, rules, .. } = &view.settings;
        let kind = match format {
            TournamentFormat::Arena { minutes } => format!("An arena of {minutes} minutes"),
            TournamentFormat::RoundRobin { .. } => "A round robin".into(),
            TournamentFormat::Swiss { rounds } => format!("A Swiss tournament of {rounds} rounds"),
        };
        let game =
            rules.parse::<Rules>().map_or_else(|_| rules.clone(), |rules| describe::title(&rules));
        let state = match (view.phase, &view.standings[..]) {
            (TournamentPhase::Waiting, _) => "anyone with this link can join.".into(),
            (TournamentPhase::Running, _) => "being played now.".into(),
            (TournamentPhase::Finished, [first, ..]) => format!("{} came first.", first.name),
            (TournamentPhase::Finished | TournamentPhase::Cancelled, _) => "over.".into(),
        };
        Head {
            title: format!("{name} · Noughts"),
            description: format!("{kind}, {game}: {state}"),
            // Pictures are cached: the number of players is part of the address.
            picture: format!(
                "/picture/tournament/{}.png?players={}",
                view.id,
                view.standings.len()
            ),
        }
    }

    pub(super) fn player(name: &str) -> Head {
        Head {
            title: format!("{name} · Noughts"),
            description: format!("Ratings and games of {name}, and a game against them."),
            ..Head::general()
        }
    }

    /// Of a game, or of the position after some of its moves.
    pub(super) fn game(view: &GameView, name: &str, ply: Option<usize>) -> Head {
        let players: Vec<_> = view.players.iter().map(player_name).collect();
        let moves = view.moves.len();
        let description = match (view.phase, &view.result) {
            (GamePhase::Open, _) => {
                format!("{} invites you to play. No account needed.", players[0])
            }
            (_, Some(result)) => match result.winner {
                Some(seat) => format!("{} won after {}.", players[seat.index()], count(moves)),
                None => format!("No winner after {}.", count(moves)),
            },
            _ => format!("{} so far: watch the game.", count(moves)),
        };
        let at = ply.filter(|ply| *ply < moves);
        let (after, query) = match at {
            Some(ply) => (format!(", after {}", count(ply)), format!("?ply={ply}")),
            None => (String::new(), format!("?ply={moves}")),
        };
        Head {
            title: format!("{name}: {}{after} · Noughts", players.join(" – ")),
            description,
            picture: format!("/picture/{}.png{query}", view.id),
        }
    }

    /// The tags for the document at this path of a site.
    pub(super) fn html(&self, site: &str, path: &str) -> String {
        let (title, description) = (escape(&self.title), escape(&self.description));
        let (url, picture) = (escape(&format!("{site}{path}")), escape(&self.picture));
        let site = escape(site);
        let mut html = format!("<title>{title}</title>\n");
        let _ = writeln!(html, "<meta name=\"description\" content=\"{description}\">");
        for (property, content) in [
            ("og:site_name", "Noughts"),
            ("og:type", "website"),
            ("og:title", &title),
            ("og:description", &description),
            ("og:url", &url),
            ("og:image", &format!("{site}{picture}")),
            ("og:image:width", "1200"),
            ("og:image:height", "630"),
        ] {
            let _ = writeln!(html, "<meta property=\"{property}\" content=\"{content}\">");
        }
        html.push_str("<meta name=\"twitter:card\" content=\"summary_large_image\">");
        html
    }
}

fn count(moves: usize) -> String {
    format!("{moves} move{}", if moves == 1 { "" } else { "s" })
}

fn player_name(player: &PlayerView) -> String {
    match (player.kind, &player.name) {
        (Some(IdentityKind::Computer), _) => "Computer".into(),
        (_, Some(name)) => name.clone(),
        _ => "You?".into(),
    }
}

/// A text in HTML or in an attribute.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_text_in_documents() {
        let html = Head::player("<script>\"Ann\"").html("https://a.example", "/player/x");
        assert!(html.contains("<title>&lt;script&gt;&quot;Ann&quot; · Noughts</title>"), "{html}");
        assert!(!html.contains("<script>"));
        assert!(html.contains("content=\"https://a.example/share.png\""), "{html}");
    }
}
