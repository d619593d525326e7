//! Errors in variations, and variations in odd places.

use skewer_pgn::{Games, Nag, check};

use crate::{data, expect, expect_games, games_of, line, summaries};

/// A bad move in a variation ends the variation there, also where the variation goes on from the last move of the game
/// instead of replacing it, as `ChessBase` writes it. The main line is whole, and one problem names the place.
#[test]
fn an_error_in_a_variation_cuts_the_variation() {
    expect(
        "p01_badvar.pgn",
        &[
            "e4 e5 Nf3 Nc6 *; line 6, column 16, in a variation: move 1... Ke4 is not legal: \
           the king cannot reach e4",
        ],
    );
    expect(
        "r12_partialvar.pgn",
        &[
            "e4 e5 Nf3 Nc6 Bb5 *; line 6, column 16, in a variation: move 1... Ke4 is not legal: \
           the king cannot reach e4",
        ],
    );
    expect(
        "r14_164.pgn",
        &[
            "Nc5 dxc5 Bf4 Bd6 Bxd6 Rb6 Qxd7+ 1-0; line 1, column 1: FEN, castling rights: \
           black cannot castle queenside: king or rook is not on its square; \
           line 7, column 100, in a variation: move 4. Kxd7 is not legal: the king cannot reach d7",
        ],
    );
    assert_eq!(games_of("r14_164.pgn")[0].len(), 7 + 5 + 2 + 4 - 1);
    let tally = check(&data("p01_badvar.pgn")[..]).unwrap();
    assert_eq!(
        (tally.bad_games, tally.cut_variations, tally.moves),
        (0, 1, 4)
    );
}

/// The moves of a variation before its error stay, and so do the variations around it. Variations after the error are
/// cut.
#[test]
fn a_variation_is_cut_at_its_error() {
    let text = "1. e4 (1. d4 d5 (1... Nf6 2. Ke5 (2. c4) e6) 2. c4) 1... e5 2. Nf3 *";
    let game = Games::new(text.as_bytes()).next().unwrap().unwrap();
    assert_eq!(line(&game), "e4 e5 Nf3");
    assert_eq!(game.len(), 3 + 3 + 1);
    assert_eq!(game.problems.len(), 1);
    // A glyph before the bad move does not belong to the move that the variation replaces.
    let game = Games::new(&b"1. e4 e5 (1... !? Ke4) (!) 2. Nf3 *"[..])
        .next()
        .unwrap()
        .unwrap();
    let reply = game.mainline().nth(1).unwrap();
    assert_eq!(
        game.node(reply).nags,
        [Nag::GOOD],
        "the glyph of a variation without a move stays"
    );
    // The rest of the main line may be part of the variation that is not closed.
    let text = "1. e4 (1. d4 d5 1... e5 2. Nf3 *\n\n[Event \"next\"]\n\n1. c4 *";
    assert_eq!(
        summaries(text.as_bytes()),
        [
            "e4; line 1, column 22: game 1: a variation has no closing parenthesis",
            "c4 *"
        ]
    );
}

/// A result before the number of the next move does not end the game, and is a problem. So is a variation before any
/// move; the main line begins after it.
#[test]
fn results_and_variations_in_odd_places() {
    let among = "a result stands among the moves or after another result";
    expect_games(&[
        (
            "1. e4 e5 1-0 2. Nf3 *",
            &[&format!("e4 e5 Nf3 *; line 1, column 10: {among}")],
        ),
        (
            "1. e4 e5\n* 2. Nf3 1/2-1/2",
            &[&format!("e4 e5 Nf3 1/2-1/2; line 2, column 1: {among}")],
        ),
        ("1. e4 e5 1-0\n1. d4 *", &["e4 e5 1-0", "d4 *"]),
        (
            "1. e4 e5 1-0\n\n2. d4 *",
            &[
                "e4 e5 1-0",
                "d4 *; line 3, column 1: the number \"2.\" stands where \"1.\" is due",
            ],
        ),
        (
            "(1. d4 d5) 1. e4 e5 *",
            &["e4 e5 *; line 1, column 1: a variation stands before the first move"],
        ),
        (
            "(! 1. d4) *",
            &["d4 *; line 1, column 1: a variation stands before the first move"],
        ),
        (
            "(1. d4)\n\n1. e4 *\n(2. c4)",
            &[
                "e4 *; line 1, column 1: a variation stands before the first move",
                "c4 *; line 4, column 1: a variation stands before the first move; \
                 line 4, column 2, in a variation: the number \"2.\" stands where \"1.\" is due",
            ],
        ),
    ]);
}
