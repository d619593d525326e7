//! Test suites: positions with moves to find, to avoid, or mates to give.

use std::time::Duration;

use skewer_movegen::Move;
use skewer_pgn::{Epd, Op};
use skewer_types::Score;

use crate::analyst::{Analyst, Query};
use crate::error::AnalysisError;

/// The result of a position.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Whether the best move is right, and, if a mate is asked for, mates in time.
    pub solved: bool,
    /// If the position is solved, the nodes and time after which a right move stayed the best move until the end.
    pub since: Option<(u64, Duration)>,
    /// The depth of the last whole iteration, in plies.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// The best move.
    pub played: Option<Move>,
}

/// Why a solution of a position cannot be judged.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// No operation says what is to be found.
    #[error("no bm, am or dm")]
    NoTask,
    /// The side to move has no legal move.
    #[error("the position has no legal move")]
    NoLegalMove,
    /// A number is missing or not possible.
    #[error("\"{operation}\" gives no valid number of {unit}")]
    Number {
        /// The opcode and its operands.
        operation: String,
        /// What is counted.
        unit: &'static str,
    },
    /// An operation is given with two numbers.
    #[error("{opcode} is {first} and {second}")]
    Numbers {
        /// The opcode.
        opcode: &'static str,
        /// The number of the first operation.
        first: i64,
        /// Another number.
        second: i64,
    },
    /// A move is both to be found and to be avoided.
    #[error("{0} is in bm and in am")]
    Contradiction(String),
    /// Every legal move is to be avoided.
    #[error("am has every legal move")]
    NoMoveLeft,
}

/// Checks that a solution of a position can be judged: that there is a legal move, which move to find or to avoid or
/// how fast to mate, and that no two operations contradict each other.
///
/// # Errors
///
/// The first reason why not.
pub fn check(epd: &Epd) -> Result<(), Unfit> {
    let mate = number(epd, "dm", "moves to mate", 1)?;
    // Some programs write the depth 0 where there was no search.
    number(epd, "acd", "plies", 0)?;
    let (best, avoid) = (epd.best_moves(), epd.avoid_moves());
    if mate.is_none() && best.is_empty() && avoid.is_empty() {
        return Err(Unfit::NoTask);
    }
    let moves = epd.board.legal_moves();
    if moves.is_empty() {
        return Err(Unfit::NoLegalMove);
    }
    if let Some(&both) = best.iter().find(|mv| avoid.contains(mv)) {
        return Err(Unfit::Contradiction(epd.board.san(both).to_string()));
    }
    if moves.iter().all(|mv| avoid.contains(mv)) {
        return Err(Unfit::NoMoveLeft);
    }
    Ok(())
}

/// The number of all operations with an opcode, at least `least`; `None` without such an operation.
fn number(
    epd: &Epd,
    opcode: &'static str,
    unit: &'static str,
    least: i64,
) -> Result<Option<i64>, Unfit> {
    let mut found = None;
    for operation in &epd.operations {
        if operation.opcode != opcode {
            continue;
        }
        let wrong = |operands: &str| Unfit::Number {
            operation: format!("{opcode} {operands}").trim_end().to_owned(),
            unit,
        };
        let number = match &operation.op {
            Op::Number(number) => *number,
            Op::Other(operands) => return Err(wrong(&operands.join(" "))),
            _ => return Err(wrong("")),
        };
        if number < least || number > i64::from(i32::MAX) {
            return Err(wrong(&number.to_string()));
        }
        if let Some(first) = found.replace(number).filter(|&first| first != number) {
            return Err(Unfit::Numbers {
                opcode,
                first,
                second: number,
            });
        }
    }
    Ok(found)
}

/// Searches a position that [can be judged](check), with an empty hash table, to at most the depth of its `acd`.
///
/// # Errors
///
/// When an engine fails.
pub fn solve(analyst: &mut dyn Analyst, epd: &Epd) -> Result<Attempt, AnalysisError> {
    analyst.forget(1, 1)?;
    let depth = epd.number("acd").filter(|&depth: &i32| depth > 0);
    let mut since = None;
    let query = Query {
        depth,
        ..Query::new(&epd.board, epd.mode)
    };
    let found = analyst.search(&query, &mut |line| {
        if line.multi_pv != 1 {
            return;
        }
        if line.best.is_some_and(|mv| solves(epd, mv, line.score)) {
            since.get_or_insert((line.nodes, line.time));
        } else {
            since = None;
        }
    })?;
    let line = found.lines.first();
    let played = line.and_then(|line| line.moves_from(&epd.board).first().copied());
    let score = line.map_or(Score::ZERO, |line| Score::from_raw(line.score));
    let solved = played.is_some_and(|mv| solves(epd, mv, score));
    Ok(Attempt {
        solved,
        since: since.filter(|_| solved),
        depth: found.depth,
        nodes: found.nodes,
        played,
    })
}

/// Whether this move with this score solves the position.
fn solves(epd: &Epd, mv: Move, score: Score) -> bool {
    let mates = epd.direct_mate().is_none_or(|within| {
        let moves = score
            .mate_distance()
            .and_then(|moves| u32::try_from(moves).ok());
        moves.is_some_and(|moves| (1..=within).contains(&moves))
    });
    epd.accepts(mv) && mates
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A solution can be judged if the line says what is to be found, and no part of it contradicts another. What
    /// several operations say alike is said once.
    #[test]
    fn only_questions_with_an_answer_can_be_judged() {
        let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - -";
        let said = |line: &str| {
            let epd = Epd::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
            check(&epd).err()
        };
        let of_mate = |rest: &str| said(&format!("{mate} {rest}"));
        for good in [
            "bm Ra8#;",
            "am Ra7;",
            "dm 1;",
            "bm Ra8#; am Ra7; dm 1; acd 5;",
            "bm Ra8#; bm Ra7;",
            "dm 1; dm 1;",
            "bm Ra8#; acd 0;",
        ] {
            assert_eq!(of_mate(good), None, "{good}");
        }
        for bad in ["", "id \"x\";", "acd 5;", "sm Ra8#;"] {
            assert_eq!(of_mate(bad), Some(Unfit::NoTask), "{bad}");
        }
        for bad in [
            "dm x",
            "dm",
            "dm 0",
            "dm -1",
            "dm 1 2",
            "dm 1.5",
            "dm 2147483648",
        ] {
            let unfit = Unfit::Number {
                operation: bad.to_owned(),
                unit: "moves to mate",
            };
            assert_eq!(of_mate(bad), Some(unfit.clone()), "{bad}");
            assert_eq!(of_mate(&format!("bm Ra8#; dm 1; {bad};")), Some(unfit));
        }
        for bad in ["acd x", "acd -1"] {
            let unfit = of_mate(&format!("dm 1; {bad};"));
            assert!(matches!(unfit, Some(Unfit::Number { .. })), "{bad}");
        }
        let twice = Unfit::Numbers {
            opcode: "dm",
            first: 1,
            second: 2,
        };
        assert_eq!(of_mate("dm 1; bm Ra8#; dm 2;"), Some(twice));
        let both = Unfit::Contradiction("Ra8#".to_owned());
        assert_eq!(of_mate("bm Ra7 Ra8#; am a1a8;"), Some(both));
        let corner = "8/8/8/8/8/8/8/K6k w - - am Ka2 Kb1 Kb2;";
        assert_eq!(said(corner), Some(Unfit::NoMoveLeft));
        let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - dm 1;";
        assert_eq!(said(stalemate), Some(Unfit::NoLegalMove));
    }
}
