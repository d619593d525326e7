//! Random answers of engines, made of words of the protocol and other words.

mod check;

use skewer_types::Rng;

/// The environment variable with the seed, so that a long run can try other seeds.
const SEED: &str = "SKEWER_ATTACK_SEED";

const WORDS: [&str; 44] = [
    "info",
    "info",
    "info",
    "bestmove",
    "depth",
    "score",
    "cp",
    "mate",
    "nodes",
    "time",
    "multipv",
    "pv",
    "string",
    "wdl",
    "lowerbound",
    "upperbound",
    "currline",
    "refutation",
    "readyok",
    "uciok",
    "e2e4",
    "e7e5",
    "e2e5",
    "0000",
    "(none)",
    "ponder",
    "0",
    "1",
    "-1",
    "12",
    "999",
    "nan",
    "inf",
    "1e400",
    "1.5",
    "+7",
    "4294967295",
    "-2147483648",
    "2147483647",
    "18446744073709551615",
    "99999999999999999999",
    "\u{202e}",
    "\u{1b}[31m",
    "\0",
];

#[test]
fn any_answer_is_accepted_or_refused_but_never_a_panic() {
    let seed = std::env::var(SEED).ok().and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or(1);
    let mut rng = Rng::new(seed);
    for round in 0..2000 {
        let mut bytes = Vec::new();
        for _ in 0..rng.below(60) {
            bytes.extend(WORDS[rng.below(WORDS.len())].as_bytes());
            bytes.push(if rng.below(5) == 0 { b'\n' } else { b' ' });
        }
        // Some bytes are damaged.
        for _ in 0..rng.below(3) {
            if !bytes.is_empty() {
                let at = rng.below(bytes.len());
                bytes[at] = rng.below(256) as u8;
            }
        }
        println!(
            "{SEED}={seed}, round {round}: {:?}",
            String::from_utf8_lossy(&bytes)
        );
        check::check(&bytes);
    }
}
