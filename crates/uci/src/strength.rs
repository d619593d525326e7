//! Playing below full strength: a search of fewer nodes, and a choice among several moves.
//!
//! A level has a step of strength, which sets the nodes, the number of moves and the tolerance of the choice. Moves that
//! lose much less than the tolerance are about equally likely, and moves that lose much more are hardly ever played, so
//! that a low level plays many weak moves and not one blunder among perfect moves. [`scale`] has the measured Elo of
//! the steps. Below [`SEES_ALL`], a level also overlooks captures and mates in one ([`sight`]). A choice by score would
//! never leave a hanging piece, because the piece is worth more than the tolerance.

mod scale;
mod sight;

use skewer_search::{Limits, Position, Report};
use skewer_types::{Bound, Rng};

use scale::SCALE;
use sight::{Seen, Sight};

/// The lowest level.
pub(crate) const MIN_ELO: u32 = SCALE[0].0;

/// The highest level.
pub(crate) const MAX_ELO: u32 = SCALE[SCALE.len() - 1].0;

/// The nodes of step 0.
const LEAST_NODES: f64 = 40.0;

/// The factor of the nodes from each step to the next.
const NODES_PER_STEP: f64 = 1.5;

/// The tolerance of step 0, in internal units of score.
const TOLERANCE: f64 = 140.0;

/// The factor of the tolerance from each step to the next.
const TOLERANCE_PER_STEP: f64 = 0.86;

/// How many moves the levels from 1400 to 2200 choose from.
const LINES: f64 = 6.0;

/// How many more moves each step below 0 chooses from.
const MORE_LINES: f64 = 3.0;

/// From the first of these steps on, the number of moves to choose from falls by one every two steps; from the second
/// on, it falls by one every step. Strong levels would be slow otherwise, because the search for each further move
/// takes as long as the search for the first.
const FEWER_LINES: [f64; 2] = [18.0, 20.0];

/// The limit of a move's loss, in internal units, so that a level that may lose a queen may also miss a
/// mate.
const GREATEST_LOSS: i32 = 800;

/// The lowest level that overlooks nothing.
const SEES_ALL: u32 = 1200;

/// The share of captures and mates in one that a level overlooks, for each Elo below [`SEES_ALL`].
const OVERLOOKED_PER_ELO: f64 = 0.28 / 400.0;

/// The step of strength of an Elo number, interpolated between the rows of the scale.
fn step_of(elo: u32) -> f64 {
    let elo = elo.clamp(MIN_ELO, MAX_ELO);
    let above = SCALE.partition_point(|row| row.0 < elo);
    let (high, high_step) = SCALE[above];
    let (low, low_step) = SCALE[above.saturating_sub(1)];
    let share = f64::from(elo - low) / f64::from((high - low).max(1));
    low_step + share * (high_step - low_step)
}

/// How many moves a step chooses from.
fn lines_of(step: f64) -> usize {
    let beyond = |from: f64| (step - from).max(0.0) / 2.0;
    let fewer: f64 = FEWER_LINES.map(beyond).iter().sum();
    let lines = LINES + MORE_LINES * (-step).max(0.0) - fewer;
    lines.max(2.0) as usize
}

/// A level of play.
#[derive(Debug, Clone)]
pub(crate) struct Level {
    nodes: u64,
    lines: usize,
    tolerance: f64,
    /// The share of captures and mates in one that is overlooked.
    overlooked: f64,
    rng: Rng,
}

impl Level {
    /// The level of an Elo number, with a random seed.
    pub(crate) fn of_elo(elo: u32) -> Self {
        use std::hash::{BuildHasher, RandomState};
        Self::seeded(elo, RandomState::new().hash_one(elo))
    }

    fn seeded(elo: u32, seed: u64) -> Self {
        let step = step_of(elo);
        Self {
            // The first iteration is always finished, with however few nodes.
            nodes: (LEAST_NODES * NODES_PER_STEP.powf(step)).max(1.0) as u64,
            lines: lines_of(step),
            tolerance: TOLERANCE * TOLERANCE_PER_STEP.powf(step),
            overlooked: f64::from(SEES_ALL.saturating_sub(elo.max(MIN_ELO))) * OVERLOOKED_PER_ELO,
            rng: Rng::new(seed),
        }
    }

    /// Limits a search to the nodes of this level, and makes it report the lines that the level chooses from.
    pub(crate) fn restrict(&self, limits: &mut Limits) {
        limits.nodes = Some(
            limits
                .nodes
                .map_or(self.nodes, |nodes| nodes.min(self.nodes)),
        );
        limits.multi_pv = limits.multi_pv.max(self.lines);
    }

    /// Which of these lines of a position, best first, is played; `None` if there is none.
    fn choose(&mut self, position: &Position, lines: &[Report]) -> Option<usize> {
        let mut sight = Sight::new(self.overlooked, position, &mut self.rng);
        let mut seen: Vec<Seen> = lines.iter().map(|line| sight.see(line)).collect();
        if seen.iter().all(|&seen| seen == Seen::Nothing) {
            seen.fill(Seen::Whole);
        }
        let best = seen.iter().position(|&seen| seen != Seen::Nothing)?;
        let best = lines[best].score;
        // A line whose answer is overlooked seems to be worth as much as a quiet move.
        let board = position.board();
        let quiet = lines.iter().zip(&seen).find(|(line, seen)| {
            **seen == Seen::Whole && !line.pv.first().is_some_and(|&mv| board.is_capture(mv))
        });
        let quiet = quiet.map(|(line, _)| line.score);
        let weights: Vec<f64> = lines
            .iter()
            .zip(seen)
            .map(|(line, seen)| {
                let score = match seen {
                    Seen::Whole => line.score,
                    Seen::FirstMove => quiet.map_or(line.score, |quiet| quiet.max(line.score)),
                    Seen::Nothing => return 0.0,
                };
                let loss = f64::from((best - score).clamp(0, GREATEST_LOSS));
                (-(loss / self.tolerance).powi(2)).exp()
            })
            .collect();
        let total: f64 = weights.iter().sum();
        // A float has 53 bits of precision.
        let mut left = (self.rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64 * total;
        for (chosen, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return Some(chosen);
            }
        }
        Some(0)
    }
}

/// The lines that a level chooses from, as a search reports them.
#[derive(Debug)]
pub(crate) struct Choice {
    level: Level,
    position: Position,
    lines: Vec<Report>,
}

impl Choice {
    /// The choice of a move in a position.
    pub(crate) fn new(level: Level, position: Position) -> Self {
        Self {
            level,
            position,
            lines: Vec::new(),
        }
    }

    /// Takes a reported line, unless its score is a bound.
    pub(crate) fn add(&mut self, report: &Report) {
        if report.bound == Bound::Exact {
            // The lines of an iteration come in order; the first one begins a new list.
            self.lines.truncate(report.multi_pv - 1);
            self.lines.push(report.clone());
        }
    }

    /// The line that is played; `None` if there is none.
    pub(crate) fn line(&mut self) -> Option<&Report> {
        let chosen = self.level.choose(&self.position, &self.lines)?;
        self.lines.get(chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skewer_movegen::Board;
    use skewer_search::Line;
    use skewer_types::Score;
    use std::time::Duration;

    /// White to move can take the queen by exd5 or Nxd5, or let it take a pawn with check.
    const HANGING: &str = "rnb1kbnr/ppp1pppp/8/3q4/4P3/2N5/PPPP1PPP/R1BQKBNR w KQkq - 0 1";
    const TAKES: &str = "e4d5";
    const ALSO_TAKES: &str = "c3d5";
    const IGNORES: &str = "g1f3 d5e4";

    fn position(fen: &str) -> Position {
        Position::new(fen.parse().unwrap())
    }

    fn pv(position: &Position, moves: &str) -> Line {
        let mut board = *position.board();
        let read = moves.split_whitespace().map(|text| {
            let mv = board.parse_uci(text).unwrap();
            board = board.play(mv);
            mv
        });
        read.collect()
    }

    /// Lines, best first, from their moves and scores.
    fn reports(position: &Position, lines: &[(&str, Score)]) -> Vec<Report> {
        (1..)
            .zip(lines)
            .map(|(multi_pv, &(moves, score))| Report {
                depth: 3,
                seldepth: 3,
                multi_pv,
                lines: lines.len(),
                score,
                bound: Bound::Exact,
                nodes: 1,
                time: Duration::ZERO,
                hashfull: 0,
                tb_hits: 0,
                pv: pv(position, moves),
            })
            .collect()
    }

    /// Lines with these scores, whose moves do not matter.
    fn lines(scores: &[i32]) -> Vec<Report> {
        let lines: Vec<_> = scores
            .iter()
            .map(|&score| ("", Score::new(score)))
            .collect();
        reports(&Board::STARTPOS.into(), &lines)
    }

    /// How often a level chooses each of these lines, in 4000 games.
    fn chosen(elo: u32, position: &Position, lines: &[(&str, Score)]) -> Vec<usize> {
        let reports = reports(position, lines);
        let mut counts = vec![0; lines.len()];
        for seed in 0..4000 {
            let mut level = Level::seeded(elo, seed);
            counts[level.choose(position, &reports).unwrap()] += 1;
        }
        counts
    }

    fn share_of_best(elo: u32, scores: &[i32]) -> f64 {
        let mut level = Level::seeded(elo, 1);
        let lines = lines(scores);
        let best = (0..2000)
            .filter(|_| level.choose(&Board::STARTPOS.into(), &lines) == Some(0))
            .count();
        best as f64 / 2000.0
    }

    #[test]
    fn the_scale_rises() {
        assert!(
            SCALE.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1),
            "{SCALE:?}"
        );
        for &(elo, step) in SCALE {
            assert!((step_of(elo) - step).abs() < 1e-9, "{elo}");
        }
        assert_eq!(step_of(0).to_bits(), SCALE[0].1.to_bits());
        let between = step_of(SCALE[0].0.midpoint(SCALE[1].0));
        assert!(between > SCALE[0].1 && between < SCALE[1].1);
    }

    #[test]
    fn nothing_is_chosen_from_nothing() {
        let start = Board::STARTPOS.into();
        assert_eq!(Level::of_elo(MIN_ELO).choose(&start, &[]), None);
    }

    #[test]
    fn the_higher_the_level_the_better_the_choice() {
        let scores = [30, 0, -40, -200];
        let shares: Vec<f64> = [0, 1, 2, 3]
            .into_iter()
            .map(|third| MIN_ELO + third * (MAX_ELO - MIN_ELO) / 3)
            .map(|elo| share_of_best(elo, &scores))
            .collect();
        assert!(
            shares.is_sorted() && shares[0] < 0.6 && shares[3] > 0.8,
            "{shares:?}"
        );
    }

    #[test]
    fn small_losses_are_nearly_alike_and_great_ones_rare() {
        let mut level = Level {
            nodes: 1,
            lines: 4,
            tolerance: 100.0,
            overlooked: 0.0,
            rng: Rng::new(2),
        };
        let lines = lines(&[0, -20, -100, -300]);
        let mut counts = [0; 4];
        for _ in 0..4000 {
            counts[level.choose(&Board::STARTPOS.into(), &lines).unwrap()] += 1;
        }
        assert!(
            counts[1] * 10 > counts[0] * 8
                && counts[2] * 2 < counts[1]
                && counts[3] * 100 < counts[2],
            "{counts:?}"
        );
    }

    #[test]
    fn low_levels_choose_among_more_moves() {
        let counts = [-10.0, 0.0, 18.0, 20.0, 22.0, 24.0, 40.0].map(lines_of);
        assert_eq!(counts, [36, 6, 6, 5, 3, 2, 2]);
    }

    #[test]
    fn levels_see_further_and_further() {
        let nodes: Vec<u64> = (MIN_ELO..=MAX_ELO)
            .step_by(100)
            .map(|elo| Level::of_elo(elo).nodes)
            .collect();
        assert!(nodes.is_sorted() && nodes[nodes.len() - 1] > 100 * nodes[0]);
    }

    #[test]
    fn from_1200_on_levels_overlook_nothing() {
        let position = position(HANGING);
        let scores = [30, 0, -40, -200, -900].map(Score::new);
        let moves = [TAKES, ALSO_TAKES, IGNORES, "f1b5 d5b5", "d1g4 d5e4"];
        let lines: Vec<_> = moves.into_iter().zip(scores).collect();
        let reports = reports(&position, &lines);
        // The expected choices depend on the step and the tolerance alone.
        for (elo, nodes, choices) in [
            (1200, 28, "1021101001032221201210112301213010110200"),
            (1250, 31, "1021101001022221201210012201213010110200"),
            (1500, 123, "0021101001022221201110012201212000110200"),
            (2000, 10_009, "0000000000010000000000000100001000000000"),
            (2600, 432_823, "0000000000000000000000000000000000000000"),
        ] {
            let mut level = Level::seeded(elo, 7);
            assert_eq!(level.nodes, nodes, "{elo}");
            let made: String = (0..choices.len())
                .map(|_| level.choose(&position, &reports).unwrap().to_string())
                .collect();
            assert_eq!(made, choices, "{elo}");
        }
    }

    #[test]
    fn the_lower_the_level_the_more_often_a_hanging_queen_is_left() {
        let position = position(HANGING);
        let lines = [
            (TAKES, Score::new(900)),
            (ALSO_TAKES, Score::new(850)),
            ("d2d3 d5e5", Score::new(-50)),
            (IGNORES, Score::new(-100)),
        ];
        let left: Vec<usize> = [800, 900, 1000, 1100, 1199, 1200]
            .map(|elo| chosen(elo, &position, &lines)[2..].iter().sum())
            .to_vec();
        assert!(left.is_sorted_by(|a, b| a > b), "{left:?}");
        // Both captures are overlooked together, in 28% of the games. Where they are seen, no other move seems as good.
        assert!((1000..1240).contains(&left[0]) && left[5] == 0, "{left:?}");
    }

    #[test]
    fn a_recapture_is_always_seen() {
        let before = position("rnbqkbnr/ppp1pppp/8/3p4/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 0 1");
        let mut after = before.clone();
        after.play(before.board().parse_uci("d5e4").unwrap());
        let lines = [("c3e4", Score::new(0)), ("a2a3", Score::new(-2000))];
        assert_eq!(chosen(MIN_ELO, &after, &lines), [4000, 0]);
        // The same position without the move that led to it.
        let unknown = Position::new(*after.board());
        assert!(chosen(MIN_ELO, &unknown, &lines)[1] > 900);
    }

    #[test]
    fn low_levels_overlook_mates_in_one_of_both_sides() {
        let mates = position("6k1/5ppp/8/8/8/7q/5PPP/R5K1 w - - 0 1");
        let own = [
            ("a1a8", Score::mate_in(1)),
            ("g2h3", Score::new(500)),
            ("a1a7", Score::new(-2000)),
        ];
        assert_eq!(chosen(1200, &mates, &own)[0], 4000);
        let seen = chosen(MIN_ELO, &mates, &own);
        assert!((2700..3060).contains(&seen[0]) && seen[1] > 700, "{seen:?}");
        let mated = position("r5k1/5ppp/8/8/8/8/5PPP/4N1K1 w - - 0 1");
        let other = [
            ("g2g3", Score::new(-300)),
            ("e1f3 a8a1", Score::mated_in(2)),
        ];
        assert_eq!(chosen(1200, &mated, &other)[1], 0);
        let seen = chosen(MIN_ELO, &mated, &other);
        assert!((450..670).contains(&seen[1]), "{seen:?}");
    }

    #[test]
    fn the_only_move_is_played_though_it_is_overlooked() {
        let position = position("7k/8/8/8/8/8/1q6/K7 w - - 0 1");
        assert_eq!(chosen(MIN_ELO, &position, &[("a1b2", Score::ZERO)]), [4000]);
    }
}
