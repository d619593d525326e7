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

/// Perft by a loop over the moves of [`Board::moves`](skewer_movegen::Board::moves), with the moves of the last ply
/// counted.
pub fn loop_over_moves(board: &skewer_movegen::Board, depth: u32) -> u64 {
    let moves = board.moves();
    match depth {
        0 => 1,
        1 => moves.len() as u64,
        _ => {
            let below = |mv| loop_over_moves(&board.play(mv), depth - 1);
            moves.into_iter().map(below).sum()
        }
    }
}

/// The same over lists.
pub fn loop_over_lists(board: &skewer_movegen::Board, depth: u32) -> u64 {
    let moves = board.legal_moves();
    match depth {
        0 => 1,
        1 => moves.len() as u64,
        _ => {
            let below = |mv| loop_over_lists(&board.play(mv), depth - 1);
            moves.into_iter().map(below).sum()
        }
    }
}

/// The same with chess.
pub fn loop_of_chess(board: &chess::Board, depth: u32) -> u64 {
    let moves = chess::MoveGen::new_legal(board);
    match depth {
        0 => 1,
        1 => moves.len() as u64,
        _ => {
            let below = |mv| loop_of_chess(&board.make_move_new(mv), depth - 1);
            moves.map(below).sum()
        }
    }
}

/// The same with shakmaty.
pub fn loop_of_shakmaty(position: &shakmaty::Chess, depth: u32) -> u64 {
    let moves = shakmaty::Position::legal_moves(position);
    match depth {
        0 => return 1,
        1 => return moves.len() as u64,
        _ => {}
    }
    let mut nodes = 0;
    for mv in moves {
        let mut next = position.clone();
        shakmaty::Position::play_unchecked(&mut next, mv);
        nodes += loop_of_shakmaty(&next, depth - 1);
    }
    nodes
}

/// Perft of cozy-chess by a loop over its sets of moves, with the moves of the last ply counted, not played.
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
