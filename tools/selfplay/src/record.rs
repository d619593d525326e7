//! A played game as PGN.

use std::time::{Duration, SystemTime};

use crate::game::{Played, PlayedMove};
use skewer_movegen::{CastlingMode, Color};
use skewer_pgn::{EvalTag, EvalValue, NodeId, PgnGame, Start};
use skewer_types::Score;

/// The players, and the place of the game in the match.
#[derive(Debug, Clone)]
pub(crate) struct Heading<'a> {
    /// The date in PGN's format: `2026.11.21`.
    pub date: &'a str,
    /// The pair, from 1, and the game of the pair, 1 or 2.
    pub round: (u64, u32),
    /// White's name, and Black's.
    pub names: [&'a str; 2],
    /// White's limit, and Black's.
    pub limits: [String; 2],
}

/// The game as PGN: each move with score, time and clock.
pub(crate) fn to_pgn(played: &Played, heading: &Heading<'_>, mode: CastlingMode) -> String {
    let mut game = PgnGame::from_start(Start::from_board(played.opening.start, mode));
    game.outcome = Some(played.result);
    for (tag, value) in [
        ("Event", "skewer-selfplay match".to_owned()),
        ("Site", "?".to_owned()),
        ("Date", heading.date.to_owned()),
        ("Round", format!("{}.{}", heading.round.0, heading.round.1)),
        ("White", heading.names[0].to_owned()),
        ("Black", heading.names[1].to_owned()),
        ("Termination", played.cause.tag().to_owned()),
    ] {
        game.tags.set(tag, value);
    }
    let [white, black] = &heading.limits;
    if white == black {
        game.tags.set("TimeControl", white);
    } else {
        game.tags.set("WhiteTimeControl", white);
        game.tags.set("BlackTimeControl", black);
    }
    let mut at = NodeId::ROOT;
    let book = played.opening.moves.iter().map(|mv| (*mv, None));
    let moves = played.moves.iter().map(|played| (played.mv, Some(played)));
    for (mv, played) in book.chain(moves) {
        let mover = game.node(at).board().turn();
        let Ok(next) = game.add(at, Some(mv)) else {
            break;
        };
        let comment = played.map_or("book".to_owned(), |played| comment(played, mover));
        game.node_mut(next).comments.push(comment);
        at = next;
    }
    game.node_mut(at).comments.push(played.cause.to_string());
    game.to_string()
}

/// The comment after a move: score, time and clock, as far as they are known.
fn comment(played: &PlayedMove, mover: Color) -> String {
    let mut parts = Vec::new();
    if let Some(score) = played.score {
        let value = mover.fold(score, -score);
        let eval = EvalTag {
            value: eval_of(value),
            depth: played.depth.and_then(|depth| depth.try_into().ok()),
        };
        parts.push(eval.to_string());
    }
    parts.push(format!("[%emt {}]", clock(played.time)));
    if let Some(left) = played.left {
        parts.push(format!("[%clk {}]", clock(left)));
    }
    parts.join(" ")
}

fn eval_of(white: Score) -> EvalValue {
    match white.mate_distance() {
        Some(0) => EvalValue::Mate(if white > Score::ZERO { 0 } else { -1 }),
        Some(moves) => EvalValue::Mate(moves),
        None => EvalValue::Centipawns(white.raw()),
    }
}

/// Hours, minutes, and seconds with milliseconds.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!(
        "{}:{:02}:{:02}.{:03}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60,
        time.subsec_millis()
    )
}

/// The date of today (in universal time) as PGN writes it.
pub(crate) fn today() -> String {
    let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    now[.."2026-01-01".len()].replace('-', ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_shows_milliseconds() {
        assert_eq!(clock(Duration::from_millis(3_723_045)), "1:02:03.045");
    }
}
