//! The report as one page: everything in it, nothing from elsewhere. Games are added one by one,
//! so the page may be larger than the memory.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;
use skewer_movegen::{Board, CastlingMode, Color, Outcome};

use crate::formulas::{FIRST_EVAL, Label};
use crate::json::{parts, rounded};
use crate::report::{JudgedGame, Origin};

/// The page, with a mark where the games go.
const TEMPLATE: &str = include_str!("report.html");
const GAMES: &str = "/*GAMES*/";
const SETTINGS: &str = "/*SETTINGS*/";

/// A page that is being written.
pub struct Page<W> {
    out: W,
    empty: bool,
}

// Short names: there is one of these for each move of each game.
#[derive(Serialize)]
struct Game<'a> {
    n: u64,
    white: &'a str,
    black: &'a str,
    elo: [&'a str; 2],
    event: &'a str,
    date: &'a str,
    result: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<String>,
    accuracy: [Option<f64>; 2],
    acpl: [Option<f64>; 2],
    /// Inaccuracies, mistakes, blunders.
    marks: [[usize; 3]; 2],
    fen: String,
    first: i32,
    moves: Vec<Move<'a>>,
}

#[derive(Serialize)]
struct Move<'a> {
    /// The number, with one dot or three.
    n: String,
    s: &'a str,
    /// The board after the move.
    f: String,
    /// The squares of the move.
    u: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    c: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    m: Option<i32>,
    w: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    l: Option<u8>,
    a: f64,
    d: u32,
    /// The best line in place of the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bu: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<f64>,
}

#[derive(Serialize)]
struct Bad<'a> {
    n: u64,
    file: &'a str,
    #[serde(rename = "bad")]
    reason: &'a str,
}

impl<W: Write> Page<W> {
    /// Writes what stands before the games.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn begin(mut out: W, settings: &str) -> Result<Self> {
        let head = TEMPLATE
            .split_once(GAMES)
            .map_or(TEMPLATE, |(head, _)| head);
        out.write_all(head.replace(SETTINGS, &escape(settings)).as_bytes())?;
        Ok(Self { out, empty: true })
    }

    /// Adds a game.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn game(&mut self, judged: &JudgedGame) -> Result<()> {
        let tag = |name: &str| judged.game.tags.get(name).unwrap_or_default();
        let count = |color: Color| {
            [Label::Inaccuracy, Label::Mistake, Label::Blunder]
                .map(|label| judged.count(color, label))
        };
        let start = judged.game.start().board;
        let mut board = start;
        let mut moves = Vec::with_capacity(judged.moves.len());
        for mv in &judged.moves {
            let before = board;
            board = match mv.mv {
                Some(mv) => board.play(mv),
                None => board.play_null().unwrap_or(board),
            };
            let (c, m) = parts(mv.eval);
            let is_best = mv.best.first().map(|(best, _)| *best) == mv.mv;
            let best: Vec<&str> = mv.best.iter().map(|(_, san)| san.as_str()).collect();
            let squares = |mv: skewer_movegen::Move| {
                before
                    .uci_in(mv, CastlingMode::Standard)
                    .to_string()
                    .chars()
                    .take(4)
                    .collect()
            };
            moves.push(Move {
                n: format!(
                    "{}{}",
                    mv.number,
                    if mv.color == Color::White { "." } else { "..." }
                ),
                s: &mv.san,
                f: placement(&board),
                u: mv.mv.map_or_else(String::new, squares),
                c,
                m,
                w: rounded(mv.win),
                l: mv.label.map(|label| label as u8 + 1),
                a: rounded(mv.accuracy),
                d: mv.depth,
                b: (!is_best && !best.is_empty()).then(|| best.join(" ")),
                bu: if is_best {
                    None
                } else {
                    mv.best.first().map(|(mv, _)| squares(*mv))
                },
                k: mv.clock,
            });
        }
        let figure = |choose: fn(&crate::formulas::PlayerFigures) -> Option<f64>| {
            [0, 1].map(|player| choose(&judged.figures[player]).map(rounded))
        };
        self.add(&Game {
            n: judged.origin.number,
            white: tag("White"),
            black: tag("Black"),
            elo: [tag("WhiteElo"), tag("BlackElo")],
            event: tag("Event"),
            date: tag("Date"),
            result: Outcome::pgn_result(judged.game.outcome),
            opening: judged
                .opening
                .map(|name| format!("{} {}", name.eco, name.name)),
            accuracy: figure(|figures| figures.accuracy),
            acpl: figure(|figures| figures.average_loss),
            marks: [count(Color::White), count(Color::Black)],
            fen: placement(&start),
            first: FIRST_EVAL,
            moves,
        })
    }

    /// Adds a game that could not be looked at.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn bad(&mut self, origin: &Origin, reason: &str) -> Result<()> {
        self.add(&Bad {
            n: origin.number,
            file: &origin.file,
            reason,
        })
    }

    fn add(&mut self, value: &impl Serialize) -> Result<()> {
        // Within a script, the beginning of a tag would be taken for one.
        let text = serde_json::to_string(value)?.replace('<', "\\u003c");
        self.out
            .write_all(if self.empty { b"\n" } else { b",\n" })?;
        self.out.write_all(text.as_bytes())?;
        self.empty = false;
        Ok(())
    }

    /// Writes what stands behind the games.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn end(mut self) -> Result<W> {
        let tail = TEMPLATE.split_once(GAMES).map_or("", |(_, tail)| tail);
        self.out.write_all(b"\n")?;
        self.out.write_all(tail.as_bytes())?;
        Ok(self.out)
    }
}

/// Where the men stand, as the first field of a FEN.
fn placement(board: &Board) -> String {
    let fen = board.to_string();
    fen.split(' ').next().unwrap_or_default().to_owned()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}
