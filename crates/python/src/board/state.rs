//! The methods of a board for `skewer.chess`: its state as masks, and moves in the order of python-chess.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use skewer_movegen::{Bitboard, Board, CastlingMode, Color, Move, Piece, Setup, Square};

use super::edit::rights;
use super::{PyBoard, Shown, Snapshot};
use crate::errors;
use crate::loose::{
    LooseMove, LoosePiece, attribute, loose, loose_list, loose_piece, packed, plain,
};
use crate::moves::PyMove;
use crate::pieces::{color, is_white};

/// The attributes of `skewer.chess.Board` that say where pieces of each type are.
fn kind_name(py: Python<'_>, kind: Piece) -> &Bound<'_, PyString> {
    match kind {
        Piece::Pawn => intern!(py, "pawns"),
        Piece::Knight => intern!(py, "knights"),
        Piece::Bishop => intern!(py, "bishops"),
        Piece::Rook => intern!(py, "rooks"),
        Piece::Queen => intern!(py, "queens"),
        Piece::King => intern!(py, "kings"),
    }
}

/// Writes a position into the attributes of a board: all attributes, or those that differ from the position before.
fn show(
    own: &Bound<'_, PyDict>,
    sides: &Bound<'_, PyList>,
    now: &Snapshot,
    before: Option<&Snapshot>,
) -> PyResult<()> {
    let py = own.py();
    let (position, old) = (&now.position, before.map(|before| &before.position));
    for kind in Piece::ALL {
        let mask = position.pieces(kind);
        if old.is_none_or(|old| old.pieces(kind) != mask) {
            own.set_item(kind_name(py, kind), mask.0)?;
        }
    }
    if old.is_none_or(|old| old.occupied() != position.occupied()) {
        own.set_item(intern!(py, "occupied"), position.occupied().0)?;
    }
    for color in Color::ALL {
        let mask = position.color(color);
        if old.is_none_or(|old| old.color(color) != mask) {
            sides.set_item(usize::from(is_white(color)), mask.0)?;
        }
    }
    if old.is_none_or(|old| old.turn() != position.turn()) {
        own.set_item(intern!(py, "turn"), is_white(position.turn()))?;
    }
    let rights = position.castling_rooks();
    if old.is_none_or(|old| old.castling_rooks() != rights) {
        own.set_item(intern!(py, "castling_rights"), rights.0)?;
    }
    if before.is_none_or(|before| before.passed != now.passed) {
        own.set_item(intern!(py, "ep_square"), crate::squares::index(now.passed))?;
    }
    if old.is_none_or(|old| old.halfmove_clock() != position.halfmove_clock()) {
        own.set_item(intern!(py, "halfmove_clock"), position.halfmove_clock())?;
    }
    if old.is_none_or(|old| old.fullmove_number() != position.fullmove_number()) {
        own.set_item(intern!(py, "fullmove_number"), position.fullmove_number())?;
    }
    Ok(())
}

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

impl PyBoard {
    /// Plays a move if it is legal, and also changes the attributes and the stack of a `skewer.chess.Board`.
    /// The stack gets a copy of the move, so that later changes of the argument have no effect; castling from e1 or e8
    /// is written in the copy as the castling mode of the board writes it. Returns whether a pawn was promoted. `None`
    /// if the argument is not a legal move, or if the clock can count no further.
    pub(crate) fn push_shown(
        &mut self,
        own: &Bound<'_, PyDict>,
        r#move: &Bound<'_, PyAny>,
    ) -> PyResult<Option<bool>> {
        let Some(r#move) = packed(r#move) else {
            return Ok(None);
        };
        let before = self.now;
        let position = &before.position;
        if position.halfmove_clock() == u8::MAX {
            return Ok(None);
        }
        let inner = (!r#move.is_null()).then(|| r#move.on(position));
        if inner.is_some_and(|inner| !position.is_legal(inner)) {
            return Ok(None);
        }
        let home = matches!(r#move.from(), Square::E1 | Square::E8);
        let castles = home && inner.is_some_and(Move::is_castle);
        let written = if castles {
            PyMove::of(position, inner, self.mode)
        } else {
            r#move
        };
        let Some(next) = before.after(inner) else {
            return Ok(None);
        };
        let (sides, moves) = self.lists(own)?;
        self.stack.push((before, written));
        self.now = next;
        show(own, &sides, &self.now, Some(&before))?;
        moves.append(loose(own.py(), written)?)?;
        Ok(Some(written.promotion_number() > 0))
    }

    /// Takes back the last move, on the attributes of a `skewer.chess.Board` as well, but not on its stack. False if no
    /// move was made on this board.
    fn pop_shown(&mut self, own: &Bound<'_, PyDict>) -> PyResult<bool> {
        let (sides, _) = self.lists(own)?;
        let Some((before, _)) = self.stack.pop() else {
            return Ok(false);
        };
        let after = std::mem::replace(&mut self.now, before);
        show(own, &sides, &self.now, Some(&after))?;
        Ok(true)
    }

    /// Takes back the last move on a `skewer.chess.Board` and its stack, and returns the move. `None` if no move was
    /// made on this board, or if there is none on the stack.
    pub(crate) fn take_back<'py>(
        &mut self,
        own: &Bound<'py, PyDict>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (_, moves) = self.lists(own)?;
        let Some(last) = moves.len().checked_sub(1) else {
            return Ok(None);
        };
        if !self.pop_shown(own)? {
            return Ok(None);
        }
        let taken = moves.get_item(last)?;
        moves.del_item(last)?;
        Ok(Some(taken))
    }

    /// The squares by side and the moves of a `skewer.chess.Board`, which are looked up once only.
    #[allow(clippy::type_complexity, reason = "a pair of lists")]
    fn lists<'py>(
        &mut self,
        own: &Bound<'py, PyDict>,
    ) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyList>)> {
        let py = own.py();
        if let Some((sides, moves)) = &self.shown.0 {
            return Ok((sides.bind(py).clone(), moves.bind(py).clone()));
        }
        let sides = attribute(own, intern!(py, "occupied_co"))?.cast_into::<PyList>()?;
        let moves = attribute(own, intern!(py, "move_stack"))?.cast_into::<PyList>()?;
        self.shown = Shown(Some((sides.clone().unbind(), moves.clone().unbind())));
        Ok((sides, moves))
    }
}

#[pymethods]
impl PyBoard {
    /// Reads a board from the attributes of a `skewer.chess.Board`. Raises ValueError or TypeError if the position is
    /// not legal, or if the board that was read has other attributes.
    #[staticmethod]
    fn _from_attributes(own: &Bound<'_, PyDict>) -> PyResult<Self> {
        let py = own.py();
        let mask = |name| attribute(own, name)?.extract::<u64>();
        let sides: [u64; 2] = attribute(own, intern!(py, "occupied_co"))?.extract()?;
        let castling_rights = mask(intern!(py, "castling_rights"))?;
        let ep_square: Option<u8> = attribute(own, intern!(py, "ep_square"))?.extract()?;
        let mut setup = Setup::empty();
        let mut kinds = [0; 6];
        for (at, kind) in Piece::ALL.into_iter().enumerate() {
            kinds[at] = mask(kind_name(py, kind))?;
            for square in Bitboard(kinds[at]) {
                let white = Bitboard(sides[1]).contains(square);
                setup.set_piece(square, Some((color(white), kind)));
            }
        }
        setup.turn = color(attribute(own, intern!(py, "turn"))?.extract()?);
        setup.castling = rights(&setup, castling_rights);
        setup.en_passant = ep_square.and_then(Square::from_index);
        setup.halfmove_clock = attribute(own, intern!(py, "halfmove_clock"))?.extract()?;
        setup.fullmove_number = attribute(own, intern!(py, "fullmove_number"))?.extract()?;
        let (clock, number) = (setup.halfmove_clock, setup.fullmove_number);
        let chess960: bool = attribute(own, intern!(py, "chess960"))?.extract()?;
        let mut board = Self::from_position(Board::STARTPOS, super::mode(chess960));
        board.take(setup)?;
        let position = board.position();
        let same = position.castling_rooks().0 == castling_rights
            && position.halfmove_clock() == clock
            && position.fullmove_number() == number
            && position.occupied().0 == mask(intern!(py, "occupied"))?
            && Piece::ALL.map(|kind| position.pieces(kind).0) == kinds
            && [false, true].map(|white| position.color(color(white)).0) == sides;
        if same {
            Ok(board)
        } else {
            Err(errors::value(
                "not a legal position: castling rights, clocks or pieces",
            ))
        }
    }

    /// Writes the position into the attributes of a `skewer.chess.Board`. Its lists may have been replaced since the
    /// last time, so they are looked up anew.
    fn _show(&mut self, own: &Bound<'_, PyDict>) -> PyResult<()> {
        self.shown = Shown::default();
        own.set_item(
            intern!(own.py(), "chess960"),
            self.mode == CastlingMode::Chess960,
        )?;
        let sides = attribute(own, intern!(own.py(), "occupied_co"))?;
        show(own, sides.cast()?, &self.now, None)
    }

    /// A copy with the last moves of the stack.
    fn _copy(&self, keep: usize) -> Self {
        let cut = self.stack.len().saturating_sub(keep);
        Self {
            now: self.now,
            mode: self.mode,
            stack: self.stack[cut..].to_vec(),
            shown: Shown::default(),
        }
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

    /// Whether a move is legal. None if only the methods in Python can tell. The argument None is no legal move.
    fn _is_legal(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Option<bool>> {
        if r#move.is_none() {
            return Ok(Some(false));
        }
        let plain = plain(r#move).unwrap_or(None);
        Ok(plain.map(|mv| self.is_legal(mv)))
    }

    /// Takes back the last move, on the attributes of a `skewer.chess.Board` as well, but not on its stack. False if no
    /// move was made on this board.
    fn _pop(&mut self, own: &Bound<'_, PyDict>) -> PyResult<bool> {
        self.pop_shown(own)
    }

    /// Whether a legal move gives check; None if the argument is not a legal move.
    fn _gives_check(&self, r#move: &Bound<'_, PyAny>) -> Option<bool> {
        let mv = plain(r#move).ok().flatten()?;
        let inner = (!mv.is_null()).then(|| mv.on(self.position()))?;
        let legal = self.position().is_legal(inner);
        legal.then(|| self.position().gives_check(inner))
    }

    /// Whether a pseudo-legal move captures something. None if only the methods in Python can tell.
    fn _is_capture(&self, r#move: &Bound<'_, PyAny>) -> Option<bool> {
        let mv = plain(r#move).ok().flatten()?;
        let (position, from, to) = (self.position(), mv.from(), mv.to());
        let touched = Bitboard(from.bitboard().0 ^ to.bitboard().0);
        let pawn = position.pieces(Piece::Pawn).contains(from);
        let en_passant = self.now.passed == Some(to)
            && pawn
            && matches!((from as u8).abs_diff(to as u8), 7 | 9)
            && !position.occupied().contains(to);
        let theirs = position.color(!position.turn());
        Some((touched & theirs).0 != 0 || en_passant)
    }

    /// `parse_san`, with a move of `skewer.chess`.
    fn _parse_san(&self, py: Python<'_>, san: &str) -> PyResult<Py<LooseMove>> {
        loose(py, self.read_san(san)?)
    }

    /// The move of a word of a PGN file, in every form that is read there, with a move of `skewer.chess`.
    fn _parse_pgn(&self, py: Python<'_>, word: &str) -> PyResult<Py<LooseMove>> {
        loose(py, self.read_pgn_word(word)?)
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
