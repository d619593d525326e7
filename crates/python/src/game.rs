//! A game of a PGN file: headers, and the moves of its main line with their annotations.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList};
use skewer_movegen::{Board, Move};
use skewer_pgn::{EvalValue, Outcome, ROSTER, Tags, annotation};
use std::sync::OnceLock;

use crate::board::PyBoard;
use crate::moves::{MoveObject, PyMove};
use crate::record::{Record, Remark};

/// A game of a PGN file: its headers and its main line.
///
/// >>> import skewer
/// >>> game = skewer.parse_pgn("1. e4 { [%clk 0:01:00] } e5 2. Qh5 $6 *")
/// >>> [node.san() for node in game.mainline()]
/// ['e4', 'e5', 'Qh5']
/// >>> node = next(iter(game.mainline()))
/// >>> node.clock(), game.headers["White"], game.end_board().fullmove_number
/// (60.0, '?', 2)
///
/// It is pickled as PGN: the copy has the `errors`, `problems`, `number` and `line` that a reader of this text finds.
#[pyclass(frozen, module = "skewer")]
pub(crate) struct Game {
    pub(crate) record: Record,
    headers: PyOnceLock<Py<PyDict>>,
    /// The positions before each move and after the last, once they are asked for.
    boards: OnceLock<Vec<Board>>,
}

impl Game {
    pub(crate) fn new(record: Record) -> Self {
        Self {
            record,
            headers: PyOnceLock::new(),
            boards: OnceLock::new(),
        }
    }

    fn boards(&self) -> &[Board] {
        self.boards
            .get_or_init(|| self.record.positions().map(|(board, _)| board).collect())
    }

    fn board_after(&self, plies: usize) -> PyBoard {
        let mut board = PyBoard::from_position(self.record.start, self.record.mode);
        for &mv in &self.record.moves[..plies] {
            board.play_inner(mv);
        }
        board
    }
}

#[pymethods]
impl Game {
    /// The tags by name, as a dictionary. The seven standard tags are always there.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let headers = self.headers.get_or_try_init(py, || -> PyResult<_> {
            let headers = PyDict::new(py);
            for name in ROSTER {
                let unknown = if name == "Date" { "????.??.??" } else { "?" };
                headers.set_item(name, unknown)?;
            }
            headers.set_item("Result", Outcome::pgn_result(self.record.outcome))?;
            for (name, value) in self.record.tags.iter() {
                headers.set_item(name, value)?;
            }
            Ok(headers.unbind())
        })?;
        Ok(headers.bind(py).clone())
    }

    /// The moves of the main line, as a new list.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyMove::list(py, self.record.python_moves.iter().copied())
    }

    /// The moves of the main line, as a new list.
    fn mainline_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.moves(py)
    }

    /// The moves of the main line in standard algebraic notation.
    fn sans(&self) -> Vec<String> {
        self.record
            .positions()
            .map(|(board, mv)| mv.map_or_else(|| "--".to_owned(), |mv| board.san(mv).to_string()))
            .collect()
    }

    /// The moves of the main line with their annotations.
    fn mainline(game: Bound<'_, Self>) -> Vec<GameNode> {
        (1..=game.get().record.moves.len())
            .map(|ply| GameNode {
                game: game.clone().unbind(),
                ply,
            })
            .collect()
    }

    /// The start position.
    fn board(&self) -> PyBoard {
        self.board_after(0)
    }

    /// The position after the last move, with all moves on its stack.
    fn end_board(&self) -> PyBoard {
        self.board_after(self.record.moves.len())
    }

    /// The last move of the main line; None if the game has no moves.
    fn end(game: Bound<'_, Self>) -> Option<GameNode> {
        let ply = game.get().record.moves.len();
        (ply > 0).then(|| GameNode {
            game: game.unbind(),
            ply,
        })
    }

    /// The comment before the first move.
    #[getter]
    fn comment(&self) -> String {
        self.record.comment(0)
    }

    /// The result: "1-0", "0-1", "1/2-1/2" or "*".
    #[getter]
    fn result(&self) -> &'static str {
        Outcome::pgn_result(self.record.outcome)
    }

    /// What is wrong with the game: empty for a good one.
    #[getter]
    fn errors(&self) -> Vec<String> {
        self.record.errors.iter().map(ToString::to_string).collect()
    }

    /// Contradictions in the main line and the tags: numbers of moves, a result or a FEN that do not fit, and doubled
    /// tags. They are passed over, and `strict=True` does not refuse the game.
    #[getter]
    fn problems(&self) -> Vec<String> {
        self.record
            .problems
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    /// The number of the game in its file, from 1.
    #[getter]
    fn number(&self) -> u64 {
        self.record.number
    }

    /// The line of the file on which the game begins, from 1.
    #[getter]
    fn line(&self) -> u64 {
        self.record.line
    }

    fn __len__(&self) -> usize {
        self.record.moves.len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    /// The game as PGN, with the headers as they are now. Variations are missing, because the reader skips them;
    /// `skewer.chess.pgn` keeps variations.
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let mut tags = self.record.tags.clone();
        if let Some(headers) = self.headers.get(py) {
            tags = Tags::default();
            for (name, value) in headers.bind(py) {
                tags.set(name.extract::<String>()?, value.str()?.to_string());
            }
        }
        Ok(self.record.tree(tags).to_string().trim_end().to_owned())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let headers = self.headers(py)?;
        let get = |name: &str| headers.as_any().get_item(name);
        Ok(format!(
            "<Game {} ({} - {}, {}, {} plies)>",
            self.record.number,
            get("White")?,
            get("Black")?,
            Outcome::pgn_result(self.record.outcome),
            self.record.moves.len()
        ))
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (String,))> {
        let parse = py.import("skewer")?.getattr("parse_pgn")?;
        Ok((parse.unbind(), (self.__str__(py)?,)))
    }
}

/// A move of a game's main line with its annotations.
#[pyclass(frozen, module = "skewer")]
pub(crate) struct GameNode {
    game: Py<Game>,
    /// How many moves of the game lead to the position after this one, from 1.
    ply: usize,
}

impl GameNode {
    fn record(&self) -> &Record {
        &self.game.get().record
    }

    fn before(&self) -> (Board, Option<Move>) {
        let game = self.game.get();
        (game.boards()[self.ply - 1], game.record.moves[self.ply - 1])
    }
}

#[pymethods]
impl GameNode {
    /// The move.
    #[getter]
    fn r#move(&self, py: Python<'_>) -> PyResult<Py<MoveObject>> {
        self.record().python_moves[self.ply - 1].object(py)
    }

    /// The move in standard algebraic notation.
    fn san(&self) -> String {
        let (board, mv) = self.before();
        mv.map_or_else(|| "--".to_owned(), |mv| board.san(mv).to_string())
    }

    /// The move as UCI text.
    fn uci(&self) -> String {
        self.record().python_moves[self.ply - 1].text()
    }

    /// The position after the move, with the moves of the game on its stack.
    fn board(&self) -> PyBoard {
        self.game.get().board_after(self.ply)
    }

    /// Plies from the start of the game to the position after the move.
    fn ply(&self) -> u32 {
        let (board, _) = self.before();
        2 * (u32::from(board.fullmove_number()) - 1) + board.turn() as u32 + 1
    }

    /// The side to move after the move.
    fn turn(&self) -> bool {
        let (board, _) = self.before();
        !crate::pieces::is_white(board.turn())
    }

    /// The comments after the move, joined by blanks.
    #[getter]
    fn comment(&self) -> String {
        self.record().comment(self.ply as u32)
    }

    /// The numbers of the annotation glyphs, as a set.
    #[getter]
    fn nags(&self) -> std::collections::BTreeSet<u8> {
        let remarks = self.record().remarks_at(self.ply as u32);
        remarks
            .filter_map(|remark| match remark {
                Remark::Nag(nag) => Some(nag.0),
                Remark::Comment(..) => None,
            })
            .collect()
    }

    /// The clock of the player who moved, in seconds, or None.
    fn clock(&self) -> Option<f64> {
        self.record().clock(self.ply as u32)
    }

    /// The time spent on the move, in seconds, or None.
    fn emt(&self) -> Option<f64> {
        let comment = self.record().comment(self.ply as u32);
        annotation::elapsed(&comment).map(|time| time.as_secs_f64())
    }

    /// The evaluation in the comment, as a PovScore of the side to move, or None.
    fn eval<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(tag) = self.record().eval(self.ply as u32) else {
            return Ok(None);
        };
        // Comments evaluate from White's side.
        let turn = crate::pieces::color(self.turn());
        let score = match tag.value {
            EvalValue::Centipawns(cp) => EvalValue::Centipawns(turn.fold(cp, -cp)),
            EvalValue::Mate(moves) => EvalValue::Mate(turn.fold(moves, -moves)),
        };
        crate::score::pov(py, score, turn).map(Some)
    }

    /// The depth of the evaluation in the comment, or None.
    fn eval_depth(&self) -> Option<u32> {
        self.record()
            .eval(self.ply as u32)
            .and_then(|tag| tag.depth)
    }

    /// The node before this one, or None for the first move.
    #[getter]
    fn parent(&self, py: Python<'_>) -> Option<Self> {
        (self.ply > 1).then(|| Self {
            game: self.game.clone_ref(py),
            ply: self.ply - 1,
        })
    }

    /// The node after this one, or None for the last move.
    fn next(&self, py: Python<'_>) -> Option<Self> {
        (self.ply < self.record().moves.len()).then(|| Self {
            game: self.game.clone_ref(py),
            ply: self.ply + 1,
        })
    }

    fn __repr__(&self) -> String {
        let (board, _) = self.before();
        let dots = board.turn().fold(". ", "...");
        format!("<GameNode {}{dots}{}>", board.fullmove_number(), self.san())
    }
}
