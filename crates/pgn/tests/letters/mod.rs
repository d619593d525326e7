//! Counts the letters that a reader reports, for tests and for the fuzzer.

use std::ops::ControlFlow;

use skewer_pgn::{Comment, Location, PgnError, San, TagValue, Visitor};

/// Counts the letters of all events, and the problems.
#[derive(Default)]
pub(crate) struct Seen {
    /// Letters of tags, moves, marks and comments.
    pub(crate) letters: usize,
    /// Problems, each of which says that something was passed over.
    pub(crate) problems: usize,
}

/// How many letters and figurines these bytes have, without the glyphs `N` and `D`, and zeros written as `O`, which no
/// event gives back.
pub(crate) fn letters(bytes: &[u8]) -> usize {
    let counts = |byte: &&u8| byte.is_ascii_alphabetic() && !b"NDOo".contains(byte);
    let is_figurine = |bytes: &&[u8]| matches!(bytes, [0xe2, 0x99, 0x94..=0x9f]);
    bytes.iter().filter(counts).count() + bytes.windows(3).filter(is_figurine).count()
}

impl Visitor for Seen {
    type Output = ();

    fn tag(&mut self, name: &[u8], value: TagValue<'_>) -> ControlFlow<()> {
        self.letters += letters(name) + letters(value.as_bytes());
        ControlFlow::Continue(())
    }

    fn san(&mut self, san: San<'_>) -> ControlFlow<()> {
        self.letters += letters(san.as_bytes());
        ControlFlow::Continue(())
    }

    fn mark(&mut self, mark: &[u8]) -> ControlFlow<()> {
        self.letters += letters(mark);
        ControlFlow::Continue(())
    }

    fn comment(&mut self, comment: Comment<'_>) -> ControlFlow<()> {
        self.letters += letters(comment.as_bytes());
        ControlFlow::Continue(())
    }

    fn problem(&mut self, _: PgnError, _: Location) -> ControlFlow<()> {
        self.problems += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self) {}
}
