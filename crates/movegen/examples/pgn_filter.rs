//! Reads games as lines of SAN moves and prints those that end in mate:
//! `cargo run --example pgn_filter < games.txt`. Move numbers, results and `{comments}` of one word are
//! skipped. The crate skewer-pgn reads whole PGN files.

use std::io::{self, BufRead};

use skewer_movegen::{Game, Termination};

fn main() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let line = line?;
        let mut game = Game::default();
        for word in line.split_whitespace() {
            let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            // Any other word is a result or a comment.
            if let Ok(mv) = game.board().parse_san(word)
                && game.play(mv).is_err()
            {
                break;
            }
        }
        if matches!(game.termination(), Some(Termination::Checkmate { .. })) {
            println!("{line}");
        }
    }
    Ok(())
}
