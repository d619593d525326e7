//! Random numbers that are the same on every machine and in every version, so that an opening, a
//! game or a data file can be made again from its seed.

/// What `SplitMix64` adds to its state for each number: 2^64 divided by the golden ratio.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A 64-bit hash of a number: the output function of `SplitMix64` (Steele, Lea and Flood, 2014).
/// Neighbouring numbers have unrelated hashes, and no two numbers have the same hash.
#[inline]
pub const fn mix(number: u64) -> u64 {
    let mixed = number.wrapping_add(STEP);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Whether a hash, such as [`mix`] makes, is among this share of all hashes, from 0 (none) to 1 (all).
#[inline]
pub fn is_within_share(hash: u64, share: f64) -> bool {
    // A float has 53 bits of precision.
    ((hash >> 11) as f64) < share * (1_u64 << 53) as f64
}

/// A stream of pseudo-random numbers: `SplitMix64` (Steele, Lea and Flood, 2014). Not for secrets.
///
/// ```
/// use skewer_types::Rng;
///
/// let mut first = Rng::new(7);
/// let mut again = Rng::new(7);
/// assert_eq!(first.next_u64(), again.next_u64());
/// assert!(first.below(6) < 6);
/// assert!([2, 3, 5].contains(first.choose(&[2, 3, 5]).unwrap()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// The stream of a seed.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Stream `index` of a seed. The streams of a seed are unrelated, so that numbered pieces of
    /// work can be done in any order and by any number of threads.
    pub const fn stream(seed: u64, index: u64) -> Self {
        Self::new(mix(seed) ^ mix(index ^ 0x5be3_11a8_70c9_64d3))
    }

    /// The next number.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        let number = mix(self.state);
        self.state = self.state.wrapping_add(STEP);
        number
    }

    /// A number below `bound`, or 0 if `bound` is 0. For bounds below 2^32 the probabilities differ
    /// by less than one part in 2^32.
    #[inline]
    pub const fn below(&mut self, bound: usize) -> usize {
        ((self.next_u64() as u128 * bound as u128) >> 64) as usize
    }

    /// One of the items; `None` if there are none.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_the_published_generator() {
        // The first outputs for seed 1234567 of the authors' reference implementation in C.
        let mut rng = Rng::new(1_234_567);
        assert_eq!(
            [(); 3].map(|()| rng.next_u64()),
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn streams_repeat_and_differ() {
        let draw = |seed, index| {
            let mut rng = Rng::stream(seed, index);
            [(); 3].map(|()| rng.next_u64())
        };
        assert_eq!(draw(1, 1), draw(1, 1));
        assert_ne!(draw(1, 1), draw(1, 2));
        assert_ne!(draw(1, 1), draw(2, 1));
    }

    #[test]
    fn every_small_number_is_drawn() {
        let mut rng = Rng::new(7);
        let mut seen = [0; 6];
        for _ in 0..6000 {
            seen[rng.below(6)] += 1;
        }
        assert!(seen.iter().all(|&count| (850..1150).contains(&count)));
        assert_eq!(rng.below(0), 0);
        assert_eq!(rng.choose::<u8>(&[]), None);
    }
}
