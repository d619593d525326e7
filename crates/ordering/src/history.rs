//! History tables: which quiet moves and captures failed high earlier in the search, and after
//! which other moves.
//!
//! All tables hold 16-bit scores with gravity: the nearer a score is to the bound, the less an update moves it, so
//! that recent updates count most and nothing overflows.

mod butterflies;
mod context;
mod lookup;
mod shared;

use skewer_movegen::{Bitboard, Board, Color, Move, Piece};
use skewer_types::{TechniqueSet, Techniques};

pub use context::{CONTINUATIONS, ContinuationKey, MoveContext, PlayedMove, colored_piece};
pub use lookup::{PieceHistories, QuietHistories};
pub use shared::SharedMoveHistories;

use crate::params;
use butterflies::{Butterflies, square_pair};

/// Twelve pieces: six kinds of two colours.
const PIECES: usize = 2 * Piece::COUNT;
const SQUARES: usize = 64;
/// The number of pairs of a piece and a square.
const PIECE_SQUARES: usize = PIECES * SQUARES;
/// Entries of the pawn history, by pawn structure.
const PAWN_SLOTS: usize = 512;
/// Kinds of victim in the capture history: six, and none (a promotion that captures nothing).
const VICTIMS: usize = Piece::COUNT + 1;
/// Plies from the root that have a history of their own.
const LOW_PLIES: usize = 4;
/// Butterfly boards for each colour: by whether the square left and the square reached are
/// attacked.
const THREATS: usize = 4;

/// A score after an update by `bonus`: the nearer the score is to the bound `max` on the side of the bonus, the less
/// it moves, so that it never leaves `-max..=max`.
#[inline]
fn gravitated(score: i16, bonus: i32, max: i32) -> i16 {
    let bonus = bonus.clamp(-max, max);
    let old = i32::from(score);
    (old + bonus - old * bonus.abs() / max) as i16
}

#[inline]
fn gravitate(entry: &mut i16, bonus: i32, max: i32) {
    *entry = gravitated(*entry, bonus, max);
}

/// The move histories of one search thread. The histories by pawn structure and by earlier moves may be shared with
/// other threads.
#[derive(Debug)]
pub struct Histories {
    /// Butterfly boards, [colour][from attacked, to attacked].
    quiet: Butterflies,
    /// [piece][to][to attacked][victim].
    capture: Box<[i16]>,
    /// By ply, below [`LOW_PLIES`].
    low_ply: Butterflies,
    shared: SharedMoveHistories,
    /// [earlier piece and square]: the quiet move that refuted it last.
    counter: Box<[Option<Move>]>,
}

impl Default for Histories {
    fn default() -> Self {
        Self::new()
    }
}

impl Histories {
    /// Empty histories that no other thread shares. They take about 2 MB.
    pub fn new() -> Self {
        Self::sharing(SharedMoveHistories::default())
    }

    /// Histories that use `shared` for their shared part. The rest takes about 0.1 MB.
    pub fn sharing(shared: SharedMoveHistories) -> Self {
        Self {
            quiet: Butterflies::new(Color::COUNT * THREATS),
            capture: vec![0; PIECE_SQUARES * 2 * VICTIMS].into_boxed_slice(),
            low_ply: Butterflies::new(LOW_PLIES),
            shared,
            counter: vec![None; PIECE_SQUARES + 1].into_boxed_slice(),
        }
    }

    /// Forgets everything, as for a new game, including the shared histories.
    pub fn clear(&mut self) {
        self.quiet.clear();
        self.capture.fill(0);
        self.shared.clear();
        self.counter.fill(None);
        self.clear_low_plies();
    }

    /// Takes a share, in hundredths, off the butterfly histories. Call this before each search, because most of their
    /// scores come from positions that the game has left.
    pub fn age(&mut self) {
        self.quiet.age(params::history_age());
    }

    /// Clears the histories by ply. Call this before each search, because the root has moved on.
    pub fn clear_low_plies(&mut self) {
        self.low_ply.clear();
    }

    #[inline]
    fn quiet_index(set: impl TechniqueSet, mv: Move, attacked: Bitboard) -> (usize, usize) {
        let (from, to) = (mv.from(), mv.to());
        let threats = if set.has(Techniques::THREAT_HISTORY) {
            usize::from(attacked.contains(from)) * 2 + usize::from(attacked.contains(to))
        } else {
            0
        };
        (threats, square_pair(mv))
    }

    #[inline]
    fn capture_index(played: PlayedMove, attacked: Bitboard) -> usize {
        let victim = played.captured.map_or(Piece::COUNT, Piece::index);
        let defended = usize::from(attacked.contains(played.mv.to()));
        (played.key.index() * 2 + defended) * VICTIMS + victim
    }

    /// The history of a capture or promotion.
    #[inline]
    pub fn capture(
        &self,
        set: impl TechniqueSet,
        board: &Board,
        mv: Move,
        context: &MoveContext,
    ) -> i32 {
        if !set.has(Techniques::CAPTURE_HISTORY) {
            return 0;
        }
        let played = PlayedMove::new(board, mv);
        i32::from(self.capture[Self::capture_index(played, context.attacked)])
    }

    /// The weighted sum of a quiet move's histories. It orders quiet moves, and reductions depend on it.
    #[inline]
    pub fn quiet_sum(
        &self,
        set: impl TechniqueSet,
        board: &Board,
        mv: Move,
        context: &MoveContext,
    ) -> i32 {
        self.quiets(board, context).of(board.moved(mv)).sum(set, mv)
    }

    /// The quiet move that last refuted the move before this node.
    #[inline]
    pub fn counter(&self, set: impl TechniqueSet, context: &MoveContext) -> Option<Move> {
        if !set.has(Techniques::COUNTER_MOVES) {
            return None;
        }
        self.counter[context.continuation[0].index()]
    }

    /// Remembers the quiet move that refuted the move before this node.
    #[inline]
    pub fn set_counter(&mut self, context: &MoveContext, mv: Move) {
        let key = context.continuation[0];
        if key != ContinuationKey::NONE {
            self.counter[key.index()] = Some(mv);
        }
    }

    /// Updates every history of the quiet move `mv` by `bonus`, which may be negative.
    #[inline]
    pub fn update_quiet(
        &mut self,
        set: impl TechniqueSet,
        board: &Board,
        mv: Move,
        context: &MoveContext,
        bonus: i32,
    ) {
        let played = PlayedMove::new(board, mv);
        self.update_played_quiet(set, &played, context, bonus);
    }

    /// Updates every history of `played`, a quiet move that has been played, by `bonus`. `context` belongs to the
    /// position before the move.
    #[inline]
    pub fn update_played_quiet(
        &mut self,
        set: impl TechniqueSet,
        played: &PlayedMove,
        context: &MoveContext,
        bonus: i32,
    ) {
        self.update_butterfly(set, played, context.attacked, bonus);
        if played.key != ContinuationKey::NONE {
            let pawn = &self.shared.pawn;
            pawn.learn(
                context.pawn_slot(),
                played.key,
                bonus,
                params::pawn_history_max(),
            );
        }
        if let Some(entry) = self.low_ply.entry(context.ply, played.mv) {
            gravitate(entry, bonus, params::low_ply_max());
        }
        self.update_continuation(played.key, context, bonus);
    }

    /// Updates the butterfly history of `played`, a quiet move that has been played, by `bonus`. `attacked` are
    /// the squares that the opponent attacked before the move.
    #[inline]
    pub fn update_butterfly(
        &mut self,
        set: impl TechniqueSet,
        played: &PlayedMove,
        attacked: Bitboard,
        bonus: i32,
    ) {
        let Some(color) = played.key.color() else {
            return;
        };
        let (threats, _) = Self::quiet_index(set, played.mv, attacked);
        if let Some(entry) = (self.quiet).entry(color.index() * THREATS + threats, played.mv) {
            gravitate(entry, bonus, params::history_max());
        }
    }

    /// Updates the continuation histories of the move `played` by `bonus`. `context` belongs to the
    /// position before the move.
    #[inline]
    pub fn update_continuation(
        &mut self,
        played: ContinuationKey,
        context: &MoveContext,
        bonus: i32,
    ) {
        if played == ContinuationKey::NONE {
            return;
        }
        for (key, plies) in context.continuation.into_iter().zip(CONTINUATIONS) {
            if key == ContinuationKey::NONE {
                continue;
            }
            // Earlier moves are weaker evidence.
            let bonus = if plies > 2 { bonus / 2 } else { bonus };
            let continuation = &self.shared.continuation;
            continuation.learn(key.index(), played, bonus, params::continuation_max());
        }
    }

    /// Updates the history of the capture or promotion `mv` by `bonus`, which may be negative.
    #[inline]
    pub fn update_capture(&mut self, board: &Board, mv: Move, context: &MoveContext, bonus: i32) {
        let played = PlayedMove::new(board, mv);
        self.update_played_capture(&played, context, bonus);
    }

    /// Updates the history of `played`, a capture or promotion that has been played, by `bonus`. `context` belongs to
    /// the position before the move.
    #[inline]
    pub fn update_played_capture(
        &mut self,
        played: &PlayedMove,
        context: &MoveContext,
        bonus: i32,
    ) {
        if played.key != ContinuationKey::NONE {
            let index = Self::capture_index(*played, context.attacked);
            gravitate(&mut self.capture[index], bonus, params::history_max());
        }
    }
}

#[cfg(test)]
mod tests {
    use skewer_movegen::Square;

    use super::*;

    const SET: Techniques = Techniques::QUIET_HISTORY;

    fn context() -> MoveContext {
        MoveContext {
            attacked: Bitboard::EMPTY,
            continuation: [ContinuationKey::NONE; 4],
            pawn_key: 0,
            ply: 0,
        }
    }

    fn uci(text: &str) -> Move {
        Board::STARTPOS.parse_uci(text).expect("a legal move")
    }

    #[test]
    fn a_score_moves_less_the_nearer_it_is_to_the_bound_on_that_side() {
        let mut score = 0;
        let mut after = |bonus| {
            gravitate(&mut score, bonus, 1000);
            score
        };
        // A step is `bonus * (1 - score / max)`.
        assert_eq!([400, 400, 400].map(&mut after), [400, 640, 784]);
        assert_eq!(
            after(-500),
            784 - 500 - 392,
            "away from it the step is longer"
        );
        assert_eq!(after(5000), 1000, "a bonus counts up to the bound");
        assert_eq!(after(-5000), -1000);
        assert_eq!(after(-5000), -1000);
    }

    #[test]
    fn a_quarter_of_the_butterfly_history_is_forgotten_before_each_search() {
        let (board, context) = (Board::STARTPOS, context());
        for (text, bonus, expected) in [("e2e4", 1000, 750), ("d2d4", -1000, -750), ("a2a3", 3, 3)]
        {
            let mut aged = Histories::new();
            aged.update_quiet(SET, &board, uci(text), &context, bonus);
            aged.age();
            assert_eq!(aged.quiet_sum(SET, &board, uci(text), &context), expected);
            let pawns = Techniques::PAWN_HISTORY;
            let kept = aged.quiet_sum(pawns, &board, uci(text), &context);
            assert_eq!(kept, bonus, "the other histories keep all");
        }
    }

    #[test]
    fn the_histories_after_the_last_two_moves_learn_all_and_those_before_them_half() {
        let board = Board::STARTPOS;
        let set = Techniques::CONTINUATION_HISTORY;
        let keys =
            ["a2a3", "b2b3", "c2c3", "d2d3"].map(|text| ContinuationKey::new(&board, uci(text)));
        let learnt = |place: usize| {
            let mut context = context();
            context.continuation[place] = keys[place];
            let mut histories = Histories::new();
            histories.update_quiet(set, &board, uci("e2e4"), &context, 1600);
            // The weights of the four are 16, 16, 8 and 6 sixteenths.
            histories.quiet_sum(set, &board, uci("e2e4"), &context)
        };
        assert_eq!([0, 1, 2, 3].map(learnt), [1600, 1600, 400, 300]);
        // A move that is not known, as before the root, teaches nothing.
        let mut histories = Histories::new();
        histories.update_quiet(set, &board, uci("e2e4"), &context(), 1600);
        assert!(histories.shared.continuation.is_empty());
        histories.set_counter(&context(), uci("e2e4"));
        assert_eq!(histories.counter(Techniques::all(), &context()), None);
    }

    #[test]
    fn the_four_plies_next_to_the_root_have_histories_of_their_own() {
        let board = Board::STARTPOS;
        for ply in 0..6 {
            let context = MoveContext { ply, ..context() };
            let mut histories = Histories::new();
            histories.update_quiet(SET, &board, uci("e2e4"), &context, 160);
            let of_pawns = histories.quiets(&board, &context).of(Piece::Pawn);
            // The history by ply counts twice in the order of moves.
            let expected = if ply < LOW_PLIES { 320 } else { 0 };
            assert_eq!(
                of_pawns.low_ply(Techniques::all(), uci("e2e4")),
                expected,
                "ply {ply}"
            );
        }
    }

    #[test]
    fn captures_are_told_apart_by_piece_square_victim_and_defence() {
        let index = |fen: &str, mv: &str, attacked: bool| {
            let board: Board = fen.parse().expect("a legal position");
            let mv = board.parse_uci(mv).expect("a legal move");
            let attacked = if attacked {
                mv.to().bitboard()
            } else {
                Bitboard::EMPTY
            };
            Histories::capture_index(PlayedMove::new(&board, mv), attacked)
        };
        let knight = "4k3/8/8/3n4/4P3/8/8/3RK3 w - - 0 1";
        let base = index(knight, "e4d5", false);
        for (what, other) in [
            ("the piece", index(knight, "d1d5", false)),
            ("the defence", index(knight, "e4d5", true)),
            (
                "the victim",
                index("4k3/8/8/3q4/4P3/8/8/3RK3 w - - 0 1", "e4d5", false),
            ),
            (
                "the square",
                index("4k3/8/8/5n2/4P3/8/8/3RK3 w - - 0 1", "e4f5", false),
            ),
            (
                "the side",
                index("4k3/8/8/3p4/4N3/8/8/3RK3 b - - 0 1", "d5e4", false),
            ),
        ] {
            assert_ne!(base, other, "{what}");
        }
        // Which of two pawns takes makes no difference.
        assert_eq!(
            base,
            index("4k3/8/8/3n4/2P5/8/8/3RK3 w - - 0 1", "c4d5", false)
        );
    }

    #[test]
    fn each_piece_square_victim_and_defence_has_a_capture_history_of_its_own() {
        // Look up every move of these positions as a capture, of an undefended and of a defended piece.
        let mut known = std::collections::HashMap::new();
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ] {
            let board: Board = fen.parse().expect("a legal position");
            for mv in &board.legal_moves() {
                for attacked in [Bitboard::EMPTY, Bitboard::FULL] {
                    let played = PlayedMove::new(&board, mv);
                    let what = (board.turn(), board.moved(mv), mv.to());
                    let what = (what, attacked, played.captured);
                    let index = Histories::capture_index(played, attacked);
                    assert_eq!(*known.entry(index).or_insert(what), what, "{mv:?}");
                }
            }
        }
        assert!(known.len() > 150);
    }

    #[test]
    fn whether_the_squares_left_and_reached_are_attacked_makes_four_histories_for_each_side() {
        let set = SET | Techniques::THREAT_HISTORY;
        let mv = Move::normal(Square::E4, Square::E5);
        let boards = [
            "k7/8/8/8/4R3/8/8/K7 w - - 0 1",
            "k7/8/8/8/4r3/8/8/K7 b - - 0 1",
        ];
        let boards = boards.map(|fen| fen.parse::<Board>().expect("a legal position"));
        let (from, to) = (mv.from().bitboard(), mv.to().bitboard());
        let attacks = [Bitboard::EMPTY, from, to, from | to];
        let nodes = || {
            boards
                .iter()
                .flat_map(|board| attacks.map(|attacked| (board, attacked)))
        };
        for (place, (board, attacked)) in nodes().enumerate() {
            let at = |attacked| MoveContext {
                attacked,
                ..context()
            };
            let mut histories = Histories::new();
            histories.update_quiet(set, board, mv, &at(attacked), 100);
            let known: Vec<i32> = nodes()
                .map(|(board, attacked)| histories.quiet_sum(set, board, mv, &at(attacked)))
                .collect();
            let expected: Vec<i32> = (0..8)
                .map(|other| 100 * i32::from(other == place))
                .collect();
            assert_eq!(known, expected);
        }
    }

    #[test]
    fn a_capture_or_a_promotion_is_tactical_and_no_other_move() {
        let board: Board = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1".parse().expect("legal");
        for (text, expected) in [("a7b8q", true), ("a7a8n", true), ("a1a2", false)] {
            let mv = board.parse_uci(text).expect("a legal move");
            assert_eq!(
                PlayedMove::new(&board, mv).is_tactical(),
                expected,
                "{text}"
            );
            assert_eq!(crate::is_tactical(&board, mv), expected, "{text}");
        }
        let capture: Board = "7k/8/8/3p4/4P3/8/8/K7 w - - 0 1".parse().expect("legal");
        let mv = capture.parse_uci("e4d5").expect("a legal move");
        assert!(PlayedMove::new(&capture, mv).is_tactical());
    }

    #[test]
    fn a_pawn_structure_is_found_by_any_key() {
        let board = Board::STARTPOS;
        let set = Techniques::PAWN_HISTORY;
        for pawn_key in [0, 1, PAWN_SLOTS as u64 - 1, 0x0123_4567_89ab_cdef, u64::MAX] {
            let context = MoveContext {
                pawn_key,
                ..context()
            };
            let mut histories = Histories::new();
            histories.update_quiet(set, &board, uci("e2e4"), &context, 160);
            let sum = histories.quiet_sum(set, &board, uci("e2e4"), &context);
            assert_eq!(sum, 160, "{pawn_key:x}");
        }
    }

    #[test]
    fn clearing_forgets_every_move() {
        let board = Board::STARTPOS;
        let moves = board.legal_moves();
        let context = MoveContext {
            attacked: Bitboard::EMPTY,
            continuation: [0, 1, 2, 3].map(|n| ContinuationKey::new(&board, moves[n])),
            pawn_key: 77,
            ply: 2,
        };
        let set = Techniques::all();
        let mut histories = Histories::new();
        for mv in &moves {
            histories.update_quiet(set, &board, mv, &context, 500);
            histories.update_capture(&board, mv, &context, 500);
            assert!(histories.quiet_sum(set, &board, mv, &context) > 500);
            assert!(histories.capture(set, &board, mv, &context) > 400);
        }
        histories.set_counter(&context, moves[0]);
        histories.clear();
        for mv in &moves {
            assert_eq!(histories.quiet_sum(set, &board, mv, &context), 0);
        }
        let Histories {
            quiet,
            capture,
            low_ply,
            shared,
            counter,
        } = &histories;
        let boards = [&quiet.boards, &low_ply.boards].map(|boards| boards.as_flattened());
        let all = boards.into_iter().chain([&**capture]);
        assert!(all.flatten().all(|&score| score == 0));
        assert!(counter.iter().all(Option::is_none));
        assert!(shared.continuation.is_empty() && shared.pawn.is_empty());
    }
}
