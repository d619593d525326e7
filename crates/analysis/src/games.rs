//! The games of PGN files, to be analysed.

use std::sync::Arc;

use skewer_movegen::Board;
use skewer_pgn::{EvalTag, EvalValue, Games, NodeId, PgnGame, Problem, ReadError};
use skewer_types::Score;
use skewer_uci_client::InfoScore;

use crate::analyst::{Finding, FoundLine};
use crate::error::{AnalysisError, GameError};
use crate::formulas::FIRST_EVAL;
use crate::input::{self, Source};
use crate::judged::{JudgedGame, Origin};
use crate::line::MainLine;
use crate::run::{self, Input, Placed};
use crate::scale::{Units, given_curve};

/// An analysis of the games of files.
pub type Run = run::Run<PgnGame>;

/// How far an analysis of games has come.
pub type Step = run::Step<JudgedGame>;

/// The games of a file, for a run.
pub struct GameReader(Games<Source>);

impl GameReader {
    /// Reads the games of a source.
    pub fn new(source: Source) -> Self {
        Self(Games::new(source))
    }
}

impl Iterator for GameReader {
    type Item = std::io::Result<Placed<PgnGame>>;

    fn next(&mut self) -> Option<Self::Item> {
        let (line, item) = match self.0.next_placed() {
            Ok(None) => return None,
            Ok(Some(placed)) => (placed.line, Ok(placed.game)),
            Err(ReadError::Bad(bad)) => (bad.line, Err(GameError::Bad(bad))),
            Err(ReadError::Io(error)) => return Some(Err(error)),
            Err(error) => return Some(Err(std::io::Error::other(error))),
        };
        Some(Ok(Placed { line, item }))
    }
}

impl Input for PgnGame {
    type Reader = GameReader;
    type Output = JudgedGame;

    fn read(path: &str, source: Source) -> Result<GameReader, AnalysisError> {
        // Pipes have not been checked before.
        input::refuse_positions(path, source).map(GameReader::new)
    }

    fn line(&self) -> MainLine {
        MainLine::of(self)
    }

    fn name(number: u64) -> Option<String> {
        Some(format!("game {number}"))
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn partial(error: GameError) -> Result<Self, GameError> {
        match error {
            GameError::Bad(bad) if bad.partial.mainline().next().is_some() => Ok(bad.partial),
            error => Err(error),
        }
    }

    fn given(&self, line: &MainLine) -> Vec<Option<Finding>> {
        let at = |id: NodeId, board: &Board| {
            let mut comments = self.node(id).comments.iter();
            let tag = comments.find_map(|text| EvalTag::find_at(text, board))?;
            // The tag is from White's side, the finding from the side of the player to move.
            let sign = board.turn().fold(1, -1);
            let score = match tag.value {
                EvalValue::Centipawns(cp) => Score::new(scaled(cp).saturating_mul(sign)),
                EvalValue::Mate(moves) => InfoScore::Mate(moves.saturating_mul(sign)).into(),
            };
            Some(Finding::given(score, tag.depth.unwrap_or(0)))
        };
        let first = if self.start().is_standard() {
            let even = Score::new(scaled(FIRST_EVAL));
            Some(Finding::given(even, 0))
        } else {
            at(NodeId::ROOT, &line.boards[0])
        };
        let evals = self.mainline().zip(&line.boards[1..]);
        let evals = evals.map(|(id, board)| at(id, board));
        std::iter::once(first).chain(evals).collect()
    }

    fn output(
        self,
        origin: Origin,
        line: Arc<MainLine>,
        findings: Vec<Finding>,
        units: Units,
    ) -> JudgedGame {
        JudgedGame::new(origin, self, line, &findings, units)
    }
}

/// Converts hundredths of a pawn to units of a score. [`Finding::eval`] converts them back without loss,
/// up to the largest evaluation.
fn scaled(centipawns: i32) -> i32 {
    (f64::from(centipawns) * given_curve().pawn() / 100.0).round() as i32
}

impl Finding {
    /// A finding without a search.
    fn given(score: Score, depth: u32) -> Self {
        Self {
            lines: vec![FoundLine::new(score, &[])],
            depth,
            ..Self::default()
        }
    }

    /// The evaluation from the other side, without the moves of its lines.
    pub(crate) fn reversed(&self) -> Self {
        let score = self.lines.first().map(|line| Score::from_raw(-line.score));
        Self {
            lines: score
                .map(|score| FoundLine::new(score, &[]))
                .into_iter()
                .collect(),
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use skewer_types::{WinCurve, WinModel};

    use super::*;
    use crate::formulas::Eval;
    use crate::scale::Scale;

    /// The win model of the engine converts its own scores by the material, and changes no evaluation of the file.
    #[test]
    fn evaluations_of_the_file_keep_their_centipawns_at_every_material() {
        let curve = |even| WinCurve::new(even, 80.0).unwrap();
        let units = Units {
            model: WinModel::new(curve(50.0), curve(400.0)),
            scale: Scale::Skewer,
        };
        let start = Board::STARTPOS;
        let pawn: Board = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().unwrap();
        let given = Finding::given(Score::new(scaled(37)), 0);
        let found = Finding {
            nodes: 1,
            ..given.clone()
        };
        for board in [&start, &pawn] {
            assert_eq!(given.eval(board, units), Eval::Cp(37));
        }
        assert_eq!(found.eval(&start, units), Eval::Cp(74));
        assert_eq!(found.eval(&pawn, units), Eval::Cp(66));
    }

    #[test]
    fn extreme_evaluations_keep_their_side() {
        let game =
            "1. e4 {[%eval #-9999]} e5 {[%eval -21474836.47]} 2. d4 {[%eval -21474836.47]} *";
        let placed = GameReader::new(Box::new(game.as_bytes())).next();
        let game = placed.unwrap().unwrap().item.unwrap();
        let given = game.given(&game.line());
        let scores = given[1..]
            .iter()
            .map(|found| found.as_ref().unwrap().lines[0].score);
        let signs: Vec<i32> = scores.map(i32::signum).collect();
        assert_eq!(signs, [1, -1, 1]);
    }

    /// An evaluation that cannot be one of the position, such as mate in 0 moves where there is none, is no evaluation.
    #[test]
    fn impossible_evaluations_are_missing() {
        let game =
            "1. f3 {[%eval #0]} e5 {[%eval #-999999]} 2. g4 {[%eval -0,5]} Qh4# {[%eval #0]} 0-1";
        let placed = GameReader::new(Box::new(game.as_bytes())).next();
        let game = placed.unwrap().unwrap().item.unwrap();
        let given = game.given(&game.line());
        let is_given: Vec<bool> = given.iter().map(Option::is_some).collect();
        assert_eq!(is_given, [true, false, false, false, true]);
    }
}
