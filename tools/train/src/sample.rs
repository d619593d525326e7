//! A position as the trainer stores it in memory: 32 bytes, from the point of view of the side to move.

use rayon::prelude::*;
use skewer_eval::network::{EnPrise, KING_BUCKETS, View};
use skewer_movegen::{Bitboard, Board, Color, Piece, Setup, Strictness};

/// A position to learn from. The side to move is always "us" and plays up the board, so black's
/// positions are turned upside down when they are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// Occupied squares; A1 is the lowest bit.
    occupied: u64,
    /// For each occupied square in order, four bits: 8 for a piece of the opponent, plus the kind of piece.
    pieces: u128,
    /// The search's score for us, in units of `Score`.
    score: i16,
    /// Twice our points in the game: 0, 1 or 2.
    half_points: u8,
    /// The index of our [`View`] in a network with king buckets, and four bits higher the index of the opponent's
    /// view.
    views: u8,
    /// A score for us from the rest of the game, in units of `Score`: see [`crate::labels`].
    future: i16,
}

/// The most pieces that a position can have and still be packed.
pub const MAX_PIECES: usize = 32;

impl Sample {
    /// Packs `board` with the score (units of `Score`) and the points (0, 0.5, 1) of its side to
    /// move; [`future`](Self::future) is the same as the score. `None` if it has more than 32 pieces.
    pub fn new(board: &Board, score: i16, points: f32) -> Option<Self> {
        let us = board.turn();
        let mut by_square = [0u8; 64];
        let mut occupied = 0u64;
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in board.colored(color, piece) {
                    let index = square.index() ^ us.fold(0, 0x38);
                    by_square[index] = piece.index() as u8 | if color == us { 0 } else { 8 };
                    occupied |= 1 << index;
                }
            }
        }
        if occupied.count_ones() as usize > MAX_PIECES {
            return None;
        }
        let mut pieces = 0u128;
        for (at, square) in Bitboard(occupied).into_iter().enumerate() {
            pieces |= u128::from(by_square[square.index()]) << (4 * at);
        }
        let view =
            |color: Color| View::of_king(board.king(color), color, KING_BUCKETS).index() as u8;
        Some(Self {
            occupied,
            pieces,
            score,
            half_points: (points * 2.0).round().clamp(0.0, 2.0) as u8,
            views: view(us) | view(!us) << 4,
            future: score,
        })
    }

    /// The same sample with another [`future`](Self::future).
    #[must_use]
    pub fn with_future(self, future: i16) -> Self {
        Self { future, ..self }
    }

    /// Bytes of a sample on disk.
    pub const BYTES: usize = 32;

    /// The bytes of the sample.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&self.occupied.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.pieces.to_le_bytes());
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26..28].copy_from_slice(&self.future.to_le_bytes());
        bytes[28] = self.half_points;
        bytes[29] = self.views;
        bytes
    }

    /// The sample with these bytes; `None` if they are not valid.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Option<Self> {
        let (occupied, rest) = bytes.split_first_chunk()?;
        let (pieces, rest) = rest.split_first_chunk()?;
        let occupied = u64::from_le_bytes(*occupied);
        let pieces = u128::from_le_bytes(*pieces);
        let [
            score,
            more_score,
            future,
            more_future,
            half_points,
            views,
            0,
            0,
        ] = *rest
        else {
            return None;
        };
        // Kinds of pieces are at most 5 (binary 101), so both upper bits together are invalid.
        let upper_bits = (pieces >> 2) & (pieces >> 1) & (u128::MAX / 15);
        let sound = upper_bits == 0
            && occupied.count_ones() as usize <= MAX_PIECES
            && half_points <= 2
            && usize::from(views & 15).max(usize::from(views >> 4)) < 2 * KING_BUCKETS;
        sound.then_some(Self {
            occupied,
            pieces,
            score: i16::from_le_bytes([score, more_score]),
            half_points,
            views,
            future: i16::from_le_bytes([future, more_future]),
        })
    }

    /// The position with us as White, without castling rights, en passant square and clocks, which
    /// networks do not see. `None` if the position is not valid.
    pub fn board(&self) -> Option<Board> {
        let mut setup = Setup::empty();
        let mut pieces = self.pieces;
        for square in Bitboard(self.occupied) {
            let color = Color::ALL[(pieces >> 3 & 1) as usize];
            let piece = Piece::from_index((pieces & 7) as usize)?;
            setup.set_piece(square, Some((color, piece)));
            pieces >>= 4;
        }
        setup.build(Strictness::Relaxed).ok()
    }

    /// How many pieces are on the board, kings included.
    #[inline]
    pub fn pieces(&self) -> usize {
        self.occupied.count_ones() as usize
    }

    /// A hash of the whole sample.
    pub fn hash(&self) -> u64 {
        let mut hash = self.occupied;
        for part in [
            self.pieces as u64,
            (self.pieces >> 64) as u64,
            self.score as u64,
        ] {
            hash = hash.rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ part;
        }
        hash ^ u64::from(self.half_points) << 48 ^ u64::from(self.future as u16) << 24
    }

    /// The search's score for the side to move, in units of `Score`.
    #[inline]
    pub fn score(&self) -> i16 {
        self.score
    }

    /// A score from the later scores and the result of the game, for the side to move, in units of
    /// `Score`: see [`crate::labels`].
    #[inline]
    pub fn future(&self) -> i16 {
        self.future
    }

    /// The points of the side to move in the game: 0, 0.5 or 1.
    #[inline]
    pub fn points(&self) -> f32 {
        f32::from(self.half_points) * 0.5
    }

    /// Our king bucket and the opponent's.
    #[inline]
    pub fn king_buckets(&self) -> (usize, usize) {
        (
            usize::from(self.views >> 1 & 7),
            usize::from(self.views >> 5),
        )
    }

    /// The squares of the pieces that are en prise, in the order of [`inputs`](Self::inputs): we play up the board.
    pub fn en_prise(&self) -> Bitboard {
        let mut sets = [[Bitboard::EMPTY; 6]; 2];
        let mut pieces = self.pieces;
        for square in Bitboard(self.occupied) {
            // Kinds are at most 5: see `from_bytes`.
            let kind = (pieces & 7) as usize % 6;
            sets[(pieces >> 3 & 1) as usize][kind] |= square.bitboard();
            pieces >>= 4;
        }
        EnPrise::among(&sets).squares()
    }

    /// Calls `each` with every piece's square, and its input index from our point of view and from theirs, in the
    /// numbering of [`View::input`] in a network without king buckets.
    #[inline(always)]
    pub fn inputs(&self, mut each: impl FnMut(u16, u16, u16)) {
        let flip_ours = if self.views & 1 != 0 { 7 } else { 0 };
        let flip_theirs = 0x38 ^ if self.views & 16 != 0 { 7 } else { 0 };
        let mut rest = self.occupied;
        let (mut pieces, mut high) = (self.pieces as u64, (self.pieces >> 64) as u64);
        let mut left = 16;
        while rest != 0 {
            let square = rest.trailing_zeros() as u16;
            let theirs = if pieces & 8 == 0 { 0 } else { 384 };
            let piece = (pieces & 7) as u16 * 64;
            each(
                square,
                theirs + piece + (square ^ flip_ours),
                (384 - theirs) + piece + (square ^ flip_theirs),
            );
            rest &= rest - 1;
            pieces >>= 4;
            left -= 1;
            if left == 0 {
                pieces = high;
                high = 0;
            }
        }
    }
}

/// How the training target of a position is computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Goal {
    /// The share of the game's result in the target; the rest is scores.
    pub wdl: f32,
    /// The share of [`Sample::future`] in the rest; what is left is the search's score.
    pub future: f32,
    /// Converts scores to expected points, `sigmoid(score / stretch)`, in units of `Score`: the scores of
    /// the data and of the network, so that both have the same meaning.
    pub stretch: f32,
    /// The loss is the error to this power: above 2, large errors count for more.
    pub power: f32,
}

impl Goal {
    /// The expected points to learn.
    #[inline]
    pub fn target(self, sample: &Sample) -> f32 {
        let expected = |score: i16| sigmoid(f32::from(score) / self.stretch);
        let mut scores = expected(sample.score());
        if self.future > 0.0 {
            scores += self.future * (expected(sample.future()) - scores);
        }
        self.wdl * sample.points() + (1.0 - self.wdl) * scores
    }

    /// The slope of the loss at an error (points less target).
    #[inline]
    pub fn slope(self, error: f32) -> f32 {
        // Most trainings use the square; `powf` is slow.
        let rest = self.power - 2.0;
        let factor = if rest.abs() < 1e-6 {
            1.0
        } else {
            error.abs().max(1e-9).powf(rest)
        };
        self.power * factor * error
    }

    /// The expected points of an output of the network, whose unit is `SCALE` units of `Score`.
    #[inline]
    pub fn points(self, output: f32) -> f32 {
        sigmoid(output * self.gain())
    }

    /// The factor of an output before the logistic function.
    #[inline]
    pub fn gain(self) -> f32 {
        skewer_eval::network::SCALE as f32 / self.stretch
    }
}

/// The stretch with which `sigmoid(score / stretch)` predicts points best, from 20 to 1000 units of
/// `Score`; 1000 if points do not depend on scores.
pub fn stretch_of(scores: &[(f32, f32)]) -> f32 {
    let loss = |inverse: f32| -> f64 {
        scores
            .par_chunks(1 << 14)
            .map(|part| {
                part.iter()
                    .map(|&(score, points)| cross_entropy(sigmoid(score * inverse), points))
                    .sum::<f64>()
            })
            .collect::<Vec<_>>()
            .iter()
            .sum()
    };
    // The loss has one minimum in the inverse: ternary search.
    let (mut low, mut high) = (0.001f32, 0.05f32);
    for _ in 0..30 {
        let third = (high - low) / 3.0;
        if loss(low + third) <= loss(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    2.0 / (low + high)
}

/// The cross-entropy of expected and actual points, in nats.
pub(crate) fn cross_entropy(expected: f32, points: f32) -> f64 {
    let expected = f64::from(expected).clamp(1e-7, 1.0 - 1e-7);
    let points = f64::from(points);
    -(points * expected.ln() + (1.0 - points) * (1.0 - expected).ln())
}

/// The expected points of an output: the logistic function.
#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use skewer_eval::Feature;
    use skewer_eval::network::View;

    #[test]
    fn a_sample_is_half_a_cache_line() {
        assert_eq!(size_of::<Sample>(), 32);
    }

    #[test]
    fn inputs_agree_with_the_engine() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/2k5/3p4/8/8/6K1/4Q3/8 b - - 0 1",
            "8/2k5/3p4/8/8/6K1/4Q3/8 w - - 0 1",
        ] {
            let board = Board::from_fen(fen).unwrap();
            let mut packed = Vec::new();
            Sample::new(&board, 0, 0.5)
                .unwrap()
                .inputs(|_, ours, theirs| packed.push((usize::from(ours), usize::from(theirs))));
            let (us, them) = (board.turn(), !board.turn());
            let view = |color, buckets| View::of_king(board.king(color), color, buckets);
            let mut expected = Vec::new();
            for color in Color::ALL {
                for piece in Piece::ALL {
                    for square in board.colored(color, piece) {
                        let feature = Feature::new(color, piece, square.index());
                        expected.push((
                            view(us, 1).input(feature, us),
                            view(them, 1).input(feature, them),
                        ));
                    }
                }
            }
            let en_prise = EnPrise::of(&board).squares();
            let seen = if us == Color::White {
                en_prise
            } else {
                Bitboard(en_prise.0.swap_bytes())
            };
            let sample = Sample::new(&board, 0, 0.5).unwrap();
            assert_eq!(sample.en_prise(), seen, "{fen}");
            packed.sort_unstable();
            expected.sort_unstable();
            assert_eq!(packed, expected, "{fen}");
            let bucket = |color| view(color, KING_BUCKETS).king_bucket();
            let sample = Sample::new(&board, 0, 0.5).unwrap();
            assert_eq!(sample.king_buckets(), (bucket(us), bucket(them)), "{fen}");
        }
    }

    #[test]
    fn samples_round_trip_and_invalid_ones_are_refused() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1";
        let board = Board::from_fen(fen).unwrap();
        let sample = Sample::new(&board, -321, 0.5).unwrap().with_future(123);
        assert_eq!(Sample::from_bytes(&sample.to_bytes()), Some(sample));
        for (at, byte) in [(8, 0x76), (28, 3), (29, 12), (30, 1)] {
            let mut bytes = sample.to_bytes();
            bytes[at] = byte;
            assert_eq!(Sample::from_bytes(&bytes), None, "byte {at}");
        }
        // From the side to move, the sample is the same except for the labels from the game.
        let seen = sample.board().unwrap();
        assert_eq!(seen.turn(), Color::White);
        assert_eq!(
            Sample::new(&seen, -321, 0.5).unwrap().with_future(123),
            sample
        );
    }

    #[test]
    fn targets_mix_result_and_score() {
        let board = Board::STARTPOS;
        let sample = Sample::new(&board, 400, 0.0).unwrap();
        let goal = |wdl, stretch| Goal {
            wdl,
            stretch,
            future: 0.0,
            power: 2.0,
        };
        let target = |wdl, stretch| goal(wdl, stretch).target(&sample);
        assert!((target(1.0, 400.0) - 0.0).abs() < 1e-6);
        assert!((target(0.0, 400.0) - 0.731_058_6).abs() < 1e-5);
        assert!((target(0.5, 400.0) - 0.365_529_3).abs() < 1e-5);
        assert!((target(0.0, 200.0) - 0.880_797_1).abs() < 1e-5);
        let sample = sample.with_future(-400);
        let half = Goal {
            future: 0.5,
            ..goal(0.0, 400.0)
        };
        assert!((half.target(&sample) - 0.5).abs() < 1e-6);
    }

    #[test]
    fn the_slope_agrees_with_differences_of_the_loss() {
        for power in [1.5f32, 2.0, 2.5] {
            let goal = Goal {
                wdl: 0.0,
                future: 0.0,
                stretch: 400.0,
                power,
            };
            let loss = |error: f32| error.abs().powf(power);
            for error in [-0.4f32, -0.05, 0.1, 0.6] {
                let measured = (loss(error + 1e-3) - loss(error - 1e-3)) / 2e-3;
                assert!(
                    (goal.slope(error) - measured).abs() < 1e-2,
                    "{power} {error}"
                );
            }
            assert!(goal.slope(0.0).abs() < 1e-6);
        }
    }

    #[test]
    fn the_stretch_of_scores_is_found() {
        let scores: Vec<(f32, f32)> = (-300..300)
            .map(|score| (score as f32, sigmoid(score as f32 / 170.0)))
            .collect();
        let found = stretch_of(&scores);
        assert!((found - 170.0).abs() < 1.0, "{found}");
    }
}
