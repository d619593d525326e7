//! Skewer's own search, in this process, as an analyst.

use std::sync::Arc;

use skewer_search::{Limits, Position, Report, SearchControl, Solo, TablebaseRules};
use skewer_tt::TableSize;
use skewer_types::Bound;

use super::{Analyst, Collector, Finding, FoundLine, Interrupt, Progress, Query, Settings};
use crate::error::AnalysisError;
use crate::params::{NODES_PER_MB, SMALL_TABLES};

/// A searcher with hash tables of several sizes and the limits of its searches.
pub(super) struct OwnAnalyst {
    /// Searchers by the size of their hash table, in MiB and increasing. The last has the size given
    /// in the settings.
    solos: Vec<(usize, Solo)>,
    /// The index of the searcher in use.
    current: usize,
    limits: Limits,
    interrupt: Interrupt,
}

impl OwnAnalyst {
    pub(super) fn new(settings: &Settings, interrupt: Interrupt) -> Result<Self, AnalysisError> {
        let sizes = SMALL_TABLES
            .into_iter()
            .filter(|&size| size < settings.hash);
        let solos = sizes
            .chain([settings.hash])
            .map(|megabytes| {
                let size = TableSize::from_megabytes(megabytes);
                let solo = Solo::new(&settings.evaluation, size)?;
                let solo = match &settings.tablebases {
                    Some(tables) => {
                        solo.with_tablebases(Arc::clone(tables), TablebaseRules::default())
                    }
                    None => solo,
                };
                Ok((megabytes, solo))
            })
            .collect::<Result<Vec<_>, AnalysisError>>()?;
        Ok(Self {
            current: solos.len() - 1,
            solos,
            limits: settings.limits(),
            interrupt,
        })
    }
}

impl Analyst for OwnAnalyst {
    /// Clearing a large table takes longer than a short search. If the searches cannot fill it within
    /// the node limit, a smaller table is used.
    fn forget(&mut self, positions: usize, factor: u64) -> Result<(), AnalysisError> {
        let nodes = self.limits.nodes;
        let stored = nodes.and_then(|nodes| {
            let nodes = nodes.checked_mul(factor)?;
            nodes.checked_mul(positions as u64)
        });
        let fits = |size: usize| stored.is_some_and(|stored| stored <= size as u64 * NODES_PER_MB);
        let small = self.solos.iter().position(|(size, _)| fits(*size));
        self.current = small.unwrap_or(self.solos.len() - 1);
        self.solos[self.current].1.clear();
        Ok(())
    }

    fn search(
        &mut self,
        query: &Query<'_>,
        on_line: &mut dyn FnMut(&Progress),
    ) -> Result<Finding, AnalysisError> {
        let position = Position::from_moves(*query.start, query.moves.iter().copied());
        let mut limits = self.limits.clone();
        limits.nodes = limits.nodes.map(|nodes| nodes.saturating_mul(query.factor));
        if let Some(depth) = query.depth {
            limits.depth = Some(limits.depth.map_or(depth as _, |own| own.min(depth as _)));
        }
        let mut lines = Collector::new(limits.multi_pv);
        let mut report = |line: &Report| {
            // The search reports fewer lines than asked for if fewer moves are legal, or if endgame tables rule moves
            // out.
            lines.wanted = line.lines;
            if line.bound == Bound::Exact {
                lines.add(line.multi_pv.max(1), FoundLine::new(line.score, &line.pv));
            }
            on_line(&Progress {
                multi_pv: line.multi_pv,
                score: line.score,
                best: line.pv.first().copied(),
                nodes: line.nodes,
                time: line.time,
            });
        };
        let solo = &mut self.solos[self.current].1;
        let control = Arc::new(SearchControl::new(limits));
        self.interrupt.begin(&control);
        let outcome = solo.search_under(&position, &control, &mut report);
        if self.interrupt.is_set() {
            return Err(AnalysisError::Interrupted);
        }
        if lines.wanted == 1 || lines.whole.is_empty() {
            // The last iteration may have found a better move before it was cut off.
            lines.whole = vec![FoundLine::new(outcome.score, &outcome.pv)];
        }
        Ok(lines.finding(outcome.depth.max(0) as u32, outcome.nodes))
    }
}
