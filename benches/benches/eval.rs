//! Evaluation by the hand-written terms and by the network, from scratch and incrementally. The
//! network is measured with each kernel that this processor can run.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput};
use skewer_benches::harness::{boards, boards_and_moves, criterion, network};
use skewer_eval::network::Kernel;
use skewer_eval::{Evaluator, HandWritten, Network};
use skewer_movegen::Board;

/// Evaluates each bench position from scratch, and each of its children incrementally.
fn evaluate(criterion: &mut Criterion, name: &str, evaluator: &mut impl Evaluator) {
    let boards = boards();
    let children: Vec<(Board, Vec<_>)> = boards
        .iter()
        .map(|board| {
            let moves = board.legal_moves().into_iter();
            (*board, moves.map(|mv| (mv, board.play(mv))).collect())
        })
        .collect();
    let mut group = criterion.benchmark_group(format!("eval/{name}"));
    group.throughput(Throughput::Elements(boards.len() as u64));
    group.bench_function("full", |b| {
        b.iter(|| {
            for board in &boards {
                evaluator.reset(black_box(board));
                black_box(evaluator.evaluate(board));
            }
        });
    });
    group.throughput(Throughput::Elements(boards_and_moves().len() as u64));
    group.bench_function("incremental", |b| {
        b.iter(|| {
            for (board, children) in &children {
                evaluator.reset(board);
                for (mv, child) in children {
                    evaluator.push(board, *mv, black_box(child));
                    black_box(evaluator.evaluate(child));
                    evaluator.pop();
                }
            }
        });
    });
    group.finish();
}

fn main() {
    let mut criterion = criterion();
    evaluate(&mut criterion, "hand_written", &mut HandWritten::default());
    let parameters = network();
    for kernel in Kernel::available() {
        let name = format!("network_{kernel:?}").to_lowercase();
        let mut network = Network::with_kernel(Arc::clone(&parameters), kernel);
        evaluate(&mut criterion, &name, &mut network);
    }
    criterion.final_summary();
}
