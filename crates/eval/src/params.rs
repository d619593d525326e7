//! The numbers of the hand-written evaluation: plain material values and simple shapes.
//! All in units of [`Score`](skewer_types::Score); the squares are made by formula below.

use crate::Tapered;

/// Material by piece: pawn, knight, bishop, rook, queen, king (which is never off the board).
const MATERIAL: [(i32, i32); 6] = [
    (90, 110),
    (325, 300),
    (335, 315),
    (490, 520),
    (960, 970),
    (0, 0),
];

/// What having two bishops or more is worth.
pub(crate) const BISHOP_PAIR: Tapered = Tapered::new(25, 45);

/// What having the move is worth.
pub(crate) const TEMPO: i32 = 12;

/// How much each piece counts towards the middlegame: pawn to king.
pub(crate) const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// How far a file or rank is from the edge: 0 at the edge, 3 in the middle.
const fn inwards(line: i32) -> i32 {
    if line < 4 { line } else { 7 - line }
}

/// The worth of a white piece beyond its material on `file` and `rank` (0..=7).
const fn shape(piece: usize, file: i32, rank: i32) -> (i32, i32) {
    let (files, ranks) = (inwards(file), inwards(rank));
    let centre = files + ranks;
    let on_seventh = if rank == 6 { 1 } else { 0 };
    match piece {
        // Pawns: forward, in the middle first; ever more as the queen comes near.
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
        // Kings: at home and away from the middle until the pieces are gone.
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

/// Material and place of every feature (white's features positive, black's negative).
pub(crate) static PIECE_SQUARE: [Tapered; 768] = {
    let mut table = [Tapered::ZERO; 768];
    let mut feature = 0;
    while feature < 384 {
        let (piece, square) = (feature / 64, feature % 64);
        let (mg, eg) = shape(piece, square as i32 % 8, square as i32 / 8);
        let (mg, eg) = (mg + MATERIAL[piece].0, eg + MATERIAL[piece].1);
        table[feature] = Tapered::new(mg, eg);
        table[384 + (feature ^ 0x38)] = Tapered::new(-mg, -eg);
        feature += 1;
    }
    table
};
