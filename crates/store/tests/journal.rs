//! Journals: every record is replayed, an incomplete last record is removed, and damage elsewhere is
//! refused.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use skewer_store::{Identity, Journal, StoreError, StoreErrorKind as Kind, Tail, load, save};

const IDENTITY: Identity<'_> = Identity::new("journal of tests", 1, "tests");

fn write(path: &Path, records: &[String]) -> Vec<u64> {
    let mut journal = Journal::create(path, &IDENTITY).expect("created");
    let mut ends = vec![fs::metadata(path).expect("there").len()];
    for record in records {
        journal.append(record).expect("written");
        ends.push(fs::metadata(path).expect("there").len());
    }
    journal.sync().expect("on the disk");
    ends
}

fn read(path: &Path) -> Result<(Vec<String>, Tail), StoreError> {
    let (mut journal, tail) = Journal::open(path, &IDENTITY)?;
    let records = journal.replay()?.collect::<Result<Vec<_>, _>>()?;
    assert_eq!(records.len(), journal.len() as usize);
    Ok((records, tail))
}

fn some_records() -> Vec<String> {
    (0..6)
        .map(|n| format!("record {n} {}", "x".repeat(n * 7)))
        .collect()
}

#[test]
fn records_are_replayed_and_more_can_be_appended() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    let (mut journal, tail) = Journal::open_or_create(&path, &IDENTITY).expect("created");
    assert!(journal.is_empty() && tail == Tail::Whole);
    journal.append("one").expect("written");
    drop(journal);
    let (mut journal, _) = Journal::open_or_create(&path, &IDENTITY).expect("opened");
    assert_eq!(journal.len(), 1);
    journal.append("two").expect("written");
    // A record is appended at the end wherever replaying stopped.
    assert_eq!(
        journal
            .replay::<String>()
            .expect("readable")
            .next()
            .expect("one")
            .expect("whole"),
        "one"
    );
    journal.append("three").expect("written");
    drop(journal);
    assert_eq!(
        read(&path).expect("whole"),
        (
            vec!["one".into(), "two".into(), "three".into()],
            Tail::Whole
        )
    );
}

#[test]
fn complete_records_survive_a_cut_at_any_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    let records = some_records();
    let ends = write(&path, &records);
    let good = fs::read(&path).expect("there");
    for length in ends[0]..good.len() as u64 {
        fs::write(&path, &good[..length as usize]).expect("written");
        let whole = ends.iter().filter(|&&end| end <= length).count() - 1;
        let bytes = length - ends[whole];
        let tail = if bytes == 0 {
            Tail::Whole
        } else {
            Tail::Torn { bytes }
        };
        assert_eq!(
            read(&path).expect("only the tail is torn"),
            (records[..whole].to_vec(), tail)
        );
        // The torn tail was removed from the file, so a new record can be appended and read.
        let (mut journal, tail) = Journal::open(&path, &IDENTITY).expect("whole now");
        assert_eq!(tail, Tail::Whole);
        journal.append("after").expect("written");
        drop(journal);
        assert_eq!(
            read(&path).expect("whole").0.last().expect("one at least"),
            "after"
        );
    }
    for length in 0..ends[0] {
        fs::write(&path, &good[..length as usize]).expect("written");
        let error = read(&path).expect_err("no header");
        assert!(
            matches!(error.kind(), Kind::Foreign | Kind::DamagedHeader),
            "{error}"
        );
    }
}

#[test]
fn a_tail_of_zeros_or_rubbish_is_cut_off() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    let records = some_records();
    write(&path, &records);
    let good = fs::read(&path).expect("there");
    for rubbish in [vec![0; 4096], vec![0xff; 17], b"some other text".to_vec()] {
        let mut bad = good.clone();
        bad.extend(&rubbish);
        fs::write(&path, bad).expect("written");
        let bytes = rubbish.len() as u64;
        assert_eq!(
            read(&path).expect("cut off"),
            (records.clone(), Tail::Torn { bytes })
        );
        assert_eq!(fs::read(&path).expect("there"), good);
    }
}

#[test]
fn damage_before_the_last_record_is_refused_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    let records = some_records();
    let ends = write(&path, &records);
    let good = fs::read(&path).expect("there");
    let last = ends[ends.len() - 2];
    for at in ends[0]..last {
        for flip in [0x01, 0x80] {
            let mut bad = good.clone();
            bad[at as usize] ^= flip;
            fs::write(&path, &bad).expect("written");
            let error = read(&path).expect_err("damaged");
            let before = ends.iter().filter(|&&end| end <= at).count() - 1;
            let Kind::DamagedRecord { records, offset } = *error.kind() else {
                panic!("byte {at}: {error}");
            };
            assert_eq!((records as usize, offset), (before, ends[before]));
            assert_eq!(fs::read(&path).expect("there"), bad);
        }
    }
    // Damage in the last record looks like an incomplete one.
    for at in last..good.len() as u64 {
        let mut bad = good.clone();
        bad[at as usize] ^= 0x10;
        fs::write(&path, &bad).expect("written");
        let bytes = good.len() as u64 - last;
        assert_eq!(read(&path).expect("cut").1, Tail::Torn { bytes });
    }
}

#[test]
fn records_of_another_journal_or_in_another_order_do_not_pass() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    let records = ["same".to_owned(), "size".to_owned(), "each".to_owned()];
    let ends = write(&path, &records);
    let good = fs::read(&path).expect("there");
    let part = |n: usize| &good[ends[n] as usize..ends[n + 1] as usize];
    let swapped = [&good[..ends[0] as usize], part(1), part(0), part(2)].concat();
    fs::write(&path, swapped).expect("written");
    let error = read(&path).expect_err("out of order");
    assert!(
        matches!(error.kind(), Kind::DamagedRecord { records: 0, .. }),
        "{error}"
    );
}

#[test]
fn a_journal_is_open_in_one_program_at_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    let journal = Journal::create(&path, &IDENTITY).expect("created");
    let error = Journal::open(&path, &IDENTITY).expect_err("open already");
    assert!(matches!(error.kind(), Kind::InUse), "{error}");
    drop(journal);
    Journal::open(&path, &IDENTITY).expect("free now");
}

#[test]
fn finished_files_and_journals_are_not_confused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file");
    save(&path, &IDENTITY, "value").expect("written");
    assert!(matches!(
        Journal::open(&path, &IDENTITY)
            .expect_err("finished")
            .kind(),
        Kind::WrongShape {
            found_journal: false
        }
    ));
    let path = folder.path().join("journal");
    Journal::create(&path, &IDENTITY).expect("created");
    assert!(matches!(
        load::<String>(&path, &IDENTITY)
            .expect_err("a journal")
            .kind(),
        Kind::WrongShape {
            found_journal: true
        }
    ));
    let other = Identity::new("journal of tests", 1, "others");
    assert!(matches!(
        Journal::open_or_create(&path, &other)
            .expect_err("another's")
            .kind(),
        Kind::WrongSignature { .. }
    ));
}

#[test]
fn a_record_of_another_type_is_an_error_and_not_a_panic() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    write(&path, &some_records());
    let (mut journal, _) = Journal::open(&path, &IDENTITY).expect("whole");
    let read: Vec<_> = journal.replay::<u8>().expect("readable").collect();
    assert_eq!(read.len(), some_records().len());
    assert!(
        read.iter()
            .all(|r| matches!(r.as_ref().unwrap_err().kind(), Kind::Malformed { .. }))
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn complete_records_survive_any_truncation(
        records in prop::collection::vec(".{0,60}", 0..12),
        cut in any::<prop::sample::Index>(),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let ends = write(&path, &records);
        prop_assert_eq!(read(&path).expect("whole"), (records.clone(), Tail::Whole));
        let bytes = fs::read(&path).expect("there");
        let length = ends[0] + cut.index(bytes.len() - ends[0] as usize + 1) as u64;
        fs::write(&path, &bytes[..length as usize]).expect("written");
        let whole = ends.iter().filter(|&&end| end <= length).count() - 1;
        prop_assert_eq!(read(&path).expect("a torn tail at most").0, &records[..whole]);
    }
}

#[test]
fn repair_keeps_every_good_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    let records = some_records();
    let ends = write(&path, &records);
    let good = fs::read(&path).expect("there");
    for at in ends[0] as usize..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0x40;
        fs::write(&path, &bad).expect("written");
        let hit = ends.iter().filter(|end| **end <= at as u64).count() - 1;
        let (journal, repair) = Journal::repair(&path, &IDENTITY).expect("repaired");
        assert_eq!((journal.len(), repair.kept), (5, 5));
        assert_eq!(repair.lost_bytes, ends[hit + 1] - ends[hit], "byte {at}");
        drop(journal);
        let mut rest = records.clone();
        rest.remove(hit);
        assert_eq!(read(&path).expect("whole"), (rest, Tail::Whole));
    }
    // Bytes that were never a record, and a torn tail.
    let third = ends[2] as usize;
    let strange = [&good[..third], &[7; 100], &good[third..good.len() - 3]].concat();
    fs::write(&path, strange).expect("written");
    let (mut journal, repair) = Journal::repair(&path, &IDENTITY).expect("repaired");
    assert_eq!(repair.kept, 5);
    journal.append("new").expect("written");
    drop(journal);
    assert_eq!(read(&path).expect("whole").0[5], "new");

    let before = fs::read(&path).expect("there");
    let (_, repair) = Journal::repair(&path, &IDENTITY).expect("nothing to do");
    assert_eq!((repair.kept, repair.lost_bytes), (6, 0));
    assert_eq!(fs::read(&path).expect("there"), before);

    let mut headless = before;
    headless[20] ^= 1;
    fs::write(&path, &headless).expect("written");
    let error = Journal::repair(&path, &IDENTITY).expect_err("the header is damaged");
    assert!(matches!(error.kind(), Kind::DamagedHeader), "{error}");
    assert_eq!(fs::read(&path).expect("there"), headless);
}

#[test]
fn an_empty_file_is_a_new_journal() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    fs::write(&path, "").expect("written");
    let (mut journal, tail) = Journal::open_or_create(&path, &IDENTITY).expect("begun");
    assert_eq!((journal.len(), tail), (0, Tail::Whole));
    journal.append("one").expect("written");
    drop(journal);
    assert_eq!(read(&path).expect("whole").0, ["one"]);
}
