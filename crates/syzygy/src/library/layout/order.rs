//! In what order a table counts its positions, and how many there are.
//!
//! The men are taken in groups of the same kind. A position's number is made of one number for
//! each group: the leading group (the pawns of the side that has fewer of them, or else the two
//! kings, or three men that are alone of their kind) is placed first and symmetry is taken out of
//! its places; then come the other side's pawns, then the rest.

use super::ensure;
use crate::library::name::Name;

/// White's pawn, and black's.
const PAWNS: [u8; 2] = [1, 9];

/// White's king, and black's.
const KINGS: [u8; 2] = [6, 14];

/// Ways to place two kings, and three different men, on a board that is turned and mirrored.
const TWO_KINGS: u64 = 462;
const THREE_MEN: u64 = 31332;

/// What a table's groups are, as far as its name says.
pub(super) struct Groups {
    /// Every man, in order.
    men: Vec<u8>,
    /// How many men lead.
    leading: usize,
    /// The leading pawns, if pawns lead, and how many there are on the other side.
    pawns: Option<(u8, usize)>,
}

impl Groups {
    pub(super) fn new(name: &Name) -> Self {
        let mut men = name.codes();
        men.sort_unstable();
        let kinds = || men.chunk_by(|a, b| a == b);
        let count = |pawn| kinds().find(|kind| kind[0] == pawn).map_or(0, <[u8]>::len);
        let [white, black] = PAWNS.map(count);
        let (leading, pawns) = if white + black == 0 {
            let alone = kinds().filter(|kind| kind.len() == 1).count();
            (if alone == 2 { 2 } else { 3 }, None)
        } else if black == 0 || (1..=black).contains(&white) {
            (white, Some((PAWNS[0], black)))
        } else {
            (black, Some((PAWNS[1], white)))
        };
        Self {
            men,
            leading,
            pawns,
        }
    }

    /// Whether there are pawns, so that the leading pawn's file matters.
    pub(super) fn have_pawns(&self) -> bool {
        self.pawns.is_some()
    }

    /// Pawns of the side that does not lead.
    fn other_pawns(&self) -> usize {
        self.pawns.map_or(0, |(_, others)| others)
    }

    /// How many bytes one order takes: one for every man, one to say where in the product the
    /// leading group comes, one more if both sides have pawns.
    pub(super) fn bytes(&self) -> u64 {
        self.men.len() as u64 + 1 + u64::from(self.other_pawns() > 0)
    }

    /// How many positions there are if the men are placed in the order that the lower or upper
    /// halves of these bytes give, the leading pawn being on this file; `None` if it is no order.
    pub(super) fn positions(&self, halves: &[u8], file: u64) -> Option<u64> {
        let others = self.other_pawns();
        let (places, men) = halves.split_at(1 + usize::from(others > 0));
        let mut sorted = men.to_vec();
        sorted.sort_unstable();
        ensure(sorted == self.men)?;
        // Men of one kind stand together.
        ensure(men.chunk_by(|a, b| a == b).count() == self.men.chunk_by(|a, b| a == b).count())?;
        let lead = &men[..self.leading];
        let second = &men[self.leading..][..others];
        let mut positions = match self.pawns {
            Some((pawn, _)) => {
                ensure(lead.iter().all(|&man| man == pawn))?;
                ensure(second.iter().all(|man| PAWNS.contains(man)))?;
                leading_pawns(lead.len() as u64, file)
                    * choose(48 - lead.len() as u64, others as u64)
            }
            None if lead.len() == 2 => {
                ensure(lead.iter().all(|man| KINGS.contains(man)))?;
                TWO_KINGS
            }
            None => THREE_MEN,
        };
        let placed = lead.len() + others;
        let mut free = 64 - placed as u64;
        let rest = men[placed..].chunk_by(|a, b| a == b).map(<[u8]>::len);
        let mut groups = places.len();
        for group in rest {
            positions *= choose(free, group as u64);
            free -= group as u64;
            groups += 1;
        }
        ensure(places.iter().all(|&place| usize::from(place) < groups))?;
        ensure(places.len() == 1 || places[0] != places[1])?;
        Some(positions)
    }
}

/// Ways to place pawns of which the leading one, the nearest to the edge and there the nearest to
/// home, is on this file: the squares further on are two fewer with each rank, and twelve fewer
/// with each file.
fn leading_pawns(count: u64, file: u64) -> u64 {
    let further = |rank: u64| 47 - 12 * file - 2 * rank;
    (0..6).map(|rank| choose(further(rank), count - 1)).sum()
}

/// Ways to take `k` out of `n`.
fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |ways, taken| {
        ways * n.saturating_sub(taken) / (taken + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(name: &str, halves: &[u8], file: u64) -> Option<u64> {
        Groups::new(&Name::parse(name).unwrap()).positions(halves, file)
    }

    #[test]
    fn orders_are_counted() {
        let cases: [(&str, &[u8], u64, u64); 6] = [
            // Three men that are alone of their kind.
            ("KQvK.rtbw", &[0, 6, 14, 5], 0, 31332),
            // The kings, and two of a kind.
            ("KBBvK.rtbw", &[1, 14, 6, 3, 3], 0, 462 * (62 * 61 / 2)),
            // A pawn on the a-file or the d-file, and the kings.
            ("KPvK.rtbw", &[0, 1, 6, 14], 0, 6 * 63 * 62),
            ("KPvK.rtbw", &[2, 1, 6, 14], 3, 6 * 63 * 62),
            // Two pawns, the leading one on the d-file: 11, 9, ... squares for the other.
            ("KPPvK.rtbz", &[0, 1, 1, 6, 14], 3, 36 * 62 * 61),
            // Pawns on both sides.
            ("KPvKP.rtbw", &[1, 0, 1, 9, 6, 14], 1, 6 * 47 * 62 * 61),
        ];
        for (name, halves, file, count) in cases {
            assert_eq!(positions(name, halves, file), Some(count), "{name}");
        }
    }

    #[test]
    fn what_is_no_order_is_refused() {
        let cases: [(&str, &[u8]); 9] = [
            // Another man; one too many of a kind; the wrong color.
            ("KQvK.rtbw", &[0, 6, 14, 4]),
            ("KQvK.rtbw", &[0, 6, 6, 14]),
            ("KQvK.rtbw", &[0, 6, 14, 13]),
            // Places that there are not, or twice.
            ("KQvK.rtbw", &[1, 6, 14, 5]),
            ("KPvKP.rtbw", &[1, 1, 1, 9, 6, 14]),
            ("KPvKP.rtbw", &[0, 4, 1, 9, 6, 14]),
            // Other men than the kings lead; a kind is in two groups; a king before the pawn.
            ("KBBvK.rtbw", &[0, 3, 3, 6, 14]),
            ("KBBvK.rtbw", &[0, 6, 3, 14, 3]),
            ("KPvK.rtbw", &[0, 6, 1, 14]),
        ];
        for (name, halves) in cases {
            assert_eq!(positions(name, halves, 0), None, "{name} {halves:?}");
        }
    }
}
