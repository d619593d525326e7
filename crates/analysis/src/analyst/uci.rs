//! Any UCI engine as an analyst.

use std::time::Duration;

use skewer_movegen::{Board, CastlingMode, Move};
use skewer_types::Score;
use skewer_uci_client::{Bound, Bounds, EngineError, Go, Info, InfoScore, UciEngine, Variant};

use super::{
    Analyst, Collector, Finding, FoundLine, Interrupt, Progress, Query, Settings, UciProgram,
};
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
    interrupt: Interrupt,
}

/// What the engine has said about a position so far.
#[derive(Clone)]
struct Said {
    lines: Collector,
    depth: u32,
    nodes: u64,
    /// The last score of the best line, exact or a bound.
    last: Option<Score>,
    /// The first answer that cannot be right.
    fault: Option<EngineError>,
}

impl UciAnalyst {
    pub(super) fn new(program: UciProgram, settings: &Settings, interrupt: Interrupt) -> Self {
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
            interrupt,
        }
    }

    fn start(&self, mode: CastlingMode) -> Result<UciEngine, EngineError> {
        let variant = match mode {
            CastlingMode::Standard => Variant::Standard,
            CastlingMode::Chess960 => Variant::Chess960,
        };
        let program = &self.program.program;
        let stopped = || self.interrupt.is_set();
        let mut engine = UciEngine::start(program, variant, Bounds::default(), &stopped)?;
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
        engine.new_game(&stopped)?;
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
        match error {
            EngineError::Stopped => AnalysisError::Interrupted,
            error => AnalysisError::Engine {
                name: self.program.name.clone(),
                error,
            },
        }
    }
}

impl Analyst for UciAnalyst {
    fn forget(&mut self, _positions: usize, _factor: u64) -> Result<(), AnalysisError> {
        let stopped = || self.interrupt.is_set();
        if let Some((engine, _)) = &mut self.running {
            let ready = engine.new_game(&stopped);
            ready.map_err(|error| self.failed(error))?;
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
        let empty = Said {
            lines: Collector::new(wanted),
            depth: 0,
            nodes: 0,
            last: None,
            fault: None,
        };
        let interrupt = self.interrupt.clone();
        let engine = self.engine(query.mode);
        let thought = engine.and_then(|engine| {
            let stopped = || interrupt.is_set();
            let position = position(query);
            engine.think(&position, &go, timeout, &stopped, &empty, |said, info| {
                if let Some(progress) = said.take(&board, info) {
                    on_line(&progress);
                }
            })
        });
        let found = thought.and_then(|(answer, said)| said.finding(&board, &answer.best));
        found.map_err(|error| self.failed(error))
    }
}

impl Said {
    /// Takes an `info` line. Returns the progress if the line has an exact score and a legal move.
    fn take(&mut self, board: &Board, info: &Info) -> Option<Progress> {
        self.nodes = info.nodes.unwrap_or(self.nodes);
        let found = info.score?;
        let score = Score::from(found);
        if let Some(moves) = impossible_mate(board, info) {
            let fault = || EngineError::Impossible(format!("mate {moves}"));
            self.fault.get_or_insert_with(fault);
        }
        if info.multi_pv == 1 {
            self.last = Some(score);
        }
        let first = info.pv.first().filter(|_| info.bound == Bound::Exact)?;
        let pv = line(board, &info.pv);
        if pv.is_empty() {
            let fault = || EngineError::Illegal(first.chars().take(SHOWN).collect());
            self.fault.get_or_insert_with(fault);
            return None;
        }
        let multi_pv = info.multi_pv as usize;
        if self.lines.add(multi_pv, FoundLine::new(score, &pv)) {
            self.depth = info.depth.unwrap_or(self.depth);
        }
        Some(Progress {
            multi_pv,
            score,
            best: pv.first().copied(),
            nodes: self.nodes,
            time: info.time.unwrap_or(Duration::ZERO),
        })
    }

    /// The finding, after the answer `bestmove best`.
    fn finding(mut self, board: &Board, best: &str) -> Result<Finding, EngineError> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let mv = board.parse_uci(best);
        let mv = mv.map_err(|_| EngineError::Illegal(best.to_owned()))?;
        if let Some(repeated) = self.lines.repeated() {
            return Err(EngineError::Repeated(board.uci(repeated).to_string()));
        }
        if self.lines.whole.is_empty() {
            // An engine may answer without a line, but not without a score.
            let score = self.last.ok_or(EngineError::NoScore)?;
            self.lines.whole.push(FoundLine::new(score, &[mv]));
        }
        Ok(self.lines.finding(self.depth, self.nodes))
    }
}

/// The distance to mate of a line, if it cannot be right: a mate on the board, although only positions with a move are
/// searched; a mate further away than a score can tell; a mate by the first move, although that move does not mate.
fn impossible_mate(board: &Board, info: &Info) -> Option<i32> {
    let Some(InfoScore::Mate(moves)) = info.score else {
        return None;
    };
    let mates = |mv: &String| {
        let mv = board.parse_uci(mv).ok()?;
        let after = board.play(mv);
        Some(after.in_check() && !after.has_legal_moves())
    };
    let is_exact = info.bound == Bound::Exact;
    let is_wrong = moves == 0
        || Score::from(InfoScore::Mate(moves)).mate_distance() != Some(moves)
        || moves == 1 && is_exact && info.pv.first().and_then(mates) == Some(false);
    is_wrong.then_some(moves)
}

/// How many characters of an illegal move the error message shows.
const SHOWN: usize = 40;

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
