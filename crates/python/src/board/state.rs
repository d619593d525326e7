//! What `skewer.chess` needs of a board: its state as masks, and moves in the order of python-chess.

use pyo3::prelude::*;
use pyo3::types::PyList;
use skewer_movegen::{Bitboard, Board, Move, Piece, Setup, Square};

use super::PyBoard;
use super::edit::rights;
use crate::errors;
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
        PyMove::list(py, moves.into_iter().map(|(_, mv)| mv))
    }
}
