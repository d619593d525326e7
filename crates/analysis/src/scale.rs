//! Converts centipawns of Skewer to centipawns of lichess, for which lichess's formulas are made.

mod curve;

use skewer_types::{WinCurve, WinModel};

use crate::formulas::Eval;
use crate::params::ENGINE_CURVE;
use curve::POINTS;

/// The length of a mate that no search has found, in moves. Any length would do, because lichess's formulas treat all
/// mates alike.
const FAR_MATE: i32 = 99;

/// The engine in whose centipawns an evaluation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Skewer's centipawns.
    Skewer,
    /// The centipawns of lichess, which are Stockfish's. Scores of other engines are taken for lichess's centipawns.
    Lichess,
}

impl Scale {
    /// An evaluation as lichess's formulas expect it. Between the points of the fit the curve is straight. From the
    /// last point on, an evaluation counts as a mate, because lichess's longer searches see a mate in most such
    /// positions; mates stay what they are.
    pub fn to_lichess(self, eval: Eval) -> Eval {
        let (Self::Skewer, Eval::Cp(cp)) = (self, eval) else {
            return eval;
        };
        match on_curve(f64::from(cp).abs()) {
            Some(size) => Eval::Cp(cp.signum() * size.round() as i32),
            None => Eval::Mate(cp.signum() * FAR_MATE),
        }
    }

    /// The points of the curve as (own, lichess's) centipawns from zero up; none if the scale is lichess's.
    pub fn points(self) -> Vec<[f64; 2]> {
        match self {
            Self::Skewer => POINTS.to_vec(),
            Self::Lichess => Vec::new(),
        }
    }
}

/// lichess's centipawns for centipawns of this engine that are not negative; `None` from the last point on.
fn on_curve(own: f64) -> Option<f64> {
    let upper = POINTS.iter().position(|&[point, _]| own < point)?;
    let ([x0, y0], [x1, y1]) = (POINTS[upper - 1], POINTS[upper]);
    Some(y0 + (y1 - y0) * (own - x0) / (x1 - x0))
}

/// Converts the scores of other engines, and evaluations that stand in a file of games.
pub(crate) fn given_curve() -> WinCurve {
    let (even, spread) = ENGINE_CURVE;
    WinCurve::new(even, spread).unwrap_or_default()
}

/// How scores of an engine are converted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Units {
    /// Converts scores to centipawns and to chances.
    pub model: WinModel,
    /// The engine in whose centipawns the scores are.
    pub scale: Scale,
}

#[cfg(test)]
mod tests {
    use skewer_movegen::Color;

    use super::*;
    use crate::formulas::{Label, label};

    /// The curve is the same for both sides, never falls, keeps zero, and changes nothing but this engine's
    /// centipawns.
    #[test]
    fn evaluations_keep_their_side_and_their_order() {
        let own = |cp| Scale::Skewer.to_lichess(Eval::Cp(cp)).clamped();
        assert_eq!(own(0), 0);
        for cp in 1..3000 {
            assert!(own(cp) >= own(cp - 1), "{cp}");
            assert_eq!(own(-cp), -own(cp), "{cp}");
        }
        for [point, lichess] in &POINTS[..POINTS.len() - 1] {
            assert_eq!(own(*point as i32), *lichess as i32);
        }
        assert_eq!(Scale::Skewer.to_lichess(Eval::Mate(-3)), Eval::Mate(-3));
        assert_eq!(Scale::Lichess.to_lichess(Eval::Cp(123)), Eval::Cp(123));
        assert_eq!(Scale::Lichess.to_lichess(Eval::Cp(9000)), Eval::Cp(9000));
    }

    /// Where lichess mostly sees a mate, a move that lets it go, or gets into it, has lichess's label for that.
    #[test]
    fn from_the_last_point_on_an_evaluation_counts_as_a_mate() {
        let last = POINTS[POINTS.len() - 1][0] as i32;
        let rated = |cp| Scale::Skewer.to_lichess(Eval::Cp(cp));
        assert!(matches!(rated(last - 1), Eval::Cp(_)));
        assert_eq!(rated(last), Eval::Mate(FAR_MATE));
        assert_eq!(rated(-last), Eval::Mate(-FAR_MATE));
        // Extreme evaluations do not overflow.
        assert_eq!(rated(i32::MAX), Eval::Mate(FAR_MATE));
        let allowed = label(rated(-1900), rated(-last), Color::White);
        assert_eq!(allowed, Some(Label::Mistake));
        assert_eq!(label(rated(-last), rated(-last - 900), Color::White), None);
        assert_eq!(label(rated(last + 900), rated(last), Color::White), None);
        assert!(label(rated(last), rated(900), Color::White).is_some());
    }
}
