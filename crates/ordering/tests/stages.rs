//! The stages of the picker: which move is given at which of them, and in which order.

use skewer_movegen::{Board, Move};
use skewer_ordering::{
    Checks, ContinuationKey, Guide, Histories, MoveContext, MovePicker, Stage, attacked_by,
};
use skewer_types::Techniques;

fn board(fen: &str) -> Board {
    fen.parse().expect("a legal position")
}

fn uci(board: &Board, text: &str) -> Move {
    board.parse_uci(text).expect("a legal move")
}

/// What `picker` gives, with the piece-square change `delta`. Quiet moves end after the move `last`.
fn given(
    set: Techniques,
    board: &Board,
    histories: &Histories,
    mut picker: MovePicker,
    delta: impl Fn(Move) -> i32,
    last: Option<&str>,
) -> Vec<(String, Stage)> {
    let threats = attacked_by(board, !board.turn());
    let context = MoveContext {
        attacked: threats.all,
        continuation: [ContinuationKey::NONE; 4],
        pawn_key: 0,
        ply: 0,
    };
    let checks = Checks::new(board);
    let guide = Guide {
        checks: Some(&checks),
        histories,
        context: &context,
        threats: &threats,
    };
    let mut all = Vec::new();
    while let Some(mv) = picker.next(set, board, guide, |_, mv| delta(mv)) {
        let text = format!("{mv:?}");
        if last == Some(&text) {
            picker.skip_quiets();
        }
        all.push((text, picker.stage()));
    }
    all
}

fn moves(board: &Board, picker: MovePicker) -> Vec<(String, Stage)> {
    let (set, histories) = (Techniques::SEE_ORDERING, Histories::new());
    given(set, board, &histories, picker, |_| 0, None)
}

/// The moves of one stage.
fn at(moves: &[(String, Stage)], stage: Stage) -> Vec<&str> {
    let at_stage = moves.iter().filter(|(_, other)| *other == stage);
    at_stage.map(|(text, _)| &**text).collect()
}

/// Two captures of a knight, one of a pawn that loses the queen, and quiet moves.
const CAPTURES: &str = "4k3/2p5/3p4/8/8/1n6/P7/R2QK3 w - - 0 1";

#[test]
fn hash_move_good_captures_killers_counter_move_quiet_moves_bad_captures() {
    let board = board(CAPTURES);
    let [hash, first, second, counter] =
        ["d1d2", "e1f2", "a1b1", "e1f1"].map(|text| Some(uci(&board, text)));
    let moves = moves(&board, MovePicker::new(hash, [first, second], counter));
    // After the hash move a picker stands at the next stage.
    assert_eq!(moves[0], ("d1d2".to_owned(), Stage::GenerateCaptures));
    let stages = moves[1..].iter().map(|&(_, stage)| stage);
    assert!(stages.is_sorted(), "{moves:?}");
    assert_eq!(at(&moves, Stage::GoodCaptures), ["a2b3", "d1b3"]);
    assert_eq!(at(&moves, Stage::Refutations), ["e1f2", "a1b1", "e1f1"]);
    assert_eq!(at(&moves, Stage::BadCaptures), ["d1d6"]);
    let quiets = at(&moves, Stage::Quiets);
    assert_eq!(quiets.len(), board.legal_moves().len() - 1 - 2 - 3 - 1);
}

#[test]
fn killers_and_the_counter_move_are_given_once_and_only_if_they_are_legal_and_quiet() {
    let board = board(CAPTURES);
    let some = |text| Some(uci(&board, text));
    let refutations = |hash, killers, counter| {
        let moves = moves(&board, MovePicker::new(hash, killers, counter));
        let mut all: Vec<_> = moves.iter().map(|(text, _)| text.clone()).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), board.legal_moves().len(), "every move once");
        at(&moves, Stage::Refutations).join(" ")
    };
    let (rook, king) = (some("a1b1"), some("e1f2"));
    assert_eq!(refutations(None, [rook, king], None), "a1b1 e1f2");
    assert_eq!(
        refutations(None, [rook, rook], king),
        "a1b1 e1f2",
        "twice a killer"
    );
    assert_eq!(
        refutations(None, [rook, king], king),
        "a1b1 e1f2",
        "the counter-move too"
    );
    assert_eq!(
        refutations(rook, [rook, king], rook),
        "e1f2",
        "the hash move"
    );
    assert_eq!(refutations(None, [None, king], None), "e1f2");
    assert_eq!(
        refutations(None, [some("d1b3"), king], None),
        "e1f2",
        "a capture"
    );
    let illegal = Board::STARTPOS.legal_moves()[3];
    assert!(!board.is_legal(illegal));
    assert_eq!(refutations(None, [Some(illegal), king], None), "e1f2");
}

#[test]
fn a_promotion_is_no_killer() {
    let board = board("7k/P7/8/8/8/8/8/K7 w - - 0 1");
    let promotion = Some(uci(&board, "a7a8q"));
    let moves = moves(&board, MovePicker::new(None, [promotion, None], None));
    assert_eq!(at(&moves, Stage::Refutations), [""; 0]);
    assert_eq!(moves[0], ("a7a8q".to_owned(), Stage::GoodCaptures));
}

#[test]
fn a_lesser_promotion_comes_after_the_quiet_moves_whatever_it_wins() {
    // With a capture of a rook, too.
    for (fen, queen) in [
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q"),
        ("1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8q"),
    ] {
        let board = board(fen);
        let moves = moves(&board, MovePicker::new(None, [None; 2], None));
        assert_eq!(moves[0].0, queen, "{fen}");
        let bad = at(&moves, Stage::BadCaptures);
        for piece in ["r", "b", "n"] {
            let lesser = format!("{}{piece}", &queen[..4]);
            assert!(bad.contains(&&*lesser), "{fen}: {lesser} in {bad:?}");
        }
        // A search for moves that win material looks at no lesser promotion.
        let winning = self::moves(&board, MovePicker::winning(None, 100));
        assert!(
            winning.iter().all(|(text, _)| text.ends_with('q')),
            "{winning:?}"
        );
    }
}

#[test]
fn of_the_captures_the_one_of_the_most_valuable_piece_comes_first() {
    let board = board("4k3/8/8/1q1r1p2/P1P1P3/8/8/4K3 w - - 0 1");
    let moves = moves(&board, MovePicker::new(None, [None; 2], None));
    let targets: Vec<_> = moves[..5].iter().map(|(text, _)| &text[2..]).collect();
    assert_eq!(targets, ["b5", "b5", "d5", "d5", "f5"]);
}

/// A capture counts as good if it loses no more than a small part of its score, which is made of its victim's value and
/// its history.
#[test]
fn a_capture_that_loses_little_is_good_and_a_good_history_excuses_more() {
    let stage = |fen: &str, text: &str, history| {
        let board = board(fen);
        let mut histories = Histories::new();
        let context = MoveContext {
            attacked: attacked_by(&board, !board.turn()).all,
            continuation: [ContinuationKey::NONE; 4],
            pawn_key: 0,
            ply: 0,
        };
        histories.update_capture(&board, uci(&board, text), &context, history);
        let set = Techniques::SEE_ORDERING | Techniques::CAPTURE_HISTORY;
        let picker = MovePicker::new(None, [None; 2], None);
        let moves = given(set, &board, &histories, picker, |_| 0, None);
        let found = moves.iter().find(|(other, _)| other == text);
        found.expect("every legal move is given").1
    };
    let bishop = "4k3/8/4p3/3n4/8/5B2/8/4K3 w - - 0 1";
    let rook = "4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1";
    assert_eq!(stage(bishop, "f3d5", 0), Stage::GoodCaptures);
    assert_eq!(stage(bishop, "f3d5", -9000), Stage::BadCaptures);
    assert_eq!(stage(rook, "d1d5", 0), Stage::BadCaptures);
    assert_eq!(stage(rook, "d1d5", 9000), Stage::GoodCaptures);
}

#[test]
fn bad_captures_keep_their_order_and_come_although_quiet_moves_are_skipped() {
    // The queen can take a knight or a pawn, each of which a pawn defends.
    let board = board("4k3/2p3p1/3p1n2/8/8/8/3Q4/4K3 w - - 0 1");
    let bad = |picker, last| {
        let (set, histories) = (Techniques::SEE_ORDERING, Histories::new());
        let moves = given(set, &board, &histories, picker, |_| 0, last);
        let quiets = moves
            .iter()
            .filter(|(text, _)| !["d2d6", "d2f6"].contains(&&**text));
        (at(&moves, Stage::BadCaptures).join(" "), quiets.count())
    };
    let all = board.legal_moves().len() - 1;
    let picker = || MovePicker::new(None, [None; 2], None);
    assert_eq!(bad(picker(), None), ("d2d6".to_owned(), all));
    let (hash, killer) = (Some(uci(&board, "e1e2")), Some(uci(&board, "e1f2")));
    let mut skipping = picker();
    skipping.skip_quiets();
    assert_eq!(bad(skipping, None), ("d2d6".to_owned(), 0));
    // Skipping after the hash move leaves out killers and quiet moves; skipping after a killer leaves out quiet moves.
    let with_hash = MovePicker::new(hash, [killer, None], None);
    assert_eq!(bad(with_hash.clone(), Some("e1e2")).1, 1);
    assert_eq!(bad(with_hash.clone(), Some("e1f2")), ("d2d6".to_owned(), 2));
    assert_eq!(bad(with_hash, None), ("d2d6".to_owned(), all));
    // Skipping after the second quiet move leaves out the quiet moves that follow.
    let second = moves(&board, picker());
    let second = at(&second, Stage::Quiets)[1].to_owned();
    assert_eq!(bad(picker(), Some(&second)), ("d2d6".to_owned(), 2));
}

#[test]
fn quiet_moves_are_given_by_falling_score() {
    let board = Board::STARTPOS;
    let order = |delta: &dyn Fn(Move) -> i32| {
        let picker = MovePicker::new(None, [None; 2], None);
        let set = Techniques::QUIET_DELTA;
        let moves = given(set, &board, &Histories::new(), picker, delta, None);
        moves.into_iter().map(|(text, _)| text).collect::<Vec<_>>()
    };
    let plain = order(&|_| 0);
    assert_eq!(plain.len(), 20);
    // Another score for every file, and for every move.
    for scores in [8, 31] {
        let delta = |mv: Move| (mv.to().index() as i32 * 5 + mv.from().index() as i32 * 3) % scores;
        let found = order(&delta);
        let deltas = found.iter().map(|text| delta(uci(&board, text)));
        assert!(deltas.rev().is_sorted(), "{found:?}");
        // Among moves of the greatest score, the first that was generated comes first.
        let best = plain
            .iter()
            .rev()
            .max_by_key(|text| delta(uci(&board, text)));
        assert_eq!(found.first(), best);
    }
}

#[test]
fn a_unit_of_the_piece_square_score_weighs_as_much_as_24_of_the_history() {
    let board = Board::STARTPOS;
    let [known, gains] = ["a2a3", "h2h3"].map(|text| uci(&board, text));
    let first = |history| {
        let mut histories = Histories::new();
        let set = Techniques::QUIET_DELTA | Techniques::QUIET_HISTORY;
        let context = MoveContext {
            attacked: attacked_by(&board, !board.turn()).all,
            continuation: [ContinuationKey::NONE; 4],
            pawn_key: 0,
            ply: 0,
        };
        histories.update_quiet(set, &board, known, &context, history);
        let picker = MovePicker::new(None, [None; 2], None);
        let delta = |mv| i32::from(mv == gains);
        given(set, &board, &histories, picker, delta, None)[0]
            .0
            .clone()
    };
    assert_eq!([23, 25].map(first), ["h2h3", "a2a3"]);
}

#[test]
fn a_picker_of_captures_gives_a_quiet_hash_move_and_no_other() {
    let board = board(CAPTURES);
    let hash = Some(uci(&board, "d1d2"));
    let texts = |picker| {
        let moves = moves(&board, picker);
        moves
            .into_iter()
            .map(|(text, _)| text)
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(texts(MovePicker::captures(hash)), "d1d2 a2b3 d1b3 d1d6");
    assert_eq!(texts(MovePicker::captures(None)), "a2b3 d1b3 d1d6");
    let capture = Some(uci(&board, "d1b3"));
    assert_eq!(texts(MovePicker::captures(capture)), "d1b3 a2b3 d1d6");
    // In a search for moves that win, the hash move is first only if it wins.
    assert_eq!(texts(MovePicker::winning(capture, 100)), "d1b3 a2b3");
    assert_eq!(texts(MovePicker::winning(hash, 100)), "a2b3 d1b3");
    let quiet = Some(uci(&board, "e1f2"));
    assert_eq!(texts(MovePicker::winning(quiet, -40)), "a2b3 d1b3");
    let losing = Some(uci(&board, "d1d6"));
    assert_eq!(texts(MovePicker::winning(losing, 100)), "a2b3 d1b3");
    assert_eq!(
        texts(MovePicker::winning(None, 321)),
        "",
        "a knight is worth 320"
    );
}

/// The quiet moves of White's pieces in `fen` in order, without and with regard to attacked squares.
fn quiet_orders(fen: &str) -> [Vec<String>; 2] {
    let board = board(fen);
    [Techniques::empty(), Techniques::THREAT_HISTORY].map(|set| {
        let picker = MovePicker::new(None, [None; 2], None);
        let moves = given(set, &board, &Histories::new(), picker, |_| 0, None);
        let quiets = at(&moves, Stage::Quiets);
        quiets.into_iter().map(str::to_owned).collect()
    })
}

#[test]
fn a_piece_that_a_cheaper_one_attacks_moves_first() {
    for (piece, attackers, expected) in [
        ("N", "4k3/8/8/4p3/3X4/8/8/K7", true),
        ("B", "4k3/8/8/4p3/3X4/8/8/K7", true),
        ("R", "4k3/8/8/4p3/3X4/8/8/K7", true),
        ("R", "4k3/8/2n5/8/3X4/8/8/K7", true),
        ("R", "4k3/b7/8/8/3X4/8/8/K7", true),
        ("Q", "4k3/8/8/4p3/3X4/8/8/K7", true),
        ("Q", "4k3/8/2n5/8/3X4/8/8/K7", true),
        ("Q", "3rk3/8/8/8/3X4/8/8/K7", true),
        // By a piece that costs as much or more.
        ("N", "4k3/8/2n5/8/3X4/8/8/K7", false),
        ("B", "4k3/8/2n5/8/3X4/8/8/K7", false),
        ("N", "3rk3/8/8/8/3X4/8/8/K7", false),
        ("R", "3rk3/8/8/8/3X4/8/8/K7", false),
        ("Q", "3qk3/8/8/8/3X4/8/8/K7", false),
    ] {
        let fen = format!("{} w - - 0 1", attackers.replace('X', piece));
        let [without, with] = quiet_orders(&fen);
        if !expected {
            assert_eq!(with, without, "{fen}");
            continue;
        }
        let king = |order: &[String]| {
            let place = order.iter().position(|text| text.starts_with("a1"));
            place.expect("a move of the king")
        };
        let before = with[..king(&with)].iter();
        assert!(king(&with) > 0, "{fen}");
        assert!(before.clone().all(|text| text.starts_with("d4")), "{fen}");
    }
}

#[test]
fn a_piece_moves_last_to_where_a_cheaper_one_attacks_it() {
    // The pawn on e5 attacks d4 and f4.
    for (fen, last) in [
        ("4k3/8/8/4p3/8/8/3R4/K7 w - - 0 1", vec!["d2d4"]),
        ("4k3/8/8/4p3/8/8/3Q4/K7 w - - 0 1", vec!["d2d4", "d2f4"]),
        ("4k3/8/8/4p3/8/5N2/8/K7 w - - 0 1", vec!["f3d4"]),
        ("4k3/8/8/4p3/8/4B3/8/K7 w - - 0 1", vec!["e3d4", "e3f4"]),
    ] {
        let [_, with] = quiet_orders(fen);
        let mut end = with[with.len() - last.len()..].to_vec();
        end.sort();
        assert_eq!(end, last, "{fen}");
    }
}

#[test]
fn a_check_comes_first_unless_it_loses_more_than_three_quarters_of_a_pawn() {
    let order = |fen: &str| {
        let board = board(fen);
        [Techniques::empty(), Techniques::CHECK_ORDERING].map(|set| {
            let picker = MovePicker::new(None, [None; 2], None);
            let moves = given(set, &board, &Histories::new(), picker, |_| 0, None);
            moves.into_iter().map(|(text, _)| text).collect::<Vec<_>>()
        })
    };
    let [_, with] = order("4k3/8/8/8/8/8/R7/5K2 w - - 0 1");
    let mut checks = with[..2].to_vec();
    checks.sort();
    assert_eq!(checks, ["a2a8", "a2e2"]);
    // Losing a bishop for the knight that takes it is less; losing a bishop to the king is more.
    let [_, with] = order("4k3/8/3n4/8/P1B5/8/8/4K3 w - - 0 1");
    let check = with.iter().position(|text| text == "c4f7");
    assert!(with[0] == "c4b5" && check > Some(1), "{with:?}");
    // Black's bishops take the rook on either square.
    let [without, with] = order("4k3/1b6/8/8/6b1/8/R7/5K2 w - - 0 1");
    assert_eq!(with, without);
}
