//! The Python package `skewer`: chess rules with the names of python-chess, PGN files, NumPy arrays
//! and the Skewer engine in process.

mod analyse;
mod arrays;
mod board;
mod engine;
mod errors;
mod evaluate;
mod exclusive;
mod game;
mod label;
mod loose;
mod moves;
mod perft;
mod pgn;
mod pieces;
mod pool;
mod record;
mod score;
mod signals;
mod squares;
mod svg;
mod syzygy;

use pyo3::prelude::*;

/// The compiled part of the package; `skewer/__init__.py` gives its contents their public names.
///
/// The module needs the global interpreter lock, because a move object is reused once Python code holds no reference
/// to it, and because boards of `skewer.chess` are kept in dictionaries. A free-threaded Python enables the lock when
/// it imports this module.
#[pymodule(gil_used = true)]
mod _skewer {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::analyse::RecordReader;
    #[pymodule_export]
    use crate::arrays::{
        PositionReader, board_columns, decode_moves, encode_moves, legal_moves_of, parse_fens,
        planes, position_columns, row_fen,
    };
    #[pymodule_export]
    use crate::board::polyglot_numbers;
    #[pymodule_export]
    use crate::board::{LegalMoves, PyBoard};
    #[pymodule_export]
    use crate::engine::{Analysis, PyEngine};
    #[pymodule_export]
    use crate::errors::{
        AmbiguousMoveError, EngineError, IllegalMoveError, InvalidMoveError, PgnError,
    };
    #[pymodule_export]
    use crate::evaluate::{evaluate, evaluate_many};
    #[pymodule_export]
    use crate::game::{Game, GameNode};
    #[pymodule_export]
    use crate::label::label_fens;
    #[pymodule_export]
    use crate::moves::MoveObject;
    #[pymodule_export]
    use crate::perft::{perft_divide, perft_of};
    #[pymodule_export]
    use crate::pgn::{GameReader, count_games, parse_pgn, pgn_events, read_pgn};
    #[pymodule_export]
    use crate::pieces::PieceObject;
    #[pymodule_export]
    use crate::score::expected_wdl;
    #[pymodule_export]
    use crate::squares::SquareSet;
    #[pymodule_export]
    use crate::syzygy::Tables;

    #[pymodule_export]
    const DEFAULT_HASH: usize = skewer_analysis::params::DEFAULT_HASH_MB;
    #[pymodule_export]
    const NO_RESULT: i8 = crate::arrays::NO_RESULT;
    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "the name in Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// Moves, pieces, `push`, `pop` and functions on masks of `skewer.chess`.
    #[pymodule]
    mod loose {
        #[pymodule_export]
        use crate::loose::{LooseMove, LoosePiece, Play};
        #[pymodule_export]
        use crate::squares::{between, ray, scan_forward, scan_reversed, slider_attacks};
    }

    /// Boards and pieces as pictures.
    #[pymodule]
    mod svg {
        #[pymodule_export]
        use crate::svg::{draw_board, draw_piece};
    }
}
