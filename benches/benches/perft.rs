//! How fast moves are generated, beside the peer crates.
//!
//! `cargo bench -p skewer-benches --features peers --bench perft` (without the feature: this crate
//! alone). The contestants take turns on each position, many short runs each, so that whatever
//! else the machine does meets all of them alike; rates are the medians of the runs and ratios
//! the medians of the ratios of neighbouring runs. `--full` runs the published depths once.

use std::hint::black_box;
use std::time::Instant;

use skewer_benches::POSITIONS;

/// One generator on one position: a perft of a depth.
struct Contestant {
    name: &'static str,
    run: Box<dyn Fn(u32) -> u64>,
}

fn contestant(name: &'static str, run: impl Fn(u32) -> u64 + 'static) -> Contestant {
    Contestant {
        name,
        run: Box::new(run),
    }
}

/// Those that count the moves of the last ply. The first is ours, which the ratios are of.
fn counting(fen: &str) -> Vec<Contestant> {
    let board: skewer_movegen::Board = fen.parse().unwrap();
    #[allow(unused_mut, reason = "peers are pushed below when they are built in")]
    let mut all = vec![
        contestant("skewer", move |depth| skewer_movegen::perft(&board, depth)),
        contestant("skewer, play + count", move |depth| {
            skewer_benches::bulk(&board, depth)
        }),
    ];
    #[cfg(feature = "peers")]
    {
        use skewer_benches::peers;
        let setup = eschac::setup::Setup::from_text_record(&first_fields(fen)).unwrap();
        let eschac = setup.into_position().unwrap();
        let cozy: cozy_chess::Board = fen.parse().unwrap();
        let chess: chess::Board = fen.parse().unwrap();
        let shakmaty = shakmaty_position(fen);
        all.push(contestant("eschac 0.6.2", move |d| {
            peers::eschac_bulk(&eschac, d)
        }));
        all.push(contestant(COZY, move |d| peers::cozy_bulk(&cozy, d)));
        all.push(contestant("chess 3.2", move |d| {
            peers::chess_bulk(&chess, d)
        }));
        all.push(contestant("shakmaty 0.30.1", move |d| {
            peers::shakmaty_bulk(&shakmaty, d)
        }));
    }
    all
}

/// Those that make the moves of the last ply too.
fn making(fen: &str) -> Vec<Contestant> {
    let board: skewer_movegen::Board = fen.parse().unwrap();
    #[allow(unused_mut, reason = "peers are pushed below when they are built in")]
    let mut all = vec![contestant("skewer", move |depth| {
        skewer_benches::made(&board, depth)
    })];
    #[cfg(feature = "peers")]
    {
        use skewer_benches::peers;
        let setup = eschac::setup::Setup::from_text_record(&first_fields(fen)).unwrap();
        let eschac = setup.into_position().unwrap();
        let cozy: cozy_chess::Board = fen.parse().unwrap();
        let chess: chess::Board = fen.parse().unwrap();
        let shakmaty = shakmaty_position(fen);
        all.push(contestant("eschac 0.6.2 (no keys)", move |d| {
            peers::eschac_made(&eschac, d)
        }));
        all.push(contestant(COZY, move |d| peers::cozy_made(&cozy, d)));
        all.push(contestant("chess 3.2", move |d| {
            peers::chess_made(&chess, d)
        }));
        all.push(contestant("shakmaty 0.30.1", move |d| {
            peers::shakmaty_made(&shakmaty, d)
        }));
    }
    all
}

#[cfg(feature = "peers")]
const COZY: &str = if cfg!(feature = "pext") {
    "cozy-chess 0.3.4, pext"
} else {
    "cozy-chess 0.3.4"
};

/// The four fields that eschac reads.
#[cfg(feature = "peers")]
fn first_fields(fen: &str) -> String {
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

#[cfg(feature = "peers")]
fn shakmaty_position(fen: &str) -> shakmaty::Chess {
    let fen: shakmaty::fen::Fen = fen.parse().unwrap();
    fen.into_position(shakmaty::CastlingMode::Standard).unwrap()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Runs contestants in turn on every position and prints the table: million leaves a second, and
/// how many times as fast as each the first is.
fn table(title: &str, field: fn(&str) -> Vec<Contestant>, rounds: usize, less: u32) {
    println!("\n{title}: million leaves a second (times as fast skewer is)\n");
    let names: Vec<_> = field(POSITIONS[0].1).iter().map(|c| c.name).collect();
    print!("{:<14}", "");
    for name in &names {
        print!("{name:>26}");
    }
    println!();
    let mut products = vec![0.0; names.len()];
    for (position, fen, depth, count) in POSITIONS {
        let field = field(fen);
        let depth = depth - less;
        let mut rates = vec![Vec::new(); field.len()];
        let mut ratios = vec![Vec::new(); field.len()];
        // The first round warms up: tables, caches, clock.
        for round in 0..=rounds {
            for (i, contestant) in field.iter().enumerate() {
                let begin = Instant::now();
                let leaves = (contestant.run)(black_box(depth));
                let rate = leaves as f64 / begin.elapsed().as_secs_f64() / 1e6;
                assert!(
                    less > 0 || leaves == count,
                    "{}: {leaves}, not {count}",
                    contestant.name
                );
                if round > 0 {
                    rates[i].push(rate);
                    let ratio = rates[0][round - 1] / rate;
                    ratios[i].push(ratio);
                }
            }
        }
        print!("{position:<14}");
        for (i, (rates, ratios)) in rates.into_iter().zip(ratios).enumerate() {
            let ratio = median(ratios);
            products[i] += ratio.ln();
            print!("{:>26}", format!("{:.0} ({ratio:.2})", median(rates)));
        }
        println!();
    }
    print!("{:<14}", "geometric mean");
    for product in products {
        print!(
            "{:>26}",
            format!("({:.2})", (product / POSITIONS.len() as f64).exp())
        );
    }
    println!();
}

fn main() {
    let full = std::env::args().any(|arg| arg == "--full");
    let (rounds, less) = if full { (1, 0) } else { (31, 1) };
    table("Counting", counting, rounds, less);
    table("Making every move", making, rounds.min(11), less);
}
