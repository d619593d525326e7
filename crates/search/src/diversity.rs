//! The differences between the workers of one search: workers that search different parts of the tree leave
//! more results for each other in the hash table. Worker 0 searches as if it were the only worker.

use skewer_types::Depth;

use crate::params;

/// The most iterations in a row that a worker leaves out.
const LONGEST_LEAP: Depth = 4;

/// How one worker differs from the others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Diversity {
    id: usize,
    /// Added to the half-width of the worker's aspiration windows, in score units.
    pub(crate) width: i32,
}

impl Diversity {
    /// The differences of worker `id`.
    pub(crate) fn of(id: usize) -> Self {
        Self {
            id,
            width: params::aspiration_helper() * (id % 4) as i32,
        }
    }

    /// Whether the worker leaves out the iteration of this depth, because the others search it: about half of all
    /// iterations, which differ from worker to worker. The worker is then ahead, and the others find its results in
    /// the hash table when they reach its depth.
    pub(crate) fn leaves_out(&self, depth: Depth) -> bool {
        let number = |depth| mixed((1000 * self.id as u64).wrapping_add(depth as u64));
        let drawn = |depth| !number(depth).is_multiple_of(3);
        self.id != 0 && drawn(depth) && !(1..=LONGEST_LEAP).all(|before| drawn(depth - before))
    }
}

/// A number that looks random and depends on all bits of `x`.
fn mixed(x: u64) -> u64 {
    let x = (x ^ x >> 7).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ x >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x >> 33
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEPTHS: std::ops::RangeInclusive<Depth> = 2..=60;

    #[test]
    fn the_first_worker_searches_as_one_that_is_alone() {
        let alone = Diversity::of(0);
        assert_eq!(alone.width, 0);
        assert!(!DEPTHS.into_iter().any(|depth| alone.leaves_out(depth)));
    }

    #[test]
    fn every_other_worker_searches_a_quarter_or_more_and_never_leaps_far() {
        for id in 1..1024 {
            let own = Diversity::of(id);
            let left: Vec<bool> = DEPTHS.map(|depth| own.leaves_out(depth)).collect();
            let count = left.iter().filter(|&&left| left).count();
            assert!(
                4 * count <= 3 * left.len() && 4 * count >= left.len(),
                "{id}: {count}"
            );
            let runs = left.split(|&left| !left).map(<[bool]>::len);
            assert!(runs.max().unwrap() <= LONGEST_LEAP as usize, "{id}");
        }
    }

    #[test]
    fn no_two_workers_are_alike() {
        let searched = |id| -> Vec<Depth> {
            let own = Diversity::of(id);
            DEPTHS.filter(|&depth| !own.leaves_out(depth)).collect()
        };
        for one in 0..64 {
            for other in 0..one {
                assert_ne!(searched(one), searched(other), "{one} and {other}");
            }
        }
    }
}
