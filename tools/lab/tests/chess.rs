//! Chess in the lab: properties of the algorithms that have a proof, and the two positions in which the
//! null move errs.

use skewer_lab::algorithms::{Algorithm, deepen, solve};
use skewer_lab::chess::config::{Config, NullMove};
use skewer_lab::chess::game::Chess;
use skewer_lab::chess::positions;
use skewer_lab::chess::searcher::Searcher;
use skewer_lab::game::{Game, Tally, Value, Window};
use skewer_lab::laboratory::{Laboratory, Memory, Trace};
use skewer_movegen::{Board, Move};
use skewer_types::Bound;
use strum::IntoEnumIterator as _;

#[test]
fn all_algorithms_agree_on_chess() {
    for position in positions::varied() {
        let chess = Chess::new(*position.board());
        for depth in 1..=3 {
            // The reference is minimax up to two plies, then alpha-beta.
            let reference = if depth < 3 {
                Algorithm::Minimax
            } else {
                Algorithm::AlphaBeta
            };
            let mut laboratory = reference.laboratory();
            let expected = solve(reference, &chess, depth, &mut laboratory);
            for algorithm in Algorithm::iter() {
                // These algorithms search quiescence without a window. The last two even search it
                // like minimax.
                let too_slow = match algorithm {
                    Algorithm::Minimax | Algorithm::Sss => depth == 3,
                    Algorithm::Bratko | Algorithm::NegaScout1983 => depth > 1,
                    _ => false,
                };
                if too_slow {
                    continue;
                }
                let mut laboratory = algorithm.laboratory();
                let value = solve(algorithm, &chess, depth, &mut laboratory);
                assert_eq!(
                    value,
                    expected,
                    "{} on {}",
                    algorithm.name(),
                    position.board()
                );
            }
            for algorithm in [
                Algorithm::NegaScout,
                Algorithm::MtdF { guess: 0 },
                Algorithm::MtSss,
            ] {
                let mut laboratory = Laboratory::new(Memory::Position, Trace::Counts);
                let value = deepen(algorithm, &chess, depth, &mut laboratory);
                assert_eq!(value, expected, "{} deepening", algorithm.name());
            }
        }
    }
}

/// Chess with the moves as the generator makes them, a stand-in for random order.
#[derive(Clone)]
struct Unordered(Board);

impl Game for Unordered {
    type Move = Move;

    fn moves(&self) -> Vec<Move> {
        self.0.legal_moves().to_vec()
    }

    fn play(&self, mv: Move) -> Self {
        Self(self.0.play(mv))
    }

    fn value(&self, depth: u32, window: Window, tally: &mut Tally) -> (Value, Bound) {
        Chess::new(self.0).value(depth, window, tally)
    }

    fn key(&self) -> u64 {
        self.0.key()
    }
}

fn assert_that_negascout_sees_no_other_leaves(game: &impl Game) {
    let [alpha_beta, negascout] = [Algorithm::AlphaBeta, Algorithm::NegaScout].map(|a| {
        let mut laboratory = a.laboratory();
        solve(a, game, 3, &mut laboratory);
        laboratory
    });
    assert!(negascout.saw_only_leaves_of(&alpha_beta));
}

#[test]
fn negascout_visits_no_leaf_that_alpha_beta_does_not() {
    for position in positions::openings() {
        assert_that_negascout_sees_no_other_leaves(&Chess::new(*position.board()));
        assert_that_negascout_sees_no_other_leaves(&Unordered(*position.board()));
    }
}

/// Whether a search of a position, as an interior node in which a null move is allowed, fails high at
/// `beta`.
fn fails_high(fen: &str, null_move: NullMove, depth: i32, beta: Value) -> bool {
    let config = Config {
        null_move,
        ..Config::PLAIN
    };
    let window = Window {
        alpha: beta - 1,
        beta,
    };
    let position = positions::from_fen(fen);
    Searcher::new(config).probe(&position, depth, window) >= beta
}

#[test]
fn in_zugzwang_the_null_move_errs_and_the_verified_null_move_does_not() {
    // White loses, but would draw if it could pass. A search of two plies finds the loss.
    let worth_a_draw = |null_move, depth| fails_high(positions::ZUGZWANG, null_move, depth, -300);
    assert!(!worth_a_draw(NullMove::Off, 6));
    for depth in 4..=8 {
        for reduction in 1..=4 {
            let plain = NullMove::Plain { reduction };
            assert!(worth_a_draw(plain, depth), "R = {reduction}, depth {depth}");
        }
        assert!(worth_a_draw(NullMove::Adaptive, depth), "depth {depth}");
        assert!(!worth_a_draw(NullMove::Verified, depth), "depth {depth}");
    }
}

#[test]
fn the_null_move_reduction_hides_a_threat_beyond_the_horizon() {
    // White is a rook ahead, and mated next move. Without a null move, two plies find it.
    let seems_won = |null_move, depth| fails_high(positions::HORIZON, null_move, depth, 100);
    assert!(seems_won(NullMove::Off, 1) && !seems_won(NullMove::Off, 2));
    for reduction in 1..=4 {
        let plain = NullMove::Plain { reduction };
        for depth in 2..=reduction + 1 {
            assert!(seems_won(plain, depth), "R = {reduction}, depth {depth}");
        }
        assert!(!seems_won(plain, reduction + 2), "R = {reduction}");
    }
    // With verification, which reduces by 3, one more ply is needed than without a null move, not four.
    assert!(seems_won(NullMove::Verified, 2));
    for depth in 3..=6 {
        assert!(!seems_won(NullMove::Verified, depth), "depth {depth}");
    }
}
