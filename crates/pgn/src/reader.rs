//! The event reader: reads a stream of games and calls a [`Visitor`]. It does not check moves;
//! [`Games`](crate::Games) does.

use std::io::{self, Read};
use std::mem::take;
use std::ops::ControlFlow;

use memchr::{memchr, memchr_iter, memchr2, memmem, memrchr};

use crate::buffer::Buffer;
use crate::characters::{Meaning, first_char, meaning};
use crate::params::{LONGEST_TOKEN, LOOKAHEAD, MOST_TAGS};
use crate::place::{KINDS, Kind, Place};
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
    /// The comments before the first move of a game: before, between and behind the tags.
    leading: Vec<Vec<u8>>,
    /// What is wrong with the last comment.
    pub(crate) trouble: Option<(PgnError, Location)>,
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
    /// Before the token at which it broke off.
    pub location: Location,
    /// Whether it was at the last token of the file, which may be incomplete.
    pub at_end: bool,
}

/// The first tag of nearly every game.
pub(crate) const FIRST_TAG: &[u8] = b"[Event \"";

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
                    self.keep_comment()?;
                    if let Some((PgnError::UnclosedComment, _)) = self.trouble {
                        // Reported as a game of its own, because the comment may hold games.
                        return Ok(true);
                    }
                }
                _ if KINDS[usize::from(first)] == Kind::Blank => self.buffer.skip(1),
                _ => match foreign_blank(ahead) {
                    0 => return Ok(true),
                    length => self.buffer.skip(length),
                },
            }
        }
    }

    /// Reads a comment that is reported later.
    fn keep_comment(&mut self) -> io::Result<()> {
        let text = self.comment(<[u8]>::to_vec)?;
        self.leading.push(text);
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
        for text in take(&mut self.leading) {
            if let flow @ ControlFlow::Break(_) = visitor.comment(Comment::new(&text)) {
                return Ok(flow);
            }
        }
        if let Some((problem, location)) = self.trouble.take()
            && let flow @ ControlFlow::Break(_) = visitor.problem(problem, location)
        {
            return Ok(flow);
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
                // After an empty line or another tag `Event`, the tags of the next game: this one has no moves.
                Some(b'[')
                    if ahead.get(1).is_none_or(|&byte| byte == b'E')
                        && (line_ends > 1 || (place.event && ahead.len() > 7))
                        && FIRST_TAG.starts_with(&ahead[..7.min(ahead.len())]) =>
                {
                    place.ended = true;
                    break;
                }
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
                // Reported behind the tags, of which more may follow.
                Some(b';' | b'{') if kept < LONGEST_TOKEN => {
                    self.keep_comment()?;
                    kept += 64 + self.leading.last().map_or(0, Vec::len);
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
        let text = &self.buffer.ahead()[1..line];
        let mut problem;
        let found = split_tag(text);
        let odd = found.as_ref().is_none_or(|tag| tag.odd);
        let (used, flow) = if odd && let Some(next) = memmem::find(text, FIRST_TAG) {
            // The tag was cut, and another game begins.
            problem = Some(PgnError::BadTag);
            place.event = true;
            (next, ControlFlow::Continue(()))
        } else if let Some(tag) = found {
            problem = tag.cut.then_some(PgnError::BadTag);
            (tag.used, visitor.tag(tag.name, TagValue::new(tag.value)))
        } else {
            problem = complete.then_some(PgnError::BadTag);
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

    /// Reads a comment of either kind, which begins at the next byte. What is wrong with it is left in `trouble`.
    #[inline]
    pub(crate) fn comment<T>(&mut self, report: impl FnOnce(&[u8]) -> T) -> io::Result<T> {
        if self.buffer.ahead().first() == Some(&b'{') {
            let (end, found) = self.buffer.find(1, |text| memchr2(b'}', b'{', text))?;
            if !found || self.buffer.ahead()[end] == b'{' {
                return self.unusual_comment(end, found, report);
            }
            let answer = report(&self.buffer.ahead()[1..end]);
            self.buffer.skip(end + 1);
            return Ok(answer);
        }
        let (end, found) = self.buffer.find(1, |text| memchr2(b'\n', b'\r', text))?;
        if !found && self.buffer.is_full() {
            self.trouble = Some((PgnError::TooLong, self.buffer.location()));
        }
        let answer = report(&self.buffer.ahead()[1.min(end)..end]);
        self.buffer.skip(end);
        if self.trouble.is_some() {
            self.skip_comment(None)?;
        }
        Ok(answer)
    }

    /// A comment in braces with another opening brace, which is at `at`, or without an end.
    #[cold]
    fn unusual_comment<T>(
        &mut self,
        at: usize,
        nested: bool,
        report: impl FnOnce(&[u8]) -> T,
    ) -> io::Result<T> {
        // A game between the brace and another one, and no closing brace.
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
        let answer = report(&self.buffer.ahead()[1.min(end)..end]);
        self.buffer
            .skip(end + usize::from(closed && game.is_none()));
        if problem == Some(PgnError::TooLong) {
            self.skip_comment(Some(b'}'))?;
        }
        Ok(answer)
    }

    /// Skips the rest of a comment that is too long: behind its brace, or to the end of its line.
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

/// The length of a blank or an invisible character outside ASCII at the front; 0 if there is none.
pub(crate) fn foreign_blank(ahead: &[u8]) -> usize {
    match first_char(ahead) {
        Some((c, length))
            if !c.is_ascii() && matches!(meaning(c), Meaning::Blank | Meaning::Invisible) =>
        {
            length
        }
        _ => 0,
    }
}

/// Where the next game begins in a comment that has no closing brace: at the first line that is a tag, or a tag `Event`
/// at the end of a line, if the lines of tags are followed by an empty line or by moves. `is_all` says that nothing comes
/// behind the text, so that its end ends a line.
fn next_game(text: &[u8], is_all: bool) -> Option<usize> {
    // Lines that were looked at once are not looked at again.
    let mut passed = 0;
    memchr_iter(b'[', text).find(|&at| {
        let begins_line = text[..at].last() == Some(&b'\n');
        if at < passed || !(begins_line || text[at..].starts_with(FIRST_TAG)) {
            return false;
        }
        let length = tag_lines(&text[at..], is_all);
        passed = at + length;
        // Behind other text only more tags or an empty line show that no comment quotes one.
        let first_line = memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end + 1);
        let alone = begins_line
            || matches!(
                text.get(first_line),
                None | Some(b'[' | b'%' | b';' | b'\n' | b'\r')
            );
        length > 0 && alone && is_before_moves(&text[passed..])
    })
}

/// The length of the lines at the front that are whole tags, and of escaped lines and comments between them.
fn tag_lines(text: &[u8], is_all: bool) -> usize {
    let mut length = 0;
    while let Some(first) = text.get(length) {
        let rest = &text[length..];
        let end = match memchr(b'\n', rest) {
            Some(end) => end,
            None if is_all => rest.len(),
            None => break,
        };
        let is_tag = looks_like_tag(rest) && rest[..end].trim_ascii_end().ends_with(b"\"]");
        let goes_on = match first {
            b'[' => is_tag,
            b'%' | b';' => length > 0,
            _ => false,
        };
        if !goes_on {
            break;
        }
        length += (end + 1).min(rest.len());
    }
    length
}

/// Whether what follows lines of tags is an empty line, a move number, a comment or a result, and no prose.
fn is_before_moves(text: &[u8]) -> bool {
    let blanks = text.len() - text.trim_ascii_start().len();
    memchr(b'\n', &text[..blanks]).is_some()
        || matches!(
            text.get(blanks),
            None | Some(b'0'..=b'9' | b'{' | b'*' | b'(')
        )
}

/// Whether a bracket probably opens a tag.
pub(crate) fn looks_like_tag(ahead: &[u8]) -> bool {
    if ahead.first() != Some(&b'[') {
        return false;
    }
    let name = ahead[1..].iter().take_while(|&&byte| is_name(byte)).count();
    let rest = ahead[1 + name..].trim_ascii_start();
    name > 0 && rest.first() == Some(&b'"')
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// A tag as it stands in its line.
struct SplitTag<'a> {
    name: &'a [u8],
    value: &'a [u8],
    /// The length up to the closing bracket, in bytes.
    used: usize,
    /// There are no quotes, or more than two.
    odd: bool,
    /// Something behind the last quote is neither part of the value nor the bracket.
    cut: bool,
}

/// The tag of a line, which is given without the opening bracket.
fn split_tag(line: &[u8]) -> Option<SplitTag<'_>> {
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
    let tag = |value, used, odd| SplitTag {
        name,
        value,
        used,
        odd,
        cut: false,
    };
    if line.get(at) != Some(&b'"') {
        // Without quotes: `[Round 1]`.
        let end = memchr(b']', &line[at..]).map(|end| at + end);
        let value = line[at..end.unwrap_or(line.len())].trim_ascii();
        return Some(tag(value, end.map_or(line.len(), |end| end + 1), true));
    }
    at += 1;
    let closed = |quote: usize| {
        let blanks = blanks(&line[quote + 1..]);
        (line.get(quote + 1 + blanks) == Some(&b']')).then_some(quote + blanks + 2)
    };
    // A quote in the middle is part of the value, even if it is not escaped.
    let mut search = at;
    let mut odd = false;
    while let Some(found) = memchr2(b'"', b'\\', &line[search..]) {
        let quote = search + found;
        if line[quote] == b'\\' {
            search = (quote + 2).min(line.len());
            continue;
        }
        if let Some(used) = closed(quote) {
            return Some(tag(&line[at..quote], used, odd));
        }
        odd = true;
        search = quote + 1;
    }
    // A backslash before the last quote is usually an error rather than an escape.
    if let Some(quote) = memrchr(b'"', &line[at..]).map(|quote| at + quote) {
        let used = closed(quote);
        return Some(SplitTag {
            cut: used.is_none() && !line[quote + 1..].trim_ascii().is_empty(),
            ..tag(&line[at..quote], used.unwrap_or(line.len()), true)
        });
    }
    let value = line[at..].trim_ascii_end();
    let value = value.strip_suffix(b"]").unwrap_or(value);
    Some(tag(value, line.len(), true))
}
