//! UCI engines as players of a match.

use crate::game::{Engine, EngineError, Player, Record, Reply};
use crate::limit::{GameClock, Limit, go};
use skewer_console::stop::Stop;
use skewer_uci_client::{Bounds, Program, UciEngine, Variant};

/// The UCI option that makes an engine count nodes as time, in nodes a millisecond.
const NODES_AS_TIME: &str = "nodestime";

/// A program that plays, started again for the next game if it ends.
#[derive(Debug)]
pub(crate) struct UciPlayer {
    program: Program,
    variant: Variant,
    /// `None` after a crash, until the next game.
    process: Option<UciEngine>,
}

impl UciPlayer {
    /// Starts an engine, with the option `nodestime` if `limit` is a clock that counts nodes. Returns the name
    /// that the engine gives itself, which may be empty.
    ///
    /// # Errors
    ///
    /// If the engine cannot be started or does not get ready.
    pub(crate) fn start(
        program: &Program,
        limit: Limit,
        variant: Variant,
        stop: &Stop,
    ) -> Result<Player, EngineError> {
        let mut program = program.clone();
        if let Some(per_millisecond) = limit.nodes_per_millisecond() {
            let value = per_millisecond.to_string();
            program.options.push((NODES_AS_TIME.to_owned(), value));
        }
        let process = start(&program, variant, stop).map_err(|error| match error {
            EngineError::NotStarted(why) if why.ends_with(NODES_AS_TIME) => {
                EngineError::NotStarted(why + ", which a clock that counts nodes needs")
            }
            error => error,
        })?;
        Ok(Player {
            name: process.name().to_owned(),
            limit,
            engine: Box::new(Self {
                program,
                variant,
                process: Some(process),
            }),
        })
    }
}

fn start(program: &Program, variant: Variant, stop: &Stop) -> Result<UciEngine, EngineError> {
    UciEngine::start(program, variant, Bounds::default(), &|| stop.is_set())
}

impl Engine for UciPlayer {
    fn new_game(&mut self, stop: &Stop) -> Result<(), EngineError> {
        let stopped = || stop.is_set();
        if let Some(engine) = &mut self.process
            && engine.new_game(&stopped).is_ok()
        {
            return Ok(());
        }
        self.process = None;
        let mut engine = start(&self.program, self.variant, stop)?;
        engine.new_game(&stopped)?;
        self.process = Some(engine);
        Ok(())
    }

    fn think(
        &mut self,
        record: &Record,
        timers: &[GameClock; 2],
        stop: &Stop,
    ) -> Result<Reply, EngineError> {
        let board = record.position.board();
        let timer = &timers[board.turn().index()];
        let engine = self.process.as_mut().ok_or(EngineError::Died)?;
        let limits = go(timer, &timers[0], &timers[1]);
        // A score may be a bound.
        let thought = engine.think(
            &record.uci(),
            &limits,
            timer.hung_after(),
            &|| stop.is_set(),
            &(None, None, 0),
            |(score, depth, nodes), info| {
                if info.multi_pv == 1 {
                    *nodes = info.nodes.unwrap_or(*nodes);
                    if let Some(found) = info.score {
                        *score = Some(found.into());
                        *depth = info.depth.or(*depth);
                    }
                }
            },
        );
        let (answer, (score, depth, nodes)) = thought.inspect_err(|_| self.process = None)?;
        Ok(Reply {
            mv: board.parse_uci(&answer.best).ok(),
            text: answer.best,
            score,
            depth: depth.map(|plies| plies as i32),
            time: timer.cost(answer.time, nodes),
        })
    }
}
