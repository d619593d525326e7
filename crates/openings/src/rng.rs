//! Random numbers that are the same on every machine and in every version: an opening, a game or
//! a whole data file can be made again from its seed.

/// A stream of random numbers: `SplitMix64` (Steele, Lea and Flood, 2014). Not for secrets.
///
/// ```
/// use skewer_openings::Rng;
///
/// let mut first = Rng::new(7);
/// let mut again = Rng::new(7);
/// assert_eq!(first.next_u64(), again.next_u64());
/// assert!(first.below(6) < 6);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Stream `index` of a seed. Streams of one seed have nothing to do with each other, so work
    /// can be numbered and done in any order by any number of threads.
    pub fn stream(seed: u64, index: u64) -> Self {
        let start = Self::new(seed).next_u64();
        Self::new(start ^ Self::new(index ^ 0x5be3_11a8_70c9_64d3).next_u64())
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, each as likely as the next to within one in 2^32 or so; 0 if
    /// `bound` is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u32
    }
}
