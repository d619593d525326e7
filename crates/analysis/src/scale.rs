//! The scale of evaluations: lichess's formulas are made for the centipawns of lichess, and the centipawns of
//! this engine differ from them.

mod curve;

use skewer_types::WinModel;

use crate::formulas::Eval;
use curve::POINTS;

/// Whose centipawns an evaluation has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// The centipawns of this engine.
    Skewer,
    /// The centipawns of lichess and of the Stockfish that it uses; scores of other engines are taken for such.
    Lichess,
}

impl Scale {
    /// An evaluation as lichess's formulas expect it. Between the points of the fit the curve is straight, and beyond
    /// the last its slope stays; mates stay what they are.
    pub fn to_lichess(self, eval: Eval) -> Eval {
        match (self, eval) {
            (Self::Skewer, Eval::Cp(cp)) => {
                let size = on_curve(f64::from(cp).abs());
                Eval::Cp(cp.signum() * size.round() as i32)
            }
            _ => eval,
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

/// lichess's centipawns for centipawns of this engine that are not negative.
fn on_curve(own: f64) -> f64 {
    let above = POINTS.iter().position(|&[point, _]| own < point);
    let upper = above.unwrap_or(POINTS.len() - 1);
    let ([x0, y0], [x1, y1]) = (POINTS[upper - 1], POINTS[upper]);
    y0 + (y1 - y0) * (own - x0) / (x1 - x0)
}

/// How the scores of an engine are read.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Units {
    /// Converts scores to centipawns and to chances.
    pub model: WinModel,
    /// Whose centipawns these are.
    pub scale: Scale,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The curve is the same for both sides, never falls, keeps zero, and changes nothing but this engine's
    /// centipawns.
    #[test]
    fn evaluations_keep_their_side_and_their_order() {
        let own = |cp| match Scale::Skewer.to_lichess(Eval::Cp(cp)) {
            Eval::Cp(cp) => cp,
            other => panic!("{other:?}"),
        };
        assert_eq!(own(0), 0);
        for cp in 1..3000 {
            assert!(own(cp) >= own(cp - 1), "{cp}");
            assert_eq!(own(-cp), -own(cp), "{cp}");
        }
        for [point, lichess] in POINTS {
            assert_eq!(own(point as i32), lichess as i32);
        }
        assert_eq!(Scale::Skewer.to_lichess(Eval::Mate(-3)), Eval::Mate(-3));
        assert_eq!(Scale::Lichess.to_lichess(Eval::Cp(123)), Eval::Cp(123));
        // Extreme evaluations do not overflow.
        assert!(own(20_000) > own(1000));
    }
}
