//! The tables, as the library opens and reads them.

mod adapter;
mod folders;
mod layout;
mod name;

use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use pyrrhic_rs::{DtzProbeValue, TBError, TableBases, WdlProbeResult};
use skewer_movegen::{Board, Color, Piece};
use skewer_types::Wdl;

use crate::{RootProbe, TablebaseError};
use adapter::Attacks;

/// The tables that are open, if any, and the folders they came from.
static OPEN: Mutex<Option<(String, Weak<Tablebases>)>> = Mutex::new(None);

/// Whether the library has panicked. What it has locked and half written then stays so for the whole
/// process.
static FAILED: AtomicBool = AtomicBool::new(false);

/// How often, and how long each time, [`Tablebases::open`] waits for the last user of other
/// tables to let go of them.
const PATIENCE: (u32, Duration) = (100, Duration::from_millis(1));

/// A set of Syzygy endgame tables, opened from one or more folders.
pub struct Tablebases {
    /// `None` only while it is dropped.
    inner: Option<TableBases<Attacks>>,
    largest: u32,
    /// Looking at a root changes state that threads would share.
    root: Mutex<()>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has the library do something. Should it panic, that is the last time in this process.
fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    if FAILED.load(Ordering::Relaxed) {
        return None;
    }
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    if result.is_err() {
        FAILED.store(true, Ordering::Relaxed);
    }
    result.ok()
}

impl Tablebases {
    /// Opens the tables in the folders of `path`, which are separated by `;` (or, elsewhere than
    /// on Windows, by `:`). Asked for the folders that are open already, it gives the same
    /// instance; while others are open it waits a tenth of a second for their users to let go of
    /// them.
    ///
    /// # Errors
    ///
    /// [`TablebaseError`] when a folder is not there, no folder has a table, a file is damaged,
    /// tables from other folders are still in use, or the library has failed.
    pub fn open(path: &str) -> Result<Arc<Self>, TablebaseError> {
        if FAILED.load(Ordering::Relaxed) {
            return Err(TablebaseError::Failed);
        }
        let folders::Checked { folders, largest } = folders::check(path)?;
        for _ in 0..PATIENCE.0 {
            let mut open = lock(&OPEN);
            // Other folders' tables are not so much as borrowed here: should their last user let
            // go of them meanwhile, they would have to be closed on this thread, under this lock.
            if let Some((name, tables)) = &*open
                && *name == folders
                && let Some(tables) = tables.upgrade()
            {
                return Ok(tables);
            }
            match guarded(|| TableBases::new(&folders)).ok_or(TablebaseError::Failed)? {
                Ok(inner) => {
                    let tables = Arc::new(Self {
                        largest,
                        inner: Some(inner),
                        root: Mutex::new(()),
                    });
                    *open = Some((folders, Arc::downgrade(&tables)));
                    return Ok(tables);
                }
                // Somebody has not let go of them yet.
                Err(TBError::AlreadyInitialized) => {
                    drop(open);
                    thread::sleep(PATIENCE.1);
                }
                Err(_) => return Err(TablebaseError::Empty),
            }
        }
        Err(TablebaseError::InUse)
    }

    /// The most men on the board, kings included, of any table in the set.
    pub fn largest(&self) -> u32 {
        self.largest
    }

    /// Whether a position is one that tables are made for: few men, no castling.
    fn covers(&self, board: &Board) -> bool {
        board.occupied().count() <= self.largest && !board.castling_rooks().any()
    }

    /// The outcome of `board` for the side to move, if the tables know it. The count toward the
    /// fifty-move rule is taken to be zero. Once the library has failed, nothing is known any more.
    pub fn probe_wdl(&self, board: &Board) -> Option<Wdl> {
        if !self.covers(board) {
            return None;
        }
        let men = |piece| board.pieces(piece).0;
        let tables = self.inner.as_ref()?;
        let result = guarded(|| {
            tables.probe_wdl(
                board.color(Color::White).0,
                board.color(Color::Black).0,
                men(Piece::King),
                men(Piece::Queen),
                men(Piece::Rook),
                men(Piece::Bishop),
                men(Piece::Knight),
                men(Piece::Pawn),
                en_passant(board),
                board.turn() == Color::White,
            )
        });
        result?.ok().map(wdl)
    }

    /// What the tables say of every legal move of `board`, if they know them all. It takes a lock
    /// and is meant for roots. Once the library has failed, nothing is known any more.
    pub fn probe_root(&self, board: &Board) -> Option<Vec<RootProbe>> {
        if !self.covers(board) {
            return None;
        }
        let men = |piece| board.pieces(piece).0;
        let guard = lock(&self.root);
        let tables = self.inner.as_ref()?;
        let result = guarded(|| {
            tables.probe_root(
                board.color(Color::White).0,
                board.color(Color::Black).0,
                men(Piece::King),
                men(Piece::Queen),
                men(Piece::Rook),
                men(Piece::Bishop),
                men(Piece::Knight),
                men(Piece::Pawn),
                u32::from(board.halfmove_clock()),
                en_passant(board),
                board.turn() == Color::White,
            )
        });
        drop(guard);
        let result = result?.ok()?;
        let legal = board.legal_moves();
        let mut probes = Vec::with_capacity(legal.len());
        for value in &result.moves[..result.num_moves] {
            let DtzProbeValue::DtzResult(found) = value else {
                continue;
            };
            let mv = legal.iter().copied().find(|mv| {
                mv.from().index() == usize::from(found.from_square)
                    && mv.to().index() == usize::from(found.to_square)
                    && mv.promotion() == promotion(found.promotion)
            })?;
            probes.push(RootProbe {
                mv,
                wdl: wdl(found.wdl),
                distance: found.dtz,
            });
        }
        (probes.len() == legal.len()).then_some(probes)
    }
}

impl Drop for Tablebases {
    fn drop(&mut self) {
        // Not while somebody opens others.
        let _open = lock(&OPEN);
        self.inner = None;
    }
}

impl core::fmt::Debug for Tablebases {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Tablebases")
            .field("largest", &self.largest)
            .finish_non_exhaustive()
    }
}

/// The en passant square as the library wants it: 0 for none.
fn en_passant(board: &Board) -> u32 {
    board.en_passant().map_or(0, |square| square.index() as u32)
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

/// The library calls "no promotion" a pawn.
fn promotion(piece: pyrrhic_rs::Piece) -> Option<Piece> {
    match piece {
        pyrrhic_rs::Piece::Knight => Some(Piece::Knight),
        pyrrhic_rs::Piece::Bishop => Some(Piece::Bishop),
        pyrrhic_rs::Piece::Rook => Some(Piece::Rook),
        pyrrhic_rs::Piece::Queen => Some(Piece::Queen),
        pyrrhic_rs::Piece::Pawn | pyrrhic_rs::Piece::King => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_panic_the_library_is_left_alone() {
        assert_eq!(guarded(|| 1), Some(1));
        assert_eq!(guarded(|| -> i32 { panic!("in a test") }), None);
        assert_eq!(guarded(|| 1), None);
        assert!(matches!(
            Tablebases::open("/no/such/folder"),
            Err(TablebaseError::Failed)
        ));
    }
}
