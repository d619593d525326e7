//! Reads the moves of a game and reports them to the visitor.

use std::io::{self, Read};
use std::ops::ControlFlow;

use memchr::memchr2;
use skewer_movegen::Outcome;

use crate::characters::{Meaning, first_char, foreign_blank, meaning};
use crate::params::{DEEPEST_NESTING, LOOKAHEAD};
use crate::place::{KINDS, Kind, Place};
use crate::reader::Reader;
use crate::tag::{FIRST_TAG, looks_like_tag};
use crate::tokens::{
    Number, Outline, apart_promotion, ends_moves, foreign_length, glued_glyph, goes_on,
    mark_length, move_length, near, number, numeric_glyph, result, result_in_words, wrapped_result,
};
use crate::visitor::Silent;
use crate::{Comment, Nag, PgnError, San, Variation, Visitor};

/// Why reading ends: the visitor broke off with its output, or (`None`) the game has ended.
type Walk<T> = ControlFlow<Option<T>>;

/// What stands at the end of a game: a result, or a star for none.
struct Ending(Option<Outcome>);

/// Whether reading goes on after a visitor's answer.
fn as_walk<T>(flow: ControlFlow<T>) -> Walk<T> {
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
                Kind::Digit => match self.digit(visitor, place) {
                    ControlFlow::Continue(None) => ControlFlow::Continue(()),
                    ControlFlow::Continue(Some(outcome)) => {
                        self.result(visitor, place, Some(outcome))?
                    }
                    ControlFlow::Break(end) => ControlFlow::Break(end),
                },
                Kind::Mark => self.mark(visitor, place),
                Kind::Foreign => match foreign_blank(self.buffer.ahead()) {
                    0 => match self.foreign(visitor, place) {
                        ControlFlow::Continue(None) => ControlFlow::Continue(()),
                        ControlFlow::Continue(Some(Ending(outcome))) => {
                            self.result(visitor, place, outcome)?
                        }
                        ControlFlow::Break(end) => ControlFlow::Break(end),
                    },
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

    /// Reports a comment, and what is wrong with it.
    #[inline(always)]
    fn visit_comment<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
    ) -> io::Result<ControlFlow<V::Output>> {
        // Nearly all comments are in braces, whole, and in the buffer.
        if let [b'{', text @ ..] = self.buffer.ahead()
            && let Some(end) = memchr2(b'}', b'{', text)
            && text[end] == b'}'
        {
            let flow = visitor.comment(Comment::new(&text[..end]));
            self.buffer.skip(end + 2);
            return Ok(flow);
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
        // Behind it stands another game, or nothing.
        place.ended |= matches!(trouble, Some((PgnError::UnclosedComment, _)));
        Ok(match (flow, trouble) {
            (ControlFlow::Continue(()), Some((problem, location))) => {
                visitor.problem(problem, location)
            }
            (flow, _) => flow,
        })
    }

    /// Passes over the rest of a variation, whose next move the visitor has refused.
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
    fn word<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
        length: usize,
    ) -> Walk<V::Output> {
        let ahead = self.buffer.ahead();
        place.moves += usize::from(place.depth == 0);
        place.at_end = length == ahead.len();
        as_walk(visitor.san(San::new(&ahead[..length])))?;
        if place.depth > 0 && visitor.refuses() {
            place.refused = true;
            return ControlFlow::Break(None);
        }
        self.buffer.skip(length);
        ControlFlow::Continue(())
    }

    /// Passes over a sign that means nothing, and reports it.
    #[cold]
    fn stray<V: Visitor>(
        &mut self,
        visitor: &mut V,
        problem: PgnError,
        length: usize,
    ) -> Walk<V::Output> {
        let location = self.buffer.location();
        self.buffer.skip(length);
        as_walk(visitor.problem(problem, location))
    }

    /// The game ends without a result.
    #[cold]
    fn end_of_game<V: Visitor>(&mut self, visitor: &mut V, place: &mut Place) -> Walk<V::Output> {
        place.ended = true;
        if place.depth > 0 {
            let location = self.buffer.location();
            as_walk(visitor.problem(PgnError::UnclosedVariation, location))?;
        }
        ControlFlow::Break(None)
    }

    #[inline]
    fn blanks(&mut self, place: &mut Place) {
        let ahead = self.buffer.ahead();
        // Nearly always it is one blank between two tokens.
        if let [b' ', next, ..] = ahead
            && KINDS[usize::from(*next)] != Kind::Blank
        {
            self.buffer.skip(1);
            return;
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

    /// A move, most of the time.
    #[inline]
    fn letter<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
    ) -> ControlFlow<Option<V::Output>, Option<Outcome>> {
        let ahead = self.buffer.ahead();
        let length = move_length(ahead);
        // A square, behind which no glyph is glued. A promotion may be.
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

    /// `O-1`, or what is not a move.
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

    /// A word of `length` bytes that does not end with a square.
    #[inline]
    fn other_letter<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
        length: usize,
    ) -> ControlFlow<Option<V::Output>, Option<Outcome>> {
        let ahead = self.buffer.ahead();
        let text = &ahead[..length];
        if length == 1
            && let Some(nag) = Nag::from_bytes(text)
        {
            self.buffer.skip(1);
            return as_walk(visitor.nag(nag)).map_continue(|()| None);
        }
        let may_be_mark = match text[length - 1] {
            b'+' | b'#' => length > 1 && !text[length - 2].is_ascii_digit(),
            byte => byte.is_ascii_alphabetic() || byte == b'.',
        };
        if let [.., b'1' | b'8', b'='] = text
            && let Some(promotion) = apart_promotion(ahead, length - 1)
        {
            return self.word(visitor, place, promotion).map_continue(|()| None);
        }
        if may_be_mark && let Some(length) = mark_length(ahead, length) {
            self.buffer.skip(length);
            return ControlFlow::Continue(None);
        }
        if may_be_mark
            && place.depth == 0
            && let Some((outcome, length)) = result_in_words(ahead)
        {
            // With what the words say besides.
            as_walk(visitor.comment(Comment::new(&ahead[..length])))?;
            self.buffer.skip(length);
            return ControlFlow::Continue(Some(outcome));
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

    /// The number of a move, a result, or castling with zeros.
    #[inline(always)]
    fn digit<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
    ) -> ControlFlow<Option<V::Output>, Option<Outcome>> {
        if place.gap && self.starts_another_game(place) {
            place.ended = true;
            return ControlFlow::Break(None);
        }
        let ahead = self.buffer.ahead();
        match number(ahead) {
            Number::OfMove(length) => {
                let rest = &ahead[length..];
                let rest = rest.strip_prefix(b" ").unwrap_or(rest);
                // A piece without its square, and not a novelty, which stands behind a move.
                let is_piece = matches!(rest, [b'N' | b'D', b' ' | b'\t' | b'\n' | b'\r', ..]);
                let before = ahead.len() - rest.len();
                if is_piece && before > 0 && ahead[length - 1] == b'.' {
                    self.buffer.skip(before);
                    return self.word(visitor, place, 1).map_continue(|()| None);
                }
                self.buffer.skip(length);
            }
            Number::Move(length) => {
                return self.word(visitor, place, length).map_continue(|()| None);
            }
            Number::Result(outcome, length) => {
                if place.depth > 0 && self.buffer.before() == b'(' {
                    // The variation has no moves, whose result it could be.
                    return self
                        .stray(visitor, PgnError::StrayResult, length)
                        .map_continue(|()| None);
                }
                self.buffer.skip(length);
                if place.depth == 0 {
                    return ControlFlow::Continue(Some(outcome));
                }
            }
        }
        ControlFlow::Continue(None)
    }

    /// A null move, or a glyph such as `!?` and `+-`.
    fn mark<V: Visitor>(&mut self, visitor: &mut V, place: &mut Place) -> Walk<V::Output> {
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
            // A rule of dashes is no null move.
            let rule = text.starts_with(b"---");
            let length = if rule { foreign_length(ahead) } else { 2 };
            return self.word(visitor, place, length);
        }
        let nags = (1..=length).rev();
        let mut nags = nags.filter_map(|length| Some((length, Nag::from_bytes(&text[..length])?)));
        match nags.next() {
            Some((length, nag)) => {
                self.buffer.skip(length);
                as_walk(visitor.nag(nag))
            }
            None => self.lone_mark(visitor, place),
        }
    }

    /// A mark that is no glyph: a check mark behind a blank, or what means nothing.
    #[cold]
    fn lone_mark<V: Visitor>(&mut self, visitor: &mut V, place: &mut Place) -> Walk<V::Output> {
        if self.buffer.ahead().first() == Some(&b'+') {
            self.buffer.skip(1);
            return ControlFlow::Continue(());
        }
        self.unknown(visitor, place)
    }

    /// What begins with a sign that has no meaning: with letters or digits behind it a word in the place of a move,
    /// so that nothing of a move is lost, else a stray sign.
    #[cold]
    fn unknown<V: Visitor>(&mut self, visitor: &mut V, place: &mut Place) -> Walk<V::Output> {
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

    /// What begins with a character outside ASCII that is no blank: a move, a glyph, a result.
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
        if place.depth == 0
            && let Some((outcome, length)) = foreign_result(ahead, c)
        {
            self.buffer.skip(length);
            return ControlFlow::Continue(Some(Ending(outcome)));
        }
        let walk = match meaning(c) {
            Meaning::Dots | Meaning::Blank | Meaning::Invisible | Meaning::Same(b'+' | b'#') => {
                self.buffer.skip(length);
                ControlFlow::Continue(())
            }
            Meaning::Glyph(nag) => {
                let castling = Outline::of(ahead).castling(ahead);
                if let Some(castling) = castling {
                    self.word(visitor, place, castling)
                } else if nag.is_before_moves() && goes_on(&ahead[length..]) {
                    // A move that the game does not play: `△d5`.
                    self.word(visitor, place, length + foreign_length(&ahead[length..]))
                } else {
                    self.buffer.skip(length);
                    as_walk(visitor.nag(nag))
                }
            }
            Meaning::Same(b'O' | b'o') => {
                let castling = Outline::of(ahead).castling(ahead);
                let length = castling.unwrap_or_else(|| foreign_length(ahead));
                self.word(visitor, place, length)
            }
            Meaning::Same(b'-' | b'=') => self.foreign_mark(visitor, place),
            Meaning::Half | Meaning::Same(b'0'..=b'9') => {
                return self
                    .digit(visitor, place)
                    .map_continue(|outcome| outcome.map(|outcome| Ending(Some(outcome))));
            }
            Meaning::Same(_) | Meaning::Unknown => self.unknown(visitor, place),
        };
        walk.map_continue(|()| None)
    }

    /// A null move or a glyph with a dash or another sign outside ASCII.
    #[cold]
    fn foreign_mark<V: Visitor>(&mut self, visitor: &mut V, place: &mut Place) -> Walk<V::Output> {
        let ahead = self.buffer.ahead();
        // The signs in ASCII, an 8 for infinity, and where they end.
        let (mut signs, mut ends, mut count, mut at) = ([0; 4], [0; 4], 0, 0);
        while let Some((c, length)) = first_char(&ahead[at..])
            && count < signs.len()
        {
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
            Some((length, nag)) => {
                self.buffer.skip(length);
                as_walk(visitor.nag(nag))
            }
            None if count == 1 && text == b"-" => {
                // As a lone ASCII one.
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

    /// Any other sign.
    fn sign<V: Visitor>(
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
                place.depth -= 1;
                if place.depth < place.floor {
                    return ControlFlow::Break(None);
                }
                as_walk(visitor.end_variation())
            }
            b'$' => {
                let (nag, length) = numeric_glyph(ahead);
                match nag {
                    Some(nag) => {
                        self.buffer.skip(length);
                        as_walk(visitor.nag(nag))
                    }
                    None => self.stray(visitor, PgnError::BadGlyph, length),
                }
            }
            // Also within a line, where a game was cut and the next one put behind it.
            b'[' if (place.fresh_line && looks_like_tag(ahead)) || ahead.starts_with(FIRST_TAG) => {
                self.end_of_game(visitor, place)
            }
            // A diagram, as ChessBase writes it.
            b'[' if ahead.starts_with(b"[#]") => {
                self.buffer.skip(3);
                as_walk(visitor.nag(Nag::DIAGRAM))
            }
            // Dots of move numbers, commas between moves, check marks behind a blank.
            b'.' | b',' | b'#' => {
                self.buffer.skip(1);
                ControlFlow::Continue(())
            }
            _ => self.unknown(visitor, place),
        }
    }

    /// Whether the number that comes next begins another game: `1.` after an empty line, behind
    /// the moves of a game that has no result.
    fn starts_another_game(&self, place: &Place) -> bool {
        place.depth == 0
            && place.moves > 0
            && match self.buffer.ahead() {
                // `1...` and `1. ...` are Black's.
                [b'1', b'.', rest @ ..] => {
                    let next = first_char(rest.trim_ascii_start());
                    !next.is_some_and(|(c, _)| c == '.' || meaning(c) == Meaning::Dots)
                }
                _ => false,
            }
    }

    /// After the result: reads what belongs to the game still, comments, glyphs of the last move and the result
    /// once more.
    fn result<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
        outcome: Option<Outcome>,
    ) -> io::Result<Walk<V::Output>> {
        place.ended = true;
        let mut known = outcome;
        if let flow @ ControlFlow::Break(_) = visitor.outcome(outcome) {
            return Ok(as_walk(flow));
        }
        loop {
            self.buffer.want(LOOKAHEAD)?;
            let flow = match *self.buffer.ahead() {
                [b' ' | b'\t' | b'\r' | b'.' | b',', ..] => {
                    self.buffer.skip(1);
                    continue;
                }
                [b'{' | b';', ..] => as_walk(self.visit_comment(visitor, place)?),
                [b'$' | b'!' | b'?' | b'=' | b'+' | b'#', ..] => self.glyph(visitor, place),
                [b'(', ..] => match self.remark(visitor) {
                    Some(flow) => flow,
                    None => return Ok(ControlFlow::Break(None)),
                },
                [c, ..] if b")]>}\"'`|:&\\/-_~".contains(&c) => {
                    self.stray(visitor, PgnError::StrayCharacter(char::from(c)), 1)
                }
                [b'*', b'*', ..] => self.stars(visitor),
                [b'a'..=b'z' | b'A'..=b'Z', ..] => match self.words(visitor) {
                    Some(flow) => flow,
                    None => return Ok(ControlFlow::Break(None)),
                },
                [b'0' | b'1' | b'*' | 0x80.., ..] | [b'\n', b'0' | b'1' | b'*' | 0x80.., ..] => {
                    let flow = self.second_result(visitor, &mut known);
                    match flow.or_else(|| self.words(visitor)) {
                        Some(flow) => flow,
                        None => return Ok(ControlFlow::Break(None)),
                    }
                }
                _ => return Ok(ControlFlow::Break(None)),
            };
            if flow.is_break() {
                return Ok(flow);
            }
        }
    }

    /// Another result behind the first; if one of them is a star, the other counts. `None` if there is something else.
    #[cold]
    fn second_result<V: Visitor>(
        &mut self,
        visitor: &mut V,
        known: &mut Option<Outcome>,
    ) -> Option<Walk<V::Output>> {
        let ahead = self.buffer.ahead();
        let line_end = usize::from(ahead.first() == Some(&b'\n'));
        let (outcome, length) = result(&ahead[line_end..])?;
        let length = line_end + length;
        // The number of the next game's first move is none.
        let goes_on = ahead.get(length).is_some_and(u8::is_ascii_alphanumeric);
        if goes_on || ahead[length..].starts_with(b"*") {
            return None;
        }
        if outcome == *known || outcome.is_none() {
            self.buffer.skip(length);
            return Some(ControlFlow::Continue(()));
        }
        if known.is_some() {
            return Some(self.stray(visitor, PgnError::StrayResult, length));
        }
        *known = outcome;
        self.buffer.skip(length);
        Some(as_walk(visitor.outcome(outcome)))
    }

    /// Words behind the result, in its line, are a comment. `None` if they may be moves: with a digit, or castling.
    #[cold]
    fn words<V: Visitor>(&mut self, visitor: &mut V) -> Option<Walk<V::Output>> {
        let ahead = near(self.buffer.ahead());
        let line = ahead.split(|&byte| byte == b'\n').next()?;
        let (c, _) = first_char(line)?;
        let is_word = c.is_alphabetic() && !matches!(c, 'O' | 'o');
        if !is_word
            || line
                .iter()
                .any(|&byte| byte.is_ascii_digit() || b"{};[]*".contains(&byte))
        {
            return None;
        }
        let length = line.len();
        let flow = visitor.comment(Comment::new(line));
        self.buffer.skip(length);
        Some(as_walk(flow))
    }

    /// A run of stars, which is bold text or a rule and no result.
    #[cold]
    fn stars<V: Visitor>(&mut self, visitor: &mut V) -> Walk<V::Output> {
        let ahead = self.buffer.ahead().iter();
        let length = ahead.take_while(|&&byte| byte == b'*').count();
        self.stray(visitor, PgnError::StrayCharacter('*'), length)
    }

    /// What stands in parentheses behind the result, in its line, is a comment. `None` if there is no closing one.
    #[cold]
    fn remark<V: Visitor>(&mut self, visitor: &mut V) -> Option<Walk<V::Output>> {
        let ahead = near(self.buffer.ahead());
        let end = memchr2(b')', b'\n', ahead).filter(|&end| ahead[end] == b')')?;
        let flow = visitor.comment(Comment::new(&ahead[1..end]));
        self.buffer.skip(end + 1);
        Some(as_walk(flow))
    }

    /// A glyph, or a check mark, behind the result.
    #[cold]
    fn glyph<V: Visitor>(&mut self, visitor: &mut V, place: &mut Place) -> Walk<V::Output> {
        match self.buffer.ahead().first() {
            Some(&first @ (b'$' | b'#')) => self.sign(first, visitor, place),
            _ => self.mark(visitor, place),
        }
    }

    /// A variation begins.
    fn open<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
    ) -> io::Result<Walk<V::Output>> {
        self.buffer.skip(1);
        place.depth += 1;
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

/// A result that begins with a character outside ASCII: in quotes, a star, with a letter in place of a zero.
#[cold]
fn foreign_result(ahead: &[u8], first: char) -> Option<(Option<Outcome>, usize)> {
    match meaning(first) {
        Meaning::Same(b'*' | b'O') => result(ahead),
        Meaning::Unknown => {
            wrapped_result(ahead).filter(|&(_, length)| ends_moves(&ahead[length..]))
        }
        _ => None,
    }
}
