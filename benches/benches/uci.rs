//! Reading UCI commands, in bytes a second.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use skewer::command::parse;
use skewer_benches::harness::criterion;
use skewer_movegen::Board;

/// A `position` command with `plies` legal moves.
fn position(plies: usize) -> String {
    let mut board = Board::STARTPOS;
    let mut line = "position startpos moves".to_owned();
    for ply in 0..plies {
        let moves = board.legal_moves();
        let mv = moves[ply * 7 % moves.len()];
        line.push(' ');
        line.push_str(&mv.to_string());
        board = board.play(mv);
    }
    line
}

fn lines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("uci/parse");
    for (name, line) in [
        ("position_100_plies", position(100)),
        (
            "position_fen",
            "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
                .to_owned(),
        ),
        (
            "go_clock",
            "go wtime 60000 btime 59000 winc 600 binc 600 movestogo 40".to_owned(),
        ),
        ("setoption", "setoption name Hash value 1024".to_owned()),
        ("isready", "isready".to_owned()),
    ] {
        assert!(parse(&line).command.is_some(), "{line}");
        group.throughput(Throughput::Bytes(line.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| {
                black_box(parse(black_box(&line)));
            });
        });
    }
    group.finish();
}

fn main() {
    let mut criterion = criterion();
    lines(&mut criterion);
    criterion.final_summary();
}
