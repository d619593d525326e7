//! Damage to the bytes of a file, as disks, transfers and editors do it.

use fastrand::Rng;

/// The bytes with some damage. The result differs from `bytes`, unless `bytes` is empty.
pub(crate) fn damaged(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bad = bytes.to_vec();
    while bad == bytes && !bytes.is_empty() {
        for _ in 0..rng.usize(1..4) {
            damage_once(&mut bad, rng);
        }
    }
    bad
}

fn damage_once(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let length = bytes.len();
    if length == 0 {
        bytes.extend((0..rng.usize(1..100)).map(|_| rng.u8(..)));
        return;
    }
    let at = rng.usize(..length);
    let end = (at + rng.usize(1..600)).min(length);
    match rng.u8(..9) {
        0..3 => bytes[at] ^= 1 << rng.u8(..8),
        3 => bytes.truncate(at),
        4 => bytes[at..end].fill(0),
        5 => bytes[at..end].fill_with(|| rng.u8(..)),
        6 => drop(bytes.drain(at..end)),
        7 => {
            let copy = bytes[at..end].to_vec();
            bytes.splice(at..at, copy);
        }
        _ => bytes.extend((0..rng.usize(1..100)).map(|_| rng.u8(..))),
    }
}

#[test]
fn damaged_bytes_differ() {
    let mut rng = Rng::with_seed(1);
    for length in 1..200 {
        let good = vec![0; length];
        assert_ne!(damaged(&good, &mut rng), good);
    }
    assert!(damaged(&[], &mut rng).is_empty());
}
