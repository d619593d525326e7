//! Probes positions: `cargo run --example probe -- DIRECTORY [FEN]`. Without a FEN, reads FENs from
//! standard input, one a line, and prints for each the WDL (-2 to 2) and the DTZ, or the error. With
//! `--wdl` in place of a FEN it leaves out the DTZ.

use std::io::{BufWriter, Write, stdin, stdout};
use std::process::ExitCode;

use skewer_movegen::Board;
use skewer_syzygy::{FiftyMoveRule, ProbeError, Tables};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.as_slice() {
        [directory] => probe_lines(directory, true),
        [directory, option] if option == "--wdl" => probe_lines(directory, false),
        [directory, fen] => show(directory, fen),
        _ => Err("usage: probe DIRECTORY [FEN | --wdl]".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("probe: {error}");
            ExitCode::FAILURE
        }
    }
}

type AnyError = Box<dyn std::error::Error>;

/// Prints the table results of a position and of its moves, the best first.
fn show(directory: &str, fen: &str) -> Result<(), AnyError> {
    let tables = Tables::open(directory)?;
    let board: Board = fen.parse()?;
    println!(
        "outcome {:?}, DTZ {}",
        tables.probe_wdl(&board)?,
        tables.probe_dtz(&board)?
    );
    for ranked in tables.rank_moves(&board, FiftyMoveRule::InForce)? {
        let dtz = ranked
            .dtz
            .map_or("unknown".to_owned(), |dtz| dtz.to_string());
        println!(
            "{:7} {:?}, DTZ {dtz}",
            board.san(ranked.mv).to_string(),
            ranked.wdl
        );
    }
    Ok(())
}

/// Prints one line for each FEN on standard input.
fn probe_lines(directory: &str, distances: bool) -> Result<(), AnyError> {
    let tables = Tables::open(directory)?;
    let mut out = BufWriter::new(stdout().lock());
    for line in stdin().lines() {
        let line = line?;
        let board: Board = line.parse().map_err(|error| format!("{line}: {error}"))?;
        let probe = || -> Result<String, ProbeError> {
            let wdl = tables.probe_wdl(&board)? as i32 - 2;
            if !distances {
                return Ok(wdl.to_string());
            }
            Ok(format!("{wdl} {}", tables.probe_dtz(&board)?))
        };
        writeln!(out, "{}", probe().unwrap_or_else(|error| error.to_string()))?;
    }
    Ok(())
}
