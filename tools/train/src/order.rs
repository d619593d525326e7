//! An exact shuffle without memory: every epoch visits every position once, in a pseudo-random order
//! that can be resumed anywhere.

use skewer_types::mix;

/// A pseudo-random permutation of `0..len`: a Feistel network (Luby and Rackoff, 1988) over the
/// next power of two, applied until the value is in range (cycle walking; Black and Rogaway, 2002).
#[derive(Debug, Clone, Copy)]
pub struct Order {
    len: u64,
    /// Bits of the left and of the right part.
    bits: (u32, u32),
    seed: u64,
}

impl Order {
    /// The permutation of `0..len` that belongs to `seed`.
    pub fn new(len: usize, seed: u64) -> Self {
        let len = len as u64;
        let total = (u64::BITS - len.saturating_sub(1).leading_zeros()).max(2);
        Self {
            len,
            bits: (total / 2, total - total / 2),
            seed: mix(seed ^ 0x5ced_3a27),
        }
    }

    /// The image of `index`.
    ///
    /// # Panics
    ///
    /// If `index` is not below the length.
    ///
    /// ```
    /// # use skewer_train::order::Order;
    /// let order = Order::new(10, 1);
    /// let mut seen: Vec<usize> = (0..10).map(|i| order.at(i)).collect();
    /// seen.sort_unstable();
    /// assert_eq!(seen, (0..10).collect::<Vec<_>>());
    /// ```
    #[inline]
    pub fn at(&self, index: usize) -> usize {
        let mut value = index as u64;
        assert!(
            value < self.len,
            "index {index} of an order of {}",
            self.len
        );
        loop {
            value = self.scramble(value);
            if value < self.len {
                return value as usize;
            }
        }
    }

    fn scramble(&self, value: u64) -> u64 {
        let (left_bits, right_bits) = self.bits;
        let (left_mask, right_mask) = ((1u64 << left_bits) - 1, (1u64 << right_bits) - 1);
        let (mut left, mut right) = (value >> right_bits, value & right_mask);
        for round in 0..3 {
            left ^= mix(right ^ self.seed.rotate_left(7 * round)) & left_mask;
            right ^= mix(left ^ self.seed.rotate_left(7 * round + 31)) & right_mask;
        }
        left << right_bits | right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_comes_once() {
        for len in [1usize, 2, 3, 5, 64, 65, 1000, 4097] {
            let order = Order::new(len, 42);
            let mut seen = vec![false; len];
            for index in 0..len {
                let at = order.at(index);
                assert!(!seen[at], "{at} twice of {len}");
                seen[at] = true;
            }
        }
    }

    #[test]
    fn seeds_and_neighbours_differ() {
        let len = 100_000;
        let (a, b) = (Order::new(len, 1), Order::new(len, 2));
        let same = (0..len).filter(|&i| a.at(i) == b.at(i)).count();
        assert!(same < 20, "{same} places in common");
        // The mean distance of random places is a third of the length.
        let apart: usize = (1..len).map(|i| a.at(i).abs_diff(a.at(i - 1))).sum();
        let mean = apart as f64 / (len - 1) as f64 / len as f64;
        assert!((0.32..0.35).contains(&mean), "{mean}");
    }
}
