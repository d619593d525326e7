//! The positions of the lab's measurements, as openings and FENs, so that measurements need no files.

use std::iter;
use std::ops::RangeInclusive;

use skewer_movegen::{Board, Color};
use skewer_types::Rng;

use super::config::Config;
use super::match_play::opening;
use super::position::Position;
use super::searcher::Searcher;

/// Well-known openings, played out until both sides have developed.
const OPENINGS: [&str; 12] = [
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Na5 Bc2 c5 d4 Qc7",
    "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3 e5 Nb3 Be6 f3 Be7 Qd2 O-O",
    "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O Nf3 Nbd7 Rc1 c6 Bd3 dxc4 Bxc4",
    "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3 O-O Be2 e5 O-O Nc6 d5 Ne7",
    "e4 e6 d4 d5 Nc3 Nf6 Bg5 Be7 e5 Nfd7 Bxe7 Qxe7 f4 O-O Nf3 c5",
    "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5 Ng3 Bg6 h4 h6 Nf3 Nd7 h5 Bh7 Bd3 Bxd3 Qxd3",
    "c4 e5 Nc3 Nf6 Nf3 Nc6 g3 d5 cxd5 Nxd5 Bg2 Nb6 O-O Be7 d3 O-O",
    "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6 O-O a6 Bb3 Ba7 h3 O-O Re1 h6 Nbd2",
    "d4 Nf6 c4 e6 Nc3 Bb4 e3 O-O Bd3 d5 Nf3 c5 O-O Nc6 a3 Bxc3 bxc3 dxc4 Bxc4 Qc7",
    "e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6 Nf3 c6 Bc4 Bf5 Bd2 e6 Qe2 Bb4",
    "d4 f5 g3 Nf6 Bg2 g6 Nf3 Bg7 O-O O-O c4 d6 Nc3 Qe8 d5 Na6",
    "e4 c5 Nc3 Nc6 g3 g6 Bg2 Bg7 d3 d6 Be3 e6 Qd2 Rb8 Nge2 Nd4",
];

/// Sharp, closed and simple positions.
const OTHERS: [&str; 6] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "2r3k1/pp3ppp/4p3/3pP3/3P4/1q3N2/1P1Q1PPP/2R3K1 w - - 0 25",
    "8/5pk1/4p1p1/1p1pP2p/1P1P3P/2r3P1/5PK1/R7 w - - 0 40",
    "r1b2rk1/1p1nbppp/pq1p4/3B4/P2NP3/2N1p3/1PP3PP/R2Q1R1K w - - 0 17",
];

/// Positions of zugzwang with the side to move in it: it loses, and would not if it could pass. All
/// but the last are from endgame tables.
const ZUGZWANGS: [&str; 28] = [
    "2k2n2/8/2KR4/8/8/8/8/8 b - - 1 1",
    "2n2k2/8/4RK2/8/8/8/8/8 b - - 1 1",
    "3k4/4R3/3K4/6n1/8/8/8/8 b - - 1 1",
    "8/8/8/8/8/4RK2/8/2n2k2 b - - 1 1",
    "4k3/3R4/4K3/1n6/8/8/8/8 b - - 1 1",
    "5nk1/8/2P2K2/8/8/8/8/8 b - - 1 1",
    "7k/5K1n/8/8/5P2/8/8/8 b - - 1 1",
    "8/3n4/8/1R6/k1K5/8/8/8 b - - 1 1",
    "8/7K/8/7k/6p1/8/8/6R1 b - - 1 1",
    "8/7k/3p4/3P3K/8/8/8/8 b - - 1 1",
    "8/7k/8/4p2K/8/5P2/8/8 b - - 1 1",
    "8/8/8/5K1k/6R1/8/4n3/8 b - - 1 1",
    "8/8/7n/8/5R2/5K1k/8/8 b - - 1 1",
    "8/8/8/8/5K1k/5R2/8/7n b - - 1 1",
    "8/8/8/8/7P/5K1n/7k/8 b - - 1 1",
    "8/8/8/8/8/3KR3/8/3k2n1 b - - 1 1",
    "8/8/8/8/8/P7/n1K5/k7 b - - 1 1",
    "8/8/8/8/P7/n1K5/k7/8 b - - 1 1",
    "8/8/k7/8/K2p4/8/2P5/8 b - - 1 1",
    "8/8/k7/8/K5p1/8/5P2/8 b - - 1 1",
    "8/K7/8/k7/1p6/8/8/1R6 b - - 1 1",
    "8/k7/8/K5p1/8/5P2/8/8 b - - 1 1",
    "8/n7/8/2R5/k1K5/8/8/8 b - - 1 1",
    "k7/n1K5/8/8/2P5/8/8/8 b - - 1 1",
    "n2k4/8/2RK4/8/8/8/8/8 b - - 1 1",
    "8/2b5/7k/5K2/8/3R4/8/8 b - - 1 1",
    "5b2/8/6R1/8/8/2K5/k7/8 b - - 1 1",
    "kbK5/pp6/RP6/8/8/8/8/8 b - - 1 1",
];

/// How many of [`zugzwangs`], from the first on, are from endgame tables.
pub const FROM_TABLES: usize = ZUGZWANGS.len() - 1;

/// Kings and pawns alone.
pub const PAWN_RACE: &str = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1";

/// Zugzwang: every move of White loses, and a pass would draw (in place of Moreland's first diagram).
pub const ZUGZWANG: &str = "8/8/8/8/8/3k4/2p5/2K5 w - - 0 1";

/// White is a rook ahead and is mated next move whatever it plays (in place of Moreland's second diagram,
/// after Goetsch and Campbell, 1990).
pub const HORIZON: &str = "6k1/5pp1/7p/8/8/2N2p1q/PPP2P1P/R4RK1 w - - 0 1";

/// Middlegames from well-known openings.
///
/// # Panics
///
/// Never: a test plays the openings out.
pub fn openings() -> Vec<Position> {
    OPENINGS.iter().map(|line| played_out(line)).collect()
}

/// The openings and some sharper, more closed and simpler positions.
///
/// # Panics
///
/// Never: a test reads them.
pub fn varied() -> Vec<Position> {
    let others = OTHERS.iter().map(|fen| from_fen(fen));
    openings().into_iter().chain(others).collect()
}

/// [`varied`] and then positions from games of the searcher with itself, `count` in all: the sample of most
/// measurements.
pub fn sample(count: usize) -> Vec<Position> {
    let more = from_games(Board::STARTPOS, 8..=40, 2005);
    varied().into_iter().chain(more).take(count).collect()
}

/// Late middlegames, `count` in all, from games of the searcher with itself.
pub fn late(count: usize) -> Vec<Position> {
    from_games(Board::STARTPOS, 50..=70, 1999)
        .take(count)
        .collect()
}

/// Endings of kings and pawns, `count` in all, from games of the searcher with itself that begin with the pawn
/// race.
///
/// # Panics
///
/// Never: the position is the lab's own.
pub fn pawn_endings(count: usize) -> Vec<Position> {
    let pawns_alone = |position: &Position| {
        [Color::White, Color::Black].map(|color| position.pieces(color)) == [0; 2]
    };
    let race = from_fen(PAWN_RACE);
    from_games(*race.board(), 10..=40, 1990)
        .filter(pawns_alone)
        .take(count)
        .collect()
}

/// The positions of zugzwang.
pub fn zugzwangs() -> Vec<Position> {
    ZUGZWANGS.iter().map(|fen| from_fen(fen)).collect()
}

/// An endless iterator of positions, each from another game: a random opening from `start`, and then
/// a random number of plies in the range `plies`. Games in which one side is far ahead, or that have
/// ended, are left out.
fn from_games(
    start: Board,
    plies: RangeInclusive<usize>,
    seed: u64,
) -> impl Iterator<Item = Position> {
    let mut rng = Rng::new(seed);
    iter::repeat_with(move || {
        let mut position = opening(start, &mut rng);
        let (first, last) = (*plies.start(), *plies.end());
        for _ in 0..first + rng.below(last - first + 1) {
            let thought = Searcher::new(Config::ORDERED).search_to_depth(&position, 2);
            let Some(mv) = thought.best else { break };
            position = position.play(mv);
        }
        let thought = Searcher::new(Config::ORDERED).search_to_depth(&position, 3);
        (thought.best.is_some() && thought.value.abs() <= 300).then_some(position)
    })
    .flatten()
}

/// The position of one of this module's FENs.
///
/// # Panics
///
/// If `fen` is not a legal position.
pub fn from_fen(fen: &str) -> Position {
    Position::new(Board::from_fen(fen).expect("the lab's own positions are legal"))
}

fn played_out(line: &str) -> Position {
    let board = line.split(' ').fold(Board::STARTPOS, |board, san| {
        let mv = board.parse_san(san);
        board.play(mv.expect("the lab's own openings are legal"))
    });
    Position::new(board)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_legal_and_its_own() {
        assert_eq!(varied().len(), 18);
        for positions in [sample(40), late(4), zugzwangs(), pawn_endings(6)] {
            let mut keys: Vec<_> = positions.iter().map(|p| p.board().key()).collect();
            keys.sort_unstable();
            keys.dedup();
            assert_eq!(keys.len(), positions.len());
        }
        assert!(zugzwangs().iter().all(|p| !p.board().in_check()));
        assert!(!from_fen(ZUGZWANG).has_pieces());
        assert!(from_fen(HORIZON).evaluate() > 300);
    }

    #[test]
    fn the_zugzwang_is_mutual_white_to_move_loses_and_black_to_move_draws() {
        let white = from_fen(ZUGZWANG);
        let only: Vec<_> = white.board().legal_moves().iter().copied().collect();
        assert_eq!(format!("{only:?}"), "[c1b2]");
        // After 1. Kb2 Kd2 no move of White keeps the pawn from c1.
        let king = white.play(only[0]);
        let queening = king.play(king.board().parse_uci("d3d2").expect("Kd2"));
        for mv in &queening.board().legal_moves() {
            let after = queening.play(mv);
            assert!(after.board().parse_uci("c2c1q").is_ok(), "{mv:?}");
        }
        // Black to move gives stalemate or loses the pawn.
        let black = white.play_null().expect("no check");
        for mv in &black.board().legal_moves() {
            let after = black.play(mv);
            let board = after.board();
            let stalemate = !board.has_legal_moves() && !board.in_check();
            assert!(stalemate || board.parse_uci("c1c2").is_ok(), "{mv:?}");
        }
    }
}
