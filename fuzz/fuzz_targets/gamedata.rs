//! Any bytes can be read as training games: the games before the first fault can be written and read back.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use skewer_gamedata::{Game, Reader, Tail, write_game};

fn games(bytes: Vec<u8>, tail: Tail) -> Vec<Game> {
    Reader::new("input", Cursor::new(bytes), tail)
        .map_while(Result::ok)
        .collect()
}

fuzz_target!(|bytes: &[u8]| {
    let read = games(bytes.to_vec(), Tail::AcceptTorn);
    assert_eq!(games(bytes.to_vec(), Tail::Refuse), read);
    let mut written = Vec::new();
    for game in &read {
        write_game(&mut written, game).expect("a game that was read can be written");
    }
    assert_eq!(games(written, Tail::Refuse), read);
});
