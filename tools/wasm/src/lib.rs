#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

use std::fmt;

use serde::{Deserialize, Serialize};
use skewer_eval::Evaluation;
use skewer_movegen::{Board, CastlingMode, Color};
use skewer_search::{Limits, Mode, Position, Report, Solo};
use skewer_tt::{TableError, TableSize};
use skewer_types::{Bound, Score, WinModel};

/// The hash table, in MiB.
const HASH_MB: usize = 32;

/// Half-moves of a line that are printed.
const LINE_PLIES: usize = 16;

/// What to analyse.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The position in which the moves begin.
    pub fen: String,
    /// The moves that lead to the position to search, as UCI text. Earlier positions count for
    /// repetitions. Castling may also be written as the king taking its rook.
    #[serde(default)]
    pub moves: Vec<String>,
    /// How many of the best lines to find; at least 1 is searched.
    pub lines: usize,
    /// Nodes at which the search ends. Without it, the search goes on until the program is ended.
    #[serde(default)]
    pub nodes: Option<u64>,
}

/// A line that the search has found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// The iteration, in plies.
    pub depth: u32,
    /// Which of the best lines this is, from 1.
    pub line: usize,
    /// The evaluation from White's side.
    pub score: Evaluated,
    /// The moves as UCI text, castling as the king taking its rook, separated by blanks.
    pub moves: String,
    /// Nodes searched so far.
    pub nodes: u64,
    /// Milliseconds since the search began.
    pub time: u64,
}

/// An evaluation from White's side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Evaluated {
    /// In centipawns.
    Centipawns(i32),
    /// `#3` if White mates in three moves, `#-3` if Black does.
    Mate(String),
}

impl Evaluated {
    fn new(score: Score, turn: Color, model: WinModel) -> Self {
        let sign = if turn == Color::White { 1 } else { -1 };
        match score.mate_distance() {
            Some(moves) => Self::Mate(format!("#{}", sign * moves)),
            None => Self::Centipawns(sign * model.centipawns(score)),
        }
    }
}

/// Why a request cannot be answered.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// It is not the JSON of a [`Request`].
    Request(serde_json::Error),
    /// The FEN is not that of a position.
    Fen(skewer_movegen::FenError),
    /// This move is not legal where it is played.
    Move(String),
    /// There is no legal move in the position.
    GameOver,
    /// There is not enough memory for the hash table.
    Memory(TableError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(error) => write!(f, "not a request: {error}"),
            Self::Fen(error) => write!(f, "not a position: {error}"),
            Self::Move(text) => write!(f, "{text} is not a legal move"),
            Self::GameOver => f.write_str("there is no legal move"),
            Self::Memory(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Error {}

/// Analyses a position and calls `found` with each line of each iteration, the best first.
///
/// # Errors
///
/// If the request is malformed, the position is not legal or the game is over there, or there is
/// not enough memory.
///
/// ```
/// let request = r#"{"fen": "7k/8/6KP/8/8/8/8/R7 w - - 0 1", "lines": 1, "nodes": 1000}"#;
/// let mut last = None;
/// skewer_wasm::analyse(request, &mut |line| last = Some(line.moves.clone()))?;
/// assert_eq!(last.as_deref(), Some("a1a8"));
/// # Ok::<(), skewer_wasm::Error>(())
/// ```
pub fn analyse(request: &str, found: &mut dyn FnMut(&Line)) -> Result<(), Error> {
    let request: Request = serde_json::from_str(request).map_err(Error::Request)?;
    let position = request.position()?;
    let start = *position.board();
    let limits = Limits {
        multi_pv: request.lines,
        nodes: request.nodes,
        mode: Mode::Infinite,
        ..Limits::default()
    };
    let table = TableSize::from_megabytes(HASH_MB);
    let evaluation = Evaluation::default();
    let model = evaluation.win_model();
    let mut solo = Solo::new(evaluation, table).map_err(Error::Memory)?;
    solo.search_with_report(&position, &limits, &mut |report| {
        if report.bound == Bound::Exact {
            found(&Line::new(report, &start, model));
        }
    });
    Ok(())
}

impl Request {
    fn position(&self) -> Result<Position, Error> {
        let board = Board::from_fen(&self.fen).map_err(Error::Fen)?;
        let mut position = Position::new(board);
        for text in &self.moves {
            let mv = position.board().parse_uci(text);
            position.play(mv.map_err(|_| Error::Move(text.clone()))?);
        }
        if position.board().has_legal_moves() {
            Ok(position)
        } else {
            Err(Error::GameOver)
        }
    }
}

impl Line {
    fn new(report: &Report, start: &Board, model: WinModel) -> Self {
        let mut board = *start;
        let moves = report.pv.iter().take(LINE_PLIES).map(|&mv| {
            let text = board.uci_in(mv, CastlingMode::Chess960).to_string();
            board = board.play(mv);
            text
        });
        Self {
            depth: report.depth.max(0) as u32,
            line: report.multi_pv,
            score: Evaluated::new(report.score, start.turn(), model),
            moves: moves.collect::<Vec<_>>().join(" "),
            nodes: report.nodes,
            time: report.time.as_millis() as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(request: &str) -> Vec<Line> {
        let mut all = Vec::new();
        analyse(request, &mut |line| all.push(line.clone())).unwrap();
        all
    }

    #[test]
    fn scores_are_from_whites_side() {
        let fen = "7k/8/8/8/8/1r6/r7/7K b - - 0 1";
        let request = format!(r#"{{"fen": "{fen}", "lines": 2, "nodes": 2000}}"#);
        let found = lines(&request);
        let last = found.iter().rfind(|line| line.line == 1).unwrap();
        assert_eq!(last.score, Evaluated::Mate("#-1".to_owned()));
        assert!(found.iter().any(|line| line.line == 2));
    }

    #[test]
    fn castling_is_read_in_both_forms_and_written_as_taking_the_rook() {
        for castling in ["e1g1", "e1h1"] {
            let fen = "k7/8/8/8/8/8/8/4K2R w K - 0 1";
            let request =
                format!(r#"{{"fen": "{fen}", "moves": ["{castling}"], "lines": 1, "nodes": 100}}"#);
            assert!(!lines(&request).is_empty());
        }
        // Castling is the only mate in one.
        let fen = "4rkr1/4p1p1/8/8/8/8/8/5K1R w H - 0 1";
        let request = format!(r#"{{"fen": "{fen}", "lines": 1, "nodes": 1000}}"#);
        let found = lines(&request).pop().unwrap();
        assert_eq!(
            (found.moves.as_str(), &found.score),
            ("f1h1", &Evaluated::Mate("#1".to_owned()))
        );
    }

    #[test]
    fn wrong_requests_are_errors() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (request, wanted) in [
            ("nonsense".to_owned(), "not a request"),
            (r#"{"fen": "x", "lines": 1}"#.to_owned(), "not a position"),
            (
                format!(r#"{{"fen": "{start}", "moves": ["e2e5"], "lines": 1}}"#),
                "e2e5 is not a legal move",
            ),
            (
                r#"{"fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "lines": 1}"#.to_owned(),
                "there is no legal move",
            ),
        ] {
            let error = analyse(&request, &mut |_| {}).unwrap_err();
            assert!(error.to_string().contains(wanted), "{error}");
        }
    }
}
