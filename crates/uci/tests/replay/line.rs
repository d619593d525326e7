//! Any line can be read without a panic, and each remark about it is one line.

use std::fmt::Display;

use skewer::command::{Command, parse};

/// The longest sentence about a line, in bytes.
const LONGEST: usize = 1000;

fn is_plain(sentence: &impl Display) -> bool {
    let text = sentence.to_string();
    !text.contains(['\n', '\r']) && text.len() < LONGEST
}

/// Reads these bytes as a line.
pub(crate) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let parsed = parse(&text);
    assert!(parsed.complaints.iter().all(is_plain));
    if let Some(Command::SetOption(set)) = parsed.command {
        assert!(skewer::options::change(set).err().iter().all(is_plain));
    }
}
