//! Compares our bytes with the bytes of the crate that defines the layout, in both directions, for random
//! games with castling, promotions and en passant, standard and Chess960.

use std::io::Cursor;

use skewer_gamedata::{Game, Reader, ScoredMove, Tail, write_game};
use skewer_movegen::{Board, CastlingMode, Move, MoveKind, Outcome, Piece};
use skewer_types::Rng;
use viriformat::chess::board::{Board as TheirBoard, DrawType, GameOutcome, WinType};
use viriformat::chess::chessmove::{Move as TheirMove, MoveFlags};
use viriformat::chess::piece::PieceType;
use viriformat::chess::types::Square as TheirSquare;
use viriformat::dataformat::Game as TheirGame;

/// Special moves seen: en passant, castling, promotions.
#[derive(Default, Debug)]
struct Seen {
    en_passant: u32,
    castling: u32,
    promotions: [u32; 6],
}

/// A random game with many special moves.
fn random_game(start: Board, rng: &mut Rng, seen: &mut Seen) -> Game {
    let mut game = Game::new(start);
    let mut board = start;
    for _ in 0..150 {
        let moves = board.legal_moves();
        let special: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|mv| mv.kind() != MoveKind::Normal)
            .collect();
        let mv = if !special.is_empty() && rng.below(3) > 0 {
            special[rng.below(special.len())]
        } else if moves.is_empty() {
            break;
        } else {
            moves[rng.below(moves.len())]
        };
        match mv.kind() {
            MoveKind::Normal => {}
            MoveKind::EnPassant => seen.en_passant += 1,
            MoveKind::Castle => seen.castling += 1,
            MoveKind::Promotion(piece) => seen.promotions[piece.index()] += 1,
        }
        let score = rng.below(65_536) as u16 as i16;
        game.moves.push(ScoredMove { mv, score });
        board = board.play(mv);
    }
    game.result = Outcome::from_byte(rng.below(3) as u8).unwrap();
    game
}

fn their_square(square: skewer_movegen::Square) -> TheirSquare {
    TheirSquare::new(square.index() as u8).unwrap()
}

fn their_move(mv: Move) -> TheirMove {
    let (from, to) = (their_square(mv.from()), their_square(mv.to()));
    match mv.kind() {
        MoveKind::Normal => TheirMove::new(from, to),
        MoveKind::EnPassant => TheirMove::new_with_flags(from, to, MoveFlags::EnPassant),
        MoveKind::Castle => TheirMove::new_with_flags(from, to, MoveFlags::Castle),
        MoveKind::Promotion(piece) => TheirMove::new_with_promo(
            from,
            to,
            match piece {
                Piece::Knight => PieceType::Knight,
                Piece::Bishop => PieceType::Bishop,
                Piece::Rook => PieceType::Rook,
                _ => PieceType::Queen,
            },
        ),
    }
}

fn their_outcome(result: Outcome) -> GameOutcome {
    match result {
        Outcome::WhiteWins => GameOutcome::WhiteWin(WinType::Adjudication),
        Outcome::Draw => GameOutcome::Draw(DrawType::Adjudication),
        Outcome::BlackWins => GameOutcome::BlackWin(WinType::Adjudication),
    }
}

#[test]
fn bytes_are_the_same_both_ways() {
    let mut rng = Rng::new(1);
    let mut seen = Seen::default();
    for number in (0..960).step_by(5) {
        // Chess960 and standard games by turns.
        let mut their_start = TheirBoard::default();
        if number % 2 == 0 {
            their_start.set_frc_idx(number);
        }
        let packed = their_start.to_marlinformat(0, 1, 0);
        let mut lone = packed.as_bytes().to_vec();
        lone.extend_from_slice(&[0; 4]);
        let start = Reader::new("theirs", Cursor::new(lone), Tail::Refuse)
            .next()
            .unwrap()
            .unwrap()
            .start;
        let mut game = random_game(start, &mut rng, &mut seen);
        if number % 3 == 0 && game.moves.len() > 40 {
            // Begin in the middle of the game, so that starting positions differ in everything.
            let later = game.positions().nth(25).unwrap().board;
            game = Game {
                start: later,
                result: game.result,
                moves: game.moves[25..].to_vec(),
            };
        }

        let fen = game.start.to_fen_in(CastlingMode::Chess960).to_string();
        let mut their_start = TheirBoard::new();
        their_start.set_from_fen(&fen, true).unwrap();
        let mut theirs = TheirGame::new(&their_start);
        theirs.set_outcome(their_outcome(game.result));
        for scored in &game.moves {
            theirs.add_move(their_move(scored.mv), scored.score);
        }
        let (mut our_bytes, mut their_bytes) = (Vec::new(), Vec::new());
        write_game(&mut our_bytes, &game).unwrap();
        theirs.serialise_into(&mut their_bytes).unwrap();
        assert_eq!(our_bytes, their_bytes, "{fen}");

        // Their validating reader accepts our bytes, and ours accepts theirs.
        let read = TheirGame::deserialise_from(&mut our_bytes.as_slice(), Vec::new()).unwrap();
        assert_eq!(read, theirs);
        let read = Reader::new("theirs", Cursor::new(their_bytes), Tail::Refuse)
            .next()
            .unwrap()
            .unwrap();
        assert_eq!(read, game);

        // Both replay the same positions.
        let mut ours = game.positions();
        theirs.visit_positions(|board, score| {
            let ours = ours.next().unwrap();
            assert_eq!(i32::from(ours.score), score);
            assert_eq!(ours.ply as usize, board.ply());
            let placement = |fen: String| fen.split(' ').take(2).collect::<Vec<_>>().join(" ");
            assert_eq!(
                placement(ours.board.to_string()),
                placement(board.to_string())
            );
        });
        assert!(ours.next().is_none());
    }
    assert!(seen.en_passant > 50 && seen.castling > 100, "{seen:?}");
    assert!(
        seen.promotions[1..5].iter().all(|count| *count > 20),
        "{seen:?}"
    );
}
