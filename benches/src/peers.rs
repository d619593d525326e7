//! Perft by the public interfaces of the peer crates, each in the way that its authors show.

/// cozy-chess, the moves of the last ply counted.
pub fn cozy_bulk(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    match depth {
        0 => nodes = 1,
        1 => {
            board.generate_moves(|moves| {
                nodes += moves.len() as u64;
                false
            });
        }
        _ => {
            board.generate_moves(|moves| {
                for mv in moves {
                    let mut board = board.clone();
                    board.play_unchecked(mv);
                    nodes += cozy_bulk(&board, depth - 1);
                }
                false
            });
        }
    }
    nodes
}

/// cozy-chess, every move made.
pub fn cozy_made(board: &cozy_chess::Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            let mut board = board.clone();
            board.play_unchecked(mv);
            nodes += cozy_made(&board, depth - 1);
        }
        false
    });
    nodes
}

/// eschac, the moves of the last ply counted: its own function.
pub fn eschac_bulk(position: &eschac::position::Position, depth: u32) -> u64 {
    position.perft(depth as usize) as u64
}

/// eschac, every move made.
pub fn eschac_made(position: &eschac::position::Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    position.for_each_move(|mv| nodes += eschac_made(&mv.make(), depth - 1));
    nodes
}

/// chess, the moves of the last ply counted: its own function.
pub fn chess_bulk(board: &chess::Board, depth: u32) -> u64 {
    if depth == 0 {
        1
    } else {
        chess::MoveGen::movegen_perft_test(board, depth as usize) as u64
    }
}

/// chess, every move made.
pub fn chess_made(board: &chess::Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    chess::MoveGen::new_legal(board)
        .map(|mv| chess_made(&board.make_move_new(mv), depth - 1))
        .sum()
}

/// shakmaty, the moves of the last ply counted: its own function.
pub fn shakmaty_bulk(position: &shakmaty::Chess, depth: u32) -> u64 {
    shakmaty::perft(position, depth)
}

/// shakmaty, every move made.
pub fn shakmaty_made(position: &shakmaty::Chess, depth: u32) -> u64 {
    use shakmaty::Position;

    if depth == 0 {
        return 1;
    }
    position
        .legal_moves()
        .iter()
        .map(|mv| {
            let mut child = position.clone();
            child.play_unchecked(*mv);
            shakmaty_made(&child, depth - 1)
        })
        .sum()
}
