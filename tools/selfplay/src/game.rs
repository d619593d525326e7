//! One game between two engines. An illegal move, a flag that falls and a crash lose the game, and are
//! recorded.

use std::fmt;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use skewer_movegen::{CastlingMode, DrawRules, Move, Outcome, Termination};
use skewer_openings::Opening;
use skewer_search::{Position, Solo};
use skewer_types::Score;
pub(crate) use skewer_uci_client::EngineError;

use crate::limit::{GameClock, Limit};
use skewer_console::stop::Stop;
use skewer_games::rules::{Adjudicator, ScoreRule};

/// By how much an engine may exceed its clock before it loses on time: an allowance for pipes and a busy
/// machine.
pub(crate) const TIME_MARGIN: Duration = Duration::from_millis(20);
/// A game of this many plies is drawn.
const MAX_PLIES: u32 = 600;

/// A player of a match, kept from game to game.
pub(crate) struct Player {
    /// Its name in messages and results.
    pub(crate) name: String,
    /// The limit of its moves.
    pub(crate) limit: Limit,
    /// Chooses its moves.
    pub(crate) engine: Box<dyn Engine>,
}

/// An engine.
pub(crate) trait Engine {
    /// Prepares for a game. Restarts the engine if it has died.
    ///
    /// # Errors
    ///
    /// If it cannot be started or does not get ready.
    fn new_game(&mut self, stop: &Stop) -> Result<(), EngineError>;

    /// Chooses a move, with White's and Black's clocks.
    ///
    /// # Errors
    ///
    /// If the engine dies or hangs, or `stop` is set.
    fn think(
        &mut self,
        record: &Record,
        timers: &[GameClock; 2],
        stop: &Stop,
    ) -> Result<Reply, EngineError>;
}

/// An engine's move in a position.
#[derive(Debug)]
pub(crate) struct Reply {
    /// The move; `None` if it is illegal.
    pub(crate) mv: Option<Move>,
    /// The move as written, to record an illegal one.
    pub(crate) text: String,
    /// The engine's score of the position.
    pub(crate) score: Option<Score>,
    /// The depth that it reached, in plies.
    pub(crate) depth: Option<i32>,
    /// The cost of the move on the mover's clock.
    pub(crate) time: Duration,
}

/// Our own engine, in this process, on one thread.
impl Engine for Solo {
    fn new_game(&mut self, _stop: &Stop) -> Result<(), EngineError> {
        self.clear();
        Ok(())
    }

    fn think(
        &mut self,
        record: &Record,
        timers: &[GameClock; 2],
        _stop: &Stop,
    ) -> Result<Reply, EngineError> {
        let timer = &timers[record.position.board().turn().index()];
        let asked = Instant::now();
        let outcome = self.search(&record.position, &timer.limits());
        let best = outcome.best;
        Ok(Reply {
            mv: best,
            text: best.map_or_else(String::new, |mv| {
                record.position.board().uci(mv).to_string()
            }),
            score: best.map(|_| outcome.score),
            depth: best.map(|_| outcome.depth),
            time: timer.cost(asked.elapsed(), outcome.nodes),
        })
    }
}

/// Rules of adjudication and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MatchRules {
    /// The score that both engines must agree on to end a game as won.
    pub(crate) win: Option<ScoreRule>,
    /// The score that both engines must agree on to end a game as drawn.
    pub(crate) draw: Option<ScoreRule>,
    /// By how much an engine may exceed its clock.
    pub(crate) margin: Duration,
    /// How castling is written.
    pub(crate) mode: CastlingMode,
}

/// Why a game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cause {
    /// By the rules of chess.
    Rules(Termination),
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
    /// The value of the PGN tag `Termination`.
    pub(crate) fn tag(&self) -> &'static str {
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
            Self::Rules(ending) => write!(f, "{ending}"),
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
pub(crate) struct PlayedMove {
    /// The move.
    pub(crate) mv: Move,
    /// The mover's score of the position.
    pub(crate) score: Option<Score>,
    /// The depth that the mover reached, in plies.
    pub(crate) depth: Option<i32>,
    /// The cost of the move on the mover's clock: wall time, or nodes on a clock that counts nodes.
    pub(crate) time: Duration,
    /// The time left on the mover's clock.
    pub(crate) left: Option<Duration>,
}

/// A finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Played {
    /// The moves of the opening.
    pub(crate) opening: Opening,
    /// The moves after it.
    pub(crate) moves: Vec<PlayedMove>,
    /// The result.
    pub(crate) result: Outcome,
    /// Why it ended.
    pub(crate) cause: Cause,
}

/// The game so far.
#[derive(Debug)]
pub(crate) struct Record {
    opening: Opening,
    mode: CastlingMode,
    /// The position, with the positions before it.
    pub(crate) position: Position,
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

    /// The UCI command for the position: the start and all moves.
    pub(crate) fn uci(&self) -> String {
        // The word `moves` needs at least one move after it.
        self.command.trim_end_matches(" moves").to_owned()
    }
}

/// Plays a game of `white` and `black`; `None` if `stop` was set before it ended.
///
/// # Errors
///
/// If an engine that has died cannot be started again. This is not a lost game: the engine would lose all games that
/// follow as well.
pub(crate) fn play(
    white: &mut Player,
    black: &mut Player,
    opening: &Opening,
    rules: &MatchRules,
    stop: &Stop,
) -> Result<Option<Played>> {
    let players = &mut [white, black];
    for player in players.iter_mut() {
        match player.engine.new_game(stop) {
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

/// Plays both games of an opening, the first with `first` as White, the second with `second`; `None` if
/// `stop` was set before they ended.
///
/// # Errors
///
/// The errors of [`play`].
pub(crate) fn play_pair(
    first: &mut Player,
    second: &mut Player,
    opening: &Opening,
    rules: &MatchRules,
    stop: &Stop,
) -> Result<Option<[Played; 2]>> {
    let Some(one) = play(first, second, opening, rules, stop)? else {
        return Ok(None);
    };
    let two = play(second, first, opening, rules, stop)?;
    Ok(two.map(|two| [one, two]))
}

/// The half points of the first engine of a pair, which had White in the first game: 0 to 2 for each game.
pub(crate) fn half_points(games: [Outcome; 2]) -> [u8; 2] {
    [games[0].to_byte(), 2 - games[1].to_byte()]
}

fn play_on(
    players: &mut [&mut Player; 2],
    record: &mut Record,
    moves: &mut Vec<PlayedMove>,
    rules: &MatchRules,
    stop: &Stop,
) -> Option<(Outcome, Cause)> {
    let mut timers = [
        GameClock::new(players[0].limit),
        GameClock::new(players[1].limit),
    ];
    let mut adjudicator = Adjudicator::new(rules.win, rules.draw);
    for ply in record.opening.moves.len() as u32.. {
        let mover = record.position.board().turn();
        if let Some(ending) = record.position.ending(DrawRules::Claimed) {
            return Some((ending.outcome(), Cause::Rules(ending)));
        }
        if ply >= MAX_PLIES {
            return Some((Outcome::Draw, Cause::TooLong));
        }
        if stop.is_set() {
            return None;
        }
        let lost = Outcome::from_winner(Some(!mover));
        let reply = match players[mover.index()].engine.think(record, &timers, stop) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_counted_for_the_side_that_had_white_first() {
        use Outcome::{BlackWins, Draw, WhiteWins};
        for (games, points) in [
            ([WhiteWins, BlackWins], [2, 2]),
            ([WhiteWins, Draw], [2, 1]),
            ([Draw, Draw], [1, 1]),
            ([WhiteWins, WhiteWins], [2, 0]),
            ([Draw, WhiteWins], [1, 0]),
            ([BlackWins, WhiteWins], [0, 0]),
        ] {
            assert_eq!(half_points(games), points, "{games:?}");
        }
    }
}
