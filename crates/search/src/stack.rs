//! What the search remembers of each node on its present line, and the keys that index the
//! correction histories, updated incrementally from node to node.

use skewer_movegen::{
    Bitboard, Board, CastlingSide, Color, Move, MoveKind, Piece, Square, zobrist,
};
use skewer_ordering::{ContinuationKey, PlayedMove};
use skewer_types::{MAX_PLY, Ply, Score};

/// Frames before the root, so that looking six plies back needs no test.
const BEFORE: usize = 6;

/// Parts of a position with a key of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The pawns.
    Pawns,
    /// Knights, bishops and kings.
    Minor,
    /// Rooks, queens and kings.
    Major,
    /// White's pieces without its pawns.
    White,
    /// Black's pieces without its pawns.
    Black,
}

impl Part {
    /// All parts, in the order of their lanes in [`PartKeys`].
    pub(crate) const ALL: [Self; 5] = [
        Self::Pawns,
        Self::Minor,
        Self::Major,
        Self::White,
        Self::Black,
    ];

    const fn contains(self, color: Color, piece: Piece) -> bool {
        match self {
            Self::Pawns => matches!(piece, Piece::Pawn),
            Self::Minor => matches!(piece, Piece::Knight | Piece::Bishop | Piece::King),
            Self::Major => matches!(piece, Piece::Rook | Piece::Queen | Piece::King),
            Self::White => matches!(color, Color::White) && !matches!(piece, Piece::Pawn),
            Self::Black => matches!(color, Color::Black) && !matches!(piece, Piece::Pawn),
        }
    }
}

/// One value for each part, and three unused values, so that the values fill one vector.
type Lanes = [u16; 8];

/// All bits for each part that a piece belongs to, by colour and kind.
static BELONGS: [[Lanes; Piece::COUNT]; Color::COUNT] = belongs();

const fn belongs() -> [[Lanes; Piece::COUNT]; Color::COUNT] {
    let mut table = [[[0; 8]; Piece::COUNT]; Color::COUNT];
    let (mut color, mut piece, mut part) = (0, 0, 0);
    while color < Color::COUNT {
        while piece < Piece::COUNT {
            while part < Part::ALL.len() {
                if Part::ALL[part].contains(Color::ALL[color], Piece::ALL[piece]) {
                    table[color][piece][part] = u16::MAX;
                }
                part += 1;
            }
            part = 0;
            piece += 1;
        }
        piece = 0;
        color += 1;
    }
    table
}

/// Keys of parts of a position: the lower 16 bits of their Zobrist keys, more than the tables need.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct PartKeys(Lanes);

impl PartKeys {
    /// Computes the keys of `board` from scratch.
    pub(crate) fn of(board: &Board) -> Self {
        let mut keys = Self::default();
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in board.colored(color, piece) {
                    keys.toggle(color, piece, square);
                }
            }
        }
        keys
    }

    /// The key of one part.
    #[inline]
    pub(crate) fn key(&self, part: Part) -> u16 {
        self.0[part as usize]
    }

    #[inline]
    fn toggle(&mut self, color: Color, piece: Piece, square: Square) {
        self.toggle_key(color, piece, zobrist::piece_key(color, piece, square));
    }

    #[inline]
    fn toggle_key(&mut self, color: Color, piece: Piece, key: u64) {
        let belongs = &BELONGS[color.index()][piece.index()];
        for (lane, belongs) in self.0.iter_mut().zip(belongs) {
            *lane ^= key as u16 & belongs;
        }
    }

    /// The keys after `mv`, which is legal on `board`.
    #[inline(always)]
    pub(crate) fn after(mut self, board: &Board, mv: Move) -> Self {
        if mv.kind() != MoveKind::Normal {
            return self.after_special(board, mv);
        }
        let us = board.turn();
        let (from, to, piece) = (mv.from(), mv.to(), board.moved(mv));
        let both = zobrist::piece_key(us, piece, from) ^ zobrist::piece_key(us, piece, to);
        self.toggle_key(us, piece, both);
        if let Some(captured) = board.piece_at(to) {
            self.toggle(!us, captured, to);
        }
        self
    }

    /// [`after`](Self::after) castling, a promotion or a capture en passant.
    #[cold]
    #[inline(never)]
    fn after_special(mut self, board: &Board, mv: Move) -> Self {
        let us = board.turn();
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castle() {
            let side = CastlingSide::of(from, to);
            self.toggle(us, Piece::King, from);
            self.toggle(us, Piece::Rook, to);
            self.toggle(us, Piece::King, side.king_target(us));
            self.toggle(us, Piece::Rook, side.rook_target(us));
            return self;
        }
        self.toggle(us, Piece::Pawn, from);
        self.toggle(us, mv.promotion().unwrap_or(Piece::Pawn), to);
        if mv.is_en_passant() {
            self.toggle(!us, Piece::Pawn, Square::new(to.file(), from.rank()));
        } else if let Some(captured) = board.piece_at(to) {
            self.toggle(!us, captured, to);
        }
        self
    }
}

/// The place of a move that was searched outside the order of a node's moves, as by `ProbCut`.
pub(crate) const NOT_IN_ORDER: u32 = u32::MAX;

/// One node of the present line.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Frame {
    /// The move that is being searched from here; `None` for a null move.
    pub(crate) mv: Option<Move>,
    /// What moved and where, for the continuation histories of the nodes below.
    pub(crate) continuation: ContinuationKey,
    /// The move that is left out, while a singular search runs here.
    pub(crate) excluded: Option<Move>,
    /// Quiet moves that failed high at this ply.
    pub(crate) killers: [Option<Move>; 2],
    /// The corrected static evaluation, for the side to move here. In check it is the evaluation of two plies
    /// before (near the root, the uncorrected evaluation), so that later nodes have something to compare
    /// with.
    pub(crate) static_eval: Score,
    /// The piece that `mv` captures.
    pub(crate) captured: Option<Piece>,
    /// The place of `mv` in the order, from 1, or [`NOT_IN_ORDER`].
    pub(crate) number: u32,
    /// Squares that the opponent attacks, which index the histories of `mv`.
    pub(crate) attacked: Bitboard,
    /// Keys of the parts of the position.
    pub(crate) keys: PartKeys,
    /// How many plies back a repetition can lie: to the last irreversible or null move.
    pub(crate) reversible: u16,
    /// How many nodes at this ply have failed high since the node two plies above was entered; at ply 1,
    /// since the search began.
    pub(crate) cutoffs: u16,
    /// By how many plies the move being searched is reduced.
    pub(crate) reduction: i32,
    /// Whether this node is or was on a principal variation.
    pub(crate) on_pv: bool,
    /// Whether the side to move is in check.
    pub(crate) in_check: bool,
}

impl Frame {
    /// The move that is being searched from here, as the histories know it; `None` for a null move.
    #[inline]
    pub(crate) fn played(&self) -> Option<PlayedMove> {
        self.mv.map(|mv| PlayedMove {
            mv,
            key: self.continuation,
            captured: self.captured,
        })
    }
}

/// The frames of a line, allocated once for the life of a worker.
#[derive(Debug)]
pub(crate) struct Stack(Box<[Frame]>);

impl Stack {
    pub(crate) fn new() -> Self {
        Self(vec![Frame::default(); BEFORE + MAX_PLY + 4].into_boxed_slice())
    }

    /// Resets all frames, as before the first search.
    pub(crate) fn clear(&mut self) {
        self.0.fill(Frame::default());
    }

    /// The frame at `ply`.
    #[inline]
    pub(crate) fn at(&self, ply: Ply) -> &Frame {
        &self.0[ply + BEFORE]
    }

    /// The frame at `ply`, to change.
    #[inline]
    pub(crate) fn at_mut(&mut self, ply: Ply) -> &mut Frame {
        &mut self.0[ply + BEFORE]
    }

    /// The frame `back` (up to six) plies before `ply`, which may lie before the root.
    #[inline]
    pub(crate) fn before(&self, ply: Ply, back: usize) -> &Frame {
        &self.0[ply + BEFORE - back]
    }
}

#[cfg(test)]
mod tests {
    use skewer_types::Rng;

    use super::*;

    #[test]
    fn keys_updated_incrementally_equal_keys_from_scratch() {
        let mut rng = Rng::new(5);
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ] {
            let mut board: Board = fen.parse().unwrap();
            let mut keys = PartKeys::of(&board);
            for _ in 0..300 {
                let moves = board.legal_moves();
                let Some(&mv) = rng.choose(&moves) else {
                    break;
                };
                keys = keys.after(&board, mv);
                board = board.play(mv);
                assert_eq!(keys, PartKeys::of(&board), "after {mv:?} to {board}");
            }
        }
    }
}
