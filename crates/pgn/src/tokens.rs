//! Recognizes tokens at the front of the moves: how long a move is, and which number or glyph begins there.

use skewer_movegen::Outcome;

use crate::Nag;
use crate::characters::{Meaning, Plain, first_char, meaning};
use crate::params::{LONGEST_MOVE, LOOKAHEAD};
use crate::place::ENDS_MOVE;

/// Whether a letter or a digit is at the front.
pub(crate) fn goes_on(ahead: &[u8]) -> bool {
    first_char(ahead)
        .is_some_and(|(c, _)| c.is_alphanumeric() || matches!(meaning(c), Meaning::Same(_)))
}

/// The length in bytes of the move at the front.
#[inline]
pub(crate) fn move_length(ahead: &[u8]) -> usize {
    let limit = ahead.len().min(LONGEST_MOVE);
    let mut length = 1;
    while length < limit && !ENDS_MOVE[usize::from(ahead[length])] {
        length += 1;
    }
    if ahead.get(length).is_some_and(|byte| !byte.is_ascii()) {
        return foreign_length(ahead);
    }
    if ahead.get(length) == Some(&b'(') {
        length += promotion_length(ahead, length);
    }
    length
}

/// The length of a promotion in parentheses after the first `at` bytes, as in `e8(Q)`; 0 if there is none.
#[cold]
fn promotion_length(ahead: &[u8], at: usize) -> usize {
    // `e4(N)` is a novelty.
    if !matches!(ahead[..at].last(), Some(b'1' | b'8' | b'=' | 0x80..)) {
        return 0;
    }
    match first_char(ahead.get(at + 1..).unwrap_or_default()) {
        Some((c, length)) if ahead.get(at + 1 + length) == Some(&b')') => {
            let is_piece = |c| matches!(c, 'Q' | 'R' | 'B' | 'N' | 'q' | 'r' | 'b' | 'n');
            let same = match meaning(c) {
                Meaning::Same(byte) if !c.is_ascii() => char::from(byte),
                _ => c,
            };
            if is_piece(same) { 2 + length } else { 0 }
        }
        _ => 0,
    }
}

/// The length of a move together with its promotion, if blanks or brackets separate them, as in `e8 = Q` and `e8 (=Q)`.
#[cold]
pub(crate) fn apart_promotion(ahead: &[u8], move_length: usize) -> Option<usize> {
    let ahead = near(ahead);
    let from = (move_length > 2).then(|| ahead[1]);
    if !matches!(from, None | Some(b'2' | b'7' | b'x' | b':')) {
        return None;
    }
    let rest = &ahead[move_length..];
    let mut at = 0;
    let (mut sign, mut bracket) = (false, 0);
    while let Some((c, length)) = first_char(&rest[at..]) {
        match c {
            _ if c.is_ascii_whitespace() || meaning(c) == Meaning::Blank => {}
            '=' if !sign => sign = true,
            '(' | '[' if bracket == 0 => bracket = length,
            _ => break,
        }
        at += length;
    }
    let (piece, length) = first_char(&rest[at..])?;
    let piece = match meaning(piece) {
        Meaning::Same(byte) if !piece.is_ascii() => char::from(byte),
        _ => piece,
    };
    if (!sign && bracket == 0) || !matches!(piece, 'Q' | 'R' | 'B' | 'N') {
        return None;
    }
    at += length;
    at += usize::from(matches!(rest.get(at), Some(b'+' | b'#')));
    match rest.get(at) {
        Some(b')' | b']') if bracket > 0 => Some(move_length + at + 1),
        // This is the next move, by a piece, after the glyph `=`.
        Some(byte) if bracket > 0 || byte.is_ascii_alphanumeric() || !byte.is_ascii() => None,
        _ => Some(move_length + at),
    }
}

/// The length in bytes of the word at the front, in which characters outside ASCII may stand.
#[cold]
pub(crate) fn foreign_length(ahead: &[u8]) -> usize {
    let mut at = 0;
    while let Some((c, length)) = first_char(&ahead[at..]) {
        let ends = if c.is_ascii() {
            at > 0 && ENDS_MOVE[usize::from(c as u8)]
        } else {
            match meaning(c) {
                Meaning::Blank | Meaning::Dots | Meaning::Half | Meaning::Glyph(_) => at > 0,
                // A space without width ends a word, but not in the middle of a move.
                Meaning::Invisible if c == '\u{200b}' => ahead[..at]
                    .last()
                    .is_some_and(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'#')),
                _ => false,
            }
        };
        if ends || at + length > LONGEST_MOVE {
            break;
        }
        at += length;
    }
    if ahead.get(at) == Some(&b'(') {
        let promotion = promotion_length(ahead, at);
        if at + promotion <= LONGEST_MOVE {
            at += promotion;
        }
    }
    at
}

/// Words after a move that say only what the board shows: en passant, check, mate, in the languages of chess books.
/// They are written here without dots, in lower case.
const MARKS: &[&str] = &[
    "ep",
    "ch",
    "chk",
    "check",
    "mate",
    "checkmate",
    "stalemate",
    "dis",
    "disc",
    "disch",
    "discch",
    "discovered",
    "dbl",
    "dblch",
    "dbch",
    "double",
    // German, French, Spanish, Italian, Dutch.
    "sch",
    "schach",
    "matt",
    "patt",
    "mat",
    "pat",
    "echec",
    "jaque",
    "scacco",
    "matto",
    "schaak",
];

/// The length of the word at the front, which ends at `length`, if it is one of the [`MARKS`]. Blanks may follow
/// the dot in `e. p.`
pub(crate) fn mark_length(ahead: &[u8], length: usize) -> Option<usize> {
    let text = &ahead[..length];
    // Every move has a digit or an O.
    if text
        .iter()
        .any(|byte| byte.is_ascii_digit() || !byte.is_ascii())
    {
        return None;
    }
    if text.eq_ignore_ascii_case(b"e.") {
        let rest = ahead[length..].trim_ascii_start();
        let ends = rest.get(2).is_none_or(|&byte| ENDS_MOVE[usize::from(byte)]);
        let found =
            rest.len() < ahead.len() - length && rest.get(..2)?.eq_ignore_ascii_case(b"p.") && ends;
        return found.then(|| ahead.len() - rest.len() + 2);
    }
    let bare = text.iter().rposition(|byte| !matches!(byte, b'+' | b'#'))?;
    let letters = || text[..=bare].iter().filter(|&&byte| byte != b'.');
    let is_mark = |mark: &&&str| letters().map(u8::to_ascii_lowercase).eq(mark.bytes());
    MARKS.iter().find(is_mark).map(|_| length)
}

/// The length of brackets that hold only [`MARKS`] and signs of check, as in `(dis ch)`.
#[cold]
pub(crate) fn marks_in_brackets(ahead: &[u8]) -> Option<usize> {
    let ahead = near(ahead);
    let end = memchr::memchr(b')', ahead)?;
    let mut rest = ahead[1..end].trim_ascii();
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let length = match rest {
            [b'+' | b'#', ..] => 1,
            _ => mark_length(rest, move_length(rest))?,
        };
        rest = rest[length..].trim_ascii_start();
    }
    Some(end + 1)
}

/// Where an evaluation glyph directly after a move begins, as in `Bb5+-`.
#[cold]
pub(crate) fn glued_glyph(text: &[u8]) -> Option<usize> {
    if !text.is_ascii() {
        let plain = Plain::of(text)?;
        let is_sign = matches!(plain.bytes().last(), Some(b'-' | b'=' | b'+' | b'/'));
        let start = is_sign.then(|| glued_glyph(plain.bytes())).flatten()?;
        return Some(plain.start(start));
    }
    // The sign for infinity follows.
    if text.ends_with(b"=/") {
        return Some(text.len() - 2);
    }
    let starts = text.len().saturating_sub(3).max(1)..text.len();
    starts
        .into_iter()
        .find(|&start| Nag::from_bytes(&text[start..]).is_some())
}

/// The length of the move number at the front, if it is ordinary: one or two digits, a dot, and no digit after the dot.
#[inline]
pub(crate) fn plain_number(ahead: &[u8]) -> Option<usize> {
    let length = match ahead {
        [b'0'..=b'9', b'.', _, ..] => 2,
        [b'0'..=b'9', b'0'..=b'9', b'.', _, ..] => 3,
        _ => return None,
    };
    (!ahead[length].is_ascii_digit()).then_some(length)
}

/// A token that begins with a digit.
pub(crate) enum Number {
    /// A move number with its dots; its length in bytes.
    OfMove(usize),
    /// Castling with zeros, a null move, or zeros that are neither; its length in bytes.
    Move(usize),
    /// The result of the game, and its length in bytes.
    Result(Outcome, usize),
    /// Points that are no outcome and look like no castling, such as `1/2-0`, and their length in bytes.
    Points(Points, usize),
}

/// The points of the two players, if they are no outcome, in ASCII.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Points(&'static str);

impl Points {
    /// No points for both players. After the moves they look like castling.
    pub(crate) const NONE: Self = Self("0-0");
}

/// The token that begins with the digit at the front, which may be a digit outside ASCII.
#[inline]
pub(crate) fn number(ahead: &[u8]) -> Number {
    let digits = digits_of(ahead);
    match ahead.get(digits) {
        Some(b'.') => {
            let dots = ahead[digits..]
                .iter()
                .take_while(|&&byte| byte == b'.')
                .count();
            if dots == 1 && ahead.get(digits + 1).is_some_and(u8::is_ascii_digit) {
                return number_after_dot(ahead, digits + 1);
            }
            return Number::OfMove(digits + dots);
        }
        Some(b'-' | b'/') => {
            for (text, outcome) in [
                ("1-0", Outcome::WhiteWins),
                ("0-1", Outcome::BlackWins),
                ("1/2-1/2", Outcome::Draw),
            ] {
                // A comment, a mark or another game may follow a result, but not the rest of `0-1/2`.
                if ahead.starts_with(text.as_bytes()) && !ahead[text.len()..].starts_with(b"/2") {
                    return Number::Result(outcome, text.len());
                }
            }
            if ahead.starts_with(b"0-0") {
                return Number::Move(move_length(ahead));
            }
            return unusual_number(ahead, digits);
        }
        Some(0x80.. | b':') => return unusual_number(ahead, digits),
        Some(b' ' | b'\t' | b'\n' | b'\r')
            if matches!(ahead.get(digits + 1), Some(b'-' | b':' | b'/' | 0x80..)) =>
        {
            return unusual_number(ahead, digits);
        }
        None if digits == 0 => return Number::OfMove(0),
        _ => {}
    }
    number_of_move(ahead, digits)
}

/// A result or castling with other dashes, letters in place of zeros, `½`, or blanks around the dash; else the digits
/// at the front.
#[cold]
fn unusual_number(ahead: &[u8], digits: usize) -> Number {
    let outline = Outline::of(ahead);
    if let Some(length) = outline.castling(ahead) {
        return Number::Move(length);
    }
    if let Some((points, length)) = outline.points(ahead) {
        return Number::Points(points, length);
    }
    if let Some((outcome, length)) = outline.result(ahead) {
        return Number::Result(outcome, length);
    }
    if outline.is_uneven() {
        return Number::Move(foreign_length(ahead));
    }
    if digits > 0 {
        return number_of_move(ahead, digits);
    }
    // Digits outside ASCII.
    let mut length = 0;
    while let Some((c, width)) = first_char(&ahead[length..]) {
        if !matches!(meaning(c), Meaning::Same(b'0'..=b'9')) {
            break;
        }
        length += width;
    }
    if length > 0 {
        Number::OfMove(length)
    } else {
        Number::Move(foreign_length(ahead))
    }
}

/// A number without a dot. Zeros are read as a move, because there is no move number 0: as castling, or as an error.
/// Four digits are read as a move too: in the notation of correspondence chess (`5254`), or as an error.
fn number_of_move(ahead: &[u8], digits: usize) -> Number {
    if digits > 3 || (digits > 0 && ahead[..digits].iter().all(|&digit| digit == b'0')) {
        Number::Move(move_length(ahead).max(digits))
    } else {
        Number::OfMove(digits)
    }
}

/// A number and its dot (byte `dot - 1`), with a digit after the dot. If castling with zeros, a move in digits or a
/// result follows, the number is a move number. Otherwise the whole is read as a move, which is an error, such as
/// `0.25`.
#[cold]
fn number_after_dot(ahead: &[u8], dot: usize) -> Number {
    let rest = &ahead[dot..];
    let (outline, digits) = (Outline::of(rest), digits_of(rest));
    let is_number = outline.castling(rest).is_some()
        || outline.result(rest).is_some()
        || outline.points(rest).is_some()
        || matches!(number_of_move(rest, digits), Number::Move(_));
    if is_number {
        Number::OfMove(dot)
    } else {
        Number::Move(foreign_length(ahead).max(dot))
    }
}

/// The value of the digits at the front. At most four are read, because a move number has at most three.
pub(crate) fn value_of_digits(ahead: &[u8]) -> u32 {
    let digits = ahead
        .iter()
        .take(4)
        .take_while(|byte| byte.is_ascii_digit());
    digits.fold(0, |value, byte| 10 * value + u32::from(byte - b'0'))
}

/// How many digits are at the front.
fn digits_of(ahead: &[u8]) -> usize {
    ahead
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count()
}

/// The characters at the front in ASCII, without blanks and invisible characters, up to the length of a result or of
/// castling.
pub(crate) struct Outline {
    /// The characters, with zeros in place of the letter O, and dashes in place of colons.
    bytes: [u8; 8],
    /// Where each of them ends.
    ends: [usize; 8],
    /// Whether blanks stand before it.
    spaced: [bool; 8],
    count: usize,
}

impl Outline {
    pub(crate) fn of(ahead: &[u8]) -> Self {
        let mut outline = Self {
            bytes: [0; 8],
            ends: [0; 8],
            spaced: [false; 8],
            count: 0,
        };
        let (mut at, mut spaced) = (0, false);
        while let Some((c, length)) = first_char(&ahead[at..]) {
            if outline.count >= outline.bytes.len() {
                break;
            }
            at += length;
            let text: &[u8] = match meaning(c) {
                Meaning::Blank => b"",
                _ if c.is_ascii_whitespace() => b"",
                Meaning::Invisible => continue,
                _ if c.is_ascii() => &[c as u8],
                Meaning::Half => b"1/2",
                Meaning::Same(byte) => &[byte],
                // A circle looks like a zero.
                _ if c == '○' => b"0",
                _ => break,
            };
            for &byte in text {
                outline.push(byte, at, spaced);
            }
            spaced = text.is_empty();
        }
        outline
    }

    fn push(&mut self, byte: u8, end: usize, spaced: bool) {
        if self.count < self.bytes.len() {
            let byte = match byte {
                b'O' | b'o' => b'0',
                b':' => b'-',
                byte => byte,
            };
            // TeX writes one dash as several.
            if byte == b'-' && !spaced && self.text().ends_with(b"-") {
                self.ends[self.count - 1] = end;
                return;
            }
            (self.bytes[self.count], self.ends[self.count]) = (byte, end);
            self.spaced[self.count] = spaced;
            self.count += 1;
        }
    }

    fn text(&self) -> &[u8] {
        &self.bytes[..self.count]
    }

    /// The length of castling, with or without blanks around its dashes.
    pub(crate) fn castling(&self, ahead: &[u8]) -> Option<usize> {
        if !self.text().starts_with(b"0-0") {
            return None;
        }
        let is_long = self.text().starts_with(b"0-0-0") && self.spaced[3] == self.spaced[1];
        let last = if is_long { 4 } else { 2 };
        let start = self.ends[last - 1];
        let blanks = blanks(&ahead[start..]);
        // The length includes text that is glued to the last letter.
        Some(start + blanks + foreign_length(&ahead[start + blanks..]))
    }

    /// Whether one player has a whole point or none, and the other half a point.
    fn is_uneven(&self) -> bool {
        [&b"0-1/2"[..], b"1-1/2"]
            .iter()
            .any(|points| self.text().starts_with(points))
    }

    /// Points that are no outcome and their length: none for both players, or half a point for one of them and a whole
    /// point or none for the other. `0-0` may be castling as well.
    pub(crate) fn points(&self, ahead: &[u8]) -> Option<(Points, usize)> {
        let text = self.text();
        if text.starts_with(b"0-0-0") || text.starts_with(b"1/2-1/2") {
            return None;
        }
        let points = ["0-0", "0-1/2", "1-1/2", "1/2-0", "1/2-1"]
            .into_iter()
            .find(|points| text.starts_with(points.as_bytes()))?;
        let end = self.ends[points.len() - 1];
        let goes_on = |(c, _): (char, usize)| {
            c.is_ascii_alphanumeric()
                || "-/.+#".contains(c)
                || matches!(meaning(c), Meaning::Same(_) | Meaning::Half)
        };
        (!first_char(&ahead[end..]).is_some_and(goes_on)).then_some((Points(points), end))
    }

    /// The result and its length.
    pub(crate) fn result(&self, ahead: &[u8]) -> Option<(Outcome, usize)> {
        let results = [
            ("1-0", Outcome::WhiteWins),
            ("0-1", Outcome::BlackWins),
            ("1/2-1/2", Outcome::Draw),
            // Half a point for each player.
            ("1/2/1/2", Outcome::Draw),
            ("1/2+1/2", Outcome::Draw),
            ("1/21/2", Outcome::Draw),
            ("1/2", Outcome::Draw),
        ];
        // Half a point for one player is no result.
        if self.is_uneven() {
            return None;
        }
        results.into_iter().find_map(|(result, outcome)| {
            let end = self.ends[result.len() - 1];
            let goes_on = |(c, _): (char, usize)| {
                c.is_ascii_alphanumeric() || c == '-' || meaning(c) == Meaning::Same(b'-')
            };
            let ends = !first_char(&ahead[end..]).is_some_and(goes_on);
            (self.text().starts_with(result.as_bytes()) && ends).then_some((outcome, end))
        })
    }
}

/// The bytes as far as a reader looks ahead, so that a long run of signs is not searched again for each sign.
pub(crate) fn near(ahead: &[u8]) -> &[u8] {
    &ahead[..ahead.len().min(LOOKAHEAD)]
}

/// The length of the blanks at the front, Unicode blanks included.
pub(crate) fn blanks(ahead: &[u8]) -> usize {
    let mut at = 0;
    let is_blank = |c: char| {
        c.is_ascii_whitespace()
            || (!c.is_ascii() && matches!(meaning(c), Meaning::Blank | Meaning::Invisible))
    };
    while let Some((c, length)) = first_char(&ahead[at..]) {
        if !is_blank(c) {
            break;
        }
        at += length;
    }
    at
}

/// Reads a glyph such as `$6`: the glyph, or `None` if its number is missing or too large, and the length in bytes.
pub(crate) fn numeric_glyph(ahead: &[u8]) -> (Option<Nag>, usize) {
    let digits = ahead[1..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let value = std::str::from_utf8(&ahead[1..=digits])
        .ok()
        .and_then(|text| text.parse().ok());
    (value.map(Nag), 1 + digits)
}
