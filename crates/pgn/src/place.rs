//! Where the reader is in a game, and what a byte begins or ends there.

/// Where the reader is within the moves of a game.
#[derive(Default)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent facts, each with its name"
)]
pub(crate) struct Place {
    pub(crate) depth: usize,
    /// The reading ends at a closing parenthesis that brings the depth below this.
    pub(crate) floor: usize,
    /// Moves of the main line so far, for telling whether `1.` begins another game.
    pub(crate) moves: usize,
    /// Only blanks since the beginning of the line.
    pub(crate) fresh_line: bool,
    /// An empty line since the last token.
    pub(crate) gap: bool,
    /// Still among the tags.
    pub(crate) tags: bool,
    /// There was a tag `Event`.
    pub(crate) event: bool,
    /// The visitor refuses the move at the front, in a variation.
    pub(crate) refused: bool,
    /// The current token is the last of the file.
    pub(crate) at_end: bool,
    pub(crate) ended: bool,
}

/// The kind of token that a byte begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Blank,
    Letter,
    Digit,
    Mark,
    /// Outside ASCII.
    Foreign,
    Other,
}

pub(crate) const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            // The last is the end of a file in DOS.
            b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c | 0 | 0x1a => Kind::Blank,
            b'a'..=b'z' | b'A'..=b'Z' | b'@' | b'_' => Kind::Letter,
            b'0'..=b'9' => Kind::Digit,
            b'!' | b'?' | b'+' | b'-' | b'=' | b'~' => Kind::Mark,
            0x80..=0xff => Kind::Foreign,
            _ => Kind::Other,
        };
        byte += 1;
    }
    kinds
};

/// The bytes that end a move. Of those outside ASCII some do not: see `foreign_length`.
pub(crate) const ENDS_MOVE: [bool; 256] = {
    const ENDS: &[u8] = b" \t\r\n\x0b\x0c\0{}()[]<>;$!?\"*,";
    let mut ends = [false; 256];
    let mut index = 0;
    while index < ENDS.len() {
        ends[ENDS[index] as usize] = true;
        index += 1;
    }
    let mut byte = 0x80;
    while byte < 256 {
        ends[byte] = true;
        byte += 1;
    }
    ends
};
