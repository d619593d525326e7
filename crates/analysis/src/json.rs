//! The results as data: lines of JSON whose shape has a version. docs/analysis.schema.json describes
//! every field.

use std::collections::BTreeMap;

use serde::Serialize;
use skewer_movegen::{Board, CastlingMode, Color, Outcome};
use skewer_types::printable_json;

use crate::clocks::Speed;
use crate::formulas::{Eval, Label};
use crate::judged::{self, Grade, JudgedGame, JudgedMove};
use crate::line::uci;
use crate::motifs::{Motif, name_of_piece};
use crate::params::SCHEMA;
use crate::phase::Phase;
use crate::standing::Standing;

/// The record of a game: a line of JSON Lines.
#[derive(Serialize)]
pub struct Record<'a> {
    schema: &'a str,
    kind: &'a str,
    number: u64,
    file: &'a str,
    line: u64,
    tags: Vec<(&'a str, &'a str)>,
    start: String,
    result: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    speed: Option<Speed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<Opening>,
    players: BTreeMap<&'a str, Player<'a>>,
    moves: Vec<Move<'a>>,
    nodes: u64,
}

#[derive(Serialize)]
struct Opening {
    eco: &'static str,
    name: &'static str,
}

#[derive(Serialize)]
struct Player<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    elo: Option<u16>,
    accuracy: Option<f64>,
    average_loss: Option<f64>,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
}

#[derive(Serialize)]
struct Value {
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
}

impl Value {
    fn new(eval: Eval) -> Self {
        let (cp, mate) = parts(eval);
        Self { cp, mate }
    }
}

#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    eval: Value,
    moves: &'a [String],
    uci: Vec<String>,
}

impl<'a> Line<'a> {
    fn new(board: &Board, mode: CastlingMode, line: &'a judged::Line) -> Self {
        Self {
            eval: Value::new(line.eval),
            moves: &line.sans,
            uci: uci(board, mode, &line.moves),
        }
    }
}

#[derive(Serialize)]
struct Move<'a> {
    number: u16,
    color: &'static str,
    san: &'a str,
    uci: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    piece: Option<&'static str>,
    fen: String,
    phase: Phase,
    position: Standing,
    eval: Value,
    wdl: [u32; 3],
    win_before: f64,
    win: f64,
    accuracy: Option<f64>,
    loss: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<Label>,
    grade: Option<Grade>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sure: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    swing: Option<i32>,
    #[serde(skip_serializing_if = "<[Motif]>::is_empty")]
    motifs: &'a [Motif],
    best: Line<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<i32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<Line<'a>>,
    depth: u32,
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_left: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_spent: Option<f64>,
}

impl<'a> Record<'a> {
    /// The record of a game.
    pub fn new(judged: &'a JudgedGame) -> Self {
        let start = judged.game.start();
        Self {
            schema: SCHEMA,
            kind: "game",
            number: judged.origin.number,
            file: &judged.origin.file,
            line: judged.origin.line,
            tags: judged.game.tags.iter().collect(),
            start: start.board.to_fen_in(start.mode).to_string(),
            result: Outcome::pgn_result(judged.game.outcome),
            date: judged.date(),
            speed: judged.speed(),
            opening: judged.opening.map(|name| Opening {
                eco: name.eco,
                name: name.name,
            }),
            players: Color::ALL
                .into_iter()
                .map(|color| (color_name(color), player(judged, color)))
                .collect(),
            moves: (0..judged.moves.len())
                .map(|index| Move::new(judged, index))
                .collect(),
            nodes: judged.nodes,
        }
    }
}

fn player(judged: &JudgedGame, color: Color) -> Player<'_> {
    let figures = judged.figures[color.index()];
    let [inaccuracies, mistakes, blunders] = judged.marks(color);
    Player {
        name: judged.player(color),
        elo: judged.elo(color),
        accuracy: figures.accuracy.map(rounded),
        average_loss: figures.average_loss.map(rounded),
        inaccuracies,
        mistakes,
        blunders,
    }
}

impl<'a> Move<'a> {
    fn new(judged: &'a JudgedGame, index: usize) -> Self {
        let mv: &JudgedMove = &judged.moves[index];
        let board = &judged.line.boards[index];
        let mode = judged.game.start().mode;
        let mut lines = judged.lines[index]
            .iter()
            .map(|line| Line::new(board, mode, line));
        let no_line = || Line {
            eval: Value::new(mv.before),
            moves: &[],
            uci: Vec::new(),
        };
        Self {
            number: mv.number,
            color: color_name(mv.color),
            san: &mv.san,
            uci: mv.mv.map(|mv| board.uci_in(mv, mode).to_string()),
            piece: mv.piece.map(name_of_piece),
            fen: board.to_fen_in(mode).to_string(),
            phase: mv.phase,
            position: mv.standing,
            eval: Value::new(mv.eval),
            wdl: mv.wdl,
            win_before: rounded(mv.win_before),
            win: rounded(mv.win),
            accuracy: mv.accuracy.map(rounded),
            loss: mv.loss,
            label: mv.label,
            grade: mv.grade,
            sure: mv.doubt.map(|doubt| rounded(doubt.chance())),
            margin: mv.doubt.map(|doubt| rounded(doubt.margin)),
            swing: mv.doubt.map(|doubt| doubt.swing),
            motifs: &mv.motifs,
            best: lines.next().unwrap_or_else(no_line),
            gap: mv.gap,
            others: lines.collect(),
            depth: mv.depth,
            nodes: mv.nodes,
            clock: mv.time.clock,
            time_left: mv.time.left,
            time_spent: mv.time.spent.map(rounded),
        }
    }
}

/// The record of a game as a line of JSON, without the line break.
///
/// # Errors
///
/// When the record cannot be written as JSON.
pub fn line(judged: &JudgedGame) -> serde_json::Result<String> {
    let text = serde_json::to_string(&Record::new(judged))?;
    Ok(printable_json(&text).to_string())
}

/// Hundredths of a pawn, or moves to mate (0 if mate is on the board).
pub fn parts(eval: Eval) -> (Option<i32>, Option<i32>) {
    match eval {
        Eval::Cp(cp) => (Some(cp), None),
        Eval::Mate(moves) => (None, Some(moves)),
        Eval::Mated { .. } => (None, Some(0)),
    }
}

/// Rounds to two decimals, because further decimals could differ between machines.
pub fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// `white` or `black`.
pub fn color_name(color: Color) -> &'static str {
    color.fold("white", "black")
}
