//! The speed of move generation, compared with peer crates.
//!
//! `cargo bench --manifest-path benches/peers/Cargo.toml --bench perft`. The contestants alternate on each position in many short runs, so that other work on the
//! machine affects all alike. Times are processor times of the thread; rates are
//! the medians of the runs and ratios the medians of the ratios of neighbouring runs. `--full` runs
//! the published depths, three times; `--quick` runs few rounds; `counting`, `loops` or `making` prints only
//! that table.

use std::hint::black_box;

use cpu_time::ThreadTime;
use skewer_benches::POSITIONS;
use skewer_benches::ratios::alternate;
use skewer_movegen::Child;
use skewer_peers::generators::{
    Position, cozy_bulk, loop_of_chess, loop_of_shakmaty, loop_over_lists, loop_over_moves, made,
};

/// One generator on one position: perfts to a depth.
struct Contestant {
    name: &'static str,
    /// With the moves of the last ply counted.
    count: Option<Run>,
    /// By a loop that a user writes, with the moves of the last ply counted.
    looped: Option<Run>,
    /// With every move played, also at the last ply.
    make: Option<Run>,
}

type Run = Box<dyn Fn(u32) -> u64>;

impl Contestant {
    fn new<T: Position + 'static>(name: &'static str, board: T, count: fn(&T, u32) -> u64) -> Self {
        let board = std::rc::Rc::new(board);
        let same = board.clone();
        Self {
            name,
            count: Some(Box::new(move |depth| count(&board, depth))),
            looped: None,
            make: Some(Box::new(move |depth| made(&*same, depth))),
        }
    }

    /// A contestant of the table of loops alone.
    fn looping<T: 'static>(name: &'static str, board: T, looped: fn(&T, u32) -> u64) -> Self {
        Self {
            name,
            count: None,
            looped: Some(Box::new(move |depth| looped(&board, depth))),
            make: None,
        }
    }
}

/// All contestants on one position. Ratios are relative to the first.
fn contestants(fen: &str) -> Vec<Contestant> {
    let board: skewer_movegen::Board = fen.parse().unwrap();
    let mut all = vec![
        Contestant::new("skewer", Child::from(&board), counted),
        Contestant::new("skewer, boards", board, skewer_movegen::perft),
        Contestant::looping("skewer, moves()", board, loop_over_moves),
        Contestant::looping("skewer, legal_moves()", board, loop_over_lists),
    ];
    all.extend(peers(fen));
    all
}

/// Perft with the moves of the last ply counted.
fn counted(position: &Child, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves() as u64,
        _ => {
            let mut nodes = 0;
            position.for_each_child(|next| nodes += counted(next, depth - 1));
            nodes
        }
    }
}

fn peers(fen: &str) -> [Contestant; 7] {
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
    let eschac = eschac.into_position().unwrap();
    [
        Contestant::new("eschac 0.6.2 (no keys)", eschac, |position, depth| {
            position.perft(depth as usize) as u64
        }),
        Contestant::looping(cozy_name, cozy.clone(), cozy_bulk),
        Contestant::looping("chess 3.2", chess, loop_of_chess),
        Contestant::looping("shakmaty 0.30.1", shakmaty.clone(), loop_of_shakmaty),
        Contestant::new(cozy_name, cozy, cozy_bulk),
        Contestant::new("chess 3.2", chess, |board, depth| match depth {
            0 => 1,
            _ => chess::MoveGen::movegen_perft_test(board, depth as usize) as u64,
        }),
        Contestant::new("shakmaty 0.30.1", shakmaty, |position, depth| {
            shakmaty::perft(position, depth)
        }),
    ]
}

/// Runs contestants in turn on every position and prints the table: million leaves a second, and
/// the speed of the first relative to each.
fn table(title: &str, pick: fn(Contestant) -> Option<Run>, rounds: usize, less: u32) {
    println!("\n{title}: million leaves a second (speed of skewer relative to it)\n");
    let named = |contestant: Contestant| {
        let name = contestant.name;
        pick(contestant).map(|_| name)
    };
    let all = contestants(POSITIONS[0].1);
    let names: Vec<_> = all.into_iter().filter_map(named).collect();
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
        let measured = alternate(runs.len(), rounds, |i| {
            let begin = ThreadTime::now();
            let leaves = runs[i](black_box(depth));
            let seconds = begin.elapsed().as_secs_f64();
            assert_eq!(leaves, expected, "{} on {position}", names[i]);
            seconds
        });
        print!("{position:<14}");
        for (i, (seconds, ratio)) in measured.into_iter().enumerate() {
            let rate = expected as f64 / seconds / 1e6;
            products[i] += ratio.ln();
            print!("{:>24}", format!("{rate:.0} ({ratio:.2})"));
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
    let all = !["counting", "loops", "making"].into_iter().any(asked);
    if all || asked("loops") {
        table("Loops over moves", |c| c.looped, rounds, less);
    }
    if all || asked("counting") {
        table("Counting", |c| c.count, rounds, less);
    }
    if all || asked("making") {
        table("Making every move", |c| c.make, rounds.min(11), less);
    }
}
