//! Move ordering: the staged picker over the bench positions, attacked squares, and static
//! exchange evaluation.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use skewer_benches::harness::{boards, boards_and_moves, criterion};
use skewer_movegen::{Board, Move};
use skewer_ordering::{
    ContinuationKey, Guide, Histories, MoveContext, MovePicker, attacked_by, see,
};
use skewer_types::DefaultTechniques;

/// Takes `most` moves from a picker; returns how many there were.
fn pick(board: &Board, histories: &Histories, hash_move: Option<Move>, most: usize) -> usize {
    let threats = attacked_by(board, !board.turn());
    let context = MoveContext {
        attacked: threats.all,
        continuation: [ContinuationKey::NONE; 4],
        pawn_key: 0,
        ply: 10,
    };
    let guide = Guide {
        checks: None,
        histories,
        context: &context,
        threats: &threats,
    };
    let mut picker = MovePicker::new(hash_move, [None; 2], None);
    let mut picked = 0;
    while picked < most
        && let Some(mv) = picker.next(DefaultTechniques, board, guide, |_, _| 0)
    {
        black_box(mv);
        picked += 1;
    }
    picked
}

fn picker(criterion: &mut Criterion) {
    let boards = boards();
    let histories = Histories::new();
    let mut group = criterion.benchmark_group("ordering/picker");
    for (name, most) in [("first_move", 1), ("first_four", 4), ("all", usize::MAX)] {
        let moves: usize = boards
            .iter()
            .map(|board| pick(board, &histories, None, most))
            .sum();
        group.throughput(Throughput::Elements(moves as u64));
        group.bench_function(name, |b| {
            b.iter(|| {
                boards
                    .iter()
                    .map(|board| pick(black_box(board), &histories, None, most))
                    .sum::<usize>()
            });
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("ordering/threats");
    group.throughput(Throughput::Elements(boards.len() as u64));
    group.bench_function("attacked_by", |b| {
        b.iter(|| {
            for board in &boards {
                black_box(attacked_by(black_box(board), !board.turn()));
            }
        });
    });
    group.finish();
}

fn exchanges(criterion: &mut Criterion) {
    let (captures, quiets): (Vec<_>, Vec<_>) = boards_and_moves()
        .into_iter()
        .partition(|(board, mv)| board.is_capture(*mv) || mv.is_promotion());
    let mut group = criterion.benchmark_group("ordering/see");
    for (name, moves) in [("captures", &captures), ("quiets", &quiets)] {
        group.throughput(Throughput::Elements(moves.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| {
                moves
                    .iter()
                    .filter(|(board, mv)| see::at_least(black_box(board), *mv, 0))
                    .count()
            });
        });
    }
    group.finish();
}

fn main() {
    let mut criterion = criterion();
    picker(&mut criterion);
    exchanges(&mut criterion);
    criterion.final_summary();
}
