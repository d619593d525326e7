//! The table through its public interface: stores and probes, sizes, ages, clearing and resizing.

use std::collections::HashMap;

use proptest::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use skewer_movegen::Board;
use skewer_tt::{
    Entry, HugePages, MAX_ENTRY_DEPTH, MIN_ENTRY_DEPTH, RawEntry, Table, TableError, TableSize,
};
use skewer_types::{Bound, Score, mix};

fn table() -> Table {
    Table::new(TableSize::MIN).expect("a small table")
}

fn pool() -> ThreadPool {
    ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .expect("two threads")
}

/// Keys that are spread over the table. The keys of the numbers below 65,536 all differ in their low 16 bits.
fn key(n: u64) -> u64 {
    mix(n) & !0xffff | (n & 0xffff)
}

fn depth(depth: i32) -> RawEntry {
    RawEntry {
        depth,
        mv: 1,
        ..RawEntry::default()
    }
}

#[test]
fn capacity_is_three_entries_in_each_thirty_two_bytes() {
    assert_eq!(table().capacity(), (1 << 20) / 32 * 3);
    assert_eq!(table().size(), TableSize::MIN);
    assert_eq!(TableSize::from_megabytes(16).megabytes(), 16);
    assert_eq!(TableSize::from_megabytes(16).to_string(), "16 MiB");
    assert_eq!(TableSize::from_megabytes(16).bytes(), Some(16 << 20));
    assert_eq!(TableSize::from_megabytes(usize::MAX).bytes(), None);
}

#[test]
fn the_smallest_and_the_largest_key_can_be_stored() {
    let table = table();
    for key in [0, 1, u64::MAX, u64::MAX - 1, 1 << 63] {
        table.prefetch(key);
        table.store_raw(key, depth(9));
        assert_eq!(table.probe_raw(key), Some(depth(9)));
    }
}

#[test]
fn all_moves_and_kinds_of_scores_are_found_as_stored() {
    let table = table();
    let board =
        Board::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
            .expect("a position");
    let scores = [
        Score::MATE,
        -Score::MATE,
        Score::mate_in(17),
        Score::tb_loss_in(3),
        Score::ZERO,
    ];
    for (n, &mv) in board.legal_moves().iter().enumerate() {
        let entry = Entry {
            mv: Some(mv),
            score: scores[n % scores.len()],
            eval: n.is_multiple_of(2).then(|| Score::new(n as i32 - 20)),
            depth: n as i32,
            bound: Some(Bound::Exact),
            was_pv: n.is_multiple_of(3),
        };
        table.store(board.key(), entry);
        assert_eq!(table.probe(board.key()), Some(entry));
    }
}

#[test]
fn clearing_removes_all_entries() {
    let clears: [fn(&mut Table); 3] = [
        |table| table.clear(),
        |table| table.clear_in(&pool()),
        Table::reset,
    ];
    let mut table = table();
    for clear in clears {
        (0..50_000).for_each(|n| table.store_raw(key(n), depth(3)));
        table.new_search();
        assert!(table.occupancy() > 300, "{}", table.occupancy());
        assert_eq!(table.hashfull(), 0, "all of it is of an older search");
        clear(&mut table);
        assert_eq!(table.occupancy(), 0);
        assert!((0..50_000).all(|n| table.probe_raw(key(n)).is_none()));
    }
}

#[test]
fn hashfull_estimates_the_share_of_entries_in_use() {
    let table = table();
    assert_eq!(table.hashfull(), 0);
    let half = table.capacity() as u64 / 2;
    (0..half).for_each(|n| table.store_raw(key(n), depth(3)));
    // Spread at random, some clusters of three overflow while others stay empty.
    assert!(
        (380..=500).contains(&table.hashfull()),
        "{}",
        table.hashfull()
    );
    (half..half * 20).for_each(|n| table.store_raw(key(n), depth(3)));
    assert!(table.hashfull() > 990, "{}", table.hashfull());
}

#[test]
fn old_entries_are_replaced_by_new_ones() {
    let table = table();
    let many = table.capacity() as u64 * 4;
    (0..many).for_each(|n| table.store_raw(key(n), depth(8)));
    for _ in 0..4 {
        table.new_search();
    }
    (many..2 * many).for_each(|n| table.store_raw(key(n), depth(1)));
    assert!(table.hashfull() > 950, "{}", table.hashfull());
}

#[test]
fn resizing_empties_the_table_and_a_refused_size_changes_nothing() {
    let pool = pool();
    let mut table = Table::new(TableSize::from_megabytes(2)).expect("a small table");
    table.store_raw(5, depth(5));
    let nothing = TableSize::from_megabytes(0);
    assert_eq!(
        table.resize(nothing, &pool),
        Err(TableError::TooSmall { requested: nothing })
    );
    for megabytes in [1 << 26, 1 << 40, usize::MAX] {
        let requested = TableSize::from_megabytes(megabytes);
        let error = table
            .resize(requested, &pool)
            .expect_err("more than there is");
        assert!(
            matches!(
                error,
                TableError::BeyondMemory { .. } | TableError::Refused { .. }
            ),
            "{error}"
        );
        assert!(
            error.to_string().contains(&requested.to_string()),
            "{error}"
        );
    }
    assert_eq!(table.probe_raw(5), Some(depth(5)));
    assert_eq!(table.size(), TableSize::from_megabytes(2));
    table
        .resize(TableSize::from_megabytes(3), &pool)
        .expect("a small table");
    assert_eq!(table.probe_raw(5), None);
    assert_eq!(table.capacity(), (3 << 20) / 32 * 3);
}

#[test]
fn huge_pages_are_requested_or_the_reason_is_reported() {
    let small = table().huge_pages();
    let large = Table::new(TableSize::from_megabytes(64))
        .expect("a small table")
        .huge_pages();
    println!("1 MB: {small}; 64 MB: {large}");
    assert_ne!(small, HugePages::Advised, "there is no room for one");
    if cfg!(target_os = "linux") {
        assert_ne!(large, HugePages::TooSmall);
        // The advice is well formed.
        assert!(!matches!(large, HugePages::Refused { .. }), "{large}");
    } else {
        assert_eq!(large, HugePages::Unsupported);
    }
    assert!(!large.to_string().is_empty());
}

fn any_entry() -> impl Strategy<Value = RawEntry> {
    let depths = MIN_ENTRY_DEPTH..=MAX_ENTRY_DEPTH;
    (
        any::<u16>(),
        any::<i16>(),
        any::<i16>(),
        depths,
        0_u8..4,
        any::<bool>(),
    )
        .prop_map(|(mv, score, eval, depth, bound, was_pv)| RawEntry {
            mv,
            score,
            eval,
            depth,
            bound,
            was_pv,
        })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    /// An entry stored in an empty table is found bit for bit.
    #[test]
    fn any_entry_is_found_as_stored(key in any::<u64>(), entry in any_entry()) {
        let table = table();
        table.store_raw(key, entry);
        prop_assert_eq!(table.probe_raw(key), Some(entry));
    }

    /// A chess entry is found as stored, except that its depth is clamped.
    #[test]
    fn any_chess_entry_is_found_as_stored(
        raw in -32_001..=32_001_i32,
        eval in prop::option::of(-40_000..40_000_i32),
        depth in -20..300_i32,
        bound in prop::option::of(1_u8..4),
        was_pv in any::<bool>(),
    ) {
        let table = table();
        let entry = Entry {
            mv: None,
            score: Score::from_raw(raw),
            eval: eval.map(Score::new),
            depth,
            bound: bound.and_then(Bound::from_bits),
            was_pv,
        };
        table.store(77, entry);
        let depth = depth.clamp(MIN_ENTRY_DEPTH, MAX_ENTRY_DEPTH);
        prop_assert_eq!(table.probe(77), Some(Entry { depth, ..entry }));
    }

    /// For any sequence of stores and new searches on a few keys of one cluster: an entry that is
    /// found was stored under its key (its move perhaps by another store), and the last move stored
    /// is found.
    #[test]
    fn entries_found_were_stored(
        steps in prop::collection::vec((0_u64..8, any_entry(), any::<bool>()), 1..60),
    ) {
        let table = table();
        let mut stored: HashMap<u64, Vec<RawEntry>> = HashMap::new();
        for (key, entry, new_search) in steps {
            if new_search {
                table.new_search();
            }
            table.store_raw(key, entry);
            stored.entry(key).or_default().push(entry);
            let found = table.probe_raw(key).expect("just stored");
            prop_assert!(entry.mv == 0 || found.mv == entry.mv);
            for (key, entries) in &stored {
                let Some(found) = table.probe_raw(*key) else { continue };
                prop_assert!(found.mv == 0 || entries.iter().any(|e| e.mv == found.mv));
                let same = |e: &RawEntry| RawEntry { mv: 0, ..*e } == RawEntry { mv: 0, ..found };
                prop_assert!(entries.iter().any(same), "{:?}", found);
            }
        }
    }
}
