//! One interface to search positions, with Skewer's own search in this process or with any UCI engine, and the results.

mod interrupt;
mod own;
mod record;
mod settings;
mod uci;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use skewer_movegen::{Board, CastlingMode, Move};
use skewer_types::{Score, WinCurve};

pub use interrupt::Interrupt;
pub use record::SettingsRecord;
pub use settings::{Confidence, PgnEvals, Settings, UciProgram};

use crate::error::AnalysisError;
use crate::formulas::Eval;
use crate::params::LINE_PLIES;
use crate::scale::{Scale, Units, given_curve};
use own::OwnAnalyst;
use uci::UciAnalyst;

/// A position to search, given as the moves that lead to it, so that the search sees repetitions.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The position before the first of the moves.
    pub start: &'a Board,
    /// The moves that lead from `start` to the position to search.
    pub moves: &'a [Move],
    /// The castling rules of the game: standard chess or Chess960.
    pub mode: CastlingMode,
    /// A limit of the depth in plies, besides the limit of the settings.
    pub depth: Option<i32>,
    /// The node limit, as a multiple of the node limit of the settings.
    pub factor: u64,
}

impl<'a> Query<'a> {
    /// A position without a past, within the limits of the settings.
    pub fn new(board: &'a Board, mode: CastlingMode) -> Self {
        Self {
            start: board,
            moves: &[],
            mode,
            depth: None,
            factor: 1,
        }
    }

    /// The position.
    pub fn board(&self) -> Board {
        self.moves.iter().fold(*self.start, |at, &mv| at.play(mv))
    }
}

/// A line that a search reports before it has finished.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Which of the best lines this is, from 1.
    pub multi_pv: usize,
    /// Its score for the side to move.
    pub score: Score,
    /// Its first move.
    pub best: Option<Move>,
    /// Nodes so far.
    pub nodes: u64,
    /// Time so far.
    pub time: Duration,
}

/// Searches positions one after the other. Results of earlier searches may help later ones, until
/// [`forget`](Self::forget) is called.
pub trait Analyst: Send {
    /// Forgets earlier searches, so that the next `positions` searches do not depend on them.
    /// `factor` is their greatest node limit, as a multiple of the node limit of the settings.
    ///
    /// # Errors
    ///
    /// When an engine cannot be started or does not get ready.
    fn forget(&mut self, positions: usize, factor: u64) -> Result<(), AnalysisError>;

    /// Searches a position that has a legal move. Calls `on_line` with the lines as they are found.
    ///
    /// # Errors
    ///
    /// When an engine dies, hangs or floods, does not play the variant, or gives an answer that cannot be right; when
    /// the search is interrupted.
    fn search(
        &mut self,
        query: &Query<'_>,
        on_line: &mut dyn FnMut(&Progress),
    ) -> Result<Finding, AnalysisError>;
}

/// Makes an analyst with these settings. `interrupt` ends its searches.
///
/// # Errors
///
/// When there is not enough memory for its tables.
pub fn analyst(
    settings: &Settings,
    interrupt: &Interrupt,
) -> Result<Box<dyn Analyst>, AnalysisError> {
    let interrupt = interrupt.clone();
    Ok(match &settings.engine {
        Some(engine) => Box::new(UciAnalyst::new(engine.clone(), settings, interrupt)),
        None => Box::new(OwnAnalyst::new(settings, interrupt)?),
    })
}

/// A line that a search has found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FoundLine {
    /// The score for the side to move, as [`Score::raw`] gives it.
    pub score: i32,
    /// The first moves of the line, as [`Move::bits`] gives them.
    pub moves: Vec<u16>,
}

impl FoundLine {
    /// Keeps the first [`LINE_PLIES`] moves of `pv`.
    pub fn new(score: Score, pv: &[Move]) -> Self {
        let moves = pv.iter().take(LINE_PLIES).map(|mv| mv.bits()).collect();
        Self {
            score: score.raw(),
            moves,
        }
    }

    /// The moves of the line, as far as they are legal from `board`.
    pub fn moves_from(&self, board: &Board) -> Vec<Move> {
        let mut board = *board;
        let mut moves = Vec::with_capacity(self.moves.len());
        for mv in self.moves.iter().map_while(|&bits| Move::from_bits(bits)) {
            let Ok(next) = board.try_play(mv) else { break };
            board = next;
            moves.push(mv);
        }
        moves
    }

    /// The evaluation from White's side. `board` is the position before the line, and `curve` converts its score.
    pub(crate) fn eval(&self, board: &Board, curve: WinCurve) -> Eval {
        Eval::from_score(Score::from_raw(self.score), board.turn(), curve)
    }
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Finding {
    /// The best lines, best first; none when the game is over.
    pub lines: Vec<FoundLine>,
    /// The depth of the last whole iteration, in plies.
    pub depth: u32,
    /// Nodes of this search.
    pub nodes: u64,
    /// Nodes of this search and of the searches that it replaces.
    pub spent: u64,
    /// How much the score changed between the last two iterations, in units of the score.
    pub swing: u32,
}

impl Finding {
    /// The evaluation of `board`, the position that was searched, from White's side. Where the game is over, it is the
    /// result, whatever a search or a file says.
    pub(crate) fn eval(&self, board: &Board, units: Units) -> Eval {
        Eval::at_end(board).unwrap_or_else(|| {
            let best = self.lines.first();
            best.map_or(Eval::Cp(0), |line| {
                line.eval(board, self.curve(board, units))
            })
        })
    }

    /// The moves of the best line.
    pub(crate) fn best_from(&self, board: &Board) -> Vec<Move> {
        let best = self.lines.first();
        best.map_or_else(Vec::new, |line| line.moves_from(board))
    }

    /// The evaluation as lichess's formulas expect it. An evaluation of the file is not converted.
    pub(crate) fn rated(&self, board: &Board, units: Units) -> Eval {
        self.scale(units).to_lichess(self.eval(board, units))
    }

    /// The curve that converts the scores of this finding. `board` is the position that was searched. The curve for
    /// evaluations of the file is the same for every material, so that they keep their centipawns.
    pub(crate) fn curve(&self, board: &Board, units: Units) -> WinCurve {
        if self.nodes > 0 {
            units.model.at(board.material())
        } else {
            given_curve()
        }
    }

    /// The scale of the evaluations of this finding.
    pub(crate) fn scale(&self, units: Units) -> Scale {
        if self.nodes > 0 {
            units.scale
        } else {
            Scale::Lichess
        }
    }
}

/// Collects the lines of the last whole iteration of a search, since scores of different depths are not
/// comparable.
#[derive(Clone)]
struct Collector {
    wanted: usize,
    iteration: Vec<FoundLine>,
    whole: Vec<FoundLine>,
    /// The best scores of the last two iterations.
    scores: [Option<i32>; 2],
}

impl Collector {
    fn new(wanted: usize) -> Self {
        Self {
            wanted,
            iteration: Vec::new(),
            whole: Vec::new(),
            scores: [None; 2],
        }
    }

    /// Adds a line with an exact score. Returns whether the line completes an iteration.
    fn add(&mut self, multi_pv: usize, line: FoundLine) -> bool {
        if multi_pv == 1 {
            self.iteration.clear();
            self.scores = [self.scores[1], Some(line.score)];
        }
        self.iteration.push(line);
        let is_whole = multi_pv == self.wanted && self.iteration.len() == self.wanted;
        if is_whole {
            self.whole.clone_from(&self.iteration);
        }
        is_whole
    }

    /// The move with which two lines begin, if there is one.
    fn repeated(&self) -> Option<Move> {
        let first = |line: &FoundLine| line.moves.first().copied();
        let mut lines = self.whole.iter().enumerate();
        let repeated = lines.find_map(|(index, line)| {
            let earlier = self.whole[..index].iter().map(first);
            earlier.into_iter().find(|mv| *mv == first(line)).flatten()
        });
        repeated.and_then(Move::from_bits)
    }

    fn swing(&self) -> u32 {
        match self.scores {
            [Some(before), Some(last)] => before.abs_diff(last),
            _ => 0,
        }
    }

    fn finding(self, depth: u32, nodes: u64) -> Finding {
        Finding {
            swing: self.swing(),
            lines: self.whole,
            depth,
            nodes,
            spent: nodes,
        }
    }
}
