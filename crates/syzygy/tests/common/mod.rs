//! What several tests need: the committed tables and random positions.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::missing_panics_doc,
    reason = "each test uses some of it; the benches include it too"
)]

use fastrand::Rng;
use skewer_movegen::{Board, Color, Piece, Setup, Square, Strictness};
use skewer_syzygy::Material;

/// All WDL tables of three and four pieces, and DTZ tables of some.
pub const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");

/// The pieces of a material; White has those named first.
pub fn pieces(material: Material) -> Vec<(Color, Piece)> {
    let name = material.to_string();
    let sides = name.split('v').zip(Color::ALL);
    sides
        .flat_map(|(side, color)| {
            side.chars().map(move |letter| {
                let piece = Piece::ALL
                    .into_iter()
                    .find(|piece| piece.letter(Color::White) == letter);
                (color, piece.expect("a letter of a piece"))
            })
        })
        .collect()
}

/// A legal position with this material, as named or with the colors exchanged.
pub fn random_position(material: Material, rng: &mut Rng) -> Board {
    let pieces = pieces(material);
    loop {
        let swap = rng.bool();
        let turn = if rng.bool() {
            Color::White
        } else {
            Color::Black
        };
        let mut setup = Setup::empty().with_turn(turn);
        let mut left = pieces.len();
        for &(color, piece) in &pieces {
            let square = Square::from_index(rng.u8(..64)).expect("a square");
            if setup.piece_at(square).is_none() {
                let color = if swap { !color } else { color };
                setup.set_piece(square, Some((color, piece)));
                left -= 1;
            }
        }
        if let (0, Ok(board)) = (left, setup.build(Strictness::Strict)) {
            return board;
        }
    }
}
