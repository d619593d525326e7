//! Converts scores to the chances of win, draw and loss, and to centipawns, of which 100 are an even
//! chance to win.
//!
//! The chance to win is a logistic curve of the score, and the chance to lose its mirror image;
//! the rest is draws. The two parameters of the curve belong to an evaluation; a network's file has
//! its own.

use core::fmt;

use crate::Score;

/// The two parameters of the logistic curve that maps scores to chances, in internal units.
///
/// ```
/// use skewer_types::{Score, WinModel};
///
/// let model = WinModel::new(134.0, 83.0).ok_or("out of range")?;
/// assert_eq!(model.centipawns(Score::from_raw(134)), 100);
/// assert_eq!(model.chances(Score::from_raw(134)).win, 500);
/// assert_eq!(WinModel::new(0.0, 83.0), None);
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WinModel {
    even: f64,
    spread: f64,
}

impl Default for WinModel {
    /// A hundred centipawns at 134 units, spread over 83: for the hand-written evaluation, and for
    /// networks whose file has no model of their own.
    fn default() -> Self {
        Self {
            even: 134.0,
            spread: 83.0,
        }
    }
}

impl WinModel {
    /// The range of both parameters.
    const RANGE: core::ops::RangeInclusive<f64> = 1.0..=10_000.0;

    /// The model in which a score of `even` internal units wins every other game, and the odds of
    /// a win grow by a factor of e with every `spread` units more. `None` unless both are from 1
    /// to 10,000.
    pub fn new(even: f64, spread: f64) -> Option<Self> {
        (Self::RANGE.contains(&even) && Self::RANGE.contains(&spread))
            .then_some(Self { even, spread })
    }

    /// The score that wins every other game, in internal units; a hundredth of it is a
    /// centipawn.
    pub const fn even(self) -> f64 {
        self.even
    }

    /// How far the chances are spread, in internal units.
    pub const fn spread(self) -> f64 {
        self.spread
    }

    /// The chances of the side that the score is for.
    pub fn chances(self, score: Score) -> Chances {
        if score.is_win() {
            Chances::certain(1000, 0)
        } else if score.is_loss() {
            Chances::certain(0, 1000)
        } else {
            self.chances_of_units(f64::from(score.raw()))
        }
    }

    /// The chances of the side that a score in centipawns is for; the inverse of
    /// [`centipawns`](Self::centipawns).
    pub fn chances_of_centipawns(self, centipawns: i32) -> Chances {
        self.chances_of_units(f64::from(centipawns) * self.even / 100.0)
    }

    fn chances_of_units(self, units: f64) -> Chances {
        let chance = |units: f64| 1000.0 / (1.0 + ((self.even - units) / self.spread).exp());
        let win = chance(units).round() as u32;
        // Both may have been rounded up.
        let loss = (chance(-units).round() as u32).min(1000 - win);
        Chances {
            win,
            draw: 1000 - win - loss,
            loss,
        }
    }

    /// A score as the UCI protocol writes it: `cp` and centipawns, or `mate` and full moves.
    ///
    /// ```
    /// use skewer_types::{Score, WinModel};
    ///
    /// let model = WinModel::new(150.0, 83.0).ok_or("out of range")?;
    /// assert_eq!(model.uci(Score::new(75)).to_string(), "cp 50");
    /// assert_eq!(model.uci(Score::mated_in(4)).to_string(), "mate -2");
    /// # Ok::<(), &str>(())
    /// ```
    pub fn uci(self, score: Score) -> impl fmt::Display {
        fmt::from_fn(move |f| match score.mate_distance() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.centipawns(score)),
        })
    }

    /// A score other than a mate in centipawns, scaled so that 100 is an even chance to win. Wins and
    /// losses by endgame tables are beyond every evaluation, faster ones further from zero.
    ///
    /// ```
    /// use skewer_types::{Score, WinModel};
    ///
    /// let model = WinModel::default();
    /// assert_eq!(model.centipawns(Score::ZERO), 0);
    /// assert!(model.centipawns(Score::tb_win_in(4)) > model.centipawns(Score::MAX_EVAL));
    /// ```
    pub fn centipawns(self, score: Score) -> i32 {
        let distance = Score::TB_WIN.raw() - score.raw().abs();
        if score.is_win() {
            TABLE_WIN - distance
        } else if score.is_loss() {
            distance - TABLE_WIN
        } else {
            let units = f64::from(score.raw());
            ((units * 100.0 / self.even).round() as i32).clamp(-GREATEST, GREATEST)
        }
    }
}

/// The centipawns of an immediate win by endgame tables.
const TABLE_WIN: i32 = 20_000;

/// The greatest centipawns of an evaluation.
const GREATEST: i32 = 15_000;

/// The chances of win, draw and loss in thousandths, which add up to 1000.
///
/// ```
/// use skewer_types::{Score, WinModel};
///
/// let model = WinModel::default();
/// let level = model.chances(Score::ZERO);
/// assert_eq!(level.win, level.loss);
/// assert_eq!(model.chances(Score::mate_in(3)).win, 1000);
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
    const fn certain(win: u32, loss: u32) -> Self {
        Self { win, draw: 0, loss }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chances(score: Score) -> Chances {
        WinModel::default().chances(score)
    }

    fn centipawns(score: Score) -> i32 {
        WinModel::default().centipawns(score)
    }

    #[test]
    fn chances_add_up_and_mirror() {
        for raw in -3000..=3000 {
            let found = chances(Score::new(raw));
            assert_eq!(found.win + found.draw + found.loss, 1000, "{raw}");
            let mirrored = chances(Score::new(-raw));
            assert_eq!(
                (mirrored.win, mirrored.loss),
                (found.loss, found.win),
                "{raw}"
            );
        }
    }

    #[test]
    fn a_pawn_is_an_even_chance_to_win() {
        let pawn = Score::new(134);
        assert_eq!(centipawns(pawn), 100);
        assert_eq!(chances(pawn).win, 500);
        assert_eq!(chances(Score::mate_in(3)).win, 1000);
        assert_eq!(chances(Score::tb_loss_in(3)).loss, 1000);
        let model = WinModel::default();
        assert_eq!(model.chances_of_centipawns(100).win, 500);
        let lost = centipawns(Score::tb_loss_in(3));
        assert_eq!(model.chances_of_centipawns(lost).loss, 1000);
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        for (even, spread) in [
            (0.0, 83.0),
            (134.0, -1.0),
            (f64::NAN, 83.0),
            (134.0, f64::MAX),
        ] {
            assert_eq!(WinModel::new(even, spread), None, "{even} {spread}");
        }
        let wide = WinModel::new(268.0, 83.0).unwrap();
        assert_eq!(wide.centipawns(Score::from_raw(134)), 50);
        assert!(wide.chances(Score::from_raw(134)).win < 200);
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
