//! The rules of the game as the search must know them: draws, mates, stalemates, promotions, and
//! roots where there is nothing to choose.

mod common;

use common::{Engine, board, evaluations, uci};
use skewer_search::{Limits, Position};
use skewer_types::{Score, Techniques};

#[test]
fn checkmate_on_the_hundredth_half_move_beats_the_draw() {
    for evaluation in evaluations() {
        let mut engine = Engine::by(&evaluation);
        let mate = engine.search_fen("7k/8/6K1/8/8/8/8/R7 w - - 99 80", &Limits::depth(6));
        assert_eq!(mate.score, Score::mate_in(1));
        let late = engine.search_fen("7k/8/8/6K1/8/8/8/R7 w - - 99 80", &Limits::depth(6));
        assert_eq!(late.score, Score::DRAW, "no mate in time");
        // Mate in two moves takes three plies. They fit before the hundredth ply at clock 96, not at 98.
        let two = "7k/8/5K2/8/8/8/8/R7 w - - 96 80";
        assert_eq!(
            engine.search_fen(two, &Limits::depth(8)).score,
            Score::mate_in(3)
        );
        let short = "7k/8/5K2/8/8/8/8/R7 w - - 98 80";
        assert_eq!(
            engine.search_fen(short, &Limits::depth(8)).score,
            Score::DRAW
        );
    }
}

#[test]
fn a_pawn_move_saves_the_win_from_the_fifty_move_rule() {
    for evaluation in evaluations() {
        let mut engine = Engine::by(&evaluation);
        let outcome = engine.search_fen("8/8/8/8/1k6/4Q3/4P1K1/8 w - - 97 120", &Limits::depth(10));
        assert!(outcome.score > Score::new(300), "{:?}", outcome.score);
    }
}

#[test]
fn the_side_that_is_lost_takes_a_perpetual() {
    for evaluation in evaluations() {
        // White has a queen against queen and rook, and perpetual check on e8 and h5.
        let mut engine = Engine::by(&evaluation);
        let outcome = engine.search_fen("6k1/6p1/5p2/7Q/8/8/qr6/6K1 w - - 0 1", &Limits::depth(8));
        assert_eq!(outcome.score, Score::DRAW);
        assert_eq!(format!("{:?}", outcome.best.unwrap()), "h5e8");
    }
}

#[test]
fn a_third_repetition_at_the_root_is_avoided_by_the_winner_and_sought_by_the_loser() {
    for evaluation in evaluations() {
        let start = board("6k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 1");
        let shuffle = ["g1h1", "g8h8", "h1g1", "h8g8"];
        let mut game = Position::new(start);
        for text in shuffle.iter().chain(&shuffle[..3]) {
            let mv = uci(game.board(), text);
            game.play(mv);
        }
        // Black to move: back to g8 brings the first position for the third time.
        let mut engine = Engine::by(&evaluation);
        let loser = engine.search(&game, &Limits::depth(8));
        assert_eq!(format!("{:?}", loser.best.unwrap()), "h8g8");
        assert_eq!(loser.score, Score::DRAW);

        // White to move in the same kind of game does not repeat.
        let mut game = Position::new(start);
        for text in shuffle.iter().chain(&shuffle[..2]) {
            let mv = uci(game.board(), text);
            game.play(mv);
        }
        let winner = engine.search(&game, &Limits::depth(8));
        assert!(winner.score > Score::new(300));
    }
}

#[test]
fn a_position_seen_once_before_the_root_is_no_draw_yet() {
    for evaluation in evaluations() {
        let start = board("6k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 1");
        let mut game = Position::new(start);
        for text in ["g1h1", "g8h8", "h1g1"] {
            let mv = uci(game.board(), text);
            game.play(mv);
        }
        let mut engine = Engine::by(&evaluation);
        let outcome = engine.search(&game, &Limits::depth(8));
        assert!(outcome.score < Score::new(-300), "{:?}", outcome.score);
    }
}

#[test]
fn a_drawn_pawn_ending_is_drawn_by_stalemate_or_loss_of_the_pawn() {
    for evaluation in evaluations() {
        let mut engine = Engine::by(&evaluation);
        let outcome = engine.search_fen("k7/P7/8/1K6/8/8/8/8 w - - 0 1", &Limits::depth(8));
        assert_eq!(outcome.score, Score::DRAW);
        // Stalemate one ply beyond the horizon, where quiescence sees only a king without captures.
        let outcome = engine.search_fen("k7/P7/8/1K6/8/8/8/8 w - - 0 1", &Limits::depth(1));
        assert_eq!(outcome.score, Score::DRAW);
        let stalemated = engine.search_fen("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", &Limits::depth(5));
        assert_eq!((stalemated.best, stalemated.score), (None, Score::DRAW));
    }
}

#[test]
fn quiescence_knows_stalemate_of_a_lone_king() {
    for evaluation in evaluations() {
        let mut engine = Engine::by(&evaluation);
        let outcome = engine.search_fen("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", &Limits::depth(3));
        assert_eq!((outcome.best, outcome.score), (None, Score::DRAW));
        // Qf7 would be stalemate.
        let winning = engine.search_fen("7k/8/4Q1K1/8/8/8/8/8 w - - 0 1", &Limits::depth(1));
        let after = board("7k/8/4Q1K1/8/8/8/8/8 w - - 0 1").play(winning.best.unwrap());
        assert!(after.in_check() || after.has_legal_moves(), "{after}");
    }
}

#[test]
fn underpromotions_are_found() {
    for evaluation in evaluations() {
        let mut engine = Engine::by(&evaluation);
        // Barbier and Saavedra, 1895: a queen would be stalemate.
        let last = engine.search_fen("8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1", &Limits::depth(10));
        assert_eq!(format!("{:?}", last.best.unwrap()), "c7c8r");
        assert!(last.score > Score::new(400));
        let study = engine.search_fen("8/8/1KP5/3r4/8/8/8/k7 w - - 0 1", &Limits::depth(18));
        assert_eq!(format!("{:?}", study.best.unwrap()), "c6c7");
        assert!(study.score > Score::new(300), "{:?}", study.score);
        // A knight mates, a queen does not.
        let knight = engine.search_fen("8/6P1/5K1k/6N1/5N2/8/8/8 w - - 0 1", &Limits::depth(4));
        assert_eq!(format!("{:?}", knight.best.unwrap()), "g7g8n");
        assert_eq!(knight.score, Score::mate_in(1));
    }
}

#[test]
fn a_mated_root_has_no_answer() {
    for evaluation in evaluations() {
        let mut engine = Engine::by(&evaluation);
        let outcome = engine.search_fen(
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            &Limits::depth(5),
        );
        assert_eq!((outcome.best, outcome.score), (None, Score::mated_in(0)));
        assert_eq!(engine.reports.len(), 1);
    }
}

#[test]
fn zugzwang_is_not_taken_for_a_free_move() {
    for evaluation in evaluations() {
        let mut engine = Engine::by(&evaluation);
        // Zugzwang: with the move White loses; with a null move it would draw.
        let outcome = engine.search_fen("8/8/8/8/8/3k4/2p5/2K5 w - - 0 1", &Limits::depth(12));
        assert!(outcome.score < Score::new(-500), "{:?}", outcome.score);
        // Black to move would have to give up the pawn or stalemate.
        let outcome = engine.search_fen("8/8/8/8/8/3k4/2p5/2K5 b - - 0 1", &Limits::depth(12));
        assert_eq!(outcome.score, Score::DRAW);
    }
}

#[test]
fn a_mate_that_no_move_prevents_is_seen() {
    for evaluation in evaluations() {
        // Horizon: a rook up, mated next move whatever is played.
        let mut engine = Engine::by(&evaluation);
        let outcome = engine.search_fen(
            "6k1/5pp1/7p/8/8/2N2p1q/PPP2P1P/R4RK1 w - - 0 1",
            &Limits::depth(8),
        );
        assert_eq!(outcome.score, Score::mated_in(2));
    }
}

#[test]
fn a_zugzwang_is_used_with_and_without_null_moves() {
    for evaluation in evaluations() {
        // White's best is the quiet rook move that leaves Black nothing but losing moves.
        let fen = "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1";
        let mut engine = Engine::by(&evaluation);
        let outcome = engine.search_fen(fen, &Limits::depth(20));
        assert_eq!(format!("{:?}", outcome.best.unwrap()), "e1f1");
        let mut plain = Engine::by(&evaluation);
        plain.techniques -= Techniques::NULL_MOVE;
        let check = plain.search_fen(fen, &Limits::depth(20));
        assert_eq!(check.best, outcome.best);
    }
}

#[test]
fn castling_may_mate() {
    for evaluation in evaluations() {
        let mut engine = Engine::by(&evaluation);
        let root = board("5k2/8/8/8/8/8/4R1R1/4K2R w K - 0 1");
        let limits = Limits {
            search_moves: vec![uci(&root, "e1g1")],
            ..Limits::depth(4)
        };
        let outcome = engine.search(&Position::new(root), &limits);
        assert_eq!(outcome.score, Score::mate_in(1));
        assert!(outcome.best.unwrap().is_castle());
    }
}
