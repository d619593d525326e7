//! Analyses what files hold, games or positions: reads in order, analyses in any order, and returns results
//! in order.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use skewer_pgn::{EpdProblem, PASSED_OVER, Problem};

use crate::analyst::{Finding, PgnEvals, Settings, SettingsRecord};
use crate::error::{AnalysisError, GameError};
use crate::formulas::Eval;
use crate::input::Source;
use crate::job::{Job, Plan, Segment};
use crate::journal::{self, Damage, Heading, Log};
use crate::judged::Origin;
use crate::line::MainLine;
use crate::params::WINDOW;
use crate::reading::Reading;
use crate::scale::Units;
use crate::selection::Selection;
use crate::workers::{Done, Workers};

/// An item that a run reads from files and analyses: a game or a position.
pub trait Input: Sized {
    /// The iterator over the items of a file.
    type Reader: Iterator<Item = io::Result<Placed<Self>>>;
    /// The analysed item.
    type Output;

    /// Begins to read the file `path` from its open `source`.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    fn read(path: &str, source: Source) -> Result<Self::Reader, AnalysisError>;

    /// The positions of the item.
    fn line(&self) -> MainLine;

    /// Errors in the item that did not end its reading.
    fn problems(&self) -> &[Problem] {
        &[]
    }

    /// What messages call the item with this number, beside its place; `None` if the place is enough.
    fn name(_number: u64) -> Option<String> {
        None
    }

    /// Parts of the item's line that the rest of the line contradicts, and that were passed over.
    fn contradictions(&self) -> &[EpdProblem] {
        &[]
    }

    /// The part of an item before an error.
    ///
    /// # Errors
    ///
    /// The same error, if nothing could be read before it.
    fn partial(error: GameError) -> Result<Self, GameError> {
        Err(error)
    }

    /// The evaluations that the input has of the positions, one element for each position.
    fn given(&self, line: &MainLine) -> Vec<Option<Finding>>;

    /// Combines the item with the findings of its positions.
    fn output(
        self,
        origin: Origin,
        line: Arc<MainLine>,
        findings: Vec<Finding>,
        units: Units,
    ) -> Self::Output;
}

/// An item, with its place in the file.
pub struct Placed<T> {
    /// The line of the file on which the item begins, from 1.
    pub line: u64,
    /// The item, or the error in its place.
    pub item: Result<T, GameError>,
}

/// A game or position without an analysis.
#[derive(Debug)]
pub struct Rejected {
    /// Where it comes from.
    pub origin: Origin,
    /// Why there is no analysis.
    pub error: GameError,
}

/// How far a run has come.
#[derive(Debug)]
pub enum Step<T> {
    /// The next item is analysed, or rejected.
    Done(Result<Box<T>, Rejected>),
    /// The next item is still being analysed.
    Pending,
    /// There are no more items.
    End,
}

/// An item that has been read and not yet returned.
enum Waiting<T> {
    Rejected(Rejected),
    Open(Box<Open<T>>),
}

/// A game or position whose segments are being analysed.
struct Open<T> {
    origin: Origin,
    item: T,
    line: Arc<MainLine>,
    /// The hash of the item in the journal.
    key: u64,
    /// The findings of each segment, once it is analysed.
    segments: Vec<Option<Vec<Finding>>>,
}

impl<T> Open<T> {
    fn is_done(&self) -> bool {
        self.segments.iter().all(Option::is_some)
    }
}

/// An analysis of files. Items are read when workers need them, and returned in the order of the files.
///
/// With a node or depth limit the results do not depend on the number of workers.
pub struct Run<T: Input> {
    reading: Reading<T>,
    selection: Selection,
    /// Positions in a segment; 0 for whole games.
    split: usize,
    /// How scores are read.
    units: Units,
    pgn_evals: PgnEvals,
    /// Whether the part of an item before an error is analysed.
    partial: bool,
    /// The journal, with the findings of earlier runs.
    log: Log,
    /// `None` if nothing is to be searched.
    workers: Option<Workers<Segment, Job, Vec<Finding>>>,
    /// Items that have been read and not yet returned, by number.
    waiting: BTreeMap<u64, Waiting<T>>,
    /// Segments waiting for a worker.
    to_do: VecDeque<(Segment, Job)>,
    /// Messages about errors that did not end the run.
    notes: Vec<String>,
    /// Variations that end at an error.
    cuts: u64,
    /// Whether there may be more to read.
    more: bool,
}

impl<T: Input> Run<T> {
    /// Analyses files with this many workers. With a journal, writes findings to it and takes the findings that it has;
    /// a new journal keeps the words of the command line.
    ///
    /// # Errors
    ///
    /// When the journal cannot be used or has games that are not selected, there is not enough memory for the
    /// workers, or a thread cannot be started.
    pub fn start(
        files: Vec<String>,
        selection: Selection,
        settings: &Settings,
        workers: usize,
        journal: Option<(&Path, Damage, Vec<String>)>,
    ) -> Result<Self, AnalysisError> {
        let log = match journal {
            Some((path, damage, words)) => {
                Log::open(path, &SettingsRecord::new(settings), words, damage)?
            }
            None => Log::default(),
        };
        if let Some(other) = log.games().filter(|&game| !selection.has(game)).min() {
            return Err(AnalysisError::OtherShard(other));
        }
        let plan = Plan::new(settings);
        let workers = (settings.pgn_evals != PgnEvals::Use)
            .then(|| {
                Workers::start(workers, settings, move |analyst, job| {
                    plan.analyse(analyst, job)
                })
            })
            .transpose()?;
        Ok(Self {
            selection,
            workers,
            pgn_evals: settings.pgn_evals,
            ..Self::over(files, log, settings.split, settings.units())
        })
    }

    /// Takes all findings from the journals of several runs with the same settings.
    /// Also returns the heading of the first journal.
    ///
    /// # Errors
    ///
    /// When there is no journal, or one cannot be read, or is of other settings or of another version.
    pub fn merge(
        files: Vec<String>,
        journals: &[PathBuf],
    ) -> Result<(Self, Heading), AnalysisError> {
        let (log, heading) = Log::read_all(journals)?;
        let settings = &heading.settings;
        let run = Self {
            pgn_evals: settings.pgn_evals,
            ..Self::over(files, log, settings.split(), settings.units())
        };
        Ok((run, heading))
    }

    fn over(files: Vec<String>, log: Log, split: usize, units: Units) -> Self {
        Self {
            reading: Reading::new(files),
            selection: Selection::ALL,
            split,
            units,
            pgn_evals: PgnEvals::Ignore,
            partial: false,
            log,
            workers: None,
            waiting: BTreeMap::new(),
            to_do: VecDeque::new(),
            notes: Vec::new(),
            cuts: 0,
            more: true,
        }
    }

    /// The same run, in which games with an error are analysed up to the error.
    pub fn with_partial(mut self) -> Self {
        self.partial = true;
        self
    }

    /// The same run, in which files are opened by `source`.
    pub fn with_source(
        self,
        source: impl Fn(&str) -> Result<Source, AnalysisError> + Send + Sync + 'static,
    ) -> Self {
        Self {
            reading: self.reading.with_source(source),
            ..self
        }
    }

    /// How many segments of the journal have not been used yet.
    pub fn in_journal(&self) -> usize {
        self.log.len()
    }

    /// Takes the messages about errors that did not end the run.
    pub fn notes(&mut self) -> impl Iterator<Item = String> + '_ {
        self.notes.drain(..)
    }

    /// How many items have been read from the files, selected or not, readable or not. After the last step this is the
    /// number of items in the files.
    pub fn read_so_far(&self) -> u64 {
        self.reading.number()
    }

    /// How many variations of the games read so far end at an error.
    pub fn cuts(&self) -> u64 {
        self.cuts
    }

    /// Returns the next item in order. If the item is not done, waits for a worker, but no longer than `patience`.
    ///
    /// # Errors
    ///
    /// When a file or a journal cannot be read or written, the journal is of other games, or the
    /// workers have ended.
    pub fn step(&mut self, patience: Duration) -> Result<Step<T::Output>, AnalysisError> {
        self.feed()?;
        if let Some(first) = self.waiting.first_entry()
            && !matches!(first.get(), Waiting::Open(open) if !open.is_done())
        {
            let done = first.remove();
            return Ok(Step::Done(self.output(done)));
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

    /// Reads items until the workers have enough to do.
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

    /// Reads the next item. Returns false after the last item of the selection.
    fn read(&mut self) -> Result<bool, AnalysisError> {
        if self.reading.number() + 1 >= self.selection.end {
            return Ok(false);
        }
        let Some((origin, item)) = self.reading.next_item()? else {
            return Ok(false);
        };
        let item = match item {
            Err(error) if self.partial => {
                let text = error.to_string();
                T::partial(error).inspect(|_| {
                    self.notes
                        .push(format!("{}: {text}; analysed up to there", origin.file));
                })
            }
            item => item,
        };
        let number = origin.number;
        if self.selection.has(number) {
            if let Ok(item) = &item {
                self.cuts += item
                    .problems()
                    .iter()
                    .filter(|problem| problem.cuts())
                    .count() as u64;
                self.notes
                    .extend(note(&origin.file, T::name(number), item.problems()));
                let Origin { file, line, .. } = &origin;
                let contradictions = item.contradictions().iter();
                let texts = contradictions.map(|part| format!("{file}: line {line}: {part}"));
                self.notes.extend(texts);
            }
            let waiting = match item {
                Ok(item) => self.open(origin, item)?,
                Err(error) => Waiting::Rejected(Rejected { origin, error }),
            };
            self.waiting.insert(number, waiting);
        }
        Ok(true)
    }

    /// Queues the segments of a game, apart from segments in the journal.
    fn open(&mut self, origin: Origin, item: T) -> Result<Waiting<T>, AnalysisError> {
        let line = Arc::new(item.line());
        let given = match self.pgn_evals {
            PgnEvals::Ignore => Vec::new(),
            _ => item.given(&line),
        };
        let mut open = Open {
            origin,
            item,
            key: journal::key(&line, &given),
            segments: Vec::new(),
            line,
        };
        if self.pgn_evals == PgnEvals::Use {
            return Ok(open.with(given));
        }
        let number = open.origin.number;
        for (segment, range) in (0..).zip(open.line.segments(self.split)) {
            let known = self.log.take(number, open.key, segment)?;
            if known.is_none() {
                let job = Job {
                    range,
                    line: Arc::clone(&open.line),
                    given: given.clone(),
                };
                let game = number;
                self.to_do.push_back((Segment { game, segment }, job));
            }
            open.segments.push(known);
        }
        Ok(Waiting::Open(Box::new(open)))
    }

    /// Stores the findings of a segment.
    fn take(&mut self, done: Done<Segment, Vec<Finding>>) -> Result<(), AnalysisError> {
        let Segment { game, segment } = done.key;
        self.notes
            .extend(done.retried.map(|error| format!("{error}; trying again")));
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
                let rejected = Waiting::Rejected(Rejected { origin, error });
                self.waiting.insert(game, rejected);
            }
        }
        Ok(())
    }

    /// Combines an item with the findings of its segments.
    fn output(&self, done: Waiting<T>) -> Result<Box<T::Output>, Rejected> {
        match done {
            Waiting::Rejected(rejected) => Err(rejected),
            Waiting::Open(open) => {
                let findings: Vec<Finding> =
                    open.segments.into_iter().flatten().flatten().collect();
                debug_assert_eq!(findings.len(), open.line.boards.len());
                let output = open
                    .item
                    .output(open.origin, open.line, findings, self.units);
                Ok(Box::new(output))
            }
        }
    }
}

/// A message about the errors of a game: the first error, and the number of further ones. An error that changes what
/// was read, or the result, comes before an error that was passed over.
fn note(file: &str, name: Option<String>, problems: &[Problem]) -> Option<String> {
    let weighs = |problem: &&Problem| problem.remedy() != PASSED_OVER;
    let first = problems.iter().find(weighs).or(problems.first())?;
    let what = first.remedy();
    let more = match problems.len() - 1 {
        0 => String::new(),
        count => format!(" (and {count} more in this game)"),
    };
    let name = name.map_or_else(String::new, |name| format!(" {name}:"));
    let place = first.location;
    let variation = if first.in_variation {
        ", in a variation"
    } else {
        ""
    };
    let reason = &first.reason;
    Some(format!(
        "{file}: {place}{variation}:{name} {reason}; {what}{more}"
    ))
}

impl<T> Open<T> {
    /// Makes the evaluations of the input its findings, without a search.
    fn with(mut self, mut given: Vec<Option<Finding>>) -> Waiting<T> {
        // Without an evaluation of the first position, the first move cannot be judged and changes nothing.
        if let [first @ None, Some(second), ..] = &mut given[..] {
            *first = Some(second.reversed());
        }
        let mut findings = Vec::with_capacity(given.len());
        for (ply, (found, board)) in given.into_iter().zip(&self.line.boards).enumerate() {
            match found {
                _ if Eval::at_end(board).is_some() => findings.push(Finding::default()),
                Some(found) => findings.push(found),
                None => {
                    let (origin, error) = (self.origin, GameError::NoEvaluation(ply));
                    return Waiting::Rejected(Rejected { origin, error });
                }
            }
        }
        self.segments = vec![Some(findings)];
        Waiting::Open(Box::new(self))
    }
}
