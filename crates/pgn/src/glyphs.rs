//! Glyphs among the moves, and the signs that look like glyphs: marks of check, null moves and dashes.

use std::io::Read;
use std::ops::ControlFlow;

use crate::characters::{Meaning, first_char, meaning};
use crate::movetext::{Walk, as_walk};
use crate::place::{KINDS, Kind, Last, Place};
use crate::reader::Reader;
use crate::tokens::foreign_length;
use crate::{Nag, PgnError, Visitor};

impl<R: Read> Reader<R> {
    /// Reads a letter that is a glyph, such as `N` for a novelty, or the letter of a piece that a blank separates from
    /// its square. After a move number the letter is read as a move.
    #[cold]
    pub(crate) fn letter_glyph<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
        nag: Nag,
    ) -> Walk<V::Output> {
        let (_, rest) = self.buffer.ahead().split_at(1);
        let blanks = rest.len() - rest.trim_ascii_start().len();
        let is_before_square = match &rest[blanks..] {
            [b'a'..=b'h', b'1'..=b'8', rest @ ..] => {
                !rest.first().is_some_and(u8::is_ascii_alphanumeric)
            }
            _ => false,
        };
        if place.last == Last::Number || (is_before_square && place.last == Last::Start) {
            return self.word(visitor, place, 1);
        }
        if is_before_square {
            let location = self.buffer.location();
            as_walk(visitor.problem(PgnError::PieceApart, location))?;
        }
        self.nag(visitor, place, nag, 1)
    }

    /// Reports a glyph of `length` bytes. It belongs to the next move if the line has no move yet or a move number
    /// comes before the glyph, else to the last move.
    pub(crate) fn nag<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
        nag: Nag,
        length: usize,
    ) -> Walk<V::Output> {
        let is_early = matches!(place.last, Last::Start | Last::Number);
        if is_early && !place.moved && place.early_glyph.is_none() {
            place.early_glyph = Some((nag, self.buffer.location()));
        }
        self.buffer.skip(length);
        as_walk(if is_early {
            visitor.nag_ahead(nag)
        } else {
            visitor.nag(nag)
        })
    }

    /// Reads a null move, or a glyph such as `!?` and `+-`.
    pub(crate) fn mark<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
    ) -> Walk<V::Output> {
        let ahead = self.buffer.ahead();
        let marks = ahead.iter().take(4);
        let length = marks
            .take_while(|&&byte| KINDS[usize::from(byte)] == Kind::Mark || byte == b'/')
            .count();
        if ahead.get(length).is_some_and(|byte| !byte.is_ascii()) {
            return self.foreign_mark(visitor, place);
        }
        let text = &ahead[..length];
        if text.starts_with(b"--") && text != b"--+" {
            // A row of three dashes or more separates parts of a text, and is not a null move.
            let rule = text.starts_with(b"---");
            let length = if rule { foreign_length(ahead) } else { 2 };
            return self.word(visitor, place, length);
        }
        let nags = (1..=length).rev();
        let mut nags = nags.filter_map(|length| Some((length, Nag::from_bytes(&text[..length])?)));
        match nags.next() {
            Some((length, nag)) => self.nag(visitor, place, nag, length),
            None => self.lone_mark(visitor, place),
        }
    }

    /// Reads a sign that is not a glyph: a mark of check after a blank, or a sign that means nothing.
    #[cold]
    fn lone_mark<V: Visitor>(&mut self, visitor: &mut V, place: &mut Place) -> Walk<V::Output> {
        if self.buffer.ahead().first() == Some(&b'+') {
            return self.check_mark(visitor, place, 1);
        }
        self.unknown(visitor, place)
    }

    /// Reads a mark of check or mate of `length` bytes. It is a problem unless it follows a move.
    pub(crate) fn check_mark<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
        length: usize,
    ) -> Walk<V::Output> {
        let ahead = self.buffer.ahead();
        let sign = first_char(ahead).map_or('+', |(c, _)| c);
        if place.last != Last::Move {
            return self.stray(visitor, PgnError::StrayCharacter(sign), length);
        }
        as_walk(visitor.mark(&ahead[..length]))?;
        self.buffer.skip(length);
        ControlFlow::Continue(())
    }

    /// Reads a null move or a glyph with a dash or another sign outside ASCII.
    #[cold]
    pub(crate) fn foreign_mark<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
    ) -> Walk<V::Output> {
        let ahead = self.buffer.ahead();
        // The signs in ASCII, with an 8 for infinity, and where each of them ends.
        let (mut signs, mut ends, mut count, mut at) = ([0; 4], [0; 4], 0, 0);
        while let Some((c, length)) = first_char(&ahead[at..]) {
            if count == signs.len() {
                break;
            }
            let sign = match meaning(c) {
                _ if c == '∞' && count > 0 => b'8',
                _ if c.is_ascii() => c as u8,
                Meaning::Same(sign) => sign,
                _ => 0,
            };
            if !matches!(sign, b'!' | b'?' | b'+' | b'-' | b'=' | b'~' | b'/' | b'8') {
                break;
            }
            at += length;
            (signs[count], ends[count]) = (sign, at);
            count += 1;
        }
        let text = &signs[..count];
        if text.starts_with(b"--") && text != b"--+" {
            let rule = text.starts_with(b"---");
            let length = if rule { foreign_length(ahead) } else { ends[1] };
            return self.word(visitor, place, length);
        }
        let nags = (1..=count).rev();
        let mut nags =
            nags.filter_map(|count| Some((ends[count - 1], Nag::from_bytes(&text[..count])?)));
        match nags.next() {
            Some((length, nag)) => self.nag(visitor, place, nag, length),
            None if count == 1 && text == b"-" => {
                // A single dash is read like a single dash in ASCII.
                let dash = first_char(ahead).map_or('-', |(c, _)| c);
                match foreign_length(ahead) {
                    length if length == ends[0] => {
                        self.stray(visitor, PgnError::StrayCharacter(dash), length)
                    }
                    length => self.word(visitor, place, length),
                }
            }
            None => self.lone_mark(visitor, place),
        }
    }
}
