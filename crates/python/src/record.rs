//! The record of a game of a PGN file: tags, the main line and its annotations.

use std::fmt;

use skewer_analysis::clocks::{ClockStyle, FirstClock, TimeControl};
use skewer_movegen::{Board, CastlingMode, Move};
use skewer_pgn::{
    EvalTag, EvalValue, Location, Nag, NodeId, Outcome, PgnGame, Start, Tags, annotation,
};

use crate::moves::PyMove;

/// A game of a PGN file.
#[derive(Clone, Default, Debug)]
pub(crate) struct Record {
    pub(crate) tags: Tags,
    pub(crate) start: Board,
    pub(crate) mode: CastlingMode,
    /// The main line; `None` is a null move.
    pub(crate) moves: Vec<Option<Move>>,
    /// The main line as Python objects, created when they are first used.
    pub(crate) python_moves: Vec<PyMove>,
    /// The positions of a sparse record, in place of moves and comments.
    pub(crate) rows: Vec<Row>,
    /// Comments and glyphs in order, with the number of moves before them.
    pub(crate) remarks: Vec<(u32, Remark)>,
    /// All comments in one string, because allocating one for each would take longer than reading the
    /// moves.
    pub(crate) comments: String,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) errors: Vec<Fault>,
    /// What contradicts the rest of the game, and was passed over.
    pub(crate) problems: Vec<Fault>,
    pub(crate) number: u64,
    pub(crate) line: u64,
}

/// What is wrong with a game, and where in the file.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) place: Option<Location>,
    pub(crate) reason: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some(place) => write!(f, "{place}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

/// The annotations of a move.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Remark {
    /// Where the comment begins and ends among all comments of the game.
    Comment(u32, u32),
    Nag(Nag),
}

impl Record {
    /// Adds `games` and `lines`, which come before this record in the file, to the numbers of the game and the line.
    pub(crate) fn move_by(&mut self, games: u64, lines: u64) {
        self.number += games;
        self.line += lines;
        let faults = self.errors.iter_mut().chain(&mut self.problems);
        for place in faults.filter_map(|fault| fault.place.as_mut()) {
            place.line += lines;
        }
    }

    /// The moves with the positions before them.
    pub(crate) fn positions(&self) -> impl Iterator<Item = (Board, Option<Move>)> {
        let mut board = self.start;
        self.moves.iter().map(move |&mv| {
            let before = board;
            board = after(&before, mv);
            (before, mv)
        })
    }

    /// The comments after move `ply`, joined; 0 is before the first move.
    pub(crate) fn comment(&self, ply: u32) -> String {
        let comments = self.remarks_at(ply);
        let texts: Vec<&str> = comments.filter_map(|remark| self.text(remark)).collect();
        texts.join(" ")
    }

    /// The text of a comment.
    fn text(&self, remark: Remark) -> Option<&str> {
        match remark {
            Remark::Comment(start, end) => self.comments.get(start as usize..end as usize),
            Remark::Nag(_) => None,
        }
    }

    /// The clock in the comment after move `ply`, in seconds.
    pub(crate) fn clock(&self, ply: u32) -> Option<f64> {
        let mut texts = self.remarks_at(ply).filter_map(|remark| self.text(remark));
        texts.find_map(|text| {
            let clock = annotation::clock(text).map(|clock| clock.as_secs_f64());
            clock.or_else(|| {
                annotation::short_clock(text)?;
                self.clock_style().clock(text)
            })
        })
    }

    /// The time control, by the first clock of each player.
    pub(crate) fn control(&self, first: [Option<FirstClock>; 2]) -> Option<TimeControl> {
        TimeControl::with_clocks(self.tags.get("TimeControl")?, first.into_iter().flatten())
    }

    /// The first clock of a player: 0 for the player who moves first, 1 for the other one.
    fn first_clock(&self, player: u32) -> Option<FirstClock> {
        let own = self
            .remarks
            .iter()
            .filter(|(ply, _)| *ply > 0 && (*ply - 1) % 2 == player);
        own.filter_map(|(ply, remark)| Some((*ply, self.text(*remark)?)))
            .find_map(|(ply, text)| FirstClock::read((ply - 1) / 2 + 1, text))
    }

    /// How to read clocks of two parts, by the first clocks and the time control.
    fn clock_style(&self) -> ClockStyle {
        let control = self.control([0, 1].map(|player| self.first_clock(player)));
        let first = (1..=2).flat_map(|ply| self.remarks_at(ply));
        ClockStyle::of(control, first.filter_map(|remark| self.text(remark)))
    }

    /// The annotations of move `ply`; 0 is before the first move.
    pub(crate) fn remarks_at(&self, ply: u32) -> impl Iterator<Item = Remark> {
        // Remarks are in the order of the plies.
        let from = self.remarks.partition_point(|(at, _)| *at < ply);
        self.remarks[from..]
            .iter()
            .take_while(move |(at, _)| *at == ply)
            .map(|(_, remark)| *remark)
    }

    /// The evaluation in the comment after move `ply`.
    pub(crate) fn eval(&self, ply: u32) -> Option<EvalTag> {
        self.remarks_at(ply).find_map(|remark| {
            let text = self.text(remark)?;
            let found = EvalTag::find(text)?;
            // Only mate in 0 depends on the position, which takes time to reach.
            if found.value != EvalValue::Mate(0) {
                return Some(found);
            }
            let moves = &self.moves[..ply as usize];
            let board = moves
                .iter()
                .fold(self.start, |board, &mv| after(&board, mv));
            EvalTag::find_at(text, &board)
        })
    }

    /// The game as a tree, for writing, with other tags.
    pub(crate) fn tree(&self, tags: Tags) -> PgnGame {
        let mut game = PgnGame::from_start(Start::from_board(self.start, self.mode));
        game.tags = tags;
        game.outcome = match game.tags.get("Result") {
            // Keep a result after the moves that differs from the tag.
            Some(result) if self.tags.get("Result") != Some(result) => result.parse().ok(),
            _ => self.outcome,
        };
        let mut at = NodeId::ROOT;
        for ply in 0..=self.moves.len() as u32 {
            if ply > 0 {
                let Ok(next) = game.add(at, self.moves[ply as usize - 1]) else {
                    break;
                };
                at = next;
            }
            for remark in self.remarks_at(ply) {
                if let Remark::Nag(nag) = remark {
                    game.node_mut(at).nags.push(nag);
                }
                let text = self.text(remark).map(str::to_owned);
                game.node_mut(at).comments.extend(text);
            }
        }
        game
    }
}

/// The position after a move of a game, which may be null.
fn after(board: &Board, mv: Option<Move>) -> Board {
    match mv {
        Some(mv) => board.play(mv),
        None => board.play_null().unwrap_or(*board),
    }
}

/// A position from which a move was played, with what the comments around the move say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) position: Board,
    pub(crate) mv: PyMove,
    /// The evaluation of the position.
    pub(crate) eval: Option<EvalTag>,
    /// The clock after the move, in seconds.
    pub(crate) clock: Option<f64>,
}
