//! Breaks an evaluation down into its terms, for display and for tuning.

use core::fmt;

use skewer_movegen::{Board, Color, Piece};

use super::count::{Sink, count};
use super::terms::Term;
use super::weights::WEIGHTS;
use super::{phase, scale};
use crate::Tapered;

/// How often each weight counts in a position, White's counts less Black's, and how the counts
/// become a score. The score is linear in the weights, except for rounding and for positions in which the whole score
/// is scaled: drawish positions down (for example opposite-coloured bishops), and bishop and knight against king up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// Weights, each with its count for White less its count for Black. Weights that count for
    /// neither side are left out.
    pub counts: Vec<(u16, i16)>,
    /// How much of the middlegame is left, 0 to 24.
    pub phase: i32,
    /// The factor by which the whole score is scaled, in 64ths, when White is ahead and when Black is.
    pub scale: [i32; 2],
}

/// A sink that stores the counts, by weight.
struct Counts(Vec<i16>);

impl Sink for Counts {
    fn add(&mut self, term: Term, index: usize, count: i32) {
        self.0[term.offset() + index] += count as i16;
    }
}

/// Both sides' counts of every weight, White's first.
fn counts(board: &Board) -> [Counts; 2] {
    let mut sides = [
        Counts(vec![0; Term::WEIGHTS]),
        Counts(vec![0; Term::WEIGHTS]),
    ];
    count(board, &mut sides);
    for color in Color::ALL {
        let Counts(side) = &mut sides[color.index()];
        for piece in Piece::ALL {
            for square in board.colored(color, piece) {
                let square = piece.index() * 64 + square.relative_to(color).index();
                side[Term::Squares.offset() + square] += 1;
                if piece != Piece::King {
                    side[Term::Material.offset() + piece.index()] += 1;
                }
            }
        }
    }
    sides[board.turn().index()].0[Term::Tempo.offset()] += 1;
    sides
}

impl Trace {
    /// Counts the terms of a position.
    pub fn of(board: &Board) -> Self {
        let [white, black] = counts(board);
        let differences = white
            .0
            .iter()
            .zip(&black.0)
            .map(|(white, black)| white - black);
        Self {
            counts: differences
                .enumerate()
                .filter(|&(_, count)| count != 0)
                .map(|(at, count)| (at as u16, count))
                .collect(),
            phase: phase(board),
            scale: Color::ALL.map(|side| scale::scale(board, side)),
        }
    }
}

/// An evaluation broken down into its terms, to be printed.
///
/// ```
/// use skewer_eval::HandWritten;
/// use skewer_movegen::Board;
///
/// let text = HandWritten::explain(&Board::STARTPOS).to_string();
/// assert!(text.contains("knight mobility") && text.contains("total"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breakdown {
    /// Each term's value for White and for Black.
    pub terms: Vec<(Term, [Tapered; 2])>,
    /// How much of the middlegame is left, 0 to 24.
    pub phase: i32,
    /// The factor by which the whole score is scaled, in 64ths.
    pub scale: i32,
    /// The score, positive when White is better, in units of `Score`.
    pub total: i32,
}

impl Breakdown {
    pub(super) fn of(board: &Board) -> Self {
        let sides = counts(board);
        let value = |side: &Counts, term: Term| {
            (term.offset()..term.offset() + term.len()).fold(Tapered::ZERO, |sum, at| {
                let (middlegame, endgame) = WEIGHTS[at];
                sum + Tapered::new(middlegame.into(), endgame.into()) * i32::from(side.0[at])
            })
        };
        let terms: Vec<_> = Term::all()
            .map(|term| (term, [0, 1].map(|side| value(&sides[side], term))))
            .collect();
        let sum = terms
            .iter()
            .fold(Tapered::ZERO, |sum, (_, [white, black])| {
                sum + *white - *black
            });
        let phase = phase(board);
        let score = sum.blend(phase);
        let stronger = Color::ALL[usize::from(score < 0)];
        let scale = scale::scale(board, stronger);
        Self {
            terms,
            phase,
            scale,
            total: score * scale / scale::FULL,
        }
    }
}

impl fmt::Display for Breakdown {
    /// A table with a line for each term, in units of `Score`: the middlegame and endgame values of
    /// each side, and the difference of the sides at this phase.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<26}{:^15}{:^15}{:>8}", "", "White", "Black", "")?;
        writeln!(
            f,
            "{:<26}{:>7}{:>8}{:>7}{:>8}{:>8}",
            "term", "middle", "end", "middle", "end", "now"
        )?;
        for (term, [white, black]) in &self.terms {
            if *white == Tapered::ZERO && *black == Tapered::ZERO {
                continue;
            }
            writeln!(
                f,
                "{:<26}{:>7}{:>8}{:>7}{:>8}{:>+8}",
                term.name(),
                white.middlegame(),
                white.endgame(),
                black.middlegame(),
                black.endgame(),
                (*white - *black).blend(self.phase),
            )?;
        }
        writeln!(f, "phase: {} of {}", self.phase, Tapered::FULL_PHASE)?;
        if self.scale != scale::FULL {
            writeln!(f, "scaled: score times {}/{}", self.scale, scale::FULL)?;
        }
        write!(f, "total, for White: {:+}", self.total)
    }
}
