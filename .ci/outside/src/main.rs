//! Answers the searches of `.ci/conformance/searches.csv`, which it reads from the standard input, with the
//! published crates alone. Prints the rows with its own answers.

use std::io::Read as _;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use skewer::pgn::Games;
use skewer::{
    Board, Bound, CastlingMode, Engine, Evaluation, Event, Limits, Options, Report, TableSize,
};

type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match answer() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("outside: {error}");
            ExitCode::FAILURE
        }
    }
}

fn answer() -> Result<(), Failure> {
    let games: Vec<_> = Games::new("1. e4 e5 2. Nf3 1-0".as_bytes()).collect::<Result<_, _>>()?;
    assert_eq!(games.len(), 1);

    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input)?;
    let mut lines = input.lines();
    println!("{}", lines.next().unwrap_or_default());
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let [fen, chess960, hash, count, network, nodes, ..] = fields[..] else {
            return Err(format!("not a search: {line}").into());
        };
        let board = Board::from_fen(fen)?;
        let evaluation = if network == "true" {
            Evaluation::default()
        } else {
            Evaluation::hand_written()
        };
        let curve = evaluation.win_curve(&board);
        let limits = Limits {
            multi_pv: count.parse()?,
            nodes: Some(nodes.parse()?),
            ..Limits::default()
        };
        let options = Options {
            hash: TableSize::from_megabytes(hash.parse()?),
            ..Options::default()
        };
        let last = Arc::new(Mutex::new(None::<Report>));
        let seen = Arc::clone(&last);
        let mut engine = Engine::with_evaluation(options, evaluation)?;
        let search = engine.search(board, limits, move |event| {
            if let Event::Line(report) = event
                && report.multi_pv == 1
                && report.bound == Bound::Exact
                && let Ok(mut last) = seen.lock()
            {
                // A search of more than three seconds may repeat its best line.
                let is_known = |old: &Report| {
                    (old.depth, old.score, &old.pv) == (report.depth, report.score, &report.pv)
                };
                if !last.as_ref().is_some_and(is_known) {
                    *last = Some(report.clone());
                }
            }
        });
        let best = search.wait().best.ok_or("no legal move")?;
        let report = last.lock().map_err(|_| "a panic")?.take();
        let report = report.ok_or("no line")?;
        let score = curve.uci(report.score);
        let castling = if chess960 == "true" {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        };
        let best = board.uci_in(best, castling);
        let searched = report.nodes;
        println!("{fen},{chess960},{hash},{count},{network},{nodes},{best},{score},{searched}");
    }
    Ok(())
}
