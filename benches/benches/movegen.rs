//! Move generation: legal moves, making them, perft, FEN and SAN.

use std::hint::black_box;

use skewer_benches::POSITIONS;
use skewer_benches::harness::{boards, boards_and_moves, criterion, over};
use skewer_movegen::{Board, perft};

/// Perft with every move played, also at the last ply.
fn made(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    // Without the black box the compiler would leave out positions that are not used.
    board.for_each_move(|mv| nodes += made(black_box(&board.play(mv)), depth - 1));
    nodes
}

fn main() {
    let mut criterion = criterion();
    let boards = boards();
    let pairs = boards_and_moves();
    let moves = pairs.len();

    let mut group = criterion.benchmark_group("movegen/moves");
    over(&mut group, "generate", moves, &boards, Board::legal_moves);
    over(
        &mut group,
        "count",
        moves,
        &boards,
        Board::count_legal_moves,
    );
    over(&mut group, "make", moves, &pairs, |(board, mv)| {
        board.play(*mv)
    });
    over(&mut group, "gives_check", moves, &pairs, |(board, mv)| {
        board.gives_check(*mv)
    });
    group.finish();

    let famous: Vec<Board> = POSITIONS
        .iter()
        .map(|(_, fen, ..)| fen.parse().expect("a legal position"))
        .collect();
    let leaves = famous.iter().map(|board| perft(board, 4)).sum::<u64>() as usize;
    let mut group = criterion.benchmark_group("movegen/perft_4");
    group.sample_size(10);
    over(&mut group, "bulk_counted", leaves, &famous, |board| {
        perft(board, 4)
    });
    over(&mut group, "all_made", leaves, &famous, |board| {
        made(board, 4)
    });
    group.finish();

    let fens: Vec<String> = boards.iter().map(Board::to_string).collect();
    let mut group = criterion.benchmark_group("movegen/fen");
    over(&mut group, "read", fens.len(), &fens, |fen| {
        Board::from_fen(fen)
    });
    over(&mut group, "write", fens.len(), &boards, Board::to_string);
    group.finish();

    let sans: Vec<(Board, String)> = pairs
        .iter()
        .map(|(board, mv)| (*board, board.san(*mv).to_string()))
        .collect();
    let mut group = criterion.benchmark_group("movegen/san");
    over(&mut group, "read", moves, &sans, |(board, san)| {
        board.parse_san(san)
    });
    over(&mut group, "write", moves, &pairs, |(board, mv)| {
        board.san(*mv).to_string()
    });
    group.finish();
    criterion.final_summary();
}
