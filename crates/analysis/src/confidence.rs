//! How sure a label is: the chance that it would stay the same in a much longer search.

mod calibration;

use skewer_movegen::{Board, Move};
use skewer_types::Score;

use crate::analyst::Finding;
use crate::formulas::{BLUNDER_LOSS, Eval, LABEL_DROP, MISTAKE_LOSS, label};
use crate::scale::Units;
use calibration::WEIGHTS;

/// What a label rests on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Doubt {
    /// Points of win percentage from the loss of the move to the nearest limit between two labels.
    pub margin: f64,
    /// How much the scores before and after the move changed in the last iteration, added up, in hundredths of a pawn.
    pub swing: i32,
    /// Nodes of the shorter of the two searches, or of the only one; 0 if nothing was searched.
    pub nodes: u64,
    /// Whether the move has a label.
    pub is_weak: bool,
    /// Whether the move is the engine's first choice.
    pub is_best: bool,
    /// Whether one of the two scores is a mate.
    pub is_mate: bool,
}

impl Doubt {
    /// What the label of `played` rests on. `boards` begins with the positions before and after the move, and
    /// `findings` belong to them.
    pub fn new(
        boards: &[Board],
        played: Option<Move>,
        findings: [&Finding; 2],
        units: Units,
    ) -> Self {
        let [before, after] = [0, 1].map(|side| findings[side].rated(&boards[side], units));
        let mover = boards[0].turn();
        let sign = mover.fold(1.0, -1.0);
        let drop = sign * (before.win_percent() - after.win_percent());
        let best = findings[0]
            .lines
            .first()
            .and_then(|line| line.moves.first());
        let is_best = played.is_some() && best.copied() == played.map(Move::bits);
        let swing = |side: usize| {
            let found = findings[side];
            let curve = found.curve(&boards[side], units);
            curve.centipawns(Score::new(found.swing as i32))
        };
        let nodes = findings
            .iter()
            .map(|found| found.nodes)
            .filter(|&nodes| nodes > 0);
        let lost = |centipawns: i32| {
            let lower = Eval::Cp(before.clamped() - sign as i32 * centipawns);
            sign * (before.win_percent() - lower.win_percent())
        };
        let first = 50.0 * LABEL_DROP;
        let limits = [
            first,
            lost(MISTAKE_LOSS).max(first),
            lost(BLUNDER_LOSS).max(first),
        ];
        Self {
            margin: limits
                .iter()
                .map(|limit| (drop - limit).abs())
                .fold(f64::INFINITY, f64::min),
            swing: swing(0) + swing(1),
            nodes: nodes.min().unwrap_or(0),
            is_weak: !is_best && label(before, after, mover).is_some(),
            is_best,
            is_mate: [before, after]
                .iter()
                .any(|eval| !matches!(eval, Eval::Cp(_))),
        }
    }

    /// The chance, from 0 to 1, that a much longer search gives the same label. It is a logistic regression, fitted to
    /// games that were searched briefly and again for long.
    pub fn chance(&self) -> f64 {
        let sum: f64 = self
            .terms()
            .iter()
            .zip(WEIGHTS)
            .map(|(term, weight)| term * weight)
            .sum();
        1.0 / (1.0 + (-sum).exp())
    }

    fn terms(&self) -> [f64; 8] {
        let flag = |is: bool| f64::from(u8::from(is));
        let margin = (self.margin + 0.25).ln();
        let swing = (f64::from(self.swing.min(1000)) + 1.0).ln();
        [
            1.0,
            margin,
            margin * margin,
            (self.nodes.max(1) as f64).ln(),
            swing,
            flag(self.is_weak),
            flag(self.is_best),
            flag(self.is_mate),
        ]
    }
}
