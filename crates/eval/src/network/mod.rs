//! The network: 768 inputs for each side, mirrored by its own king's file, one hidden layer that
//! is kept by increments, a squared clipped activation, and an output chosen by the men left.
//!
//! The idea of an efficiently updated network is Yu Nasu's (2018); the squared activation and
//! the mirrored inputs are common property of today's engines.

mod forward;
mod kernel;
mod parameters;

use std::sync::Arc;

use skewer_movegen::{Bitboard, Board, Color, Move, Piece};
use skewer_types::{MAX_PLY, Score};

pub use kernel::Kernel;
pub use parameters::{
    Architecture, MAX_BUCKETS, NetworkError, Parameters, QA, QB, SCALE, WEIGHT_LIMIT,
};

use crate::hand::{against_bare_king, quiet_delta};
use crate::{Changes, Evaluator, Feature};
use parameters::{BLOCK, Block};

/// Whether a side's king stands on the king's wing, so that the side sees the board mirrored.
#[inline]
fn is_mirrored(board: &Board, side: Color) -> bool {
    board.king(side).index() & 4 != 0
}

/// A feature as `side` sees it: its own men first, its own back rank first, and its king on the
/// queen's wing.
///
/// This numbering is what a network is trained with.
///
/// ```
/// use skewer_eval::{Feature, network::input};
/// use skewer_movegen::{Color, Piece};
///
/// let own = Feature::new(Color::Black, Piece::Pawn, 48); // black's pawn on a7
/// assert_eq!(input(own, Color::Black, false), 8); // is "my pawn on a2"
/// assert_eq!(input(own, Color::Black, true), 15); // or h2, when the king is on the other wing
/// ```
#[inline]
pub const fn input(feature: Feature, side: Color, mirrored: bool) -> usize {
    let seen = match side {
        Color::White => feature,
        Color::Black => feature.color_flipped(),
    };
    if mirrored {
        seen.mirrored().index()
    } else {
        seen.index()
    }
}

/// One position of the line being searched; its accumulators lie in [`Network::accumulators`].
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// What led here from the frame below.
    changes: Changes,
    /// For each side, whether it sees the board mirrored.
    mirrored: [bool; 2],
    /// For each side, whether its accumulator is up to date.
    ready: [bool; 2],
}

/// An accumulator of some position with the men it was made from: a refresh starts from it and
/// applies the difference.
#[derive(Debug, Clone)]
struct Cached {
    men: [[Bitboard; 6]; 2],
    accumulator: Vec<Block>,
}

/// The network evaluation. Its parameters are shared: a clone costs a few hundred kilobytes of
/// accumulators and no weights. Pieces against a bare king are judged by the hand-written terms,
/// which know where to drive it.
#[derive(Debug, Clone)]
pub struct Network {
    parameters: Arc<Parameters>,
    kernel: Kernel,
    frames: Vec<Frame>,
    /// Two accumulators a frame, white's first.
    accumulators: Vec<Block>,
    /// For each side, the last refreshed accumulator of each mirroring.
    cache: [[Cached; 2]; 2],
}

impl Network {
    /// An evaluation by these parameters, at the starting position, with the best kernel.
    pub fn new(parameters: Arc<Parameters>) -> Self {
        Self::with_kernel(parameters, Kernel::best())
    }

    /// The same with a chosen kernel; one that this processor cannot run is replaced by the
    /// portable one.
    pub fn with_kernel(parameters: Arc<Parameters>, kernel: Kernel) -> Self {
        let kernel = if Kernel::available().contains(&kernel) {
            kernel
        } else {
            Kernel::Portable
        };
        let blocks = parameters.architecture().hidden() / BLOCK;
        let empty = Cached {
            men: [[Bitboard::EMPTY; 6]; 2],
            accumulator: parameters.feature_bias.clone(),
        };
        let mut network = Self {
            kernel,
            frames: Vec::with_capacity(MAX_PLY + 8),
            accumulators: vec![Block::ZERO; 2 * blocks * (MAX_PLY + 8)],
            cache: [[empty.clone(), empty.clone()], [empty.clone(), empty]],
            parameters,
        };
        network.reset(&Board::STARTPOS);
        network
    }

    /// The parameters, for another evaluation that shares them.
    pub fn parameters(&self) -> &Arc<Parameters> {
        &self.parameters
    }

    /// What the network itself says of `board`, the position on top, for the side to move.
    #[inline]
    pub fn output(&mut self, board: &Board) -> Score {
        Score::new(forward::run(self, board))
    }

    /// The kernel in use.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }
}

impl Evaluator for Network {
    fn reset(&mut self, board: &Board) {
        self.frames.clear();
        self.frames.push(Frame {
            changes: Changes::default(),
            mirrored: [
                is_mirrored(board, Color::White),
                is_mirrored(board, Color::Black),
            ],
            ready: [false; 2],
        });
    }

    #[inline]
    fn push(&mut self, before: &Board, mv: Move, after: &Board) {
        self.frames.push(Frame {
            changes: Changes::of(before, mv),
            mirrored: [
                is_mirrored(after, Color::White),
                is_mirrored(after, Color::Black),
            ],
            ready: [false; 2],
        });
    }

    #[inline]
    fn pop(&mut self) {
        if self.frames.len() > 1 {
            self.frames.pop();
        }
    }

    #[inline]
    fn evaluate(&mut self, board: &Board) -> Score {
        against_bare_king(board).unwrap_or_else(|| self.output(board))
    }

    #[inline]
    fn quiet_delta(&self, board: &Board, mv: Move) -> i16 {
        quiet_delta(board, mv)
    }
}

/// The men of `board`, side by side and kind by kind.
#[inline]
fn men(board: &Board) -> [[Bitboard; 6]; 2] {
    Color::ALL.map(|color| Piece::ALL.map(|piece| board.colored(color, piece)))
}
