//! Quiescence (Shannon, 1950): no static evaluation in the middle of an exchange.

use skewer_movegen::{Board, Move};

use super::config::Quiescence;
use super::ordering::by_victim;
use super::position::Position;
use crate::game::{INFINITE, Value, Window};
use crate::params::chess as params;

/// The value of `position` after captures, fail-soft. The side to move may always decline to
/// capture. Adds the nodes below this one to `nodes`.
///
/// The caller has checked that the game is not over.
pub(super) fn quiescence(
    position: &Position,
    window: Window,
    kind: Quiescence,
    ply: u32,
    nodes: &mut u64,
) -> Value {
    let Window { mut alpha, beta } = window;
    let board = position.board();
    let forced = kind == Quiescence::Checks && ply <= params::CHECKING_PLIES && board.in_check();
    let mut best = if forced {
        -INFINITE
    } else {
        position.evaluate()
    };
    if kind == Quiescence::Off || best >= beta {
        return best;
    }
    alpha = alpha.max(best);
    let moves = noisy_moves(board, kind, ply, forced);
    if forced && moves.is_empty() {
        return -(params::MATE - ply as Value);
    }
    for mv in moves {
        *nodes += 1;
        let window = Window { alpha, beta }.flip();
        let value = -quiescence(&position.play(mv), window, kind, ply + 1, nodes);
        best = best.max(value);
        if best >= beta {
            break;
        }
        alpha = alpha.max(best);
    }
    best
}

/// Captures, and with `kind` [`Quiescence::Checks`] also checks and evasions.
fn noisy_moves(board: &Board, kind: Quiescence, ply: u32, forced: bool) -> Vec<Move> {
    let mut moves = board.captures().to_vec();
    by_victim(board, &mut moves);
    if forced {
        moves.extend(board.quiets().iter());
    } else if kind == Quiescence::Checks && ply < params::CHECKING_PLIES {
        moves.extend(board.quiets().iter().filter(|&&mv| board.gives_check(mv)));
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::positions::from_fen;

    /// The value in a window, and the nodes below the first.
    fn run(fen: &str, kind: Quiescence, window: Window, ply: u32) -> (Value, u64) {
        let mut nodes = 0;
        let value = quiescence(&from_fen(fen), window, kind, ply, &mut nodes);
        (value, nodes)
    }

    fn gain(fen: &str, kind: Quiescence) -> Value {
        run(fen, kind, Window::FULL, 0).0 - from_fen(fen).evaluate()
    }

    #[test]
    fn captures_are_searched_and_may_be_declined() {
        let free = "4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1";
        assert_eq!(gain(free, Quiescence::Off), 0);
        assert!(gain(free, Quiescence::Captures) > 400);
        // The rook that takes a defended pawn is lost: White does not take.
        let defended = "4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1";
        assert_eq!(gain(defended, Quiescence::Captures), 0);
    }

    #[test]
    fn an_evaluation_at_beta_ends_the_search_and_a_capture_at_beta_the_node() {
        let fen = "4k3/8/8/3n1n2/4P3/8/8/4K3 w - - 0 1";
        let stand = from_fen(fen).evaluate();
        let nodes = |beta| run(fen, Quiescence::Captures, Window::null(beta), 0).1;
        assert_eq!(nodes(stand), 0);
        // One of two captures is enough for a beta that it reaches.
        assert_eq!(nodes(stand + 1), 1);
        let (value, all) = run(fen, Quiescence::Captures, Window::FULL, 0);
        assert!(value > stand + 200 && all > 1);
    }

    #[test]
    fn checks_and_evasions_are_searched_in_the_first_two_plies_alone() {
        // The rook mates on the back rank by a quiet move.
        let fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
        let mates = |kind, ply| run(fen, kind, Window::FULL, ply).0 > params::MATE_BOUND;
        assert!(mates(Quiescence::Checks, 0) && mates(Quiescence::Checks, 1));
        let (_, third) = run(fen, Quiescence::Checks, Window::FULL, 2);
        assert_eq!(third, 0, "the third ply has no checks, and nothing to take");
        assert!(!mates(Quiescence::Captures, 0));
        // The mate is given a ply below.
        let (value, _) = run(fen, Quiescence::Checks, Window::FULL, 0);
        assert_eq!(value, params::MATE - 1);
        // In check every move is searched, and standing pat is not allowed.
        let check = "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1";
        let evasions = from_fen(check).board().legal_moves().len() as u64;
        for (ply, all) in [(0, true), (2, true), (3, false)] {
            let (_, nodes) = run(check, Quiescence::Checks, Window::FULL, ply);
            assert_eq!(nodes >= evasions, all, "ply {ply}");
        }
        let (_, nodes) = run(check, Quiescence::Captures, Window::FULL, 0);
        assert_eq!(nodes, 1, "the king takes the rook");
    }

    #[test]
    fn a_capture_is_refuted_by_a_reply_that_leaves_no_more_than_standing_pat() {
        // Either pawn can take the rook back; one is enough.
        let fen = "4k3/8/2p1p3/3p4/8/8/8/3RK3 w - - 0 1";
        let stand = from_fen(fen).evaluate();
        assert_eq!(run(fen, Quiescence::Captures, Window::FULL, 0), (stand, 2));
    }

    #[test]
    fn a_capture_that_is_worth_beta_exactly_ends_the_node() {
        let fen = "4k3/8/8/3n1n2/4P3/8/8/4K3 w - - 0 1";
        let position = from_fen(fen);
        let first = noisy_moves(position.board(), Quiescence::Captures, 0, false)[0];
        let value = -position.play(first).evaluate();
        let nodes = |beta| run(fen, Quiescence::Captures, Window::null(beta), 0).1;
        assert_eq!((nodes(value), nodes(value + 1)), (1, 2));
    }
}
