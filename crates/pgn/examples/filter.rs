//! Copies the games of a player, and reports the bad ones:
//! `cargo run -p skewer-pgn --example filter -- --player Carlsen FILE > carlsen.pgn`

use std::fs::File;
use std::io::{self, BufWriter, Write};

use skewer_pgn::{Games, ReadError, Style};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut player, mut file) = (None, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--player" {
            player = arguments.next();
        } else {
            file = Some(argument);
        }
    }
    let file = file.ok_or("usage: filter [--player NAME] FILE")?;
    let mut out = BufWriter::new(io::stdout().lock());
    for game in Games::new(File::open(file)?) {
        match game {
            Ok(game) => {
                let plays = |tag: &str| {
                    let name = game.tags.get(tag).unwrap_or_default();
                    player
                        .as_ref()
                        .is_none_or(|player| name.contains(player.as_str()))
                };
                if plays("White") || plays("Black") {
                    game.write_to(&mut out, Style::default())?;
                }
            }
            Err(ReadError::Bad(bad)) => eprintln!("{bad}"),
            Err(error) => return Err(error.into()),
        }
    }
    out.flush()?;
    Ok(())
}
