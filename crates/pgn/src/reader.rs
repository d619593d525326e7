//! The event reader: reads a stream of games and calls a [`Visitor`]. It does not check moves;
//! [`Games`](crate::Games) does.

use std::io::{self, Read};
use std::mem::take;
use std::ops::ControlFlow;

use memchr::{memchr, memchr_iter, memchr2, memmem, memrchr};

use crate::buffer::Buffer;
use crate::characters::foreign_blank;
use crate::cut::next_game;
use crate::params::{LONGEST_TOKEN, LOOKAHEAD, MOST_LINES, MOST_TAGS};
use crate::place::{KINDS, Kind, Place};
use crate::tag::{FIRST_TAG, split_tag};
use crate::visitor::Silent;
use crate::{Comment, Location, PgnError, TagValue, Visitor};

/// Reads games one after the other from any source of bytes.
///
/// The source need not be buffered. With any file, the reader uses at most a
/// few times [`params::LONGEST_TOKEN`](crate::params::LONGEST_TOKEN) in memory, and most of the
/// time little more than [`params::CHUNK`](crate::params::CHUNK).
#[derive(Debug)]
pub struct Reader<R> {
    pub(crate) buffer: Buffer<R>,
    /// The comments before the first move of a game: before, between and after the tags.
    leading: Vec<Leading>,
    /// What is wrong with the last comment.
    pub(crate) trouble: Option<(PgnError, Location)>,
    games: u64,
}

/// A comment before the first move.
#[derive(Debug)]
struct Leading {
    text: Vec<u8>,
    is_line: bool,
}

/// A game that has been read.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Visited<T> {
    /// The output of the visitor.
    pub output: T,
    /// Its number in the file, from 1.
    pub number: u64,
    /// The line, from 1, on which it begins.
    pub line: u64,
    /// Where the visitor broke off, if it did.
    pub stopped: Option<Stopped>,
}

/// Where a visitor broke off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Stopped {
    /// The place just before the token at which the visitor broke off.
    pub location: Location,
    /// Whether this token is the last of the file, which may be incomplete.
    pub at_end: bool,
}

impl<R: Read> Reader<R> {
    /// A reader of the games in `source`.
    pub fn new(source: R) -> Self {
        Self {
            buffer: Buffer::new(source),
            leading: Vec::new(),
            trouble: None,
            games: 0,
        }
    }

    /// Bytes read so far, for showing progress.
    pub fn offset(&self) -> u64 {
        self.buffer.offset()
    }

    /// Reads the next game; `None` at the end of the file.
    ///
    /// # Errors
    ///
    /// If the source cannot be read. Errors in a game are reported to the visitor, and the next call
    /// continues after that game.
    pub fn read_game<V: Visitor>(
        &mut self,
        visitor: &mut V,
    ) -> io::Result<Option<Visited<V::Output>>> {
        let Some(fresh_line) = self.find_game()? else {
            return Ok(None);
        };
        self.games += 1;
        let (number, line) = (self.games, self.buffer.line());
        let mut place = Place {
            fresh_line,
            ..Place::default()
        };
        let (output, stopped) = match self.visit(visitor, &mut place)? {
            ControlFlow::Continue(()) => (visitor.end_game(), None),
            ControlFlow::Break(output) => {
                let stopped = Stopped {
                    location: self.buffer.location(),
                    at_end: place.at_end,
                };
                self.pass_over(&mut place)?;
                (output, Some(stopped))
            }
        };
        Ok(Some(Visited {
            output,
            number,
            line,
            stopped,
        }))
    }

    /// Skips the next game; `false` at the end of the file.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn skip_game(&mut self) -> io::Result<bool> {
        Ok(self.read_game(&mut Silent)?.is_some())
    }

    /// Goes to the first byte of the next game, and says whether only blanks stand before it in its line; `None` at the
    /// end of the file.
    fn find_game(&mut self) -> io::Result<Option<bool>> {
        self.leading.clear();
        let mut fresh_line = false;
        loop {
            self.buffer.want(LOOKAHEAD)?;
            fresh_line |= self.buffer.before() == b'\n';
            let ahead = self.buffer.ahead();
            let Some(&first) = ahead.first() else {
                return Ok(None);
            };
            match first {
                b'%' if fresh_line => self.buffer.skip_line()?,
                b';' | b'{' => {
                    self.keep_comment()?;
                    fresh_line = false;
                    if let Some((PgnError::UnclosedComment, _)) = self.trouble {
                        // Reported as a game of its own, because the comment may hold games.
                        return Ok(Some(false));
                    }
                }
                _ if KINDS[usize::from(first)] == Kind::Blank => self.buffer.skip(1),
                _ => match foreign_blank(ahead) {
                    0 => return Ok(Some(fresh_line)),
                    length => self.buffer.skip(length),
                },
            }
        }
    }

    /// Reads a comment that is reported later.
    fn keep_comment(&mut self) -> io::Result<()> {
        let kept = self.comment(|comment| Leading {
            text: comment.as_bytes().to_vec(),
            is_line: comment.is_line(),
        })?;
        self.leading.push(kept);
        Ok(())
    }

    fn visit<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
    ) -> io::Result<ControlFlow<V::Output>> {
        let trouble = self.trouble.take();
        place.ended = matches!(trouble, Some((PgnError::UnclosedComment, _)));
        if let flow @ ControlFlow::Break(_) = visitor.begin_game() {
            return Ok(flow);
        }
        if let Some((problem, location)) = trouble {
            let flow = visitor.problem(problem, location);
            if place.ended || flow.is_break() {
                return Ok(flow);
            }
        }
        if let flow @ ControlFlow::Break(_) = self.tags(visitor, place)? {
            return Ok(flow);
        }
        if let flow @ ControlFlow::Break(_) = visitor.end_tags() {
            return Ok(flow);
        }
        for Leading { text, is_line } in take(&mut self.leading) {
            let comment = if is_line {
                Comment::of_line(&text)
            } else {
                Comment::new(&text)
            };
            if let flow @ ControlFlow::Break(_) = visitor.comment(comment) {
                return Ok(flow);
            }
        }
        if let Some((problem, location)) = self.trouble.take() {
            if let flow @ ControlFlow::Break(_) = visitor.problem(problem, location) {
                return Ok(flow);
            }
        }
        if place.ended {
            return Ok(ControlFlow::Continue(()));
        }
        self.moves(visitor, place)
    }

    /// Skips the rest of a game after the visitor broke off.
    fn pass_over(&mut self, place: &mut Place) -> io::Result<()> {
        place.floor = 0;
        if place.tags {
            let _ = self.tags(&mut Silent, place)?;
        }
        self.trouble = None;
        if !place.ended {
            let _ = self.moves(&mut Silent, place)?;
        }
        Ok(())
    }

    /// Reads the tags of a game, and goes to its first move.
    fn tags<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
    ) -> io::Result<ControlFlow<V::Output>> {
        place.tags = true;
        let mut line_ends = 0;
        let mut tags = 0;
        let mut kept = 0;
        loop {
            self.buffer.want(LOOKAHEAD)?;
            let fresh_line = self.buffer.before() == b'\n';
            let ahead = self.buffer.ahead();
            match ahead.first() {
                // After an empty line or another tag `Event`, a tag belongs to the next game, so this game has no
                // moves.
                Some(b'[')
                    if ahead.get(1).is_none_or(|&byte| byte == b'E')
                        && (line_ends > 1 || (place.event && ahead.len() > 7))
                        && FIRST_TAG.starts_with(&ahead[..7.min(ahead.len())]) =>
                {
                    place.ended = true;
                    // A cut tag is a problem of its own.
                    if line_ends < 2 && !place.cut_tag {
                        let location = self.buffer.location();
                        let flow = visitor.problem(PgnError::SecondEvent, location);
                        if flow.is_break() {
                            return Ok(flow);
                        }
                    }
                    break;
                }
                // A diagram.
                Some(b'[') if ahead.get(1) == Some(&b'#') => break,
                Some(b'[') => {
                    place.event |=
                        matches!(ahead, [_, b'E', b'v', b'e', b'n', b't', b' ', b'"', ..]);
                    tags += 1;
                    let flow = if tags <= MOST_TAGS {
                        self.tag(visitor, place)?
                    } else {
                        let _ = self.tag(&mut Silent, place)?;
                        if tags == MOST_TAGS + 1 {
                            visitor.problem(PgnError::TooManyTags, self.buffer.location())
                        } else {
                            ControlFlow::Continue(())
                        }
                    };
                    if flow.is_break() {
                        return Ok(flow);
                    }
                    line_ends = 0;
                }
                Some(b'%') if fresh_line => self.buffer.skip_line()?,
                Some(&byte) if KINDS[usize::from(byte)] == Kind::Blank => {
                    line_ends += usize::from(byte == b'\n');
                    self.buffer.skip(1);
                }
                // A closing bracket too many after a tag does not end the tags, nor do other signs in its line.
                Some(&sign)
                    if tags > 0
                        && (sign == b']'
                            || (line_ends == 0 && b".,:>})\\/|`'\"".contains(&sign))) =>
                {
                    let location = self.buffer.location();
                    self.buffer.skip(1);
                    let problem = PgnError::StrayCharacter(char::from(sign));
                    let flow = visitor.problem(problem, location);
                    if flow.is_break() {
                        return Ok(flow);
                    }
                }
                // Report comments after the tags, because more tags may follow.
                Some(b';' | b'{') if kept < LONGEST_TOKEN => {
                    // The line of a comment is not empty.
                    if line_ends < 2 {
                        line_ends = 0;
                    }
                    self.keep_comment()?;
                    kept += 64 + self.leading.last().map_or(0, |kept| kept.text.len());
                    if let Some((PgnError::UnclosedComment, _)) = self.trouble {
                        place.ended = true;
                        break;
                    }
                }
                Some(0x80..) => match foreign_blank(ahead) {
                    0 => break,
                    length => self.buffer.skip(length),
                },
                _ => break,
            }
        }
        place.tags = false;
        Ok(ControlFlow::Continue(()))
    }

    /// Reads `[Name "Value"]`, also with common errors.
    fn tag<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
    ) -> io::Result<ControlFlow<V::Output>> {
        // Read the whole line into the buffer.
        let (line, complete) = self.buffer.find(0, |text| memchr(b'\n', text))?;
        let too_long = self.buffer.is_full();
        let mut text = &self.buffer.ahead()[1..line];
        let mut problem;
        let mut found = split_tag(text);
        if found.as_ref().is_some_and(|tag| tag.odd) && complete {
            let line = self.end_of_value(line)?;
            text = &self.buffer.ahead()[1..line];
            found = split_tag(text);
        }
        let odd = found.as_ref().is_none_or(|tag| tag.odd);
        let next = odd.then(|| memmem::find(text, FIRST_TAG)).flatten();
        let (used, flow) = if let Some(next) = next {
            // The tag was cut, and another game begins.
            problem = Some(PgnError::BadTag);
            (place.event, place.cut_tag) = (true, true);
            (next, ControlFlow::Continue(()))
        } else if let Some(tag) = found {
            problem = tag.cut.then_some(PgnError::BadTag);
            if tag.name == b"Result" {
                place.pass_result_tag(tag.value);
            }
            (tag.used, visitor.tag(tag.name, TagValue::new(tag.value)))
        } else {
            let whole = complete || text.ends_with(b"]");
            problem = whole.then_some(PgnError::BadTag);
            (text.len(), ControlFlow::Continue(()))
        };
        // A complete tag at the end of the file is not cut short.
        let whole = text[..used].ends_with(b"]");
        if flow.is_continue() && !complete && !whole && problem.is_none() {
            problem = Some(if too_long {
                PgnError::TooLong
            } else {
                PgnError::CutShort
            });
        }
        let Some(problem) = problem.filter(|_| flow.is_continue()) else {
            self.buffer.skip(1 + used);
            return Ok(flow);
        };
        let location = self.buffer.location();
        self.buffer.skip(1 + used);
        if problem == PgnError::TooLong {
            self.buffer.skip_line()?;
        }
        Ok(visitor.problem(problem, location))
    }

    /// The end of the line in which the tag at the next byte ends, if its value goes over several lines. Otherwise
    /// `first`, the end of the first line.
    #[cold]
    fn end_of_value(&mut self, first: usize) -> io::Result<usize> {
        let line = &self.buffer.ahead()[..first];
        let quotes = memchr_iter(b'"', line).filter(|&at| line[at - 1] != b'\\');
        if quotes.count() != 1 {
            return Ok(first);
        }
        let mut end = first;
        for _ in 1..MOST_LINES {
            let start = end + 1;
            let (next, _) = self
                .buffer
                .find(start.min(self.buffer.ahead().len()), |text| {
                    memchr(b'\n', text)
                })?;
            let line = self
                .buffer
                .ahead()
                .get(start..next)
                .unwrap_or_default()
                .trim_ascii();
            if line.is_empty() || line.starts_with(b"[") {
                break;
            }
            if line.ends_with(b"\"]") {
                return Ok(next);
            }
            end = next;
        }
        Ok(first)
    }

    /// Reads a comment of either kind, which begins at the next byte. What is wrong with it is left in `trouble`.
    #[inline]
    pub(crate) fn comment<T>(&mut self, report: impl FnOnce(Comment<'_>) -> T) -> io::Result<T> {
        if self.buffer.ahead().first() == Some(&b'{') {
            let (end, found) = self.buffer.find(1, |text| memchr2(b'}', b'{', text))?;
            if !found || self.buffer.ahead()[end] == b'{' {
                return self.unusual_comment(end, found, report);
            }
            let answer = report(Comment::new(&self.buffer.ahead()[1..end]));
            self.buffer.skip(end + 1);
            return Ok(answer);
        }
        let (end, found) = self.buffer.find(1, |text| memchr2(b'\n', b'\r', text))?;
        if !found && self.buffer.is_full() {
            self.trouble = Some((PgnError::TooLong, self.buffer.location()));
        }
        let answer = report(Comment::of_line(&self.buffer.ahead()[1.min(end)..end]));
        self.buffer.skip(end);
        if self.trouble.is_some() {
            self.skip_comment(None)?;
        }
        Ok(answer)
    }

    /// Reads a comment in braces that has another opening brace, at `at`, or no end.
    #[cold]
    fn unusual_comment<T>(
        &mut self,
        at: usize,
        nested: bool,
        report: impl FnOnce(Comment<'_>) -> T,
    ) -> io::Result<T> {
        // A game begins before the second opening brace, and the comment has no closing brace.
        let mut game = next_game(&self.buffer.ahead()[..at], !nested);
        let (mut end, mut closed) = (at, false);
        if game.is_none() && nested {
            (end, closed) = self.buffer.find(at, |text| memchr(b'}', text))?;
            let text = &self.buffer.ahead()[..end];
            let last = if closed {
                memrchr(b'{', text).unwrap_or(at)
            } else {
                end
            };
            game = next_game(&text[..last], !closed);
        }
        let mut problem = None;
        if let Some(game) = game {
            end = game;
            problem = Some(PgnError::UnclosedComment);
        } else if !closed {
            problem = Some(if self.buffer.is_full() {
                PgnError::TooLong
            } else {
                PgnError::UnclosedComment
            });
        }
        if let Some(problem) = problem {
            self.trouble = Some((problem, self.buffer.location()));
        }
        let answer = report(Comment::new(&self.buffer.ahead()[1.min(end)..end]));
        self.buffer
            .skip(end + usize::from(closed && game.is_none()));
        if problem == Some(PgnError::TooLong) {
            self.skip_comment(Some(b'}'))?;
        }
        Ok(answer)
    }

    /// Skips the rest of a comment that is too long: after its brace, or to the end of its line.
    fn skip_comment(&mut self, brace: Option<u8>) -> io::Result<()> {
        const NEXT_GAME: &[u8] = b"\n[Event \"";
        loop {
            self.buffer.want(LOOKAHEAD)?;
            let ahead = self.buffer.ahead();
            let length = ahead.len();
            let end = match brace {
                Some(brace) => {
                    let game = memmem::find(ahead, NEXT_GAME);
                    let end = memchr(brace, ahead).map(|end| end + 1);
                    end.into_iter().chain(game.map(|game| game + 1)).min()
                }
                None => memchr2(b'\n', b'\r', ahead),
            };
            if let Some(end) = end {
                self.buffer.skip(end);
                return Ok(());
            }
            if length <= NEXT_GAME.len() {
                self.buffer.skip(length);
                return Ok(());
            }
            self.buffer.skip(length - NEXT_GAME.len());
        }
    }
}
