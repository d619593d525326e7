//! The formulas of lichess for win chances, accuracy and the labels of moves, so that results can be compared
//! with the results of lichess.
//!
//! Sources: lichess.org/page/accuracy and, for the labels, games of 2025 with evaluations and glyphs by lichess.
//! `tools/dev/compare_glyphs.py` compares these glyphs with the labels of [`label`].

use skewer_movegen::{Board, Color, DrawRules};
use skewer_types::{Score, WinCurve};

/// The limit of evaluations, in hundredths of a pawn; a mate counts as this.
pub const CEILING: i32 = 1000;

/// The evaluation before the first move of a game from the ordinary start position, in hundredths of a pawn.
pub const FIRST_EVAL: i32 = 15;

/// The loss of chances, on the scale from -1 to 1, from which a move has a label.
pub const LABEL_DROP: f64 = 0.1;

/// The loss from which a move with a label is a mistake, in hundredths of a pawn.
pub const MISTAKE_LOSS: i32 = 100;

/// The loss from which a move with a label is a blunder, in hundredths of a pawn.
pub const BLUNDER_LOSS: i32 = 300;

/// The slope of the logistic curve of win chances, per hundredth of a pawn, fitted by lichess to rated games.
const STEEPNESS: f64 = 0.003_682_08;

/// An evaluation from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eval {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Moves to mate, positive if White mates; [`Mated`](Self::Mated) if mate is on the board.
    Mate(i32),
    /// Mate on the board.
    Mated {
        /// The side that has won.
        winner: Color,
    },
}

impl Eval {
    /// Converts a score from the point of view of `turn`, the side to move. `curve` is the curve of the engine's win
    /// model for the material of the position.
    pub fn from_score(score: Score, turn: Color, curve: WinCurve) -> Self {
        let sign = turn.fold(1, -1);
        match score.mate_distance() {
            Some(0) => Self::Mated { winner: !turn },
            Some(moves) => Self::Mate(sign * moves),
            None => Self::Cp(sign * curve.centipawns(score)),
        }
    }

    /// The evaluation of a position in which the game is over by the rules of chess: by mate, by stalemate, because
    /// nobody can mate any more, or after 75 moves of each side without a capture or a move of a pawn. `None` where the
    /// game goes on, also where a player may claim a draw.
    pub fn at_end(board: &Board) -> Option<Self> {
        let ending = board.ending(1, DrawRules::Unclaimed)?;
        Some(match ending.winner() {
            Some(winner) => Self::Mated { winner },
            None => Self::Cp(0),
        })
    }

    /// Hundredths of a pawn, at most [`CEILING`] for either side.
    pub fn clamped(self) -> i32 {
        match self {
            Self::Cp(cp) => cp.clamp(-CEILING, CEILING),
            Self::Mate(moves) => CEILING * moves.signum(),
            Self::Mated {
                winner: Color::White,
            } => CEILING,
            Self::Mated {
                winner: Color::Black,
            } => -CEILING,
        }
    }

    /// White's chances, from -1 (lost) to 1 (won).
    pub fn chances(self) -> f64 {
        2.0 / (1.0 + (-STEEPNESS * f64::from(self.clamped())).exp()) - 1.0
    }

    /// White's chances in per cent, from 0 to 100.
    pub fn win_percent(self) -> f64 {
        50.0 + 50.0 * self.chances()
    }

    /// Win, draw and loss for White in thousandths, which add up to 1000. `curve` must be the curve that made the
    /// centipawns.
    pub fn wdl(self, curve: WinCurve) -> [u32; 3] {
        let Self::Cp(cp) = self else {
            return if self.clamped() > 0 {
                [1000, 0, 0]
            } else {
                [0, 0, 1000]
            };
        };
        let chances = curve.chances_of_centipawns(cp);
        [chances.win, chances.draw, chances.loss]
    }

    /// The same evaluation from the point of view of the player who moved.
    fn for_mover(self, mover: Color) -> Self {
        if mover == Color::White {
            return self;
        }
        match self {
            Self::Cp(cp) => Self::Cp(-cp),
            Self::Mate(moves) => Self::Mate(-moves),
            Self::Mated { winner } => Self::Mated { winner: !winner },
        }
    }

    /// +1 for a mate by the side whose point of view this is, -1 for a mate against it, else 0.
    fn mate_sign(self) -> i32 {
        match self {
            Self::Cp(_) => 0,
            _ => self.clamped().signum(),
        }
    }
}

/// The accuracy of a move in per cent, from the mover's win chances before and after it, in per
/// cent.
pub fn move_accuracy(before: f64, after: f64) -> f64 {
    if after >= before {
        return 100.0;
    }
    let drop = before - after;
    let raw = 103.166_810_071_164_9 * (-0.043_544_153_866_953_51 * drop).exp()
        - 3.166_924_740_191_411
        + 1.0;
    raw.clamp(0.0, 100.0)
}

/// The label of a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// Loses at least 5 points of win percentage.
    Inaccuracy,
    /// Loses at least 5 points of win percentage and a pawn.
    Mistake,
    /// Loses at least 5 points of win percentage and three pawns.
    Blunder,
}

/// The label of a move of `mover`, from the evaluations before and after it; `None` for a sound move.
pub fn label(before: Eval, after: Eval, mover: Color) -> Option<Label> {
    let (before, after) = (before.for_mover(mover), after.for_mover(mover));
    let cp = |eval: Eval| if let Eval::Cp(cp) = eval { cp } else { 0 };
    // The label of a move that allows or misses a mate. `centipawns` is the disadvantage before an allowed mate, or the
    // advantage left after a missed mate.
    let mate_label = |centipawns: i32| {
        if centipawns > 999 {
            Label::Inaccuracy
        } else if centipawns > 700 {
            Label::Mistake
        } else {
            Label::Blunder
        }
    };
    match (before.mate_sign(), after.mate_sign()) {
        // The move allows a mate, which is less serious in a lost position.
        (0, -1) => Some(mate_label(-cp(before))),
        // The move misses a mate, which is less serious if the position is still won.
        (1, 0 | -1) => Some(mate_label(cp(after))),
        (0, 0) => {
            let loss = cp(before) - cp(after);
            if before.chances() - after.chances() < LABEL_DROP {
                None
            } else if loss >= BLUNDER_LOSS {
                Some(Label::Blunder)
            } else if loss >= MISTAKE_LOSS {
                Some(Label::Mistake)
            } else {
                Some(Label::Inaccuracy)
            }
        }
        // The same side still mates, or the player escapes a mate or finds one.
        _ => None,
    }
}

/// The loss of a move of `mover` in hundredths of a pawn, at least 0.
pub fn loss(before: Eval, after: Eval, mover: Color) -> i32 {
    let (before, after) = (before.for_mover(mover), after.for_mover(mover));
    (before.clamped() - after.clamped()).max(0)
}

/// A player's figures for a whole game.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PlayerFigures {
    /// Accuracy in per cent; `None` for a player who has not moved.
    pub accuracy: Option<f64>,
    /// Average centipawn loss.
    pub average_loss: Option<f64>,
}

/// The figures of White and Black. `first` is the evaluation before the first move, `evals` has the evaluation after
/// each move, and `first_mover` made the first move. `counts` takes the index of a move, from 0, and returns whether the
/// move counts for its player. Null moves do not count.
pub fn game_figures(
    first: Eval,
    evals: &[Eval],
    first_mover: Color,
    counts: impl Fn(usize) -> bool,
) -> [PlayerFigures; 2] {
    let mut all = vec![first];
    all.extend(evals);
    let percents: Vec<f64> = all.iter().map(|eval| eval.win_percent()).collect();
    let weights = weights(&percents, evals.len());
    let mut accuracies = [Vec::new(), Vec::new()];
    let mut losses = [Vec::new(), Vec::new()];
    for (index, pair) in percents.windows(2).enumerate() {
        if !counts(index) {
            continue;
        }
        let mover = if index % 2 == 0 {
            first_mover
        } else {
            !first_mover
        };
        let (before, after) = if mover == Color::White {
            (pair[0], pair[1])
        } else {
            (100.0 - pair[0], 100.0 - pair[1])
        };
        let player = mover as usize;
        accuracies[player].push((move_accuracy(before, after), weights[index]));
        losses[player].push(f64::from(loss(all[index], all[index + 1], mover)));
    }
    [0, 1].map(|player| PlayerFigures {
        accuracy: player_accuracy(&accuracies[player]),
        average_loss: mean(&losses[player]),
    })
}

/// The mean of the weighted mean and the harmonic mean.
fn player_accuracy(moves: &[(f64, f64)]) -> Option<f64> {
    if moves.is_empty() {
        return None;
    }
    let weight: f64 = moves.iter().map(|(_, weight)| weight).sum();
    let weighted = moves
        .iter()
        .map(|(accuracy, weight)| accuracy * weight)
        .sum::<f64>()
        / weight;
    // Clamp, so that a single move of accuracy 0 does not make the harmonic mean 0.
    let inverse: f64 = moves
        .iter()
        .map(|(accuracy, _)| 1.0 / accuracy.max(1.0))
        .sum();
    let harmonic = moves.len() as f64 / inverse;
    Some(f64::midpoint(weighted, harmonic))
}

/// The weight of each move: the standard deviation of win chances around it.
fn weights(percents: &[f64], moves: usize) -> Vec<f64> {
    let size = (moves / 10).clamp(2, 8).min(percents.len());
    let first = std::iter::repeat_n(&percents[..size], size.saturating_sub(2));
    let windows = first.chain(percents.windows(size));
    windows
        .map(|window| deviation(window).clamp(0.5, 12.0))
        .collect()
}

fn mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() {
        None
    } else {
        Some(values.iter().sum::<f64>() / values.len() as f64)
    }
}

/// The standard deviation of a population.
fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values).unwrap_or(0.0);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / values.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(left: f64, right: f64) {
        assert!((left - right).abs() < 0.005, "{left} is not {right}");
    }

    #[test]
    fn win_chances() {
        // By hand: 100 / (1 + exp(-0.00368208 cp)).
        close(Eval::Cp(0).win_percent(), 50.0);
        close(Eval::Cp(100).win_percent(), 59.10);
        close(Eval::Cp(-100).win_percent(), 40.90);
        close(Eval::Cp(300).win_percent(), 75.11);
        close(Eval::Cp(1000).win_percent(), 97.54);
        close(Eval::Cp(5000).win_percent(), 97.54);
        close(Eval::Mate(3).win_percent(), 97.54);
        close(
            Eval::Mated {
                winner: Color::Black,
            }
            .win_percent(),
            2.46,
        );
        close(Eval::Cp(FIRST_EVAL).win_percent(), 51.38);
    }

    #[test]
    fn accuracy_of_a_move() {
        close(move_accuracy(50.0, 50.0), 100.0);
        close(move_accuracy(50.0, 80.0), 100.0);
        // By hand: 103.1668 exp(-0.0435442 d) - 2.1669 for drops of 5, 10, 20, 50 and 100 points.
        close(move_accuracy(60.0, 55.0), 80.815);
        close(move_accuracy(60.0, 50.0), 64.58);
        close(move_accuracy(60.0, 40.0), 41.02);
        close(move_accuracy(60.0, 10.0), 9.53);
        close(move_accuracy(100.0, 0.0), 0.0);
    }

    #[test]
    fn labels_are_at_five_points_and_at_one_and_three_pawns() {
        // From +0.00, a drop of 0.1 on the scale from -1 to 1 is reached by -0.55.
        let label = |before, after| label(Eval::Cp(before), Eval::Cp(after), Color::White);
        assert_eq!(label(0, -54), None);
        assert_eq!(label(0, -55), Some(Label::Inaccuracy));
        assert_eq!(label(0, -99), Some(Label::Inaccuracy));
        assert_eq!(label(0, -100), Some(Label::Mistake));
        assert_eq!(label(0, -299), Some(Label::Mistake));
        assert_eq!(label(0, -300), Some(Label::Blunder));
        // In a won position the same loss gets no label.
        assert_eq!(label(900, 731), None);
        assert_eq!(label(-50, 100), None);
    }

    #[test]
    fn labels_are_for_the_player_who_moved() {
        assert_eq!(
            label(Eval::Cp(0), Eval::Cp(200), Color::Black),
            Some(Label::Mistake)
        );
        assert_eq!(label(Eval::Cp(0), Eval::Cp(200), Color::White), None);
        assert_eq!(loss(Eval::Cp(0), Eval::Cp(200), Color::Black), 200);
        assert_eq!(loss(Eval::Cp(0), Eval::Cp(200), Color::White), 0);
        assert_eq!(
            loss(Eval::Cp(1500), Eval::Cp(1200), Color::White),
            0,
            "both are at the ceiling"
        );
    }

    #[test]
    fn labels_of_mates() {
        let against = Eval::Mate(-4);
        assert_eq!(
            label(Eval::Cp(-1200), against, Color::White),
            Some(Label::Inaccuracy)
        );
        assert_eq!(
            label(Eval::Cp(-1000), against, Color::White),
            Some(Label::Inaccuracy)
        );
        assert_eq!(
            label(Eval::Cp(-999), against, Color::White),
            Some(Label::Mistake)
        );
        assert_eq!(
            label(Eval::Cp(-701), against, Color::White),
            Some(Label::Mistake)
        );
        assert_eq!(
            label(Eval::Cp(-700), against, Color::White),
            Some(Label::Blunder)
        );
        let mating = Eval::Mate(2);
        assert_eq!(
            label(mating, Eval::Cp(1200), Color::White),
            Some(Label::Inaccuracy)
        );
        assert_eq!(
            label(mating, Eval::Cp(1000), Color::White),
            Some(Label::Inaccuracy)
        );
        assert_eq!(
            label(mating, Eval::Cp(999), Color::White),
            Some(Label::Mistake)
        );
        assert_eq!(
            label(mating, Eval::Cp(701), Color::White),
            Some(Label::Mistake)
        );
        assert_eq!(
            label(mating, Eval::Cp(700), Color::White),
            Some(Label::Blunder)
        );
        assert_eq!(label(mating, against, Color::White), Some(Label::Blunder));
        assert_eq!(
            label(mating, Eval::Mate(9), Color::White),
            None,
            "a longer mate is a mate"
        );
        assert_eq!(
            label(
                mating,
                Eval::Mated {
                    winner: Color::White
                },
                Color::White
            ),
            None
        );
        assert_eq!(
            label(Eval::Mate(-3), Eval::Mate(4), Color::Black),
            Some(Label::Blunder)
        );
    }

    #[test]
    fn figures_of_a_game() {
        // Four moves: White keeps +15, Black drops to +115, White drops to +15, Black keeps it.
        let evals = [15, 115, 15, 15].map(Eval::Cp);
        let [white, black] = game_figures(Eval::Cp(FIRST_EVAL), &evals, Color::White, |_| true);
        close(white.average_loss.unwrap(), 50.0);
        close(black.average_loss.unwrap(), 50.0);
        // By hand. 115 is 60.43 %, 15 is 51.38 %: a drop of 9.05 points, accuracy 67.40. Windows
        // of two: deviations 0, 4.525, 4.525, 0, at least 0.5. White: 100 (0.5), 67.40 (4.525):
        // weighted 70.64, harmonic 80.53. Black: 67.40 (4.525), 100 (0.5): the same.
        close(white.accuracy.unwrap(), 75.58);
        close(black.accuracy.unwrap(), 75.58);
    }

    /// A move that does not count changes no figure of its player, however much it loses. A player none of whose moves
    /// counts has no figures.
    #[test]
    fn moves_that_do_not_count_have_no_part_in_the_figures() {
        let evals = [0, 0, -900, -900, -900].map(Eval::Cp);
        let figures = |left_out: &[usize]| {
            let counts = |index| !left_out.contains(&index);
            game_figures(Eval::Cp(0), &evals, Color::White, counts)
        };
        let [every, _] = figures(&[]);
        close(every.average_loss.unwrap(), 300.0);
        let [white, black] = figures(&[2]);
        close(white.average_loss.unwrap(), 0.0);
        close(white.accuracy.unwrap(), 100.0);
        close(black.accuracy.unwrap(), 100.0);
        assert_eq!(figures(&[1, 3])[1], PlayerFigures::default());
    }

    /// The evaluation where the game is over is the result. A position in which the game goes on has none, even if a
    /// draw can be claimed there.
    #[test]
    fn the_end_of_a_game_is_its_result() {
        for (fen, end) in [
            (
                "R5k1/5ppp/8/8/8/8/8/6K1 b - - 1 1",
                Some(Eval::Mated {
                    winner: Color::White,
                }),
            ),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(Eval::Cp(0))),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Some(Eval::Cp(0))),
            ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", Some(Eval::Cp(0))),
            // In check, and not mated.
            ("4k3/8/8/1B6/8/8/8/4K3 b - - 0 1", Some(Eval::Cp(0))),
            ("2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", Some(Eval::Cp(0))),
            ("4k3/8/8/8/8/8/8/3QK3 w - - 150 120", Some(Eval::Cp(0))),
            ("4k3/8/8/8/8/8/8/3QK3 w - - 149 120", None),
            ("4k1b1/8/8/8/8/4B3/8/4K3 w - - 0 1", None),
            ("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", None),
        ] {
            assert_eq!(Eval::at_end(&fen.parse().unwrap()), end, "{fen}");
        }
    }

    #[test]
    fn figures_of_short_games() {
        assert_eq!(
            game_figures(Eval::Cp(15), &[], Color::White, |_| true),
            [PlayerFigures::default(); 2]
        );
        let [white, black] = game_figures(Eval::Cp(15), &[Eval::Cp(15)], Color::Black, |_| true);
        assert_eq!(white, PlayerFigures::default());
        close(black.accuracy.unwrap(), 100.0);
        // Every length up to where windows are largest has a weight for every move.
        for moves in 1..120 {
            let evals = vec![Eval::Cp(0); moves];
            let percents = vec![50.0; moves + 1];
            assert_eq!(weights(&percents, moves).len(), moves);
            let [white, _] = game_figures(Eval::Cp(0), &evals, Color::White, |_| true);
            assert!(white.accuracy.unwrap() > 90.0);
        }
    }

    #[test]
    fn scores_are_converted_by_the_given_curve() {
        let curve = WinCurve::new(200.0, 50.0).unwrap();
        let cp = |turn| Eval::from_score(Score::new(200), turn, curve);
        assert_eq!(
            (cp(Color::White), cp(Color::Black)),
            (Eval::Cp(100), Eval::Cp(-100))
        );
        assert_eq!(cp(Color::White).wdl(curve)[0], 500);
    }

    #[test]
    fn win_draw_loss_add_up() {
        for cp in -2000..2000 {
            let [win, draw, loss] = Eval::Cp(cp).wdl(WinCurve::default());
            assert_eq!(win + draw + loss, 1000, "{cp}");
            let [win_too, _, loss_too] = Eval::Cp(-cp).wdl(WinCurve::default());
            assert_eq!((win, loss), (loss_too, win_too));
        }
        assert_eq!(
            Eval::Cp(100).wdl(WinCurve::default())[0],
            500,
            "a pawn is an even chance to win"
        );
        assert_eq!(Eval::Mate(-1).wdl(WinCurve::default()), [0, 0, 1000]);
    }
}
