//! Numberings of squares and of sets of squares from which a position's index is made.
//!
//! Squares are numbers from 0 (`a1`) to 63 (`h8`). Every table here is computed at compile time.

/// The positions of two kings after symmetry is removed.
pub(crate) const KING_PAIRS: u64 = 462;

/// The positions of three different pieces after symmetry is removed.
pub(crate) const TRIPLES: u64 = 31332;

/// Not a legal pair of kings.
const NO_PAIR: u16 = u16::MAX;

/// One more than the largest group of pieces of one kind. With two kings among seven pieces, a
/// group has at most five.
const MOST_CHOSEN: usize = 6;

/// `BINOMIAL[k][n]` is the number of ways to choose `k` of `n`.
static BINOMIAL: [[u64; 64]; MOST_CHOSEN + 1] = binomials();

const fn binomials() -> [[u64; 64]; MOST_CHOSEN + 1] {
    let mut table = [[0; 64]; MOST_CHOSEN + 1];
    let mut n = 0;
    while n < 64 {
        table[0][n] = 1;
        let mut k = 1;
        while k <= MOST_CHOSEN && k <= n {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
}

/// The number of ways to choose `k` of `n`; zero if `k` is larger than any group of pieces.
#[inline]
pub(crate) fn choose(n: usize, k: usize) -> u64 {
    BINOMIAL
        .get(k)
        .and_then(|row| row.get(n))
        .copied()
        .unwrap_or(0)
}

/// The file of a square, 0 to 7.
#[inline]
pub(crate) const fn file(square: u8) -> u8 {
    square & 7
}

/// Positive above the diagonal from `a1` to `h8`, negative below it, zero on it.
#[inline]
pub(crate) const fn above_diagonal(square: u8) -> i8 {
    (square >> 3) as i8 - (square & 7) as i8
}

/// Mirrors a square at the diagonal from `a1` to `h8`.
#[inline]
pub(crate) const fn mirror_diagonally(square: u8) -> u8 {
    (square >> 3) | (square & 7) << 3
}

/// Numbers the triangle `a1`-`d1`-`d4`: 0 to 5 below the diagonal, 6 to 9 on it.
pub(crate) static TRIANGLE: [u8; 64] = triangle();

const fn triangle() -> [u8; 64] {
    let mut table = [0; 64];
    let (mut next, mut rank) = (0, 0);
    while rank < 4 {
        let mut file = rank + 1;
        while file < 4 {
            table[rank * 8 + file] = next;
            next += 1;
            file += 1;
        }
        table[rank * 9] = 6 + rank as u8;
        rank += 1;
    }
    table
}

/// Numbers the 28 squares below the diagonal from `a1` to `h8`, rank by rank.
pub(crate) static BELOW_DIAGONAL: [u8; 64] = below_diagonal();

const fn below_diagonal() -> [u8; 64] {
    let mut table = [0; 64];
    let (mut next, mut rank) = (0, 0);
    while rank < 8 {
        let mut file = rank + 1;
        while file < 8 {
            table[rank * 8 + file] = next;
            next += 1;
            file += 1;
        }
        rank += 1;
    }
    table
}

/// Numbers the pairs of kings: by the first king's number in the triangle, then by the second
/// king's square. Pairs with both kings on the diagonal come after all others. If the first king is
/// on the diagonal, the second king is not above it.
static KINGS: [[u16; 64]; 10] = kings();

const fn kings() -> [[u16; 64]; 10] {
    let triangle = triangle();
    let mut table = [[NO_PAIR; 64]; 10];
    let mut next = 0;
    let mut both_on_diagonal = 0;
    while both_on_diagonal < 2 {
        let mut number = 0;
        while number < 10 {
            // The square in the triangle that has this number.
            let mut first = 0;
            while !(in_triangle(first) && triangle[first as usize] == number) {
                first += 1;
            }
            let mut second = 0;
            while second < 64 {
                let apart = distance(first, second) > 1;
                let on_diagonal = above_diagonal(first) == 0;
                let both = on_diagonal && above_diagonal(second) == 0;
                let excluded = on_diagonal && above_diagonal(second) > 0;
                if apart && !excluded && both == (both_on_diagonal == 1) {
                    table[number as usize][second as usize] = next;
                    next += 1;
                }
                second += 1;
            }
            number += 1;
        }
        both_on_diagonal += 1;
    }
    assert!(next as u64 == KING_PAIRS);
    table
}

const fn in_triangle(square: u8) -> bool {
    file(square) < 4 && above_diagonal(square) <= 0
}

const fn distance(a: u8, b: u8) -> u8 {
    let files = file(a).abs_diff(file(b));
    let ranks = (a >> 3).abs_diff(b >> 3);
    if files > ranks { files } else { ranks }
}

/// The number of a pair of kings, the first of them in the triangle; `None` if they touch.
#[inline]
pub(crate) fn king_pair(first: u8, second: u8) -> Option<u64> {
    let row = &KINGS[usize::from(TRIANGLE[usize::from(first & 63)])];
    let number = row[usize::from(second & 63)];
    (number != NO_PAIR).then_some(u64::from(number))
}

/// Numbers the squares of pawns. The leader is the pawn with the highest number. Squares nearer to the edge have
/// higher numbers. Of squares equally near to the edge, squares nearer to the second rank have higher numbers, and
/// then squares on the left half of the board.
pub(crate) static PAWN_NUMBER: [u8; 64] = pawn_numbers();

const fn pawn_numbers() -> [u8; 64] {
    let mut table = [0; 64];
    let mut square = 8;
    while square < 56 {
        let file = file(square);
        let right = file > 3;
        let from_edge = if right { 7 - file } else { file };
        let from_second_rank = (square >> 3) - 1;
        table[square as usize] = 47 - 12 * from_edge - 2 * from_second_rank - right as u8;
        square += 1;
    }
    table
}

/// The most leading pawns: five, if the other two of seven pieces are the kings.
const MOST_LEADING: usize = 5;

/// `LEADERS[count - 1][file][rank - 1]` is the number of ways in which `count` pawns of one side can
/// stand if their leader is on this file, `a` to `d`, below this rank.
static LEADERS: [[[u64; 7]; 4]; MOST_LEADING] = leaders();

const fn leaders() -> [[[u64; 7]; 4]; MOST_LEADING] {
    let binomial = binomials();
    let numbers = pawn_numbers();
    let mut table = [[[0; 7]; 4]; MOST_LEADING];
    let mut others = 0;
    while others < MOST_LEADING {
        let mut file = 0;
        while file < 4 {
            let mut rank = 1;
            while rank < 7 {
                // The other pawns stand on squares with a lower number than the leader's.
                let lower = numbers[rank * 8 + file] as usize;
                table[others][file][rank] = table[others][file][rank - 1] + binomial[others][lower];
                rank += 1;
            }
            file += 1;
        }
        others += 1;
    }
    table
}

/// The number of ways in which `count` pawns can stand if their leader is on `file` (0 to 3) below
/// `rank` (1 to 7, from the second rank on).
#[inline]
pub(crate) fn leading_pawns(count: usize, file: usize, rank: usize) -> u64 {
    let row = LEADERS
        .get(count.wrapping_sub(1))
        .and_then(|row| row.get(file));
    row.and_then(|row| row.get(rank.wrapping_sub(1)))
        .copied()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomials_are_pascals() {
        assert_eq!(choose(63, 6), 67_945_521);
        assert_eq!(choose(5, 5), 1);
        assert_eq!(choose(4, 5), 0);
        assert_eq!(choose(10, 0), 1);
        assert_eq!(choose(10, 7), 0);
    }

    #[test]
    fn every_legal_pair_of_kings_has_a_number() {
        let mut seen = vec![false; KING_PAIRS as usize];
        for first in (0..64).filter(|&square| in_triangle(square)) {
            for second in 0..64 {
                if above_diagonal(first) == 0 && above_diagonal(second) > 0 {
                    continue;
                }
                let number = king_pair(first, second);
                assert_eq!(number.is_some(), distance(first, second) > 1);
                if let Some(number) = number {
                    assert!(!std::mem::replace(&mut seen[number as usize], true));
                }
            }
        }
        assert!(seen.into_iter().all(|seen| seen));
    }

    #[test]
    fn pawns_are_numbered_once() {
        let mut numbers: Vec<_> = (8..56).map(|square| PAWN_NUMBER[square]).collect();
        assert_eq!(numbers[0], 47);
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..48));
        // One pawn: six squares on each file. Two: the leader on the d-file has 11, 9, ... left.
        assert_eq!(leading_pawns(1, 0, 7), 6);
        assert_eq!(leading_pawns(2, 3, 7), 11 + 9 + 7 + 5 + 3 + 1);
    }
}
