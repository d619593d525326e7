//! Where a game ends: its result, what belongs to it after the result, and the beginning of another game.

use std::io::{self, Read};
use std::ops::ControlFlow;

use memchr::{memchr, memchr_iter, memchr2};
use skewer_movegen::Outcome;

use crate::characters::{Meaning, first_char, meaning};
use crate::cut::is_before_first_move;
use crate::movetext::{Walk, as_walk};
use crate::params::LOOKAHEAD;
use crate::place::{KINDS, Kind, Place};
use crate::reader::Reader;
use crate::results::{ends_moves, result, wrapped_result};
use crate::tag::looks_like_tag;
use crate::tokens::{Outline, Points, near, value_of_digits};
use crate::{Comment, PgnError, Visitor};

/// What stands at the end of a game: a result, or a star for none.
pub(crate) struct Ending(pub(crate) Option<Outcome>);

impl<R: Read> Reader<R> {
    /// The game ends without a result.
    #[cold]
    pub(crate) fn end_of_game<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
    ) -> Walk<V::Output> {
        place.ended = true;
        report_lone_glyph(visitor, place)?;
        if place.depth > 0 {
            let location = self.buffer.location();
            as_walk(visitor.problem(PgnError::UnclosedVariation, location))?;
        }
        ControlFlow::Break(None)
    }

    /// Whether the number that comes next begins another game: `1.` after an empty line, after
    /// the moves of a game that has no result.
    pub(crate) fn starts_another_game(&self, place: &Place) -> bool {
        place.depth == 0
            && place.moved
            && match self.buffer.ahead() {
                // `1...` and `1. ...` are Black's.
                [b'1', b'.', rest @ ..] => {
                    let next = first_char(rest.trim_ascii_start());
                    !next.is_some_and(|(c, _)| c == '.' || meaning(c) == Meaning::Dots)
                }
                _ => false,
            }
    }

    /// Whether the number that comes next, at the beginning of a line, begins another game although neither a result nor
    /// an empty line stands before it: White's number 1 after a whole move of the main line, before a legal first move.
    pub(crate) fn begins_again(&self, place: &Place) -> bool {
        match self.buffer.ahead() {
            [b'1', b'.' | b' ' | b'\t', rest @ ..] => {
                place.is_past_first_number() && is_before_first_move(rest)
            }
            _ => false,
        }
    }

    /// Passes zeros at the front that say that both players have no points, in a game whose tag `Result` says so too:
    /// `0-0` after the last move. `false` if they are castling, because more than comments follows before an empty
    /// line, a tag or the end of the file.
    #[cold]
    pub(crate) fn pass_zeros(&mut self, place: &Place) -> io::Result<bool> {
        let ahead = self.buffer.ahead();
        let zeros = (place.depth == 0 && ahead.first() == Some(&b'0'))
            .then(|| Outline::of(ahead).points(ahead))
            .flatten();
        let Some((Points::NONE, length)) = zeros else {
            return Ok(false);
        };
        let is_end = self.only_comments_follow(length)?;
        if is_end {
            self.buffer.skip(length);
        }
        Ok(is_end)
    }

    /// Whether only blanks and comments stand after the first `at` bytes, up to an empty line, a tag or the end of the
    /// file.
    fn only_comments_follow(&mut self, mut at: usize) -> io::Result<bool> {
        let mut line_ends = 0;
        loop {
            let (next, found) = self.buffer.find(at, |text| {
                let is_blank = |&byte: &u8| KINDS[usize::from(byte)] == Kind::Blank;
                text.iter().position(|byte| !is_blank(byte))
            })?;
            let ahead = self.buffer.ahead();
            line_ends += memchr_iter(b'\n', &ahead[at..next]).count();
            if !found || line_ends > 1 {
                return Ok(true);
            }
            let close = match ahead[next] {
                b'{' => b'}',
                b';' => b'\n',
                b'[' => {
                    // The whole line is needed in the buffer.
                    self.buffer.find(next, |text| memchr(b'\n', text))?;
                    return Ok(looks_like_tag(&self.buffer.ahead()[next..]));
                }
                _ => return Ok(false),
            };
            let (end, found) = self.buffer.find(next, |text| memchr(close, text))?;
            if !found {
                // A comment to the end of a line may end with the file.
                return Ok(close == b'\n');
            }
            line_ends = 0;
            // The end of a line may be the first of an empty line.
            at = end + usize::from(close == b'}');
        }
    }

    /// Reads what still belongs to the game after its result: comments, glyphs of the last move, and a second copy of
    /// the result.
    pub(crate) fn result<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
        outcome: Option<Outcome>,
    ) -> io::Result<Walk<V::Output>> {
        if place.moved && self.is_among_moves(place) {
            let location = self.buffer.location_of_last_word();
            return Ok(as_walk(visitor.problem(PgnError::StrayResult, location)));
        }
        Ok(match self.after_result(visitor, place, outcome)? {
            ControlFlow::Break(None) => match report_lone_glyph(visitor, place) {
                ControlFlow::Continue(()) => ControlFlow::Break(None),
                walk @ ControlFlow::Break(_) => walk,
            },
            walk => walk,
        })
    }

    /// Whether the number of the next move follows a result, in the same line or in the next line, so that the game
    /// goes on.
    fn is_among_moves(&self, place: &Place) -> bool {
        let ahead = self.buffer.ahead();
        let rest = ahead.trim_ascii_start();
        let blanks = &ahead[..ahead.len() - rest.len()];
        let line_ends = memchr_iter(b'\n', blanks).count();
        let number = value_of_digits(rest);
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        line_ends < 2
            && number > 1
            && (number == place.number() || number == place.number() + 1)
            && rest.get(digits) == Some(&b'.')
    }

    /// The part of [`result`](Self::result) for a result that ends the game, without the report of a glyph in a game
    /// that has no move.
    fn after_result<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
        outcome: Option<Outcome>,
    ) -> io::Result<Walk<V::Output>> {
        place.ended = true;
        let mut known = outcome;
        if let flow @ ControlFlow::Break(_) = self.visit_result(visitor, outcome) {
            return Ok(flow);
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
                [c, ..] if b")]>}\"'`|:&\\/-_~%".contains(&c) => {
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

    /// Reads a second result. If one of the two is a star, the other counts. `None` if no result follows.
    #[cold]
    fn second_result<V: Visitor>(
        &mut self,
        visitor: &mut V,
        known: &mut Option<Outcome>,
    ) -> Option<Walk<V::Output>> {
        let ahead = self.buffer.ahead();
        let line_end = usize::from(ahead.first() == Some(&b'\n'));
        if let Some((points, length)) = Outline::of(&ahead[line_end..]).points(&ahead[line_end..]) {
            // `0-0` is a move.
            return (points != Points::NONE)
                .then(|| self.stray(visitor, PgnError::StrayResult, line_end + length));
        }
        let (outcome, length) = result(&ahead[line_end..])?;
        let length = line_end + length;
        // With a letter or digit after it, this is not a result but the number of the next game's first move.
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
        Some(self.visit_result(visitor, outcome))
    }

    /// Reports a result that was passed, and whether it contradicts the game.
    fn visit_result<V: Visitor>(
        &mut self,
        visitor: &mut V,
        outcome: Option<Outcome>,
    ) -> Walk<V::Output> {
        as_walk(visitor.outcome(outcome))?;
        if visitor.doubts() {
            let location = self.buffer.location_of_last_word();
            as_walk(visitor.problem(PgnError::Contradiction, location))?;
        }
        ControlFlow::Continue(())
    }

    /// Reads words after the result, in its line, as a comment. `None` if the words may be moves: if they have a digit,
    /// or castle.
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

    /// Reads a row of stars, which is bold text or separates parts of a text, and is not a result.
    #[cold]
    pub(crate) fn stars<V: Visitor>(&mut self, visitor: &mut V) -> Walk<V::Output> {
        let ahead = self.buffer.ahead().iter();
        let length = ahead.take_while(|&&byte| byte == b'*').count();
        self.stray(visitor, PgnError::StrayCharacter('*'), length)
    }

    /// Reads text in parentheses after the result, in its line, as a comment. `None` if there is no closing
    /// parenthesis.
    #[cold]
    fn remark<V: Visitor>(&mut self, visitor: &mut V) -> Option<Walk<V::Output>> {
        let ahead = near(self.buffer.ahead());
        let end = memchr2(b')', b'\n', ahead).filter(|&end| ahead[end] == b')')?;
        let flow = visitor.comment(Comment::new(&ahead[1..end]));
        self.buffer.skip(end + 1);
        Some(as_walk(flow))
    }

    /// Reads a glyph, or a mark of check, after the result.
    #[cold]
    fn glyph<V: Visitor>(&mut self, visitor: &mut V, place: &mut Place) -> Walk<V::Output> {
        match self.buffer.ahead().first() {
            Some(&first @ (b'$' | b'#')) => self.sign(first, visitor, place),
            _ => self.mark(visitor, place),
        }
    }
}

/// Reports a glyph that stands before the first move of a game, if there is no move.
fn report_lone_glyph<V: Visitor>(visitor: &mut V, place: &mut Place) -> Walk<V::Output> {
    match place.early_glyph.take() {
        Some((nag, location)) if !place.moved => {
            as_walk(visitor.problem(PgnError::LoneGlyph(nag), location))
        }
        _ => ControlFlow::Continue(()),
    }
}

/// A result that begins with a character outside ASCII: in quotes, a star, with a letter in place of a zero.
#[cold]
pub(crate) fn foreign_result(ahead: &[u8], first: char) -> Option<(Option<Outcome>, usize)> {
    match meaning(first) {
        Meaning::Same(b'*' | b'O') => result(ahead),
        Meaning::Unknown => {
            wrapped_result(ahead).filter(|&(_, length)| ends_moves(&ahead[length..]))
        }
        _ => None,
    }
}
