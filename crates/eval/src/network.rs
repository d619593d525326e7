//! The network: 768 inputs for each side, mirrored by the file of its own king; one hidden layer that is updated
//! incrementally; a squared clipped activation; and an output chosen by the number of pieces left. A network may have
//! inputs of its own for each region of the king, and inputs for the pieces that are en prise.
//!
//! The idea of an efficiently updated network is Yu Nasu's (2018); the squared activation and
//! the mirrored inputs are common property of today's engines.

mod architecture;
mod en_prise;
mod error;
mod file;
mod forward;
mod kernel;
mod parameters;
mod view;

use std::sync::Arc;

use skewer_movegen::{Bitboard, Board, Color, Move, Piece};
use skewer_types::{MAX_PLY, Score};

pub use architecture::{Architecture, MAX_BUCKETS};
pub use en_prise::EnPrise;
pub use error::NetworkError;
pub use kernel::Kernel;
pub use parameters::Parameters;
pub use view::{KING_BUCKETS, View};

use crate::hand::{against_bare_king, quiet_delta};
use crate::{Changes, Evaluator};
use parameters::{BLOCK, Block};

/// The value in the accumulator that stands for an activation of one.
pub const QA: i32 = 127;
/// The quantised value of an output weight of one.
pub const QB: i32 = 128;
/// Units of [`Score`] for an output of one.
pub const SCALE: i32 = 400;
/// The largest feature weight before quantisation: times [`QA`] it fits an `i8`.
pub const FEATURE_LIMIT: f32 = 1.0;
/// The largest bias and output weight before quantisation: an activation times an output weight fits an `i16`.
pub const WEIGHT_LIMIT: f32 = 1.98;

/// One position of the line being searched; its accumulators lie in [`Network::accumulators`].
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// The features changed by the move from the frame below.
    changes: Changes,
    /// How each side sees the board.
    views: [View; 2],
    /// For each side, whether its accumulator is up to date.
    ready: [bool; 2],
}

/// An accumulator of some position with the pieces it was made from: a refresh starts from it and
/// applies the difference. The weights of pieces that are en prise are not in it.
#[derive(Debug, Clone)]
struct Cached {
    pieces: [[Bitboard; 6]; 2],
    accumulator: Vec<Block>,
}

/// The network evaluation. Its parameters are shared: a clone costs a few hundred kilobytes of
/// accumulators and no weights. Positions of pieces against a bare king are evaluated by the hand-written terms,
/// which know in which corner to mate that king.
#[derive(Debug, Clone)]
pub struct Network {
    parameters: Arc<Parameters>,
    kernel: Kernel,
    king_buckets: usize,
    frames: Vec<Frame>,
    /// Two accumulators a frame, white's first.
    accumulators: Vec<Block>,
    /// The pieces that are en prise in each accumulator, if the network has inputs for them. An accumulator on the way
    /// to a position that was evaluated still has the pieces of a position below it, because no board is kept.
    en_prise: Vec<[EnPrise; 2]>,
    /// For each side, the last refreshed accumulator of each view.
    cache: [Vec<Cached>; 2],
}

impl Network {
    /// An evaluation by these parameters, at the starting position, with the best kernel.
    pub fn new(parameters: Arc<Parameters>) -> Self {
        Self::with_kernel(parameters, Kernel::best())
    }

    /// Like [`new`](Self::new), but with a chosen kernel. The portable kernel replaces a kernel that this processor
    /// cannot run.
    pub fn with_kernel(parameters: Arc<Parameters>, kernel: Kernel) -> Self {
        let kernel = if Kernel::available().contains(&kernel) {
            kernel
        } else {
            Kernel::Portable
        };
        let blocks = parameters.architecture().hidden() / BLOCK;
        let empty = Cached {
            pieces: [[Bitboard::EMPTY; 6]; 2],
            accumulator: parameters.feature_bias.clone(),
        };
        let mut network = Self {
            kernel,
            frames: Vec::with_capacity(MAX_PLY + 8),
            accumulators: vec![Block::ZERO; 2 * blocks * (MAX_PLY + 8)],
            en_prise: vec![[EnPrise::default(); 2]; MAX_PLY + 8],
            cache: [vec![empty.clone(); View::COUNT], vec![empty; View::COUNT]],
            king_buckets: parameters.architecture().king_buckets(),
            parameters,
        };
        network.reset(&Board::STARTPOS);
        network
    }

    /// The parameters, for another evaluation that shares them.
    pub fn parameters(&self) -> &Arc<Parameters> {
        &self.parameters
    }

    /// The network's own output for the side to move in `board`, which must be the current
    /// position.
    #[inline]
    pub fn output(&mut self, board: &Board) -> Score {
        Score::new(forward::run(self, board))
    }

    /// How each side sees the board.
    #[inline]
    fn views(&self, board: &Board) -> [View; 2] {
        Color::ALL.map(|side| View::of(board, side, self.king_buckets))
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
            views: self.views(board),
            ready: [false; 2],
        });
    }

    // Always inlined, because the compiler otherwise leaves the call where a program has several instances
    // of the search, which costs 2 instructions in a thousand.
    #[inline(always)]
    fn push(&mut self, before: &Board, mv: Move, after: &Board) {
        self.frames.push(Frame {
            changes: Changes::of(before, mv),
            views: self.views(after),
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
    fn quiet_delta(&self, board: &Board, piece: Piece, mv: Move) -> i16 {
        quiet_delta(board, piece, mv)
    }
}

/// The pieces of `board`, side by side and kind by kind.
#[inline]
fn pieces(board: &Board) -> [[Bitboard; 6]; 2] {
    Color::ALL.map(|color| Piece::ALL.map(|piece| board.colored(color, piece)))
}
