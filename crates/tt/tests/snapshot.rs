//! Snapshots: what was saved is found again, in a table of any size, and a file that is not the
//! right one changes nothing.

use std::fs;

use skewer_store::{Identity, StoreErrorKind as Kind};
use skewer_tt::{RawEntry, SnapshotError, SnapshotInfo, Table, TableSize};
use skewer_types::mix;

const SIGNATURE: &str = "tests 1";

fn entry(n: u64) -> RawEntry {
    RawEntry {
        mv: (n % 60_000) as u16 + 1,
        score: (n % 2000) as i16 - 1000,
        eval: (n % 700) as i16,
        depth: (n % 40) as i32,
        bound: (n % 4) as u8,
        was_pv: n.is_multiple_of(3),
    }
}

fn table(megabytes: usize) -> Table {
    Table::new(TableSize::from_megabytes(megabytes)).expect("a small table")
}

fn filled(megabytes: usize, entries: u64) -> Table {
    let table = table(megabytes);
    table.new_search();
    (0..entries).for_each(|n| table.store_raw(mix(n), entry(n)));
    table
}

/// The numbers of the first `entries` entries that the table still has.
fn found(table: &Table, entries: u64) -> Vec<u64> {
    (0..entries)
        .filter(|&n| table.probe_raw(mix(n)) == Some(entry(n)))
        .collect()
}

#[test]
fn a_table_of_the_same_size_round_trips() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table");
    let saved = filled(1, 200_000);
    saved.save(&path, SIGNATURE).expect("written");
    let info = SnapshotInfo::read(&path).expect("whole");
    assert_eq!(
        (info.signature(), info.size()),
        (SIGNATURE, TableSize::from_megabytes(1))
    );

    let loaded = filled(1, 77);
    loaded.new_search();
    assert_eq!(loaded.load(&path, SIGNATURE).expect("whole"), info);
    assert_eq!(loaded.hashfull(), saved.hashfull());
    for n in 0..300_000 {
        assert_eq!(loaded.probe_raw(mix(n)), saved.probe_raw(mix(n)));
    }
    let again = folder.path().join("again");
    loaded.save(&again, SIGNATURE).expect("written");
    assert!(
        fs::read(&path).expect("there") == fs::read(&again).expect("there"),
        "not the same"
    );
}

#[test]
fn the_description_of_a_file_has_the_size_of_its_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table");
    for megabytes in [1, 3] {
        table(megabytes).save(&path, SIGNATURE).expect("written");
        let size = SnapshotInfo::read(&path).expect("whole").size();
        assert_eq!(size, TableSize::from_megabytes(megabytes));
    }
}

/// A table of `from` MB that is filled and saved, and one of `to` MB that has loaded it.
fn saved_and_loaded(from: usize, to: usize, entries: u64) -> (Table, Table) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table");
    let saved = filled(from, entries);
    saved.save(&path, SIGNATURE).expect("written");
    let loaded = table(to);
    loaded.load(&path, SIGNATURE).expect("whole");
    (saved, loaded)
}

#[test]
fn a_larger_table_loads_all_entries() {
    for (from, to) in [(1, 2), (2, 6), (2, 3), (3, 7)] {
        let entries = 90_000 * from as u64;
        let (saved, loaded) = saved_and_loaded(from, to, entries);
        let before = found(&saved, entries);
        let after = found(&loaded, entries);
        assert!(before.len() > 50_000);
        if to.is_multiple_of(from) {
            assert!(after == before, "all of {from} MB in {to} MB");
        } else {
            // Some clusters have the keys of two clusters of the old table, and room for the entries of one.
            let share = after.len() as f64 / before.len() as f64;
            assert!(share > 0.85, "{share} of {from} MB in {to} MB");
        }
        // About as full as before; a little fuller where a cluster has the keys of two clusters of the old table.
        let fuller = loaded.occupancy() as i32 - saved.occupancy() as i32;
        assert!((-60..150).contains(&fuller), "{fuller}");
        // There is room for new entries: the copies are one search old.
        loaded.new_search();
        (entries..entries + 90_000).for_each(|n| loaded.store_raw(mix(n), entry(n)));
        let new = (entries..entries + 90_000)
            .filter(|&n| loaded.probe_raw(mix(n)) == Some(entry(n)))
            .count();
        assert!(new > 60_000, "{new} of 90000 new entries kept");
    }
}

#[test]
fn a_table_that_grew_and_shrank_keeps_its_entries() {
    let (saved, grown) = saved_and_loaded(1, 4, 90_000);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table");
    grown.save(&path, SIGNATURE).expect("written");
    let shrunk = table(1);
    shrunk.load(&path, SIGNATURE).expect("whole");
    assert!(found(&shrunk, 90_000) == found(&saved, 90_000));
}

#[test]
fn a_smaller_table_keeps_the_most_valuable_entries() {
    for (from, to) in [(2, 1), (3, 2), (7, 3)] {
        let entries = 60_000 * from as u64;
        let (saved, loaded) = saved_and_loaded(from, to, entries);
        let before = found(&saved, entries);
        let after = found(&loaded, entries);
        let kept = |deep: bool| {
            let of = |list: &[u64]| {
                list.iter()
                    .filter(|&&n| (entry(n).depth >= 30) == deep)
                    .count() as f64
            };
            of(&after) / of(&before)
        };
        assert!(kept(true) > 0.95, "{} of the deep ones", kept(true));
        assert!(kept(true) > kept(false));
        let room = to as f64 / from as f64;
        let share = after.len() as f64 / before.len() as f64;
        assert!(share > room, "{share} kept of {from} MB in {to} MB");
    }
}

#[test]
fn a_file_that_is_wrong_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table");
    filled(1, 5000).save(&path, SIGNATURE).expect("written");
    let good = fs::read(&path).expect("there");

    let table = filled(1, 100);
    let refuse = |signature: &str| match table.load(&path, signature).expect_err("wrong") {
        SnapshotError::Store(error) => error,
        other => panic!("{other}"),
    };
    assert!(matches!(
        refuse("tests 2").kind(),
        Kind::WrongSignature { .. }
    ));
    fs::write(&path, &good[..good.len() - 1]).expect("written");
    assert!(matches!(refuse(SIGNATURE).kind(), Kind::Truncated { .. }));
    let mut bad = good.clone();
    bad[good.len() / 2] ^= 4;
    fs::write(&path, &bad).expect("written");
    assert!(matches!(refuse(SIGNATURE).kind(), Kind::Damaged));
    fs::write(&path, "not one of ours").expect("written");
    assert!(matches!(refuse(SIGNATURE).kind(), Kind::Foreign));
    fs::remove_file(&path).expect("there");
    assert!(matches!(refuse(SIGNATURE).kind(), Kind::Io { .. }));
    skewer_store::save(&path, &Identity::new("book", 1, SIGNATURE), "text").expect("written");
    assert!(matches!(refuse(SIGNATURE).kind(), Kind::WrongKind { .. }));
    assert!(SnapshotInfo::read(&path).is_err());
    // Complete files of the right kind with an impossible size: more clusters than bytes, or none.
    for clusters in [0, 7, u64::MAX] {
        let identity = Identity::new("hash table", 1, SIGNATURE);
        skewer_store::save(&path, &identity, &(clusters, 0_u8)).expect("written");
        let error = table.load(&path, SIGNATURE).expect_err("inconsistent");
        assert!(
            matches!(error, SnapshotError::Inconsistent { .. }),
            "{error}"
        );
    }
    assert_eq!(found(&table, 100), (0..100).collect::<Vec<_>>());
}

#[test]
fn a_save_replaces_a_snapshot_or_an_empty_file_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table");
    fs::write(&path, "").expect("written");
    for entries in [100, 200] {
        filled(1, entries).save(&path, SIGNATURE).expect("replaced");
        let loaded = table(1);
        loaded.load(&path, SIGNATURE).expect("whole");
        assert_eq!(found(&loaded, 300).len() as u64, entries);
    }
    // A snapshot with another signature is a snapshot.
    filled(1, 300).save(&path, "tests 2").expect("replaced");
    for text in [None, Some("my notes")] {
        match text {
            Some(text) => fs::write(&path, text).expect("written"),
            None => skewer_store::save(&path, &Identity::new("book", 1, SIGNATURE), "text")
                .expect("written"),
        }
        let before = fs::read(&path).expect("there");
        let error = filled(1, 100).save(&path, SIGNATURE).expect_err("no table");
        assert!(
            matches!(error, SnapshotError::NotASnapshot { .. }),
            "{error}"
        );
        assert!(fs::read(&path).expect("there") == before, "unchanged");
    }
}

#[test]
fn a_save_that_fails_leaves_the_old_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = filled(1, 100);
    assert!(table.save(folder.path(), SIGNATURE).is_err());
    assert!(
        table
            .save(folder.path().join("nowhere").join("table"), SIGNATURE)
            .is_err()
    );
    let path = folder.path().join("table");
    table.save(&path, SIGNATURE).expect("written");
    let long = "x".repeat(100_000);
    assert!(table.save(&path, &long).is_err());
    table.load(&path, SIGNATURE).expect("the old one");
    assert_eq!(found(&table, 100).len(), 100);
}
