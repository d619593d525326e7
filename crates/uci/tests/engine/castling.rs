//! The engine reads back the castling moves that it prints.

use crate::harness::Client;
use skewer_movegen::{Board, CastlingMode, Piece, Scharnagl, Setup, Square, Strictness};

/// All Chess960 starting positions reduced to kings and rooks, so that castling is possible, and a few
/// others.
fn positions() -> Vec<Board> {
    let starts = (0..960).filter_map(Scharnagl::new).map(Board::chess960);
    starts
        .filter_map(|start| {
            let mut bare = Setup::from(start);
            for square in Square::ALL {
                if !matches!(bare.piece_at(square), Some((_, Piece::King | Piece::Rook))) {
                    bare.set_piece(square, None);
                }
            }
            bare.build(Strictness::Relaxed).ok()
        })
        .chain([
            "4k3/8/8/8/8/8/8/6KR w H - 0 1".parse().expect("legal"),
            "4k3/8/8/8/8/8/8/5K1R w H - 0 1".parse().expect("legal"),
            "4k3/8/8/8/8/8/8/1RK5 w B - 0 1".parse().expect("legal"),
            "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1".parse().expect("legal"),
        ])
        .collect()
}

#[test]
fn castling_is_read_back_with_and_without_chess960() -> Result<(), String> {
    let mut castlings = 0;
    for chess960 in [false, true] {
        let mut client = Client::start(&[]);
        client.set("UCI_Chess960", chess960);
        for board in positions() {
            let fen = board.to_fen_in(CastlingMode::Chess960).to_string();
            for mv in board.legal_moves().iter().filter(|mv| mv.is_castle()) {
                client.send(&format!("position fen {fen}"));
                let king_takes_rook = board.uci_in(*mv, CastlingMode::Chess960);
                client.send(&format!("go depth 1 searchmoves {king_takes_rook}"));
                let answer = client.wait_for("bestmove ")?;
                let text = answer.split(' ').nth(1).ok_or("no move")?;
                assert_eq!(board.parse_uci(text), Ok(*mv), "{fen}: {answer}");
                client.send(&format!("position fen {fen} moves {text}"));
                castlings += 1;
            }
        }
        let output = client.leave()?;
        let refused = output.iter().find(|line| line.contains("no position now"));
        assert_eq!(refused, None);
    }
    assert!(castlings > 1000, "{castlings}");
    Ok(())
}

#[test]
fn odd_positions_are_remarked_on_and_searched() -> Result<(), String> {
    let mut client = Client::start(&[]);
    for (fen, remark) in [
        ("44/8/8/2k5/8/8/4K3/8 w - - 0 1", "two digits in a row"),
        (
            "rrrrkrrr/pppppppp/8/8/8/8/PPPPPPPP/RRRRKRRR w HAha - 0 1",
            "more promoted pieces than missing pawns; it is searched all the same",
        ),
        (
            "QQQQQQQQ/QQQQQQQ1/8/8/8/8/6q1/k1K5 b - - 0 1",
            "more promoted pieces",
        ),
    ] {
        client.send(&format!("position fen {fen}"));
        client.send("go depth 4");
        let answer = client.wait_for("bestmove ")?;
        assert!(!answer.contains("0000"), "{answer}");
        let said = client.output.iter().any(|line| line.contains(remark));
        assert!(said, "{remark}: {:?}", client.output);
    }
    client.leave().map(drop)
}
