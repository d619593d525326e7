//! The numbers of moves: how they are written, and whether they fit the positions of a game.

use std::fmt;

use skewer_movegen::{Board, Color};

use crate::Start;
use crate::characters::{Meaning, first_char, meaning};
use crate::tokens::near;

/// The number of a move, as written in the file: `12.` before a move of White, `12...` before a move of Black.
#[derive(Clone, Copy)]
pub struct MoveNumber<'a>(&'a [u8]);

impl<'a> MoveNumber<'a> {
    /// The number at the front of the moves.
    #[inline]
    pub(crate) const fn new(ahead: &'a [u8]) -> Self {
        Self(ahead)
    }

    /// The number, or the largest one of the type if it is larger.
    #[inline]
    pub fn value(self) -> u32 {
        self.split().0
    }

    /// Whether two dots or more, or an ellipsis, say that the move is Black's. A number with one dot or none may stand
    /// before a move of either player.
    #[inline]
    pub fn is_of_black(self) -> bool {
        match self.split().1 {
            // Nearly all numbers.
            [b'.', b' ', next, ..] | [b'.', next, ..] if next.is_ascii_alphabetic() => false,
            [b'.', b'.', ..] => true,
            rest => dots(rest) > 1,
        }
    }

    /// The value of the digits, and the text after them.
    #[inline]
    fn split(self) -> (u32, &'a [u8]) {
        let is_digit = |byte: &&u8| byte.is_ascii_digit();
        let (digits, rest) = self.0.split_at(self.0.iter().take_while(is_digit).count());
        if digits.is_empty() {
            return split_foreign(self.0);
        }
        let value = digits
            .iter()
            .fold(0, |value, &digit| with_digit(value, digit));
        (value, rest)
    }
}

impl fmt::Display for MoveNumber<'_> {
    /// The number with one dot, or with three if it says that the move is Black's.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let player = if self.is_of_black() {
            Color::Black
        } else {
            Color::White
        };
        let dots = dots_before(player);
        write!(f, "{}{dots}", self.value())
    }
}

impl fmt::Debug for MoveNumber<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The dots between a number and a move of this player.
pub(crate) const fn dots_before(player: Color) -> &'static str {
    match player {
        Color::White => ".",
        Color::Black => "...",
    }
}

/// A number with one more digit, or the largest one if that would be larger.
fn with_digit(value: u32, digit: u8) -> u32 {
    let digit = u32::from(digit - b'0');
    value.saturating_mul(10).saturating_add(digit)
}

/// As [`MoveNumber::split`], for digits outside ASCII.
#[cold]
fn split_foreign(ahead: &[u8]) -> (u32, &[u8]) {
    let (mut value, mut rest) = (0, near(ahead));
    while let Some((c, length)) = first_char(rest) {
        let Meaning::Same(digit @ b'0'..=b'9') = meaning(c) else {
            break;
        };
        value = with_digit(value, digit);
        rest = &rest[length..];
    }
    (value, rest)
}

/// How many dots follow a number, with blanks before and between them.
#[cold]
fn dots(ahead: &[u8]) -> u32 {
    let (mut dots, mut rest) = (0, near(ahead));
    while let Some((c, length)) = first_char(rest) {
        dots += match c {
            '.' | '․' | '．' => 1,
            '‥' => 2,
            '…' => 3,
            _ if c.is_ascii_whitespace() => 0,
            _ if !c.is_ascii() && matches!(meaning(c), Meaning::Blank | Meaning::Invisible) => 0,
            _ => break,
        };
        rest = &rest[length..];
    }
    dots
}

/// What the numbers of a game count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unit {
    /// A move of White and a move of Black together, as the standard says.
    Moves,
    /// Every move: `1. e4 2. e5 3. Nf3`.
    Plies,
}

impl Unit {
    /// The number of the next move in a position.
    fn count(self, board: &Board) -> i64 {
        let moves = i64::from(board.fullmove_number());
        match self {
            Self::Moves => moves,
            Self::Plies => 2 * moves + i64::from(board.turn() == Color::Black),
        }
    }
}

/// Compares the numbers in a line of moves with its positions.
///
/// In a game from another position the first number may be any, because many files have a wrong number in their FEN. A
/// game from the usual start begins at 1 or 0. After a number that does not fit, both sequences fit: the sequence that
/// continues from it, and the sequence that continues from the numbers before it. So each error is named once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbering {
    unit: Unit,
    /// By how much the numbers are higher than the numbers of the positions.
    shift: i64,
    /// The last number that did not fit: its difference from the number of moves, and from the count in `unit`.
    misfit: Option<[i64; 2]>,
    /// Whether there was a number.
    has_number: bool,
    /// The last number of the main line, and the ply before which it stands, as long as the numbers may count plies:
    /// each is the next one and stands one ply after the one before.
    run: Option<(i64, i64)>,
    /// The ply with which the game begins.
    start: i64,
    is_usual_start: bool,
}

impl Default for Numbering {
    fn default() -> Self {
        Self::new(&Start::default())
    }
}

impl Numbering {
    /// The numbers of a game from this start.
    pub(crate) fn new(start: &Start) -> Self {
        Self {
            unit: Unit::Moves,
            shift: 0,
            misfit: None,
            has_number: false,
            run: None,
            start: Unit::Plies.count(&start.board),
            is_usual_start: start.is_standard(),
        }
    }

    /// The numbers of a variation that begins here.
    pub(crate) fn of_variation(self) -> Self {
        Self { run: None, ..self }
    }

    /// The number that is due in a position, if another one stands there.
    #[inline]
    pub(crate) fn due_instead_of(
        &mut self,
        number: MoveNumber<'_>,
        board: &Board,
    ) -> Option<String> {
        let shift = i64::from(number.value()) - self.unit.count(board);
        let is_of_player = board.turn() == Color::Black || !number.is_of_black();
        if self.has_number && self.run.is_none() && shift == self.shift && is_of_player {
            return None;
        }
        self.compare(number, board)
    }

    /// As [`due_instead_of`](Self::due_instead_of), for any number.
    #[cold]
    fn compare(&mut self, number: MoveNumber<'_>, board: &Board) -> Option<String> {
        let (value, ply) = (i64::from(number.value()), Unit::Plies.count(board));
        let is_black = board.turn() == Color::Black;
        let mut count = self.unit.count(board);
        if !self.has_number {
            self.has_number = true;
            // `1...` before a move of Black shows that the numbers count moves.
            self.run = (!is_black || !number.is_of_black()).then_some((value, ply));
            if ply == self.start && (!self.is_usual_start || value <= 1) {
                self.shift = value - count;
            }
        } else if self.run == Some((value - 1, ply - 1)) && !number.is_of_black() {
            self.run = Some((value, ply));
            if value != count + self.shift {
                // Each number so far is the next one before the next move, so the numbers count plies.
                count = ply;
                self.unit = Unit::Plies;
                self.shift = value - ply;
                self.run = None;
            }
        } else {
            self.run = None;
        }
        let [of_move, of_unit] = [value - Unit::Moves.count(board), value - count];
        let continues = |misfit: [i64; 2]| misfit[0] == of_move || misfit[1] == of_unit;
        let fits = of_unit == self.shift || self.misfit.is_some_and(continues);
        if fits && (is_black || !number.is_of_black()) {
            return None;
        }
        if !fits {
            self.misfit = Some([of_move, of_unit]);
        }
        let dots = dots_before(board.turn());
        Some(format!("{}{dots}", count + self.shift))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number ends after its digits. Two dots or an ellipsis, with or without blanks, make it Black's.
    #[test]
    fn numbers_in_every_form() {
        for (text, value, is_of_black) in [
            ("1. e4", 1, false),
            ("12.e4", 12, false),
            ("12 e4", 12, false),
            ("12 . e4", 12, false),
            ("12\u{2024}e4", 12, false),
            ("１２．ｅ４", 12, false),
            ("12", 12, false),
            ("1...e5", 1, true),
            ("1.. e5", 1, true),
            ("1. ... e5", 1, true),
            ("1 ... e5", 1, true),
            ("1\u{a0}. . .e5", 1, true),
            ("1…e5", 1, true),
            ("1.… e5", 1, true),
            ("１…", 1, true),
            ("70000. e4", 70_000, false),
            ("99999999999. e4", u32::MAX, false),
        ] {
            let number = MoveNumber::new(text.as_bytes());
            let read = (number.value(), number.is_of_black());
            assert_eq!(read, (value, is_of_black), "{text}");
        }
        // Windows-1252.
        assert!(MoveNumber::new(b"1\x85 e5").is_of_black());
    }
}
