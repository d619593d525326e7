//! What a score is worth: the chances of win, draw and loss, and the scale on which one pawn
//! is an even chance to win.
//!
//! The chance to win is a logistic curve of the score, and the chance to lose its mirror image;
//! the rest is draws. The two numbers are fitted to the engine's own games by
//! `tools/fit_wdl.py` in this package's folder: for now 4216 games of 500 nodes a move with the
//! first hand-written evaluation; to be fitted again when the evaluation changes.

use skewer_smp::Score;

/// The score, in internal units, with which every other game is won.
const EVEN: f64 = 107.0;

/// How far the chances are spread, in internal units.
const SPREAD: f64 = 163.0;

/// What a score from endgame tables is written as, in hundredths of a pawn, if the win is at hand.
const TABLE_WIN: i32 = 20_000;

/// The greatest evaluation that is written, in hundredths of a pawn.
const GREATEST: i32 = 15_000;

/// The chances of win, draw and loss in thousandths, for the side that the score is for.
pub(crate) fn of(score: Score) -> [u32; 3] {
    if score.is_win() {
        return [1000, 0, 0];
    }
    if score.is_loss() {
        return [0, 0, 1000];
    }
    let chance = |score: f64| 1000.0 / (1.0 + ((EVEN - score) / SPREAD).exp());
    let raw = f64::from(score.raw());
    let win = chance(raw).round() as u32;
    // Both may have been rounded up.
    let loss = (chance(-raw).round() as u32).min(1000 - win);
    [win, 1000 - win - loss, loss]
}

/// A score that is no mate in hundredths of a pawn, scaled so that 100 is an even chance to win.
pub(crate) fn centipawns(score: Score) -> i32 {
    let distance = Score::TB_WIN.raw() - score.raw().abs();
    if score.is_win() {
        TABLE_WIN - distance
    } else if score.is_loss() {
        distance - TABLE_WIN
    } else {
        ((f64::from(score.raw()) * 100.0 / EVEN).round() as i32).clamp(-GREATEST, GREATEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_mirror() {
        for raw in -3000..=3000 {
            let [win, draw, loss] = of(Score::new(raw));
            assert_eq!(win + draw + loss, 1000, "{raw}");
            assert_eq!(of(Score::new(-raw)), [loss, draw, win], "{raw}");
        }
    }

    #[test]
    fn a_pawn_is_an_even_chance_to_win() {
        let pawn = Score::new(EVEN as i32);
        assert_eq!(centipawns(pawn), 100);
        assert_eq!(of(pawn)[0], 500);
        assert_eq!(of(Score::mate_in(3)), [1000, 0, 0]);
        assert_eq!(of(Score::tb_loss_in(3)), [0, 0, 1000]);
    }

    #[test]
    fn table_wins_are_above_every_evaluation_and_nearer_ones_higher() {
        let greatest = centipawns(Score::MAX_EVAL);
        assert!(centipawns(Score::tb_win_in(200)) > greatest);
        assert!(centipawns(Score::tb_win_in(1)) > centipawns(Score::tb_win_in(2)));
        assert_eq!(
            centipawns(Score::tb_loss_in(5)),
            -centipawns(Score::tb_win_in(5))
        );
    }
}
