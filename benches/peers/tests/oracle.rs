//! Our move generator compared with cozy-chess and shakmaty on random games of standard chess,
//! Chess960 and double Chess960: moves, positions, text and Polyglot keys are equal.
//! `ORACLE_POSITIONS` sets the number of positions, `ORACLE_DEPTH` the depth of the compared perfts.

#[path = "../../../crates/movegen/tests/common/mod.rs"]
#[allow(dead_code, reason = "this test uses `start` only")]
mod common;

use std::collections::BTreeSet;

use fastrand::Rng;
use shakmaty::{CastlingMode as ShakmatyMode, EnPassantMode, Position};
use skewer_movegen::{Board, CastlingMode, perft};

use common::start;

/// A number from the environment.
fn number(name: &str, default: usize) -> usize {
    std::env::var(name)
        .ok()
        .map_or(default, |text| text.parse().expect("a number"))
}

/// How many positions each test looks at: a million with `ORACLE_POSITIONS=1000000`.
fn positions() -> usize {
    number("ORACLE_POSITIONS", 100_000)
}

/// How deep the perfts are that are compared at one position in a hundred.
fn depth() -> u32 {
    number("ORACLE_DEPTH", 2) as u32
}

/// A move as numbers, for sorting: from, to, promotion piece (6 if none).
type Numbers = [usize; 3];

/// Our legal moves. Castling is written as the king taking its rook, as the peers do.
fn ours(board: &Board) -> Vec<Numbers> {
    let mut moves: Vec<_> = board
        .legal_moves()
        .iter()
        .map(|mv| {
            let promotion = mv.promotion().map_or(6, skewer_movegen::Piece::index);
            [mv.from().index(), mv.to().index(), promotion]
        })
        .collect();
    moves.sort_unstable();
    moves
}

fn shredder(board: &Board) -> String {
    board.to_fen_in(CastlingMode::Chess960).to_string()
}

#[test]
fn cozy_chess_agrees() {
    let mut rng = Rng::with_seed(11);
    let mut seen = 0;
    let mut game = 0;
    let wanted = positions();
    while seen < wanted {
        let mut board = start(game, &mut rng);
        let mut cozy = cozy_chess::Board::from_fen(&shredder(&board), true).unwrap();
        game += 1;
        for _ in 0..300 {
            seen += 1;
            let moves = board.legal_moves();
            let mut theirs = Vec::new();
            cozy.generate_moves(|set| {
                theirs.extend(set.into_iter().map(|mv| {
                    let promotion = mv.promotion.map_or(6, |piece| piece as usize);
                    [mv.from as usize, mv.to as usize, promotion]
                }));
                false
            });
            theirs.sort_unstable();
            assert_eq!(ours(&board), theirs, "{}", shredder(&board));
            if seen % 100 == 0 {
                let theirs = skewer_peers::generators::cozy_bulk(&cozy, depth());
                assert_eq!(perft(&board, depth()), theirs, "{}", shredder(&board));
            }
            assert_eq!(
                board.checkers().0,
                cozy.checkers().0,
                "{}",
                shredder(&board)
            );
            let own = board.color(board.turn()).0;
            assert_eq!(
                board.pinned().0,
                cozy.pinned().0 & own,
                "{}",
                shredder(&board)
            );
            assert_eq!(board.halfmove_clock(), cozy.halfmove_clock());
            if moves.is_empty() || cozy.halfmove_clock() >= 100 {
                break;
            }
            let mv = moves[rng.usize(..moves.len())];
            let king_takes_rook = board.uci_in(mv, CastlingMode::Chess960);
            cozy.play(king_takes_rook.to_string().parse().unwrap());
            board = board.play(mv);
            // cozy-chess keeps en passant squares that no pawn can use, so FENs are not compared.
            for square in skewer_movegen::Square::ALL {
                let theirs = cozy_chess::Square::index(square.index());
                let piece = board.piece_at(square).map(|p| p as usize);
                assert_eq!(piece, cozy.piece_on(theirs).map(|p| p as usize));
                let color = board.color_at(square).map(|c| c as usize);
                assert_eq!(color, cozy.color_on(theirs).map(|c| c as usize));
            }
        }
    }
    eprintln!("compared {seen} positions of {game} games");
}

fn shakmaty_numbers(mv: shakmaty::Move) -> Numbers {
    // shakmaty numbers pieces from 1.
    let promotion = mv.promotion().map_or(6, |role| role as usize - 1);
    let from = mv.from().expect("a standard move has an origin");
    [usize::from(from), usize::from(mv.to()), promotion]
}

/// Every move as SAN and as UCI text.
fn texts(board: &Board) -> BTreeSet<(String, String)> {
    let moves = board.legal_moves();
    let texts = moves
        .iter()
        .map(|mv| (board.san(*mv).to_string(), format!("{mv:?}")));
    texts.collect()
}

fn shakmaty_texts(position: &shakmaty::Chess) -> BTreeSet<(String, String)> {
    let moves = position.legal_moves();
    let texts = moves.iter().map(|mv| {
        let san = shakmaty::san::SanPlus::from_move(position.clone(), *mv);
        let uci = mv.to_uci(ShakmatyMode::Chess960);
        (san.to_string(), uci.to_string())
    });
    texts.collect()
}

#[test]
fn shakmaty_agrees() {
    let mut rng = Rng::with_seed(12);
    let mut seen = 0;
    let mut game = 0;
    let wanted = positions();
    while seen < wanted {
        let mut board = start(game, &mut rng);
        let setup: shakmaty::fen::Fen = shredder(&board).parse().unwrap();
        let mut theirs: shakmaty::Chess = setup.into_position(ShakmatyMode::Chess960).unwrap();
        game += 1;
        for _ in 0..300 {
            seen += 1;
            let legal = theirs.legal_moves();
            let moves = board.legal_moves();
            let mut numbers: Vec<Numbers> = legal.iter().copied().map(shakmaty_numbers).collect();
            numbers.sort_unstable();
            assert_eq!(ours(&board), numbers, "{}", shredder(&board));
            assert_eq!(board.checkers().0, theirs.checkers().0);
            let key: shakmaty::zobrist::Zobrist64 = theirs.zobrist_hash(EnPassantMode::Legal);
            assert_eq!(board.polyglot_key(), key.0, "{}", shredder(&board));
            // Text is slow to write, so at some positions only.
            if seen % 16 == 0 {
                let fen = shakmaty::fen::Fen::from_position(&theirs, EnPassantMode::Legal);
                assert_eq!(board.to_string(), fen.to_string());
                assert_eq!(texts(&board), shakmaty_texts(&theirs), "{board}");
            }
            if seen % 100 == 0 {
                let theirs = shakmaty::perft(&theirs, depth());
                assert_eq!(perft(&board, depth()), theirs, "{}", shredder(&board));
            }
            if moves.is_empty() || board.halfmove_clock() >= 150 {
                assert_eq!(moves.is_empty(), legal.is_empty());
                break;
            }
            let mv = moves[rng.usize(..moves.len())];
            let their_move = legal
                .iter()
                .find(|their| {
                    let promotion = mv.promotion().map_or(6, skewer_movegen::Piece::index);
                    shakmaty_numbers(**their) == [mv.from().index(), mv.to().index(), promotion]
                })
                .expect("the same moves");
            theirs.play_unchecked(*their_move);
            board = board.play(mv);
        }
    }
    eprintln!("compared {seen} positions of {game} games");
}
