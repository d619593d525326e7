//! Move ordering: the staged picker over the bench positions, attacked squares, and static
//! exchange evaluation.

use std::hint::black_box;

use skewer_benches::harness::{boards, boards_and_moves, criterion, over};
use skewer_movegen::{Board, Move};
use skewer_ordering::{
    ContinuationKey, Guide, Histories, MoveContext, MovePicker, attacked_by, see,
};
use skewer_types::DefaultTechniques;

/// Takes `most` moves from a picker; returns how many there were.
fn pick(board: &Board, histories: &Histories, hash_move: Option<Move>, most: usize) -> usize {
    let threats = attacked_by(board, !board.turn());
    let context = MoveContext {
        attacked: threats.all,
        continuation: [ContinuationKey::NONE; 4],
        pawn_key: 0,
        ply: 10,
    };
    let guide = Guide {
        checks: None,
        histories,
        context: &context,
        threats: &threats,
    };
    let mut picker = MovePicker::new(hash_move, [None; 2], None);
    let mut picked = 0;
    while picked < most
        && let Some(mv) = picker.next(DefaultTechniques, board, guide, |_, _| 0)
    {
        black_box(mv);
        picked += 1;
    }
    picked
}

fn main() {
    let mut criterion = criterion();
    let boards = boards();
    let histories = Histories::new();
    let mut group = criterion.benchmark_group("ordering/picker");
    for (name, most) in [("first_move", 1), ("first_four", 4), ("all", usize::MAX)] {
        let picked = |board: &Board| pick(board, &histories, None, most);
        let moves = boards.iter().map(picked).sum();
        over(&mut group, name, moves, &boards, picked);
    }
    group.finish();

    let mut group = criterion.benchmark_group("ordering/threats");
    over(&mut group, "attacked_by", boards.len(), &boards, |board| {
        attacked_by(board, !board.turn())
    });
    group.finish();

    let (captures, quiets): (Vec<_>, Vec<_>) = boards_and_moves()
        .into_iter()
        .partition(|(board, mv)| board.is_capture(*mv) || mv.is_promotion());
    let mut group = criterion.benchmark_group("ordering/see");
    for (name, moves) in [("captures", &captures), ("quiets", &quiets)] {
        over(&mut group, name, moves.len(), moves, |(board, mv)| {
            see::at_least(board, *mv, 0)
        });
    }
    group.finish();
    criterion.final_summary();
}
