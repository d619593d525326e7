//! A game as the page reads it.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use skewer_analysis::formulas::{Eval, PlayerFigures};
use skewer_analysis::json::rounded;
use skewer_analysis::judged::{JudgedGame, Line};
use skewer_analysis::line::uci;
use skewer_analysis::standing::Standing;
use skewer_movegen::{Board, CastlingMode, Color, Outcome};

use crate::notes::{Notes, Variation, before_the_first_move, notes};

/// An evaluation: a number of centipawns, or `#` and moves to mate.
fn score(eval: Eval) -> Value {
    match eval {
        Eval::Cp(cp) => cp.into(),
        Eval::Mate(moves) => format!("#{moves}").into(),
        Eval::Mated { .. } => "#".into(),
    }
}

/// A game in the page. Field names are short, because they are repeated for every move. Moves are in
/// UCI notation of Chess960: castling is the king capturing its rook.
#[derive(Serialize)]
pub(crate) struct PageGame<'a> {
    n: u64,
    tags: BTreeMap<&'a str, &'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    chess960: bool,
    result: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<[&'a str; 2]>,
    accuracy: [Option<f64>; 2],
    loss: [Option<f64>; 2],
    /// Inaccuracies, mistakes, blunders.
    marks: [[usize; 3]; 2],
    /// The same without labels that are not sure.
    sure: [[usize; 3]; 2],
    /// The clock of each player at the start, if the time control is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<f64>,
    /// The evaluation before the first move.
    first: Value,
    /// White's win percentage before the first move.
    first_win: f64,
    /// What the file says before the first move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    o: Vec<String>,
    moves: Vec<PageMove<'a>>,
    /// The engine's lines in each position: evaluation, moves, and White's win percentage.
    lines: Vec<Vec<(Value, String, f64)>>,
}

#[derive(Serialize)]
struct PageMove<'a> {
    /// In standard notation.
    s: &'a str,
    /// As UCI.
    u: String,
    /// The evaluation.
    e: Value,
    /// White's win percentage.
    w: f64,
    /// The grade, from 0 for a book move to 6 for a blunder; none for a null move.
    #[serde(skip_serializing_if = "Option::is_none")]
    g: Option<u8>,
    /// The accuracy; none for a null move.
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<f64>,
    /// The phase, from 0 for the opening.
    p: u8,
    /// The depth of the search.
    d: u32,
    /// The clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<f64>,
    /// The time spent.
    #[serde(skip_serializing_if = "Option::is_none")]
    t: Option<f64>,
    /// The loss in lichess's hundredths of a pawn.
    #[serde(skip_serializing_if = "is_zero")]
    l: i32,
    /// The standing of the player before the move: 1 for won, 2 for lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    z: Option<u8>,
    /// The motifs in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    x: Vec<String>,
    /// The kinds of the motifs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    q: Vec<&'static str>,
    /// What was wrong with a weak move, as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    y: Option<String>,
    /// How sure the label, or its absence, is, in per cent rounded down.
    #[serde(skip_serializing_if = "Option::is_none")]
    c: Option<u8>,
    /// What the file says about the move.
    #[serde(flatten)]
    notes: Notes,
    /// The variations of the file in place of the move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    v: Vec<Variation>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(value: &i32) -> bool {
    *value == 0
}

impl<'a> PageGame<'a> {
    pub(crate) fn new(game: &'a JudgedGame) -> Self {
        let start = game.game.start();
        let mode = CastlingMode::Chess960;
        let mut own = notes(&game.game);
        own.resize_with(game.moves.len(), Default::default);
        let moves = game
            .moves
            .iter()
            .zip(&game.line.boards)
            .zip(own)
            .enumerate()
            .map(|(index, ((mv, board), (notes, variations)))| PageMove {
                s: &mv.san,
                u: mv
                    .mv
                    .map_or_else(String::new, |mv| board.uci_in(mv, mode).to_string()),
                e: score(mv.eval),
                w: rounded(mv.win),
                g: mv.grade.map(|grade| grade as u8),
                a: mv.accuracy.map(rounded),
                p: mv.phase as u8,
                d: mv.depth,
                k: mv.time.clock,
                t: mv.time.spent.map(rounded),
                l: mv.loss.unwrap_or_default(),
                z: match mv.standing {
                    Standing::Winning => Some(1),
                    Standing::Level => None,
                    Standing::Losing => Some(2),
                },
                x: mv.motifs.iter().map(|motif| motif.text()).collect(),
                q: mv.motifs.iter().map(<&str>::from).collect(),
                y: game.sentence(index),
                c: mv.doubt.map(|doubt| (100.0 * doubt.chance()) as u8),
                notes,
                v: variations,
            });
        let lines = game
            .lines
            .iter()
            .zip(&game.line.boards)
            .map(|(lines, board)| {
                let line = |line: &Line| {
                    (
                        score(line.eval),
                        uci(board, mode, &line.moves).join(" "),
                        rounded(line.win),
                    )
                };
                lines.iter().map(line).collect()
            });
        let figure = |choose: fn(&PlayerFigures) -> Option<f64>| {
            [0, 1].map(|player| choose(&game.figures[player]).map(rounded))
        };
        Self {
            n: game.origin.number,
            tags: game.game.tags.iter().collect(),
            fen: (start.board != Board::STARTPOS).then(|| start.board.to_fen_in(mode).to_string()),
            chess960: start.mode == CastlingMode::Chess960,
            result: Outcome::pgn_result(game.game.outcome),
            opening: game.opening.map(|name| [name.eco, name.name]),
            accuracy: figure(|figures| figures.accuracy),
            loss: figure(|figures| figures.average_loss),
            marks: [game.marks(Color::White), game.marks(Color::Black)],
            sure: [Color::White, Color::Black].map(|color| game.sure_marks(color)),
            clock: game.control.map(|control| control.base),
            first: score(game.first),
            first_win: rounded(game.first_win),
            o: before_the_first_move(&game.game),
            moves: moves.collect(),
            lines: lines.collect(),
        }
    }
}
