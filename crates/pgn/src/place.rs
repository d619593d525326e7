//! Where the reader is in a game, and what a byte begins or ends there.

use crate::results::points_of;
use crate::start::is_placeholder;
use crate::tokens::{Points, value_of_digits};
use crate::{Location, Nag, TagValue};

/// Where the reader is within the moves of a game.
#[derive(Default)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent facts, each with its name"
)]
pub(crate) struct Place {
    pub(crate) depth: usize,
    /// The closing parenthesis that brings the depth below this ends the reading.
    pub(crate) floor: usize,
    /// Whether the main line has a move.
    pub(crate) moved: bool,
    /// Whether the open variation, or a variation around it, began before the first move.
    pub(crate) is_before_moves: bool,
    /// The last token of the line.
    pub(crate) last: Last,
    /// How many moves of the main line were read.
    pub(crate) plies: u32,
    /// How many moves were read since the last move number or, without one, in the line.
    pub(crate) since_number: u32,
    /// The first bytes of the last move number; in the main line, of its own last number.
    pub(crate) number: [u8; 4],
    /// The last number of the main line, while a variation is open.
    pub(crate) main_number: [u8; 4],
    /// The first glyph before the first move of the game.
    pub(crate) early_glyph: Option<(Nag, Location)>,
    /// Whether the line of text has had only blanks so far.
    pub(crate) fresh_line: bool,
    /// Whether an empty line follows the last token.
    pub(crate) gap: bool,
    /// Whether the reader is still among the tags.
    pub(crate) tags: bool,
    /// Whether the game has a tag `Event`.
    pub(crate) event: bool,
    /// Whether the last tag was cut where the tag `Event` of another game begins.
    pub(crate) cut_tag: bool,
    /// The points in the tag `Result`, if they are no outcome.
    pub(crate) points: Option<Points>,
    /// Whether the visitor refuses the move at the front, in a variation.
    pub(crate) refused: bool,
    /// Whether the current token is the last of the file.
    pub(crate) at_end: bool,
    pub(crate) ended: bool,
}

impl Place {
    /// Notes the move number at the front of `ahead`.
    #[inline(always)]
    pub(crate) fn pass_number(&mut self, ahead: &[u8]) {
        // Keep the first bytes of the number, because its value is seldom needed.
        self.number = match ahead.first_chunk() {
            Some(&bytes) => bytes,
            None => last_bytes(ahead),
        };
        self.last = Last::Number;
        self.since_number = 0;
    }

    /// The last number of a move; 0 before the first.
    pub(crate) fn number(&self) -> u32 {
        value_of_digits(&self.number)
    }

    /// Whether White's number 1 would be a step back: in the main line, after two moves or more, and not after the number
    /// 0.
    pub(crate) fn is_past_first_number(&self) -> bool {
        let is_zero = self.number[0].is_ascii_digit() && self.number() == 0;
        self.depth == 0 && self.plies > 1 && !is_zero
    }

    /// Notes the value of a tag `Result`. The last known value counts.
    pub(crate) fn pass_result_tag(&mut self, value: &[u8]) {
        match value {
            b"1-0" | b"0-1" | b"1/2-1/2" => self.points = None,
            b"*" => {}
            _ => {
                let points = points_of(value);
                if points.is_some() || !is_placeholder(&TagValue::new(value).decode()) {
                    self.points = points;
                }
            }
        }
    }

    /// Notes a move that was read.
    #[inline(always)]
    pub(crate) fn pass_move(&mut self) {
        self.since_number = self.since_number.saturating_add(1);
        if self.depth == 0 {
            self.plies = self.plies.saturating_add(1);
        }
    }

    /// Notes that a variation begins.
    pub(crate) fn open(&mut self) {
        self.is_before_moves |= self.depth == 0 && !self.moved;
        if self.depth == 0 {
            self.main_number = self.number;
        }
        self.depth += 1;
        self.last = Last::Start;
        self.since_number = 0;
    }

    /// Notes that the variation ends.
    pub(crate) fn close(&mut self) {
        self.depth -= 1;
        self.last = Last::Variation;
        // Any number may follow a variation.
        self.since_number = self.since_number.saturating_add(2);
        if self.depth == 0 {
            self.number = self.main_number;
        }
        if self.depth == 0 && self.is_before_moves {
            self.is_before_moves = false;
            // The glyphs in the variation belong to its moves.
            if self.moved {
                self.early_glyph = None;
            }
            self.moved = false;
        }
    }
}

/// The bytes, fewer than four, followed by zeros.
#[cold]
fn last_bytes(ahead: &[u8]) -> [u8; 4] {
    std::array::from_fn(|at| ahead.get(at).copied().unwrap_or_default())
}

/// The last token in a line of moves, apart from comments, glyphs and marks of check.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Last {
    /// There is none: the game or the variation begins.
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
            // 0x1a ends a file in DOS.
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

/// The bytes that end a move. Some characters outside ASCII do not end it: see `foreign_length`.
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
