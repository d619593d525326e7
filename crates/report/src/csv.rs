//! The moves as CSV: a row for each move.

use std::borrow::Cow;
use std::path::Path;

use anyhow::Result;
use serde::Serialize;
use skewer_movegen::{Color, Outcome};

use crate::Output;
use crate::{Format, RunInfo, Summaries};
use skewer_analysis::clocks::Speed;
use skewer_analysis::formulas::Label;
use skewer_analysis::json::{color_name, parts, rounded};
use skewer_analysis::judged::{Grade, JudgedGame, JudgedMove};
use skewer_analysis::motifs::name_of_piece;
use skewer_analysis::phase::Phase;
use skewer_analysis::standing::Standing;

/// A file of comma-separated values. The first row names the columns.
pub struct Table {
    rows: csv::Writer<Output>,
    /// The names of the columns, for a file without rows. In other files the names come from the fields of the rows.
    columns: &'static [&'static str],
    is_empty: bool,
}

impl Table {
    /// Creates a file; `-` is the standard output.
    ///
    /// # Errors
    ///
    /// When it cannot be created.
    pub fn create(path: &Path, columns: &'static [&'static str]) -> Result<Self> {
        Ok(Self {
            rows: csv::Writer::from_writer(Output::create(path)?),
            columns,
            is_empty: true,
        })
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn row(&mut self, row: &impl Serialize) -> Result<()> {
        self.is_empty = false;
        self.rows.serialize(row).map_err(without_prefix)
    }

    /// Completes the file.
    ///
    /// # Errors
    ///
    /// When the file cannot be completed.
    pub fn finish(self) -> Result<()> {
        self.finish_with_fingerprint().map(drop)
    }

    /// Completes the file. Returns the SHA-256 of what was written.
    ///
    /// # Errors
    ///
    /// When the file cannot be completed.
    pub fn finish_with_fingerprint(mut self) -> Result<String> {
        if self.is_empty {
            let written = self.rows.write_record(self.columns);
            written.map_err(without_prefix)?;
        }
        self.rows.flush()?;
        let output = self.rows.into_inner();
        // This could only fail to write buffered rows, and all have been flushed.
        let output = output.map_err(|error| std::io::Error::from(error.error().kind()))?;
        output.finish_with_fingerprint()
    }
}

/// The error beneath an error of the CSV writer; its message names the file.
fn without_prefix(error: csv::Error) -> anyhow::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error.into(),
        other => anyhow::anyhow!("cannot write the row: {other:?}"),
    }
}

/// Escapes a text that a spreadsheet would read as a formula: puts an apostrophe before `=`, `+`, `-`,
/// `@`, tab and carriage return.
pub(crate) fn safe(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

#[derive(Serialize)]
struct Row<'a> {
    game: u64,
    file: Cow<'a, str>,
    line: u64,
    white: Cow<'a, str>,
    black: Cow<'a, str>,
    white_elo: Option<u16>,
    black_elo: Option<u16>,
    result: &'a str,
    eco: &'a str,
    opening: Cow<'a, str>,
    date: Option<String>,
    event: Cow<'a, str>,
    time_control: Cow<'a, str>,
    speed: Option<Speed>,
    ply: usize,
    number: u16,
    color: &'a str,
    #[serde(rename = "move")]
    san: Cow<'a, str>,
    uci: String,
    piece: Option<&'a str>,
    fen: String,
    phase: Phase,
    position: Standing,
    cp: Option<i32>,
    mate: Option<i32>,
    win: u32,
    draw: u32,
    loss: u32,
    win_percent: f64,
    accuracy: Option<f64>,
    centipawn_loss: Option<i32>,
    label: Option<Label>,
    grade: Option<Grade>,
    motifs: String,
    best: String,
    best_cp: Option<i32>,
    best_mate: Option<i32>,
    gap: Option<i32>,
    depth: u32,
    nodes: u64,
    clock: Option<f64>,
    time_left: Option<f64>,
    time_spent: Option<f64>,
    sure: Option<f64>,
}

/// The names of the columns, for a file without moves; a test compares them with the names in a file with moves.
const COLUMNS: [&str; 44] = [
    "game",
    "file",
    "line",
    "white",
    "black",
    "white_elo",
    "black_elo",
    "result",
    "eco",
    "opening",
    "date",
    "event",
    "time_control",
    "speed",
    "ply",
    "number",
    "color",
    "move",
    "uci",
    "piece",
    "fen",
    "phase",
    "position",
    "cp",
    "mate",
    "win",
    "draw",
    "loss",
    "win_percent",
    "accuracy",
    "centipawn_loss",
    "label",
    "grade",
    "motifs",
    "best",
    "best_cp",
    "best_mate",
    "gap",
    "depth",
    "nodes",
    "clock",
    "time_left",
    "time_spent",
    "sure",
];

struct MovesCsv(Table);

/// Creates the file for the moves; `-` is the standard output.
///
/// # Errors
///
/// When it cannot be created.
pub fn begin(path: &Path, _run: &RunInfo<'_>) -> Result<Box<dyn Format>> {
    Ok(Box::new(MovesCsv(Table::create(path, &COLUMNS)?)))
}

impl Format for MovesCsv {
    fn game(&mut self, game: &JudgedGame) -> Result<()> {
        (0..game.moves.len()).try_for_each(|index| self.0.row(&row(game, index)))
    }

    fn finish(self: Box<Self>, _summaries: &Summaries<'_>) -> Result<()> {
        self.0.finish()
    }
}

fn row(game: &JudgedGame, index: usize) -> Row<'_> {
    let mv: &JudgedMove = &game.moves[index];
    let board = &game.line.boards[index];
    let mode = game.game.start().mode;
    let (cp, mate) = parts(mv.eval);
    let (best_cp, best_mate) = parts(mv.before);
    let [win, draw, loss] = mv.wdl;
    let motifs: Vec<&str> = mv.motifs.iter().map(<&str>::from).collect();
    Row {
        game: game.origin.number,
        file: safe(&game.origin.file),
        line: game.origin.line,
        white: safe(game.player(Color::White)),
        black: safe(game.player(Color::Black)),
        white_elo: game.elo(Color::White),
        black_elo: game.elo(Color::Black),
        result: Outcome::pgn_result(game.game.outcome),
        eco: game.opening.map_or("", |name| name.eco),
        opening: safe(game.opening.map_or("", |name| name.name)),
        date: game.date(),
        event: safe(game.tag("Event")),
        time_control: safe(game.tag("TimeControl")),
        speed: game.speed(),
        ply: index + 1,
        number: mv.number,
        color: color_name(mv.color),
        san: safe(&mv.san),
        uci: mv
            .mv
            .map_or_else(String::new, |mv| board.uci_in(mv, mode).to_string()),
        piece: mv.piece.map(name_of_piece),
        fen: board.to_fen_in(mode).to_string(),
        phase: mv.phase,
        position: mv.standing,
        cp,
        mate,
        win,
        draw,
        loss,
        win_percent: rounded(mv.win),
        accuracy: mv.accuracy.map(rounded),
        centipawn_loss: mv.loss,
        label: mv.label,
        grade: mv.grade,
        motifs: motifs.join(" "),
        best: game
            .best(index)
            .map_or_else(String::new, |line| line.sans.join(" ")),
        best_cp,
        best_mate,
        gap: mv.gap,
        depth: mv.depth,
        nodes: mv.nodes,
        clock: mv.time.clock,
        time_left: mv.time.left,
        time_spent: mv.time.spent.map(rounded),
        sure: mv.doubt.map(|doubt| rounded(doubt.chance())),
    }
}

#[cfg(test)]
mod tests {
    use super::safe;

    #[test]
    fn formulas_become_text() {
        for text in ["=1+1", "+1", "-1", "@A1", "\tx", "\rx", "--"] {
            assert_eq!(safe(text), format!("'{text}"));
        }
        for text in ["", "Carlsen, Magnus", "1-0", "'=1"] {
            assert_eq!(safe(text), text);
        }
    }
}
