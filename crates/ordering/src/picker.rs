//! The staged move picker: the moves of a node, the most promising first, generated no sooner
//! than they are needed.
//!
//! The stages are: the hash move; good captures, by victim and history; killers and the
//! counter-move; quiet moves, by history and by the change of the piece-square score; the other captures. Moves are
//! picked by selection and not sorted, because most nodes that fail high do so after one or two moves.
//!
//! A capture is good if its exchange wins at least `-score / good_capture_slope` hundredths of a
//! pawn. So a capture with a high score may lose some material, and a capture with a negative score
//! has to win some. Promotions count as captures; to a lesser piece they are never good. Without
//! `Techniques::SEE_ORDERING` all captures are good.

use arrayvec::ArrayVec;
use skewer_movegen::{Bitboard, Board, MAX_MOVES, Move, MoveSet, Piece};
use skewer_types::{TechniqueSet, Techniques};

use crate::quiets::{Guide, QuietScorer};
use crate::{params, see};

/// The stage at which a picker goes on; after the hash move this is `GenerateCaptures`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The hash table's move.
    Hash,
    /// Captures are about to be generated.
    GenerateCaptures,
    /// Captures whose exchange is good enough for their score.
    GoodCaptures,
    /// Killers and the counter-move.
    Refutations,
    /// Quiet moves are about to be generated.
    GenerateQuiets,
    /// Quiet moves.
    Quiets,
    /// The captures that were not good enough.
    BadCaptures,
    /// Nothing is left.
    Done,
}

/// Whether a move is a capture or a promotion.
#[inline]
pub fn is_tactical(board: &Board, mv: Move) -> bool {
    board.is_capture(mv) || mv.is_promotion()
}

/// Which moves a picker gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// All legal moves.
    All,
    /// Captures and promotions.
    Captures,
    /// Captures and promotions that win at least this many hundredths of a pawn.
    Winning(i32),
}

/// The greatest number of sets of quiet moves: one for each of sixteen pieces, two of pawns, and one of castling to
/// each side.
const MAX_SETS: usize = 20;

/// A move, its score and its index in one integer, so that the greatest integer is the move to take:
/// the score in the upper half, then the distance from the end of the list (so that the first of
/// equals wins), then the move. The maximum of many integers needs no branch.
#[derive(Debug, Clone, Copy)]
struct Scored(i64);

impl Scored {
    /// `place` is the move's index in the list, below [`MAX_MOVES`].
    #[inline]
    fn new(score: i32, place: usize, mv: Move) -> Self {
        let rest = (MAX_MOVES - 1 - place) as i64;
        Self(i64::from(score) << 32 | rest << 16 | i64::from(mv.bits()))
    }

    #[inline]
    fn score(self) -> i32 {
        (self.0 >> 32) as i32
    }

    #[inline]
    fn place(self) -> usize {
        MAX_MOVES - 1 - (self.0 >> 16 & 0xffff) as usize
    }

    #[inline]
    fn mv(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    /// The same move and score at another place.
    #[inline]
    fn moved_to(self, place: usize) -> Self {
        let rest = (MAX_MOVES - 1 - place) as i64;
        Self(self.0 & !0xffff_0000 | rest << 16)
    }
}

/// Gives the moves of one node, one after another.
///
/// The picker holds no reference to the board or the histories; they are handed in at each call,
/// so that the search may change them in between.
#[derive(Debug, Clone)]
pub struct MovePicker {
    stage: Stage,
    wanted: Wanted,
    hash_move: Option<Move>,
    refutations: [Option<Move>; 3],
    next_refutation: usize,
    skip_quiets: bool,
    /// Captures that are not good gather in `0..bad`; the moves being picked are at `cursor..`.
    moves: ArrayVec<Scored, MAX_MOVES>,
    bad: usize,
    cursor: usize,
}

impl MovePicker {
    fn with(wanted: Wanted, hash_move: Option<Move>) -> Self {
        Self {
            stage: if hash_move.is_some() {
                Stage::Hash
            } else {
                Stage::GenerateCaptures
            },
            wanted,
            hash_move,
            refutations: [None; 3],
            next_refutation: 0,
            skip_quiets: false,
            moves: ArrayVec::new_const(),
            bad: 0,
            cursor: 0,
        }
    }

    /// All legal moves. `hash_move` must be legal; the killers and the counter-move are checked
    /// when their turn comes.
    #[inline]
    pub fn new(hash_move: Option<Move>, killers: [Option<Move>; 2], counter: Option<Move>) -> Self {
        let mut picker = Self::with(Wanted::All, hash_move);
        picker.refutations = [killers[0], killers[1], counter];
        picker
    }

    /// Captures and promotions only, and the hash move, which must be legal but may be quiet.
    #[inline]
    pub fn captures(hash_move: Option<Move>) -> Self {
        Self::with(Wanted::Captures, hash_move)
    }

    /// Captures and promotions to a queen that win at least `threshold` hundredths of a pawn by
    /// exchange. The hash move, which must be legal, is given first if it is a capture or promotion that wins
    /// as much.
    #[inline]
    pub fn winning(hash_move: Option<Move>, threshold: i32) -> Self {
        Self::with(Wanted::Winning(threshold), hash_move)
    }

    /// Gives no more quiet moves from here on.
    #[inline]
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The stage at which the picker goes on.
    #[inline]
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The next move, or `None` when there is none left. `quiet_delta` is the change of the
    /// piece-square score that a quiet move of a piece brings its side, in score units.
    #[inline]
    pub fn next(
        &mut self,
        set: impl TechniqueSet,
        board: &Board,
        guide: Guide<'_>,
        quiet_delta: impl Fn(Piece, Move) -> i32,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Hash => {
                    self.stage = Stage::GenerateCaptures;
                    if let Some(mv) = self.hash_move.filter(|&mv| self.wants(board, mv)) {
                        return Some(mv);
                    }
                    self.hash_move = None;
                }
                Stage::GenerateCaptures => {
                    self.generate_captures(set, board, guide);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => {
                    if let Some(mv) = self.next_good_capture(set, board, guide) {
                        return Some(mv);
                    }
                    self.stage = match self.wanted {
                        Wanted::All => Stage::Refutations,
                        Wanted::Captures => self.start_bad_captures(),
                        Wanted::Winning(_) => Stage::Done,
                    };
                }
                Stage::Refutations => {
                    if let Some(mv) = self.next_refutation(board) {
                        return Some(mv);
                    }
                    self.stage = Stage::GenerateQuiets;
                }
                Stage::GenerateQuiets => {
                    if self.skip_quiets {
                        self.stage = self.start_bad_captures();
                    } else {
                        self.generate_quiets(set, board, guide, &quiet_delta);
                        self.stage = Stage::Quiets;
                    }
                }
                Stage::Quiets => {
                    if !self.skip_quiets
                        && let Some(scored) = self.select()
                    {
                        return scored.mv();
                    }
                    self.stage = self.start_bad_captures();
                }
                Stage::BadCaptures => {
                    if self.cursor < self.bad {
                        self.cursor += 1;
                        return self.moves[self.cursor - 1].mv();
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Whether this picker would give `mv` at all.
    #[inline]
    fn wants(&self, board: &Board, mv: Move) -> bool {
        match self.wanted {
            Wanted::All | Wanted::Captures => true,
            Wanted::Winning(threshold) => {
                is_tactical(board, mv) && see::at_least(board, mv, threshold)
            }
        }
    }

    #[inline]
    fn start_bad_captures(&mut self) -> Stage {
        self.cursor = 0;
        Stage::BadCaptures
    }

    // Not inlined, because the compiler would hoist its set-up to the entry of `next`, and most calls
    // generate nothing.
    #[inline(never)]
    fn generate_captures(&mut self, set: impl TechniqueSet, board: &Board, guide: Guide<'_>) {
        board.for_each_capture(|mv| {
            if Some(mv) == self.hash_move {
                return;
            }
            let score = see::gain(board, mv) * params::victim_weight()
                + guide.histories.capture(set, board, mv, guide.context);
            self.push(mv, score);
        });
    }

    #[inline]
    fn next_good_capture(
        &mut self,
        set: impl TechniqueSet,
        board: &Board,
        guide: Guide<'_>,
    ) -> Option<Move> {
        let attacked = guide.threats.all;
        while let Some(scored) = self.select() {
            let mv = scored.mv()?;
            let threshold = match self.wanted {
                Wanted::Winning(threshold) => threshold,
                _ => -scored.score() / params::good_capture_slope(),
            };
            let is_tested =
                matches!(self.wanted, Wanted::Winning(_)) || set.has(Techniques::SEE_ORDERING);
            // A lesser promotion is hardly ever the best move.
            let is_good = matches!(mv.promotion(), None | Some(Piece::Queen))
                && see::at_least_given(board, mv, threshold, attacked);
            if is_good || !is_tested {
                return Some(mv);
            }
            // The slot before the cursor is free: the selected move has left it.
            self.moves[self.bad] = scored;
            self.bad += 1;
        }
        None
    }

    #[inline]
    fn next_refutation(&mut self, board: &Board) -> Option<Move> {
        while self.next_refutation < self.refutations.len() {
            let index = self.next_refutation;
            self.next_refutation += 1;
            let candidate = self.refutations[index];
            // Each move is given once: a refutation that is not given here must come with the quiet moves.
            self.refutations[index] = candidate.filter(|&mv| {
                !self.skip_quiets
                    && Some(mv) != self.hash_move
                    && !self.refutations[..index].contains(&candidate)
                    && !mv.is_promotion()
                    && board.is_legal(mv)
                    && !board.is_capture(mv)
            });
            if self.refutations[index].is_some() {
                return self.refutations[index];
            }
        }
        None
    }

    // Not inlined, for the same reason as `generate_captures`.
    #[inline(never)]
    fn generate_quiets(
        &mut self,
        set: impl TechniqueSet,
        board: &Board,
        guide: Guide<'_>,
        quiet_delta: &impl Fn(Piece, Move) -> i32,
    ) {
        // All good captures were given; the other captures stay in front.
        self.moves.truncate(self.bad);
        self.cursor = self.bad;
        let given = [
            self.hash_move,
            self.refutations[0],
            self.refutations[1],
            self.refutations[2],
        ];
        let given_to: Bitboard = given
            .iter()
            .flatten()
            .map(|mv| mv.to().bitboard())
            .fold(Bitboard::EMPTY, |all, square| all | square);
        let histories = guide.histories.quiets(board, guide.context);
        let mut sets = ArrayVec::<MoveSet, MAX_SETS>::new_const();
        board.for_each_quiet_set(|moves| sets.push(moves));
        for moves in sets {
            let scorer =
                QuietScorer::new(set, board, guide, &histories, quiet_delta, moves.piece());
            let is_given = |mv: Move| given_to.contains(mv.to()) && given.contains(&Some(mv));
            match moves.origin() {
                // Compute once what depends only on the origin.
                Some(from) if moves.is_normal() => {
                    for to in moves.targets() {
                        let mv = Move::normal(from, to);
                        if !is_given(mv) {
                            self.push(mv, scorer.score(mv));
                        }
                    }
                }
                _ => moves.for_each(|mv| {
                    if !is_given(mv) {
                        self.push(mv, scorer.score(mv));
                    }
                }),
            }
        }
    }

    #[inline]
    fn push(&mut self, mv: Move, score: i32) {
        let place = self.moves.len();
        self.moves.push(Scored::new(score, place, mv));
    }

    /// Takes the best of the moves at the cursor or after it.
    #[inline]
    fn select(&mut self) -> Option<Scored> {
        let rest = self.moves.get(self.cursor..)?;
        let first = *rest.first()?;
        let best = Scored(
            rest.iter()
                .fold(i64::MIN, |best, scored| best.max(scored.0)),
        );
        let place = best.place();
        if let Some(slot) = self.moves.get_mut(place) {
            *slot = first.moved_to(place);
        }
        self.moves[self.cursor] = best;
        self.cursor += 1;
        Some(best)
    }
}
