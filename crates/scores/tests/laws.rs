//! Properties of leagues under random reports and retractions.

use std::collections::BTreeSet;

use noughts_scores::{
    GameResult, League, LeagueLoader, Name, Outcome, RatingPoint, Record, Report, ResultId,
    RetractError, Segment, System, Weight,
};
use proptest::prelude::*;
use proptest::sample::Index;

/// Ten people, some with several spellings.
const PEOPLE: [&[&str]; 10] = [
    &["Ann", "ann", "ANN"],
    &["Bob"],
    &["Éva", "E\u{301}VA", "éva"],
    &["Straße", "STRASSE"],
    &["Ὀδυσσεύς", "ὈΔΥΣΣΕΎΣ"],
    &["Fay"],
    &["Gus", "gus"],
    &["Hal"],
    &["Ida"],
    &["Jo", "JO"],
];

#[derive(Clone, Debug)]
enum Step {
    Report(GameResult<Name>),
    /// Retracts one of the results so far.
    Retract(Index),
    /// Lists a person or not.
    List(usize, bool),
}

/// Everything that a league knows about a player.
type Profile = (usize, Name, Record, Vec<RatingPoint>, Vec<Record>);

fn any_system() -> impl Strategy<Value = System> {
    prop::sample::select(System::ALL.to_vec())
}

fn any_result(max_players: usize) -> impl Strategy<Value = GameResult<Name>> {
    let people = prop::sample::subsequence((0..PEOPLE.len()).collect::<Vec<_>>(), 2..=max_players);
    (
        people.prop_shuffle(),
        prop::collection::vec(any::<Index>(), max_players),
        prop::option::weighted(0.8, any::<Index>()),
        prop::collection::vec(any_weight(), max_players),
    )
        .prop_map(|(people, spellings, winner, weights)| {
            let outcome = winner.map_or(Outcome::Draw, |winner| Outcome::Won {
                seat: winner.index(people.len()) as u8,
            });
            let names = people
                .iter()
                .zip(spellings)
                .map(|(&person, spelling)| *spelling.get(PEOPLE[person]));
            GameResult::from_names(names, outcome)
                .expect("different people with a winner among them")
                .with_weights(&weights)
        })
}

fn any_weight() -> impl Strategy<Value = Weight> {
    prop::sample::select(vec![100, 100, 50, 10, 0])
        .prop_map(|percent| Weight::from_percent(percent).unwrap())
}

fn any_steps() -> impl Strategy<Value = (System, Vec<Step>)> {
    any_system().prop_flat_map(|system| {
        let step = prop_oneof![
            3 => any_result(system.max_players()).prop_map(Step::Report),
            1 => any::<Index>().prop_map(Step::Retract),
            1 => (0..PEOPLE.len(), any::<bool>()).prop_map(|(who, is_listed)| Step::List(who, is_listed)),
        ];
        (Just(system), prop::collection::vec(step, 1..40))
    })
}

/// The whole table, with everything about each player.
fn everything(league: &League<Name>) -> Vec<Profile> {
    league
        .top(usize::MAX)
        .map(|standing| {
            assert_eq!(league.standing(standing.player), Some(standing.clone()));
            let over_time: Vec<_> = league.rating_over_time(standing.player).collect();
            assert_eq!(over_time[0].rating, standing.rating);
            (
                standing.rank,
                standing.player.clone(),
                standing.record,
                over_time,
                PEOPLE
                    .map(|person| {
                        league.head_to_head(standing.player, &Name::new(person[0]).unwrap())
                    })
                    .to_vec(),
            )
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn retraction_equals_recomputing((system, steps) in any_steps()) {
        let mut league = League::new(system);
        let mut reported = Vec::new();
        let mut remaining: Vec<Report<Name>> = Vec::new();
        let mut unlisted: BTreeSet<Name> = BTreeSet::new();
        for (n, step) in (1..).zip(steps) {
            match step {
                Step::Report(result) => {
                    let report = Report { id: ResultId(10 * n), at: -(n as i64), result };
                    prop_assert_eq!(league.report(&report), Ok(()));
                    reported.push(report.id);
                    remaining.push(report);
                }
                Step::List(who, is_listed) => {
                    let name = Name::new(PEOPLE[who][0]).unwrap();
                    league.set_listed(&name, is_listed);
                    match is_listed {
                        true => drop(unlisted.remove(&name)),
                        false => drop(unlisted.insert(name)),
                    }
                }
                Step::Retract(_) if reported.is_empty() => {}
                Step::Retract(which) => {
                    let id = *which.get(&reported);
                    let before = remaining.len();
                    remaining.retain(|report| report.id != id);
                    let expected = if remaining.len() < before {
                        Ok(())
                    } else {
                        Err(RetractError::AlreadyRetracted(id))
                    };
                    prop_assert_eq!(league.retract(id), expected);
                }
            }
        }
        let mut recomputed = League::new(system);
        prop_assert_eq!(recomputed.report_all(&remaining), Ok(()));
        unlisted.iter().for_each(|name| recomputed.set_listed(name, false));
        prop_assert_eq!(everything(&league), everything(&recomputed));
        for report in &remaining {
            let changes: Vec<_> = league.changes(report.id).collect();
            prop_assert_eq!(&changes, &recomputed.changes(report.id).collect::<Vec<_>>());
            for (seat, change) in changes.iter().enumerate() {
                prop_assert_eq!(change.weight, report.result.weight(seat));
                let counts = change.weight > Weight::NONE;
                prop_assert!(counts || change.before == change.after);
            }
        }
        for player in league.players() {
            prop_assert_eq!(league.rating(player), recomputed.rating(player));
            prop_assert_eq!(league.record(player), recomputed.record(player));
        }
    }

    #[test]
    fn loading_segments_equals_reporting(
        (system, steps) in any_steps(),
        size in 1_usize..8,
        damaged in any::<Index>(),
        flipped in 1_u8..,
    ) {
        let mut league = League::new(system);
        let mut reports = Vec::new();
        for (id, step) in (1..).zip(steps) {
            match step {
                Step::Report(result) => {
                    let report = Report { id: ResultId(id), at: id as i64, result };
                    prop_assert_eq!(league.report(&report), Ok(()));
                    reports.push(report);
                }
                Step::Retract(which) if !reports.is_empty() => {
                    let retracted = reports.remove(which.index(reports.len()));
                    prop_assert_eq!(league.retract(retracted.id), Ok(()));
                }
                Step::Retract(_) | Step::List(..) => {}
            }
        }
        let mut segments: Vec<Segment<Name>> = Vec::new();
        while let Some(next) = league.segment(segments.last().map(|segment| segment.last), size) {
            segments.push(next);
        }
        let mut loader = LeagueLoader::new(system);
        segments.iter().try_for_each(|segment| loader.append(segment)).unwrap();
        let mut loaded = loader.finish();
        let last = segments.last().map(|segment| segment.last);
        reports.retain(|report| Some(report.id) > last);
        prop_assert!(reports.len() < size);
        prop_assert_eq!(loaded.report_all(&reports), Ok(()));
        prop_assert_eq!(everything(&loaded), everything(&league));
        let renamed = loaded.map_keys(|name| name.to_string()).expect("different names");
        let name = |text: &String| Name::new(text).unwrap();
        let names = renamed.top(usize::MAX).map(|standing| name(standing.player));
        prop_assert!(names.eq(league.top(usize::MAX).map(|standing| standing.player.clone())));

        // Other bytes are refused, or are another league; nothing panics.
        if let Some(segment) = segments.first_mut() {
            let at = damaged.index(segment.body.len());
            segment.body.truncate(at);
            prop_assert!(LeagueLoader::new(system).append(segment).is_err());
            if let Some(byte) = segment.body.last_mut() {
                *byte ^= flipped;
                let _ = LeagueLoader::new(system).append(segment);
            }
        }
    }

    #[test]
    fn queries_agree_with_the_table(
        (system, steps) in any_steps(),
        row in 0_usize..12,
        n in 0_usize..6,
    ) {
        let mut league = League::new(system);
        for (id, step) in (0..).zip(steps) {
            if let Step::Report(result) = step {
                let report = Report { id: ResultId(id), at: 0, result };
                prop_assert_eq!(league.report(&report), Ok(()));
            }
        }
        let table: Vec<_> = league.top(usize::MAX).collect();
        prop_assert_eq!(table.len(), league.len());
        prop_assert!(table.iter().map(|s| s.rating.shown).is_sorted_by(|a, b| a >= b));

        let from = row.max(1) - 1;
        let page: Vec<_> = league.page(row, n).collect();
        let expected: Vec<_> = table.iter().skip(from).take(n).cloned().collect();
        prop_assert_eq!(page, expected);

        for (index, standing) in table.iter().enumerate() {
            let higher = table.iter().filter(|s| s.rating.shown > standing.rating.shown).count();
            prop_assert_eq!(standing.rank, 1 + higher);
            prop_assert_eq!(league.rank(standing.player), Some(standing.rank));
            let neighbours = league.neighbours(standing.player, n).expect("in the table");
            prop_assert_eq!(&neighbours.above[..], &table[index.saturating_sub(n)..index]);
            prop_assert_eq!(&neighbours.standing, standing);
            let end = table.len().min(index + 1 + n);
            prop_assert_eq!(&neighbours.below[..], &table[index + 1..end]);
        }
    }
}
