//! The results as data: lines of JSON whose shape has a version, and rows of a table.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use serde::Serialize;
use skewer_movegen::{Color, Outcome};

use crate::formulas::{Eval, Label};
use crate::params::SCHEMA;
use crate::report::{JudgedGame, JudgedMove, Origin};

#[derive(Serialize)]
struct Header<'a> {
    schema: &'a str,
    kind: &'a str,
    settings: &'a str,
}

#[derive(Serialize)]
struct Bad<'a> {
    schema: &'a str,
    kind: &'a str,
    number: u64,
    file: &'a str,
    line: u64,
    reason: &'a str,
}

#[derive(Serialize)]
struct Game<'a> {
    schema: &'a str,
    kind: &'a str,
    number: u64,
    file: &'a str,
    line: u64,
    tags: Vec<(&'a str, &'a str)>,
    start: String,
    result: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<Opening>,
    players: BTreeMap<&'a str, Player>,
    moves: Vec<Move<'a>>,
}

#[derive(Serialize)]
struct Opening {
    eco: &'static str,
    name: &'static str,
}

#[derive(Serialize)]
struct Player {
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
    moves: Vec<&'a str>,
}

#[derive(Serialize)]
struct Move<'a> {
    number: u16,
    color: &'static str,
    san: &'a str,
    uci: Option<String>,
    eval: Value,
    wdl: [u32; 3],
    win: f64,
    accuracy: f64,
    loss: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<Label>,
    best: Line<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<i32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<Line<'a>>,
    depth: u32,
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<f64>,
}

/// Hundredths, and mate in moves (0 on the board), of which one is there.
pub fn parts(eval: Eval) -> (Option<i32>, Option<i32>) {
    match eval {
        Eval::Cp(cp) => (Some(cp), None),
        Eval::Mate(moves) => (None, Some(moves)),
        Eval::Mated { .. } => (None, Some(0)),
    }
}

/// Two decimals: more would say more than is known, and could differ between machines.
pub fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

fn line<T: Serialize>(out: &mut impl Write, value: &T) -> Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")?;
    Ok(())
}

/// Writes the first line.
///
/// # Errors
///
/// When it cannot be written.
pub fn write_header(out: &mut impl Write, settings: &str) -> Result<()> {
    line(
        out,
        &Header {
            schema: SCHEMA,
            kind: "header",
            settings,
        },
    )
}

/// Writes the line of a game that could not be looked at.
///
/// # Errors
///
/// When it cannot be written.
pub fn write_bad(out: &mut impl Write, origin: &Origin, reason: &str) -> Result<()> {
    let Origin {
        number,
        file,
        line: at,
    } = origin;
    line(
        out,
        &Bad {
            schema: SCHEMA,
            kind: "bad",
            number: *number,
            file,
            line: *at,
            reason,
        },
    )
}

/// Writes the line of a game.
///
/// # Errors
///
/// When it cannot be written.
pub fn write_game(out: &mut impl Write, judged: &JudgedGame) -> Result<()> {
    let start = judged.game.start();
    let player = |color: Color| Player {
        accuracy: judged.figures[color.index()].accuracy.map(rounded),
        average_loss: judged.figures[color.index()].average_loss.map(rounded),
        inaccuracies: judged.count(color, Label::Inaccuracy),
        mistakes: judged.count(color, Label::Mistake),
        blunders: judged.count(color, Label::Blunder),
    };
    let mut board = start.board;
    let mut moves = Vec::with_capacity(judged.moves.len());
    for mv in &judged.moves {
        moves.push(Move {
            number: mv.number,
            color: color_name(mv.color),
            san: &mv.san,
            uci: mv.mv.map(|mv| board.uci_in(mv, start.mode).to_string()),
            eval: Value::new(mv.eval),
            wdl: mv.eval.wdl(),
            win: rounded(mv.win),
            accuracy: rounded(mv.accuracy),
            loss: mv.loss,
            label: mv.label,
            best: Line {
                eval: Value::new(mv.before),
                moves: mv.best.iter().map(|(_, san)| san.as_str()).collect(),
            },
            gap: mv.gap,
            others: mv
                .others
                .iter()
                .map(|(eval, moves)| Line {
                    eval: Value::new(*eval),
                    moves: moves.iter().map(String::as_str).collect(),
                })
                .collect(),
            depth: mv.depth,
            nodes: mv.nodes,
            clock: mv.clock,
        });
        board = match mv.mv {
            Some(mv) => board.play(mv),
            None => board.play_null().unwrap_or(board),
        };
    }
    line(
        out,
        &Game {
            schema: SCHEMA,
            kind: "game",
            number: judged.origin.number,
            file: &judged.origin.file,
            line: judged.origin.line,
            tags: judged.game.tags.iter().collect(),
            start: start.board.to_fen_in(start.mode).to_string(),
            result: Outcome::pgn_result(judged.game.outcome),
            opening: judged.opening.map(|name| Opening {
                eco: name.eco,
                name: name.name,
            }),
            players: BTreeMap::from([
                ("white", player(Color::White)),
                ("black", player(Color::Black)),
            ]),
            moves,
        },
    )
}

/// White or black.
pub fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The names of the columns.
pub const CSV_COLUMNS: [&str; 19] = [
    "game",
    "white",
    "black",
    "number",
    "color",
    "move",
    "cp",
    "mate",
    "win",
    "draw",
    "loss",
    "win_percent",
    "accuracy",
    "centipawn_loss",
    "label",
    "best",
    "depth",
    "nodes",
    "clock",
];

/// A row for each move of a game.
pub fn csv_rows(judged: &JudgedGame) -> impl Iterator<Item = [String; 19]> + '_ {
    let tag = |name: &str| judged.game.tags.get(name).unwrap_or_default().to_owned();
    let (white, black) = (tag("White"), tag("Black"));
    judged
        .moves
        .iter()
        .map(move |mv| row(judged.origin.number, &white, &black, mv))
}

fn row(game: u64, white: &str, black: &str, mv: &JudgedMove) -> [String; 19] {
    let (cp, mate) = parts(mv.eval);
    let [win, draw, loss] = mv.eval.wdl();
    let number = |value: Option<i32>| value.map_or_else(String::new, |value| value.to_string());
    let best: Vec<&str> = mv.best.iter().map(|(_, san)| san.as_str()).collect();
    [
        game.to_string(),
        white.to_owned(),
        black.to_owned(),
        mv.number.to_string(),
        color_name(mv.color).to_owned(),
        mv.san.clone(),
        number(cp),
        number(mate),
        win.to_string(),
        draw.to_string(),
        loss.to_string(),
        format!("{:.2}", mv.win),
        format!("{:.2}", mv.accuracy),
        mv.loss.to_string(),
        mv.label
            .map_or_else(String::new, |label| format!("{label:?}").to_lowercase()),
        best.join(" "),
        mv.depth.to_string(),
        mv.nodes.to_string(),
        mv.clock.map_or_else(String::new, |clock| clock.to_string()),
    ]
}
