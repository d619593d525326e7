//! Any bytes can be read as games: no panic, what was made of them can be written and read, and no token is lost.
#![no_main]

#[path = "../../crates/pgn/tests/letters/mod.rs"]
mod letters;

use letters::{Seen, letters};
use libfuzzer_sys::fuzz_target;
use skewer_pgn::{Games, Reader, check};

/// The reader reports every letter of the bytes, unless it reports a problem with the text that it
/// skipped.
fn nothing_is_lost(bytes: &[u8]) {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    // A `%` begins an escaped line. Blanks of any kind may come before it.
    let is_blank = |byte: &u8| !byte.is_ascii_graphic();
    let escaped = (0..bytes.len()).filter(|&at| bytes[at] == b'%').any(|at| {
        let line = bytes[..at].iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |end| end + 1);
        bytes[line..at].iter().all(is_blank)
    });
    let wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") || bytes.iter().take(4).any(|&byte| byte == 0);
    if escaped || wide {
        return;
    }
    // Comments after the last game belong to no game.
    let bytes = &[bytes, b"\n\n[Event \"end\"]\n\n*"].concat()[..];
    let mut seen = Seen::default();
    let mut reader = Reader::new(bytes);
    while let Ok(Some(_)) = reader.read_game(&mut seen) {}
    if seen.problems == 0 && reader.offset() == bytes.len() as u64 {
        assert_eq!(seen.letters, letters(bytes));
    }
}

fuzz_target!(|bytes: &[u8]| {
    // Bytes that are no text are refused.
    let _ = check(bytes);
    nothing_is_lost(bytes);
    for game in Games::new(bytes).flatten() {
        let text = game.to_string();
        let mut again = Games::new(text.as_bytes());
        let read = again.next().expect("a game").unwrap_or_else(|bad| panic!("{bad}\n{text}"));
        assert_eq!(read.len(), game.len(), "{text}");
        assert!(again.next().is_none(), "{text}");
    }
});
