//! The games of a file, parsed on one core or on several.

use std::collections::VecDeque;
use std::io::{self, Cursor, Read};
use std::sync::Arc;

use memchr::{memchr_iter, memmem};
use rayon::ThreadPool;

use super::recorder::{Records, Wanted};
use super::source::Source;
use crate::record::Record;

/// The length of the text that one core parses at once, in bytes.
const CHUNK: usize = 1 << 19;
/// After this many bytes without a boundary between games, one core reads the rest.
const LONGEST: usize = 32 * CHUNK;
/// The text with which every game of nearly every file begins.
const FIRST_TAG: &[u8] = b"\n[Event \"";

/// A collection of results from games.
pub(crate) trait Collect: Default + Send {
    /// How many games one core reads for a batch.
    const AT_ONCE: usize;

    /// Adds the wanted parts of a game.
    fn add(&mut self, record: Record, wanted: &Wanted);

    /// Adds to all numbers of games and lines how many `games` and `lines` come before these games in the
    /// file.
    fn move_by(&mut self, games: u64, lines: u64);
}

impl Collect for Vec<Record> {
    const AT_ONCE: usize = 1;

    fn add(&mut self, record: Record, _wanted: &Wanted) {
        self.push(record);
    }

    fn move_by(&mut self, games: u64, lines: u64) {
        for record in self {
            record.move_by(games, lines);
        }
    }
}

/// Text of whole games, and how many lines are before it.
struct Chunk {
    text: Vec<u8>,
    line: u64,
}

/// The games of a source, in batches of results.
pub(crate) struct Stream<T> {
    wanted: Wanted,
    /// The reader of one core; `None` while several are used.
    one: Option<Records>,
    many: Option<Splitter>,
    pool: Option<Arc<ThreadPool>>,
    threads: usize,
    /// Chunks that were read and are not parsed yet.
    chunks: Vec<Chunk>,
    parsed: VecDeque<T>,
    /// The number of games before the chunks.
    games: u64,
}

impl<T: Collect> Stream<T> {
    /// Without a pool, games are parsed one by one, and no text is read that is not needed yet.
    pub(crate) fn new(
        source: Source,
        wanted: Wanted,
        pool: Option<(Arc<ThreadPool>, usize)>,
    ) -> Self {
        let (pool, threads) = pool.unzip();
        let (one, many) = if pool.is_none() {
            (Some(Records::new(source, &wanted, (0, 0))), None)
        } else {
            (None, Some(Splitter::new(source)))
        };
        Self {
            wanted,
            one,
            many,
            pool,
            threads: threads.unwrap_or(1),
            chunks: Vec::new(),
            parsed: VecDeque::new(),
            games: 0,
        }
    }

    /// The next batch, which may be empty if games are not wanted; `None` at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<T>> {
        loop {
            if let Some(batch) = self.parsed.pop_front() {
                return Ok(Some(batch));
            }
            if let Some(records) = &mut self.one {
                let mut batch = None;
                for _ in 0..T::AT_ONCE {
                    let Some(record) = records.next()? else { break };
                    batch
                        .get_or_insert_with(T::default)
                        .add(record, &self.wanted);
                }
                return Ok(batch);
            }
            if !self.parse()? {
                return Ok(None);
            }
        }
    }

    /// Passes over a game without parsing it. Returns false at the end, and `None` if games cannot
    /// be passed over.
    pub(crate) fn skip(&mut self) -> io::Result<Option<bool>> {
        let none_ready = self.parsed.is_empty();
        self.one
            .as_mut()
            .filter(|_| none_ready)
            .map(Records::skip)
            .transpose()
    }

    /// Parses the chunks, while the next ones are read. False at the end.
    fn parse(&mut self) -> io::Result<bool> {
        let (Some(splitter), Some(pool)) = (&mut self.many, &self.pool) else {
            return Ok(false);
        };
        if self.chunks.is_empty() {
            self.chunks = splitter.next(self.threads);
        }
        let chunks = std::mem::take(&mut self.chunks);
        let lines: Vec<u64> = chunks.iter().map(|chunk| chunk.line).collect();
        let mut done: Vec<io::Result<(T, u64)>> = Vec::new();
        done.resize_with(chunks.len(), || Ok((T::default(), 0)));
        let wanted = &self.wanted;
        let work = chunks.into_iter().zip(&mut done);
        if work.len() == 1 && splitter.is_empty() {
            // Another thread is not worth waking for a single chunk.
            work.for_each(|(chunk, done)| *done = parse(chunk, wanted));
        } else {
            // This thread reads, because it may be the thread that handles Python's signals.
            self.chunks = pool.in_place_scope(|scope| {
                work.for_each(|(chunk, done)| scope.spawn(move |_| *done = parse(chunk, wanted)));
                splitter.next(self.threads)
            });
        }
        for (done, line) in done.into_iter().zip(lines) {
            let (mut batch, games) = done?;
            batch.move_by(self.games, line);
            self.games += games;
            self.parsed.push_back(batch);
        }
        if self.chunks.is_empty() {
            let before = (self.games, splitter.lines);
            let rest = self.many.take().and_then(Splitter::rest);
            self.one = rest.map(|rest| Records::new(rest, &self.wanted, before));
        }
        Ok(self.one.is_some() || !self.chunks.is_empty() || !self.parsed.is_empty())
    }
}

/// The games of a chunk, and how many it has.
fn parse<T: Collect>(chunk: Chunk, wanted: &Wanted) -> io::Result<(T, u64)> {
    let mut records = Records::new(Box::new(Cursor::new(chunk.text)), wanted, (0, 0));
    let mut batch = T::default();
    while let Some(record) = records.next()? {
        batch.add(record, wanted);
    }
    Ok((batch, records.games))
}

/// Cuts text between games.
struct Splitter {
    source: Source,
    /// Text that was read and is in no chunk yet.
    text: Vec<u8>,
    /// The number of lines before `text`.
    lines: u64,
    ended: bool,
}

impl Splitter {
    fn new(source: Source) -> Self {
        Self {
            source,
            text: Vec::new(),
            lines: 0,
            ended: false,
        }
    }

    /// The next chunks, at most `most`; none at the end, and where there is no place to cut.
    fn next(&mut self, most: usize) -> Vec<Chunk> {
        let mut chunks = Vec::new();
        while chunks.len() < most
            && let Some(length) = self.cut()
        {
            let rest = self.text.split_off(length);
            let text = std::mem::replace(&mut self.text, rest);
            let line = self.lines;
            self.lines += memchr_iter(b'\n', &text).count() as u64;
            chunks.push(Chunk { text, line });
        }
        chunks
    }

    /// The length of the next chunk.
    fn cut(&mut self) -> Option<usize> {
        let mut searched = CHUNK;
        loop {
            while self.text.len() < searched + CHUNK && !self.ended {
                let mut source = (&mut self.source).take(CHUNK as u64);
                match source.read_to_end(&mut self.text) {
                    Ok(length) => self.ended = length == 0,
                    Err(error) => {
                        // The reader of the rest of the text must report the error.
                        self.source = Box::new(Failing(Some(error)));
                        return None;
                    }
                }
            }
            if let Some(at) = boundary(&self.text, searched) {
                return Some(at);
            }
            if self.ended {
                return (!self.text.is_empty()).then_some(self.text.len());
            }
            if self.text.len() > LONGEST {
                return None;
            }
            searched = self.text.len() - FIRST_TAG.len();
        }
    }

    /// Whether all text is in chunks.
    fn is_empty(&self) -> bool {
        self.ended && self.text.is_empty()
    }

    /// The text that is not in a chunk yet; `None` at the end.
    fn rest(self) -> Option<Source> {
        (!self.is_empty()).then(|| Box::new(Cursor::new(self.text).chain(self.source)) as Source)
    }
}

/// A source that has failed.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// The place of the first game after an empty line, at `from` or later.
fn boundary(text: &[u8], from: usize) -> Option<usize> {
    let places = memmem::find_iter(text.get(from..)?, FIRST_TAG);
    places.map(|place| from + place).find_map(|line_end| {
        let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
        let before = text[..line_end].iter().rev().find(|byte| !blank(byte));
        (before == Some(&b'\n')).then_some(line_end + 1)
    })
}
