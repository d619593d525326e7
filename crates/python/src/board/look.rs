//! Queries of a board: its pieces, attacks and pins, properties of moves, and castling rights.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use skewer_movegen::{Bitboard, CastlingSide, Color, Move, Piece, Square, attacks};

use super::PyBoard;
use super::draws::zeroes;
use crate::errors::square;
use crate::moves::PyMove;
use crate::pieces::{self, PyPiece, Side, color};
use crate::squares::{SquareSet, index, mask_of};

impl PyBoard {
    pub(crate) fn piece(&self, square: Square) -> Option<PyPiece> {
        let position = self.position();
        let (kind, color) = position.piece_at(square).zip(position.color_at(square))?;
        Some(PyPiece { kind, color })
    }

    fn castling_side(&self, mv: PyMove) -> Option<CastlingSide> {
        let inner = mv.on(self.position());
        inner
            .is_castle()
            .then(|| CastlingSide::of(inner.from(), inner.to()))
    }

    fn attackers_of(
        &self,
        white: bool,
        target: i64,
        occupied: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bitboard> {
        let position = self.position();
        let occupied = occupied.map_or(Ok(position.occupied().0), mask_of)?;
        let all = position.attackers_to(square(target)?, Bitboard(occupied));
        Ok(all & position.color(color(white)))
    }

    fn attacks_from(&self, from: i64) -> PyResult<Bitboard> {
        let from = square(from)?;
        Ok(self.piece(from).map_or(Bitboard::EMPTY, |piece| {
            attacks::piece_attacks(piece.kind, piece.color, from, self.position().occupied())
        }))
    }

    /// The line on which the pinned piece on a square may move; all squares if it is not pinned.
    fn pin_of(&self, white: bool, index: i64) -> PyResult<Bitboard> {
        let (position, color, from) = (self.position(), color(white), square(index)?);
        if position.pinned_of(color).contains(from) {
            Ok(attacks::line(position.king(color), from))
        } else {
            Ok(Bitboard::FULL)
        }
    }
}

#[pymethods]
impl PyBoard {
    /// The piece on a square, or None.
    fn piece_at(&self, square: i64) -> PyResult<Option<PyPiece>> {
        Ok(self.piece(self::square(square)?))
    }

    /// The type of the piece on a square, or None.
    fn piece_type_at(&self, square: i64) -> PyResult<Option<u8>> {
        Ok(self
            .position()
            .piece_at(self::square(square)?)
            .map(pieces::number))
    }

    /// The colour of the piece on a square, or None.
    fn color_at(&self, square: i64) -> PyResult<Option<bool>> {
        Ok(self
            .position()
            .color_at(self::square(square)?)
            .map(pieces::is_white))
    }

    /// The square of a king.
    fn king(&self, color: Side) -> Option<u8> {
        index(Some(self.position().king(self::color(color.0))))
    }

    /// The squares of the pieces of a type and colour.
    fn pieces(&self, piece_type: i64, color: Side) -> PyResult<SquareSet> {
        let kind = pieces::kind(piece_type)?;
        Ok(SquareSet::of(
            self.position().colored(self::color(color.0), kind),
        ))
    }

    /// The squares of the pieces of a type and colour, as a mask.
    fn pieces_mask(&self, piece_type: i64, color: Side) -> PyResult<u64> {
        let kind = pieces::kind(piece_type)?;
        Ok(self.position().colored(self::color(color.0), kind).0)
    }

    /// The pieces by square, as a new dictionary.
    #[pyo3(signature = (*, mask=None))]
    fn piece_map<'py>(
        &self,
        py: Python<'py>,
        mask: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let mask = mask.map_or(Ok(u64::MAX), mask_of)?;
        let map = PyDict::new(py);
        for square in self.position().occupied() & Bitboard(mask) {
            map.set_item(square as u8, self.piece(square))?;
        }
        Ok(map)
    }

    /// All occupied squares, as a mask.
    #[getter]
    fn occupied(&self) -> u64 {
        self.position().occupied().0
    }

    /// The occupied squares of each side: index with skewer.WHITE or skewer.BLACK.
    #[getter]
    fn occupied_co(&self) -> (u64, u64) {
        let position = self.position();
        (
            position.color(Color::Black).0,
            position.color(Color::White).0,
        )
    }

    /// The pawns of both sides, as a mask.
    #[getter]
    fn pawns(&self) -> u64 {
        self.position().pieces(Piece::Pawn).0
    }

    /// The knights of both sides, as a mask.
    #[getter]
    fn knights(&self) -> u64 {
        self.position().pieces(Piece::Knight).0
    }

    /// The bishops of both sides, as a mask.
    #[getter]
    fn bishops(&self) -> u64 {
        self.position().pieces(Piece::Bishop).0
    }

    /// The rooks of both sides, as a mask.
    #[getter]
    fn rooks(&self) -> u64 {
        self.position().pieces(Piece::Rook).0
    }

    /// The queens of both sides, as a mask.
    #[getter]
    fn queens(&self) -> u64 {
        self.position().pieces(Piece::Queen).0
    }

    /// The kings of both sides, as a mask.
    #[getter]
    fn kings(&self) -> u64 {
        self.position().pieces(Piece::King).0
    }

    /// The pieces of a side that attack a square; `occupied` replaces the occupied squares, which stop bishops, rooks
    /// and queens.
    #[pyo3(signature = (color, square, occupied=None))]
    fn attackers(
        &self,
        color: Side,
        square: i64,
        occupied: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<SquareSet> {
        self.attackers_of(color.0, square, occupied)
            .map(SquareSet::of)
    }

    /// The same as `attackers`, as a mask.
    #[pyo3(signature = (color, square, occupied=None))]
    fn attackers_mask(
        &self,
        color: Side,
        square: i64,
        occupied: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u64> {
        Ok(self.attackers_of(color.0, square, occupied)?.0)
    }

    /// Whether a side attacks a square.
    #[pyo3(signature = (color, square, occupied=None))]
    fn is_attacked_by(
        &self,
        color: Side,
        square: i64,
        occupied: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        Ok(self.attackers_of(color.0, square, occupied)?.any())
    }

    /// The squares that the piece on a square attacks; empty if there is none.
    fn attacks(&self, square: i64) -> PyResult<SquareSet> {
        self.attacks_from(square).map(SquareSet::of)
    }

    /// The same as `attacks`, as a mask.
    fn attacks_mask(&self, square: i64) -> PyResult<u64> {
        Ok(self.attacks_from(square)?.0)
    }

    /// The line on which a pinned piece of a side may move; all squares for one that is not pinned.
    fn pin(&self, color: Side, square: i64) -> PyResult<SquareSet> {
        self.pin_of(color.0, square).map(SquareSet::of)
    }

    /// The same as `pin`, as a mask.
    fn pin_mask(&self, color: Side, square: i64) -> PyResult<u64> {
        Ok(self.pin_of(color.0, square)?.0)
    }

    /// Whether a piece of a side is pinned to its king.
    fn is_pinned(&self, color: Side, square: i64) -> PyResult<bool> {
        Ok(self.pin_of(color.0, square)? != Bitboard::FULL)
    }

    /// The pieces that give check.
    fn checkers(&self) -> SquareSet {
        SquareSet::of(self.position().checkers())
    }

    /// The pieces that give check, as a mask.
    fn checkers_mask(&self) -> u64 {
        self.position().checkers().0
    }

    /// Whether a legal move gives check.
    fn gives_check(&self, r#move: PyMove) -> PyResult<bool> {
        let mv = r#move.legal_on(self.position())?;
        Ok(self.position().gives_check(mv))
    }

    /// Whether a legal move captures something, en passant included.
    fn is_capture(&self, r#move: PyMove) -> bool {
        self.position().is_capture(r#move.on(self.position()))
    }

    /// Whether a move captures en passant.
    fn is_en_passant(&self, r#move: PyMove) -> bool {
        r#move.on(self.position()).is_en_passant()
    }

    /// Whether a move castles.
    fn is_castling(&self, r#move: PyMove) -> bool {
        self.castling_side(r#move).is_some()
    }

    /// Whether a move castles on the king's side.
    fn is_kingside_castling(&self, r#move: PyMove) -> bool {
        self.castling_side(r#move) == Some(CastlingSide::King)
    }

    /// Whether a move castles on the queen's side.
    fn is_queenside_castling(&self, r#move: PyMove) -> bool {
        self.castling_side(r#move) == Some(CastlingSide::Queen)
    }

    /// Whether a move is a capture or a pawn move, which sets the half-move clock to zero.
    fn is_zeroing(&self, r#move: PyMove) -> bool {
        !r#move.is_null() && zeroes(self.position(), r#move.on(self.position()))
    }

    /// Whether no position before a legal move can occur after it: it captures, moves a pawn, gives
    /// up a castling right, or lets an en passant capture pass.
    fn is_irreversible(&self, r#move: PyMove) -> PyResult<bool> {
        let position = self.position();
        if position.en_passant().is_some() {
            return Ok(true);
        }
        if r#move.is_null() {
            return Ok(false);
        }
        let mv: Move = r#move.legal_on(position)?;
        let after = position.play(mv);
        Ok(zeroes(position, mv) || after.castling_rooks() != position.castling_rooks())
    }

    /// Whether a side may still castle.
    fn has_castling_rights(&self, color: Side) -> bool {
        self.position().castling().any(self::color(color.0))
    }

    /// Whether a side may still castle on the king's side.
    fn has_kingside_castling_rights(&self, color: Side) -> bool {
        self.position()
            .castling()
            .has(self::color(color.0), CastlingSide::King)
    }

    /// Whether a side may still castle on the queen's side.
    fn has_queenside_castling_rights(&self, color: Side) -> bool {
        self.position()
            .castling()
            .has(self::color(color.0), CastlingSide::Queen)
    }

    /// Whether there is a legal capture en passant.
    fn has_legal_en_passant(&self) -> bool {
        self.position().en_passant().is_some()
    }

    /// Whether a pawn stands ready to capture en passant, legally or not.
    fn has_pseudo_legal_en_passant(&self) -> bool {
        let ready = |square| super::text::is_pseudo_en_passant(self.position(), square);
        self.now.passed.is_some_and(ready)
    }

    /// Whether a castling right is one that only Chess960 has.
    fn has_chess960_castling_rights(&self) -> bool {
        !self.position().is_standard_castling()
    }

    /// The rooks that may castle, as a mask of squares: the same as `castling_rights`.
    fn clean_castling_rights(&self) -> u64 {
        self.position().castling_rooks().0
    }

    /// Always False: a board holds a legal position.
    fn was_into_check(&self) -> bool {
        false
    }

    /// Always True: a board holds a legal position.
    fn is_valid(&self) -> bool {
        true
    }

    /// Always skewer.STATUS_VALID (0): a board holds a legal position.
    fn status(&self) -> u8 {
        0
    }
}
