//! Which moves of a position give check, for testing many moves of one position.

use skewer_movegen::attacks::{
    between, bishop_attacks, knight_attacks, line, pawn_attacks, rook_attacks,
};
use skewer_movegen::{Bitboard, Board, Move, MoveKind, Piece, Square};

/// The squares from which pieces of the side to move give check, computed once a position.
#[derive(Debug, Clone, Copy)]
pub struct Checks {
    /// The king that is to be attacked.
    king: Square,
    /// The squares from which each kind of piece attacks it.
    squares: [Bitboard; Piece::COUNT],
    /// Own pieces between the enemy king and an own slider.
    blockers: Bitboard,
}

impl Checks {
    /// The checks that the side to move has on `board`.
    #[inline]
    pub fn new(board: &Board) -> Self {
        let us = board.turn();
        let king = board.king(!us);
        let (occupied, own) = (board.occupied(), board.color(us));
        let (bishops, rooks, queens) = (
            board.pieces(Piece::Bishop),
            board.pieces(Piece::Rook),
            board.pieces(Piece::Queen),
        );
        let diagonal = bishop_attacks(king, occupied);
        let straight = rook_attacks(king, occupied);
        let mut blockers = Bitboard::EMPTY;
        // Sliders that reach the king once the nearest own pieces are removed.
        let nearest = (diagonal | straight) & own;
        let behind = occupied & !nearest;
        let snipers = (bishop_attacks(king, behind) & (bishops | queens)
            | rook_attacks(king, behind) & (rooks | queens))
            & own;
        for sniper in snipers {
            blockers |= between(king, sniper) & own;
        }
        let squares = Piece::ALL.map(|piece| match piece {
            Piece::Pawn => pawn_attacks(!us, king),
            Piece::Knight => knight_attacks(king),
            Piece::Bishop => diagonal,
            Piece::Rook => straight,
            Piece::Queen => diagonal | straight,
            Piece::King => Bitboard::EMPTY,
        });
        Self {
            king,
            squares,
            blockers,
        }
    }

    /// Returns whether `mv` gives check, as [`Board::gives_check`] does, but faster. The move must be
    /// legal on `board`, which must be the board of [`new`](Self::new).
    ///
    /// ```
    /// use skewer_movegen::Board;
    /// use skewer_ordering::Checks;
    ///
    /// let board: Board = "4k3/8/8/8/8/8/4N3/4RK2 w - - 0 1".parse().unwrap();
    /// let checks = Checks::new(&board);
    /// for mv in &board.legal_moves() {
    ///     assert_eq!(checks.given_by(&board, mv), board.gives_check(mv));
    /// }
    /// ```
    #[inline]
    pub fn given_by(&self, board: &Board, mv: Move) -> bool {
        self.given_by_piece(board, board.moved(mv), mv)
    }

    /// [`given_by`](Self::given_by) for a move of `piece`.
    #[inline]
    pub(crate) fn given_by_piece(&self, board: &Board, piece: Piece, mv: Move) -> bool {
        if mv.kind() != MoveKind::Normal {
            return board.gives_check(mv);
        }
        let (from, to) = (mv.from(), mv.to());
        self.squares[piece.index()].contains(to)
            || (self.blockers.contains(from) && !line(self.king, from).contains(to))
    }
}
