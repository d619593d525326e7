//! Many threads on one small table: how often a probe returns a wrong entry, and that chess moves
//! read from the table are legal or refused.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use skewer_movegen::Board;
use skewer_tt::{Entry, RawEntry, Table, TableSize};
use skewer_types::{Bound, Rng, Score, mix};

/// More than two, so that on a small machine threads are interrupted between two words of a write.
const THREADS: u64 = 4;

/// The only entry that is stored under a key. Like the entries of quiescence, it has depth 0 and a score
/// equal to its evaluation, which makes mixtures of two entries hard to detect.
fn entry(key: u64) -> RawEntry {
    let hash = mix(key);
    let score = (hash % 64) as i16 - 32;
    RawEntry {
        mv: (hash >> 32) as u16 | 1,
        score,
        eval: score,
        depth: 0,
        bound: (hash >> 20) as u8 % 3 + 1,
        was_pv: false,
    }
}

/// What probes found.
#[derive(Debug, Default)]
struct Counts {
    nothing: AtomicU64,
    right: AtomicU64,
    wrong: AtomicU64,
}

impl Counts {
    fn count(&self, key: u64, found: Option<RawEntry>) {
        let counter = match found {
            None => &self.nothing,
            Some(found) if found == entry(key) => &self.right,
            Some(_) => &self.wrong,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of wrong entries, divided by the number expected if each entry of another key
    /// passes the 16-bit key check once in 2^16. A probe that finds nothing compares three entries
    /// of other keys; a probe that finds the right entry compares one on average.
    fn wrong_over_expected(self) -> f64 {
        let [nothing, right, wrong] =
            [self.nothing, self.right, self.wrong].map(|count| count.into_inner() as f64);
        wrong / ((3.0 * (nothing + wrong) + right) / 65536.0)
    }
}

/// Threads write and read entries of a few clusters as fast as they can. The `keys` in use are
/// replaced again and again: the same two keys collide at every probe, so only many different
/// keys give a rate. Half of the keys are never stored. Returns the counts of probes of the keys
/// that are never stored, then of the others.
fn count_probes(clusters: u64, keys: u64, rounds: u64) -> [Counts; 2] {
    let table = Table::new(TableSize::MIN).expect("a small table");
    let step = u64::MAX / (table.capacity() as u64 / 3);
    let key = |generation: u64, n: u64| {
        // The high bits choose the cluster; the rest is free.
        let base = (n / 2 % clusters) * step + step / 4;
        base + mix(generation * keys + n) % (step / 2)
    };
    let generation = AtomicU64::new(0);
    let counts = [Counts::default(), Counts::default()];
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (table, generation, counts) = (&table, &generation, &counts);
            scope.spawn(move || {
                let mut rng = Rng::new(u64::MAX / 2 + thread);
                for round in 0..rounds {
                    if round.is_multiple_of(4 * keys) {
                        generation.fetch_add(1, Ordering::Relaxed);
                    }
                    let generation = generation.load(Ordering::Relaxed);
                    let number = rng.next_u64();
                    let stored = key(generation, (number % keys) | 1);
                    if number >> 63 == 0 {
                        table.store_raw(stored, entry(stored));
                    }
                    let n = (number >> 20) % keys;
                    let asked = key(generation, n);
                    counts[(n % 2) as usize].count(asked, table.probe_raw(asked));
                }
            });
        }
    });
    counts
}

#[test]
fn a_wrong_entry_passes_no_more_often_than_a_collision_of_sixteen_bits() {
    for (clusters, keys) in [(1, 8), (8, 64), (1000, 8000)] {
        let [absent, stored] = count_probes(clusters, keys, 4_000_000);
        println!("{clusters} clusters: never stored {absent:?}; stored {stored:?}");
        assert!(
            stored.right.load(Ordering::Relaxed) > 100_000,
            "the table holds something"
        );
        let absent = absent.wrong_over_expected();
        let stored = stored.wrong_over_expected();
        println!("{clusters} clusters: {absent:.3} and {stored:.3} times the expected number");
        // The expectation is exact for keys that are never stored. A stored key has fewer wrong entries, because
        // its own entry occupies one of the places.
        assert!((0.7..1.4).contains(&absent), "{absent} times the expected");
        assert!(stored < 1.5, "{stored} times the expected");
    }
}

/// Threads play random games, all over the same openings, and follow the table's moves where
/// they are legal.
#[test]
fn every_move_from_the_table_is_legal_or_refused() {
    let table = Table::new(TableSize::MIN).expect("a small table");
    let (legal, refused) = (AtomicU64::new(0), AtomicU64::new(0));
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (table, legal, refused) = (&table, &legal, &refused);
            scope.spawn(move || {
                let mut rng = Rng::new(thread);
                for _ in 0..1000 {
                    let mut board = Board::STARTPOS;
                    for _ in 0..80 {
                        let moves = board.legal_moves();
                        if moves.is_empty() {
                            break;
                        }
                        let found = table.probe(board.key()).and_then(|entry| entry.mv);
                        if let Some(mv) = found {
                            let is_legal = board.is_legal(mv);
                            assert_eq!(is_legal, moves.contains(&mv));
                            if is_legal { legal } else { refused }.fetch_add(1, Ordering::Relaxed);
                        }
                        let mv = moves[rng.below(moves.len())];
                        table.store(
                            board.key(),
                            Entry {
                                mv: Some(mv),
                                score: Score::new((rng.next_u64() % 200) as i32),
                                eval: None,
                                depth: (rng.next_u64() % 8) as i32,
                                bound: Some(Bound::Lower),
                                was_pv: false,
                            },
                        );
                        board = board.play(found.filter(|&m| board.is_legal(m)).unwrap_or(mv));
                    }
                }
            });
        }
    });
    let (legal, refused) = (legal.into_inner(), refused.into_inner());
    println!("{legal} legal, {refused} refused");
    assert!(legal > 10_000);
    // By chance, about 3 / 2^16 of the probes whose own entry is not in the table find another entry.
    assert!(refused < legal / 100, "{refused} of {legal}");
}

/// Probes, writes, clears, saves and loads at once: what is found under a key is what was stored under it, up to
/// chance.
#[test]
fn everything_at_once() {
    let table = Table::new(TableSize::MIN).expect("a small table");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table");
    let (found, wrong) = (AtomicU64::new(0), AtomicU64::new(0));
    thread::scope(|scope| {
        for thread in 0..2 {
            let (table, found, wrong) = (&table, &found, &wrong);
            scope.spawn(move || {
                let mut rng = Rng::new(thread);
                for _ in 0..400_000 {
                    let key = rng.next_u64();
                    table.prefetch(key);
                    table.store_raw(key, entry(key));
                    if let Some(probed) = table.probe_raw(key) {
                        let counter = if probed == entry(key) { found } else { wrong };
                        counter.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
        for _ in 0..5 {
            table.new_search();
            table.save(&path, "stress").expect("written");
            table.clear();
            table.load(&path, "stress").expect("whole");
        }
    });
    let (found, wrong) = (found.into_inner(), wrong.into_inner());
    assert!(found > 400_000, "{found} of 800000 just stored");
    // By chance, about 3 / 2^16 of the probes whose own entry is not in the table find another entry.
    assert!(wrong < found / 1000, "{wrong} wrong, {found} right");
}
