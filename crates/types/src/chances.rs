//! What a score is worth: the chances of win, draw and loss, and the scale on which one pawn is
//! an even chance to win.
//!
//! The chance to win is a logistic curve of the score, and the chance to lose its mirror image;
//! the rest is draws. The two numbers are fitted to the engine's own games by
//! `crates/uci/tools/fit_wdl.py`, which is to be run again when the evaluation changes: every
//! program that shows a score shows it on this scale. The games should be as good as those that
//! people look at: at 200 nodes a move the spread was three times what it is at 5000.

use crate::Score;

/// The score, in internal units, with which every other game is won; a hundredth of it is a
/// centipawn. From the fit to 828 games, which `skewer-3` played at 5000 nodes a move
/// (`skewer-selfplay datagen --nodes 5000 --seed 21`).
pub const EVEN: f64 = 134.0;

/// How far the chances are spread, in internal units; from the same fit.
pub const SPREAD: f64 = 83.0;

/// What a score from endgame tables is written as, in hundredths of a pawn, if the win is at hand.
const TABLE_WIN: i32 = 20_000;

/// The greatest evaluation that is written, in hundredths of a pawn.
const GREATEST: i32 = 15_000;

/// The chances of win, draw and loss in thousandths, which add up to 1000.
///
/// ```
/// use skewer_types::{Chances, Score};
///
/// let level = Chances::of(Score::ZERO);
/// assert_eq!(level.win, level.loss);
/// assert_eq!(Chances::of(Score::mate_in(3)).win, 1000);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Chances {
    /// Games won of a thousand.
    pub win: u32,
    /// Games drawn.
    pub draw: u32,
    /// Games lost.
    pub loss: u32,
}

impl Chances {
    /// The chances of the side that the score is for.
    pub fn of(score: Score) -> Self {
        if score.is_win() {
            Self::certain(1000, 0)
        } else if score.is_loss() {
            Self::certain(0, 1000)
        } else {
            Self::of_units(f64::from(score.raw()))
        }
    }

    /// The chances of the side for which the score is so many hundredths of a pawn, as
    /// [`centipawns`] writes them.
    pub fn of_centipawns(centipawns: i32) -> Self {
        Self::of_units(f64::from(centipawns) * EVEN / 100.0)
    }

    /// The chances as the other side sees them.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self {
            win: self.loss,
            draw: self.draw,
            loss: self.win,
        }
    }

    const fn certain(win: u32, loss: u32) -> Self {
        Self { win, draw: 0, loss }
    }

    fn of_units(units: f64) -> Self {
        let chance = |units: f64| 1000.0 / (1.0 + ((EVEN - units) / SPREAD).exp());
        let win = chance(units).round() as u32;
        // Both may have been rounded up.
        let loss = (chance(-units).round() as u32).min(1000 - win);
        Self {
            win,
            draw: 1000 - win - loss,
            loss,
        }
    }
}

/// A score that is no mate in hundredths of a pawn, scaled so that 100 is an even chance to win.
/// Wins and losses by endgame tables lie beyond every evaluation, nearer ones further out.
///
/// ```
/// use skewer_types::{Score, centipawns};
///
/// assert_eq!(centipawns(Score::ZERO), 0);
/// assert!(centipawns(Score::tb_win_in(4)) > centipawns(Score::MAX_EVAL));
/// ```
pub fn centipawns(score: Score) -> i32 {
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
            let chances = Chances::of(Score::new(raw));
            assert_eq!(chances.win + chances.draw + chances.loss, 1000, "{raw}");
            assert_eq!(Chances::of(Score::new(-raw)), chances.reversed(), "{raw}");
        }
    }

    #[test]
    fn a_pawn_is_an_even_chance_to_win() {
        let pawn = Score::new(EVEN as i32);
        assert_eq!(centipawns(pawn), 100);
        assert_eq!(Chances::of(pawn).win, 500);
        assert_eq!(Chances::of_centipawns(100).win, 500);
        assert_eq!(Chances::of(Score::mate_in(3)).win, 1000);
        assert_eq!(Chances::of(Score::tb_loss_in(3)).loss, 1000);
        assert_eq!(
            Chances::of_centipawns(centipawns(Score::tb_loss_in(3))).loss,
            1000
        );
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
