//! One table file. `FORMAT.md` describes what is read here.

mod header;
mod order;
mod pairs;
mod part;
mod reader;
mod squares;

use skewer_movegen::{Board, Color};

pub(crate) use header::check_length;
use header::{LOSS_PLIES, WIN_PLIES, side_of};
use order::{Leaders, lead_file};
use part::{Part, Values};

use crate::error::Fault;
use crate::material::Material;
use crate::outcome::{TableKind, Wdl};
use crate::source::Source;

/// A table whose header has been read.
#[derive(Debug)]
pub(crate) struct Table {
    source: Source,
    symmetric: bool,
    /// The color of the leading pawns, if there are any; White stands for the side named first.
    lead_pawns: Option<Color>,
    /// By file of the leading pawn, then by side to move.
    parts: Vec<Part>,
    sides: usize,
}

impl Table {
    /// Reads the header of a table and checks that it is the table of `material`. Block lengths are
    /// summed up if the file is in memory, where that costs little.
    pub(crate) fn new(source: Source, material: &Material, kind: TableKind) -> Result<Self, Fault> {
        let leaders = Leaders::of(material);
        let parts = header::read(&source, material, &leaders, kind)?;
        if let Source::Memory(bytes) = &source {
            for part in &parts {
                if let Values::Many(pairs) = &part.values {
                    pairs.check_lengths(&**bytes, part.order.positions())?;
                }
            }
        }
        let files = if material.has_pawns() { 4 } else { 1 };
        Ok(Self {
            source,
            symmetric: material.is_symmetric(),
            lead_pawns: material.has_pawns().then_some(leaders.color),
            sides: parts.len() / files,
            parts,
        })
    }

    /// The stored outcome. It may be worse than the true outcome if a capture reaches the true
    /// outcome.
    ///
    /// `flip` is whether Black has the pieces that the table's name has first.
    #[inline]
    pub(crate) fn wdl(&self, board: &Board, flip: bool) -> Result<Wdl, Fault> {
        let (flip, side) = self.orient(board, flip);
        let part = self.part(board, flip, side)?;
        match self.value(part, board, flip)? {
            0 => Ok(Wdl::Loss),
            1 => Ok(Wdl::BlessedLoss),
            2 => Ok(Wdl::Draw),
            3 => Ok(Wdl::CursedWin),
            4 => Ok(Wdl::Win),
            _ => Err(Fault::Unusable("an outcome that does not exist")),
        }
    }

    /// What the table stores for a position whose outcome `wdl` is not a draw: the distance in plies,
    /// less one, or less 101 for cursed wins and blessed losses. `None` if the table has values for
    /// the other side to move only.
    pub(crate) fn dtz(&self, board: &Board, flip: bool, wdl: Wdl) -> Result<Option<u32>, Fault> {
        let (flip, side) = self.orient(board, flip);
        let part = self.part(board, flip, Color::White)?;
        if side_of(part.flags) != side && !self.symmetric {
            return Ok(None);
        }
        let value = self.value(part, board, flip)?;
        let (list, in_plies) = match wdl {
            Wdl::Win => (0, part.flags & WIN_PLIES != 0),
            Wdl::Loss => (1, part.flags & LOSS_PLIES != 0),
            Wdl::CursedWin => (2, false),
            Wdl::BlessedLoss | Wdl::Draw => (3, false),
        };
        let value = match &part.map {
            Some(lists) => lists[list]
                .get(usize::from(value))
                .copied()
                .ok_or(Fault::Unusable("a distance that does not exist"))?,
            None => value,
        };
        Ok(Some(u32::from(value) * if in_plies { 1 } else { 2 }))
    }

    /// Whether the colors are exchanged, and the side to move after that.
    #[inline]
    fn orient(&self, board: &Board, flip: bool) -> (bool, Color) {
        if self.symmetric {
            (board.turn() == Color::Black, Color::White)
        } else if flip {
            (true, !board.turn())
        } else {
            (false, board.turn())
        }
    }

    #[inline]
    fn part(&self, board: &Board, flip: bool, side: Color) -> Result<&Part, Fault> {
        let file = self.lead_pawns.map_or(0, |color| {
            lead_file(board, if flip { !color } else { color }, flip)
        });
        let part = self.parts.get(file * self.sides + side.index());
        part.ok_or(Fault::Unusable("a part is missing"))
    }

    #[inline]
    fn value(&self, part: &Part, board: &Board, flip: bool) -> Result<u16, Fault> {
        let pairs = match &part.values {
            Values::One(value) => return Ok(*value),
            Values::Many(pairs) => pairs,
        };
        let index = part.order.index(board, flip);
        let index = index.ok_or(Fault::Unusable("a position without an index"))?;
        match &self.source {
            Source::Memory(bytes) => pairs.value(&**bytes, index),
            #[cfg(feature = "memmap2")]
            Source::Mapped(bytes) => pairs.value(&**bytes, index),
            Source::Positioned(file) => pairs.value(file, index),
        }
    }
}
