//! Draws by repetition, and repetitions that one side can bring about with its next move.

use std::sync::LazyLock;

use skewer_movegen::attacks::between;
use skewer_movegen::attacks::{bishop_attacks, king_attacks, knight_attacks, rook_attacks};
use skewer_movegen::{Bitboard, Board, Color, Piece, Square, zobrist};

/// The keys of the positions of the game and of the present line.
#[derive(Debug)]
pub(crate) struct Keys {
    keys: Vec<u64>,
    /// The index of the root.
    root: usize,
}

impl Keys {
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self {
            keys: Vec::with_capacity(capacity),
            root: 0,
        }
    }

    /// Starts a search: the keys of the game so far, and the root's.
    pub(crate) fn start(&mut self, earlier: &[u64], root: u64) {
        self.keys.clear();
        self.keys.extend_from_slice(earlier);
        self.root = earlier.len();
        self.keys.push(root);
    }

    #[inline]
    pub(crate) fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    #[inline]
    pub(crate) fn pop(&mut self) {
        self.keys.pop();
    }

    /// Whether the last position has occurred before: once since the root, or twice in all.
    /// `reversible` is the number of plies since the last irreversible move.
    #[inline]
    pub(crate) fn is_repetition(&self, reversible: usize) -> bool {
        let last = self.keys.len() - 1;
        let key = self.keys[last];
        let mut seen_before = false;
        let mut back = 4;
        while back <= reversible.min(last) {
            let index = last - back;
            if self.keys[index] == key {
                // Inside the tree the first repetition is a draw, because the best moves would
                // repeat too. The root and the positions before it must occur three times.
                if index > self.root || seen_before {
                    return true;
                }
                seen_before = true;
            }
            back += 2;
        }
        false
    }

    /// Whether the side to move can at once bring back a position of the present line (after
    /// van Kervinck, 2013).
    #[inline]
    pub(crate) fn can_repeat(&self, board: &Board, reversible: usize) -> bool {
        let last = self.keys.len() - 1;
        let key = self.keys[last];
        let mut back = 3;
        while back <= reversible.min(last) {
            let index = last - back;
            if index <= self.root {
                return false;
            }
            if let Some((a, b)) = CUCKOO.find(key ^ self.keys[index])
                && (between(a, b) & board.occupied()).is_empty()
            {
                let mover = if board.occupied().contains(a) { a } else { b };
                if board.color(board.turn()).contains(mover) {
                    return true;
                }
            }
            back += 2;
        }
        false
    }
}

/// A table of all reversible moves by the change that they make to a position's key: a hash table
/// in which every key has two places, so that a look-up takes two looks at most (cuckoo hashing,
/// Pagh and Rodler, 2001).
struct Cuckoo {
    keys: Box<[u64]>,
    moves: Box<[(Square, Square)]>,
}

const SLOTS: usize = 8192;

static CUCKOO: LazyLock<Cuckoo> = LazyLock::new(Cuckoo::new);

impl Cuckoo {
    fn places(key: u64) -> [usize; 2] {
        [key as usize % SLOTS, (key >> 16) as usize % SLOTS]
    }

    fn new() -> Self {
        let mut table = Self {
            keys: vec![0; SLOTS].into_boxed_slice(),
            moves: vec![(Square::A1, Square::A1); SLOTS].into_boxed_slice(),
        };
        for color in Color::ALL {
            for piece in &Piece::ALL[1..] {
                for a in Square::ALL {
                    for b in empty_board_attacks(*piece, a) {
                        if b.index() > a.index() {
                            let key = zobrist::piece_key(color, *piece, a)
                                ^ zobrist::piece_key(color, *piece, b)
                                ^ zobrist::black_to_move_key();
                            table.insert(key, (a, b));
                        }
                    }
                }
            }
        }
        table
    }

    fn insert(&mut self, mut key: u64, mut mv: (Square, Square)) {
        let mut place = Self::places(key)[0];
        loop {
            core::mem::swap(&mut self.keys[place], &mut key);
            core::mem::swap(&mut self.moves[place], &mut mv);
            if key == 0 {
                return;
            }
            // The displaced entry moves to its other place.
            let [first, second] = Self::places(key);
            place = if place == first { second } else { first };
        }
    }

    #[inline]
    fn find(&self, key: u64) -> Option<(Square, Square)> {
        Self::places(key)
            .into_iter()
            .find(|&place| self.keys[place] == key)
            .map(|place| self.moves[place])
    }
}

fn empty_board_attacks(piece: Piece, square: Square) -> Bitboard {
    match piece {
        Piece::Pawn => Bitboard::EMPTY,
        Piece::Knight => knight_attacks(square),
        Piece::Bishop => bishop_attacks(square, Bitboard::EMPTY),
        Piece::Rook => rook_attacks(square, Bitboard::EMPTY),
        Piece::Queen => {
            bishop_attacks(square, Bitboard::EMPTY) | rook_attacks(square, Bitboard::EMPTY)
        }
        Piece::King => king_attacks(square),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cuckoo_table_holds_every_reversible_move() {
        let filled = CUCKOO.keys.iter().filter(|&&key| key != 0).count();
        assert_eq!(filled, 3668);
        let key = zobrist::piece_key(Color::White, Piece::Rook, Square::A1)
            ^ zobrist::piece_key(Color::White, Piece::Rook, Square::A8)
            ^ zobrist::black_to_move_key();
        assert_eq!(CUCKOO.find(key), Some((Square::A1, Square::A8)));
        assert_eq!(CUCKOO.find(key ^ 1), None);
    }

    fn walk(board: &Board, moves: &[&str]) -> (Keys, Board) {
        let mut keys = Keys::with_capacity(64);
        keys.start(&[], board.key());
        let mut board = *board;
        for text in moves {
            board = board.play(board.parse_uci(text).unwrap());
            keys.push(board.key());
        }
        (keys, board)
    }

    #[test]
    fn a_position_repeated_in_the_tree_counts_once_and_the_root_twice() {
        let start = Board::STARTPOS;
        let out_and_back = ["g1f3", "g8f6", "f3g1", "f6g8"];
        let (keys, _) = walk(&start, &out_and_back);
        assert!(!keys.is_repetition(4), "the root came back once");
        let twice = [out_and_back, out_and_back].concat();
        let (keys, _) = walk(&start, &twice);
        assert!(keys.is_repetition(8), "the root came back twice");
        let (mut keys, _) = walk(&start, &["e2e3", "g8f6", "g1f3", "f6g8", "f3g1"]);
        assert!(keys.is_repetition(4), "a position of the tree came back");
        assert!(!keys.is_repetition(3), "but not past an irreversible move");
        keys.pop();
        assert!(!keys.is_repetition(4), "the last move was taken back");
    }

    #[test]
    fn a_repetition_is_seen_one_move_before() {
        let start = Board::STARTPOS;
        let (keys, board) = walk(&start, &["e2e3", "g8f6", "g1f3", "f6g8"]);
        assert!(keys.can_repeat(&board, 3), "Ng1 repeats");
        let (keys, board) = walk(&start, &["g1f3", "g8f6", "f3g1"]);
        assert!(!keys.can_repeat(&board, 3), "only the root would come back");
    }

    /// Black's rook goes out and back, and White's king makes two steps, which one step takes back. Between the two
    /// steps Black passes, and a position before a null move cannot be repeated after it.
    #[test]
    fn a_move_back_to_a_position_before_a_null_move_is_no_repetition() {
        let board: Board = "r3k3/8/8/8/8/8/P7/4K3 w - - 0 1".parse().unwrap();
        let (mut keys, mut board) = walk(&board, &["a2a3", "a8b8", "e1e2"]);
        board = board.play_null().unwrap();
        keys.push(board.key());
        for text in ["e2f2", "b8a8"] {
            board = board.play(board.parse_uci(text).unwrap());
            keys.push(board.key());
        }
        assert!(!keys.can_repeat(&board, 2), "two plies after the null move");
        assert!(keys.can_repeat(&board, 5), "if the null move did not count");
    }

    #[test]
    fn a_position_from_before_the_root_must_have_occurred_twice() {
        let is_draw = |earlier: &[u64]| {
            let mut keys = Keys::with_capacity(16);
            keys.start(earlier, 5);
            keys.push(6);
            keys.push(7);
            keys.is_repetition(8)
        };
        assert!(is_draw(&[7, 1, 2, 3, 7, 4]));
        assert!(!is_draw(&[9, 1, 2, 3, 7, 4]), "once");
        assert!(!is_draw(&[7, 1, 2, 3, 9, 4]), "once, longer ago");
    }

    #[test]
    fn a_position_may_come_back_after_any_even_number_of_plies_from_four_on() {
        for back in 1..=12 {
            let mut keys = Keys::with_capacity(32);
            keys.start(&[], 100);
            keys.push(7);
            (1..back).for_each(|other| keys.push(100 + other));
            keys.push(7);
            let expected = back >= 4 && back % 2 == 0;
            assert_eq!(keys.is_repetition(12), expected, "{back} plies");
        }
    }

    /// Walks at random and compares with what playing every move finds.
    #[test]
    fn a_repetition_is_seen_before_if_and_only_if_a_move_of_the_side_to_move_brings_it() {
        let mut rng = skewer_types::Rng::new(3);
        let mut seen = 0;
        for fen in [
            "4k3/8/8/3r4/8/3R4/8/4K3 w - - 0 1",
            "k7/1q6/8/8/3p4/3P4/6Q1/7K w - - 0 1",
            "4k3/2n2b2/8/8/8/8/2N2B2/4K3 w - - 0 1",
        ] {
            for _ in 0..300 {
                let mut board: Board = fen.parse().expect("a legal position");
                let mut keys = Keys::with_capacity(64);
                keys.start(&[], board.key());
                for _ in 0..12 {
                    let moves = board.legal_moves();
                    let Some(&mv) = rng.choose(&moves) else { break };
                    board = board.play(mv);
                    keys.push(board.key());
                    // Skip positions with a check or a pin, which the table of moves does not know.
                    if board.in_check() || board.pinned().any() {
                        continue;
                    }
                    let line = &keys.keys[1..];
                    let brings = board.legal_moves().iter().any(|&mv| {
                        let key = board.play(mv).key();
                        let back = line.iter().rev().skip(3).step_by(2);
                        back.clone().any(|&other| other == key)
                    });
                    let reversible = usize::from(board.halfmove_clock());
                    assert_eq!(keys.can_repeat(&board, reversible), brings, "{board}");
                    seen += u32::from(brings);
                }
            }
        }
        assert!(seen > 50, "{seen}");
    }
}
