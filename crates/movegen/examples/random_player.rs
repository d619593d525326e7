//! Two players who move at random: `cargo run --example random_player -- [SEED]`.

use std::error::Error;

use skewer_movegen::Game;

fn main() -> Result<(), Box<dyn Error>> {
    let mut state: u64 = std::env::args().nth(1).map_or(Ok(1), |seed| seed.parse())?;
    let mut game = Game::default();
    while game.outcome().is_none() {
        let moves = game.board().legal_moves();
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let mv = moves[(state >> 33) as usize % moves.len()];
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
