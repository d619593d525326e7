//! Positions to be labelled: lines of FEN or EPD, or all positions of games.

use std::collections::VecDeque;
use std::io::{self, Cursor, Read as _};
use std::mem::take;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use skewer_movegen::{Board, CastlingMode};
use skewer_pgn::params::SNIFFED;
use skewer_pgn::{Epd, EpdProblem, EpdReadError, EpdReader, PgnGame, Problem};
use skewer_types::printable_json;

use crate::analyst::{Finding, FoundLine, Settings};
use crate::error::{AnalysisError, GameError};
use crate::formulas::Eval;
use crate::games::GameReader;
use crate::input::{self, Source, cannot_read};
use crate::job::{Job, Plan};
use crate::json::{parts, rounded};
use crate::judge::wdl;
use crate::judged::Origin;
use crate::line::{MainLine, uci};
use crate::run::{self, Input, Placed};
use crate::scale::Units;
use crate::workers::Workers;

/// A run that labels the positions of files.
pub type Run = run::Run<PlainPosition>;

/// How far a run that labels positions has come.
pub type Step = run::Step<Labelled>;

/// A position of a file.
#[derive(Clone, Debug)]
pub struct PlainPosition {
    /// The position.
    pub board: Board,
    /// How castling is written.
    pub mode: CastlingMode,
    /// The `id` of the EPD line.
    pub id: Option<String>,
    /// The number of plies of the game before the position; `None` outside games.
    pub ply: Option<usize>,
    /// Parts of its line that the rest of the line contradicts, and that were passed over.
    pub contradictions: Vec<EpdProblem>,
    /// Errors of its game that did not end the reading. Only the first position of a game has them.
    pub problems: Vec<Problem>,
}

impl PlainPosition {
    /// A position that belongs to no game.
    pub fn new(board: Board) -> Self {
        Self {
            board,
            mode: board.castling_mode(),
            id: None,
            ply: None,
            contradictions: Vec::new(),
            problems: Vec::new(),
        }
    }
}

/// Reads the positions of a file.
pub enum PositionReader {
    /// Lines of FEN or EPD.
    Lines(EpdReader<Source>),
    /// Games, and the positions of one of them that have not been returned.
    Games(GameReader, VecDeque<Placed<PlainPosition>>),
}

impl Iterator for PositionReader {
    type Item = io::Result<Placed<PlainPosition>>;

    fn next(&mut self) -> Option<Self::Item> {
        let (games, positions) = match self {
            Self::Lines(lines) => {
                return Some(match lines.next()? {
                    Ok(placed) => Ok(Placed {
                        line: placed.line,
                        item: Ok(PlainPosition {
                            id: id(&placed.epd),
                            contradictions: placed.problems,
                            ..PlainPosition::new(placed.epd.board)
                        }),
                    }),
                    Err(EpdReadError::Io(error)) => Err(error),
                    Err(bad) => Ok(Placed {
                        line: match &bad {
                            EpdReadError::Bad { line, .. } => *line,
                            _ => 0,
                        },
                        item: Err(GameError::BadPosition(bad)),
                    }),
                });
            }
            Self::Games(games, positions) => (games, positions),
        };
        while positions.is_empty() {
            let placed = match games.next()? {
                Ok(placed) => placed,
                Err(error) => return Some(Err(error)),
            };
            let line = placed.line;
            match placed.item {
                Ok(game) => positions.extend(of_game(line, game)),
                Err(error) => {
                    let item = Err(error);
                    return Some(Ok(Placed { line, item }));
                }
            }
        }
        positions.pop_front().map(Ok)
    }
}

/// The `id` of a line. An empty `id` counts as none, because a table of labels has an empty field for both.
fn id(line: &Epd) -> Option<String> {
    line.id().filter(|id| !id.is_empty()).map(str::to_owned)
}

fn of_game(line: u64, mut game: PgnGame) -> impl Iterator<Item = Placed<PlainPosition>> {
    let main = MainLine::of(&game);
    let mode = main.mode;
    (main.boards.into_iter().enumerate()).map(move |(ply, board)| Placed {
        line,
        item: Ok(PlainPosition {
            mode,
            ply: Some(ply),
            problems: take(&mut game.problems),
            ..PlainPosition::new(board)
        }),
    })
}

impl Input for PlainPosition {
    type Reader = PositionReader;
    type Output = Labelled;

    fn read(path: &str, mut source: Source) -> Result<PositionReader, AnalysisError> {
        let head = input::head(&mut source, SNIFFED).map_err(cannot_read(path))?;
        let is_pgn = input::looks_like_pgn(&head);
        let whole: Source = Box::new(Cursor::new(head).chain(source));
        Ok(if is_pgn {
            PositionReader::Games(GameReader::new(whole), VecDeque::new())
        } else {
            PositionReader::Lines(EpdReader::new(whole))
        })
    }

    fn line(&self) -> MainLine {
        MainLine::position(self.board, self.mode)
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn contradictions(&self) -> &[EpdProblem] {
        &self.contradictions
    }

    fn given(&self, _line: &MainLine) -> Vec<Option<Finding>> {
        vec![None]
    }

    fn output(
        self,
        origin: Origin,
        _line: Arc<MainLine>,
        findings: Vec<Finding>,
        units: Units,
    ) -> Labelled {
        let found = findings.into_iter().next().unwrap_or_default();
        Labelled {
            origin,
            position: self,
            found,
            units,
        }
    }
}

/// A position with what the search found.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// Where it comes from.
    pub origin: Origin,
    /// The position.
    pub position: PlainPosition,
    /// What was found.
    pub found: Finding,
    /// How scores are read.
    pub units: Units,
}

/// A line of the engine in a position, as it is written. Evaluations are from White's side.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LabelRow {
    /// The number of the position among the positions of all files, from 1.
    pub number: u64,
    /// Which of the best lines this is, from 1.
    pub rank: usize,
    /// The file.
    pub file: String,
    /// The line of the file, from 1; in a file of games, the line on which the game begins.
    pub line: u64,
    /// The number of plies of the game before the position; `None` outside games.
    pub ply: Option<usize>,
    /// The `id` of the EPD line.
    pub id: Option<String>,
    /// The position.
    pub fen: String,
    /// Hundredths of a pawn.
    pub cp: Option<i32>,
    /// Moves to mate, negative if Black mates; 0 if mate is on the board.
    pub mate: Option<i32>,
    /// White's chance to win, in thousandths.
    pub win: u32,
    /// The chance of a draw, in thousandths.
    pub draw: u32,
    /// White's chance to lose, in thousandths.
    pub loss: u32,
    /// White's win percentage.
    pub win_percent: f64,
    /// The best move in UCI notation; `None` if the game is over.
    pub best: Option<String>,
    /// The line in UCI notation, its moves separated by blanks.
    pub pv: String,
    /// The depth of the last whole iteration, in plies.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
}

/// Analyses each position alone. Calls `take` for each in order, with its label or the reason why its search failed.
///
/// # Errors
///
/// When the workers cannot be started or end, or `take` fails.
pub fn label<E: From<AnalysisError>>(
    positions: &[(Origin, PlainPosition)],
    settings: &Settings,
    threads: usize,
    mut take: impl FnMut(Result<Labelled, String>) -> Result<(), E>,
) -> Result<(), E> {
    let (plan, units) = (Plan::new(settings), settings.units());
    let workers = Workers::start(threads, settings, move |analyst, job: &Job| {
        plan.analyse(analyst, job)
    })?;
    let jobs = positions.iter().map(|(_, position)| Job {
        range: 0..1,
        line: Arc::new(position.line()),
        given: Vec::new(),
    });
    workers.in_order(jobs, |index, found| {
        let (origin, position) = positions[index].clone();
        take(found.map(|found| Labelled {
            origin,
            position,
            found: found.into_iter().next().unwrap_or_default(),
            units,
        }))
    })
}

impl Labelled {
    /// The rows: one for each line of the engine, and one for a position in which the game is over.
    pub fn rows(&self) -> Vec<LabelRow> {
        let board = &self.position.board;
        if self.found.lines.is_empty() || Eval::at_end(board).is_some() {
            return vec![self.row(1, None)];
        }
        let lines = self.found.lines.iter().enumerate();
        lines
            .map(|(index, line)| self.row(index + 1, Some((board, line))))
            .collect()
    }

    /// The rows as lines of JSON, without line breaks.
    ///
    /// # Errors
    ///
    /// When one cannot be written as JSON.
    pub fn json_lines(&self) -> serde_json::Result<Vec<String>> {
        let rows = self.rows();
        let texts = rows.iter().map(serde_json::to_string);
        let lines = texts.map(|text| Ok(printable_json(&text?).to_string()));
        lines.collect()
    }

    fn row(&self, rank: usize, line: Option<(&Board, &FoundLine)>) -> LabelRow {
        let PlainPosition {
            board,
            mode,
            id,
            ply,
            ..
        } = &self.position;
        let curve = self.found.curve(board, self.units);
        let eval = match line {
            Some((board, line)) => line.eval(board, curve),
            None => self.found.eval(board, self.units),
        };
        let (cp, mate) = parts(eval);
        let [win, draw, loss] = wdl(board, eval, curve);
        let moves = line.map_or_else(Vec::new, |(board, line)| {
            uci(board, *mode, &line.moves_from(board))
        });
        LabelRow {
            number: self.origin.number,
            rank,
            file: self.origin.file.clone(),
            line: self.origin.line,
            ply: *ply,
            id: id.clone(),
            fen: board.to_fen_in(*mode).to_string(),
            cp,
            mate,
            win,
            draw,
            loss,
            win_percent: rounded(self.units.scale.to_lichess(eval).win_percent()),
            best: moves.first().cloned(),
            pv: moves.join(" "),
            depth: self.found.depth,
            nodes: self.found.nodes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skewer_types::Score;

    /// The label of a position in which the game is over is the result, whatever a search says.
    #[test]
    fn a_position_in_which_nobody_can_mate_is_a_certain_draw() {
        let bishop = "4k3/8/8/1B6/8/8/8/4K3 b - - 0 1".parse().unwrap();
        let labelled = Labelled {
            origin: Origin {
                number: 1,
                file: String::new(),
                line: 1,
            },
            position: PlainPosition::new(bishop),
            found: Finding {
                lines: vec![FoundLine::new(Score::new(60), &[])],
                nodes: 100,
                ..Finding::default()
            },
            units: Settings::default().units(),
        };
        let rows = labelled.rows();
        let [row] = &rows[..] else {
            panic!("{rows:?}");
        };
        assert_eq!((row.win, row.draw, row.loss), (0, 1000, 0));
        assert_eq!((row.cp, row.mate, &row.best), (Some(0), None, &None));
        assert!((row.win_percent - 50.0).abs() < 1e-9);
    }
}
