//! Any line can be read: no panic, and whatever is said about it is one line.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skewer::command::{Command, parse};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let parsed = parse(&text);
    for complaint in &parsed.complaints {
        let sentence = complaint.to_string();
        assert!(!sentence.contains(['\n', '\r']) && sentence.len() < 1000);
    }
    if let Some(Command::SetOption(set)) = parsed.command {
        if let Err(error) = skewer::options::change(set) {
            let sentence = error.to_string();
            assert!(!sentence.contains(['\n', '\r']) && sentence.len() < 1000);
        }
    }
});
