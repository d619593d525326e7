//! Computes the index of a position in a table.

use skewer_movegen::{Board, Color, Piece};

use super::squares::{
    BELOW_DIAGONAL, KING_PAIRS, PAWN_NUMBER, TRIANGLE, TRIPLES, above_diagonal, choose, file,
    king_pair, leading_pawns, mirror_diagonally,
};
use crate::material::{MAX_PIECES, Material};

/// Set in a piece's code if it belongs to the side named second.
const SECOND_SIDE: u8 = 8;

/// How the squares of the leading pieces become a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// Three pieces, each the only one of its kind.
    Triple,
    /// Both kings.
    Kings,
    /// The pawns of one side.
    Pawns,
}

/// All pieces of one kind and color, which are adjacent in the order.
#[derive(Debug, Clone, Copy)]
struct Run {
    color: Color,
    piece: Piece,
    count: u8,
}

/// Pieces whose squares become one number: the leading pieces, or the pieces of one run after them.
#[derive(Debug, Clone, Copy, Default)]
struct Group {
    length: u8,
    /// Whether these are the pawns of the side whose pawns do not lead.
    pawns: bool,
    /// The factor of the group's number in the index.
    factor: u64,
}

/// The order in which a part of a table numbers its pieces.
#[derive(Debug)]
pub(crate) struct Order {
    runs: Vec<Run>,
    lead: Lead,
    /// The group of the leading pieces.
    leading: Group,
    /// The other groups.
    groups: Vec<Group>,
    /// How many positions there are.
    positions: u64,
}

/// Which pieces lead in every table of a material.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Leaders {
    lead: Lead,
    count: usize,
    /// The color of the leading pawns; White stands for the side named first.
    pub(crate) color: Color,
    /// How many pawns the other side has, if pawns lead.
    other_pawns: usize,
}

impl Leaders {
    pub(crate) fn of(material: &Material) -> Self {
        let pawns = Color::ALL.map(|color| material.count(color, Piece::Pawn));
        if material.has_pawns() {
            // The side with fewer pawns leads, unless it has none.
            let second = pawns[0] == 0 || (pawns[1] > 0 && pawns[1] < pawns[0]);
            let color = if second { Color::Black } else { Color::White };
            return Self {
                lead: Lead::Pawns,
                count: pawns[color.index()],
                color,
                other_pawns: pawns[color.opponent().index()],
            };
        }
        let kinds = Color::ALL
            .into_iter()
            .flat_map(|c| Piece::ALL.map(|p| (c, p)));
        let unique = kinds.filter(|&(c, p)| material.count(c, p) == 1).count();
        let (lead, count) = if unique > 2 {
            (Lead::Triple, 3)
        } else {
            (Lead::Kings, 2)
        };
        Self {
            lead,
            count,
            color: Color::White,
            other_pawns: 0,
        }
    }

    /// Bytes of one order in a file: the [`Self::places`], then one byte a piece.
    pub(crate) fn bytes(&self, material: &Material) -> usize {
        self.places() + material.pieces()
    }

    /// The number of places that an order states: the place of the leading group's factor and, if both
    /// sides have pawns, the place of the other side's pawns.
    fn places(&self) -> usize {
        1 + usize::from(self.other_pawns > 0)
    }
}

/// The kind of piece with this code.
fn decode(code: u8) -> Option<(Color, Piece)> {
    let color = Color::ALL[usize::from(code & SECOND_SIDE != 0)];
    let kind = usize::from(code & (SECOND_SIDE - 1));
    Some((color, Piece::from_index(kind.checked_sub(1)?)?))
}

impl Order {
    /// Reads an order. `nibbles` are the halves of the bytes that belong to one side to move;
    /// `lead_file` is the file (0 to 3) of the leading pawn, if pawns lead. `None` if it is not an
    /// order of this material.
    pub(crate) fn new(
        nibbles: &[u8],
        material: &Material,
        leaders: &Leaders,
        lead_file: usize,
    ) -> Option<Self> {
        let (places, codes) = nibbles.split_at_checked(leaders.places())?;
        let mut runs: Vec<Run> = Vec::new();
        for chunk in codes.chunk_by(|a, b| a == b) {
            let (color, piece) = decode(chunk[0])?;
            let count = chunk.len();
            let repeated = runs
                .iter()
                .any(|run| (run.color, run.piece) == (color, piece));
            if repeated || material.count(color, piece) != count {
                return None;
            }
            let count = count as u8;
            runs.push(Run {
                color,
                piece,
                count,
            });
        }
        let counted: usize = runs.iter().map(|run| usize::from(run.count)).sum();
        if counted != material.pieces() {
            return None;
        }
        let lead_runs = match leaders.lead {
            Lead::Triple => 3,
            Lead::Kings => 2,
            Lead::Pawns => 1,
        };
        let (leading_runs, rest) = runs.split_at_checked(lead_runs)?;
        let fits = |run: &Run| match leaders.lead {
            Lead::Triple => run.count == 1,
            Lead::Kings => run.piece == Piece::King,
            Lead::Pawns => (run.color, run.piece) == (leaders.color, Piece::Pawn),
        };
        let other_pawns = leaders.other_pawns > 0;
        if !leading_runs.iter().all(fits)
            || (other_pawns && rest.first().is_none_or(|run| run.piece != Piece::Pawn))
        {
            return None;
        }
        let mut leading = Group {
            length: leaders.count as u8,
            ..Group::default()
        };
        let mut groups: Vec<Group> = rest
            .iter()
            .map(|run| Group {
                length: run.count,
                pawns: run.piece == Piece::Pawn,
                factor: 0,
            })
            .collect();
        let lead_positions = match leaders.lead {
            Lead::Triple => TRIPLES,
            Lead::Kings => KING_PAIRS,
            Lead::Pawns => leading_pawns(leaders.count, lead_file, 7),
        };
        let positions = assign_factors(places, &mut leading, lead_positions, &mut groups)?;
        Some(Self {
            runs,
            lead: leaders.lead,
            leading,
            groups,
            positions,
        })
    }

    /// How many positions there are.
    pub(crate) fn positions(&self) -> u64 {
        self.positions
    }

    /// The index of a position that has the material of the table, with the colors exchanged if
    /// `flip`. `None` only for illegal positions.
    #[inline]
    pub(crate) fn index(&self, board: &Board, flip: bool) -> Option<u64> {
        // Without pawns, a position and its mirror image have the same index.
        let mirror = if flip && self.lead == Lead::Pawns {
            56
        } else {
            0
        };
        let mut squares = [0_u8; MAX_PIECES];
        let mut count = 0;
        for run in &self.runs {
            let color = if flip { !run.color } else { run.color };
            for square in board.colored(color, run.piece) {
                *squares.get_mut(count)? = square as u8 ^ mirror;
                count += 1;
            }
        }
        let squares = squares.get_mut(..count)?;
        let lead = usize::from(self.leading.length);
        let number = match self.lead {
            Lead::Pawns => number_pawns(squares, lead)?,
            Lead::Triple | Lead::Kings => {
                remove_symmetry(squares, lead);
                match *squares {
                    [a, b, c, ..] if self.lead == Lead::Triple => number_triple(a, b, c),
                    [a, b, ..] => king_pair(a, b)?,
                    _ => return None,
                }
            }
        };
        let mut index = number * self.leading.factor;
        let mut placed = lead;
        for group in &self.groups {
            let length = usize::from(group.length);
            let (before, from) = squares.split_at_mut_checked(placed)?;
            let own = from.get_mut(..length)?;
            if length > 1 {
                own.sort_unstable();
            }
            // Count free squares only: without the squares of earlier groups and, for pawns, the first
            // rank.
            let unavailable = if group.pawns { 8 } else { 0 };
            let mut number = 0;
            for (at, &square) in own.iter().enumerate() {
                let taken = before.iter().filter(|&&other| other < square).count();
                number += choose(
                    usize::from(square).checked_sub(taken + unavailable)?,
                    at + 1,
                );
            }
            index += number * group.factor;
            placed += length;
        }
        Some(index)
    }
}

/// The file (0 to 3, after mirroring) of the leading pawn if the pawns of `color` lead, seen from
/// the other side of the board if `flip`.
#[inline]
pub(crate) fn lead_file(board: &Board, color: Color, flip: bool) -> usize {
    let mirror = if flip { 56 } else { 0 };
    let pawns = board.colored(color, Piece::Pawn).into_iter();
    let leader = pawns.max_by_key(|&square| PAWN_NUMBER[square.index() ^ mirror]);
    let file = leader.map_or(0, |square| file(square as u8));
    usize::from(file.min(7 - file))
}

/// Fills in the factors of all groups and returns the number of positions. `places` has the place
/// of the leading group in the product and, if both sides have pawns, the place of the other side's pawns.
fn assign_factors(
    places: &[u8],
    leading: &mut Group,
    lead_positions: u64,
    groups: &mut [Group],
) -> Option<u64> {
    let total = 1 + groups.len();
    let lead_place = usize::from(*places.first()?);
    let pawn_place = places.get(1).map(|&place| usize::from(place));
    if lead_place >= total || pawn_place.is_some_and(|place| place >= total || place == lead_place)
    {
        return None;
    }
    let lead = usize::from(leading.length);
    let (pawns, rest) = groups.split_at_mut(usize::from(pawn_place.is_some()));
    let other_pawns: usize = pawns.iter().map(|group| usize::from(group.length)).sum();
    let mut free = 64_usize.checked_sub(lead + other_pawns)?;
    let mut rest = rest.iter_mut();
    let mut factor = 1_u64;
    for place in 0..total {
        let ways = if place == lead_place {
            leading.factor = factor;
            lead_positions
        } else if Some(place) == pawn_place {
            let group = pawns.first_mut()?;
            group.factor = factor;
            choose(48_usize.checked_sub(lead)?, other_pawns)
        } else {
            let group = rest.next()?;
            group.factor = factor;
            let ways = choose(free, group.length.into());
            free = free.checked_sub(group.length.into())?;
            ways
        };
        factor = factor
            .checked_mul(ways)
            .filter(|&positions| positions > 0)?;
    }
    Some(factor)
}

/// Mirrors the board so that the first piece is in the triangle `a1`-`d1`-`d4` and the first of the
/// `lead` leading pieces that is off the diagonal is below it.
#[inline]
fn remove_symmetry(squares: &mut [u8], lead: usize) {
    let first = squares.first().copied().unwrap_or(0);
    let mut mirror = 0;
    if first & 4 != 0 {
        mirror |= 7;
    }
    if first & 32 != 0 {
        mirror |= 0x38;
    }
    for square in &mut *squares {
        *square ^= mirror;
    }
    let off = squares
        .iter()
        .take(lead)
        .map(|&square| above_diagonal(square))
        .find(|&off| off != 0);
    if off.is_some_and(|off| off > 0) {
        for square in squares {
            *square = mirror_diagonally(*square);
        }
    }
}

/// Numbers three pieces on squares from which [`remove_symmetry`] has removed symmetry. There are
/// four ranges of numbers, by the first piece that is off the diagonal: the first, second, third or
/// none.
#[inline]
fn number_triple(a: u8, b: u8, c: u8) -> u64 {
    let below_b = u64::from(b > a);
    let below_c = u64::from(c > a) + u64::from(c > b);
    let lower = |square: u8| u64::from(BELOW_DIAGONAL[usize::from(square & 63)]);
    let on_diagonal = |square: u8| u64::from(file(square));
    let (b_free, c_free) = (u64::from(b) - below_b, u64::from(c) - below_c);
    let triangle = u64::from(TRIANGLE[usize::from(a & 63)]);
    let range = [6 * 63 * 62, 4 * 28 * 62, 4 * 7 * 28];
    if above_diagonal(a) != 0 {
        (triangle * 63 + b_free) * 62 + c_free
    } else if above_diagonal(b) != 0 {
        range[0] + (on_diagonal(a) * 28 + lower(b)) * 62 + c_free
    } else if above_diagonal(c) != 0 {
        range[0] + range[1] + (on_diagonal(a) * 7 + on_diagonal(b) - below_b) * 28 + lower(c)
    } else {
        let b = on_diagonal(b) - below_b;
        let c = on_diagonal(c) - below_c;
        range[0] + range[1] + range[2] + (on_diagonal(a) * 7 + b) * 6 + c
    }
}

/// Mirrors the board so that the leader is on the left half, then numbers the leading pawns.
#[inline]
fn number_pawns(squares: &mut [u8], count: usize) -> Option<u64> {
    let number = |square: u8| PAWN_NUMBER[usize::from(square & 63)];
    let pawns = squares.get(..count)?;
    let leader = pawns.iter().copied().max_by_key(|&square| number(square))?;
    if file(leader) > 3 {
        for square in &mut *squares {
            *square ^= 7;
        }
    }
    let pawns = squares.get_mut(..count)?;
    // The leader has the highest number, also after mirroring.
    pawns.sort_unstable_by_key(|&square| number(square));
    let (leader, others) = pawns.split_last()?;
    let rank = usize::from(leader >> 3);
    let mut index = leading_pawns(count, usize::from(file(*leader)), rank);
    for (at, &square) in others.iter().enumerate() {
        index += choose(number(square).into(), at + 1);
    }
    Some(index)
}
