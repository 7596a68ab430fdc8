//! Reads the form: the options that it describes, or what is wrong and where.

use noughts_play::{Counting, TimeControl, duration, is_computer_name};
use noughts_rules::{Player, Seat, Symbol};
use noughts_scores::Name;

use super::{COUNTINGS, FormItem, NO_CLOCK, StartPage};
use crate::game_options::{GameOptions, PlayerOptions};

/// What is wrong with the form, and where.
type FormError = (FormItem, String);

impl StartPage {
    /// The options, or the element that is wrong and why.
    pub(super) fn options(&self) -> Result<GameOptions, FormError> {
        let rules = self.rules().map_err(|error| (FormItem::Rules, error))?;
        let mut players: Vec<PlayerOptions> = Vec::new();
        for (person, kind) in self.seat_kinds().into_iter().enumerate() {
            if self.is_engine(person) && kind.is_human() {
                let text = "Type the command that starts the engine.";
                return Err((FormItem::Name(person), text.into()));
            }
            let name = if kind.is_human() { self.name(person)? } else { None };
            let symbol = self.symbol(person)?;
            let is_taken = players.iter().any(|other| symbol.is_some() && other.symbol == symbol);
            if is_taken {
                let text = "Someone else has that symbol, choose another.";
                return Err((FormItem::Symbol(person), text.into()));
            }
            players.push(PlayerOptions { kind, name, symbol });
        }
        let options = GameOptions {
            rules,
            players,
            clock: self.time_control()?,
            think: duration(&self.think.text()).map_err(|error| {
                (FormItem::Think, format!("That thinking time won't do: {error}."))
            })?,
            league: self.known_league()?,
            counting: COUNTINGS[self.counting].0,
        };
        self.check_names(&options)?;
        Ok(options)
    }

    fn name(&self, person: usize) -> Result<Option<String>, FormError> {
        let text = self.names[person].text();
        let wrong = |reason: String| (FormItem::Name(person), reason);
        match text.trim() {
            "" => Ok(None),
            name if is_computer_name(name) => {
                Err(wrong("That name belongs to a computer: choose another.".into()))
            }
            name => {
                let player = Player::new(name, Symbol::default_for(Seat::FIRST));
                let player =
                    player.map_err(|error| wrong(format!("That name won't do: {error}.")))?;
                Ok(Some(player.name().to_string()))
            }
        }
    }

    fn symbol(&self, person: usize) -> Result<Option<Symbol>, FormError> {
        let wrong = |error| (FormItem::Symbol(person), format!("That symbol won't do: {error}."));
        match self.symbols[person].text().trim() {
            "" => Ok(None),
            symbol => symbol.parse().map(Some).map_err(wrong),
        }
    }

    fn time_control(&self) -> Result<Option<TimeControl>, FormError> {
        let text = self.clock.text();
        if text == NO_CLOCK || text.is_empty() {
            return Ok(None);
        }
        let wrong = |error| (FormItem::Clock, format!("That clock won't do: {error}."));
        text.parse().map(Some).map_err(wrong)
    }

    /// The league, which must exist: a misspelt name is no new league.
    fn known_league(&self) -> Result<String, FormError> {
        let league = self.league.text();
        if self.league.is_known() || COUNTINGS[self.counting].0 == Counting::Uncounted {
            return Ok(league);
        }
        let text = format!(
            "There is no league {league}: `noughts scores create {league} elo` creates it."
        );
        Err((FormItem::League, text))
    }

    /// The league could not tell two players with one name apart.
    fn check_names(&self, options: &GameOptions) -> Result<(), FormError> {
        let people = options.people();
        let names: Vec<_> = people.iter().map(|player| Name::new(player.name())).collect();
        for (later, name) in names.iter().enumerate() {
            let Some(first) = names[..later].iter().position(|other| other == name) else {
                continue;
            };
            // Of a person and a computer, the person can choose another name.
            let slot = if options.kind(later).is_human() { later } else { first };
            let name = people[later].name();
            let text = format!("Two players are called {name}: each needs a name of their own.");
            return Err((FormItem::Name(slot), text));
        }
        Ok(())
    }
}
