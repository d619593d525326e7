//! The main line of a game as jobs for workers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use anyhow::{Context as _, Result};
use skewer_movegen::{Board, Move};
use skewer_pgn::PgnGame;
use skewer_search::Position;

use crate::analyst::{Analyst, Finding, Settings};
use crate::params::STACK_BYTES;

/// The main line of a game.
#[derive(Debug)]
pub struct MainLine {
    /// The positions: the start, and the one after each move.
    pub boards: Vec<Board>,
    /// The moves; `None` for a null move.
    pub moves: Vec<Option<Move>>,
}

impl MainLine {
    /// The main line of `game`.
    pub fn of(game: &PgnGame) -> Self {
        let mut boards = vec![game.start().board];
        let mut moves = Vec::new();
        for id in game.mainline() {
            let node = game.node(id);
            moves.push(node.mv());
            boards.push(*node.board());
        }
        Self { boards, moves }
    }

    /// Position `index` with its past, for repetitions.
    fn position(&self, index: usize) -> Position {
        // Nothing repeats across a null move.
        let start = self.moves[..index]
            .iter()
            .rposition(Option::is_none)
            .map_or(0, |null| null + 1);
        Position::from_moves(
            self.boards[start],
            self.moves[start..index].iter().flatten().copied(),
        )
    }

    /// The ranges of positions that are analysed by one worker each.
    pub fn pieces(&self, split: usize) -> Vec<std::ops::Range<usize>> {
        let size = if split == 0 { self.boards.len() } else { split };
        (0..self.boards.len())
            .step_by(size)
            .map(|a| a..(a + size).min(self.boards.len()))
            .collect()
    }
}

/// A piece of a game to analyse.
#[derive(Debug)]
pub struct Job {
    /// The game's number.
    pub game: u64,
    /// Which piece of it this is.
    pub piece: u32,
    /// Its positions.
    pub range: std::ops::Range<usize>,
    /// The game.
    pub line: Arc<MainLine>,
}

/// An analysed piece.
#[derive(Debug)]
pub struct Done {
    /// The game's number.
    pub game: u64,
    /// Which piece of it this is.
    pub piece: u32,
    /// The findings, position by position, or the error.
    pub findings: Result<Vec<Finding>, String>,
}

/// Starts the workers. They end when the jobs do.
///
/// # Errors
///
/// When there is not enough memory or no thread to be had.
pub fn start_workers(
    threads: usize,
    settings: &Settings,
    jobs: Receiver<Job>,
    done: &Sender<Done>,
) -> Result<Vec<JoinHandle<()>>> {
    let jobs = Arc::new(Mutex::new(jobs));
    (0..threads)
        .map(|number| {
            let (jobs, done, settings) = (Arc::clone(&jobs), done.clone(), settings.clone());
            let mut analyst = Analyst::new(&settings)?;
            std::thread::Builder::new()
                .name(format!("analyst-{number}"))
                .stack_size(STACK_BYTES)
                .spawn(move || {
                    loop {
                        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
                        let Ok(job) = job else { return };
                        let looked = catch_unwind(AssertUnwindSafe(|| look(&mut analyst, &job)));
                        let findings = looked.map_err(|_| "the engine has failed".to_owned());
                        if findings.is_err() {
                            // Its state is unknown after a panic.
                            match Analyst::new(&settings) {
                                Ok(fresh) => analyst = fresh,
                                Err(_) => return,
                            }
                        }
                        let sent = done.send(Done {
                            game: job.game,
                            piece: job.piece,
                            findings,
                        });
                        if sent.is_err() {
                            return;
                        }
                    }
                })
                .context("cannot start a thread")
        })
        .collect()
}

/// Analyses a piece from its last position to its first, so that the table knows what comes after
/// each position.
pub(crate) fn look(analyst: &mut Analyst, job: &Job) -> Vec<Finding> {
    analyst.forget(job.range.len());
    let mut findings: Vec<Finding> = job
        .range
        .clone()
        .rev()
        .map(|index| analyst.look(&job.line.position(index), &mut |_| {}))
        .collect();
    findings.reverse();
    findings
}
