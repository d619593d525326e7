//! Reading PGN, in bytes a second: the tokens alone, with every move played, and as whole games.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use skewer_benches::harness::{GAMES, criterion};
use skewer_pgn::{Games, Reader, Visitor};

/// Ignores all tokens.
struct Skim;

impl Visitor for Skim {
    type Output = ();

    fn end_game(&mut self) {}
}

fn read(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pgn");
    group.throughput(Throughput::Bytes(GAMES.len() as u64));
    group.bench_function("tokens", |b| {
        b.iter(|| {
            let mut reader = Reader::new(black_box(GAMES).as_bytes());
            let mut games = 0;
            while reader
                .read_game(&mut Skim)
                .expect("readable text")
                .is_some()
            {
                games += 1;
            }
            games
        });
    });
    group.bench_function("moves_played", |b| {
        b.iter(|| {
            let tally = skewer_pgn::check(black_box(GAMES).as_bytes()).expect("readable text");
            assert_eq!((tally.games, tally.bad_games), (12, 0));
            tally.moves
        });
    });
    group.bench_function("games", |b| {
        b.iter(|| Games::new(black_box(GAMES).as_bytes()).flatten().count());
    });
    group.finish();
}

fn main() {
    let mut criterion = criterion();
    read(&mut criterion);
    criterion.final_summary();
}
