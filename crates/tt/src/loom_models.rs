//! Models of a cluster under loom, which tries the interleavings of a few threads with a bounded
//! number of forced switches, and old values for relaxed loads. Loom does not model load buffering.
//!
//! They show that a probe of a key finds nothing or a payload that was stored with this key. In the models
//! no two keys agree in the 16 bits that an entry keeps. The stress test counts such collisions.

use loom::sync::Arc;
use loom::thread;

use crate::cluster::{self, Cluster, WORDS};
use crate::entry::{Age, Payload, RawEntry};
use crate::sync::AtomicU64;

const NOW: Age = Age::new(1);

fn cluster() -> Arc<Cluster> {
    Arc::new(std::array::from_fn::<_, WORDS, _>(|_| AtomicU64::new(0)))
}

/// An entry with the key and the writer in its fields.
fn entry(key: u16, writer: i16) -> RawEntry {
    RawEntry {
        mv: key,
        score: writer,
        depth: 5,
        ..RawEntry::default()
    }
}

fn store(cluster: &Cluster, key: u16, writer: i16) {
    cluster::store(cluster, key, entry(key, writer), NOW);
}

/// Asserts that a probe found nothing, or what one of the writers stored under this key.
fn check(cluster: &Cluster, key: u16, writers: &[i16]) {
    if let Some(found) = cluster::probe(cluster, key).map(Payload::unpack) {
        let honest = writers.iter().any(|&writer| found == entry(key, writer));
        assert!(honest, "key {key} has {found:?}");
    }
}

/// Tries every interleaving with at most this many forced switches between threads.
fn explore(switches: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(switches);
    builder.check(model);
}

#[test]
fn a_reader_beside_a_writer_that_replaces() {
    explore(4, || {
        let cluster = cluster();
        for key in [10, 20, 30] {
            store(&cluster, key, 0);
        }
        let writer = {
            let cluster = Arc::clone(&cluster);
            thread::spawn(move || store(&cluster, 40, 1))
        };
        for key in [10, 40] {
            check(&cluster, key, &[0, 1]);
        }
        writer.join().expect("the writer ends");
        // With one writer nothing is lost.
        let found = cluster::probe(&cluster, 40).map(Payload::unpack);
        assert_eq!(found, Some(entry(40, 1)));
    });
}

#[test]
fn two_writers_of_different_keys_in_one_place() {
    explore(4, || {
        let cluster = cluster();
        let writers = [(10, 1), (20, 2)].map(|(key, writer)| {
            let cluster = Arc::clone(&cluster);
            thread::spawn(move || store(&cluster, key, writer))
        });
        check(&cluster, 10, &[1]);
        check(&cluster, 20, &[2]);
        for writer in writers {
            writer.join().expect("the writer ends");
        }
        check(&cluster, 10, &[1]);
        check(&cluster, 20, &[2]);
    });
}

#[test]
fn two_writers_of_the_same_key() {
    explore(4, || {
        let cluster = cluster();
        let writers = [1, 2].map(|writer| {
            let cluster = Arc::clone(&cluster);
            thread::spawn(move || store(&cluster, 10, writer))
        });
        check(&cluster, 10, &[1, 2]);
        for writer in writers {
            writer.join().expect("the writer ends");
        }
        check(&cluster, 10, &[1, 2]);
    });
}

#[test]
fn a_clear_beside_a_writer_and_a_reader() {
    // Fewer switches and one probe, because three threads have many more interleavings.
    explore(2, || {
        let cluster = cluster();
        store(&cluster, 10, 0);
        let writer = {
            let cluster = Arc::clone(&cluster);
            thread::spawn(move || store(&cluster, 20, 1))
        };
        let clear = {
            let cluster = Arc::clone(&cluster);
            thread::spawn(move || cluster::set_image(&cluster, &[0; WORDS]))
        };
        check(&cluster, 10, &[0]);
        writer.join().expect("the writer ends");
        clear.join().expect("the clear ends");
    });
}
