//! Two players that play random moves: `cargo run --example random_player -- [SEED]`.

use std::error::Error;

use skewer_movegen::Game;

fn main() -> Result<(), Box<dyn Error>> {
    let seed = std::env::args().nth(1).map_or(Ok(1), |seed| seed.parse())?;
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut game = Game::default();
    while game.outcome().is_none() {
        let moves = game.board().legal_moves();
        let mv = moves[rng.usize(..moves.len())];
        if game.board().turn() == skewer_movegen::Color::White {
            print!("{}. ", game.board().fullmove_number());
        }
        print!("{} ", game.board().san(mv));
        game.play(mv)?;
    }
    if let Some(outcome) = game.outcome() {
        println!("{outcome}\n{outcome:?} after {} moves", game.moves().len());
    }
    Ok(())
}
