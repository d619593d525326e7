//! Any bytes can be read as EPD: no panic, and what was made of them can be written and read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skewer_pgn::{Epd, EpdReader};

fuzz_target!(|bytes: &[u8]| {
    for placed in EpdReader::new(bytes).flatten() {
        let text = placed.epd.to_string();
        let again = Epd::parse(&text).unwrap_or_else(|bad| panic!("{bad}\n{text}"));
        assert_eq!(again.operations.len(), placed.epd.operations.len(), "{text}");
    }
});
