//! Mistakes by kind, and mistakes made more than once in the same position.

use std::collections::HashMap;

use serde::Serialize;
use skewer_movegen::{Board, CastlingMode, Move};

use super::figures::hundredths;
use crate::json::rounded;
use crate::judged::JudgedMove;

/// The most examples of each kind and of each recurring mistake.
const EXAMPLES: usize = 10;

/// The most recurring mistakes in the summary.
const SHOWN: usize = 50;

/// The most positions that are stored. When there are more, positions with one mistake are dropped, so that
/// memory does not grow with the input.
const REMEMBERED: usize = 200_000;

/// A position of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct Place {
    /// The number of the game.
    pub game: u64,
    /// The ply, from 1.
    pub ply: u32,
}

/// Mistakes of one kind.
#[derive(Debug, Serialize)]
pub struct Motifs {
    /// The kind: `hung_piece`, `missed_mate`, and so on; `other` without a motif.
    pub kind: &'static str,
    /// How many mistakes.
    pub count: u64,
    /// Points of win percentage lost by all of them.
    pub lost: f64,
    /// The most costly mistakes.
    pub examples: Vec<Place>,
}

#[derive(Debug, Default)]
struct MotifSum {
    count: u64,
    lost: u64,
    /// Hundredths of a point, most costly first.
    examples: Vec<(u64, Place)>,
}

/// Sums by kind.
#[derive(Debug, Default)]
pub(super) struct MotifSums(HashMap<&'static str, MotifSum>);

impl MotifSums {
    /// Adds a weak move. It counts once for each of its motifs.
    pub(super) fn add(&mut self, mv: &JudgedMove, place: Place) {
        let lost = hundredths(mv.drop);
        let mut kinds: Vec<&str> = mv.motifs.iter().map(<&str>::from).collect();
        if kinds.is_empty() {
            kinds.push("other");
        }
        for kind in kinds {
            let sum = self.0.entry(kind).or_default();
            sum.count += 1;
            sum.lost += lost;
            let at = sum.examples.partition_point(|(worse, _)| *worse >= lost);
            sum.examples.insert(at, (lost, place));
            sum.examples.truncate(EXAMPLES);
        }
    }

    pub(super) fn summary(&self) -> Vec<Motifs> {
        let mut all: Vec<_> = self.0.iter().collect();
        all.sort_by(|(left, a), (right, b)| b.lost.cmp(&a.lost).then(left.cmp(right)));
        all.into_iter()
            .map(|(kind, sum)| Motifs {
                kind,
                count: sum.count,
                lost: rounded(sum.lost as f64 / 100.0),
                examples: sum.examples.iter().map(|(_, place)| *place).collect(),
            })
            .collect()
    }
}

/// A mistake made more than once.
#[derive(Debug, Serialize)]
pub struct Recurring {
    /// The position, as FEN without counters.
    pub position: String,
    /// The move that was played, in standard notation.
    pub played: String,
    /// How often it was played.
    pub count: u64,
    /// Points of win percentage lost each time, added up.
    pub lost: f64,
    /// The first games in which it was played.
    pub examples: Vec<Place>,
}

#[derive(Debug)]
struct RecurringSum {
    board: Board,
    san: String,
    count: u64,
    lost: u64,
    examples: Vec<Place>,
}

/// Sums by position and move.
#[derive(Debug, Default)]
pub(super) struct RecurringSums(HashMap<(u64, Option<Move>), RecurringSum>);

impl RecurringSums {
    pub(super) fn add(&mut self, board: &Board, mv: &JudgedMove, place: Place) {
        if self.0.len() >= REMEMBERED {
            self.0.retain(|_, sum| sum.count > 1);
            // If too many are left, drop the less costly half.
            if self.0.len() >= REMEMBERED / 2 {
                let mut costs: Vec<u64> = self.0.values().map(|sum| sum.lost).collect();
                costs.sort_unstable();
                let least = costs[costs.len() / 2];
                self.0.retain(|_, sum| sum.lost > least);
            }
        }
        let sum = self
            .0
            .entry((board.key(), mv.mv))
            .or_insert_with(|| RecurringSum {
                board: *board,
                san: mv.san.clone(),
                count: 0,
                lost: 0,
                examples: Vec::new(),
            });
        sum.count += 1;
        sum.lost += hundredths(mv.drop);
        if sum.examples.len() < EXAMPLES {
            sum.examples.push(place);
        }
    }

    pub(super) fn summary(&self) -> Vec<Recurring> {
        let mut all: Vec<_> = self.0.values().filter(|sum| sum.count > 1).collect();
        all.sort_by(|a, b| {
            let first = |sum: &RecurringSum| sum.examples.first().copied();
            b.lost.cmp(&a.lost).then_with(|| first(a).cmp(&first(b)))
        });
        all.truncate(SHOWN);
        all.into_iter()
            .map(|sum| {
                let fen = sum.board.to_fen_in(CastlingMode::Standard).to_string();
                Recurring {
                    position: fen.split(' ').take(4).collect::<Vec<_>>().join(" "),
                    played: sum.san.clone(),
                    count: sum.count,
                    lost: rounded(sum.lost as f64 / 100.0),
                    examples: sum.examples.clone(),
                }
            })
            .collect()
    }
}
