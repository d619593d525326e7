//! The event reader: reads a stream of games and calls a [`Visitor`]. It does not check moves;
//! [`Games`](crate::Games) does.

use std::io::{self, Read};
use std::ops::ControlFlow;

use memchr::{memchr, memchr2, memmem};

use crate::buffer::Buffer;
use crate::params::{LOOKAHEAD, MOST_TAGS};
use crate::place::{KINDS, Kind, Place};
use crate::visitor::Silent;
use crate::{Comment, PgnError, TagValue, Visitor};

/// Reads games one after the other from any source of bytes.
///
/// The source need not be buffered. With any file, the reader uses at most a
/// few times [`params::LONGEST_TOKEN`](crate::params::LONGEST_TOKEN) in memory, and most of the
/// time little more than [`params::CHUNK`](crate::params::CHUNK).
#[derive(Debug)]
pub struct Reader<R> {
    pub(crate) buffer: Buffer<R>,
    /// A comment before the first tag or move of a game.
    leading: Vec<u8>,
    /// That comment has no end.
    unclosed: bool,
    games: u64,
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
    /// The line, from 1.
    pub line: u64,
    /// Whether it was at the last token of the file, which may be incomplete.
    pub at_end: bool,
}

/// A tag of the next game, in a comment that was never closed.
const NEXT_GAME: &[u8] = b"\n[Event \"";

/// Comments shorter than this are not searched for the beginning of the next game.
const SUSPICIOUS: usize = 128;

impl<R: Read> Reader<R> {
    /// A reader of the games in `source`.
    pub fn new(source: R) -> Self {
        Self {
            buffer: Buffer::new(source),
            leading: Vec::new(),
            unclosed: false,
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
        if !self.find_game()? {
            return Ok(None);
        }
        self.games += 1;
        let (number, line) = (self.games, self.buffer.line());
        let mut place = Place {
            fresh_line: true,
            ..Place::default()
        };
        let (output, stopped) = match self.visit(visitor, &mut place)? {
            ControlFlow::Continue(()) => (visitor.end_game(), None),
            ControlFlow::Break(output) => {
                let stopped = Stopped {
                    line: self.buffer.line(),
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

    /// Goes to the first byte of the next game.
    fn find_game(&mut self) -> io::Result<bool> {
        self.leading.clear();
        loop {
            self.buffer.want(LOOKAHEAD)?;
            let fresh_line = self.buffer.before() == b'\n';
            let ahead = self.buffer.ahead();
            let Some(&first) = ahead.first() else {
                return Ok(false);
            };
            match first {
                b'%' if fresh_line => self.buffer.skip_line()?,
                b';' | b'{' => {
                    // Kept in case no tags follow.
                    let mut leading = std::mem::take(&mut self.leading);
                    leading.clear();
                    let problem = self.comment(|text, problem| {
                        leading.extend_from_slice(text);
                        problem
                    })?;
                    self.leading = leading;
                    if problem == Some(PgnError::UnclosedComment) {
                        // Reported as a game of its own, because the comment may hold games.
                        self.unclosed = true;
                        return Ok(true);
                    }
                }
                0xef if ahead.starts_with(b"\xef\xbb\xbf") => self.buffer.skip(3),
                _ if KINDS[usize::from(first)] == Kind::Blank => self.buffer.skip(1),
                _ => return Ok(true),
            }
        }
    }

    fn visit<V: Visitor>(
        &mut self,
        visitor: &mut V,
        place: &mut Place,
    ) -> io::Result<ControlFlow<V::Output>> {
        if let flow @ ControlFlow::Break(_) = visitor.begin_game() {
            return Ok(flow);
        }
        if std::mem::take(&mut self.unclosed) {
            place.ended = true;
            return Ok(visitor.problem(PgnError::UnclosedComment));
        }
        let bare = self.buffer.ahead().first() != Some(&b'[');
        if let flow @ ControlFlow::Break(_) = self.tags(visitor, place)? {
            return Ok(flow);
        }
        if let flow @ ControlFlow::Break(_) = visitor.end_tags() {
            return Ok(flow);
        }
        if place.ended {
            return Ok(ControlFlow::Continue(()));
        }
        if bare && !self.leading.is_empty() {
            let leading = std::mem::take(&mut self.leading);
            if let flow @ ControlFlow::Break(_) = visitor.comment(Comment::new(&leading)) {
                return Ok(flow);
            }
        }
        self.moves(visitor, place)
    }

    /// Skips the rest of a game after the visitor broke off.
    fn pass_over(&mut self, place: &mut Place) -> io::Result<()> {
        place.floor = 0;
        if place.tags {
            let _ = self.tags(&mut Silent, place)?;
        }
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
        loop {
            self.buffer.want(LOOKAHEAD)?;
            let fresh_line = self.buffer.before() == b'\n';
            let ahead = self.buffer.ahead();
            match ahead.first() {
                // After an empty line, the tags of the next game: this one has no moves.
                Some(b'[')
                    if line_ends > 1
                        && NEXT_GAME[1..].starts_with(&ahead[..7.min(ahead.len())]) =>
                {
                    place.ended = true;
                    break;
                }
                Some(b'[') => {
                    tags += 1;
                    let flow = if tags <= MOST_TAGS {
                        self.tag(visitor)?
                    } else {
                        let _ = self.tag(&mut Silent)?;
                        if tags == MOST_TAGS + 1 {
                            visitor.problem(PgnError::TooManyTags)
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
                _ => break,
            }
        }
        place.tags = false;
        Ok(ControlFlow::Continue(()))
    }

    /// Reads `[Name "Value"]`, also with common errors.
    fn tag<V: Visitor>(&mut self, visitor: &mut V) -> io::Result<ControlFlow<V::Output>> {
        // Read the whole line into the buffer.
        let (line, complete) = self.buffer.find(0, |text| memchr(b'\n', text))?;
        let too_long = self.buffer.is_full();
        let text = &self.buffer.ahead()[1..line];
        let (used, flow) = match split_tag(text) {
            Some((name, value, used)) => (used, visitor.tag(name, TagValue::new(value))),
            None if !complete => (text.len(), ControlFlow::Continue(())),
            None => (text.len(), visitor.problem(PgnError::BadTag)),
        };
        // A complete tag at the end of the file is not cut short.
        let whole = text[..used].ends_with(b"]");
        self.buffer.skip(1 + used);
        if let ControlFlow::Continue(()) = flow
            && !complete
            && !whole
        {
            if too_long {
                self.buffer.skip_line()?;
                return Ok(visitor.problem(PgnError::TooLong));
            }
            return Ok(visitor.problem(PgnError::CutShort));
        }
        Ok(flow)
    }

    /// Reads a comment of either kind, which begins at the next byte.
    pub(crate) fn comment<T>(
        &mut self,
        report: impl FnOnce(&[u8], Option<PgnError>) -> T,
    ) -> io::Result<T> {
        let braces = self.buffer.ahead().first() == Some(&b'{');
        let find_end = |text: &[u8]| {
            if braces {
                memchr(b'}', text)
            } else {
                memchr2(b'\n', b'\r', text)
            }
        };
        // The text ends at `end`; the next token begins at `next`.
        let (mut end, found) = self.buffer.find(1, find_end)?;
        let mut next = end + usize::from(found && braces);
        let mut problem = if found {
            None
        } else if self.buffer.is_full() {
            Some(PgnError::TooLong)
        } else {
            braces.then_some(PgnError::UnclosedComment)
        };
        if braces
            && end > SUSPICIOUS
            && let Some(game) = memmem::find(&self.buffer.ahead()[..end], NEXT_GAME)
        {
            (end, next) = (game, game + 1);
            problem = Some(PgnError::UnclosedComment);
        }
        let answer = report(&self.buffer.ahead()[1.min(end)..end], problem);
        self.buffer.skip(next);
        if problem == Some(PgnError::TooLong) {
            // Skip the rest.
            loop {
                self.buffer.want(LOOKAHEAD)?;
                let ahead = self.buffer.ahead();
                let length = ahead.len();
                let game = memmem::find(ahead, NEXT_GAME).filter(|_| braces);
                let end = find_end(ahead).map(|end| end + usize::from(braces));
                if let Some(end) = end.into_iter().chain(game.map(|game| game + 1)).min() {
                    break self.buffer.skip(end);
                }
                if length <= NEXT_GAME.len() {
                    break self.buffer.skip(length);
                }
                self.buffer.skip(length - NEXT_GAME.len());
            }
        }
        Ok(answer)
    }
}

/// Whether a bracket probably opens a tag.
pub(crate) fn looks_like_tag(ahead: &[u8]) -> bool {
    let name = ahead[1..].iter().take_while(|&&byte| is_name(byte)).count();
    let rest = ahead[1 + name..].trim_ascii_start();
    name > 0 && rest.first() == Some(&b'"')
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// The name and the value of a tag, from its line after the opening bracket, and the length up to the
/// closing bracket in bytes.
fn split_tag(line: &[u8]) -> Option<(&[u8], &[u8], usize)> {
    let blanks = |text: &[u8]| text.len() - text.trim_ascii_start().len();
    let start = blanks(line);
    let name = line[start..]
        .iter()
        .take_while(|&&byte| is_name(byte))
        .count();
    if name == 0 {
        return None;
    }
    let name = &line[start..start + name];
    let mut at = start + name.len();
    at += blanks(&line[at..]);
    if line.get(at) != Some(&b'"') {
        // Without quotes: `[Round 1]`.
        let end = memchr(b']', &line[at..]).map(|end| at + end);
        let value = line[at..end.unwrap_or(line.len())].trim_ascii();
        return Some((name, value, end.map_or(line.len(), |end| end + 1)));
    }
    at += 1;
    let closed = |quote: usize| {
        let blanks = blanks(&line[quote + 1..]);
        (line.get(quote + 1 + blanks) == Some(&b']')).then_some(quote + blanks + 2)
    };
    // A quote in the middle is part of the value, even if it is not escaped.
    let mut search = at;
    while let Some(found) = memchr2(b'"', b'\\', &line[search..]) {
        let quote = search + found;
        if line[quote] == b'\\' {
            search = (quote + 2).min(line.len());
            continue;
        }
        if let Some(used) = closed(quote) {
            return Some((name, &line[at..quote], used));
        }
        search = quote + 1;
    }
    // A backslash before the last quote is usually an error rather than an escape.
    if let Some(quote) = memchr::memrchr(b'"', &line[at..]).map(|quote| at + quote) {
        let used = closed(quote).unwrap_or(line.len());
        return Some((name, &line[at..quote], used));
    }
    let value = line[at..].trim_ascii_end();
    Some((name, value.strip_suffix(b"]").unwrap_or(value), line.len()))
}
