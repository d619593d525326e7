//! Analyses the games of files: reads games in order, analyses segments of them in any order, and
//! returns results in order.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use skewer_pgn::{Games, PgnGame, ReadError};
use skewer_types::WinModel;

use crate::analyst::{Finding, Settings, model_of_text};
use crate::error::{AnalysisError, GameError};
use crate::input::{self, Source, cannot_read};
use crate::job::{Job, MainLine, Segment, analyse_segment};
use crate::journal::{self, Damage, Log};
use crate::params::WINDOW;
use crate::report::{JudgedGame, Origin};
use crate::selection::Selection;
use crate::workers::{Done, Workers};

/// A game without an analysis.
#[derive(Debug)]
pub struct RejectedGame {
    /// Where it comes from.
    pub origin: Origin,
    /// Why there is no analysis.
    pub error: GameError,
}

/// The result of a game.
pub type Analysed = Result<Box<JudgedGame>, RejectedGame>;

/// How far a run has come.
#[derive(Debug)]
pub enum Step {
    /// The next game in order is done.
    Done(Analysed),
    /// The next game in order is still being analysed.
    Pending,
    /// All games are done.
    End,
}

/// A game that has been read and not yet returned.
enum Waiting {
    Rejected(RejectedGame),
    Open(Box<OpenGame>),
}

/// A game whose segments are being analysed.
struct OpenGame {
    origin: Origin,
    game: PgnGame,
    line: Arc<MainLine>,
    /// Identifies the game in the journal.
    key: u64,
    /// The findings of each segment, once it is analysed.
    segments: Vec<Option<Vec<Finding>>>,
}

impl OpenGame {
    fn is_done(&self) -> bool {
        self.segments.iter().all(Option::is_some)
    }
}

/// An analysis of the games of files. Games are read as they are needed and returned in their order.
///
/// With a node or depth limit the results do not depend on the number of workers.
pub struct Run {
    /// The files that have not been opened.
    files: std::vec::IntoIter<String>,
    /// The name and the games of the open file.
    reading: Option<(String, Games<Source>)>,
    selection: Selection,
    /// Positions in a segment; 0 for whole games.
    split: usize,
    /// Converts scores to centipawns and chances.
    model: WinModel,
    /// Findings that need not be made again.
    log: Log,
    /// `None` if all findings are in the log.
    workers: Option<Workers<Segment, Job, Vec<Finding>>>,
    /// Games that have been read and not yet returned, by number.
    waiting: BTreeMap<u64, Waiting>,
    /// Segments waiting for a worker.
    to_do: VecDeque<(Segment, Job)>,
    /// The number of the last game read.
    number: u64,
    /// Whether there may be further games to read.
    more: bool,
}

impl Run {
    /// Analyses games with this many workers. With a journal, findings are written to it, and those
    /// that it has are not made again.
    ///
    /// # Errors
    ///
    /// When the journal cannot be used, there is not enough memory for the workers, or a thread
    /// cannot be started.
    pub fn start(
        files: Vec<String>,
        selection: Selection,
        settings: &Settings,
        workers: usize,
        journal: Option<(&Path, Damage)>,
    ) -> Result<Self, AnalysisError> {
        let log = match journal {
            Some((path, damage)) => Log::open(path, &settings.text(), damage)?,
            None => Log::default(),
        };
        let work = |analyst: &mut _, job| Ok(analyse_segment(analyst, &job));
        Ok(Self {
            selection,
            workers: Some(Workers::start(workers, settings, work)?),
            ..Self::over(files, log, settings.split, settings.evaluation.win_model())
        })
    }

    /// Takes the findings of all games from the journals of several runs with the same settings.
    /// Also returns these settings.
    ///
    /// # Errors
    ///
    /// When a journal cannot be read, or is of other settings or of another version.
    pub fn merge(
        files: Vec<String>,
        journals: &[PathBuf],
    ) -> Result<(Self, String), AnalysisError> {
        let (log, settings) = Log::read_all(journals)?;
        let split = settings
            .split(' ')
            .find_map(|word| word.strip_prefix("split=")?.parse().ok());
        let model = model_of_text(&settings).ok_or(AnalysisError::OtherVersion)?;
        Ok((Self::over(files, log, split.unwrap_or(0), model), settings))
    }

    fn over(files: Vec<String>, log: Log, split: usize, model: WinModel) -> Self {
        Self {
            files: files.into_iter(),
            reading: None,
            selection: Selection::ALL,
            split,
            model,
            log,
            workers: None,
            waiting: BTreeMap::new(),
            to_do: VecDeque::new(),
            number: 0,
            more: true,
        }
    }

    /// How many segments of the journal have not been used yet.
    pub fn in_journal(&self) -> usize {
        self.log.len()
    }

    /// Returns the next game in order, or waits for a worker, but no longer than `patience`.
    ///
    /// # Errors
    ///
    /// When a file or a journal cannot be read or written, the journal is of other games, or the
    /// workers have ended.
    pub fn step(&mut self, patience: Duration) -> Result<Step, AnalysisError> {
        self.feed()?;
        if let Some(first) = self.waiting.first_entry()
            && !matches!(first.get(), Waiting::Open(open) if !open.is_done())
        {
            let done = first.remove();
            return Ok(Step::Done(self.judge(done)));
        }
        if let Some(workers) = &mut self.workers
            && workers.pending() > 0
        {
            if let Some(done) = workers.wait_for(patience)? {
                self.take(done)?;
            }
            return Ok(Step::Pending);
        }
        match self.to_do.front() {
            Some((segment, _)) => Err(AnalysisError::MissingGame(segment.game)),
            None if self.log.len() > 0 => Err(AnalysisError::MoreGames),
            None => Ok(Step::End),
        }
    }

    /// Reads games until the workers have enough to do.
    fn feed(&mut self) -> Result<(), AnalysisError> {
        let limit = self.workers.as_ref().map_or(1, Workers::limit);
        while self.more && self.to_do.len() < limit && self.waiting.len() < WINDOW + limit {
            self.more = self.read()?;
        }
        while let Some(workers) = self.workers.as_mut().filter(|workers| !workers.are_busy())
            && let Some((segment, job)) = self.to_do.pop_front()
        {
            workers.submit(segment, job)?;
        }
        Ok(())
    }

    /// Reads the next game. Returns false at the end of the selected games.
    fn read(&mut self) -> Result<bool, AnalysisError> {
        let number = self.number + 1;
        if number >= self.selection.end {
            return Ok(false);
        }
        let (file, games) = match &mut self.reading {
            Some(reading) => reading,
            None => match self.files.next() {
                Some(file) => {
                    let games = Games::new(input::open(&file)?);
                    self.reading.insert((file, games))
                }
                None => return Ok(false),
            },
        };
        let (line, read) = match games.next_placed() {
            Ok(None) => {
                self.reading = None;
                return Ok(true);
            }
            Ok(Some(placed)) => (placed.line, Ok(placed.game)),
            Err(ReadError::Bad(bad)) => (bad.line, Err(GameError::Bad(bad))),
            Err(ReadError::Io(error)) => return Err(cannot_read(file)(error)),
            Err(error) => return Err(cannot_read(file)(std::io::Error::other(error))),
        };
        self.number = number;
        if self.selection.has(number) {
            let file = file.clone();
            let origin = Origin { number, file, line };
            let waiting = match read {
                Ok(game) => Waiting::Open(Box::new(self.open(origin, game)?)),
                Err(error) => Waiting::Rejected(RejectedGame { origin, error }),
            };
            self.waiting.insert(number, waiting);
        }
        Ok(true)
    }

    /// Queues the segments of a game, apart from those in the journal.
    fn open(&mut self, origin: Origin, game: PgnGame) -> Result<OpenGame, AnalysisError> {
        let line = Arc::new(MainLine::of(&game));
        let key = journal::key(&line);
        let number = origin.number;
        let mut segments = Vec::new();
        for (segment, range) in (0..).zip(line.segments(self.split)) {
            let known = self.log.take(number, key, segment)?;
            if known.is_none() {
                let line = Arc::clone(&line);
                let game = number;
                let job = Job { range, line };
                self.to_do.push_back((Segment { game, segment }, job));
            }
            segments.push(known);
        }
        Ok(OpenGame {
            origin,
            game,
            line,
            key,
            segments,
        })
    }

    /// Stores the findings of a segment.
    fn take(&mut self, done: Done<Segment, Vec<Finding>>) -> Result<(), AnalysisError> {
        let Segment { game, segment } = done.key;
        let Some(Waiting::Open(open)) = self.waiting.get_mut(&game) else {
            return Ok(());
        };
        match done.result {
            Ok(findings) => {
                self.log.add(game, open.key, segment, &findings)?;
                open.segments[segment as usize] = Some(findings);
            }
            Err(reason) => {
                let (origin, error) = (open.origin.clone(), GameError::Failed(reason));
                let rejected = Waiting::Rejected(RejectedGame { origin, error });
                self.waiting.insert(game, rejected);
            }
        }
        Ok(())
    }

    /// Combines a game with the findings of its segments.
    fn judge(&self, done: Waiting) -> Analysed {
        match done {
            Waiting::Rejected(rejected) => Err(rejected),
            Waiting::Open(open) => {
                let findings: Vec<Finding> =
                    open.segments.into_iter().flatten().flatten().collect();
                debug_assert_eq!(findings.len(), open.line.boards.len());
                Ok(Box::new(JudgedGame::new(
                    open.origin,
                    open.game,
                    open.line,
                    &findings,
                    self.model,
                )))
            }
        }
    }
}
