//! One game between two engines. An illegal move, a flag that falls and a crash lose the game, and are
//! recorded.

use std::fmt;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use skewer_gamedata::GameResult;
use skewer_movegen::{CastlingMode, Move};
use skewer_openings::Opening;
use skewer_search::{Position, Solo};
use skewer_tt::TableSize;
use skewer_types::Score;

use crate::limit::{Limit, Timer, go_command};
use crate::params::matches as params;
use crate::rules::{Adjudicator, Ending, ScoreRule, ending};
use crate::spec::{EngineKind, EngineSpec, External};
use crate::stop::Stop;
use crate::uci::{EngineError, UciEngine};

/// An engine of a match, kept from game to game.
pub struct Player {
    /// Its name in the results.
    pub name: String,
    limit: Limit,
    engine: Engine,
}

enum Engine {
    Ours(Box<Solo>),
    External {
        spec: External,
        chess960: bool,
        /// `None` after a crash, until the next game.
        process: Option<Box<UciEngine>>,
    },
}

/// An engine's move in a position.
struct Reply {
    mv: Option<Move>,
    /// The move as written, to record an illegal one.
    text: String,
    score: Option<Score>,
    depth: Option<i32>,
    /// The cost of the move on the mover's clock.
    time: Duration,
}

impl Player {
    /// Starts an engine. `fallback` is its name if neither the command line nor the engine gives one.
    ///
    /// # Errors
    ///
    /// If the engine cannot be started.
    pub fn new(
        spec: &EngineSpec,
        limit: Limit,
        chess960: bool,
        fallback: &str,
        stop: &Stop,
    ) -> Result<Self> {
        let (engine, own_name) = match &spec.kind {
            EngineKind::Ours(ours) => {
                let size = TableSize::from_megabytes(ours.hash_mb);
                let solo = Solo::new(&ours.evaluation, size)?
                    .with_techniques(ours.techniques)
                    .with_parameters((*ours.parameters).clone());
                (Engine::Ours(Box::new(solo)), String::new())
            }
            EngineKind::External(external) => {
                let external = &external.with_node_clock(spec.limit.unwrap_or(limit));
                let process = UciEngine::start(external, chess960, stop)
                    .with_context(|| external.command.clone())?;
                let name = process.name().to_owned();
                let engine = Engine::External {
                    spec: external.clone(),
                    chess960,
                    process: Some(Box::new(process)),
                };
                (engine, name)
            }
        };
        let name = match &spec.name {
            Some(name) => name.clone(),
            None if own_name.is_empty() => fallback.to_owned(),
            None => own_name,
        };
        Ok(Self {
            name,
            limit: spec.limit.unwrap_or(limit),
            engine,
        })
    }

    /// Prepares for a game. Restarts the process if it has died.
    fn new_game(&mut self, stop: &Stop) -> Result<(), EngineError> {
        match &mut self.engine {
            Engine::Ours(solo) => {
                solo.clear();
                Ok(())
            }
            Engine::External {
                spec,
                chess960,
                process,
            } => {
                if let Some(engine) = process
                    && engine.new_game(stop).is_ok()
                {
                    return Ok(());
                }
                *process = None;
                let mut engine = UciEngine::start(spec, *chess960, stop)?;
                engine.new_game(stop)?;
                *process = Some(Box::new(engine));
                Ok(())
            }
        }
    }

    fn think(
        &mut self,
        record: &Record,
        timers: &[Timer; 2],
        stop: &Stop,
    ) -> Result<Reply, EngineError> {
        let position = &record.position;
        let timer = &timers[position.board().turn().index()];
        match &mut self.engine {
            Engine::Ours(solo) => {
                let asked = Instant::now();
                let outcome = solo.search(position, &timer.limits());
                let best = outcome.best;
                Ok(Reply {
                    mv: best,
                    text: best.map_or_else(String::new, |mv| mv.to_string()),
                    score: best.map(|_| outcome.score),
                    depth: best.map(|_| outcome.depth),
                    time: timer.cost(asked.elapsed(), outcome.nodes),
                })
            }
            Engine::External { process, .. } => {
                let engine = process.as_mut().ok_or(EngineError::Died)?;
                let go = go_command(timer, &timers[0], &timers[1]);
                match engine.think(&record.uci(), &go, timer.hung_after(), stop) {
                    Ok(answer) => Ok(Reply {
                        mv: position.board().parse_uci(&answer.mv).ok(),
                        text: answer.mv,
                        score: answer.score,
                        depth: answer.depth,
                        time: timer.cost(answer.time, answer.nodes),
                    }),
                    Err(error) => {
                        *process = None;
                        Err(error)
                    }
                }
            }
        }
    }
}

/// Rules of adjudication and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameRules {
    /// The score that both engines must agree on to end a game as won.
    pub win: Option<ScoreRule>,
    /// The score that both engines must agree on to end a game as drawn.
    pub draw: Option<ScoreRule>,
    /// By how much an engine may exceed its clock.
    pub margin: Duration,
    /// How castling is written.
    pub mode: CastlingMode,
}

/// Why a game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// By the rules of chess.
    Rules(Ending),
    /// Adjudicated: the scores of both engines agreed.
    Agreed,
    /// At the maximal length.
    TooLong,
    /// An engine exceeded its clock by this.
    Time(Duration),
    /// An engine wrote this in place of a legal move.
    IllegalMove(String),
    /// An engine died or hung.
    Failure(EngineError),
}

impl Cause {
    /// Whether an engine lost by something other than its moves.
    pub fn is_forfeit(&self) -> bool {
        matches!(
            self,
            Self::Time(_) | Self::IllegalMove(_) | Self::Failure(_)
        )
    }

    /// The value of the PGN tag `Termination`.
    pub fn tag(&self) -> &'static str {
        match self {
            Self::Rules(_) => "normal",
            Self::Agreed | Self::TooLong => "adjudication",
            Self::Time(_) => "time forfeit",
            Self::IllegalMove(_) => "rules infraction",
            Self::Failure(_) => "abandoned",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(ending) => f.write_str(ending.description()),
            Self::Agreed => f.write_str("both engines agreed"),
            Self::TooLong => f.write_str("too many moves"),
            Self::Time(over) => write!(f, "out of time by {} ms", over.as_millis()),
            Self::IllegalMove(text) => write!(f, "illegal move `{text}`"),
            Self::Failure(error) => write!(f, "the engine {error}"),
        }
    }
}

/// A move as it was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// The mover's score of the position.
    pub score: Option<Score>,
    /// The depth that the mover reached, in plies.
    pub depth: Option<i32>,
    /// The cost of the move on the mover's clock: wall time, or nodes on a clock that counts nodes.
    pub time: Duration,
    /// The time left on the mover's clock.
    pub left: Option<Duration>,
}

/// A finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// The moves of the opening.
    pub opening: Opening,
    /// The moves after it.
    pub moves: Vec<PlayedMove>,
    /// The result.
    pub result: GameResult,
    /// Why it ended.
    pub cause: Cause,
}

/// The game so far.
struct Record {
    opening: Opening,
    mode: CastlingMode,
    position: Position,
    /// The UCI `position` command with all moves so far.
    command: String,
}

impl Record {
    fn new(opening: &Opening, mode: CastlingMode) -> Self {
        let fen = opening.start.to_fen_in(mode);
        let mut record = Self {
            opening: opening.clone(),
            mode,
            position: Position::new(opening.start),
            command: format!("position fen {fen} moves"),
        };
        for mv in &opening.moves {
            record.play(*mv);
        }
        record
    }

    fn play(&mut self, mv: Move) {
        let text = self.position.board().uci_in(mv, self.mode).to_string();
        self.command.push(' ');
        self.command.push_str(&text);
        self.position.play(mv);
    }

    fn uci(&self) -> String {
        // The word `moves` needs at least one move after it.
        self.command.trim_end_matches(" moves").to_owned()
    }
}

/// Plays a game; `None` if `stop` was set before it ended.
///
/// # Errors
///
/// If an engine that has died cannot be started again. This is not a lost game: the engine would lose all
/// that follow as well.
pub fn play(
    white: &mut Player,
    black: &mut Player,
    opening: &Opening,
    rules: &GameRules,
    stop: &Stop,
) -> Result<Option<Played>> {
    let players = &mut [white, black];
    for player in players.iter_mut() {
        match player.new_game(stop) {
            Ok(()) => {}
            Err(EngineError::Stopped) => return Ok(None),
            Err(error) => return Err(error).context(format!("the engine {}", player.name)),
        }
    }
    let mut record = Record::new(opening, rules.mode);
    let mut moves = Vec::new();
    let played = play_on(players, &mut record, &mut moves, rules, stop);
    Ok(played.map(|(result, cause)| Played {
        opening: record.opening,
        moves,
        result,
        cause,
    }))
}

fn play_on(
    players: &mut [&mut Player; 2],
    record: &mut Record,
    moves: &mut Vec<PlayedMove>,
    rules: &GameRules,
    stop: &Stop,
) -> Option<(GameResult, Cause)> {
    let mut timers = [Timer::new(players[0].limit), Timer::new(players[1].limit)];
    let mut adjudicator = Adjudicator::new(rules.win, rules.draw);
    for ply in record.opening.moves.len() as u32.. {
        let mover = record.position.board().turn();
        if let Some(ending) = ending(&record.position) {
            return Some((ending.result(mover), Cause::Rules(ending)));
        }
        if ply >= params::MAX_PLIES {
            return Some((GameResult::Draw, Cause::TooLong));
        }
        if stop.is_set() {
            return None;
        }
        let lost = GameResult::win_for(!mover);
        let reply = match players[mover.index()].think(record, &timers, stop) {
            Ok(reply) => reply,
            Err(EngineError::Stopped) => return None,
            Err(error) => return Some((lost, Cause::Failure(error))),
        };
        let timer = &mut timers[mover.index()];
        let before = timer.left();
        if !timer.spend(reply.time, rules.margin) {
            let allowed = before.unwrap_or_default();
            return Some((lost, Cause::Time(reply.time.saturating_sub(allowed))));
        }
        let Some(mv) = reply.mv else {
            return Some((lost, Cause::IllegalMove(reply.text)));
        };
        record.play(mv);
        moves.push(PlayedMove {
            mv,
            score: reply.score,
            depth: reply.depth,
            time: reply.time,
            left: timer.left(),
        });
        let white = reply.score.map(|score| mover.fold(score, -score).raw());
        if let Some(result) = adjudicator.note(ply, white) {
            return Some((result, Cause::Agreed));
        }
    }
    None
}
