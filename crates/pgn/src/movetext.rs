//! Reads the moves of a game and reports them to the visitor.

use std::io::{self, Read};
use std::ops::ControlFlow;

use skewer_movegen::Outcome;

use crate::params::{DEEPEST_NESTING, LONGEST_MOVE, LOOKAHEAD};
use crate::place::{ENDS_MOVE, KINDS, Kind, Place};
use crate::reader::{Reader, looks_like_tag};
use crate::visitor::Silent;
use crate::{Comment, Nag, PgnError, San, Variation, Visitor};

/// Why reading ends: the visitor broke off with its output, or (`None`) the game has ended.
type Walk<T> = ControlFlow<Option<T>>;

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
                return Ok(match end_of_game(visitor, place) {
                    ControlFlow::Break(Some(output)) => ControlFlow::Break(output),
                    _ => ControlFlow::Continue(()),
                });
            };
            let walk = match KINDS[usize::from(first)] {
                Kind::Blank => {
                    self.blanks(place);
                    continue;
                }
                Kind::Letter => self.letter(visitor, place),
                Kind::Digit => match self.digit(visitor, place) {
                    ControlFlow::Continue(None) => ControlFlow::Continue(()),
                    ControlFlow::Continue(Some(outcome)) => {
                        self.result(visitor, place, Some(outcome))?
                    }
                    ControlFlow::Break(end) => ControlFlow::Break(end),
                },
                Kind::Mark => self.mark(visitor, place),
                Kind::Other => match first {
                    b'{' | b';' => {
                        let answer = self.comment(|text, problem| {
                            let flow = visitor.comment(Comment::new(text));
                            match (flow, problem) {
                                (ControlFlow::Continue(()), Some(problem)) => {
                                    visitor.problem(problem)
                                }
                                (flow, _) => flow,
                            }
                        })?;
                        place.fresh_line = self.buffer.before() == b'\n';
                        match answer {
                            ControlFlow::Continue(()) => continue,
                            flow @ ControlFlow::Break(_) => return Ok(flow),
                        }
                    }
                    b'%' if place.fresh_line => {
                        self.buffer.skip_line()?;
                        continue;
                    }
                    b'(' => self.open(visitor, place)?,
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
                ControlFlow::Break(None) => return Ok(ControlFlow::Continue(())),
                ControlFlow::Break(Some(output)) => return Ok(ControlFlow::Break(output)),
            }
            place.fresh_line = false;
            place.gap = false;
        }
    }

    #[inline]
    fn blanks(&mut self, place: &mut Place) {
        let ahead = self.buffer.ahead();
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
    fn letter<V: Visitor>(&mut self, visitor: &mut V, place: &mut Place) -> Walk<V::Output> {
        let ahead = self.buffer.ahead();
        let length = move_length(ahead);
        let text = &ahead[..length];
        if length == 1
            && let Some(nag) = Nag::from_bytes(text)
        {
            self.buffer.skip(1);
            return as_walk(visitor.nag(nag));
        }
        if matches!(text, b"e.p." | b"ep" | b"e.p") {
            self.buffer.skip(length);
            return ControlFlow::Continue(());
        }
        place.moves += usize::from(place.depth == 0);
        place.at_end = length == ahead.len();
        let glued = match text[length - 1] {
            b'-' | b'=' => glued_glyph(text),
            _ => None,
        };
        let text = glued.map_or(text, |(start, _)| &text[..start]);
        as_walk(visitor.san(San::new(text)))?;
        self.buffer.skip(length);
        match glued {
            Some((_, nag)) => as_walk(visitor.nag(nag)),
            None => ControlFlow::Continue(()),
        }
    }

    /// The number of a move, a result, or castling with zeros.
    #[inline]
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
            Number::OfMove(length) => self.buffer.skip(length),
            Number::Move(length) => {
                place.moves += usize::from(place.depth == 0);
                if let ControlFlow::Break(output) = visitor.san(San::new(&ahead[..length])) {
                    return ControlFlow::Break(Some(output));
                }
                self.buffer.skip(length);
            }
            Number::Result(outcome, length) => {
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
        let text = &ahead[..length];
        if text.starts_with(b"--") && text != b"--+" {
            place.moves += usize::from(place.depth == 0);
            as_walk(visitor.san(San::new(&text[..2])))?;
            self.buffer.skip(2);
            return ControlFlow::Continue(());
        }
        let nag = Nag::from_bytes(text);
        self.buffer.skip(length);
        match nag {
            Some(nag) => as_walk(visitor.nag(nag)),
            None => ControlFlow::Continue(()),
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
            b')' if place.depth == 0 => {
                self.buffer.skip(1);
                as_walk(visitor.problem(PgnError::StrayParenthesis))
            }
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
                self.buffer.skip(length);
                match nag {
                    Some(nag) => as_walk(visitor.nag(nag)),
                    None => ControlFlow::Continue(()),
                }
            }
            b'[' if place.fresh_line && looks_like_tag(ahead) => end_of_game(visitor, place),
            // Stray brackets, dots, quotes and characters of other scripts.
            _ => {
                self.buffer.skip(1);
                ControlFlow::Continue(())
            }
        }
    }

    /// Whether the number that comes next begins another game: `1.` after an empty line, behind
    /// the moves of a game that has no result.
    fn starts_another_game(&self, place: &Place) -> bool {
        place.depth == 0
            && place.moves > 0
            && match *self.buffer.ahead() {
                [b'1', b'.', b'.', ..] => false,
                [b'1', b'.', ..] => true,
                _ => false,
            }
    }

    /// After the result: reads a comment on the same line.
    fn result<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
        outcome: Option<Outcome>,
    ) -> io::Result<Walk<V::Output>> {
        place.ended = true;
        if let flow @ ControlFlow::Break(_) = visitor.outcome(outcome) {
            return Ok(as_walk(flow));
        }
        loop {
            self.buffer.want(LOOKAHEAD)?;
            match self.buffer.ahead().first() {
                Some(b' ' | b'\t') => self.buffer.skip(1),
                Some(b'{' | b';') => {
                    let flow = self.comment(|text, _| visitor.comment(Comment::new(text)))?;
                    if flow.is_break() {
                        return Ok(as_walk(flow));
                    }
                }
                _ => return Ok(ControlFlow::Break(None)),
            }
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
            visitor
                .problem(PgnError::TooDeep)
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
                    let flow = visitor.problem(PgnError::UnclosedVariation);
                    return Ok(ControlFlow::Break(flow.break_value()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The game ends without a result.
fn end_of_game<V: Visitor>(visitor: &mut V, place: &mut Place) -> Walk<V::Output> {
    place.ended = true;
    if place.depth > 0 {
        as_walk(visitor.problem(PgnError::UnclosedVariation))?;
    }
    ControlFlow::Break(None)
}

/// The length in bytes of the move at the front.
#[inline]
fn move_length(ahead: &[u8]) -> usize {
    let limit = ahead.len().min(LONGEST_MOVE);
    let mut length = 1;
    while length < limit && !ENDS_MOVE[usize::from(ahead[length])] {
        length += 1;
    }
    // A promotion written `e8(Q)`.
    if let [b'(', b'Q' | b'R' | b'B' | b'N', b')', ..] = ahead[length..] {
        length += 3;
    }
    length
}

/// The evaluation glyph directly after a move, as in `Bb5+-`.
#[cold]
fn glued_glyph(text: &[u8]) -> Option<(usize, Nag)> {
    (1..text.len().min(4)).rev().find_map(|length| {
        let start = text.len() - length;
        Nag::from_bytes(&text[start..]).map(|nag| (start, nag))
    })
}

/// What begins with a digit.
enum Number {
    /// The number of a move, with its dots: this many bytes.
    OfMove(usize),
    /// Castling with zeros, or a null move.
    Move(usize),
    Result(Outcome, usize),
}

#[inline]
fn number(ahead: &[u8]) -> Number {
    let digits = ahead
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    match ahead.get(digits) {
        Some(b'.') => {
            let dots = ahead[digits..]
                .iter()
                .take_while(|&&byte| byte == b'.')
                .count();
            return Number::OfMove(digits + dots);
        }
        Some(b'-' | b'/') => {
            for (text, outcome) in [
                ("1-0", Outcome::WhiteWins),
                ("0-1", Outcome::BlackWins),
                ("1/2-1/2", Outcome::Draw),
                ("1/2", Outcome::Draw),
            ] {
                if ahead.starts_with(text.as_bytes()) {
                    return Number::Result(outcome, text.len());
                }
            }
            if ahead.starts_with(b"0-0") {
                return Number::Move(move_length(ahead));
            }
        }
        _ if ahead.starts_with(b"0000") => return Number::Move(move_length(ahead)),
        _ => {}
    }
    Number::OfMove(digits)
}

/// `$6`: the glyph, if it is one, and how many bytes it takes.
fn numeric_glyph(ahead: &[u8]) -> (Option<Nag>, usize) {
    let digits = ahead[1..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let value = std::str::from_utf8(&ahead[1..=digits])
        .ok()
        .and_then(|text| text.parse().ok());
    (value.map(Nag), 1 + digits)
}
