//! Untuned values for every weight, mostly by simple formulas. Tuning starts from them. All are in
//! units of [`Score`](skewer_types::Score).

use super::terms::{LIST, Term};

/// How much each piece counts towards the middlegame: pawn to king.
pub(super) const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// A middlegame and an endgame value.
pub type Weight = (i16, i16);

/// Material by piece: pawn to queen.
const MATERIAL: [Weight; 5] = [(90, 110), (325, 300), (335, 315), (490, 520), (960, 970)];

/// How far a file or rank is from the edge: 0 at the edge, 3 in the middle.
const fn edge_distance(line: i16) -> i16 {
    if line < 4 { line } else { 7 - line }
}

/// The piece-square value of a white piece on `file` and `rank` (0..=7).
const fn piece_square(piece: usize, file: i16, rank: i16) -> Weight {
    let (files, ranks) = (edge_distance(file), edge_distance(rank));
    let centre = files + ranks;
    let on_seventh = if rank == 6 { 1 } else { 0 };
    match piece {
        // Pawns gain by advancing, central pawns more; the last steps are worth most.
        0 => {
            let steps = rank - 1;
            (
                3 * (files - 1) * steps + 2 * steps + 20 * on_seventh,
                4 * steps * steps,
            )
        }
        1 => (8 * centre - 28, 7 * centre - 24),
        2 => (
            5 * centre - 12 - if rank == 0 { 10 } else { 0 },
            4 * centre - 12,
        ),
        3 => (
            4 * files - 4 + 16 * on_seventh,
            2 * rank - 4 + 6 * on_seventh,
        ),
        4 => (3 * centre - 8, 7 * centre - 22),
        // Kings: on the back rank and away from the centre in the middlegame, central in the endgame.
        _ => {
            let out = if rank < 3 { rank } else { 3 };
            let castled = if rank == 0 && (file >= 6 || file <= 2) {
                16
            } else {
                0
            };
            (castled - 24 * out - 8 * files, 11 * centre - 30)
        }
    }
}

/// The untuned value of weight `index` of `term`.
const fn plain_weight(term: Term, index: usize) -> Weight {
    let n = index as i16;
    match term {
        Term::Material => MATERIAL[index],
        Term::Squares => piece_square(index / 64, n % 8, n % 64 / 8),
        Term::BishopPair => (25, 45),
        Term::KnightMobility => (5 * n - 20, 5 * n - 20),
        Term::BishopMobility => (5 * n - 30, 5 * n - 30),
        Term::RookMobility => (3 * n - 18, 5 * n - 30),
        Term::QueenMobility => (2 * n - 24, 3 * n - 36),
        Term::IsolatedPawn => (-8 - 2 * n, -14),
        Term::DoubledPawn => (-8, -18),
        Term::BackwardPawn => (-8, -10),
        Term::Phalanx => (3 * n, 3 * n),
        Term::SupportedPawn => (8 + 2 * n, 4 + 2 * n),
        Term::PassedPawn => (n * n, 3 * n * n),
        Term::PassedBlocked => (-2 * n, -6 * n),
        Term::PassedFree => (2 * n, 8 * n),
        Term::PassedOwnKing => (0, 10 - 5 * n),
        Term::PassedEnemyKing => (0, 7 * n - 14),
        Term::RookOpenFile => (30, 10),
        Term::RookHalfOpenFile => (14, 8),
        Term::Outpost => (25 - 8 * n, 14 - 4 * n),
        Term::BishopPawns => (-4, -7),
        Term::KingShield => (12 * n - 20, 0),
        Term::KingFiles => (-16 - 12 * n, 0),
        Term::PawnStorm => {
            if n == 0 || n > 4 {
                (0, 0)
            } else {
                (6 * n - 26, 0)
            }
        }
        Term::KingZone => (6 + 2 * n, 0),
        Term::KingAttackers => (n * n * 4 - 4, 0),
        Term::SafeChecks => (25, 10),
        Term::PawnThreats => {
            if n == 0 {
                (4, 4)
            } else {
                (50, 35)
            }
        }
        Term::MinorThreats => (8 + 12 * n, 10 + 8 * n),
        Term::RookThreats => {
            if n == 3 {
                (4, 4)
            } else {
                (8 + 8 * n, 10 + 8 * n)
            }
        }
        Term::KingThreats => (10, 30),
        Term::Hanging => (15, 10),
        Term::PushThreats => (18, 12),
        Term::Tempo => (12, 8),
    }
}

/// The untuned value of every weight, in the order of [`Term`].
pub const PLAIN: [Weight; Term::WEIGHTS] = {
    let mut weights = [(0, 0); Term::WEIGHTS];
    let mut term = 0;
    while term < LIST.len() {
        let kind = LIST[term].0;
        let mut index = 0;
        while index < kind.len() {
            weights[kind.offset() + index] = plain_weight(kind, index);
            index += 1;
        }
        term += 1;
    }
    weights
};
