//! Our move generator beside cozy-chess and shakmaty on random games of standard chess, Chess960
//! and double Chess960: the same moves, the same positions after them.

use std::collections::BTreeSet;

use shakmaty::{CastlingMode as ShakmatyMode, EnPassantMode, Position};
use skewer_movegen::{Board, CastlingMode, Scharnagl};

/// A small generator of random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

fn start(number: usize, random: &mut Random) -> Board {
    let mut any = || Scharnagl::new(random.below(960) as u16).unwrap();
    match number % 3 {
        0 => Board::STARTPOS,
        1 => Board::chess960(any()),
        _ => Board::double_chess960(any(), any()),
    }
}

/// How many positions each test looks at.
fn positions() -> usize {
    std::env::var("ORACLE_POSITIONS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1_000_000)
}

fn ours(board: &Board) -> BTreeSet<String> {
    board
        .legal_moves()
        .iter()
        .map(ToString::to_string)
        .collect()
}

fn shredder(board: &Board) -> String {
    board.to_fen(CastlingMode::Chess960).to_string()
}

#[test]
fn cozy_chess_finds_the_same() {
    let mut random = Random(11);
    let mut seen = 0;
    let mut game = 0;
    let wanted = positions();
    while seen < wanted {
        let mut board = start(game, &mut random);
        let mut cozy = cozy_chess::Board::from_fen(&shredder(&board), true).unwrap();
        game += 1;
        for _ in 0..300 {
            seen += 1;
            let moves = board.legal_moves();
            // Both write castling as the king taking its rook: compare sixteen bits.
            let mut mine: Vec<[usize; 3]> = moves
                .iter()
                .map(|mv| {
                    let promotion = mv.promotion().map_or(6, skewer_movegen::Piece::index);
                    [mv.from().index(), mv.to().index(), promotion]
                })
                .collect();
            let mut theirs = Vec::new();
            cozy.generate_moves(|set| {
                theirs.extend(set.into_iter().map(|mv| {
                    [
                        mv.from as usize,
                        mv.to as usize,
                        mv.promotion.map_or(6, |p| p as usize),
                    ]
                }));
                false
            });
            mine.sort_unstable();
            theirs.sort_unstable();
            assert_eq!(mine, theirs, "{}", shredder(&board));
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
            let mv = moves[random.below(moves.len())];
            cozy.play(mv.to_string().parse().unwrap());
            board = board.play(mv);
            // cozy-chess keeps en passant that no pawn may use, so its text is not compared.
            for square in skewer_movegen::Square::ALL {
                let theirs = cozy_chess::Square::index(square.index());
                let piece = board.piece_at(square).map(|p| p as usize);
                assert_eq!(piece, cozy.piece_on(theirs).map(|p| p as usize));
                let color = board.color_at(square).map(|c| c as usize);
                assert_eq!(color, cozy.color_on(theirs).map(|c| c as usize));
            }
        }
    }
    eprintln!("{seen} positions of {game} games, the same to both");
}

#[test]
fn shakmaty_finds_and_writes_the_same() {
    let mut random = Random(12);
    let mut seen = 0;
    let mut game = 0;
    // Every move is written and read as text, so fewer positions.
    let wanted = positions() / 20;
    while seen < wanted {
        let mut board = start(game, &mut random);
        let setup: shakmaty::fen::Fen = shredder(&board).parse().unwrap();
        let mut theirs: shakmaty::Chess = setup.into_position(ShakmatyMode::Chess960).unwrap();
        game += 1;
        for _ in 0..300 {
            seen += 1;
            let mut sans = BTreeSet::new();
            let mut ucis = BTreeSet::new();
            let legal = theirs.legal_moves();
            for mv in &legal {
                let san = shakmaty::san::SanPlus::from_move(theirs.clone(), *mv);
                sans.insert(san.to_string());
                ucis.insert(mv.to_uci(ShakmatyMode::Chess960).to_string());
            }
            assert_eq!(ours(&board), ucis, "{}", shredder(&board));
            let moves = board.legal_moves();
            let mine: BTreeSet<String> =
                moves.iter().map(|mv| board.san(*mv).to_string()).collect();
            assert_eq!(mine, sans, "{}", shredder(&board));
            let fen = shakmaty::fen::Fen::from_position(&theirs, EnPassantMode::Legal);
            assert_eq!(board.to_string(), fen.to_string());
            if moves.is_empty() || board.halfmove_clock() >= 150 {
                assert_eq!(moves.is_empty(), legal.is_empty());
                break;
            }
            let mv = moves[random.below(moves.len())];
            let uci: shakmaty::uci::UciMove = mv.to_string().parse().unwrap();
            theirs.play_unchecked(uci.to_move(&theirs).unwrap());
            board = board.play(mv);
        }
    }
    eprintln!("{seen} positions of {game} games, the same to both");
}
