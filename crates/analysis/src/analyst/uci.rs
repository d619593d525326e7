//! Any UCI engine as an analyst.

use std::time::Duration;

use skewer_movegen::{Board, CastlingMode, Move};
use skewer_types::Score;
use skewer_uci_client::{Bound, Bounds, EngineError, Go, Info, UciEngine, Variant};

use super::{Analyst, Collector, Finding, FoundLine, Progress, Query, Settings, UciProgram};
use crate::error::AnalysisError;
use crate::line::uci;
use crate::params::{ENGINE_LATE, ENGINE_LONGEST};

/// An engine in a process of its own, which is started when it is needed.
pub(super) struct UciAnalyst {
    program: UciProgram,
    hash: usize,
    go: Go,
    multi_pv: usize,
    /// The engine and the variant that was last sent to it; `None` before the first search and after a failure.
    running: Option<(UciEngine, CastlingMode)>,
}

const NEVER: &dyn Fn() -> bool = &|| false;

impl UciAnalyst {
    pub(super) fn new(program: UciProgram, settings: &Settings) -> Self {
        Self {
            program,
            hash: settings.hash,
            go: Go {
                nodes: settings.nodes,
                depth: settings.depth.map(|depth| depth as u32),
                move_time: settings.time,
                timers: None,
            },
            multi_pv: settings.multi_pv,
            running: None,
        }
    }

    fn start(&self, mode: CastlingMode) -> Result<UciEngine, EngineError> {
        let variant = match mode {
            CastlingMode::Standard => Variant::Standard,
            CastlingMode::Chess960 => Variant::Chess960,
        };
        let program = &self.program.program;
        let mut engine = UciEngine::start(program, variant, Bounds::default(), NEVER)?;
        let mut set = |name: &str, value: usize| {
            let given = program.options.iter();
            let is_given = given
                .into_iter()
                .any(|(own, _)| own.eq_ignore_ascii_case(name));
            if is_given || !engine.has_option(name) {
                return Ok(());
            }
            engine.set_option(name, &value.to_string())
        };
        set("Hash", self.hash)?;
        set("Threads", 1)?;
        if self.multi_pv > 1 && !engine.has_option("MultiPV") {
            let lacks = "it has no option MultiPV".to_owned();
            return Err(EngineError::NotStarted(lacks));
        }
        if self.multi_pv > 1 {
            engine.set_option("MultiPV", &self.multi_pv.to_string())?;
        }
        engine.new_game(NEVER)?;
        Ok(engine)
    }

    /// The running engine, for games of this variant.
    fn engine(&mut self, mode: CastlingMode) -> Result<&mut UciEngine, EngineError> {
        let engine = match self.running.take() {
            Some((engine, last)) if last == mode => engine,
            _ => self.start(mode)?,
        };
        Ok(&mut self.running.insert((engine, mode)).0)
    }

    fn failed(&mut self, error: EngineError) -> AnalysisError {
        self.running = None;
        AnalysisError::Engine {
            name: self.program.name.clone(),
            error,
        }
    }
}

impl Analyst for UciAnalyst {
    fn forget(&mut self, _positions: usize, _factor: u64) -> Result<(), AnalysisError> {
        if let Some((engine, _)) = &mut self.running {
            engine.new_game(NEVER).map_err(|error| self.failed(error))?;
        }
        Ok(())
    }

    fn search(
        &mut self,
        query: &Query<'_>,
        on_line: &mut dyn FnMut(&Progress),
    ) -> Result<Finding, AnalysisError> {
        let board = query.board();
        let wanted = self.multi_pv.min(board.count_legal_moves());
        let mut go = self.go;
        go.nodes = go.nodes.map(|nodes| nodes.saturating_mul(query.factor));
        if let Some(depth) = query.depth {
            let depth = depth as u32;
            go.depth = Some(go.depth.map_or(depth, |own| own.min(depth)));
        }
        let timeout = go
            .move_time
            .map_or(ENGINE_LONGEST, |time| time + ENGINE_LATE);
        let mut lines = Collector::new(wanted);
        let (mut depth, mut nodes, mut last) = (0, 0, Score::ZERO);
        let engine = self.engine(query.mode);
        let thought = engine.and_then(|engine| {
            engine.think(&position(query), &go, timeout, NEVER, |info: &Info| {
                nodes = info.nodes.unwrap_or(nodes);
                let Some(score) = info.score.map(Score::from) else {
                    return;
                };
                if info.multi_pv == 1 {
                    last = score;
                }
                if info.bound != Bound::Exact || info.pv.is_empty() {
                    return;
                }
                let pv = line(&board, &info.pv);
                let multi_pv = info.multi_pv.max(1) as usize;
                if lines.add(multi_pv, FoundLine::new(score, &pv)) {
                    depth = info.depth.unwrap_or(depth);
                }
                on_line(&Progress {
                    multi_pv,
                    score,
                    best: pv.first().copied(),
                    nodes,
                    time: info.time.unwrap_or(Duration::ZERO),
                });
            })
        });
        let answer = thought.map_err(|error| self.failed(error))?;
        if lines.whole.is_empty() {
            // It may answer without a line, such as from a book.
            let Ok(best) = board.parse_uci(&answer.best) else {
                return Err(self.failed(EngineError::Illegal(answer.best)));
            };
            lines.whole.push(FoundLine::new(last, &[best]));
        }
        Ok(lines.finding(depth, nodes))
    }
}

/// The moves of a line, as far as they are legal.
fn line(board: &Board, pv: &[String]) -> Vec<Move> {
    let mut at = *board;
    pv.iter()
        .map_while(|text| {
            let mv = at.parse_uci(text).ok()?;
            at = at.play(mv);
            Some(mv)
        })
        .collect()
}

/// The `position` command.
fn position(query: &Query<'_>) -> String {
    let start = query.start.to_fen_in(query.mode);
    let moves = uci(query.start, query.mode, query.moves).join(" ");
    let keyword = if moves.is_empty() { "" } else { " moves " };
    format!("position fen {start}{keyword}{moves}")
}
