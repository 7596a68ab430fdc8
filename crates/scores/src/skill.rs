//! A player's estimated skill, and the column that stores it.

use crate::System;

/// A rating system's estimate of a player, on the system's own scale. Systems without a deviation
/// or volatility leave it at zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Skill {
    pub value: f64,
    pub deviation: f64,
    pub volatility: f64,
}

impl Skill {
    /// The skill with these numbers; those that are missing are zero.
    pub(crate) fn from_numbers(numbers: &[f64]) -> Self {
        let number = |index: usize| numbers.get(index).copied().unwrap_or_default();
        Self { value: number(0), deviation: number(1), volatility: number(2) }
    }
}

/// A vector of skills.
///
/// Stores only the numbers that the system uses: an Elo rating takes 8 bytes, not 24.
#[derive(Clone, Debug)]
pub(crate) struct SkillColumn {
    width: usize,
    numbers: Vec<f64>,
}

impl SkillColumn {
    pub(crate) fn new(system: System) -> Self {
        Self {
            width: match system {
                System::Wins | System::PlusMinus | System::Elo => 1,
                System::WengLin => 2,
                System::Glicko2 => 3,
            },
            numbers: Vec::new(),
        }
    }

    /// How many numbers a skill has in this system.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The numbers of a skill.
    pub(crate) fn numbers(&self, index: usize) -> &[f64] {
        &self.numbers[index * self.width..][..self.width]
    }

    pub(crate) fn push(&mut self, skill: Skill) {
        self.numbers.extend(&as_array(skill)[..self.width]);
    }

    pub(crate) fn get(&self, index: usize) -> Skill {
        Skill::from_numbers(self.numbers(index))
    }

    pub(crate) fn set(&mut self, index: usize, skill: Skill) {
        self.numbers[index * self.width..][..self.width]
            .copy_from_slice(&as_array(skill)[..self.width]);
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.numbers.as_slice())
    }
}

fn as_array(skill: Skill) -> [f64; 3] {
    [skill.value, skill.deviation, skill.volatility]
}
