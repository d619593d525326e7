//! `bench`: searches a fixed set of positions. The node count is the signature of the build; the
//! nodes per second are its speed.

use std::time::{Duration, Instant};

use skewer_eval::Evaluation;
use skewer_movegen::Board;
use skewer_search::Limits;
use skewer_search::bench::{DEPTH, HASH_MB, POSITIONS};
use skewer_smp::{Engine, Execution, Options};
use skewer_tt::TableSize;
use skewer_types::Techniques;

use crate::command::quote;
use crate::job::{Control, LastLine, POLL_INTERVAL};
use crate::options::techniques_without;

/// What to search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The depth of the searches, in plies.
    pub(crate) depth: i32,
    /// The engine to search with.
    pub(crate) options: Options,
}

impl Plan {
    /// Reads the words after `bench`.
    ///
    /// # Errors
    ///
    /// Names the first word that cannot be used.
    pub(crate) fn read(words: &[&str]) -> Result<Self, String> {
        let mut numbers = [DEPTH as usize, 1, HASH_MB];
        let mut given = numbers.iter_mut();
        let mut without = Techniques::empty();
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let list = if word == "--without" {
                let name = words.next().copied();
                Some(name.ok_or("--without needs a name")?)
            } else {
                word.strip_prefix("--without=")
            };
            if let Some(list) = list {
                without |= techniques_without(list)?;
                continue;
            }
            match (given.next(), word.parse()) {
                (Some(number), Ok(value)) if (1..=1 << 25).contains(&value) => *number = value,
                _ => return Err(format!("{} cannot be used", quote(word))),
            }
        }
        let [depth, threads, megabytes] = numbers;
        Ok(Self {
            depth: depth.min(skewer_types::MAX_DEPTH as usize) as i32,
            options: Options {
                threads,
                hash: TableSize::from_megabytes(megabytes),
                techniques: Techniques::DEFAULT - without,
                ..Options::default()
            },
        })
    }
}

/// Searches every position with a cleared engine. The last line has the nodes and the speed.
pub(crate) fn run(
    plan: &Plan,
    execution: Execution,
    evaluation: &Evaluation,
    control: &Control<'_>,
) -> LastLine {
    let options = Options {
        execution,
        ..plan.options
    };
    let mut engine = match Engine::with_evaluation(options, evaluation) {
        Ok(engine) => engine,
        Err(error) => return LastLine::Failure(error.to_string()),
    };
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for (number, &fen) in (1..).zip(POSITIONS) {
        let Ok(board) = Board::from_fen(fen) else {
            continue;
        };
        engine.clear();
        let started = Instant::now();
        let search = engine.search(board, Limits::depth(plan.depth), |_| {});
        let stop_if_cancelled = || {
            if control.is_cancelled() {
                search.stop();
            }
        };
        if let Some(mut search) = engine.take_search() {
            search.run(&stop_if_cancelled);
            search.finish();
        }
        let outcome = loop {
            if let Some(outcome) = search.wait_for(POLL_INTERVAL) {
                break outcome;
            }
            stop_if_cancelled();
        };
        if control.is_cancelled() {
            return LastLine::Note("bench was stopped");
        }
        time += started.elapsed();
        engine.wait_until_idle();
        nodes += outcome.nodes;
        control.output.line(format_args!(
            "info string position {number}/{}: {} nodes",
            POSITIONS.len(),
            outcome.nodes
        ));
    }
    let nps = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
    LastLine::Result(format!("{nodes} nodes {nps} nps"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        let plan = Plan::read(&["7", "2", "--without", "null-move,killers", "64"]).unwrap();
        assert_eq!(plan.depth, 7);
        assert_eq!(plan.options.threads, 2);
        assert_eq!(plan.options.hash, TableSize::from_megabytes(64));
        assert_eq!(
            plan.options.techniques,
            Techniques::DEFAULT - Techniques::NULL_MOVE - Techniques::KILLERS
        );
        for bad in [
            &["x"][..],
            &["0"],
            &["1", "1", "1", "1"],
            &["--without"],
            &["--without=q"],
            &["--withoutkillers"],
            &["--withoutkillers", "killers"],
        ] {
            assert!(Plan::read(bad).is_err(), "{bad:?}");
        }
    }
}
