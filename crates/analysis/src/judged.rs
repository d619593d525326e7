//! A game with its evaluations, as all formats show it.

use std::sync::Arc;

use serde::Serialize;
use skewer_movegen::{Color, Move, Piece};
use skewer_openings::Name;
use skewer_pgn::PgnGame;

use crate::clocks::{MoveTime, Speed, TimeControl};
pub use crate::confidence::Doubt;
use crate::formulas::{Eval, Label, PlayerFigures};
use crate::line::MainLine;
use crate::motifs::Motif;
use crate::params::SURE;
use crate::phase::Phase;
use crate::standing::{Chances, Standing};

/// The place of a game among all games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// Its number among the games of all files, from 1.
    pub number: u64,
    /// The file, as it was given.
    pub file: String,
    /// The line on which it begins.
    pub line: u64,
}

/// The quality of a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Leads to a position of the catalogue of openings.
    Book,
    /// The engine's first choice.
    Best,
    /// Loses less than 2 points of win percentage.
    Excellent,
    /// Loses more, but has no label.
    Good,
    /// Labelled an inaccuracy.
    Inaccuracy,
    /// Labelled a mistake.
    Mistake,
    /// Labelled a blunder.
    Blunder,
}

/// A line of the engine.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// Its evaluation.
    pub eval: Eval,
    /// White's win percentage after the line.
    pub win: f64,
    /// The moves.
    pub moves: Vec<Move>,
    /// The moves in standard notation.
    pub sans: Vec<String>,
}

/// A move of a game with its evaluation.
#[derive(Clone, Debug)]
pub struct JudgedMove {
    /// The move; `None` for a null move.
    pub mv: Option<Move>,
    /// The player.
    pub color: Color,
    /// The number of the move.
    pub number: u16,
    /// The move in standard notation.
    pub san: String,
    /// The piece that moves; `None` for a null move.
    pub piece: Option<Piece>,
    /// The phase of the position before the move.
    pub phase: Phase,
    /// The state of the game for the player, before the move.
    pub standing: Standing,
    /// The evaluation after the move.
    pub eval: Eval,
    /// Win, draw and loss for White before the move, in thousandths.
    pub wdl_before: Chances,
    /// Win, draw and loss for White after the move, in thousandths.
    pub wdl: Chances,
    /// White's win percentage before the move, with the best line.
    pub win_before: f64,
    /// White's win percentage after the move.
    pub win: f64,
    /// Points of win percentage that the player lost with the move, at least 0; 0 for a null move.
    pub drop: f64,
    /// The accuracy of the move in per cent; `None` for a null move.
    pub accuracy: Option<f64>,
    /// Centipawn loss, at least 0; `None` for a null move.
    pub loss: Option<i32>,
    /// The label, if the move is weak; `None` for a null move.
    pub label: Option<Label>,
    /// The quality of the move; `None` for a null move.
    pub grade: Option<Grade>,
    /// What the label, or its absence, rests on; `None` without a search, and for a null move.
    pub doubt: Option<Doubt>,
    /// What was wrong with a weak move.
    pub motifs: Vec<Motif>,
    /// The evaluation before the move: the evaluation of the best line.
    pub before: Eval,
    /// How much worse the second-best line is, in hundredths of a pawn, with two or more lines.
    pub gap: Option<i32>,
    /// Depth of the search after the move, in plies.
    pub depth: u32,
    /// Nodes of the search after the move.
    pub nodes: u64,
    /// The player's clock and the time spent.
    pub time: MoveTime,
}

impl JudgedMove {
    /// Whether the label, or its absence, has at least the chance [`SURE`] to stay; `None` if nothing was searched.
    pub fn is_sure(&self) -> Option<bool> {
        self.doubt.map(|doubt| doubt.chance() >= SURE)
    }
}

/// Which labels count in figures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Counted {
    /// Every label.
    #[default]
    Every,
    /// Every label except labels that are known not to be sure; see [`JudgedMove::is_sure`].
    Sure,
}

impl Counted {
    /// The label of a move, if it counts.
    pub fn label(self, mv: &JudgedMove) -> Option<Label> {
        mv.label
            .filter(|_| self == Self::Every || mv.is_sure() != Some(false))
    }
}

/// A game with its evaluations.
#[derive(Clone, Debug)]
pub struct JudgedGame {
    /// Where it comes from.
    pub origin: Origin,
    /// The game as it was read.
    pub game: PgnGame,
    /// Its positions and moves.
    pub line: Arc<MainLine>,
    /// Its opening.
    pub opening: Option<Name>,
    /// Its time control, if the tag `TimeControl` has one and the clocks agree with it; see [`TimeControl::of`].
    pub control: Option<TimeControl>,
    /// The evaluation before the first move: +0.15 for the ordinary start position, as on lichess, else the evaluation
    /// of the start.
    pub first: Eval,
    /// White's win percentage before the first move.
    pub first_win: f64,
    /// The moves of the main line.
    pub moves: Vec<JudgedMove>,
    /// The engine's lines in each position, best first: one more than there are moves.
    pub lines: Vec<Vec<Line>>,
    /// The figures of White and Black.
    pub figures: [PlayerFigures; 2],
    /// Nodes of the searches of all positions.
    pub nodes: u64,
}

impl JudgedGame {
    /// The moves of a player with their indices, without null moves.
    pub fn played(&self, color: Color) -> impl Iterator<Item = (usize, &JudgedMove)> {
        let moves = self.moves.iter().enumerate();
        moves.filter(move |(_, mv)| mv.color == color && mv.mv.is_some())
    }

    /// How many moves of a player have this label.
    pub fn count(&self, color: Color, label: Label) -> usize {
        self.moves
            .iter()
            .filter(|mv| mv.color == color && mv.label == Some(label))
            .count()
    }

    /// Inaccuracies, mistakes and blunders of a player.
    pub fn marks(&self, color: Color) -> [usize; 3] {
        [Label::Inaccuracy, Label::Mistake, Label::Blunder].map(|label| self.count(color, label))
    }

    /// Inaccuracies, mistakes and blunders of a player, without labels that are not sure.
    pub fn sure_marks(&self, color: Color) -> [usize; 3] {
        [Label::Inaccuracy, Label::Mistake, Label::Blunder].map(|label| {
            let own = self.moves.iter().filter(|mv| mv.color == color);
            own.filter(|mv| Counted::Sure.label(mv) == Some(label))
                .count()
        })
    }

    /// The value of a tag; empty if the game lacks it.
    pub fn tag(&self, name: &str) -> &str {
        self.game.tags.get(name).unwrap_or_default()
    }

    /// The name of a player.
    pub fn player(&self, color: Color) -> &str {
        self.tag(color.fold("White", "Black"))
    }

    /// The rating of a player, if the tag holds a number.
    pub fn elo(&self, color: Color) -> Option<u16> {
        let text = self.tag(color.fold("WhiteElo", "BlackElo"));
        text.trim().parse().ok().filter(|&elo| elo > 0)
    }

    /// The date as `YYYY-MM-DD`, as far as it is known: `2025`, `2025-05`. From `Date` or, if that
    /// has no year, `UTCDate`.
    pub fn date(&self) -> Option<String> {
        ["Date", "UTCDate"]
            .into_iter()
            .find_map(|tag| date(self.tag(tag)))
    }

    /// The class of the time control.
    pub fn speed(&self) -> Option<Speed> {
        self.control.map(TimeControl::speed)
    }

    /// The best line in place of move `index`.
    pub fn best(&self, index: usize) -> Option<&Line> {
        self.lines.get(index)?.first()
    }
}

/// The known parts of a PGN date, joined by `-`.
fn date(text: &str) -> Option<String> {
    let digits =
        |part: &str, length| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = text.split('.');
    let mut known = parts.next().filter(|year| digits(year, 4))?.to_owned();
    for part in parts.take(2).take_while(|part| digits(part, 2)) {
        known.push('-');
        known.push_str(part);
    }
    Some(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_with_unknown_parts() {
        assert_eq!(date("2025.05.01").as_deref(), Some("2025-05-01"));
        assert_eq!(date("2025.05.??").as_deref(), Some("2025-05"));
        assert_eq!(date("2025.??.01").as_deref(), Some("2025"));
        assert_eq!(date("????.??.??"), None);
        assert_eq!(date(""), None);
    }
}
