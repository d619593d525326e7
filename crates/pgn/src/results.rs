//! Recognizes results at the front of the moves: in figures, in brackets or quotes, and in words.

use skewer_movegen::Outcome;

use crate::characters::{Meaning, first_char, meaning};
use crate::params::LOOKAHEAD;
use crate::tokens::{Outline, Points, blanks, near};

/// A result, or the star of a game without one, at the front, and its length.
pub(crate) fn result(ahead: &[u8]) -> Option<(Option<Outcome>, usize)> {
    let (c, length) = first_char(ahead)?;
    match meaning(c) {
        _ if c == '*' => Some((None, length)),
        Meaning::Same(b'*') => Some((None, length)),
        Meaning::Half | Meaning::Same(b'0'..=b'9' | b'O') => number_result(ahead),
        _ if c.is_ascii_digit() || matches!(c, 'O' | 'o') => number_result(ahead),
        _ => None,
    }
}

fn number_result(ahead: &[u8]) -> Option<(Option<Outcome>, usize)> {
    let outline = Outline::of(ahead);
    // The beginning of `1/2 - 0` is no draw.
    if outline.points(ahead).is_some() {
        return None;
    }
    let (outcome, length) = outline.result(ahead)?;
    Some((Some(outcome), length))
}

/// Reads a result, such as the value of a tag `Result`, with any dashes, and with or without quotes or brackets. A
/// remark of words may follow, after a blank, a comma or in brackets: `1-0 (time)`.
///
/// ```
/// use skewer_pgn::{Outcome, outcome_of};
///
/// assert_eq!(outcome_of("½–½"), Some(Outcome::Draw));
/// assert_eq!(outcome_of("1-0 (time)"), Some(Outcome::WhiteWins));
/// assert_eq!(outcome_of("*"), None);
/// ```
pub fn outcome_of(text: &str) -> Option<Outcome> {
    outcome_and_remark(text).map(|(outcome, _)| outcome)
}

/// The outcome in the value of a tag `Result`, and the remark after it, which may be empty.
pub(crate) fn outcome_and_remark(text: &str) -> Option<(Outcome, &[u8])> {
    let text = text.as_bytes();
    let text = &text[blanks(text)..];
    let wrapped = wrapped_result(text);
    let (outcome, length) = wrapped.or_else(|| result(text))?;
    let rest = &text[length..];
    let remark = &rest[blanks(rest)..];
    let begins = wrapped.is_some()
        || remark.len() < rest.len()
        || matches!(remark.first(), Some(b'(' | b'[' | b'{' | b','));
    // Digits and stars may be another result.
    let is_other = |c: char| {
        matches!(c, '0'..='9' | '*')
            || matches!(
                meaning(c),
                Meaning::Half | Meaning::Same(b'0'..=b'9' | b'*')
            )
    };
    let mut at = 0;
    let mut has_letter = false;
    while let Some((c, length)) = first_char(&remark[at..]) {
        if is_other(c) {
            return None;
        }
        has_letter |= c.is_alphabetic();
        at += length;
    }
    let is_remark = begins && has_letter;
    let remark = (remark.is_empty() || is_remark).then_some(remark)?;
    Some((outcome?, remark))
}

/// The points that are the value of a tag `Result` and no outcome, such as `0-0`.
pub(crate) fn points_of(value: &[u8]) -> Option<Points> {
    let value = &value[blanks(value)..];
    let (points, length) = Outline::of(value).points(value)?;
    (length + blanks(&value[length..]) == value.len()).then_some(points)
}

/// A result in brackets or quotes at the front, and the length of both.
#[cold]
pub(crate) fn wrapped_result(ahead: &[u8]) -> Option<(Option<Outcome>, usize)> {
    let ahead = near(ahead);
    let opens = |c| "([<\"'`|“”„«»‘’‚‹›".contains(c);
    let closes = |c| ")]>\"'`|“”„«»‘’‚‹›".contains(c);
    let start = length_of(ahead, opens);
    let (outcome, length) = result(&ahead[start..]).filter(|_| start > 0)?;
    let rest = &ahead[start + length..];
    let end = length_of(rest, closes);
    rest[..end]
        .iter()
        .any(|byte| !byte.is_ascii_whitespace())
        .then_some((outcome, start + length + end))
}

/// The length of the characters of a kind, and of blanks in their line, at the front.
fn length_of(ahead: &[u8], is_kind: impl Fn(char) -> bool) -> usize {
    let mut at = 0;
    let is_blank =
        |c: char| matches!(c, ' ' | '\t') || (!c.is_ascii() && meaning(c) == Meaning::Blank);
    while let Some((c, length)) = first_char(&ahead[at..]) {
        if !is_kind(c) && !is_blank(c) {
            break;
        }
        at += length;
    }
    at
}

/// Whether the moves of a game end here: at the end of the file, before tags, a comment, or a game that follows an empty
/// line or begins at `1.`
pub(crate) fn ends_moves(ahead: &[u8]) -> bool {
    let ahead = near(ahead);
    let mut line_ends = 0;
    let mut at = 0;
    while let Some(&byte) = ahead.get(at) {
        if !byte.is_ascii_whitespace() && !matches!(byte, b'.' | b',') {
            break;
        }
        line_ends += usize::from(byte == b'\n');
        at += 1;
    }
    match &ahead[at..] {
        [] if at < LOOKAHEAD => true,
        [b'[' | b'{' | b';' | b'%', ..] => true,
        [b'1', b'.', rest @ ..] => !rest.trim_ascii_start().starts_with(b"."),
        _ => line_ends > 1,
    }
}

/// What people write in place of a result, in lower case: who wins, and who has given up.
const WORDS: &[(&str, Outcome)] = &[
    ("white wins", Outcome::WhiteWins),
    ("white won", Outcome::WhiteWins),
    ("black resigns", Outcome::WhiteWins),
    ("black resigned", Outcome::WhiteWins),
    ("black lost", Outcome::WhiteWins),
    ("black wins", Outcome::BlackWins),
    ("black won", Outcome::BlackWins),
    ("white resigns", Outcome::BlackWins),
    ("white resigned", Outcome::BlackWins),
    ("white lost", Outcome::BlackWins),
    ("draw", Outcome::Draw),
    ("drawn", Outcome::Draw),
    ("game drawn", Outcome::Draw),
    // German and Russian, French, Spanish, Italian.
    ("remis", Outcome::Draw),
    ("nulle", Outcome::Draw),
    ("tablas", Outcome::Draw),
    ("patta", Outcome::Draw),
];

/// A result in words at the front, if the game ends after it. The length is the length of the line, or of the part before a
/// result in figures.
#[cold]
pub(crate) fn result_in_words(ahead: &[u8]) -> Option<(Outcome, usize)> {
    let ahead = near(ahead);
    let line = memchr::memchr(b'\n', ahead).unwrap_or(ahead.len());
    let text = &ahead[..line];
    let &(_, outcome) = WORDS.iter().find(|(words, _)| {
        let start = text.get(..words.len());
        let ends = |byte: &u8| !byte.is_ascii_alphanumeric();
        start.is_some_and(|start| start.eq_ignore_ascii_case(words.as_bytes()))
            && text.get(words.len()).is_none_or(ends)
    })?;
    // Words with a number after them in the line are a remark among the moves.
    let is_other = |byte: &u8| {
        !byte.is_ascii()
            || byte.is_ascii_digit()
            || matches!(byte, b'(' | b'{' | b'[' | b';' | b'*')
    };
    let length = text.iter().position(is_other).unwrap_or(line);
    let end = match result(&ahead[length..]) {
        Some((_, figures)) => length + figures,
        None => length,
    };
    (length > 0 && ends_moves(&ahead[end..])).then_some((outcome, length))
}
