//! Finished files: values round trip, and damage is refused with an error that names the file.

mod common;

use std::fs;
use std::path::Path;

use common::files_in;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use skewer_store::{
    Identity, Reader, StoreError, StoreErrorKind as Kind, Writer, inspect, load, save,
};

const IDENTITY: Identity<'_> = Identity::new("thing", 3, "tests");

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Thing {
    name: String,
    values: Vec<(u16, i64)>,
    rest: Option<Box<Thing>>,
}

fn thing() -> Thing {
    let inner = Thing {
        name: "inner".into(),
        values: vec![],
        rest: None,
    };
    Thing {
        name: "outer".into(),
        values: vec![(1, -1), (2, i64::MIN)],
        rest: Some(inner.into()),
    }
}

fn load_thing(path: &Path) -> Result<Thing, StoreError> {
    load(path, &IDENTITY)
}

#[test]
fn a_value_round_trips_and_leaves_one_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("thing");
    save(&path, &IDENTITY, &thing()).expect("written");
    save(&path, &IDENTITY, &thing()).expect("written again");
    assert_eq!(load_thing(&path).expect("whole"), thing());
    assert_eq!(files_in(folder.path()), ["thing"]);

    let header = inspect(&path).expect("whole");
    assert_eq!((header.kind(), header.signature()), ("thing", "tests"));
}

#[test]
fn every_flipped_bit_is_detected() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("thing");
    save(&path, &IDENTITY, &thing()).expect("written");
    let good = fs::read(&path).expect("just written");
    for at in 0..good.len() {
        for bit in 0..8 {
            let mut bad = good.clone();
            bad[at] ^= 1 << bit;
            fs::write(&path, bad).expect("written");
            let error = load_thing(&path).expect_err("one bit is wrong");
            let fits = match error.kind() {
                Kind::Foreign => at < 8,
                Kind::DamagedHeader => at >= 8,
                Kind::Damaged => at >= 60,
                _ => false,
            };
            assert!(fits, "bit {bit} of byte {at}: {error}");
        }
    }
}

#[test]
fn every_truncation_and_addition_is_detected() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("thing");
    save(&path, &IDENTITY, &thing()).expect("written");
    let good = fs::read(&path).expect("just written");
    for length in 0..good.len() {
        fs::write(&path, &good[..length]).expect("written");
        let error = load_thing(&path).expect_err("some is missing");
        match *error.kind() {
            Kind::Foreign => assert_eq!(length, 0),
            Kind::DamagedHeader => assert!(length > 0),
            Kind::Truncated { expected, found } => {
                assert_eq!((expected, found), (good.len() as u64, length as u64));
            }
            _ => panic!("cut to {length}: {error}"),
        }
    }
    let mut long = good.clone();
    long.push(0);
    fs::write(&path, long).expect("written");
    let error = load_thing(&path).expect_err("one too many");
    assert!(matches!(error.kind(), Kind::TooLong { .. }), "{error}");
}

#[test]
fn files_of_another_identity_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("thing");
    save(&path, &IDENTITY, &thing()).expect("written");
    let refuse = |identity: Identity<'_>| load::<Thing>(&path, &identity).expect_err("not ours");
    let kind = refuse(Identity::new("other", 3, "tests"));
    assert!(matches!(kind.kind(), Kind::WrongKind { .. }));
    assert_eq!(
        kind.to_string(),
        format!(
            "{}: the file holds \"thing\" and not \"other\"",
            path.display()
        )
    );
    let version = refuse(Identity::new("thing", 4, "tests"));
    assert!(matches!(
        version.kind(),
        Kind::WrongVersion {
            expected: 4,
            found: 3
        }
    ));
    let signature = refuse(Identity::new("thing", 3, "others"));
    assert!(matches!(signature.kind(), Kind::WrongSignature { .. }));
    // The right identity, but the value of another type.
    let error = load::<Vec<Thing>>(&path, &IDENTITY).expect_err("not a list");
    assert!(matches!(error.kind(), Kind::Malformed { .. }), "{error}");
    let error = load::<u8>(&path, &IDENTITY).expect_err("not a byte");
    assert!(matches!(error.kind(), Kind::Malformed { .. }), "{error}");

    for (name, text) in [("text", "1. e4 e5"), ("line", "\n")] {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("written");
        assert!(matches!(
            load_thing(&path).expect_err("foreign").kind(),
            Kind::Foreign
        ));
    }
    let missing = load_thing(&folder.path().join("missing")).expect_err("nothing there");
    assert!(matches!(missing.kind(), Kind::Io { .. }));
    assert!(load_thing(folder.path()).is_err(), "a folder");
}

#[test]
fn a_writer_that_is_dropped_leaves_only_the_old_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("thing");
    save(&path, &IDENTITY, &thing()).expect("written");
    let mut writer = Writer::create(&path, &IDENTITY).expect("begun");
    writer.put(&vec![7; 1 << 20]).expect("written");
    assert_eq!(files_in(folder.path()).len(), 2);
    drop(writer);
    assert_eq!(files_in(folder.path()), ["thing"]);
    assert_eq!(load_thing(&path).expect("the old one"), thing());
}

#[test]
fn devices_and_folders_are_not_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let error = save(folder.path(), &IDENTITY, &thing()).expect_err("a folder");
    assert!(matches!(error.kind(), Kind::NotAFile), "{error}");
    let missing = folder.path().join("no such folder").join("thing");
    assert!(save(&missing, &IDENTITY, &thing()).is_err());
    #[cfg(unix)]
    {
        let error = save("/dev/null", &IDENTITY, &thing()).expect_err("a device");
        assert!(matches!(error.kind(), Kind::NotAFile), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_and_not_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, link) = (folder.path().join("thing"), folder.path().join("link"));
    fs::write(&path, "old").expect("written");
    std::os::unix::fs::symlink(&path, &link).expect("linked");
    save(&link, &IDENTITY, &thing()).expect("written");
    assert_eq!(
        load_thing(&path).expect("written through the link"),
        thing()
    );
    assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
}

#[test]
fn texts_have_a_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    let long = "x".repeat(2000);
    let identity = Identity::new("thing", 1, &long);
    let error = save(folder.path().join("thing"), &identity, &thing()).expect_err("too long");
    assert!(
        matches!(error.kind(), Kind::TooLarge { size: 2000, .. }),
        "{error}"
    );
    assert!(files_in(folder.path()).is_empty());
}

#[test]
fn damage_in_a_large_body_is_found_at_the_latest_at_its_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large");
    let mut writer = Writer::create(&path, &IDENTITY).expect("begun");
    for n in 0..300_000_u64 {
        writer.put(&n.to_le_bytes()).expect("written");
    }
    writer.finish().expect("written");
    let mut bytes = fs::read(&path).expect("there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    fs::write(&path, bytes).expect("written");

    let mut reader = Reader::open(&path, &IDENTITY).expect("the header is whole");
    assert_eq!(reader.remaining(), 2_400_000);
    assert!(matches!(
        reader.verify().expect_err("damaged").kind(),
        Kind::Damaged
    ));
    let mut reader = Reader::open(&path, &IDENTITY).expect("the header is whole");
    let mut first = [0; 16];
    reader.take(&mut first).expect("before the damage");
    assert_eq!(first[8], 1);
    assert!(matches!(
        reader.finish().expect_err("damaged").kind(),
        Kind::Damaged
    ));
}

#[test]
fn reading_past_the_end_and_values_of_huge_length_are_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("short");
    let mut writer = Writer::create(&path, &IDENTITY).expect("begun");
    writer.put(&u64::MAX.to_le_bytes()).expect("written");
    writer.finish().expect("written");
    let mut reader = Reader::open(&path, &IDENTITY).expect("whole");
    let error = reader.take_value::<Thing>().expect_err("no such value");
    assert!(matches!(error.kind(), Kind::Malformed { .. }), "{error}");
    let mut reader = Reader::open(&path, &IDENTITY).expect("whole");
    let error = reader.take(&mut [0; 9]).expect_err("eight only");
    assert!(matches!(error.kind(), Kind::Malformed { .. }), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn any_value_and_any_stream_round_trip(
        name in ".{0,40}",
        values in prop::collection::vec(any::<(u16, i64)>(), 0..200),
        body in prop::collection::vec(any::<u8>(), 0..5000),
        piece in 1_usize..3000,
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("any");
        let value = Thing { name, values, rest: None };
        let mut writer = Writer::create(&path, &IDENTITY).expect("begun");
        writer.put_value(&value).expect("written");
        for part in body.chunks(piece) {
            writer.put(part).expect("written");
        }
        writer.finish().expect("written");

        let mut reader = Reader::open(&path, &IDENTITY).expect("whole");
        reader.verify().expect("whole");
        prop_assert_eq!(reader.take_value::<Thing>().expect("the value"), value);
        let mut read = vec![0; reader.remaining() as usize];
        reader.take(&mut read).expect("the rest");
        prop_assert_eq!(read, body);
        reader.finish().expect("whole");
    }

    /// Random bytes after the mark, with which every file with a header begins, give an error, never a panic or a huge
    /// allocation.
    #[test]
    fn any_bytes_after_the_magic_are_an_error_at_most(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("any");
        let mut all = b"\x89SKW\r\n\x1a\n".to_vec();
        all.extend(bytes);
        fs::write(&path, all).expect("written");
        prop_assert!(load_thing(&path).is_err());
    }
}
