//! Three entries in half a cache line: how they are found, checked and replaced.
//!
//! A cluster is four 64-bit words: three payloads and a word with a 16-bit check for each. All
//! loads and stores are relaxed and nothing orders them, so a reader may see a check from one
//! write beside a payload from another. A check is therefore stored xored with a hash of its
//! payload (after Hyatt and Mann's lockless table, 2002, with 16 bits instead of 64). A check and a payload
//! of different writes pass once in 2^16. Another position has the same 16 key bits as often, so a search
//! must tolerate such entries anyway.

use skewer_types::Bound;

use crate::entry::{Age, Payload, RawEntry};
use crate::params;
use crate::sync::{AtomicU64, Ordering::Relaxed};

/// How many entries a cluster holds.
pub(crate) const LANES: usize = 3;
/// How many 64-bit words a cluster is made of.
pub(crate) const WORDS: usize = LANES + 1;
/// The size of a cluster in bytes.
pub(crate) const CLUSTER_BYTES: usize = WORDS * size_of::<u64>();

/// [`LANES`] payloads, then the word with their checks.
pub(crate) type Cluster = [AtomicU64; WORDS];

/// A copy of the words of a cluster.
pub(crate) type Image = [u64; WORDS];

/// Which word holds the checks.
const CHECKS: usize = LANES;

/// The check stored in `lane` of a word of checks.
#[inline]
pub(crate) const fn check_of(checks: u64, lane: usize) -> u16 {
    (checks >> (16 * lane)) as u16
}

/// The word of checks with the check of `lane` replaced.
#[inline]
pub(crate) const fn with_check(checks: u64, lane: usize, check: u16) -> u64 {
    let shift = 16 * lane;
    checks & !(0xffff << shift) | (check as u64) << shift
}

/// The value of an entry for replacement: its depth less [`params::AGE_WEIGHT`] for every search since it
/// was written. An empty slot has a lower value than any entry.
#[inline]
pub(crate) const fn worth(payload: Payload, now: Age) -> i32 {
    if payload.is_empty() {
        i32::MIN
    } else {
        payload.depth() - params::AGE_WEIGHT * now.since(payload.age())
    }
}

/// The entry whose key has these 16 bits.
#[inline]
pub(crate) fn probe(cluster: &Cluster, key: u16) -> Option<Payload> {
    let checks = cluster[CHECKS].load(Relaxed);
    (0..LANES).find_map(|lane| {
        let payload = Payload(cluster[lane].load(Relaxed));
        let found = check_of(checks, lane) ^ payload.fold() == key;
        (found && !payload.is_empty()).then_some(payload)
    })
}

/// Stores an entry under these 16 bits of its key.
///
/// Replaces an entry of the same key, unless it is from this search and much deeper; then nothing is
/// stored. Without an entry of the same key, replaces the entry with the least [`worth`].
#[inline]
pub(crate) fn store(cluster: &Cluster, key: u16, entry: RawEntry, now: Age) {
    let checks = cluster[CHECKS].load(Relaxed);
    let mut new = Payload::pack(entry, now);
    let mut lane = 0;
    let mut least = i32::MAX;
    for (candidate, word) in cluster[..LANES].iter().enumerate() {
        let old = Payload(word.load(Relaxed));
        if !old.is_empty() && check_of(checks, candidate) ^ old.fold() == key {
            new = merge(old, new, now);
            if new == old {
                return;
            }
            lane = candidate;
            break;
        }
        let worth = worth(old, now);
        if worth < least {
            least = worth;
            lane = candidate;
        }
    }
    // If another thread writes between our load of the checks and our store, that thread's check is
    // lost. Its payload then does not pass, so only one entry is lost.
    cluster[lane].store(new.0, Relaxed);
    cluster[CHECKS].store(with_check(checks, lane, key ^ new.fold()), Relaxed);
}

/// Copies the words of a cluster. Other threads may write meanwhile; mixed entries do not pass the check.
pub(crate) fn image(cluster: &Cluster) -> Image {
    std::array::from_fn(|word| cluster[word].load(Relaxed))
}

/// Replaces the words of a cluster.
pub(crate) fn set_image(cluster: &Cluster, image: &Image) {
    for (word, value) in cluster.iter().zip(image) {
        word.store(*value, Relaxed);
    }
}

/// The [`worth`] of an entry of an image.
pub(crate) fn worth_in(image: &Image, lane: usize, now: Age) -> i32 {
    worth(Payload(image[lane]), now)
}

/// Whether an image holds the entry of this lane of another image, under the same check.
pub(crate) fn holds_lane(image: &Image, from: &Image, lane: usize) -> bool {
    (0..LANES).any(|place| {
        image[place] == from[lane] && check_of(image[CHECKS], place) == check_of(from[CHECKS], lane)
    })
}

/// Copies an entry and its check from one image to another.
pub(crate) fn copy_lane(from: &Image, lane: usize, to: &mut Image, place: usize) {
    to[place] = from[lane];
    to[CHECKS] = with_check(to[CHECKS], place, check_of(from[CHECKS], lane));
}

/// Merges an old and a new entry of the same position.
#[inline]
fn merge(old: Payload, new: Payload, now: Age) -> Payload {
    /// The bound bits of an exact score, which is always stored.
    const EXACT: u8 = Bound::Exact as u8;
    let bonus = if new.unpack().was_pv {
        params::PV_BONUS
    } else {
        0
    };
    let fresh = now.since(old.age()) != 0
        || new.bound() == EXACT
        || new.depth() + params::REPLACE_MARGIN + bonus >= old.depth();
    match (fresh, new.move_bits()) {
        (true, 0) => new.with_move_bits(old.move_bits()),
        (true, _) => new,
        (false, 0) => old,
        // Keep the newer move, which was found with better histories.
        (false, bits) => old.with_move_bits(bits),
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use skewer_types::Rng;

    use super::*;

    fn cluster() -> Cluster {
        [const { AtomicU64::new(0) }; WORDS]
    }

    fn entry(mv: u16, depth: i32) -> RawEntry {
        RawEntry {
            mv,
            depth,
            bound: 1,
            ..RawEntry::default()
        }
    }

    const NOW: Age = Age::new(7);

    #[test]
    fn an_empty_cluster_has_nothing_even_for_the_key_zero() {
        let cluster = cluster();
        for key in [0, 1, u16::MAX] {
            assert_eq!(probe(&cluster, key), None);
        }
    }

    #[test]
    fn three_entries_live_side_by_side_and_the_least_gives_way() {
        let cluster = cluster();
        for (key, depth) in [(10, 5), (11, 3), (12, 9)] {
            store(&cluster, key, entry(key, depth), NOW);
        }
        for key in 10..13 {
            assert_eq!(probe(&cluster, key).map(Payload::move_bits), Some(key));
        }
        store(&cluster, 13, entry(13, 1), NOW);
        assert_eq!(probe(&cluster, 11), None, "the shallowest went");
        assert!(
            [10, 12, 13]
                .iter()
                .all(|&key| probe(&cluster, key).is_some())
        );
    }

    #[test]
    fn age_outweighs_depth() {
        let cluster = cluster();
        store(&cluster, 1, entry(1, 5 + params::AGE_WEIGHT), Age::new(5));
        store(&cluster, 2, entry(2, 6), NOW);
        store(&cluster, 3, entry(3, 6), NOW);
        store(&cluster, 4, entry(4, 1), NOW);
        assert_eq!(probe(&cluster, 1), None);
    }

    #[test]
    fn a_new_result_without_a_move_keeps_the_old_move() {
        let cluster = cluster();
        store(&cluster, 1, entry(77, 5), NOW);
        store(&cluster, 1, entry(0, 6), NOW);
        let found = probe(&cluster, 1).expect("just stored");
        assert_eq!((found.move_bits(), found.depth()), (77, 6));
    }

    #[test]
    fn a_much_shallower_result_does_not_drive_out_a_deep_one_of_this_search() {
        let cluster = cluster();
        store(&cluster, 1, entry(77, 20), NOW);
        store(&cluster, 1, entry(78, 2), NOW);
        let found = probe(&cluster, 1).expect("still there");
        assert_eq!((found.move_bits(), found.depth()), (78, 20));
        store(&cluster, 1, entry(0, 2), Age::new(8));
        assert_eq!(
            probe(&cluster, 1).map(Payload::depth),
            Some(2),
            "an entry of an older search is replaced"
        );
        let exact = RawEntry {
            bound: 3,
            ..entry(79, 0)
        };
        store(&cluster, 1, exact, Age::new(8));
        assert_eq!(probe(&cluster, 1).map(Payload::unpack), Some(exact));
    }

    /// Whether a result replaces an entry of the same position and search that is `deeper` plies deeper.
    fn replaces(deeper: i32, was_pv: bool) -> bool {
        let cluster = cluster();
        store(&cluster, 1, entry(77, 20 + deeper), NOW);
        let new = RawEntry {
            was_pv,
            ..entry(78, 20)
        };
        store(&cluster, 1, new, NOW);
        probe(&cluster, 1).map(Payload::depth) == Some(20)
    }

    #[test]
    fn a_result_replaces_one_that_is_a_few_plies_deeper_and_more_on_the_principal_variation() {
        let margin = params::REPLACE_MARGIN;
        assert!(replaces(margin, false) && !replaces(margin + 1, false));
        let margin = margin + params::PV_BONUS;
        assert!(replaces(margin, true) && !replaces(margin + 1, true));
    }

    #[test]
    fn an_entry_is_worth_its_depth_less_a_few_plies_for_each_search_since() {
        let worth_at = |depth, then| worth(Payload::pack(entry(1, depth), Age::new(then)), NOW);
        assert_eq!(worth_at(9, 7), 9);
        assert_eq!(worth_at(9, 5), 9 - 2 * params::AGE_WEIGHT);
        // Ages count around: age 9 was thirty searches ago.
        assert_eq!(worth_at(9, 9), 9 - 30 * params::AGE_WEIGHT);
        assert_eq!(worth(Payload(0), NOW), i32::MIN);
    }

    #[test]
    fn of_entries_that_are_worth_the_same_the_first_gives_way_and_an_empty_slot_before_all() {
        let cluster = cluster();
        for key in 1..=3 {
            store(&cluster, key, entry(key, 5), NOW);
            assert!((1..=key).all(|key| probe(&cluster, key).is_some()), "{key}");
        }
        store(&cluster, 4, entry(4, 5), NOW);
        let left = (1..=4).map(|key| probe(&cluster, key).is_some());
        assert_eq!(left.collect::<Vec<_>>(), [false, true, true, true]);
    }

    #[test]
    fn a_check_beside_the_wrong_payload_does_not_pass() {
        let cluster = cluster();
        store(&cluster, 500, entry(9, 9), NOW);
        let other = Payload::pack(entry(10, 9), NOW);
        cluster[0].store(other.0, Relaxed);
        assert_eq!(probe(&cluster, 500), None);
    }

    /// Entries as a quiescence search writes them, which differ little: often no
    /// move, a small score that often is the evaluation, one depth.
    fn quiet_entry(rng: &mut Rng) -> RawEntry {
        let bits = rng.next_u64();
        let eval = (bits % 101) as i16 - 50;
        RawEntry {
            mv: if bits >> 20 & 1 == 0 {
                0
            } else {
                (bits >> 32) as u16 & 0xfff
            },
            score: if bits >> 21 & 1 == 0 {
                eval
            } else {
                (bits >> 40) as i16 % 101
            },
            eval,
            depth: 0,
            bound: (bits >> 22) as u8 % 2 + 1,
            was_pv: false,
        }
    }

    #[test]
    fn half_of_one_write_beside_half_of_another_passes_once_in_two_to_the_sixteen() {
        const PAIRS: u32 = 8_000_000;
        let mut rng = Rng::new(1);
        let (mut with_payload, mut with_check) = (0, 0);
        for _ in 0..PAIRS {
            let keys = rng.next_u64();
            let (one, other) = (keys as u16, (keys >> 16) as u16);
            let written = Payload::pack(quiet_entry(&mut rng), NOW);
            let overwritten = Payload::pack(quiet_entry(&mut rng), NOW);
            if one == other || written == overwritten {
                continue;
            }
            // The payload of `other` still stands where the check of `one` has been written.
            let check = one ^ written.fold();
            with_payload += u32::from(check ^ overwritten.fold() == other);
            with_check += u32::from(check ^ overwritten.fold() == one);
        }
        let theory = f64::from(PAIRS) / 65536.0;
        for (what, count) in [("payload", with_payload), ("check", with_check)] {
            let ratio = f64::from(count) / theory;
            println!("the key of the {what}: {ratio:.3} times theory");
            assert!(
                (0.6..1.5).contains(&ratio),
                "the key of the {what}: {ratio}"
            );
        }
    }
}
