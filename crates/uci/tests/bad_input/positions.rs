//! Invalid positions: a remark names the error, and no other position is searched. Valid positions in
//! unusual notation are accepted.

use crate::case::{Absent, Case, Each, One, Silent, Wait, bad_position, case, good_position, line};

pub(crate) fn cases() -> Vec<Case> {
    [
        words(),
        placement(),
        other_fields(),
        ended(),
        moves(),
        notation(),
        more_fields(),
        no_position(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn words() -> Vec<Case> {
    vec![
        bad_position("bare position", "position", "position"),
        bad_position("a bare FEN", "position 8/8 w - -", "startpos"),
        bad_position("moves without their word", "position startpos e2e4", "e2e4"),
        bad_position("empty FEN", "position fen", "FEN"),
        bad_position("empty FEN with moves", "position fen moves e2e4", "FEN"),
        bad_position("fen startpos", "position fen startpos", "FEN"),
    ]
}

#[allow(clippy::too_many_lines, reason = "a table, one row after another")]
fn placement() -> Vec<Case> {
    vec![
        bad_position(
            "seven ranks",
            "position fen rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rank",
        ),
        bad_position(
            "nine squares",
            "position fen rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rank 7",
        ),
        bad_position(
            "digit 9",
            "position fen rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "'9'",
        ),
        bad_position(
            "piece X",
            "position fen rnbqkbnr/ppppXppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "'X'",
        ),
        bad_position("no king", "position fen 8/8/8/8/8/8/8/K7 w - - 0 1", "king"),
        bad_position(
            "two kings of a colour",
            "position fen kk6/8/8/8/8/8/8/K7 w - - 0 1",
            "king",
        ),
        bad_position(
            "a pawn on the last rank",
            "position fen k6P/8/8/8/8/8/8/K7 w - - 0 1",
            "pawn",
        ),
        bad_position(
            "the side not to move in check",
            "position fen k6R/8/8/8/8/8/8/K7 w - - 0 1",
            "check",
        ),
        bad_position("side x", "position fen k7/8/8/8/8/8/8/K7 x - - 0 1", "'x'"),
    ]
}

fn other_fields() -> Vec<Case> {
    vec![
        good_position(
            "a castling right without a rook",
            "position fen 4k3/8/8/8/8/8/8/4K3 w K - 0 1",
            "Fen: 4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            One("castling"),
        ),
        good_position(
            "castling rights without rooks, and no counters",
            "position fen 4k3/8/8/8/8/8/8/4K3 w KQkq -",
            "Fen: 4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            One("castling"),
        ),
        bad_position(
            "KKkq",
            "position fen r3k2r/8/8/8/8/8/8/R3K2R w KKkq - 0 1",
            "castling",
        ),
        good_position(
            "en passant on e5",
            "position fen 4k3/8/8/8/8/8/8/4K3 w - e5 0 1",
            "Fen: 4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            One("en passant"),
        ),
        good_position(
            "en passant that no pawn can make",
            "position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            Silent,
        ),
        bad_position(
            "clock -1",
            "position fen 4k3/8/8/8/8/8/8/4K3 w - - -1 1",
            "clock",
        ),
        good_position(
            "clock 99999",
            "position fen 4k3/8/8/8/8/8/8/4K2R w - - 99999 1",
            "Fen: 4k3/8/8/8/8/8/8/4K2R w - - 255 1",
            One("clock"),
        ),
        bad_position(
            "clocks in letters",
            "position fen 4k3/8/8/8/8/8/8/4K3 w - - a b",
            "clock",
        ),
        good_position(
            "four fields only",
            "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            Silent,
        ),
        bad_position(
            "sixty-four queens",
            "position fen QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ w - - 0 1",
            "king",
        ),
    ]
}

fn moves() -> Vec<Case> {
    vec![
        bad_position(
            "an illegal move",
            "position startpos moves e2e4 e2e4",
            "move 2",
        ),
        bad_position(
            "e7e8 without a piece",
            "position fen 8/4P3/8/k7/8/8/8/K7 w - - 0 1 moves e7e8",
            "e7e8",
        ),
        bad_position("the null move", "position startpos moves 0000", "0000"),
        good_position(
            "two thousand moves",
            shuffled(2000),
            // The halfmove clock stops at 255, the largest value of its byte.
            "Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 255 1001",
            Silent,
        ),
        good_position(
            "a hundred thousand moves",
            shuffled(100_000),
            "Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 255 50001",
            Silent,
        ),
    ]
}

/// A game of this many knight moves, out and back again.
fn shuffled(moves: usize) -> String {
    let circle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let moves: Vec<&str> = circle.into_iter().cycle().take(moves).collect();
    format!("position startpos moves {}", moves.join(" "))
}

fn ended() -> Vec<Case> {
    let root = |name, position| {
        let script = vec![line(position), line("go depth 3"), Wait("bestmove (none)")];
        case(name, script, 1, Silent)
    };
    vec![root("mated", MATED), root("stalemated", STALEMATED)]
}

/// White has been mated.
pub(crate) const MATED: &str =
    "position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";

/// Black cannot move.
pub(crate) const STALEMATED: &str = "position fen k7/8/1Q6/8/8/8/8/K7 b - - 0 1";

/// Valid and invalid notation of castling, promotion and moves.
fn notation() -> Vec<Case> {
    let castling = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let pawn = "position fen 7k/P7/8/8/8/8/8/K7 w - - 0 1 moves";
    vec![
        good_position(
            "a promotion in capitals",
            format!("{pawn} a7a8Q"),
            "Fen: Q6k/8/8/8/8/8/8/K7 b - - 0 1",
            Silent,
        ),
        bad_position(
            "a promotion to a king",
            format!("{pawn} a7a8k"),
            "move 1*a7a8k",
        ),
        bad_position(
            "a promotion to nothing",
            format!("{pawn} a7a8"),
            "move 1*a7a8",
        ),
        bad_position(
            "a promotion with a sign",
            format!("{pawn} a7a8=q"),
            "move 1*a7a8=q",
        ),
        bad_position(
            "a promotion of what cannot be promoted",
            "position startpos moves e2e4q",
            "move 1*e2e4q",
        ),
        bad_position(
            "squares in capitals",
            "position startpos moves E2E4",
            "move 1*E2E4",
        ),
        bad_position("a move in SAN", "position startpos moves Nf3", "move 1*Nf3"),
        bad_position(
            "a long move that is none",
            format!("position startpos moves {}", "e2e4".repeat(100_000)),
            "move 1*e2e4",
        ),
        good_position(
            "castling as in Chess960, both sides",
            format!("{castling} moves e1h1 e8a8"),
            "Fen: 2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2",
            Silent,
        ),
        bad_position(
            "castling in SAN",
            format!("{castling} moves O-O"),
            "move 1*O-O",
        ),
        bad_position(
            "the word moves twice",
            "position startpos moves moves e2e4",
            "move 1",
        ),
        good_position(
            "the word moves without a move",
            "position startpos moves",
            "Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            Silent,
        ),
    ]
}

/// FENs with too many or too few fields.
fn more_fields() -> Vec<Case> {
    let start = "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    vec![
        bad_position(
            "a FEN of a thousand fields",
            format!("position fen {}", "8 ".repeat(1000)),
            "FEN, piece placement",
        ),
        bad_position(
            "a good FEN and a thousand fields",
            format!("{start} w KQkq - 0 1{}", " x".repeat(1000)),
            "FEN*more text",
        ),
        bad_position(
            "a FEN of a hundred thousand ranks",
            format!("{start}{} w - - 0 1", "/8".repeat(100_000)),
            "FEN, piece placement",
        ),
        bad_position("a FEN of one field", start, "FEN"),
        bad_position(
            "both startpos and fen",
            "position startpos fen 8/8 w - -",
            "startpos",
        ),
        good_position(
            "a very large move number",
            format!("{start} w KQkq - 0 99999999999"),
            "Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 ",
            Silent,
        ),
        good_position(
            "move number 0",
            format!("{start} w KQkq - 0 0"),
            "Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            Silent,
        ),
    ]
}

/// Commands that need a position when there is none. `go infinite` and `go ponder` still wait for `stop`
/// or `ponderhit`.
fn no_position() -> Vec<Case> {
    let bad = || line("position fen 8/8 w - -");
    vec![
        case(
            "the board, without a position",
            vec![
                bad(),
                line("d"),
                line("eval"),
                line("flip"),
                line("perft 1"),
            ],
            0,
            Each(&[
                "FEN",
                "no position",
                "no position",
                "no position",
                "no position",
            ]),
        ),
        case(
            "go ponder without a position",
            vec![
                bad(),
                line("go ponder wtime 1000 btime 1000"),
                Absent("bestmove"),
                line("ponderhit"),
                Wait("bestmove (none)"),
            ],
            1,
            One("FEN"),
        ),
        case(
            "go infinite without a position",
            vec![
                bad(),
                line("go infinite"),
                Absent("bestmove"),
                line("stop"),
                Wait("bestmove (none)"),
            ],
            1,
            One("FEN"),
        ),
    ]
}
