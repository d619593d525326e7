//! Endgame tables by other probers, for the bench and the oracle test.

use std::path::Path;

use pyrrhic_rs::{DtzProbeValue, EngineAdapter, TableBases, WdlProbeResult};
use shakmaty::{Chess, fen::Fen};
use skewer_movegen::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, queen_attacks, rook_attacks,
};
use skewer_movegen::{Bitboard, Board, Color, Move, Piece, Square};
use skewer_syzygy::Wdl;

#[path = "../../../crates/syzygy/tests/common/mod.rs"]
mod common;

pub use common::random_position;

/// All WDL tables of three and four pieces, and DTZ tables of some.
pub const DATA: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../crates/syzygy/tests/data"
);

/// The attacks that pyrrhic-rs asks for.
#[derive(Debug, Clone)]
pub struct Attacks;

fn square(index: u64) -> Square {
    Square::from_index((index & 63) as u8).unwrap_or(Square::A1)
}

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, from: u64) -> u64 {
        let color = match color {
            pyrrhic_rs::Color::White => Color::White,
            pyrrhic_rs::Color::Black => Color::Black,
        };
        pawn_attacks(color, square(from)).0
    }

    fn knight_attacks(from: u64) -> u64 {
        knight_attacks(square(from)).0
    }

    fn bishop_attacks(from: u64, occupied: u64) -> u64 {
        bishop_attacks(square(from), Bitboard(occupied)).0
    }

    fn rook_attacks(from: u64, occupied: u64) -> u64 {
        rook_attacks(square(from), Bitboard(occupied)).0
    }

    fn queen_attacks(from: u64, occupied: u64) -> u64 {
        queen_attacks(square(from), Bitboard(occupied)).0
    }

    fn king_attacks(from: u64) -> u64 {
        king_attacks(square(from)).0
    }
}

/// Calls a function of pyrrhic-rs, which takes each part of a position as an argument of its own.
macro_rules! probe {
    ($tables:expr, $function:ident, $board:expr $(, $clock:expr)?) => {{
        let [white, black] = Color::ALL.map(|color| $board.color(color).0);
        let [pawns, knights, bishops, rooks, queens, kings] =
            Piece::ALL.map(|piece| $board.pieces(piece).0);
        let en_passant = $board.en_passant().map_or(0, |square| square.index() as u32);
        $tables.$function(
            white, black, kings, queens, rooks, bishops, knights, pawns, $($clock,)? en_passant,
            $board.turn() == Color::White,
        )
    }};
}

/// pyrrhic-rs, which keeps one set of tables for the process.
pub struct Pyrrhic(TableBases<Attacks>);

impl Pyrrhic {
    /// Opens a directory.
    ///
    /// # Panics
    ///
    /// If it has no tables, or others are open.
    pub fn open(directory: &str) -> Self {
        // Its error has no `Debug`, which `expect` needs.
        let Ok(tables) = TableBases::new(directory) else {
            panic!("no tables in {directory}, or others are open");
        };
        Self(tables)
    }

    /// The outcome of a position.
    pub fn wdl(&self, board: &Board) -> Option<Wdl> {
        let result = probe!(self.0, probe_wdl, board);
        result.ok().map(wdl)
    }

    /// The outcome and the distance after every legal move.
    pub fn moves(&self, board: &Board) -> Option<Vec<(Move, Wdl, u32)>> {
        let clock = u32::from(board.halfmove_clock());
        let result = probe!(self.0, probe_root, board, clock).ok()?;
        let legal = board.legal_moves();
        let found = result.moves[..result.num_moves].iter().filter_map(|value| {
            let DtzProbeValue::DtzResult(found) = value else {
                return None;
            };
            let mv = legal.iter().copied().find(|mv| {
                mv.from().index() == usize::from(found.from_square)
                    && mv.to().index() == usize::from(found.to_square)
                    && mv.promotion() == promotion(found.promotion)
            })?;
            Some((mv, wdl(found.wdl), u32::from(found.dtz)))
        });
        Some(found.collect())
    }
}

fn wdl(result: WdlProbeResult) -> Wdl {
    match result {
        WdlProbeResult::Loss => Wdl::Loss,
        WdlProbeResult::BlessedLoss => Wdl::BlessedLoss,
        WdlProbeResult::Draw => Wdl::Draw,
        WdlProbeResult::CursedWin => Wdl::CursedWin,
        WdlProbeResult::Win => Wdl::Win,
    }
}

/// pyrrhic-rs writes "no promotion" as a pawn.
fn promotion(piece: pyrrhic_rs::Piece) -> Option<Piece> {
    match piece {
        pyrrhic_rs::Piece::Knight => Some(Piece::Knight),
        pyrrhic_rs::Piece::Bishop => Some(Piece::Bishop),
        pyrrhic_rs::Piece::Rook => Some(Piece::Rook),
        pyrrhic_rs::Piece::Queen => Some(Piece::Queen),
        pyrrhic_rs::Piece::Pawn | pyrrhic_rs::Piece::King => None,
    }
}

/// shakmaty-syzygy.
pub struct Shakmaty(shakmaty_syzygy::Tablebase<Chess>);

impl Shakmaty {
    /// Opens a directory; files are mapped.
    ///
    /// # Panics
    ///
    /// If it cannot be read.
    #[expect(unsafe_code, reason = "the peer's interface")]
    pub fn open_mapped(directory: &str) -> Self {
        // SAFETY: nothing writes to the committed tables while the bench runs.
        let mut tables = unsafe { shakmaty_syzygy::Tablebase::with_mmap_filesystem() };
        tables
            .add_directory(Path::new(directory))
            .expect("a directory of tables");
        Self(tables)
    }

    /// Opens a directory; files are read.
    ///
    /// # Panics
    ///
    /// If it cannot be read.
    pub fn open(directory: &str) -> Self {
        let mut tables = shakmaty_syzygy::Tablebase::new();
        tables
            .add_directory(Path::new(directory))
            .expect("a directory of tables");
        Self(tables)
    }

    /// Converts a position.
    ///
    /// # Panics
    ///
    /// If shakmaty refuses the position.
    pub fn position(board: &Board) -> Chess {
        let fen: Fen = board.to_string().parse().expect("a FEN");
        fen.into_position(shakmaty::CastlingMode::Standard)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .expect("legal")
    }

    /// The outcome of a position.
    pub fn wdl(&self, position: &Chess) -> Option<Wdl> {
        Some(match self.0.probe_wdl_after_zeroing(position).ok()? {
            shakmaty_syzygy::Wdl::Loss => Wdl::Loss,
            shakmaty_syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
            shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
            shakmaty_syzygy::Wdl::CursedWin => Wdl::CursedWin,
            shakmaty_syzygy::Wdl::Win => Wdl::Win,
        })
    }
}
