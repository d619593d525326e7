//! Journals: every record is read again, an incomplete last line is removed, and damage is refused or
//! repaired.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use skewer_store::params::LINE_LIMIT;
use skewer_store::{
    Damage, Identity, Journal, OutputFile, StoreError, StoreErrorKind as Kind, load, save,
};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Heading {
    run: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    text: String,
    number: i64,
}

fn record(text: &str) -> Record {
    Record {
        text: text.to_owned(),
        number: i64::MIN,
    }
}

fn open(path: &Path, damage: Damage) -> Result<(Journal, Vec<Record>), StoreError> {
    let heading = Heading {
        run: "tests".to_owned(),
    };
    Journal::open(path, &heading, damage, |found| {
        assert_eq!(*found, heading);
        Ok(())
    })
}

/// The records of a journal that is whole or has an incomplete last line.
fn read(path: &Path) -> Vec<Record> {
    open(path, Damage::Report).expect("whole").1
}

/// Writes a journal. Returns the ends of its heading and records, in bytes.
fn write(path: &Path, records: &[Record]) -> Vec<usize> {
    let length = || fs::metadata(path).expect("there").len() as usize;
    let (mut journal, none) = open(path, Damage::Report).expect("created");
    assert!(none.is_empty());
    let mut ends = vec![length()];
    for record in records {
        journal.append(record).expect("written");
        ends.push(length());
    }
    ends
}

fn some_records() -> Vec<Record> {
    let texts = (0..6).map(|n| format!("record {n} {}", "x".repeat(n * 7)));
    texts.map(|text| record(&text)).collect()
}

#[test]
fn records_are_read_again_and_more_can_be_appended() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    write(&path, &[record("one")]);
    let (mut journal, held) = open(&path, Damage::Report).expect("opened");
    assert_eq!(held, [record("one")]);
    journal.append(&record("two\n\"\\\0")).expect("written");
    drop(journal);
    let both = [record("one"), record("two\n\"\\\0")];
    assert_eq!(read(&path), both);
    let (heading, records): (Heading, Vec<Record>) = Journal::read(&path).expect("whole");
    assert_eq!((heading.run.as_str(), &*records), ("tests", &both[..]));
}

#[test]
fn complete_records_survive_a_cut_at_any_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    let records = some_records();
    let ends = write(&path, &records);
    let good = fs::read(&path).expect("there");
    for length in 0..good.len() {
        fs::write(&path, &good[..length]).expect("written");
        let whole = ends.iter().filter(|&&end| end <= length).count();
        let mut held = records[..whole.saturating_sub(1)].to_vec();
        // A new record can be appended and read.
        let (mut journal, found) = open(&path, Damage::Report).expect("only the tail is torn");
        assert_eq!(found, held);
        journal.append(&record("after")).expect("written");
        drop(journal);
        held.push(record("after"));
        assert_eq!(read(&path), held);
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
        fs::write(&path, [&good[..], &rubbish].concat()).expect("written");
        assert_eq!(read(&path), records);
        assert_eq!(fs::read(&path).expect("there"), good);
    }
}

#[test]
fn damage_is_refused_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    let ends = write(&path, &some_records());
    let good = fs::read(&path).expect("there");
    // A change of the last byte, which ends the last line, looks like an incomplete line.
    for at in ends[0]..good.len() - 1 {
        for bit in 0..8 {
            let mut bad = good.clone();
            bad[at] ^= 1 << bit;
            fs::write(&path, &bad).expect("written");
            let error = open(&path, Damage::Report).expect_err("damaged");
            let hit = ends.iter().filter(|&&end| end <= at).count() + 1;
            let Kind::DamagedLine { number } = *error.kind() else {
                panic!("byte {at}: {error}");
            };
            assert_eq!(number, hit, "byte {at}");
            assert_eq!(fs::read(&path).expect("there"), bad);
            assert!(Journal::read::<Heading, Record>(&path).is_err());
        }
    }
}

#[test]
fn repair_keeps_every_good_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    let records = some_records();
    let ends = write(&path, &records);
    let good = fs::read(&path).expect("there");
    let repaired = || open(&path, Damage::Repair).expect("repaired").1;
    for at in ends[0]..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0x40;
        fs::write(&path, &bad).expect("written");
        let hit = ends.iter().filter(|&&end| end <= at).count() - 1;
        let mut rest = records.clone();
        rest.remove(hit);
        // A changed line end joins two lines, so both records are lost.
        if at + 1 == ends[hit + 1] && hit < rest.len() {
            rest.remove(hit);
        }
        assert_eq!(repaired(), rest, "byte {at}");
        assert_eq!(read(&path), rest, "byte {at}");
    }
    // Bytes that were never a record, and a torn tail.
    let third = ends[2];
    let strange = [&good[..third], b"7\n", &good[third..good.len() - 3]].concat();
    fs::write(&path, strange).expect("written");
    let (mut journal, held) = open(&path, Damage::Repair).expect("repaired");
    assert_eq!(held, records[..5]);
    journal.append(&record("new")).expect("written");
    drop(journal);
    assert_eq!(read(&path)[5], record("new"));

    let before = fs::read(&path).expect("there");
    assert_eq!(repaired().len(), 6);
    assert_eq!(fs::read(&path).expect("there"), before);

    let mut headless = before;
    headless[20] ^= 1;
    fs::write(&path, &headless).expect("written");
    let error = open(&path, Damage::Repair).expect_err("the heading is damaged");
    assert!(
        matches!(error.kind(), Kind::DamagedLine { number: 1 }),
        "{error}"
    );
    assert_eq!(fs::read(&path).expect("there"), headless);
}

#[test]
fn lines_without_checksums_are_read_before_lines_with_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    let old = "{\"run\":\"tests\"}\n{\"text\":\"old\",\"number\":1}\n";
    fs::write(&path, old).expect("written");
    let (mut journal, held) = open(&path, Damage::Report).expect("old");
    assert_eq!(held[0].text, "old");
    journal.append(&record("new")).expect("written");
    drop(journal);
    assert_eq!(read(&path).len(), 2);
    let whole = fs::read_to_string(&path).expect("there");
    fs::write(&path, whole + "{\"text\":\"old\",\"number\":1}\n").expect("written");
    let error = open(&path, Damage::Report).expect_err("a checksum is missing");
    assert!(
        matches!(error.kind(), Kind::DamagedLine { number: 4 }),
        "{error}"
    );
}

#[test]
fn a_journal_is_open_in_one_program_at_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    let journal = open(&path, Damage::Report).expect("created").0;
    let error = open(&path, Damage::Report).expect_err("open already");
    assert!(matches!(error.kind(), Kind::InUse), "{error}");
    drop(journal);
    open(&path, Damage::Report).expect("free now");
}

/// A journal and an output of two programs with one name, whichever comes first: the second program is refused, and what
/// the first one has written stays.
#[test]
fn a_journal_is_not_the_output_of_another_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    let mut journal = open(&path, Damage::Report).expect("created").0;
    let error = OutputFile::create(&path).expect_err("a journal");
    assert!(matches!(error.kind(), Kind::BeingWritten), "{error}");
    journal.append(&record("kept")).expect("written");
    drop(journal);
    assert_eq!(read(&path), [record("kept")]);

    let output = OutputFile::create(&path).expect("not in use");
    let error = open(&path, Damage::Report).expect_err("it is about to be replaced");
    assert!(matches!(error.kind(), Kind::InUse), "{error}");
    drop(output);
    let journal = open(&path, Damage::Report).expect("free now").0;
    drop(journal);

    // A program that does not look for outputs, such as one of an older version, opens the journal meanwhile.
    let output = OutputFile::create(&path).expect("begun");
    let other = fs::File::open(&path).expect("there");
    other.lock().expect("locked");
    let error = output.commit().expect_err("a journal by now");
    assert!(matches!(error.kind(), Kind::BeingWritten), "{error}");
    drop(other);
    assert_eq!(read(&path), [record("kept")]);
}

#[test]
fn other_files_are_refused_and_not_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file");
    for text in ["notes", "notes\n", "{\"a\":1}\n", "{}\n"] {
        fs::write(&path, text).expect("written");
        let error = open(&path, Damage::Report).expect_err("another file");
        assert!(matches!(error.kind(), Kind::Foreign), "{error}");
        assert_eq!(fs::read_to_string(&path).expect("there"), text);
    }
    let identity = Identity::new("thing", 1, "tests");
    save(&path, &identity, "value").expect("written");
    open(&path, Damage::Report).expect_err("a file of a value");
    assert_eq!(
        load::<String>(&path, &identity).expect("unchanged"),
        "value"
    );
}

/// Reading a pipe or a device might never end, and a line without an end would fill the memory.
#[cfg(unix)]
#[test]
fn what_has_no_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (pipe, endless) = (folder.path().join("pipe"), folder.path().join("endless"));
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let file = fs::File::create(&endless).unwrap();
    file.set_len(LINE_LIMIT as u64 + 1).unwrap();
    for (path, reason) in [
        (pipe.as_path(), "not a regular file"),
        (Path::new("/dev/zero"), "not a regular file"),
        (endless.as_path(), "line 1 is longer than"),
    ] {
        let opened = open(path, Damage::Repair).map(drop);
        let read = Journal::read::<Heading, Record>(path).map(drop);
        for result in [opened, read] {
            let error = result.unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
    assert_eq!(fs::metadata(&endless).unwrap().len(), LINE_LIMIT as u64 + 1);
}

#[test]
fn a_record_of_another_type_is_an_error_and_not_a_panic() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    write(&path, &some_records());
    let error = Journal::read::<Heading, Heading>(&path).expect_err("other records");
    assert!(matches!(error.kind(), Kind::Malformed { .. }), "{error}");
    let (mut journal, _) = open(&path, Damage::Report).expect("whole");
    let error = journal.append(&7).expect_err("a number has no fields");
    assert!(matches!(error.kind(), Kind::Unwritable { .. }), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn complete_records_survive_any_truncation(
        texts in prop::collection::vec(".{0,60}", 0..12),
        cut in any::<prop::sample::Index>(),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let records: Vec<Record> = texts.iter().map(|text| record(text)).collect();
        let ends = write(&path, &records);
        prop_assert_eq!(&read(&path), &records);
        let bytes = fs::read(&path).expect("there");
        let length = ends[0] + cut.index(bytes.len() - ends[0] + 1);
        fs::write(&path, &bytes[..length]).expect("written");
        let whole = ends.iter().filter(|&&end| end <= length).count() - 1;
        prop_assert_eq!(&*read(&path), &records[..whole]);
    }
}
