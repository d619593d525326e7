//! Reads the moves of a game and reports them to the visitor.

use std::io::{self, Read};
use std::ops::ControlFlow;

use memchr::memchr2;
use skewer_movegen::Outcome;

use crate::characters::{Meaning, first_char, foreign_blank, meaning, trim_start};
use crate::ending::{Ending, foreign_result};
use crate::params::{DEEPEST_NESTING, LOOKAHEAD};
use crate::place::{KINDS, Kind, Last, Place};
use crate::reader::Reader;
use crate::results::{ends_moves, result, result_in_words, wrapped_result};
use crate::tag::{FIRST_TAG, looks_like_tag};
use crate::tokens::{
    Number, Outline, Points, apart_promotion, foreign_length, glued_glyph, goes_on, mark_length,
    marks_in_brackets, move_length, number, numeric_glyph, plain_number, value_of_digits,
};
use crate::visitor::Silent;
use crate::{Comment, MoveNumber, Nag, PgnError, San, Variation, Visitor};

/// Why reading ends: the visitor broke off with its output, or (`None`) the game has ended.
pub(crate) type Walk<T> = ControlFlow<Option<T>>;

/// Whether reading goes on after a visitor's answer.
pub(crate) fn as_walk<T>(flow: ControlFlow<T>) -> Walk<T> {
    flow.map_break(Some)
}

impl<R: Read> Reader<R> {
    /// Reads moves and annotations up to the end of the game or, in a skipped variation, up to its end.
    pub(crate) fn moves<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
    ) -> io::Result<ControlFlow<V::Output>> {
        loop {
            self.buffer.want(LOOKAHEAD)?;
            let Some(&first) = self.buffer.ahead().first() else {
                return Ok(match self.end_of_game(visitor, place) {
                    ControlFlow::Break(Some(output)) => ControlFlow::Break(output),
                    _ => ControlFlow::Continue(()),
                });
            };
            let walk = match KINDS[usize::from(first)] {
                Kind::Blank => {
                    self.blanks(place);
                    continue;
                }
                Kind::Letter => match self.letter(visitor, place) {
                    ControlFlow::Continue(None) => ControlFlow::Continue(()),
                    ControlFlow::Continue(Some(outcome)) => {
                        self.result(visitor, place, Some(outcome))?
                    }
                    ControlFlow::Break(end) => ControlFlow::Break(end),
                },
                Kind::Digit if place.points == Some(Points::NONE) && self.pass_zeros(place)? => {
                    self.result(visitor, place, None)?
                }
                Kind::Digit => {
                    let found = self.digit(visitor, place);
                    self.end_if(found, visitor, place)?
                }
                Kind::Mark => self.mark(visitor, place),
                Kind::Foreign => match foreign_blank(self.buffer.ahead()) {
                    0 => {
                        let found = self.foreign(visitor, place);
                        self.end_if(found, visitor, place)?
                    }
                    length => {
                        self.buffer.skip(length);
                        continue;
                    }
                },
                Kind::Other => match first {
                    b'{' | b';' => {
                        let answer = self.visit_comment(visitor, place)?;
                        place.fresh_line = self.buffer.before() == b'\n';
                        match answer {
                            ControlFlow::Continue(()) if place.ended => {
                                self.end_of_game(visitor, place)
                            }
                            ControlFlow::Continue(()) => continue,
                            flow @ ControlFlow::Break(_) => return Ok(flow),
                        }
                    }
                    b'%' if place.fresh_line => {
                        self.buffer.skip_line()?;
                        continue;
                    }
                    b'(' if place.depth > 0 => self.open(visitor, place)?,
                    b'(' | b'[' | b'<' | b'"' | b'\'' | b'`' | b'|' if place.depth == 0 => {
                        match wrapped_result(self.buffer.ahead()) {
                            None if first == b'(' => self.open(visitor, place)?,
                            None => self.sign(first, visitor, place),
                            Some((outcome, length)) => {
                                if ends_moves(&self.buffer.ahead()[length..]) {
                                    self.buffer.skip(length);
                                    self.result(visitor, place, outcome)?
                                } else {
                                    self.stray(visitor, PgnError::StrayResult, length)
                                }
                            }
                        }
                    }
                    b'*' if self.buffer.ahead().get(1) == Some(&b'*') => self.stars(visitor),
                    b'*' => {
                        self.buffer.skip(1);
                        if place.depth == 0 {
                            self.result(visitor, place, None)?
                        } else {
                            ControlFlow::Continue(())
                        }
                    }
                    _ => self.sign(first, visitor, place),
                },
            };
            match walk {
                ControlFlow::Continue(()) => {}
                ControlFlow::Break(None) if place.refused => {
                    if let flow @ ControlFlow::Break(_) = self.cut(visitor, place)? {
                        return Ok(flow);
                    }
                    if place.ended {
                        return Ok(ControlFlow::Continue(()));
                    }
                }
                ControlFlow::Break(None) => return Ok(ControlFlow::Continue(())),
                ControlFlow::Break(Some(output)) => return Ok(ControlFlow::Break(output)),
            }
            place.fresh_line = false;
            place.gap = false;
        }
    }

    /// Ends the game if its end was found.
    #[inline(always)]
    fn end_if<V: Visitor>(
        &mut self,
        found: ControlFlow<Option<V::Output>, Option<Ending>>,
        visitor: &mut V,
        place: &mut Place,
    ) -> io::Result<Walk<V::Output>> {
        match found {
            ControlFlow::Continue(None) => Ok(ControlFlow::Continue(())),
            ControlFlow::Continue(Some(Ending(outcome))) => self.result(visitor, place, outcome),
            ControlFlow::Break(end) => Ok(ControlFlow::Break(end)),
        }
    }

    /// Reports a comment, and what is wrong with it.
    #[inline(always)]
    pub(crate) fn visit_comment<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
    ) -> io::Result<ControlFlow<V::Output>> {
        // Nearly all comments are in braces, whole, and in the buffer.
        if let [b'{', text @ ..] = self.buffer.ahead() {
            let end = memchr2(b'}', b'{', text).filter(|&end| text[end] == b'}');
            if let Some(end) = end {
                let flow = visitor.comment(Comment::new(&text[..end]));
                self.buffer.skip(end + 2);
                return Ok(flow);
            }
        }
        self.visit_rare_comment(visitor, place)
    }

    /// As [`visit_comment`](Self::visit_comment), for any comment.
    #[inline(never)]
    fn visit_rare_comment<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
    ) -> io::Result<ControlFlow<V::Output>> {
        let flow = self.comment(|comment| visitor.comment(comment))?;
        let trouble = self.trouble.take();
        // Another game follows the comment, or nothing.
        place.ended |= matches!(trouble, Some((PgnError::UnclosedComment, _)));
        Ok(match (flow, trouble) {
            (ControlFlow::Continue(()), Some((problem, location))) => {
                visitor.problem(problem, location)
            }
            (flow, _) => flow,
        })
    }

    /// Skips the rest of a variation after the visitor has refused its next move.
    #[cold]
    fn cut<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
    ) -> io::Result<ControlFlow<V::Output>> {
        place.refused = false;
        let location = self.buffer.location();
        if let flow @ ControlFlow::Break(_) = visitor.problem(PgnError::CutVariation, location) {
            return Ok(flow);
        }
        place.floor = place.depth;
        let _ = self.moves(&mut Silent, place)?;
        place.floor = 0;
        if place.ended {
            return Ok(visitor.problem(PgnError::UnclosedVariation, location));
        }
        Ok(visitor.end_variation())
    }

    /// Reports a move of `length` bytes, and skips it unless the visitor refuses it.
    #[inline(always)]
    pub(crate) fn word<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
        length: usize,
    ) -> Walk<V::Output> {
        let ahead = self.buffer.ahead();
        place.moved = true;
        place.last = Last::Move;
        if let ControlFlow::Break(output) = visitor.san(San::new(&ahead[..length])) {
            place.at_end = length == ahead.len();
            return ControlFlow::Break(Some(output));
        }
        if place.depth > 0 && visitor.refuses() {
            place.refused = true;
            return ControlFlow::Break(None);
        }
        place.pass_move();
        self.buffer.skip(length);
        ControlFlow::Continue(())
    }

    /// Reports the number of a move, `length` bytes with its dots, and skips it.
    #[inline(always)]
    fn move_number<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
        length: usize,
    ) -> Walk<V::Output> {
        let ahead = self.buffer.ahead();
        place.pass_number(ahead);
        as_walk(visitor.number(MoveNumber::new(ahead)))?;
        if visitor.doubts() {
            let location = self.buffer.location();
            as_walk(visitor.problem(PgnError::Contradiction, location))?;
        }
        self.buffer.skip(length);
        ControlFlow::Continue(())
    }

    /// Skips a sign that means nothing, and reports it.
    #[cold]
    pub(crate) fn stray<V: Visitor>(
        &mut self,
        visitor: &mut V,
        problem: PgnError,
        length: usize,
    ) -> Walk<V::Output> {
        let location = self.buffer.location();
        self.buffer.skip(length);
        as_walk(visitor.problem(problem, location))
    }

    #[inline]
    fn blanks(&mut self, place: &mut Place) {
        let ahead = self.buffer.ahead();
        // Nearly always there is one blank between two tokens.
        if let [b' ', next, ..] = ahead {
            if KINDS[usize::from(*next)] != Kind::Blank {
                self.buffer.skip(1);
                return;
            }
        }
        let mut length = 0;
        let mut line_ends = 0;
        while length < ahead.len() && KINDS[usize::from(ahead[length])] == Kind::Blank {
            line_ends += usize::from(ahead[length] == b'\n');
            length += 1;
        }
        place.gap |= line_ends > usize::from(!place.fresh_line);
        place.fresh_line |= line_ends > 0;
        self.buffer.skip(length);
    }

    /// Reads a word that begins with a letter: nearly always a move.
    #[inline]
    fn letter<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
    ) -> ControlFlow<Option<V::Output>, Option<Outcome>> {
        let ahead = self.buffer.ahead();
        let length = move_length(ahead);
        // The word ends with a square, so no glyph is glued to it. A promotion may follow.
        if let [first, .., last @ b'1'..=b'8'] = ahead[..length] {
            if last == b'1' && matches!(first, b'O' | b'o') {
                return self.letter_for_zero(visitor, place, length);
            }
            let promotion = if matches!(last, b'1' | b'8') && matches!(first, b'a'..=b'h' | b'P') {
                apart_promotion(ahead, length)
            } else {
                None
            };
            return self
                .word(visitor, place, promotion.unwrap_or(length))
                .map_continue(|()| None);
        }
        self.other_letter(visitor, place, length)
    }

    /// Reads a result with a letter in place of a zero (`O-1`), or a word that is not a move.
    #[cold]
    fn letter_for_zero<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
        length: usize,
    ) -> ControlFlow<Option<V::Output>, Option<Outcome>> {
        match result(self.buffer.ahead()) {
            Some((Some(outcome), length)) if place.depth == 0 => {
                self.buffer.skip(length);
                ControlFlow::Continue(Some(outcome))
            }
            _ => self.word(visitor, place, length).map_continue(|()| None),
        }
    }

    /// Reads a word of `length` bytes that does not end with a square.
    #[inline]
    fn other_letter<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
        length: usize,
    ) -> ControlFlow<Option<V::Output>, Option<Outcome>> {
        let ahead = self.buffer.ahead();
        let text = &ahead[..length];
        if matches!(text, b"O-O" | b"O-O+" | b"O-O-O" | b"O-O-O+") {
            return self.word(visitor, place, length).map_continue(|()| None);
        }
        if length == 1 {
            if let Some(nag) = Nag::from_bytes(text) {
                return self
                    .letter_glyph(visitor, place, nag)
                    .map_continue(|()| None);
            }
        }
        let may_be_mark = match text[length - 1] {
            b'+' | b'#' => length > 1 && !text[length - 2].is_ascii_digit(),
            byte => byte.is_ascii_alphabetic() || byte == b'.',
        };
        if let [.., b'1' | b'8', b'='] = text {
            if let Some(promotion) = apart_promotion(ahead, length - 1) {
                return self.word(visitor, place, promotion).map_continue(|()| None);
            }
        }
        if may_be_mark && place.last == Last::Move {
            if let Some(length) = mark_length(ahead, length) {
                as_walk(visitor.mark(&ahead[..length]))?;
                self.buffer.skip(length);
                return ControlFlow::Continue(None);
            }
        }
        if may_be_mark && place.depth == 0 {
            if let Some((outcome, length)) = result_in_words(ahead) {
                // The visitor gets the words as a comment, because they may say more than the result.
                as_walk(visitor.comment(Comment::new(&ahead[..length])))?;
                self.buffer.skip(length);
                return ControlFlow::Continue(Some(outcome));
            }
        }
        if matches!(
            text,
            b"O" | b"o" | b"O-" | b"o-" | b"O--O" | b"o--o" | b"O--O--O" | b"o--o--o"
        ) {
            let castling = Outline::of(ahead).castling(ahead);
            return self
                .word(visitor, place, castling.unwrap_or(length))
                .map_continue(|()| None);
        }
        let glued = match text[length - 1] {
            b'-' | b'=' | b'/' | 0x80.. => glued_glyph(text),
            b'+' if length > 1 && matches!(text[length - 2], b'-' | b'=' | b'/' | 0x80..) => {
                glued_glyph(text)
            }
            _ => None,
        };
        // The glyph is read next.
        self.word(visitor, place, glued.unwrap_or(length))
            .map_continue(|()| None)
    }

    /// Reads a move number, a result, or castling with zeros.
    #[inline(always)]
    fn digit<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
    ) -> ControlFlow<Option<V::Output>, Option<Ending>> {
        if place.gap && self.starts_another_game(place) {
            place.ended = true;
            return ControlFlow::Break(None);
        }
        if place.fresh_line && self.begins_again(place) {
            place.ended = true;
            // An empty line separates two games as well as a result does.
            if !place.gap {
                self.stray(visitor, PgnError::SecondGame, 0)?;
            }
            return ControlFlow::Break(None);
        }
        let ahead = self.buffer.ahead();
        if let Some(length) = plain_number(ahead) {
            return self
                .move_number(visitor, place, length)
                .map_continue(|()| None);
        }
        match number(ahead) {
            Number::OfMove(length) => {
                if !ahead[..length].ends_with(b".") && self.is_lone_number(place, length) {
                    let value = value_of_digits(ahead);
                    return self
                        .stray(visitor, PgnError::LoneNumber(value), length)
                        .map_continue(|()| None);
                }
                return self
                    .move_number(visitor, place, length)
                    .map_continue(|()| None);
            }
            Number::Move(length) => {
                return self.word(visitor, place, length).map_continue(|()| None);
            }
            Number::Result(outcome, length) => {
                if place.depth > 0 && self.buffer.before() == b'(' {
                    // The variation has no moves that could have a result.
                    return self
                        .stray(visitor, PgnError::StrayResult, length)
                        .map_continue(|()| None);
                }
                self.buffer.skip(length);
                if place.depth == 0 {
                    return ControlFlow::Continue(Some(Ending(Some(outcome))));
                }
            }
            Number::Points(points, length) => {
                return self.points(visitor, place, points, length);
            }
        }
        ControlFlow::Continue(None)
    }

    /// Reads points that are no outcome, such as `1/2-0`. At the end of the moves they are a result like a star, and
    /// elsewhere a word that is not a move.
    #[cold]
    fn points<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
        points: Points,
        length: usize,
    ) -> ControlFlow<Option<V::Output>, Option<Ending>> {
        let ahead = self.buffer.ahead();
        if place.depth > 0 || !ends_moves(&ahead[length..]) {
            return self.word(visitor, place, length).map_continue(|()| None);
        }
        // Without a tag that says the same, a comment keeps the points.
        if place.points != Some(points) {
            as_walk(visitor.comment(Comment::new(&ahead[..length])))?;
        }
        self.buffer.skip(length);
        ControlFlow::Continue(Some(Ending(None)))
    }

    /// Whether digits without a dot are not a move number: between the moves of White and Black if they are neither the
    /// last number nor the next one, and everywhere if no move follows.
    #[cold]
    fn is_lone_number(&self, place: &Place, length: usize) -> bool {
        let rest = trim_start(&self.buffer.ahead()[length..]);
        if rest.first() == Some(&b'.')
            || first_char(rest).is_some_and(|(c, _)| meaning(c) == Meaning::Dots)
        {
            return false;
        }
        let (last, value) = (place.number(), value_of_digits(self.buffer.ahead()));
        let goes_on = value == last || value == last + 1;
        (place.since_number == 1 && !goes_on)
            || match rest.first() {
                None | Some(b'*') => true,
                Some(b')') => place.depth > 0,
                Some(b'0'..=b'9') => !matches!(number(rest), Number::Move(_)),
                Some(_) => false,
            }
    }

    /// Reads text that begins with a sign without a meaning. If letters or digits follow, the whole word is read as a
    /// move, so that no part of a move is lost. Otherwise the sign is a problem.
    #[cold]
    pub(crate) fn unknown<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
    ) -> Walk<V::Output> {
        let ahead = self.buffer.ahead();
        let length = foreign_length(ahead);
        let Some((c, sign)) = first_char(ahead) else {
            return ControlFlow::Continue(());
        };
        let closes = matches!(c, '}' | ']' | '>');
        if c.is_ascii() && (closes || !ahead[..length].iter().any(u8::is_ascii_alphanumeric)) {
            return self.stray(visitor, PgnError::StrayCharacter(c), sign);
        }
        self.word(visitor, place, length)
    }

    /// Reads text that begins with a character outside ASCII that is not a blank: a move, a glyph or a result.
    #[cold]
    fn foreign<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
    ) -> ControlFlow<Option<V::Output>, Option<Ending>> {
        let ahead = self.buffer.ahead();
        let Some((c, length)) = first_char(ahead) else {
            return ControlFlow::Continue(None);
        };
        if place.depth == 0 {
            if let Some((outcome, length)) = foreign_result(ahead, c) {
                self.buffer.skip(length);
                return ControlFlow::Continue(Some(Ending(outcome)));
            }
        }
        let walk = match meaning(c) {
            Meaning::Dots | Meaning::Blank | Meaning::Invisible => {
                self.buffer.skip(length);
                ControlFlow::Continue(())
            }
            Meaning::Same(b'+' | b'#') => self.check_mark(visitor, place, length),
            Meaning::Glyph(nag) => {
                let castling = Outline::of(ahead).castling(ahead);
                if let Some(castling) = castling {
                    self.word(visitor, place, castling)
                } else if nag.is_before_moves() && goes_on(&ahead[length..]) {
                    // A move that the game does not play: `△d5`.
                    self.word(visitor, place, length + foreign_length(&ahead[length..]))
                } else {
                    self.nag(visitor, place, nag, length)
                }
            }
            Meaning::Same(b'O' | b'o') => {
                let castling = Outline::of(ahead).castling(ahead);
                let length = castling.unwrap_or_else(|| foreign_length(ahead));
                self.word(visitor, place, length)
            }
            Meaning::Same(b'-' | b'=') => self.foreign_mark(visitor, place),
            Meaning::Half | Meaning::Same(b'0'..=b'9') => {
                return self.digit(visitor, place);
            }
            Meaning::Same(_) | Meaning::Unknown => self.unknown(visitor, place),
        };
        walk.map_continue(|()| None)
    }

    /// Reads any other sign.
    pub(crate) fn sign<V: Visitor>(
        &mut self,
        first: u8,
        visitor: &mut V,
        place: &mut Place,
    ) -> Walk<V::Output> {
        let ahead = self.buffer.ahead();
        match first {
            b')' if place.depth == 0 => self.stray(visitor, PgnError::StrayParenthesis, 1),
            b')' => {
                self.buffer.skip(1);
                place.close();
                if place.depth < place.floor {
                    return ControlFlow::Break(None);
                }
                as_walk(visitor.end_variation())
            }
            b'$' => {
                let (nag, length) = numeric_glyph(ahead);
                match nag {
                    Some(nag) => self.nag(visitor, place, nag, length),
                    None => self.stray(visitor, PgnError::BadGlyph, length),
                }
            }
            // A tag may begin within a line, if the end of a game is missing and the next game follows directly.
            b'[' if (place.fresh_line && looks_like_tag(ahead)) || ahead.starts_with(FIRST_TAG) => {
                self.end_of_game(visitor, place)
            }
            // A diagram, as ChessBase writes it.
            b'[' if ahead.starts_with(b"[#]") => self.nag(visitor, place, Nag::DIAGRAM, 3),
            b'#' => self.check_mark(visitor, place, 1),
            // Dots of move numbers, commas between moves.
            b'.' | b',' => {
                self.buffer.skip(1);
                ControlFlow::Continue(())
            }
            _ => self.unknown(visitor, place),
        }
    }

    /// Reads the opening parenthesis of a variation.
    fn open<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
    ) -> io::Result<Walk<V::Output>> {
        if place.last == Last::Move {
            if let Some(length) = marks_in_brackets(self.buffer.ahead()) {
                let flow = visitor.mark(&self.buffer.ahead()[..length]);
                self.buffer.skip(length);
                return Ok(as_walk(flow));
            }
        }
        if place.depth == 0 && !place.moved {
            let location = self.buffer.location();
            if let flow @ ControlFlow::Break(_) =
                visitor.problem(PgnError::EarlyVariation, location)
            {
                return Ok(as_walk(flow));
            }
        }
        self.buffer.skip(1);
        place.open();
        if place.floor > 0 {
            // All variations within a skipped one are skipped too.
            return Ok(ControlFlow::Continue(()));
        }
        let answer = if place.depth > DEEPEST_NESTING {
            let location = self.buffer.location();
            visitor
                .problem(PgnError::TooDeep, location)
                .map_continue(|()| Variation::Skip)
        } else {
            visitor.begin_variation()
        };
        match answer {
            ControlFlow::Break(output) => return Ok(ControlFlow::Break(Some(output))),
            ControlFlow::Continue(Variation::Read) => {}
            ControlFlow::Continue(Variation::Skip) => {
                place.floor = place.depth;
                let _ = self.moves(&mut Silent, place)?;
                place.floor = 0;
                if place.ended {
                    let location = self.buffer.location();
                    let flow = visitor.problem(PgnError::UnclosedVariation, location);
                    return Ok(ControlFlow::Break(flow.break_value()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}
