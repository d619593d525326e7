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
