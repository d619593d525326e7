//! Checks every move of PGN files, and prints the counts and the speed:
//! `cargo run --release -p skewer-pgn --example tally -- FILE...`

use std::fs::File;
use std::time::Instant;

fn main() -> std::io::Result<()> {
    for file in std::env::args().skip(1) {
        let start = Instant::now();
        let tally = skewer_pgn::check(File::open(&file)?)?;
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{file}: {} games, {} of them bad, {} moves, {:.1} MB/s, {:.0} games/s",
            tally.games,
            tally.bad_games,
            tally.moves,
            tally.bytes as f64 / 1e6 / seconds,
            tally.games as f64 / seconds
        );
    }
    Ok(())
}
