//! Move generation: legal moves, making them, perft, FEN and SAN.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use skewer_benches::harness::{boards, boards_and_moves, criterion};
use skewer_benches::{POSITIONS, made};
use skewer_movegen::{Board, perft};

/// Generating, counting and making the moves of the bench positions.
fn moves(criterion: &mut Criterion) {
    let boards = boards();
    let pairs = boards_and_moves();
    let mut group = criterion.benchmark_group("movegen/moves");
    group.throughput(Throughput::Elements(pairs.len() as u64));
    group.bench_function("generate", |b| {
        b.iter(|| {
            for board in &boards {
                black_box(black_box(board).legal_moves());
            }
        });
    });
    group.bench_function("count", |b| {
        b.iter(|| {
            boards
                .iter()
                .map(|board| black_box(board).count_legal_moves())
                .sum::<usize>()
        });
    });
    group.bench_function("make", |b| {
        b.iter(|| {
            for (board, mv) in &pairs {
                black_box(black_box(board).play(*mv));
            }
        });
    });
    group.bench_function("gives_check", |b| {
        b.iter(|| {
            pairs
                .iter()
                .filter(|(board, mv)| black_box(board).gives_check(*mv))
                .count()
        });
    });
    group.finish();
}

/// Perft to depth 4 of the published positions, in leaves a second.
fn perft_4(criterion: &mut Criterion) {
    let boards: Vec<Board> = POSITIONS
        .iter()
        .map(|(_, fen, ..)| fen.parse().expect("a legal position"))
        .collect();
    let leaves: u64 = boards.iter().map(|board| perft(board, 4)).sum();
    let mut group = criterion.benchmark_group("movegen/perft_4");
    group
        .throughput(Throughput::Elements(leaves))
        .sample_size(10);
    group.bench_function("bulk_counted", |b| {
        b.iter(|| boards.iter().map(|board| perft(board, 4)).sum::<u64>());
    });
    group.bench_function("all_made", |b| {
        b.iter(|| boards.iter().map(|board| made(board, 4)).sum::<u64>());
    });
    group.finish();
}

/// Reading and writing positions and moves as text.
fn text(criterion: &mut Criterion) {
    let boards = boards();
    let fens: Vec<String> = boards.iter().map(Board::to_string).collect();
    let mut group = criterion.benchmark_group("movegen/fen");
    group.throughput(Throughput::Elements(fens.len() as u64));
    group.bench_function("read", |b| {
        b.iter(|| {
            for fen in &fens {
                black_box(Board::from_fen(black_box(fen)).expect("a legal position"));
            }
        });
    });
    group.bench_function("write", |b| {
        b.iter(|| {
            for board in &boards {
                black_box(black_box(board).to_string());
            }
        });
    });
    group.finish();

    let pairs = boards_and_moves();
    let san: Vec<String> = pairs
        .iter()
        .map(|(board, mv)| board.san(*mv).to_string())
        .collect();
    let mut group = criterion.benchmark_group("movegen/san");
    group.throughput(Throughput::Elements(pairs.len() as u64));
    group.bench_function("read", |b| {
        b.iter(|| {
            for ((board, _), text) in pairs.iter().zip(&san) {
                black_box(board.parse_san(black_box(text)).expect("a legal move"));
            }
        });
    });
    group.bench_function("write", |b| {
        b.iter(|| {
            for (board, mv) in &pairs {
                black_box(board.san(black_box(*mv)).to_string());
            }
        });
    });
    group.finish();
}

fn main() {
    let mut criterion = criterion();
    moves(&mut criterion);
    perft_4(&mut criterion);
    text(&mut criterion);
    criterion.final_summary();
}
