//! The speed of move generation, compared with peer crates.
//!
//! `cargo bench -p skewer-benches --features peers --bench perft` (without the feature: this crate
//! alone). The contestants alternate on each position in many short runs, so that other work on the
//! machine affects all alike. Times are processor times of the thread; rates are
//! the medians of the runs and ratios the medians of the ratios of neighbouring runs. `--full` runs
//! the published depths, three times; `--quick` runs few rounds; `counting` or `making` prints only
//! that table.

use std::hint::black_box;

use cpu_time::ThreadTime;
use skewer_benches::POSITIONS;
use skewer_benches::ratios::median;

/// One generator on one position: perfts to a depth.
struct Contestant {
    name: &'static str,
    /// With the moves of the last ply counted.
    count: Option<Run>,
    /// With every move played, also at the last ply.
    make: Option<Run>,
}

type Run = Box<dyn Fn(u32) -> u64>;

impl Contestant {
    fn new<T: 'static>(
        name: &'static str,
        board: T,
        count: fn(&T, u32) -> u64,
        make: fn(&T, u32) -> u64,
    ) -> Self {
        let board = std::rc::Rc::new(board);
        let same = board.clone();
        Self {
            name,
            count: Some(Box::new(move |depth| count(&board, depth))),
            make: Some(Box::new(move |depth| make(&same, depth))),
        }
    }
}

/// All contestants on one position. Ratios are relative to the first.
fn contestants(fen: &str) -> Vec<Contestant> {
    let board: skewer_movegen::Board = fen.parse().unwrap();
    #[allow(unused_mut, reason = "peers are pushed below when they are built in")]
    let mut all = vec![
        // The perft of the crate, and `for_each_child`.
        Contestant::new(
            "skewer",
            board,
            skewer_movegen::perft,
            skewer_benches::children,
        ),
        // As a user of the crate would write it: `for_each_move` and `play`.
        Contestant::new(
            "skewer, move and play",
            board,
            skewer_benches::bulk,
            skewer_benches::made,
        ),
        Contestant::new(
            "skewer, LeanBoard",
            skewer_movegen::LeanBoard::from(&board),
            skewer_benches::lean_bulk,
            skewer_benches::lean_children,
        ),
    ];
    #[cfg(feature = "peers")]
    all.extend(peers(fen));
    all
}

#[cfg(feature = "peers")]
fn peers(fen: &str) -> [Contestant; 4] {
    use skewer_benches::peers;

    let four_fields = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
    let eschac = eschac::setup::Setup::from_text_record(&four_fields).unwrap();
    let cozy: cozy_chess::Board = fen.parse().unwrap();
    let chess: chess::Board = fen.parse().unwrap();
    let shakmaty: shakmaty::fen::Fen = fen.parse().unwrap();
    let shakmaty: shakmaty::Chess = shakmaty
        .into_position(shakmaty::CastlingMode::Standard)
        .unwrap();
    let cozy_name = if cfg!(feature = "pext") {
        "cozy-chess 0.3.4, pext"
    } else {
        "cozy-chess 0.3.4"
    };
    [
        Contestant::new(
            "eschac 0.6.2 (no keys)",
            eschac.into_position().unwrap(),
            peers::eschac_bulk,
            peers::eschac_made,
        ),
        Contestant::new(cozy_name, cozy, peers::cozy_bulk, peers::cozy_made),
        Contestant::new("chess 3.2", chess, peers::chess_bulk, peers::chess_made),
        Contestant::new(
            "shakmaty 0.30.1",
            shakmaty,
            peers::shakmaty_bulk,
            peers::shakmaty_made,
        ),
    ]
}

/// Runs contestants in turn on every position and prints the table: million leaves a second, and
/// the speed of the first relative to each.
fn table(title: &str, pick: fn(Contestant) -> Option<Run>, rounds: usize, less: u32) {
    println!("\n{title}: million leaves a second (speed of skewer relative to it)\n");
    let names: Vec<_> = contestants(POSITIONS[0].1).iter().map(|c| c.name).collect();
    print!("{:<14}", "");
    for name in &names {
        print!("{name:>24}");
    }
    println!();
    let mut products = vec![0.0; names.len()];
    for (position, fen, depth, count) in POSITIONS {
        let runs: Vec<Run> = contestants(fen).into_iter().filter_map(pick).collect();
        let depth = depth - less;
        let expected = if less == 0 { count } else { runs[0](depth) };
        let mut rates = vec![Vec::new(); runs.len()];
        let mut ratios = vec![Vec::new(); runs.len()];
        // The first round warms up: tables, caches, clock.
        for round in 0..=rounds {
            for (i, run) in runs.iter().enumerate() {
                let begin = ThreadTime::now();
                let leaves = run(black_box(depth));
                let rate = leaves as f64 / begin.elapsed().as_secs_f64() / 1e6;
                assert_eq!(leaves, expected, "{} on {position}", names[i]);
                if round > 0 {
                    rates[i].push(rate);
                    ratios[i].push(rates[0][round - 1] / rate);
                }
            }
        }
        print!("{position:<14}");
        for (i, (rates, ratios)) in rates.into_iter().zip(ratios).enumerate() {
            let ratio = median(&ratios);
            products[i] += ratio.ln();
            print!("{:>24}", format!("{:.0} ({ratio:.2})", median(&rates)));
        }
        println!();
    }
    print!("{:<14}", "geometric mean");
    for product in products {
        let mean = (product / POSITIONS.len() as f64).exp();
        print!("{:>24}", format!("({mean:.2})"));
    }
    println!();
}

fn main() {
    let asked = |word: &str| std::env::args().any(|arg| arg == word);
    let (rounds, less) = match (asked("--full"), asked("--quick")) {
        (true, _) => (3, 0),
        (false, true) => (5, 1),
        (false, false) => (31, 1),
    };
    let both = !asked("counting") && !asked("making");
    if both || asked("counting") {
        table("Counting", |c| c.count, rounds, less);
    }
    if both || asked("making") {
        table("Making every move", |c| c.make, rounds.min(11), less);
    }
}
