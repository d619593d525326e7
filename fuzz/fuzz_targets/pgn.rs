//! Any bytes can be read as games: no panic, and what was made of them can be written and read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skewer_pgn::{Games, check};

fuzz_target!(|bytes: &[u8]| {
    check(bytes).expect("a slice can be read");
    for game in Games::new(bytes).flatten() {
        let text = game.to_string();
        let mut again = Games::new(text.as_bytes());
        let read = again.next().expect("a game").unwrap_or_else(|bad| panic!("{bad}\n{text}"));
        assert_eq!(read.len(), game.len(), "{text}");
        assert!(again.next().is_none(), "{text}");
    }
});
