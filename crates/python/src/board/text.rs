//! FEN, SAN, UCI text and drawings of a board.

use std::fmt::Write as _;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use skewer_movegen::{Board, CastlingMode, Color, Piece, Square, attacks};
use skewer_pgn::San;

use super::PyBoard;
use crate::errors::{IllegalMoveError, parse_move, value};
use crate::moves::{MoveObject, PyMove, reason};
use crate::pieces::PyPiece;

/// What a pickle holds: the FEN of the root, whether it is Chess960, and the moves.
type Pickled = (String, bool, Vec<u16>);

/// When a FEN gives the en passant square.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum EnPassant {
    /// If there is a legal capture.
    Legal,
    /// If a pawn could capture, legally or not.
    Xfen,
    /// After every double step of a pawn.
    Fen,
}

impl EnPassant {
    fn parse(text: &str) -> PyResult<Self> {
        match text {
            "legal" => Ok(Self::Legal),
            "xfen" => Ok(Self::Xfen),
            "fen" => Ok(Self::Fen),
            _ => Err(PyValueError::new_err(format!(
                "en_passant is \"legal\", \"xfen\" or \"fen\", not {text:?}"
            ))),
        }
    }
}

/// Whether a pawn of the side to move attacks `passed`, even if it is pinned.
pub(crate) fn is_pseudo_en_passant(position: &Board, passed: Square) -> bool {
    let us = position.turn();
    let from = attacks::pawn_attacks(!us, passed) & position.colored(us, Piece::Pawn);
    from.any()
}

impl PyBoard {
    pub(crate) fn write_fen(&self, en_passant: EnPassant) -> String {
        self.fen_in(CastlingMode::Standard, en_passant)
    }

    fn fen_in(&self, mode: CastlingMode, en_passant: EnPassant) -> String {
        let position = self.position();
        let fen = position.to_fen_in(mode).to_string();
        let shown = match en_passant {
            EnPassant::Legal => position.en_passant(),
            EnPassant::Fen => self.now.passed,
            EnPassant::Xfen => self
                .now
                .passed
                .filter(|&square| is_pseudo_en_passant(position, square)),
        };
        let Some(square) = shown.filter(|_| position.en_passant().is_none()) else {
            return fen;
        };
        let mut fields: Vec<&str> = fen.split(' ').collect();
        let square = square.to_string();
        fields[3] = &square;
        fields.join(" ")
    }

    pub(crate) fn read_san(&self, san: &str) -> PyResult<PyMove> {
        if matches!(san, "--" | "Z0" | "0000" | "@@@@") {
            return Ok(PyMove::NULL);
        }
        let position = self.position();
        match position.parse_san(san) {
            Ok(mv) => Ok(PyMove::of(position, Some(mv), self.mode)),
            Err(error) => Err(parse_move(
                error,
                "san",
                san,
                &self.write_fen(EnPassant::Legal),
            )),
        }
    }

    pub(crate) fn read_pgn_word(&self, word: &str) -> PyResult<PyMove> {
        let position = self.position();
        match San::new(word.as_bytes()).resolve(position) {
            Ok(mv) => Ok(PyMove::of(position, mv, self.mode)),
            Err(error) => {
                let fen = self.write_fen(EnPassant::Legal);
                Err(parse_move(error, "san", word, &fen))
            }
        }
    }

    pub(crate) fn read_uci(&self, uci: &str) -> PyResult<PyMove> {
        let mv = PyMove::parse(uci)?;
        if mv.is_null() {
            return Ok(mv);
        }
        let position = self.position();
        let inner = mv.on(position);
        if position.is_legal(inner) {
            Ok(PyMove::of(position, Some(inner), self.mode))
        } else {
            let fen = self.write_fen(EnPassant::Legal);
            Err(IllegalMoveError::new_err(format!(
                "uci {uci:?} in {fen}: not legal{}",
                reason(position, inner)
            )))
        }
    }

    fn long_text(&self, mv: PyMove) -> PyResult<String> {
        if mv.is_null() {
            return Ok("--".to_owned());
        }
        let position = self.position();
        let inner = mv.legal_on(position)?;
        let san = position.san(inner).to_string();
        if inner.is_castle() {
            return Ok(san);
        }
        let kind = position.moved(inner);
        let mut text = String::new();
        if kind != Piece::Pawn {
            text.push(kind.letter(Color::White));
        }
        let dash = if position.is_capture(inner) { 'x' } else { '-' };
        let _ = write!(text, "{}{dash}{}", inner.from(), inner.to());
        // A promotion, check or mate may follow the target.
        if let Some(tail) = san.find(['=', '+', '#']) {
            text.push_str(&san[tail..]);
        }
        Ok(text)
    }

    /// The ranks of the board as lines, the eighth first. `flip` is 0, or 63 to turn the board round.
    fn draw(
        &self,
        flip: usize,
        empty: &str,
        separator: char,
        symbol: impl Fn(PyPiece) -> char,
    ) -> Vec<String> {
        (0..8)
            .rev()
            .map(|rank| {
                let row: Vec<String> = (0..8)
                    .map(|file| {
                        self.piece(Square::ALL[(rank * 8 + file) ^ flip])
                            .map_or_else(|| empty.to_owned(), |piece| symbol(piece).to_string())
                    })
                    .collect();
                row.join(&separator.to_string())
            })
            .collect()
    }
}

#[pymethods]
impl PyBoard {
    /// The FEN of the position. The en passant square is written if a capture is legal ("legal"), if a
    /// pawn attacks it ("xfen"), or after every double step ("fen").
    #[pyo3(signature = (*, shredder=false, en_passant="legal"))]
    fn fen(&self, shredder: bool, en_passant: &str) -> PyResult<String> {
        Ok(self.fen_in(super::mode(shredder), EnPassant::parse(en_passant)?))
    }

    /// The FEN with castling rights as files of rooks.
    #[pyo3(signature = (*, en_passant="legal"))]
    fn shredder_fen(&self, en_passant: &str) -> PyResult<String> {
        self.fen(true, en_passant)
    }

    /// The piece placement of the FEN.
    fn board_fen(&self) -> String {
        let fen = self.write_fen(EnPassant::Legal);
        fen.split(' ').next().unwrap_or_default().to_owned()
    }

    /// The first four fields of the FEN, as an EPD line without operations.
    #[pyo3(signature = (*, shredder=false, en_passant="legal"))]
    fn epd(&self, shredder: bool, en_passant: &str) -> PyResult<String> {
        let fen = self.fen(shredder, en_passant)?;
        Ok(fen.split(' ').take(4).collect::<Vec<_>>().join(" "))
    }

    /// Castling rights as FEN writes them.
    fn castling_xfen(&self) -> String {
        let fen = self.write_fen(EnPassant::Legal);
        fen.split(' ').nth(2).unwrap_or("-").to_owned()
    }

    /// Castling rights as files of rooks.
    fn castling_shredder_fen(&self) -> String {
        let fen = self.fen_in(CastlingMode::Chess960, EnPassant::Legal);
        fen.split(' ').nth(2).unwrap_or("-").to_owned()
    }

    /// A legal move in standard algebraic notation. Raises IllegalMoveError if it is not legal.
    fn san(&self, r#move: PyMove) -> PyResult<String> {
        if r#move.is_null() {
            return Ok("--".to_owned());
        }
        let mv = r#move.legal_on(self.position())?;
        Ok(self.position().san(mv).to_string())
    }

    /// A legal move in long algebraic notation.
    fn lan(&self, r#move: PyMove) -> PyResult<String> {
        self.long_text(r#move)
    }

    /// The SAN of a legal move, which is then played.
    fn san_and_push(&mut self, r#move: PyMove) -> PyResult<String> {
        let san = self.san(r#move)?;
        self.play(r#move)?;
        Ok(san)
    }

    /// The moves of a line in standard algebraic notation with move numbers.
    ///
    /// >>> import skewer
    /// >>> line = [skewer.Move.from_uci(uci) for uci in ("e2e4", "e7e5", "g1f3")]
    /// >>> skewer.Board().variation_san(line)
    /// '1. e4 e5 2. Nf3'
    fn variation_san(&self, variation: Vec<Py<MoveObject>>) -> PyResult<String> {
        let mut board = self.clone();
        let mut words = Vec::with_capacity(variation.len());
        for mv in &variation {
            let mv = mv.get().value();
            let number = board.position().fullmove_number();
            let san = board.san(mv)?;
            words.push(match (board.position().turn(), words.is_empty()) {
                (Color::White, _) => format!("{number}. {san}"),
                (Color::Black, true) => format!("{number}...{san}"),
                (Color::Black, false) => san,
            });
            board.play(mv)?;
        }
        Ok(words.join(" "))
    }

    /// Parses a move in standard algebraic notation. Raises InvalidMoveError, IllegalMoveError or
    /// AmbiguousMoveError, all of them ValueErrors.
    fn parse_san(&self, py: Python<'_>, san: &str) -> PyResult<Py<MoveObject>> {
        self.read_san(san)?.object(py)
    }

    /// Parses a move in UCI text; castling is understood in both forms. Raises InvalidMoveError or
    /// IllegalMoveError, both ValueErrors.
    fn parse_uci(&self, py: Python<'_>, uci: &str) -> PyResult<Py<MoveObject>> {
        self.read_uci(uci)?.object(py)
    }

    /// The UCI text of a move; in Chess960, castling is the king taking its own rook.
    #[pyo3(signature = (r#move, *, chess960=None))]
    fn uci(&self, r#move: PyMove, chess960: Option<bool>) -> String {
        let position = self.position();
        let inner = r#move.on(position);
        if r#move.is_null() || !inner.is_castle() {
            return r#move.text();
        }
        let mode = chess960.map_or(self.mode, super::mode);
        PyMove::of(position, Some(inner), mode).text()
    }

    /// The board as eight lines of figurines.
    #[pyo3(signature = (*, invert_color=false, borders=false, empty_square="⭘", orientation=true))]
    fn unicode(
        &self,
        invert_color: bool,
        borders: bool,
        empty_square: &str,
        orientation: bool,
    ) -> String {
        let symbol = |piece: PyPiece| piece.figurine(invert_color);
        let separator = if borders { '|' } else { ' ' };
        let (flip, files) = if orientation {
            (0, "a b c d e f g h")
        } else {
            (63, "h g f e d c b a")
        };
        let rows = self.draw(flip, empty_square, separator, symbol);
        if !borders {
            return rows.join("\n");
        }
        let rule = "  -----------------";
        let mut text = format!("{rule}\n");
        for (rank, row) in (0..8).rev().zip(&rows) {
            let number = (rank ^ (flip & 7)) + 1;
            let _ = write!(text, "{number} |{row}|\n{rule}\n");
        }
        text + "   " + files
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, Pickled)> {
        let root = self.root();
        let moves = self.stack.iter().map(|(_, mv)| mv.bits()).collect();
        let restore = py.get_type::<Self>().getattr("_restore")?.unbind();
        Ok((
            restore,
            (root.write_fen(EnPassant::Fen), self.chess960(), moves),
        ))
    }

    /// Called by pickle, to make the board again.
    #[staticmethod]
    fn _restore(fen: &str, chess960: bool, moves: Vec<u16>) -> PyResult<Self> {
        let mut board = Self::parse(fen, super::mode(chess960))?;
        for bits in moves {
            let mv = PyMove::from_bits(bits).ok_or_else(|| value("a damaged pickle"))?;
            board.play(mv)?;
        }
        Ok(board)
    }

    fn __str__(&self) -> String {
        self.draw(0, ".", ' ', PyPiece::letter).join("\n")
    }

    fn __repr__(&self) -> String {
        let fen = self.write_fen(EnPassant::Legal);
        match self.mode {
            CastlingMode::Standard => format!("Board('{fen}')"),
            CastlingMode::Chess960 => format!("Board('{fen}', chess960=True)"),
        }
    }
}
