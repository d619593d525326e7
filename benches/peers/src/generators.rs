//! Move generators under one trait: ours, and the generators of the peers by their fastest interfaces.

use std::hint::black_box;

/// A position of a move generator, ours or a peer's.
pub trait Position {
    /// Calls `look` with the position after each legal move.
    fn for_each_child(&self, look: impl FnMut(&Self));
}

impl Position for skewer_movegen::Board {
    fn for_each_child(&self, mut look: impl FnMut(&Self)) {
        self.for_each_move(|mv| look(&self.play(mv)));
    }
}

impl Position for skewer_movegen::Child {
    fn for_each_child(&self, look: impl FnMut(&Self)) {
        self.for_each_child(look);
    }
}

/// Perft with every move played, also at the last ply.
pub fn made(position: &impl Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    // Without the black box the compiler would leave out positions that are not used.
    position.for_each_child(|next| nodes += made(black_box(next), depth - 1));
    nodes
}

impl Position for cozy_chess::Board {
    fn for_each_child(&self, mut look: impl FnMut(&Self)) {
        self.generate_moves(|moves| {
            for mv in moves {
                let mut next = self.clone();
                next.play_unchecked(mv);
                look(&next);
            }
            false
        });
    }
}

impl Position for eschac::position::Position {
    fn for_each_child(&self, mut look: impl FnMut(&Self)) {
        self.for_each_move(|mv| look(&mv.make()));
    }
}

impl Position for chess::Board {
    fn for_each_child(&self, mut look: impl FnMut(&Self)) {
        chess::MoveGen::new_legal(self).for_each(|mv| look(&self.make_move_new(mv)));
    }
}

impl Position for shakmaty::Chess {
    fn for_each_child(&self, mut look: impl FnMut(&Self)) {
        for mv in shakmaty::Position::legal_moves(self) {
            let mut next = self.clone();
            shakmaty::Position::play_unchecked(&mut next, mv);
            look(&next);
        }
    }
}

/// Perft of cozy-chess, with the moves of the last ply counted, not played.
pub fn cozy_bulk(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    match depth {
        0 => return 1,
        1 => {
            board.generate_moves(|moves| {
                nodes += moves.len() as u64;
                false
            });
        }
        _ => board.for_each_child(|next| nodes += cozy_bulk(next, depth - 1)),
    }
    nodes
}
