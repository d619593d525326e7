//! The main lines of games, read one after the other.

use std::io;
use std::ops::ControlFlow;

use memchr::memmem;
use skewer_pgn::{
    Comment, Contradictions, EvalTag, Location, MoveNumber, Nag, Outcome, PgnError, Reader, Replay,
    San, Start, TagValue, Variation, Visitor, annotation, outcome_of,
};

use skewer_analysis::clocks::{ClockStyle, FirstClock, Speed, TimeControl};

use super::source::Source;
use crate::moves::PyMove;
use crate::record::{Fault, Record, Remark, Row};

/// Which games are recorded, and how much of each.
#[derive(Clone, Default)]
pub(crate) struct Wanted {
    /// Whether to record rows and the wanted tags only, in place of moves, comments and all tags.
    pub(crate) sparse: bool,
    /// The tags that a sparse record keeps.
    pub(crate) tags: Vec<String>,
    /// The lowest and the highest rating of both players.
    pub(crate) elo: Option<(u32, u32)>,
    /// Names of classes of time controls.
    pub(crate) speeds: Option<Vec<String>>,
    /// The results that games must have.
    pub(crate) results: Option<Vec<String>>,
    /// The plies whose positions become rows of the `Columns` (`arrays/columns.rs`): the first, and the one after the
    /// last.
    pub(crate) plies: (usize, usize),
    /// Whether the `Columns` have clocks.
    pub(crate) clocks: bool,
}

impl Wanted {
    /// Whether a sparse record has a tag.
    fn has(&self, name: &[u8]) -> bool {
        let needed = match name {
            b"Result" => true,
            b"WhiteElo" | b"BlackElo" => self.elo.is_some(),
            b"TimeControl" => self.speeds.is_some() || self.clocks,
            _ => false,
        };
        needed || self.tags.iter().any(|tag| tag.as_bytes() == name)
    }

    /// Whether a class of time controls is wanted.
    fn accepts_speed(&self, speed: Speed) -> bool {
        let name = <&str>::from(speed);
        let wanted = self.speeds.as_ref();
        wanted.is_none_or(|speeds| speeds.iter().any(|wanted| wanted == name))
    }

    /// Whether the tags of a game can be as wanted. The result and the class of the time control are checked at the end
    /// of the game: the moves may end with another result, and the clocks decide the unit of the time control.
    fn accepts(&self, record: &Record) -> bool {
        let rated = |(low, high): (u32, u32)| {
            ["WhiteElo", "BlackElo"].into_iter().all(|name| {
                let elo = record.tags.get(name).and_then(|text| text.parse().ok());
                elo.is_some_and(|elo: u32| (low..=high).contains(&elo))
            })
        };
        let tag = record.tags.get("TimeControl").unwrap_or_default();
        let timed = self.speeds.is_none()
            || TimeControl::possible_speeds(tag).any(|speed| self.accepts_speed(speed));
        self.elo.is_none_or(rated) && timed
    }

    /// Whether the time control of a game is of a wanted class, by its first clocks.
    fn accepts_control(&self, record: &Record, first: [Option<FirstClock>; 2]) -> bool {
        let has = |control: TimeControl| self.accepts_speed(control.speed());
        self.speeds.is_none() || record.control(first).is_some_and(has)
    }

    /// Whether the result of a game is one of the wanted results.
    fn accepts_result(&self, record: &Record) -> bool {
        let result = Outcome::pgn_result(record.outcome);
        let results = self.results.as_ref();
        results.is_none_or(|results| results.iter().any(|wanted| wanted == result))
    }
}

/// Room for the rows of most games, so that they need not be moved.
const USUAL_PLIES: usize = 128;

/// Records the main line of a game.
#[derive(Default)]
struct Recorder {
    replay: Replay,
    record: Record,
    /// For a record that is not sparse.
    contradictions: Contradictions,
    wanted: Wanted,
    /// The evaluation of the current position, for a sparse record.
    eval: Option<EvalTag>,
    /// The clocks in a sparse record that have two parts, such as `1:30`, with the numbers of their rows.
    short_clocks: Vec<(usize, [u32; 2])>,
    /// The comments with clocks of two parts after the first move of each player.
    first_short_clocks: Vec<String>,
    /// The first clock of each player: of the player who moves first, and of the other one.
    first_clocks: [Option<FirstClock>; 2],
}

impl Recorder {
    /// Ends the game at an error.
    fn fail(&mut self, reason: String) -> ControlFlow<Option<Record>> {
        self.record.errors.push(Fault {
            place: None,
            reason,
        });
        ControlFlow::Break(Some(self.finish()))
    }

    /// Records what contradicts the rest of the game. What has no place stands before everything that has one.
    fn take_contradictions(&mut self, place: Option<Location>) {
        let found = self.contradictions.take().into_iter().map(|reason| Fault {
            place,
            reason: reason.to_string(),
        });
        let problems = &mut self.record.problems;
        let at = match place {
            Some(_) => problems.len(),
            None => problems.partition_point(|fault| fault.place.is_none()),
        };
        problems.splice(at..at, found);
    }

    /// Takes the complete record.
    fn finish(&mut self) -> Record {
        let mut record = std::mem::take(&mut self.record);
        if !self.short_clocks.is_empty() {
            let control = record.control(self.first_clocks);
            let first = self.first_short_clocks.iter().map(String::as_str);
            let style = ClockStyle::of(control, first);
            for (row, parts) in self.short_clocks.drain(..) {
                record.rows[row].clock = style.short_clock(parts);
            }
        }
        record
    }

    /// Reads the first clock of a player from the comment after the last move.
    fn read_first_clock(&mut self, text: &str) {
        if let Some(last) = self.record.rows.len().checked_sub(1)
            && self.first_clocks[last % 2].is_none()
        {
            self.first_clocks[last % 2] = FirstClock::read(last as u32 / 2 + 1, text);
        }
    }

    /// Reads the clock of the last row from a comment.
    fn read_clock(&mut self, text: &str) {
        let plies = self.record.rows.len();
        let Some(row) = self
            .record
            .rows
            .last_mut()
            .filter(|row| row.clock.is_none())
        else {
            return;
        };
        row.clock = annotation::clock(text).map(|clock| clock.as_secs_f64());
        let is_read = self
            .short_clocks
            .last()
            .is_some_and(|&(row, _)| row + 1 == plies);
        if row.clock.is_none()
            && !is_read
            && let Some(parts) = annotation::short_clock(text)
        {
            self.short_clocks.push((plies - 1, parts));
            if plies <= 2 {
                self.first_short_clocks.push(text.to_owned());
            }
        }
    }
}

impl Visitor for Recorder {
    /// `None` for a game that is not wanted.
    type Output = Option<Record>;

    fn begin_game(&mut self) -> ControlFlow<Self::Output> {
        self.replay.reset();
        self.record = Record::default();
        self.contradictions = Contradictions::default();
        self.eval = None;
        self.short_clocks.clear();
        self.first_short_clocks.clear();
        self.first_clocks = [None; 2];
        ControlFlow::Continue(())
    }

    fn tag(&mut self, name: &[u8], value: TagValue<'_>) -> ControlFlow<Self::Output> {
        self.replay.tag(name, value);
        if self.wanted.sparse && !self.wanted.has(name) {
            return ControlFlow::Continue(());
        }
        let name = String::from_utf8_lossy(name);
        if self.wanted.sparse {
            self.record.tags.set(name, value.decode());
        } else {
            self.contradictions
                .tag(&mut self.record.tags, name, value.decode());
        }
        ControlFlow::Continue(())
    }

    fn end_tags(&mut self) -> ControlFlow<Self::Output> {
        self.record.outcome = self.record.tags.get("Result").and_then(outcome_of);
        if !self.wanted.accepts(&self.record) {
            return ControlFlow::Break(None);
        }
        if let Err(error) = self.replay.start() {
            return self.fail(error.to_string());
        }
        self.record.start = *self.replay.board();
        self.record.mode = self.replay.mode();
        if self.wanted.sparse {
            self.record.rows.reserve(USUAL_PLIES);
        } else {
            let start = Start {
                board: self.record.start,
                mode: self.record.mode,
            };
            self.contradictions.start(&self.record.tags, &start);
            self.take_contradictions(None);
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn number(&mut self, number: MoveNumber<'_>) -> ControlFlow<Self::Output> {
        if !self.wanted.sparse {
            self.contradictions.number(number, self.replay.board());
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn doubts(&self) -> bool {
        self.contradictions.has_found()
    }

    fn san(&mut self, san: San<'_>) -> ControlFlow<Self::Output> {
        match self.replay.play(san) {
            Ok(mv) => {
                let before = self.replay.board_before();
                let python = PyMove::of(before, mv, self.record.mode);
                if self.wanted.sparse {
                    self.record.rows.push(Row {
                        position: *before,
                        mv: python,
                        eval: self.eval.take(),
                        clock: None,
                    });
                } else {
                    self.record.moves.push(mv);
                    self.record.python_moves.push(python);
                }
                ControlFlow::Continue(())
            }
            Err(error) => {
                let board = self.replay.board();
                let dots = board.turn().fold(".", "...");
                let number = board.fullmove_number();
                self.fail(format!("move {number}{dots} {san} is {error}"))
            }
        }
    }

    fn nag(&mut self, nag: Nag) -> ControlFlow<Self::Output> {
        if self.wanted.sparse {
            return ControlFlow::Continue(());
        }
        let ply = self.record.moves.len() as u32;
        self.record.remarks.push((ply, Remark::Nag(nag)));
        ControlFlow::Continue(())
    }

    fn comment(&mut self, comment: Comment<'_>) -> ControlFlow<Self::Output> {
        if self.wanted.sparse {
            let is_open = self.wanted.speeds.is_some() && self.first_clocks.contains(&None);
            let command: &[u8] = if self.wanted.clocks || is_open {
                b"[%"
            } else {
                b"[%eval"
            };
            if memmem::find(comment.as_bytes(), command).is_some() {
                let text = comment.decode();
                if self.wanted.clocks || is_open {
                    self.read_first_clock(&text);
                }
                // The rest of a game that is not wanted need not be parsed.
                if is_open
                    && !self.first_clocks.contains(&None)
                    && !self.wanted.accepts_control(&self.record, self.first_clocks)
                {
                    return ControlFlow::Break(None);
                }
                self.eval = self
                    .eval
                    .or_else(|| EvalTag::find_at(&text, self.replay.board()));
                if self.wanted.clocks {
                    self.read_clock(&text);
                }
            }
            return ControlFlow::Continue(());
        }
        let ply = self.record.moves.len() as u32;
        let start = self.record.comments.len() as u32;
        self.record.comments.push_str(&comment.decode());
        let end = self.record.comments.len() as u32;
        self.record.remarks.push((ply, Remark::Comment(start, end)));
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Self::Output, Variation> {
        ControlFlow::Continue(Variation::Skip)
    }

    fn outcome(&mut self, outcome: Option<Outcome>) -> ControlFlow<Self::Output> {
        // After a star, the result of the tag counts.
        self.record.outcome = outcome.or(self.record.outcome);
        if !self.wanted.sparse {
            self.contradictions.outcome(outcome, self.replay.board());
        }
        ControlFlow::Continue(())
    }

    fn problem(&mut self, problem: PgnError, location: Location) -> ControlFlow<Self::Output> {
        if problem == PgnError::Contradiction {
            self.take_contradictions(Some(location));
            return ControlFlow::Continue(());
        }
        self.record.errors.push(Fault {
            place: Some(location),
            reason: problem.to_string(),
        });
        if problem == PgnError::UnclosedComment {
            return ControlFlow::Break(Some(self.finish()));
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self) -> Option<Record> {
        if !self.wanted.sparse {
            self.contradictions.end(self.replay.board());
            self.take_contradictions(None);
        }
        Some(self.finish())
    }
}

/// Reads records one after the other.
pub(crate) struct Records {
    reader: Reader<Source>,
    recorder: Recorder,
    /// Games and lines of the file before the source.
    before: (u64, u64),
    /// Games so far.
    pub(crate) games: u64,
}

impl Records {
    /// The games of `source`, before which a file has this many games and lines.
    pub(crate) fn new(source: Source, wanted: &Wanted, before: (u64, u64)) -> Self {
        Self {
            reader: Reader::new(source),
            recorder: Recorder {
                wanted: wanted.clone(),
                ..Recorder::default()
            },
            before,
            games: 0,
        }
    }

    /// The next game that is wanted.
    pub(crate) fn next(&mut self) -> io::Result<Option<Record>> {
        while let Some(visited) = self.reader.read_game(&mut self.recorder)? {
            self.games += 1;
            let Some(mut record) = visited.output else {
                continue;
            };
            // An error that ended the game has its place from the reader.
            if let (Some(stopped), Some(error)) = (visited.stopped, record.errors.last_mut()) {
                error.place.get_or_insert(stopped.location);
            }
            for problem in &mut record.problems {
                // The reader does not report the place of a tag.
                problem.place.get_or_insert(Location::of_line(visited.line));
            }
            let wanted = &self.recorder.wanted;
            let first_clocks = self.recorder.first_clocks;
            if wanted.accepts_result(&record) && wanted.accepts_control(&record, first_clocks) {
                record.number = visited.number;
                record.line = visited.line;
                record.move_by(self.before.0, self.before.1);
                return Ok(Some(record));
            }
        }
        Ok(None)
    }

    /// Passes over a game without parsing its moves. False at the end.
    pub(crate) fn skip(&mut self) -> io::Result<bool> {
        self.reader.skip_game()
    }
}
