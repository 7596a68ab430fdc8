//! A growable bit set.

/// A set of dense numbers: one bit for each number up to the highest.
#[derive(Clone, Debug, Default)]
pub(crate) struct BitSet(Vec<u64>);

impl BitSet {
    pub(crate) fn contains(&self, number: u32) -> bool {
        self.0.get(word(number)).is_some_and(|word| word & mask(number) != 0)
    }

    pub(crate) fn insert(&mut self, number: u32) {
        if self.0.len() <= word(number) {
            self.0.resize(word(number) + 1, 0);
        }
        self.0[word(number)] |= mask(number);
    }

    pub(crate) fn remove(&mut self, number: u32) {
        if let Some(word) = self.0.get_mut(word(number)) {
            *word &= !mask(number);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.0.as_slice())
    }
}

fn word(number: u32) -> usize {
    number as usize / 64
}

fn mask(number: u32) -> u64 {
    1 << (number % 64)
}
