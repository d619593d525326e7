//! What `skewer.chess` needs of a board: its state as masks, and moves in the order of python-chess.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use skewer_movegen::{Bitboard, Board, Move, Piece, Setup, Square};

use super::PyBoard;
use super::edit::rights;
use crate::errors;
use crate::loose::{LooseMove, LoosePiece, loose, loose_list, loose_piece, plain};
use crate::moves::PyMove;
use crate::pieces::color;

/// The pieces as masks: by type, pawns first, and by side, Black first.
type Masks = ([u64; 6], (u64, u64));

/// Where a legal move stands in the order of python-chess: in check the moves of the king come first,
/// then pieces, castling, captures by pawns, single steps, double steps and captures en passant;
/// within these, squares from h8 down, and the queen before other promotions.
fn rank(position: &Board, mv: Move, plain: PyMove) -> u32 {
    let (from, to) = (mv.from(), plain.to());
    let kind = position.moved(mv);
    let straight = from.file() == to.file();
    let group = match kind {
        Piece::King if position.in_check() => 0,
        _ if mv.is_castle() => 2,
        Piece::Pawn if mv.is_en_passant() => 6,
        Piece::Pawn if !straight => 3,
        Piece::Pawn if from as u8 ^ to as u8 == 16 => 5,
        Piece::Pawn => 4,
        _ => 1,
    };
    // Castling is ordered by the rook, which is the target of the engine's form.
    let to = if mv.is_castle() { mv.to() } else { to };
    let (from, to) = (63 - from as u32, 63 - to as u32);
    let squares = if matches!(group, 4 | 5) {
        to
    } else {
        from << 6 | to
    };
    let promotion = mv.promotion().map_or(0, |piece| 5 - piece as u32);
    // A rook comes before a bishop, which is before a knight: by value downwards.
    group << 16 | squares << 3 | promotion
}

#[pymethods]
impl PyBoard {
    /// A board of masks. Raises ValueError if the position is not legal, or not with exactly these
    /// castling rights.
    #[staticmethod]
    fn _from_state(
        kinds: [u64; 6],
        sides: (u64, u64),
        turn: bool,
        castling_rights: u64,
        ep_square: Option<u8>,
        halfmove_clock: u8,
        fullmove_number: u16,
        chess960: bool,
    ) -> PyResult<Self> {
        let mut setup = Setup::empty();
        for (kind, mask) in Piece::ALL.into_iter().zip(kinds) {
            for square in Bitboard(mask) {
                let white = Bitboard(sides.1).contains(square);
                setup.set_piece(square, Some((color(white), kind)));
            }
        }
        setup.turn = color(turn);
        setup.castling = rights(&setup, castling_rights);
        setup.en_passant = ep_square.and_then(Square::from_index);
        setup.halfmove_clock = halfmove_clock;
        setup.fullmove_number = fullmove_number;
        let mut board = Self::from_position(Board::STARTPOS, super::mode(chess960));
        board.take(setup)?;
        let position = board.position();
        let same = position.castling_rooks().0 == castling_rights
            && position.halfmove_clock() == halfmove_clock
            && position.fullmove_number() == fullmove_number
            && board._state() == (kinds, sides);
        if same {
            Ok(board)
        } else {
            Err(errors::value(
                "not a legal position: castling rights, clocks or pieces",
            ))
        }
    }

    /// The pieces as masks: by type, pawns first, and by side, Black first.
    fn _state(&self) -> Masks {
        let position = self.position();
        (
            Piece::ALL.map(|kind| position.pieces(kind).0),
            (
                position.color(color(false)).0,
                position.color(color(true)).0,
            ),
        )
    }

    /// The legal moves from squares of one mask to squares of another, in the order of python-chess.
    /// A castling move counts as going to the king's target and to the rook.
    fn _moves<'py>(
        &self,
        py: Python<'py>,
        from_mask: u64,
        to_mask: u64,
    ) -> PyResult<Bound<'py, PyList>> {
        let position = self.position();
        let (from, to) = (Bitboard(from_mask), Bitboard(to_mask));
        let all = position.legal_moves();
        let mut moves: Vec<(u32, PyMove)> = all
            .iter()
            .filter(|mv| from.contains(mv.from()) && to.contains(mv.to()))
            .map(|&mv| {
                let plain = PyMove::of(position, Some(mv), self.mode);
                (rank(position, mv, plain), plain)
            })
            .collect();
        moves.sort_unstable_by_key(|(rank, _)| *rank);
        loose_list(py, moves.into_iter().map(|(_, mv)| mv))
    }

    /// Whether a move is legal; None if the move is one that Python has to compare. The argument None is
    /// no legal move.
    fn _is_legal(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Option<bool>> {
        if r#move.is_none() {
            return Ok(Some(false));
        }
        Ok(plain(r#move)?.map(|mv| self.is_legal(mv)))
    }

    /// Plays a move if it is legal, and returns it as the stack of python-chess has it: as a new object,
    /// which no later change of the argument concerns, and castling from e1 and e8 as the mode writes it.
    /// None if the move is not legal or the clock can count no further.
    fn _push(&mut self, py: Python<'_>, r#move: PyMove) -> PyResult<Option<Py<LooseMove>>> {
        let position = *self.position();
        if position.halfmove_clock() == u8::MAX {
            return Ok(None);
        }
        let home = matches!(r#move.from(), Square::E1 | Square::E8);
        let inner = r#move.on(&position);
        let written = if home && !r#move.is_null() && inner.is_castle() {
            PyMove::of(&position, Some(inner), self.mode)
        } else {
            r#move
        };
        let legal = r#move.is_null() || position.is_legal(inner);
        if !legal || self.play(written).is_err() {
            return Ok(None);
        }
        loose(py, written).map(Some)
    }

    /// `parse_san`, with a move of `skewer.chess`.
    fn _parse_san(&self, py: Python<'_>, san: &str) -> PyResult<Py<LooseMove>> {
        loose(py, self.read_san(san)?)
    }

    /// `move_stack`, with moves of `skewer.chess`.
    fn _move_stack<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        loose_list(py, self.stack.iter().map(|(_, mv)| *mv))
    }

    /// `piece_at`, with a piece of `skewer.chess`.
    fn _piece_at(&self, py: Python<'_>, square: i64) -> PyResult<Option<Py<LoosePiece>>> {
        let piece = self.piece(errors::square(square)?);
        piece.map(|piece| loose_piece(py, piece)).transpose()
    }

    /// `piece_map`, with pieces of `skewer.chess`, the highest square first.
    fn _piece_map<'py>(&self, py: Python<'py>, mask: u64) -> PyResult<Bound<'py, PyDict>> {
        let map = PyDict::new(py);
        for square in (self.position().occupied() & Bitboard(mask))
            .into_iter()
            .rev()
        {
            let piece = self.piece(square).map(|piece| loose_piece(py, piece));
            map.set_item(square as u8, piece.transpose()?)?;
        }
        Ok(map)
    }
}
