//! WDL probes a second, compared with pyrrhic-rs and shakmaty-syzygy.
//!
//! `cargo bench --manifest-path benches/peers/Cargo.toml --bench syzygy` probes random positions of all
//! tables of three and four pieces, in files that the system has cached. All probers must agree. They
//! alternate; rates are medians, and each ratio is the median of the ratios to the run of our mapped
//! files beside it. pyrrhic-rs always maps its files.

use std::hint::black_box;
use std::thread;
use std::time::Instant;

use shakmaty::Chess;
use skewer_benches::ratios::alternate;
use skewer_movegen::Board;
use skewer_peers::tables::{DATA, Pyrrhic, Shakmaty, random_position};
use skewer_syzygy::{Material, Tables};

/// Random positions of each material.
const POSITIONS: usize = 600;

/// Runs of each prober.
const RUNS: usize = 15;

/// Probes every `step`th position from index `from` on, and returns the sum of the outcomes.
/// Arguments: `from`, `step`.
type Probe<'a> = Box<dyn Fn(usize, usize) -> u64 + Sync + 'a>;

fn main() {
    let mut rng = fastrand::Rng::with_seed(2026);
    let boards: Vec<Board> = (3..=4)
        .flat_map(Material::with_pieces)
        .flat_map(|material| (0..POSITIONS).map(move |_| material).collect::<Vec<_>>())
        .map(|material| random_position(material, &mut rng))
        .collect();
    let positions: Vec<Chess> = boards.iter().map(Shakmaty::position).collect();

    let mapped = Tables::builder()
        .directory(DATA)
        .map_files()
        .open()
        .expect("tables");
    let whole = Tables::open(DATA).expect("tables");
    let at_positions = Tables::builder()
        .directory(DATA)
        .read_whole_up_to(0)
        .open()
        .expect("tables");
    let pyrrhic = Pyrrhic::open(DATA);
    let shakmaty_mapped = Shakmaty::open_mapped(DATA);
    let shakmaty = Shakmaty::open(DATA);
    let each = |wdl: &dyn Fn(usize) -> Option<skewer_syzygy::Wdl>, from: usize, step: usize| {
        let outcomes = (from..boards.len())
            .step_by(step)
            .map(|at| wdl(at).expect("an outcome"));
        outcomes
            .map(|outcome| black_box(outcome) as u64)
            .sum::<u64>()
    };
    let probers: [(&str, Probe<'_>); 6] = [
        (
            "ours, mapped",
            Box::new(|from, step| each(&|at| mapped.probe_wdl(&boards[at]).ok(), from, step)),
        ),
        (
            "ours, read whole (default up to 1 MiB)",
            Box::new(|from, step| each(&|at| whole.probe_wdl(&boards[at]).ok(), from, step)),
        ),
        (
            "ours, read at positions (default above)",
            Box::new(|from, step| each(&|at| at_positions.probe_wdl(&boards[at]).ok(), from, step)),
        ),
        (
            "pyrrhic-rs 0.2, mapped",
            Box::new(|from, step| each(&|at| pyrrhic.wdl(&boards[at]), from, step)),
        ),
        (
            "shakmaty-syzygy 0.28, mapped",
            Box::new(|from, step| each(&|at| shakmaty_mapped.wdl(&positions[at]), from, step)),
        ),
        (
            "shakmaty-syzygy 0.28, read",
            Box::new(|from, step| each(&|at| shakmaty.wdl(&positions[at]), from, step)),
        ),
    ];
    let sums: Vec<u64> = probers.iter().map(|(_, probe)| probe(0, 1)).collect();
    assert!(
        sums.windows(2).all(|pair| pair[0] == pair[1]),
        "the probers differ: {sums:?}"
    );
    println!(
        "{} positions; million probes a second (ratio to ours, mapped)",
        boards.len()
    );
    for threads in [1, 2] {
        println!("threads: {threads}");
        measure(&probers, boards.len(), threads);
    }
}

/// Measures the probers in turn and prints a line for each.
fn measure(probers: &[(&str, Probe<'_>)], positions: usize, threads: usize) {
    let measured = alternate(probers.len(), RUNS, |at| {
        let start = Instant::now();
        thread::scope(|scope| {
            for from in 0..threads {
                scope.spawn(move || black_box(probers[at].1(from, threads)));
            }
        });
        start.elapsed().as_secs_f64()
    });
    for ((name, _), (seconds, ratio)) in probers.iter().zip(measured) {
        let rate = positions as f64 / seconds / 1e6;
        println!("{name:42} {rate:7.3} ({:.2})", 1.0 / ratio);
    }
}
