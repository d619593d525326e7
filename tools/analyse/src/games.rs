//! Analyses the games of files: reads games in order, analyses segments of them in any order, and writes
//! results in order.

use std::collections::{BTreeMap, VecDeque};
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, Result, bail};
use skewer_pgn::{GameError, Games, PgnGame, ReadError};
use skewer_types::WinModel;

use crate::cli::{GamesArgs, MergeArgs, OutputArgs, Shard};
use crate::formats::{Outputs, PAGE_GAMES, check_files};
use crate::progress::Progress;
use skewer_analysis::analyst::{Finding, model_of_text};
use skewer_analysis::input;
use skewer_analysis::job::{Job, MainLine, Segment, analyse_segment};
use skewer_analysis::journal::{self, Damage, Known, Log};
use skewer_analysis::params::WINDOW;
use skewer_analysis::report::{JudgedGame, Origin};
use skewer_analysis::workers::{Done, Workers};

/// Analyses games.
///
/// # Errors
///
/// When files cannot be read or written.
pub(crate) fn analyse(arguments: &GamesArgs) -> Result<u8> {
    let journals: Vec<_> = arguments.journal.iter().cloned().collect();
    check(&arguments.files, &journals, &arguments.output)?;
    let settings = arguments.limits.settings(arguments.split)?;
    let text = settings.text();
    let damage = if arguments.repair_journal {
        Damage::Repair
    } else {
        Damage::Report
    };
    let (log, known) = match &arguments.journal {
        Some(path) => {
            let (log, known) = Log::open(path, &text, damage)?;
            (Some(log), known)
        }
        None => (None, Known::default()),
    };
    if !known.is_empty() && !arguments.output.quiet {
        eprintln!("resuming from the journal: {} done", known.len());
    }
    let threads = arguments.limits.workers();
    let workers = Workers::start(threads, &settings, |analyst, job| {
        Ok(analyse_segment(analyst, &job))
    })?;
    let quiet = arguments.output.quiet;
    let outputs = Outputs::create(&arguments.output, &text)?;
    let run = Run::new(
        &arguments.files,
        arguments.shard,
        arguments.split,
        settings.evaluation.win_model(),
        known,
        outputs,
        quiet,
    );
    run.run(log, Some(workers))
}

/// Merges the journals of several runs.
///
/// # Errors
///
/// When files cannot be read or written, or something is missing.
pub(crate) fn merge(arguments: &MergeArgs) -> Result<u8> {
    check(&arguments.files, &arguments.from, &arguments.output)?;
    let (known, settings) = journal::read_all(&arguments.from)?;
    let split = settings
        .split(' ')
        .find_map(|word| word.strip_prefix("split="));
    let split = split.and_then(|split| split.parse().ok()).unwrap_or(0);
    let model = model_of_text(&settings).context(
        "the journals were written by another version of skewer-analyse; analyse the games again",
    )?;
    let quiet = arguments.output.quiet;
    let outputs = Outputs::create(&arguments.output, &settings)?;
    let run = Run::new(
        &arguments.files,
        Shard::WHOLE,
        split,
        model,
        known,
        outputs,
        quiet,
    );
    run.run(None, None)
}

/// Checks everything that can be known before anything is analysed.
fn check(files: &[String], journals: &[PathBuf], output: &OutputArgs) -> Result<()> {
    check_files(files, journals, output)?;
    input::check_games(files)?;
    let one_file = output.formats().any(|(kind, _)| kind.option == "html");
    if one_file && input::has_more_games(files, PAGE_GAMES)? {
        bail!(
            "there are more than {PAGE_GAMES} games, too many for a report in one file; \
             use --html-folder FOLDER instead of --html"
        );
    }
    Ok(())
}

/// The workers of a run.
type Pool = Workers<Segment, Job, Vec<Finding>>;

/// A game that has been read and not yet written.
enum Waiting {
    Bad { origin: Origin, reason: String },
    Game(Box<Open>),
}

/// A game whose segments are being analysed.
struct Open {
    origin: Origin,
    game: PgnGame,
    line: Arc<MainLine>,
    /// Identifies the game in the journal.
    key: u64,
    /// The findings of each segment, once it is analysed.
    segments: Vec<Option<Vec<Finding>>>,
    /// How many segments are not analysed yet.
    missing: usize,
}

/// A run over all games, with its queues and counters.
struct Run<'a> {
    /// The files that have not been opened.
    files: std::slice::Iter<'a, String>,
    /// The name and the games of the open file.
    reading: Option<(&'a str, Games<Box<dyn Read + Send>>)>,
    /// Bytes read from all files.
    bytes_read: Arc<AtomicU64>,
    shard: Shard,
    /// Positions in a segment; 0 for whole games.
    split: usize,
    /// Converts scores to centipawns and chances.
    model: WinModel,
    /// Results from the journal that have not been used.
    known: Known,
    outputs: Outputs,
    progress: Progress,
    /// Games that have been read and not yet written, by number.
    waiting: BTreeMap<u64, Waiting>,
    /// Pieces that have yet to be given to a worker.
    to_do: VecDeque<(Segment, Job)>,
    /// The number of the last game read.
    number: u64,
    /// Games that could not be read.
    bad: u64,
    /// Games whose analysis failed.
    failed: u64,
}

impl<'a> Run<'a> {
    fn new(
        files: &'a [String],
        shard: Shard,
        split: usize,
        model: WinModel,
        known: Known,
        outputs: Outputs,
        quiet: bool,
    ) -> Self {
        Self {
            files: files.iter(),
            reading: None,
            bytes_read: Arc::default(),
            shard,
            split,
            model,
            known,
            outputs,
            progress: Progress::new(input::total_bytes(files), quiet),
            waiting: BTreeMap::new(),
            to_do: VecDeque::new(),
            number: 0,
            bad: 0,
            failed: 0,
        }
    }

    /// Reads, analyses and writes all games. Without workers, every segment must be in the journal.
    /// Returns the exit status.
    fn run(mut self, mut log: Option<Log>, mut pool: Option<Pool>) -> Result<u8> {
        let limit = pool.as_ref().map_or(1, Workers::limit);
        let mut more = true;
        loop {
            while more && self.to_do.len() < limit && self.waiting.len() < WINDOW + limit {
                more = self.read()?;
                self.write()?;
            }
            match &mut pool {
                Some(pool) => {
                    while !pool.are_busy()
                        && let Some((segment, job)) = self.to_do.pop_front()
                    {
                        pool.submit(segment, job)?;
                    }
                    if pool.pending() > 0 {
                        let done = pool.wait()?;
                        self.take(done, log.as_mut())?;
                        self.write()?;
                        continue;
                    }
                }
                None => {
                    if let Some((segment, _)) = self.to_do.front() {
                        bail!(
                            "the journals do not have all of game {}; give the journals of all shards",
                            segment.game
                        );
                    }
                }
            }
            if !more {
                break;
            }
        }
        if !self.known.is_empty() {
            bail!(
                "the journal has games that are not in the input; give all files, in the same order"
            );
        }
        if self.number == self.bad && self.shard == Shard::WHOLE {
            bail!("no game in the input");
        }
        self.outputs.finish()?;
        self.progress.finish(self.bad);
        Ok(u8::from(self.failed > 0))
    }

    /// Reads the next game. Returns false at the end of the input.
    fn read(&mut self) -> Result<bool> {
        if self.reading.is_none() {
            let Some(file) = self.files.next() else {
                return Ok(false);
            };
            let source = input::open(file, &self.bytes_read)?;
            self.reading = Some((file, Games::new(source)));
        }
        let Some((file, games)) = &mut self.reading else {
            return Ok(false);
        };
        let origin = |number, line| Origin {
            number,
            file: (*file).to_owned(),
            line,
        };
        match games.next_placed() {
            Ok(None) => self.reading = None,
            Ok(Some(placed)) => {
                self.number += 1;
                if self.shard.has(self.number) {
                    let origin = origin(self.number, placed.line);
                    self.add(origin, placed.game)?;
                }
            }
            Err(ReadError::Bad(bad)) => {
                self.number += 1;
                if self.shard.has(self.number) {
                    let origin = origin(self.number, bad.line);
                    self.progress.warn(&format!("{}: {bad}", origin.file));
                    self.bad += 1;
                    let waiting = Waiting::Bad {
                        origin,
                        reason: reason(&bad),
                    };
                    self.waiting.insert(self.number, waiting);
                }
            }
            Err(error) => return Err(error).with_context(|| format!("cannot read {file}")),
        }
        Ok(true)
    }

    /// Queues the segments of a game, apart from those in the journal.
    fn add(&mut self, origin: Origin, game: PgnGame) -> Result<()> {
        let line = Arc::new(MainLine::of(&game));
        let key = journal::key(&line);
        let number = origin.number;
        let ranges = line.segments(self.split);
        let mut segments = Vec::with_capacity(ranges.len());
        for (segment, range) in (0_u32..).zip(ranges) {
            let known = self.known.take(number, key, segment)?;
            if known.is_none() {
                let line = Arc::clone(&line);
                let key = Segment {
                    game: number,
                    segment,
                };
                self.to_do.push_back((key, Job { range, line }));
            }
            segments.push(known);
        }
        let missing = segments.iter().filter(|segment| segment.is_none()).count();
        let open = Open {
            origin,
            game,
            line,
            key,
            segments,
            missing,
        };
        self.waiting.insert(number, Waiting::Game(Box::new(open)));
        Ok(())
    }

    /// Stores the findings of a segment.
    fn take(&mut self, done: Done<Segment, Vec<Finding>>, log: Option<&mut Log>) -> Result<()> {
        let Segment { game, segment } = done.key;
        let Some(Waiting::Game(open)) = self.waiting.get_mut(&game) else {
            return Ok(());
        };
        match done.result {
            Ok(findings) => {
                if let Some(log) = log {
                    log.add(game, open.key, segment, &findings)?;
                }
                open.missing -= 1;
                open.segments[segment as usize] = Some(findings);
            }
            Err(reason) => {
                let origin = open.origin.clone();
                self.progress
                    .warn(&format!("{}: game {game}: {reason}", origin.file));
                self.failed += 1;
                self.waiting.insert(game, Waiting::Bad { origin, reason });
            }
        }
        Ok(())
    }

    /// Writes the finished games at the front of the queue, up to the first unfinished one.
    fn write(&mut self) -> Result<()> {
        while let Some(first) = self.waiting.first_entry() {
            if matches!(first.get(), Waiting::Game(open) if open.missing > 0) {
                break;
            }
            match first.remove() {
                Waiting::Bad { origin, reason } => self.outputs.bad(&origin, &reason)?,
                Waiting::Game(open) => {
                    let Open {
                        origin,
                        game,
                        line,
                        segments,
                        ..
                    } = *open;
                    let findings: Vec<Finding> = segments.into_iter().flatten().flatten().collect();
                    debug_assert_eq!(findings.len(), line.boards.len());
                    let nodes = findings.iter().map(|found| found.nodes).sum();
                    let judged = JudgedGame::new(origin, game, line, &findings, self.model);
                    self.outputs.game(&judged)?;
                    self.progress
                        .game(nodes, self.bytes_read.load(Ordering::Relaxed));
                }
            }
        }
        Ok(())
    }
}

/// What is wrong with a bad game, without its number.
fn reason(bad: &GameError) -> String {
    format!("line {}: {}", bad.bad_line, bad.reason)
}
