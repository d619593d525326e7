//! Converts scores to the chances of win, draw and loss, and to centipawns, of which 100 are an even
//! chance to win in the opening.
//!
//! The chance to win is a logistic curve of the score, and the chance to lose its mirror image;
//! the rest is draws. The less material is left, the more games end in a draw, and the greater is the score that
//! wins every other game, so each amount of material has a curve of its own. The parameters of the curves belong to an
//! evaluation; a network's file has its own.

use core::fmt;

use crate::Score;

/// The material of the first position of a game, in pawns: knights and bishops count 3, rooks 5 and queens 9, of both
/// sides. With more material the curve of a [`WinModel`] stays the same.
pub const FULL_MATERIAL: u32 = 78;

/// The least material, in pawns, with a curve of its own in a [`WinModel`]. So few games have less material that their
/// results say little.
const BARE: u32 = 12;

/// The material, in pawns, from which on 100 centipawns are an even chance to win. With less material a centipawn does not
/// change: if it followed the chances, centipawns of endgames would be half of Stockfish's. With this value they are nearest
/// to Stockfish's over all (`tools/dev/compare_scale.py`).
const OPENING: u32 = 70;

/// The logistic curves that map the scores of an evaluation to chances: one for each amount of material.
///
/// ```
/// use skewer_types::{Score, WinCurve, WinModel};
///
/// let curve = |even| WinCurve::new(even, 83.0).ok_or("out of range");
/// let model = WinModel::new(curve(100.0)?, curve(400.0)?);
/// assert_eq!(model.at(78).centipawns(Score::from_raw(100)), 100);
/// // The same score wins fewer games when less material is left.
/// assert_eq!(model.at(70).centipawns(Score::from_raw(100)), 91);
/// assert_eq!(model.at(70).chances_of_centipawns(100).win, 500);
/// // Below 70 pawns centipawns do not change, but their chances do.
/// assert_eq!(model.at(12).centipawns(Score::from_raw(100)), 91);
/// assert!(model.at(12).chances_of_centipawns(100).win < 100);
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct WinModel {
    full: WinCurve,
    bare: WinCurve,
}

impl WinModel {
    /// The model with these curves for the material of the starting position, 78 pawns, and for 12 pawns or less.
    pub const fn new(full: WinCurve, bare: WinCurve) -> Self {
        Self { full, bare }
    }

    /// The curve for positions with the material of the starting position.
    pub const fn full(self) -> WinCurve {
        self.full
    }

    /// The curve for positions with a material of 12 pawns or less.
    pub const fn bare(self) -> WinCurve {
        self.bare
    }

    /// The curve for positions with this material, in pawns: a pawn counts 1, a knight and a bishop 3, a rook 5, a
    /// queen 9, of both sides. Between 12 and 78 pawns, the reciprocals of [`WinCurve::even`] and [`WinCurve::spread`]
    /// change linearly with the material. 100 centipawns are an even chance to win from 70 pawns on; with less material
    /// they are the same score as at 70 pawns.
    pub fn at(self, material: u32) -> WinCurve {
        let between = |full: f64, bare: f64, material: u32| {
            let share = f64::from(material.clamp(BARE, FULL_MATERIAL) - BARE)
                / f64::from(FULL_MATERIAL - BARE);
            1.0 / (share / full + (1.0 - share) / bare)
        };
        WinCurve {
            even: between(self.full.even, self.bare.even, material),
            spread: between(self.full.spread, self.bare.spread, material),
            pawn: between(self.full.even, self.bare.even, material.max(OPENING)),
        }
    }
}

impl From<WinCurve> for WinModel {
    /// The model with the same curve for every material.
    fn from(curve: WinCurve) -> Self {
        Self::new(curve, curve)
    }
}

/// The logistic curve that maps scores to chances, and the score of 100 centipawns, in internal units.
///
/// ```
/// use skewer_types::{Score, WinCurve};
///
/// let curve = WinCurve::new(134.0, 83.0).ok_or("out of range")?;
/// assert_eq!(curve.centipawns(Score::from_raw(134)), 100);
/// assert_eq!(curve.chances(Score::from_raw(134)).win, 500);
/// assert_eq!(WinCurve::new(0.0, 83.0), None);
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WinCurve {
    even: f64,
    spread: f64,
    pawn: f64,
}

impl Default for WinCurve {
    /// A hundred centipawns at 134 units, spread over 83: for the hand-written evaluation, and for
    /// networks whose file has no model of their own.
    fn default() -> Self {
        Self {
            even: 134.0,
            spread: 83.0,
            pawn: 134.0,
        }
    }
}

impl WinCurve {
    /// The range of both parameters. A network's file keeps eighths of a unit in 16 bits.
    const RANGE: core::ops::RangeInclusive<f64> = 1.0..=8_000.0;

    /// The curve on which a score of `even` internal units wins every other game, and the odds of
    /// a win grow by a factor of e with every `spread` units more; `even` units are 100 centipawns. `None` unless both
    /// are from 1 to 8,000.
    pub fn new(even: f64, spread: f64) -> Option<Self> {
        (Self::RANGE.contains(&even) && Self::RANGE.contains(&spread)).then_some(Self {
            even,
            spread,
            pawn: even,
        })
    }

    /// The score that wins every other game, in internal units.
    pub const fn even(self) -> f64 {
        self.even
    }

    /// The score of 100 centipawns, in internal units: [`even`](Self::even), except on the curves of a [`WinModel`] for
    /// less material than 70 pawns.
    pub const fn pawn(self) -> f64 {
        self.pawn
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
        self.chances_of_units(f64::from(centipawns) * self.pawn / 100.0)
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
    /// use skewer_types::{Score, WinCurve};
    ///
    /// let curve = WinCurve::new(150.0, 83.0).ok_or("out of range")?;
    /// assert_eq!(curve.uci(Score::new(75)).to_string(), "cp 50");
    /// assert_eq!(curve.uci(Score::mated_in(4)).to_string(), "mate -2");
    /// # Ok::<(), &str>(())
    /// ```
    pub fn uci(self, score: Score) -> impl fmt::Display {
        fmt::from_fn(move |f| match score.mate_distance() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.centipawns(score)),
        })
    }

    /// A score other than a mate in centipawns, of which 100 are [`pawn`](Self::pawn) units. Wins and losses by endgame
    /// tables are beyond every evaluation, faster ones further from zero.
    ///
    /// ```
    /// use skewer_types::{Score, WinCurve};
    ///
    /// let curve = WinCurve::default();
    /// assert_eq!(curve.centipawns(Score::ZERO), 0);
    /// assert!(curve.centipawns(Score::tb_win_in(4)) > curve.centipawns(Score::MAX_EVAL));
    /// ```
    pub fn centipawns(self, score: Score) -> i32 {
        let distance = Score::TB_WIN.raw() - score.raw().abs();
        if score.is_win() {
            TABLE_WIN - distance
        } else if score.is_loss() {
            distance - TABLE_WIN
        } else {
            let units = f64::from(score.raw());
            ((units * 100.0 / self.pawn).round() as i32).clamp(-GREATEST, GREATEST)
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
/// use skewer_types::{Score, WinCurve};
///
/// let curve = WinCurve::default();
/// let level = curve.chances(Score::ZERO);
/// assert_eq!(level.win, level.loss);
/// assert_eq!(curve.chances(Score::mate_in(3)).win, 1000);
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
        WinCurve::default().chances(score)
    }

    fn centipawns(score: Score) -> i32 {
        WinCurve::default().centipawns(score)
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
        let curve = WinCurve::default();
        assert_eq!(curve.chances_of_centipawns(100).win, 500);
        let lost = centipawns(Score::tb_loss_in(3));
        assert_eq!(curve.chances_of_centipawns(lost).loss, 1000);
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        for (even, spread) in [
            (0.0, 83.0),
            (134.0, -1.0),
            (f64::NAN, 83.0),
            (134.0, f64::MAX),
        ] {
            assert_eq!(WinCurve::new(even, spread), None, "{even} {spread}");
        }
        let wide = WinCurve::new(268.0, 83.0).unwrap();
        assert_eq!(wide.centipawns(Score::from_raw(134)), 50);
        assert!(wide.chances(Score::from_raw(134)).win < 200);
    }

    #[test]
    fn each_material_has_a_curve_between_the_curves_of_full_and_bare_material() {
        let curve = |even, spread| WinCurve::new(even, spread).unwrap();
        let model = WinModel::new(curve(100.0, 90.0), curve(400.0, 60.0));
        assert_eq!(model.at(78), model.full());
        assert_eq!(model.at(200), model.full());
        let bare = model.at(12);
        assert_eq!((bare.even(), bare.spread()), (400.0, 60.0));
        assert_eq!(model.at(0), bare);
        for material in 12..78 {
            let (less, more) = (model.at(material), model.at(material + 1));
            assert!(less.even() > more.even() && less.spread() < more.spread());
        }
        let same = WinModel::from(curve(100.0, 90.0));
        assert!((same.at(40).even() - 100.0).abs() < 1e-9);
    }

    /// From 70 pawns of material on, 100 centipawns are an even chance to win. With less material the same score has the
    /// same centipawns, but chances of its own.
    #[test]
    fn centipawns_are_an_even_chance_in_the_opening_and_do_not_change_later() {
        let curve = |even| WinCurve::new(even, 80.0).unwrap();
        let model = WinModel::new(curve(100.0), curve(400.0));
        for material in 70..=78 {
            let win = model.at(material).chances_of_centipawns(100).win;
            assert_eq!(win, 500, "{material}");
        }
        let score = Score::new(110);
        assert_eq!(model.at(78).centipawns(score), 110);
        assert_eq!(model.at(70).centipawns(score), 100);
        for material in 0..70 {
            let later = model.at(material);
            assert_eq!(later.centipawns(score), 100, "{material}");
            assert!(later.chances(score).win < 500, "{material}");
            let win = later.chances_of_centipawns(100).win;
            assert!(win.abs_diff(later.chances(score).win) <= 1, "{material}");
        }
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
