//! The table in a search of another game: four in a row, on a board small enough to solve.
//!
//! ```text
//! cargo run --release -p skewer-tt --example four_in_a_row
//! ```
//!
//! What another game needs: a 64-bit key with all bits well mixed (the high ones choose a place
//! in the table, the low ones distinguish its entries), a move in 16 bits that is not zero, and a
//! depth that says how much work a result was.

use skewer_tt::{RawEntry, Table, TableSize};

const COLUMNS: u32 = 5;
const ROWS: u32 = 5;
/// A column has one square more than rows, so that no line runs from one column to the next.
const HEIGHT: u32 = ROWS + 1;

/// Which bound a score is, in the two bits that the table keeps for it.
const AT_LEAST: u8 = 1;
const AT_MOST: u8 = 2;
const EXACT: u8 = 3;

/// The discs of the side to move, and all discs.
#[derive(Clone, Copy, Default)]
struct Position {
    mine: u64,
    all: u64,
}

impl Position {
    fn play(self, column: u32) -> Option<Self> {
        let bottom = 1 << (column * HEIGHT);
        let top = bottom << (ROWS - 1);
        (self.all & top == 0).then(|| Self {
            mine: self.all ^ self.mine,
            all: self.all | (self.all + bottom),
        })
    }

    /// Whether the side that has just moved has four in a row.
    fn is_won(self) -> bool {
        let discs = self.all ^ self.mine;
        [1, HEIGHT - 1, HEIGHT, HEIGHT + 1].iter().any(|&step| {
            let pairs = discs & (discs >> step);
            pairs & (pairs >> (2 * step)) != 0
        })
    }

    /// A key with all bits mixed (after Steele, Lea and Flood, 2014).
    fn key(self) -> u64 {
        let mut key = self.mine ^ self.all.rotate_left(32);
        key = (key ^ (key >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        key = (key ^ (key >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        key ^ (key >> 31)
    }
}

struct Solver<'a> {
    table: Option<&'a Table>,
    nodes: u64,
}

impl Solver<'_> {
    /// The value with `left` empty squares: positive if the side to move wins, larger for faster wins.
    fn solve(&mut self, position: Position, left: i32, mut alpha: i32, mut beta: i32) -> i32 {
        self.nodes += 1;
        if position.is_won() {
            return -left - 1;
        }
        if left == 0 {
            return 0;
        }
        let key = position.key();
        let known = self.table.and_then(|table| table.probe_raw(key));
        if let Some(known) = known {
            let score = i32::from(known.score);
            match known.bound {
                EXACT => return score,
                AT_LEAST => alpha = alpha.max(score),
                AT_MOST => beta = beta.min(score),
                _ => {}
            }
            if alpha >= beta {
                return score;
            }
        }
        // The best move of the table comes first. It may be from another position with the same
        // check, so it is not trusted: `play` refuses a full column.
        let hash_move = known.map_or(0, |known| u32::from(known.mv));
        let middle_first = [2, 1, 3, 0, 4]
            .into_iter()
            .filter(|&column| column + 1 != hash_move);
        let columns = hash_move.checked_sub(1).into_iter().chain(middle_first);
        let (mut best, mut best_column, old_alpha) = (i32::MIN, 0, alpha);
        for column in columns.filter(|&column| column < COLUMNS) {
            let Some(next) = position.play(column) else {
                continue;
            };
            let score = -self.solve(next, left - 1, -beta, -alpha);
            if score > best {
                (best, best_column) = (score, column);
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        if let Some(table) = self.table {
            let bound = match best {
                _ if best >= beta => AT_LEAST,
                _ if best <= old_alpha => AT_MOST,
                _ => EXACT,
            };
            table.store_raw(
                key,
                RawEntry {
                    mv: best_column as u16 + 1,
                    score: best as i16,
                    // What is left to fill is the work that the entry saves.
                    depth: left,
                    bound,
                    ..RawEntry::default()
                },
            );
        }
        best
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Some discs down already, so that it can be solved without a table as well.
    let opening = [2, 2, 2, 1, 1, 3];
    let start = opening
        .into_iter()
        .try_fold(Position::default(), Position::play)
        .ok_or("an opening move into a full column")?;
    let left = (COLUMNS * ROWS) as i32 - opening.len() as i32;
    let table = Table::new(TableSize::from_megabytes(16))?;
    let mut counts = Vec::new();
    for (name, table) in [("without a table", None), ("with a table", Some(&table))] {
        let mut solver = Solver { table, nodes: 0 };
        let score = solver.solve(start, left, -100, 100);
        println!("{name:>15}: score {score}, {} positions", solver.nodes);
        counts.push((score, solver.nodes));
    }
    assert_eq!(
        counts[0].0, counts[1].0,
        "the table must not change the result"
    );
    assert!(counts[1].1 < counts[0].1, "the table must save work");
    println!("{:>15}  {} permille full", "", table.hashfull());
    Ok(())
}
