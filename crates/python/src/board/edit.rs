//! Changes to a position other than moves. A change that would give an illegal position raises
//! ValueError and leaves the board as it was.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use skewer_movegen::{Board, CastlingRights, CastlingSide, Color, Piece, Setup, Square};
use skewer_pgn::{Epd, Op, Operation};

use super::{PyBoard, STARTING_FEN, Snapshot, build};
use crate::errors::square;
use crate::moves::PyMove;
use crate::pieces::{PyPiece, color};
use crate::squares::mask_of;

impl PyBoard {
    fn setup(&self) -> Setup {
        let mut setup = Setup::from(*self.position());
        setup.en_passant = self.now.passed;
        setup
    }

    /// Replaces the position by the position of `setup`.
    pub(super) fn take(&mut self, mut setup: Setup) -> PyResult<()> {
        let passed = setup.en_passant;
        let position = build(&mut setup, self.mode)
            .map_err(|error| PyValueError::new_err(format!("not a legal position: {error}")))?;
        self.now = Snapshot { position, passed };
        Ok(())
    }

    fn edit(&mut self, change: impl FnOnce(&mut Setup)) -> PyResult<()> {
        let mut setup = self.setup();
        change(&mut setup);
        self.take(setup)
    }
}

/// Puts the pieces of a dictionary from squares to pieces on an empty setup.
fn place(setup: &mut Setup, pieces: &Bound<'_, PyDict>) -> PyResult<()> {
    for (at, piece) in pieces {
        let piece = piece.extract::<PyPiece>()?;
        setup.set_piece(square(at.extract()?)?, Some((piece.color, piece.kind)));
    }
    Ok(())
}

#[pymethods]
impl PyBoard {
    /// A board with the pieces of a dictionary from squares to pieces. `castling_rights` is a mask
    /// of rooks.
    ///
    /// >>> import skewer
    /// >>> pieces = {skewer.E1: "K", skewer.E8: "k", skewer.A7: "R"}
    /// >>> pieces = {square: skewer.Piece.from_symbol(s) for square, s in pieces.items()}
    /// >>> skewer.Board.from_piece_map(pieces).legal_moves.count()
    /// 19
    #[staticmethod]
    #[pyo3(signature = (pieces, *, turn=true, castling_rights=None, chess960=false))]
    fn from_piece_map(
        pieces: &Bound<'_, PyDict>,
        turn: bool,
        castling_rights: Option<&Bound<'_, PyAny>>,
        chess960: bool,
    ) -> PyResult<Self> {
        let mut setup = Setup::empty();
        setup.turn = color(turn);
        place(&mut setup, pieces)?;
        let mut board = Self::from_position(Board::STARTPOS, super::mode(chess960));
        if let Some(rooks) = castling_rights {
            setup.castling = rights(&setup, mask_of(rooks)?);
        }
        board.take(setup)?;
        Ok(board)
    }

    /// Replaces the position by the position of a FEN, and forgets the moves.
    fn set_fen(&mut self, fen: &str) -> PyResult<()> {
        *self = Self::parse(fen, self.mode)?;
        Ok(())
    }

    /// Replaces the position by the start position, and forgets the moves.
    fn reset(&mut self) -> PyResult<()> {
        self.set_fen(STARTING_FEN)
    }

    /// Replaces the pieces by the pieces of a dictionary, and forgets the moves.
    fn set_piece_map(board: &Bound<'_, Self>, pieces: &Bound<'_, PyDict>) -> PyResult<()> {
        let mut setup = Setup::empty();
        // Read the dictionary before the board is borrowed, because its keys may be objects that run Python code.
        place(&mut setup, pieces)?;
        let mut board = board.try_borrow_mut()?;
        let old = board.setup();
        setup.turn = old.turn;
        setup.castling = old.castling;
        setup.en_passant = old.en_passant;
        setup.halfmove_clock = old.halfmove_clock;
        setup.fullmove_number = old.fullmove_number;
        board.take(setup)?;
        board.stack.clear();
        Ok(())
    }

    /// Puts a piece on a square, or empties it (None), and forgets the moves.
    #[pyo3(signature = (square, piece))]
    fn set_piece_at(&mut self, square: i64, piece: Option<PyPiece>) -> PyResult<()> {
        let at = self::square(square)?;
        self.edit(|setup| setup.set_piece(at, piece.map(|piece| (piece.color, piece.kind))))?;
        self.stack.clear();
        Ok(())
    }

    /// Empties a square, and returns the piece that stood there. Forgets the moves.
    fn remove_piece_at(&mut self, square: i64) -> PyResult<Option<PyPiece>> {
        let piece = self.piece(self::square(square)?);
        self.set_piece_at(square, None)?;
        Ok(piece)
    }

    /// Replaces the position by a start position of Chess960, and forgets the moves.
    fn set_chess960_pos(&mut self, scharnagl: i64) -> PyResult<()> {
        *self = Self::from_chess960_pos(scharnagl)?;
        Ok(())
    }

    /// Exchanges the sides, as `mirror` does, on this board, and forgets the moves.
    fn apply_mirror(&mut self) {
        *self = self.mirror();
    }

    /// A board and the operations of an EPD line: numbers, texts, moves or lists of them by opcode.
    ///
    /// >>> import skewer
    /// >>> board, operations = skewer.Board.from_epd("4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"x\";")
    /// >>> operations
    /// {'bm': [Move.from_uci('e1g1')], 'id': 'x'}
    #[staticmethod]
    #[pyo3(signature = (epd, *, chess960=false))]
    fn from_epd<'py>(
        py: Python<'py>,
        epd: &str,
        chess960: bool,
    ) -> PyResult<(Self, Bound<'py, PyDict>)> {
        let parsed = Epd::parse(epd)
            .map_err(|error| PyValueError::new_err(format!("invalid epd {epd:?}: {error}")))?;
        let board_mode = super::mode(chess960);
        // Keep the en passant square of the text, and read the castling rights by the mode of this board.
        let fields: Vec<&str> = epd.split_whitespace().take(4).collect();
        let (clock, number) = (
            parsed.board.halfmove_clock(),
            parsed.board.fullmove_number(),
        );
        let fen = format!("{} {clock} {number}", fields.join(" "));
        let board = Self::parse(&fen, board_mode)?;
        let operations = PyDict::new(py);
        let plain = |mv| PyMove::of(&parsed.board, mv, board_mode);
        for Operation { opcode, op } in &parsed.operations {
            match op {
                // An operation that has one move by definition gives the move, not a list.
                Op::Moves(moves) if matches!(opcode.as_str(), "sm" | "pm") => {
                    let mv = plain(moves.first().copied());
                    operations.set_item(opcode, mv.object(py)?)?;
                }
                Op::Moves(moves) => {
                    let moves = moves.iter().map(|&mv| plain(Some(mv)));
                    operations.set_item(opcode, PyMove::list(py, moves)?)?;
                }
                Op::Line(moves) => {
                    let line = PyMove::line(py, parsed.board, moves, board_mode)?;
                    operations.set_item(opcode, line)?;
                }
                Op::Number(number) => operations.set_item(opcode, number)?,
                Op::Text(text) => operations.set_item(opcode, text)?,
                Op::Other(words) => operations.set_item(opcode, words.join(" "))?,
                _ => {}
            }
        }
        Ok((board, operations))
    }

    #[setter]
    fn set_turn(&mut self, turn: bool) -> PyResult<()> {
        self.edit(|setup| setup.turn = color(turn))
    }

    #[setter]
    fn set_fullmove_number(&mut self, number: u16) -> PyResult<()> {
        self.edit(|setup| setup.fullmove_number = number)
    }

    #[setter]
    fn set_halfmove_clock(&mut self, clock: u8) -> PyResult<()> {
        self.edit(|setup| setup.halfmove_clock = clock)
    }

    #[setter]
    fn set_ep_square(&mut self, index: Option<i64>) -> PyResult<()> {
        let at = index.map(square).transpose()?;
        self.edit(|setup| setup.en_passant = at)
    }

    #[setter]
    fn set_castling_rights(board: &Bound<'_, Self>, rooks: &Bound<'_, PyAny>) -> PyResult<()> {
        let rooks = mask_of(rooks)?;
        let mut board = board.try_borrow_mut()?;
        board.edit(|setup| setup.castling = rights(setup, rooks))
    }

    /// The position with the sides exchanged: upside down, colours swapped.
    fn mirror(&self) -> Self {
        let mut board = Self::from_position(self.position().mirrored(), self.mode);
        board.now.passed = self.now.passed.map(Square::flip_rank);
        board
    }
}

/// The castling rights of rooks on the back ranks, by where the kings stand.
pub(super) fn rights(setup: &Setup, rooks: u64) -> CastlingRights {
    let king = |color| {
        Square::ALL
            .into_iter()
            .find(|&square| setup.piece_at(square) == Some((color, Piece::King)))
    };
    let mut rights = CastlingRights::NONE;
    for color in Color::ALL {
        let Some(king) = king(color) else { continue };
        for square in skewer_movegen::Bitboard(rooks) & king.rank().bitboard() {
            rights = rights.with_rook(color, CastlingSide::of(king, square), Some(square.file()));
        }
    }
    rights
}
