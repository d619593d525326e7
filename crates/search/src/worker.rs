//! The state of one search thread, kept from search to search, and the start of a search.

use skewer_eval::Evaluator;
use skewer_movegen::Move;
use skewer_types::{DefaultTechniques, TechniqueSet, Techniques};

use crate::diversity::Diversity;
use crate::scale::Optimism;
use crate::search::{HASHFULL_INTERVAL, Memory, Search};
use crate::shared::SharedHistories;
use crate::tablebases::ask_root;
use crate::time::Timer;
use crate::{Context, Position, Report, SearchResult};

/// One thread of a search: its evaluator, histories and stack, kept from one search to the next.
///
/// With one worker and a table of its own the search is deterministic. A worker takes about
/// 0.5 MB, and 3.5 MB for the histories that may be shared, besides its evaluator; searching
/// allocates next to nothing.
///
/// A search recurses as deep as its longest line. In a build with optimisations it needs 4 to 5 KiB of stack for each
/// ply, measured with 37 and 67 plies. At that rate the longest line, of [`MAX_PLY`](skewer_types::MAX_PLY) plies, needs
/// 1.2 MiB, less than the 2 MiB of Rust's threads, but no line of that length was tried. Builds without optimisations
/// need more.
pub struct Worker {
    evaluator: Box<dyn SearchWith>,
    memory: Box<Memory>,
    id: usize,
}

/// Techniques that may overlook a mate for long.
const UNSOUND: Techniques = Techniques::NULL_MOVE
    .union(Techniques::REVERSE_FUTILITY)
    .union(Techniques::RAZORING)
    .union(Techniques::PROBCUT)
    .union(Techniques::LATE_MOVE_PRUNING)
    .union(Techniques::PARENT_FUTILITY)
    .union(Techniques::HISTORY_PRUNING)
    .union(Techniques::SEE_PRUNING)
    .union(Techniques::MULTI_CUT)
    .union(Techniques::NEGATIVE_EXTENSIONS)
    .union(Techniques::INTERNAL_REDUCTION);

impl Worker {
    /// Creates a worker that has learned nothing. `id` counts from 0; worker 0 checks the clock
    /// for all.
    pub fn new(id: usize, evaluator: impl Evaluator + Send + 'static) -> Self {
        Self::sharing(id, evaluator, SharedHistories::default())
    }

    /// Creates a worker that shares `histories` with other workers, which must use the same evaluation.
    pub fn sharing(
        id: usize,
        evaluator: impl Evaluator + Send + 'static,
        histories: SharedHistories,
    ) -> Self {
        Self {
            evaluator: Box::new(evaluator),
            memory: Box::new(Memory::new(histories)),
            id,
        }
    }

    /// Returns this worker's index.
    pub fn id(&self) -> usize {
        self.id
    }

    /// Forgets everything learned, including what is shared, as for a new game.
    pub fn clear(&mut self) {
        self.memory.clear();
    }

    /// Searches `position` within the limits of `context.control` and returns the outcome.
    ///
    /// `report` is called for every finished line. In a search for one line, worker 0 after three seconds
    /// also reports lines that failed high or low. Worker 0 ends all workers when it meets a limit. With
    /// a single line, any worker that reaches the requested depth or mate ends all workers.
    pub fn search(
        &mut self,
        position: &Position,
        context: &Context<'_>,
        report: &mut dyn FnMut(&Report),
    ) -> SearchResult {
        let techniques = match context.control.limits().mate {
            // A mate search is asked for the shortest mate, so nothing unsound is pruned.
            Some(_) => context.techniques - UNSOUND,
            None => context.techniques,
        };
        let task = Task {
            memory: &mut self.memory,
            id: self.id,
            position,
            context,
            report,
        };
        self.evaluator.search(task, techniques)
    }
}

/// The arguments of one search.
struct Task<'a> {
    memory: &'a mut Memory,
    id: usize,
    position: &'a Position,
    context: &'a Context<'a>,
    report: &'a mut dyn FnMut(&Report),
}

/// An evaluator of any type. A search makes one indirect call at its start, and none at a node.
trait SearchWith: Send {
    fn search(&mut self, task: Task<'_>, techniques: Techniques) -> SearchResult;
}

impl<E: Evaluator + Send> SearchWith for E {
    fn search(&mut self, task: Task<'_>, techniques: Techniques) -> SearchResult {
        if techniques == Techniques::DEFAULT {
            task.run(self, DefaultTechniques)
        } else {
            task.run(self, techniques)
        }
    }
}

impl Task<'_> {
    fn run<E: Evaluator, T: TechniqueSet>(self, evaluator: &mut E, set: T) -> SearchResult {
        let Self {
            memory,
            id,
            position,
            context,
            report,
        } = self;
        let limits = context.control.limits();
        let legal = position.board().legal_moves();
        let verdict = context
            .tablebases
            .and_then(|tables| ask_root(&tables, position.board()));
        let wanted = |mv: &Move| limits.search_moves.contains(mv);
        let restricted = legal.iter().any(wanted);
        let keeps = |mv: &Move| {
            verdict
                .as_ref()
                .is_none_or(|verdict| verdict.moves.contains(mv))
        };
        // Moves named in the limits are searched, whatever the tables say.
        let moves = legal
            .iter()
            .copied()
            .filter(|mv| if restricted { wanted(mv) } else { keeps(mv) });
        let known = verdict
            .as_ref()
            .filter(|_| !restricted)
            .map(|verdict| verdict.score);
        memory.root.start(moves, known);
        let mut search = Search {
            set,
            evaluator,
            memory,
            context,
            timer: Timer::new(
                limits,
                position.board().fullmove_number().into(),
                legal.len() == 1,
            ),
            id,
            diversity: Diversity::of(id),
            nodes: 0,
            node_limit: match limits.nodes {
                Some(nodes) if id == 0 => nodes,
                _ => u64::MAX,
            },
            tb_hits: u64::from(verdict.is_some()),
            seldepth: 0,
            root_depth: 1,
            optimism: Optimism::default(),
            hashfull: 0,
            // In fewer nodes a search hardly fills the table.
            hashfull_due: HASHFULL_INTERVAL,
            null_from: 0,
            aborted: false,
        };
        search.iterate(position, report)
    }
}

#[cfg(test)]
mod tests {
    use skewer_eval::HandWritten;
    use skewer_tt::{Table, TableSize};

    use super::*;
    use crate::{Counters, Limits, SearchControl, bench};

    /// The search compiled for the default techniques, and the search that tests each technique at run time,
    /// visit the same nodes.
    #[test]
    fn default_techniques_known_at_compile_time_or_at_run_time_are_the_same() {
        let mut nodes = [0, 0];
        for fen in &bench::POSITIONS[5..11] {
            let position = Position::new(fen.parse().unwrap());
            for (instance, nodes) in nodes.iter_mut().enumerate() {
                let table = Table::new(TableSize::from_megabytes(1)).unwrap();
                let control = SearchControl::new(Limits::depth(8));
                let counters = Counters::default();
                let context = Context::solo(&table, &control, &counters);
                let mut evaluator = HandWritten::default();
                let task = Task {
                    memory: &mut Memory::new(SharedHistories::default()),
                    id: 0,
                    position: &position,
                    context: &context,
                    report: &mut |_| {},
                };
                let outcome = if instance == 0 {
                    task.run(&mut evaluator, DefaultTechniques)
                } else {
                    task.run(&mut evaluator, Techniques::DEFAULT)
                };
                *nodes += outcome.nodes;
            }
        }
        assert_eq!(nodes[0], nodes[1]);
    }

    /// Returns whether a search by this worker to a depth stops the others.
    fn stops_others(id: usize, multi_pv: usize) -> bool {
        let table = Table::new(TableSize::from_megabytes(1)).unwrap();
        let control = SearchControl::new(Limits {
            multi_pv,
            ..Limits::depth(3)
        });
        let counters = [Counters::default(), Counters::default()];
        let context = Context {
            counters: &counters,
            ..Context::solo(&table, &control, &counters[0])
        };
        let position = Position::new(bench::POSITIONS[5].parse().unwrap());
        let mut worker = Worker::new(id, HandWritten::default());
        let outcome = worker.search(&position, &context, &mut |_| {});
        assert_eq!(outcome.depth, 3);
        control.has_ended()
    }

    #[test]
    fn the_first_to_reach_the_depth_stops_the_others() {
        assert!(stops_others(0, 1));
        assert!(stops_others(1, 1));
        assert!(stops_others(0, 2));
        assert!(!stops_others(1, 2), "only worker 0 reports lists of lines");
    }
}
