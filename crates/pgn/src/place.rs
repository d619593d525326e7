//! Where the reader is in a game, and what a byte begins or ends there.

use crate::tokens::value_of_digits;
use crate::{Location, Nag};

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
    /// The main line has a move.
    pub(crate) moved: bool,
    /// The variation that is open, or the variations around it, began before the first move.
    pub(crate) is_before_moves: bool,
    /// What stands last in the line.
    pub(crate) behind: Behind,
    /// Moves since the last number, or the beginning of the line.
    pub(crate) since_number: u32,
    /// The bytes at which the last number of a move began.
    pub(crate) number: [u8; 4],
    /// The first glyph before the first move of the game.
    pub(crate) early_glyph: Option<(Nag, Location)>,
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

impl Place {
    /// The number of a move comes next.
    #[inline(always)]
    pub(crate) fn pass_number(&mut self, ahead: &[u8]) {
        // Its value is seldom needed.
        self.number = match ahead.first_chunk() {
            Some(&bytes) => bytes,
            None => last_bytes(ahead),
        };
        self.behind = Behind::Number;
        self.since_number = 0;
    }

    /// The last number of a move; 0 before the first.
    pub(crate) fn number(&self) -> u32 {
        value_of_digits(&self.number)
    }

    /// A variation begins.
    pub(crate) fn open(&mut self) {
        self.is_before_moves |= self.depth == 0 && !self.moved;
        self.depth += 1;
        self.behind = Behind::Start;
        self.since_number = 0;
    }

    /// The variation ends.
    pub(crate) fn close(&mut self) {
        self.depth -= 1;
        self.behind = Behind::Variation;
        // Any number may stand behind a variation.
        self.since_number += 2;
        if self.depth == 0 && self.is_before_moves {
            self.is_before_moves = false;
            // Its glyphs are of its moves.
            if self.moved {
                self.early_glyph = None;
            }
            self.moved = false;
        }
    }
}

/// Fewer than four bytes, and zeros behind them.
#[cold]
fn last_bytes(ahead: &[u8]) -> [u8; 4] {
    std::array::from_fn(|at| ahead.get(at).copied().unwrap_or_default())
}

/// What stands last in a line of moves, apart from comments, glyphs and marks.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Behind {
    /// Nothing: the game or the variation begins.
    #[default]
    Start,
    /// The number of a move.
    Number,
    /// A move.
    Move,
    /// A variation in place of the last move.
    Variation,
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
