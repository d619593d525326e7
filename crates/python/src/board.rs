//! `Board`: a position with the moves that led to it.

mod draws;
mod edit;
mod legal;
mod look;
mod polyglot;
mod state;
mod text;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use skewer_movegen::{Board, CastlingMode, Color, File, Move, Piece};
use skewer_movegen::{CastlingSide, Scharnagl, Setup, Square, Strictness};

use crate::errors::{self, IllegalMoveError};
use crate::moves::{MoveObject, PyMove};
use crate::pieces::is_white;

pub(crate) use legal::LegalMoves;
pub(crate) use polyglot::polyglot_numbers;

/// The FEN of the start position, as the default of arguments.
pub(crate) const STARTING_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A chess position with its move stack.
///
/// The methods have the names and the behaviour of python-chess. A board always holds a legal
/// position: a FEN that breaks a rule, and an illegal move, raise ValueError.
///
/// >>> import skewer
/// >>> board = skewer.Board()
/// >>> for san in ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7"]:
/// ...     _ = board.push_san(san)
/// >>> board.is_checkmate(), board.result()
/// (True, '1-0')
/// >>> board.pop()
/// Move.from_uci('h5f7')
#[pyclass(name = "Board", module = "skewer", subclass)]
#[derive(Clone)]
pub(crate) struct PyBoard {
    pub(crate) now: Snapshot,
    pub(crate) mode: CastlingMode,
    /// The position before each move.
    pub(crate) stack: Vec<(Snapshot, PyMove)>,
    /// The lists that `push` and `pop` of `skewer.chess` change together with this board.
    pub(crate) shown: Shown,
}

/// Two lists of the `skewer.chess.Board` that owns a board: its squares by side, and its moves. `None` until the first
/// push or pop, and in a copy.
#[derive(Default)]
pub(crate) struct Shown(pub(crate) Option<(Py<PyList>, Py<PyList>)>);

impl Clone for Shown {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// A position, and the square behind a pawn that has just made two steps. The square is kept even if no capture is
/// possible there, because a FEN may have it.
#[derive(Clone, Copy)]
pub(crate) struct Snapshot {
    pub(crate) position: Board,
    pub(crate) passed: Option<Square>,
}

impl Snapshot {
    /// The position after a move, which must be legal if there is one; `None` if the turn cannot be
    /// passed.
    fn after(&self, mv: Option<Move>) -> Option<Self> {
        let Some(mv) = mv else {
            let position = self.position.play_null()?;
            return Some(Self {
                position,
                passed: None,
            });
        };
        let (from, to) = (mv.from(), mv.to());
        let steps = from as u8 ^ to as u8;
        let passed = (steps == 16 && self.position.moved(mv) == Piece::Pawn)
            .then(|| Square::ALL[usize::midpoint(from as usize, to as usize)]);
        Some(Self {
            position: self.position.play(mv),
            passed,
        })
    }
}

impl PyBoard {
    pub(crate) fn from_position(position: Board, mode: CastlingMode) -> Self {
        Self {
            now: Snapshot {
                position,
                passed: position.en_passant(),
            },
            mode,
            stack: Vec::new(),
            shown: Shown::default(),
        }
    }

    pub(crate) fn parse(fen: &str, mode: CastlingMode) -> PyResult<Self> {
        if fen == STARTING_FEN {
            return Ok(Self::from_position(Board::STARTPOS, mode));
        }
        let wrong = |error: &dyn std::fmt::Display| {
            PyValueError::new_err(format!("invalid fen {fen:?}: {error}"))
        };
        let mut setup = Setup::from_fen(fen, Strictness::Relaxed).map_err(|error| wrong(&error))?;
        let passed = setup.en_passant;
        let position = build(&mut setup, mode).map_err(|error| wrong(&error))?;
        Ok(Self {
            now: Snapshot { position, passed },
            mode,
            stack: Vec::new(),
            shown: Shown::default(),
        })
    }

    pub(crate) fn position(&self) -> &Board {
        &self.now.position
    }

    /// Plays a move that may be null.
    pub(crate) fn play(&mut self, mv: PyMove) -> PyResult<()> {
        let inner = if mv.is_null() {
            None
        } else {
            Some(mv.legal_on(self.position())?)
        };
        let next = self.now.after(inner).ok_or_else(|| {
            IllegalMoveError::new_err(format!("cannot pass while in check: {}", self.position()))
        })?;
        self.stack.push((self.now, mv));
        self.now = next;
        Ok(())
    }

    /// Plays a legal move, in which castling is the king taking its rook.
    pub(crate) fn play_inner(&mut self, mv: Option<Move>) {
        let python = PyMove::of(self.position(), mv, self.mode);
        if let Some(next) = self.now.after(mv) {
            self.stack.push((self.now, python));
            self.now = next;
        }
    }

    /// The position before the first move of the stack.
    fn first(&self) -> Snapshot {
        self.stack.first().map_or(self.now, |(first, _)| *first)
    }

    /// The moves of the stack as legal moves of the positions before them.
    pub(crate) fn inner_moves(&self) -> impl DoubleEndedIterator<Item = (&Board, Option<Move>)> {
        self.stack.iter().map(|(before, mv)| {
            let inner = (!mv.is_null()).then(|| mv.on(&before.position));
            (&before.position, inner)
        })
    }
}

/// The mode of castling for Python's `chess960` argument.
pub(crate) fn mode(chess960: bool) -> CastlingMode {
    if chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    }
}

/// The position of a setup; outside Chess960, without castling rights that only Chess960 has.
fn build(setup: &mut Setup, mode: CastlingMode) -> Result<Board, skewer_movegen::SetupError> {
    if mode == CastlingMode::Standard {
        for color in Color::ALL {
            let king = Square::new(File::E, color.fold(Square::E1, Square::E8).rank());
            let at_home = setup.piece_at(king) == Some((color, Piece::King));
            for (wing, file) in [
                (CastlingSide::King, File::H),
                (CastlingSide::Queen, File::A),
            ] {
                if !at_home || setup.castling.rook(color, wing) != Some(file) {
                    setup.castling = setup.castling.with_rook(color, wing, None);
                }
            }
        }
    }
    setup.build(Strictness::Relaxed)
}

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(signature = (fen=Some(STARTING_FEN), *, chess960=false))]
    fn new(fen: Option<&str>, chess960: bool) -> PyResult<Self> {
        match fen {
            Some(fen) => Self::parse(fen, mode(chess960)),
            None => Err(PyValueError::new_err(
                "a board without kings is not a legal position; build one with Board.from_piece_map",
            )),
        }
    }

    /// One of the 960 start positions of Chess960, by its number from 0 to 959.
    #[staticmethod]
    fn from_chess960_pos(scharnagl: i64) -> PyResult<Self> {
        let number = u16::try_from(scharnagl).ok().and_then(Scharnagl::new);
        let number = number.ok_or_else(|| {
            PyValueError::new_err(format!("start position {scharnagl} is not in 0..=959"))
        })?;
        Ok(Self::from_position(
            Board::chess960(number),
            CastlingMode::Chess960,
        ))
    }

    /// The number of the Chess960 start position on the board, or None.
    #[pyo3(signature = (*, ignore_turn=false, ignore_castling=false, ignore_counters=true))]
    fn chess960_pos(
        &self,
        ignore_turn: bool,
        ignore_castling: bool,
        ignore_counters: bool,
    ) -> Option<u16> {
        Scharnagl::all().map(Scharnagl::number).find(|&number| {
            let Some(start) = Scharnagl::new(number).map(Board::chess960) else {
                return false;
            };
            let position = self.position();
            Color::ALL.into_iter().all(|color| {
                Piece::ALL
                    .into_iter()
                    .all(|kind| position.colored(color, kind) == start.colored(color, kind))
            }) && (ignore_turn || position.turn() == Color::White)
                && (ignore_castling || position.castling_rooks() == start.castling_rooks())
                && (ignore_counters
                    || (position.halfmove_clock() == 0 && position.fullmove_number() == 1))
        })
    }

    /// Whether castling is written as Chess960 needs it.
    #[getter]
    fn chess960(&self) -> bool {
        self.mode == CastlingMode::Chess960
    }

    #[setter]
    fn set_chess960(&mut self, chess960: bool) {
        self.mode = mode(chess960);
    }

    /// The moves that were pushed, oldest first: a new list.
    #[getter]
    fn move_stack<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyMove::list(py, self.stack.iter().map(|(_, mv)| *mv))
    }

    /// Plays a move. Raises IllegalMoveError, a ValueError, if it is not legal; the null move is
    /// legal when not in check.
    #[pyo3(name = "push")]
    fn push_move(&mut self, r#move: PyMove) -> PyResult<()> {
        self.play(r#move)
    }

    /// Takes back the last move and returns it. Raises IndexError if there is none.
    #[pyo3(name = "pop")]
    fn pop_move(&mut self, py: Python<'_>) -> PyResult<Py<MoveObject>> {
        let (before, mv) = self.stack.pop().ok_or_else(errors::empty_stack)?;
        self.now = before;
        mv.object(py)
    }

    /// The last move. Raises IndexError if there is none.
    fn peek(&self, py: Python<'_>) -> PyResult<Py<MoveObject>> {
        let (_, mv) = self.stack.last().ok_or_else(errors::empty_stack)?;
        mv.object(py)
    }

    /// Plays a move given as SAN and returns it.
    fn push_san(&mut self, py: Python<'_>, san: &str) -> PyResult<Py<MoveObject>> {
        let mv = self.read_san(san)?;
        self.play(mv)?;
        mv.object(py)
    }

    /// Plays a move given as UCI text and returns it.
    fn push_uci(&mut self, py: Python<'_>, uci: &str) -> PyResult<Py<MoveObject>> {
        let mv = self.read_uci(uci)?;
        self.play(mv)?;
        mv.object(py)
    }

    /// Plays moves one after the other: Move objects, or UCI or SAN texts. Faster than a loop.
    /// Nothing is played if one of them is not legal.
    fn push_all(board: &Bound<'_, Self>, moves: &Bound<'_, PyAny>) -> PyResult<()> {
        // On a copy, because the moves may come from code that looks at the board.
        let mut after = board.try_borrow()?.clone();
        for item in moves.try_iter()? {
            let item = item?;
            let mv = if let Ok(mv) = item.extract::<PyMove>() {
                mv
            } else {
                let text: String = item.extract()?;
                after.read_uci(&text).or_else(|_| after.read_san(&text))?
            };
            after.play(mv)?;
        }
        *board.try_borrow_mut()? = after;
        Ok(())
    }

    /// A copy. `stack` says how much of the move stack is copied: all (True), this many of the last moves (an
    /// integer), or nothing (False).
    #[pyo3(signature = (*, stack=None))]
    fn copy(&self, stack: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let keep = match stack {
            None => self.stack.len(),
            Some(stack) if stack.is_instance_of::<pyo3::types::PyBool>() => {
                if stack.is_truthy()? {
                    self.stack.len()
                } else {
                    0
                }
            }
            Some(stack) => stack.extract::<usize>()?.min(self.stack.len()),
        };
        Ok(Self {
            now: self.now,
            mode: self.mode,
            stack: self.stack[self.stack.len() - keep..].to_vec(),
            shown: Shown::default(),
        })
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyDict>) -> Self {
        self.clone()
    }

    /// The position before the first move of the stack, without a stack.
    fn root(&self) -> Self {
        Self {
            now: self.first(),
            mode: self.mode,
            stack: Vec::new(),
            shown: Shown::default(),
        }
    }

    /// Plies since the start of the game, by the move number and the turn.
    fn ply(&self) -> u32 {
        let position = self.position();
        2 * (u32::from(position.fullmove_number()) - 1) + position.turn() as u32
    }

    /// Removes the moves of the stack; the position stays.
    fn clear_stack(&mut self) {
        self.stack.clear();
        self.shown = Shown::default();
    }

    /// The key of the position by the engine's Zobrist numbers: 64 bits that depend on the pieces,
    /// the turn, castling rights and a legal en passant capture.
    fn zobrist_key(&self) -> u64 {
        self.position().key()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Self>() else {
            return Ok(false);
        };
        let other = other.try_borrow()?;
        let (a, b) = (self.position(), other.position());
        Ok(a.same_position(b)
            && a.halfmove_clock() == b.halfmove_clock()
            && a.fullmove_number() == b.fullmove_number())
    }

    /// The side to move: skewer.WHITE (True) or skewer.BLACK (False).
    #[getter]
    fn turn(&self) -> bool {
        is_white(self.position().turn())
    }

    /// The number of the move, from 1.
    #[getter]
    fn fullmove_number(&self) -> u16 {
        self.position().fullmove_number()
    }

    /// Plies since the last capture or pawn move.
    #[getter]
    fn halfmove_clock(&self) -> u8 {
        self.position().halfmove_clock()
    }

    /// The square behind a pawn that has just made two steps, or None.
    #[getter]
    fn ep_square(&self) -> Option<u8> {
        crate::squares::index(self.now.passed)
    }

    /// The rooks that may castle, as a mask of squares.
    #[getter]
    fn castling_rights(&self) -> u64 {
        self.position().castling_rooks().0
    }
}
