//! Lists and creates leagues.

use std::io::{self, Write};

use noughts_scores::System;
use noughts_store::{LeagueChoice, LeagueSummary};
use serde::Serialize;

use super::{Scores, print_json};
use crate::failure::Failure;
use noughts_play::Table;

#[derive(Serialize)]
struct Row {
    name: String,
    system: &'static str,
    results: u64,
}

impl Scores {
    pub(super) fn leagues(&self) -> Result<(), Failure> {
        let leagues = self.data.leagues()?;
        if self.json {
            let row = |league: &LeagueSummary| Row {
                name: league.name.clone(),
                system: league.system.as_str(),
                results: league.results,
            };
            return Ok(print_json(&leagues.iter().map(row).collect::<Vec<_>>())?);
        }
        let mut output = io::stdout().lock();
        if leagues.is_empty() {
            writeln!(output, "There is no league yet: the first game creates one.")?;
            return Ok(());
        }
        let mut table = Table::new(["league", "system", "results"]);
        for league in leagues {
            table.push([league.name, league.system.to_string(), league.results.to_string()]);
        }
        Ok(table.print(&mut output)?)
    }

    pub(super) fn create(&self, name: String, system: System) -> Result<(), Failure> {
        let choice = LeagueChoice { name, system };
        self.data.create_league(&choice)?;
        let LeagueChoice { name, system } = choice;
        if self.json {
            return Ok(print_json(&Row { name, system: system.as_str(), results: 0 })?);
        }
        writeln!(io::stdout(), "Created the league {name} with the rating system {system}.")?;
        Ok(())
    }
}
