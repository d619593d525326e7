//! A part of a table: positions of one order, with their values.

use super::order::Order;
use super::pairs::Pairs;

/// The values of one part of a table.
#[derive(Debug)]
pub(super) enum Values {
    /// Every position has this value.
    One(u16),
    /// Compressed values.
    Many(Pairs),
}

/// The positions of a table with one side to move and, if there are pawns, the leading pawn on one
/// file.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) order: Order,
    pub(super) flags: u8,
    pub(super) values: Values,
    /// Translates the values of a DTZ table, one list for each of: wins, losses, cursed wins,
    /// blessed losses.
    pub(super) map: Option<[Vec<u16>; 4]>,
}
